/** The TypeScript target: its text runs, is what a TypeScript compiler takes, and holds nothing a kernel could smuggle in. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { translate, verify } from "../../src/index.js";
import * as runtime from "../../src/sim/runtime.js";
import { readSource } from "../support/expectations.js";
import { sources } from "../support/translations.js";
import { writtenTexts } from "../support/written-texts.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
let folder = "";
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "crosslane-ts-"))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Everything a strict project may ask for (docs/bundlers.md), but for what is the kernel's own to say: that a case falls
 * through to the next.
 */
const strictest: ts.CompilerOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noPropertyAccessFromIndexSignature: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  allowUnreachableCode: false,
  allowUnusedLabels: false,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  erasableSyntaxOnly: true,
};

/** What the real compiler says of modules. */
function complaints(texts: ReadonlyMap<string, string>): string[] {
  const names = [...texts].map(([name, text]) => {
    const file = join(folder, `${name.replace(/\W+/g, "_")}.ts`);
    writeFileSync(file, text);
    return file;
  });
  const program = ts.createProgram(names, {
    ...strictest,
    noEmit: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ["lib.es2023.d.ts"],
    types: [],
    skipLibCheck: true,
    paths: { "crosslane/runtime": [join(root, "src/sim/runtime.ts")] },
  });
  return ts.getPreEmitDiagnostics(program).flatMap((d) => {
    const file = d.file?.fileName ?? "";
    return file.startsWith(folder)
      ? [`${file.slice(folder.length + 1)}: ${ts.flattenDiagnosticMessageText(d.messageText, " ")}`]
      : [];
  });
}

/** The functions of a module, compiled. */
function load(code: string): Record<string, (launch: object, args: object) => void> {
  const { outputText } = ts.transpileModule(code, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
  });
  const exports = {};
  (new Function("exports", "require", outputText) as (e: object, r: (name: string) => object) => void)(
    exports,
    (name) => {
      expect(name).toBe("crosslane/runtime");
      return runtime;
    },
  );
  return exports;
}

describe("typescript", () => {
  test("the compiler takes the text of every fixture under its strictest options", { timeout: 600_000 }, async () => {
    const texts = new Map<string, string>();
    for (const { fixture, dialect } of sources) {
      for (const { entry, code } of (await writtenTexts(fixture, dialect, "ts")).texts)
        if (code !== undefined) texts.set(`${fixture} ${dialect} ${entry}`, code);
    }
    expect(texts.size).toBeGreaterThan(250);
    expect(complaints(texts)).toEqual([]);
  });

  test("values that nothing uses are no variables, and parameters that nothing uses are named so", async () => {
    const source = `
      inline int take(global int *p, int n) { return atomic_add(p, 1); }
      int second(int unused, int n) { if (n > 3) return n; return 2 * n; }
      kernel void k(global int *a, global float *f, int n) {
        int i = get_global_id(2), wy = 3;
        int first = take(a, n), last;
        int old = atomic_xchg(a + 1, 7);
        int swapped = atomic_cmpxchg(a + 2, 0, 5);
        for (int j = 0, more = 0; j < 3; j++, more = take(a + 3, j)) last = take(a + 4, j);
        int loaded = atomic_load_explicit((global atomic_int *)a, memory_order_relaxed, memory_scope_device);
        f[i] += (float)wy + second(5, n);
      }`;
    const { code, diagnostics } = await translate(source, { from: "opencl", to: "ts" });
    expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
    expect(complaints(new Map([["unused", code!]]))).toEqual([]);
    expect(code).toContain("(_wx: number, _wy: number, wz: number)");
    expect(code).toContain("function second(_lane: number, _v_unused: number, v_n: number)");
    const a = new Int32Array(8);
    const f = new Float32Array(1);
    const run = load(code!);
    run["k"]!({ workgroups: [1], workgroupSize: [1] }, { a, f, n: 9 });
    expect([...a]).toEqual([1, 7, 5, 3, 3, 0, 0, 0]);
    expect([...f]).toEqual([3 + 9]);
  });

  test("the compiled text runs, with typed arrays written in place", async () => {
    const { code } = await translate(readSource("saxpy", "msl"), { from: "msl", to: "ts" });
    const exports = load(code!);
    const [x, y] = [new Float32Array(128).map((_, i) => i), new Float32Array(128).fill(1)];
    exports["saxpy"]!({ workgroups: [2], workgroupSize: [64] }, { a: 2, n: 100, x, y });
    expect(() => exports["saxpy"]!({ workgroups: [2], workgroupSize: [64] }, { a: 2, x, y })).toThrow("n");
    expect([...y]).toEqual(Array.from({ length: 128 }, (_, i) => (i < 100 ? 2 * i + 1 : 1)));
  });

  test("kernels have their names, but for those of JavaScript's own", async () => {
    // What is called so within a kernel, and words that mean something in places.
    const names = [
      "m",
      "lanes",
      "launch",
      "args",
      "run",
      "start",
      "next",
      "of",
      "from",
      "get",
      "string",
      "any",
      "type",
    ];
    const texts = new Map<string, string>();
    for (const name of [...names, "fround", "delete", "Math"]) {
      const source = `kernel void ${name}(global float *x) { size_t i = get_global_id(0); x[i] = x[i] / 3.0f; }`;
      const { code } = await translate(source, { from: "opencl", to: "ts" });
      texts.set(`named ${name}`, code!);
      const own = { fround: "fround_2", delete: "delete_2", Math: "Math_2" }[name] ?? name;
      expect(code).toContain(`export function ${own}(`);
      const x = new Float32Array([1, 6]);
      load(code!)[own]!({ workgroups: [2], workgroupSize: [1] }, { x });
      expect([...x]).toEqual([Math.fround(1 / 3), 2]);
    }
    expect(complaints(texts)).toEqual([]);
  });

  test("nothing of a kernel's text runs", async () => {
    const evil = "globalThis.escaped = true;";
    const source = [
      "#include <metal_stdlib>",
      "using namespace metal;",
      `// \u2028 ${evil} \u2029 ${evil} \r ${evil}`,
      "struct __proto__ { uint constructor; };",
      "kernel void eval(device uint *arguments [[buffer(0)]], uint i [[thread_position_in_grid]]) {",
      `  arguments[i] = 1u; /* */ arguments[i] += 1u; // \u2028${evil}`,
      `  uint runtime = 3u; uint m = 4u; uint lane = 5u; uint prototype = runtime + m + lane; /* \u2028 ${evil} */ arguments[i] += prototype;`,
      "}",
    ].join("\n");
    const result = await verify(source, { from: "msl", to: "ts" });
    expect(result.diagnostics).toEqual([]);
    expect(result.result).toBe("equivalent");
    expect(globalThis).not.toHaveProperty("escaped");
    const { code } = await translate(source, { from: "msl", to: "ts" });
    expect(code).not.toMatch(/[\u2028\u2029\r]/);
  });
});
