/** What TypeScript knows of imports of kernels, by `crosslane/client`. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

function complaints(text: string): string[] {
  mkdirSync(join(root, ".cache"), { recursive: true });
  const folder = mkdtempSync(join(root, ".cache/client-"));
  try {
    const file = join(folder, "main.ts");
    writeFileSync(file, text);
    const program = ts.createProgram([join(root, "client.d.ts"), file], {
      strict: true,
      noUncheckedIndexedAccess: true,
      noEmit: true,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      lib: ["lib.es2023.d.ts"],
      types: [],
      skipLibCheck: true,
      paths: { crosslane: [join(root, "src/index.ts")] },
    });
    return ts
      .getPreEmitDiagnostics(program, program.getSourceFile(file))
      .map((d) => ts.flattenDiagnosticMessageText(d.messageText, " "));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test("kernels by name and together, texts, and their reflection", { timeout: 60_000 }, () => {
  expect(
    complaints(`
      import msl, { reflection } from "./sums.cl?msl";
      import all, { sums } from "./sums.cl?ts";
      const text: string = msl;
      const name: string | undefined = reflection.entries[0]?.name;
      sums({ gridSize: [8] }, { x: new Float32Array(8) });
      all.sums({ gridSize: [8] }, { x: new Float32Array(8) });
      export const shown = [text, name];
    `),
  ).toEqual([]);
  expect(
    complaints(`
      import msl, { reflected } from "./sums.cl?msl";
      export const n: number = msl;
      export { reflected };
    `),
  ).toEqual([expect.stringContaining("has no exported member"), "Type 'string' is not assignable to type 'number'."]);
});
