/** The `ts` target: printed modules run as they are, and TypeScript accepts them. */
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { translate } from "../../src/index.js";
import { printModule } from "../../emitters/typescript/module.js";
import { rows } from "../../src/ops/table.js";
import { buildProgram } from "../../src/regions/build.js";
import type { Program } from "../../src/regions/tree.js";
import * as runtime from "../../src/sim/runtime.js";
import { dialectsOf, fixtureNames } from "../support/expectations.js";
import { legalize } from "../../src/passes/index.js";
import { compiled, kernelsOf } from "../support/translations.js";

type Kernels = Record<string, (launch: runtime.Launch, args: Record<string, unknown>) => void>;

async function programOf(fixture: string, dialect: "opencl" | "glsl" | "msl" | "hlsl"): Promise<Program> {
  const { module } = await compiled(fixture, dialect);
  const { module: legal } = legalize(module!, "ts", { strict: false, entry: module!.entries[0]!.name });
  return buildProgram(legal!, legal!.entries[0]!, (op) => rows.get(op)?.expand);
}

function evaluate(text: string): Kernels {
  const body = text
    .replace(/^import \{([^}]*)\} from "crosslane\/runtime";$/m, "const {$1} = runtime;")
    .replace(/^export function (\w+)/gm, "exports.$1 = function $1");
  const exports: Kernels = {};
  new Function("runtime", "exports", body)(runtime, exports);
  return exports;
}

describe("printed modules", () => {
  test("a kernel is a function that writes its buffers in place", async () => {
    const { text } = printModule([await programOf("saxpy", "opencl")], { types: false });
    const y = Float32Array.of(1, 1, 1, 1);
    evaluate(text)["saxpy"]!(
      { workgroups: [1], workgroupSize: [4] },
      { a: 2, n: 3, x: Float32Array.of(1, 2, 3, 4), y },
    );
    expect([...y]).toEqual([3, 5, 7, 1]);
  });

  test("a kernel gives what it prints to whoever asks for it", async () => {
    const source = `__kernel void k(__global int *x) { int i = get_global_id(0); printf("%d, %+.1f\\n", i, x[i] * 0.5f); }`;
    const { code } = await translate(source, { from: "opencl", to: "ts", types: false });
    const texts: string[] = [];
    const print = (text: string): void => void texts.push(text);
    evaluate(code!)["k"]!({ workgroups: [2], workgroupSize: [1], print }, { x: Int32Array.of(3, -5) });
    expect(texts).toEqual(["0, +1.5\n1, -2.5\n"]);
  });

  test("TypeScript accepts every fixture's module", { timeout: 300_000 }, async () => {
    const files = new Map<string, string>();
    for (const fixture of fixtureNames()) {
      const dialect = dialectsOf(fixture).includes("msl") ? "msl" : dialectsOf(fixture)[0]!;
      if ((await kernelsOf(fixture, dialect)).length === 0) continue;
      files.set(
        join(process.cwd(), `${fixture}.generated.ts`),
        printModule([await programOf(fixture, dialect)], { types: true }).text,
      );
    }
    const options: ts.CompilerOptions = {
      strict: true,
      noEmit: true,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      skipLibCheck: true,
      types: [],
      lib: ["lib.es2023.d.ts"],
      paths: { "crosslane/runtime": [join(process.cwd(), "src/sim/runtime.ts")] },
    };
    const host = ts.createCompilerHost(options);
    const { getSourceFile, fileExists, readFile } = host;
    host.fileExists = (f) => files.has(f) || fileExists(f);
    host.readFile = (f) => files.get(f) ?? readFile(f);
    host.getSourceFile = (f, ...rest) => {
      const text = files.get(f);
      return text === undefined ? getSourceFile(f, ...rest) : ts.createSourceFile(f, text, ts.ScriptTarget.ES2022);
    };
    const program = ts.createProgram([...files.keys()], options, host);
    const problems = [...files.keys()].flatMap((f) => {
      const file = program.getSourceFile(f)!;
      return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
    });
    const shown = problems.map(
      (d) =>
        `${d.file?.fileName.split("/").at(-1)}:${ts.flattenDiagnosticMessageText(d.messageText, " ")}: ${d.file?.text.slice(d.start! - 40, d.start! + 80)}`,
    );
    expect(shown).toEqual([]);
  });
});
