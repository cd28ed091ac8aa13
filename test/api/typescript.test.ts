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

/** What the real compiler says of modules, with the project's own strict settings. */
function complaints(texts: ReadonlyMap<string, string>): string[] {
  const names = [...texts].map(([name, text]) => {
    const file = join(folder, `${name.replace(/\W+/g, "_")}.ts`);
    writeFileSync(file, text);
    return file;
  });
  const program = ts.createProgram(names, {
    strict: true,
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

describe("typescript", () => {
  test("the compiler takes the text of every fixture", async () => {
    const texts = new Map<string, string>();
    for (const { fixture, dialect } of sources) {
      if (dialect !== "msl" && dialect !== "hlsl") continue;
      for (const { entry, code } of (await writtenTexts(fixture, dialect, "ts")).texts)
        if (code !== undefined) texts.set(`${fixture} ${dialect} ${entry}`, code);
    }
    expect(texts.size).toBeGreaterThan(80);
    expect(complaints(texts)).toEqual([]);
  });

  test("the compiled text runs, with typed arrays written in place", async () => {
    const { code } = await translate(readSource("saxpy", "msl"), { from: "msl", to: "ts" });
    const { outputText } = ts.transpileModule(code!, {
      compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
    });
    const exports: { saxpy?: (launch: object, args: object) => void } = {};
    (new Function("exports", "require", outputText) as (e: object, r: (name: string) => object) => void)(
      exports,
      (name) => {
        expect(name).toBe("crosslane/runtime");
        return runtime;
      },
    );
    const [x, y] = [new Float32Array(128).map((_, i) => i), new Float32Array(128).fill(1)];
    exports.saxpy!({ workgroups: [2], workgroupSize: [64] }, { a: 2, n: 100, x, y });
    expect(() => exports.saxpy!({ workgroups: [2], workgroupSize: [64] }, { a: 2, x, y })).toThrow("n");
    expect([...y]).toEqual(Array.from({ length: 128 }, (_, i) => (i < 100 ? 2 * i + 1 : 1)));
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
