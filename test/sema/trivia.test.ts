/** Every comment is on exactly one node; blank lines and constant macros are kept. */
import { describe, expect, test } from "vitest";
import type { Module, Statement } from "../../src/ast/nodes.js";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { TwoWayDialect } from "../../src/dialects/ids.js";
import { frontEnd } from "../../src/frontend/index.js";
import { analyze } from "../../src/sema/index.js";
import { moduleOf } from "./support.js";

/** Texts of all comments a module holds, in no particular order. */
function commentsOf(module: Module): string[] {
  const found: string[] = [];
  const seen = new Set<object>();
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null || seen.has(value)) return;
    seen.add(value);
    if (value instanceof Map) return [...value.values()].forEach(visit);
    if ("ownLine" in value && "text" in value) found.push(String(value.text));
    for (const part of Object.values(value)) visit(part);
  };
  visit(module);
  return found.sort();
}

const glsl = (text: string): string =>
  `#version 450\nlayout(local_size_x = 64) in;\nlayout(binding = 0) buffer F { float f[]; };\n${text}`;
const extensions: Readonly<Record<string, TwoWayDialect>> = {
  metal: "msl",
  comp: "glsl",
  cl: "opencl",
  hlsl: "hlsl",
};
const fixtures = join(import.meta.dirname, "../../fixtures");

describe("comments", () => {
  test("stand where they stood", async () => {
    const m = await moduleOf(
      "glsl",
      glsl(
        "// before main\nvoid main() {\n  // first\n  f[0] = 1.0; // at one\n\n  f[1] = 2.0;\n  // last\n}\n// the end\n",
      ),
    );
    const main = m.functions[0]!;
    const texts = (list: readonly { readonly text: string }[]): string[] => list.map((c) => c.text);
    expect(texts(main.trivia.leading)).toEqual(["// before main"]);
    const [one, two] = main.body.statements as [Statement, Statement];
    expect(texts(one.trivia.leading)).toEqual(["// first"]);
    expect(texts(one.trivia.trailing)).toEqual(["// at one"]);
    expect([one.trivia.blankBefore, two.trivia.blankBefore]).toEqual([false, true]);
    expect(texts(main.body.innerComments)).toEqual(["// last"]);
    expect(texts(m.trailingComments)).toEqual(["// the end"]);
  });

  test("of what leaves no trace go to the next thing that does", async () => {
    const m = await moduleOf(
      "glsl",
      "#version 450\n// size\nlayout(local_size_x = 64) in; // lanes\n/* proto */ float g(float x);\n// unused\n#define UNUSED 3 // gone\nprecision highp float; // precise\nlayout(binding = 0) buffer F { float f[]; };\nfloat g(float x) { return x; }\nvoid main() { f[0] = g(1.0); ; /* nothing */ }",
    );
    expect(commentsOf(m)).toEqual(
      ["/* nothing */", "/* proto */", "// gone", "// lanes", "// precise", "// size", "// unused"].sort(),
    );
  });

  const kernels = readdirSync(fixtures, { withFileTypes: true })
    .filter((d) => d.isDirectory() && d.name !== "errors")
    .flatMap((d) =>
      readdirSync(join(fixtures, d.name))
        .filter((f) => /^kernel\.(metal|comp|cl|hlsl)$/.test(f))
        .map((f) => `${d.name}/${f}`),
    );

  test("of all fixtures appear exactly once", async () => {
    for (const kernel of kernels) {
      const dialect = extensions[kernel.split(".").pop()!]!;
      const { expanded, unit } = await frontEnd(readFileSync(join(fixtures, kernel), "utf8"), {
        from: dialect,
        fileName: kernel,
      });
      const { module, problems } = analyze(unit, expanded, { dialect });
      expect(
        problems.filter((p) => p.severity === "error"),
        kernel,
      ).toEqual([]);
      expect(commentsOf(module!), kernel).toEqual(expanded.comments.map((c) => c.text).sort());
    }
  });
});

describe("macros", () => {
  test("a constant of one type keeps its name", async () => {
    const m = await moduleOf(
      "opencl",
      "#define N 16u\n#define SCALE (2.5f)\n__kernel void k(__global float *x, uint n) { if (n < N) x[N] = SCALE; }",
    );
    expect(
      m.order.map((o) =>
        o.kind === "constant-macro" ? [o.name, o.value.kind === "literal" ? o.value.value : o.value] : o.kind,
      ),
    ).toEqual([["N", 16], ["SCALE", 2.5], "function"]);
    expect(JSON.stringify(m.functions[0]!.body).match(/"macro":\{"name":"N"/g)).toHaveLength(2);
  });

  test("one used with different types is the int it says", async () => {
    const m = await moduleOf(
      "opencl",
      "#define N 16\n__kernel void k(__global float *x, uint n) { if (n < N) x[0] = N; }",
    );
    expect(m.order.map((o) => o.kind)).toEqual(["constant-macro", "function"]);
    expect(m.order[0]).toMatchObject({ name: "N", value: { kind: "literal", value: 16 } });
    expect(JSON.stringify(m.functions[0]!.body).match(/"macro":\{"name":"N"/g)).toHaveLength(2);
  });

  test("one defined inside a function stands before it", async () => {
    const m = await moduleOf("glsl", glsl("void main() {\n  f[0] = 1.0;\n#define HALF 0.5\n  f[1] = float(HALF);\n}"));
    expect(m.order.map((o) => o.kind)).toEqual(["resource", "constant-macro", "function"]);
  });

  test("one that stands for different things is written out", async () => {
    const m = await moduleOf(
      "opencl",
      "#define HERE __LINE__\n__kernel void k(__global int *x) { x[0] = HERE;\nx[1] = HERE; }",
    );
    expect(m.order.map((o) => o.kind)).toEqual(["function"]);
    expect(JSON.stringify(m.functions[0]!.body)).not.toContain('"macro"');
  });

  test("a function-like macro is written out", async () => {
    const m = await moduleOf(
      "opencl",
      "#define TWICE(x) ((x) * 2.0f)\n__kernel void k(__global float *x) { x[0] = TWICE(x[1]); }",
    );
    expect(JSON.stringify(m.functions[0]!.body)).not.toContain('"macro"');
  });
});
