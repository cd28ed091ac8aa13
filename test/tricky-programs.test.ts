/**
 * Programs that are written to be misread: clang says what they compute, and every source, its translations and their
 * translations compute the same and are taken by the compilers.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect } from "vitest";
import { twoWayDialects, type TwoWayDialect } from "../src/dialects/ids.js";
import { missingPrograms } from "./support/judges/judge.js";
import { simulate, translate } from "../src/index.js";
import { judgeable, judgeOutputs, judges, refusals, type Judgeable } from "./support/judges/outputs.js";
import { judgeTest, toolTest } from "./support/tool-test.js";
import { trickyPrograms, trickySource, type TrickyProgram } from "./support/tricky-programs.js";

const braces = "#define LIST4(t, a, b, c, d) { a, b, c, d }";
const calls = "#define INT(a) int(a)\n#define UINT(a) uint(a)";
const around: Readonly<Record<TwoWayDialect, (p: TrickyProgram) => string>> = {
  msl: ({ before = "", body }) =>
    `#include <metal_stdlib>\nusing namespace metal;\n${calls}\n${braces}\n${before}\nkernel void k(device const int *src [[buffer(0)]], device int *dst [[buffer(1)]]) {\n${body}\n}\n`,
  glsl: ({ before = "", body }) =>
    `#version 450\nlayout(local_size_x = 1) in;\nlayout(set = 0, binding = 0) readonly buffer S { int src[]; };\nlayout(set = 0, binding = 1) buffer D { int dst[]; };\n${calls}\n#define LIST4(t, a, b, c, d) t[](a, b, c, d)\n${before}\nvoid main() {\n${body}\n}\n`,
  opencl: ({ before = "", body }) =>
    `#define INT(a) ((int)(a))\n#define UINT(a) ((uint)(a))\n${braces}\n${before.replace(/struct (\w+) \{([^}]*)\};/g, "typedef struct {$2} $1;")}\n__kernel void k(__global const int *src, __global int *dst) {\n${body}\n}\n`,
  hlsl: ({ before = "", body }) =>
    `StructuredBuffer<int> src : register(t0);\nRWStructuredBuffer<int> dst : register(u1);\n${calls}\n${braces}\n${before}\n[numthreads(1, 1, 1)]\nvoid k() {\n${body}\n}\n`,
};

/** Words that have no macro: what reads MSL here expands none. */
const spaces: Readonly<Record<TwoWayDialect, Readonly<Record<string, string>>>> = {
  msl: { CONST: "constant", PRIVATE: "thread", GLOBAL: "device" },
  glsl: { CONST: "const" },
  opencl: { CONST: "__constant", PRIVATE: "__private", GLOBAL: "__global" },
  hlsl: { CONST: "static const" },
};
const sourceOf = (program: TrickyProgram, dialect: TwoWayDialect): string =>
  around[dialect](program).replace(/\b(CONST|PRIVATE|GLOBAL)\b/g, (word) => spaces[dialect][word]!);

const folder = mkdtempSync(join(tmpdir(), "crosslane-tricky-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What clang makes of all of them as C++, which stops at anything undefined. */
function computed(): readonly (readonly number[])[] {
  const parts = trickyPrograms.map(({ before = "", body }, i) => {
    const macros = [...before.matchAll(/#define (\w+)/g)].map((m) => `#undef ${m[1]!}`);
    return `namespace p${i} {\n${before}\nstatic void k(const int *src, int *dst) {\n${body}\n}\n}\n${macros.join("\n")}`;
  });
  const text = `#include <cstdio>
typedef unsigned uint;
${calls}
${braces}
#define CONST static const
#define PRIVATE
#define GLOBAL
${parts.join("\n")}
int main() {
  void (*all[])(const int *, int *) = { ${parts.map((_, i) => `p${i}::k`).join(", ")} };
  const int src[] = { ${trickySource.map((v) => (v < -2147483647 ? "-2147483647 - 1" : v)).join(", ")} };
  for (auto k : all) { int dst[16] = {}; k(src, dst); for (int v : dst) std::printf("%d ", v); std::printf("\\n"); }
}
`;
  const file = join(folder, "all.cpp");
  const out = join(folder, "all");
  writeFileSync(file, text);
  const options = ["-std=c++20", "-O0", "-w", "-fsanitize=undefined", "-fsanitize-trap=all"];
  const made = spawnSync("clang-19", ["-x", "c++", ...options, file, "-o", out], { encoding: "utf8" });
  expect(made.stderr).toBe("");
  const lines = spawnSync(out, { encoding: "utf8" }).stdout.trim().split("\n");
  expect(lines).toHaveLength(trickyPrograms.length);
  return lines.map((line) => line.trim().split(" ").map(Number));
}

async function run(text: string, from: TwoWayDialect): Promise<readonly number[]> {
  const { buffers, findings, diagnostics } = await simulate(text, {
    from,
    workgroups: [1],
    workgroupSize: [1],
    seed: 1,
    args: { src: Int32Array.from(trickySource), dst: new Int32Array(16) },
  });
  const said = [...findings, ...diagnostics.filter((d) => d.severity === "error")].map((d) => d.message);
  expect(said, text).toEqual([]);
  return [...(buffers!["dst"] as Int32Array)];
}

const texts: Judgeable[] = [];
describe("programs written to be misread", () => {
  let expected: readonly (readonly number[])[] | undefined;
  for (const [i, program] of trickyPrograms.entries())
    for (const from of program.dialects ?? twoWayDialects)
      toolTest(missingPrograms(["clang-19"]), `${program.name}, from ${from}`, async () => {
        expected ??= computed();
        const source = sourceOf(program, from);
        texts.push(judgeable(from, `${program.name} in ${from}`, source));
        expect(await run(source, from), source).toEqual(expected[i]);
        for (const to of twoWayDialects) {
          const { code, diagnostics } = await translate(source, { from, to, workgroupSize: [1, 1, 1] });
          expect(
            diagnostics.filter((d) => d.severity === "error"),
            source,
          ).toEqual([]);
          if (to !== from) texts.push(judgeable(to, `${program.name}, ${from} to ${to}`, code!));
          expect(await run(code!, to), `${source}\n${code!}`).toEqual(expected[i]);
        }
      });

  for (const dialect of twoWayDialects)
    judgeTest(judges[dialect], `the ${dialect} compiler takes them all`, async () => {
      const mine = texts.filter((t) => t.dialect === dialect);
      expect(mine.length).toBeGreaterThan(30);
      expect(refusals(await judgeOutputs(mine))).toBe("");
    });
});
