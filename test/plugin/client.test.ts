/** What TypeScript knows of imports of kernels: by `crosslane/client`, and by the declarations that the plug-in writes. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rollup } from "rollup";
import ts from "typescript";
import { expect, onTestFinished, test } from "vitest";
import { crosslane } from "../../src/plugin/rollup.js";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** A folder below the project's, so that packages are found from it. */
function inFolder<T>(use: (folder: string) => T): T {
  mkdirSync(join(root, ".cache"), { recursive: true });
  const folder = mkdtempSync(join(root, ".cache/client-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return use(folder);
}

function complaints(text: string, declarations = join(root, "client.d.ts")): string[] {
  return inFolder((folder) => {
    const file = join(folder, "main.ts");
    writeFileSync(file, text);
    const program = ts.createProgram([declarations, file], {
      strict: true,
      noUncheckedIndexedAccess: true,
      noEmit: true,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      lib: ["lib.es2023.d.ts"],
      types: [],
      skipLibCheck: true,
      paths: {
        crosslane: [join(root, "src/index.ts")],
        "crosslane/runtime": [join(root, "src/sim/runtime.ts")],
      },
    });
    return ts
      .getPreEmitDiagnostics(program, program.getSourceFile(file))
      .map((d) => ts.flattenDiagnosticMessageText(d.messageText, " "));
  });
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

test("kernels with their types, in a file that follows what is imported", { timeout: 60_000 }, async () => {
  const sum = (name: string): string => `kernel void ${name}(global const float *x, global int *out, int n) {
  out[get_global_id(0)] = (int)x[get_global_id(0)] + n;
}
`;
  await inFolder(async (folder) => {
    const put = (name: string, text: string): void => {
      mkdirSync(join(folder, name, ".."), { recursive: true });
      writeFileSync(join(folder, name), text);
    };
    const bundle = async (...imports: string[]): Promise<string> => {
      put("main.js", imports.map((id, i) => `import * as k${i} from "${id}"; console.log(k${i});`).join("\n"));
      const plugins = [crosslane({ root: folder, declarations: "types/kernels.d.ts" })];
      const made = await rollup({ input: join(folder, "main.js"), plugins, external: [/^crosslane/] });
      await made.close();
      return readFileSync(join(folder, "types/kernels.d.ts"), "utf8");
    };
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(root, join(folder, "node_modules/crosslane"));
    put("sums.cl", sum("sums"));
    put("b/more.cl", sum("more"));
    await bundle("./sums.cl?ts");
    const both = await bundle("./b/more.cl?ts");
    const file = join(folder, "types/kernels.d.ts");
    const [x, out] = ["x: new Float32Array(8)", "out: new Int32Array(8)"];
    // The first two are right, and the others each wrong in one way.
    const use = `
      import all, { sums } from "./sums.cl?ts";
      import { more } from "./more.cl?ts";
      import msl from "./sums.cl?msl";
      export const text: string = msl;
      sums({ gridSize: [8] }, { ${x}, ${out}, n: 3 });
      all.sums({ gridSize: [8] }, { ${x}, ${out}, n: 3 });
      more({ gridSize: [8] }, { ${x}, out: new Float32Array(8), n: 3 });
      sums({ gridSize: [8] }, { ${x}, ${out} });
    `;
    expect(complaints(use, file)).toEqual([
      expect.stringMatching(/Float32Array.*Int32Array/),
      expect.stringContaining("'n' is missing"),
    ]);
    // Nothing changed, nothing is written.
    rmSync(file);
    await bundle("./sums.cl?ts", "./b/more.cl?ts");
    expect(readFileSync(file, "utf8")).toBe(both);
    // Two files of one name cannot be told apart by it; a file that is gone takes its kernels along.
    put("a/sums.cl", sum("other"));
    expect(await bundle("./sums.cl?ts", "./a/sums.cl?ts")).toContain(`declare module "*/sums.cl?ts";`);
    const again = await bundle("./sums.cl?ts");
    expect(again.match(/^declare module.*/gm)).toEqual([
      `declare module "*/more.cl?ts" {`,
      `declare module "*/sums.cl?ts" {`,
    ]);
    for (const gone of ["a", "b"]) rmSync(join(folder, gone), { recursive: true });
    const last = await bundle("./sums.cl?ts");
    expect(last).toContain("export function sums(");
    expect(last).not.toMatch(/more|other/);
  });
});
