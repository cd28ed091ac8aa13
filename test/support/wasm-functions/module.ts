/** The runtime's functions of numbers as one WebAssembly module: from their TypeScript, which the printed code runs. */
import ts from "typescript";
import { join } from "node:path";
import { Code, encodeModule, f64, type FunctionBody, type FunctionRef } from "../../../emitters/wasm/bytes.js";
import { roundDoubleToHalf } from "../../../emitters/wasm/operations.js";
import { machineOps } from "../../../src/ops/machine-ops.js";
import { heldAs } from "../../../emitters/wasm/shape.js";
import type { MachineScalar } from "../../../src/regions/tree.js";
import type { ScalarKind } from "../../../src/types/types.js";
import { repositoryRoot } from "../judges/judge.js";
import { bytesOfElement, FunctionCompiler, type ElementArray, type Given, type Held } from "./compiler.js";
import { listOf, Symbols, Unsupported, type FunctionNode } from "./symbols.js";

const sources = ["src/sim/scalar-functions.ts", "src/sim/operations.ts"];
const remainderSource = "test/support/wasm-functions/remainder.ts";

/** Results of those that `machineOps` does not list, whose operands are of the kind in their name. */
const furtherResults: Readonly<Record<string, MachineScalar | "T">> = {
  modf_fraction: "T",
  frexp_fraction: "T",
  frexp_exponent: "i32",
  remquo_bits: "i32",
  gamma_sign: "i32",
};

export interface Signature {
  readonly parameters: readonly ScalarKind[];
  readonly result: ScalarKind;
}

function signatureOf(name: string, count: number): Signature | undefined {
  const [kind = "", ...rest] = name.split("_");
  const op = rest.join("_");
  if (!/^([iu](8|16|32)|f(16|32|64)|bool)$/.test(kind)) return undefined;
  const of = (k: string): ScalarKind => (k === "T" ? kind : k) as ScalarKind;
  if (op.startsWith("mask_")) return { parameters: Array<ScalarKind>(count).fill("u32"), result: of("T") };
  // Of 64-bit integers there is nothing here: they are bigints.
  const known = machineOps.find((o) => o.name === op && o.on.some((k) => k === kind));
  if (known) return { parameters: known.operands.map(of), result: of(known.result) };
  const result = furtherResults[op];
  return result === undefined
    ? undefined
    : { parameters: Array<ScalarKind>(count).fill(kind as ScalarKind), result: of(result) };
}

const heldOf = (kind: ScalarKind): Held =>
  kind === "bool" ? "bool" : kind === "f64" ? "f64" : kind[0] === "f" ? "f32" : kind[0] === "u" ? "u32" : "s32";

interface Instance {
  readonly ref: FunctionRef;
  readonly results: readonly Held[];
}

/** 2^n for an integer n, as `powerOf` of src/sim/powers.ts: by its bits, where JavaScript has a table. */
function powerOfTwo(): FunctionBody {
  const code = new Code();
  code.get(0).f64(-300).op(0xa5).f64(300).op(0xa4, 0xfc, 6).i64(1023).op(0x7c).i64(52).op(0x86, 0xbf);
  return { type: { parameters: [f64], results: [f64] }, locals: [], code };
}

/** Functions that are written by hand: by bits, where JavaScript has a table or arithmetic on doubles. All operands are doubles. */
const written = (name: string | undefined): FunctionBody | undefined =>
  name === "powerOf" ? powerOfTwo() : name === "roundF16" ? roundDoubleToHalf() : undefined;

const nameOf = (node: FunctionNode): string | undefined =>
  ts.isFunctionDeclaration(node)
    ? node.name?.text
    : ts.isVariableDeclaration(node.parent)
      ? node.parent.name.getText()
      : undefined;

export class FunctionModule {
  private readonly symbols: Symbols;
  private readonly program: ts.Program;
  private readonly functions: FunctionBody[] = [];
  private readonly instances = new Map<string, Instance>();
  private readonly arrays = new Map<
    ts.Node,
    { readonly kind: ElementArray; readonly at: number; readonly end: number }
  >();
  private readonly data: number[] = [];
  private end = 0;

  constructor() {
    const roots = [...sources, remainderSource].map((f) => join(repositoryRoot, f));
    this.program = ts.createProgram(roots, {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      strict: true,
      types: [],
    });
    this.symbols = new Symbols(this.program.getTypeChecker());
  }

  private exportsOf(file: string): readonly ts.Symbol[] {
    const checker = this.program.getTypeChecker();
    const source = this.program.getSourceFile(join(repositoryRoot, file))!;
    return checker.getExportsOfModule(checker.getSymbolAtLocation(source)!);
  }

  /** All that can be compiled, and why the others are not. */
  build(): {
    readonly bytes: Uint8Array<ArrayBuffer>;
    readonly data: readonly number[];
    readonly signatures: ReadonlyMap<string, Signature>;
    readonly others: ReadonlyMap<string, string>;
  } {
    const exports: Record<string, number> = {};
    const signatures = new Map<string, Signature>();
    const others = new Map<string, string>();
    for (const symbol of sources.flatMap((f) => this.exportsOf(f))) {
      const found = this.symbols.ofSymbol(symbol);
      const { name } = symbol;
      if (found?.kind !== "function") continue;
      const signature = signatureOf(name, found.node.parameters.length);
      if (!signature) continue;
      const before = this.functions.length;
      const known = new Map(this.instances);
      try {
        exports[name] = this.wrapper(found.node, signature);
        signatures.set(name, signature);
      } catch (e) {
        if (!(e instanceof Unsupported)) throw e;
        others.set(name, e.message);
        this.functions.length = before;
        this.instances.clear();
        for (const [key, instance] of known) this.instances.set(key, instance);
      }
    }
    const bytes = encodeModule({ functionImports: [], globalImports: [], functions: this.functions, exports });
    return { bytes, data: this.data, signatures, others };
  }

  /** With values as kernels hold them. */
  private wrapper(node: FunctionNode, { parameters, result }: Signature): number {
    const given = node.parameters.map((_, i): Given => {
      const held = heldOf(parameters[i]!);
      return { held: held === "f32" ? "f64" : held };
    });
    const { ref, results } = this.function(node, given);
    const code = new Code();
    given.forEach((_, i) => {
      code.get(i);
      if (heldOf(parameters[i]!) === "f32") code.op(0xbb);
    });
    code.call(ref);
    const [from] = results;
    const to = heldOf(result);
    if (from !== to) {
      const double = from === "f64" || from === "f32";
      if (from === "f32") code.op(0xbb);
      if (to === "f32") {
        if (!double) code.op(0xb7);
        code.op(0xb6);
      } else if (to === "f64") {
        if (!double) code.op(0xb7);
      } else if (double) code.op(0xfc, to === "u32" ? 3 : 2);
    }
    const type = { parameters: parameters.map(heldAs), results: [heldAs(result)] };
    return this.functions.push({ type, locals: [], code }) - 1;
  }

  private readonly keys = new Map<ts.Node, number>();
  private keyOf(node: ts.Node): number {
    let key = this.keys.get(node);
    if (key === undefined) this.keys.set(node, (key = this.keys.size));
    return key;
  }

  /** A function for these arguments; those that are functions are compiled into it. */
  function(node: FunctionNode, given: readonly Given[]): Instance {
    const key = [
      this.keyOf(node),
      ...given.map((g) => (!("kind" in g) ? g.held : g.kind === "math" ? g.name : this.keyOf(g.node))),
    ].join();
    const found = this.instances.get(key);
    if (found) return found;
    const name = nameOf(node);
    const own = written(name);
    const compiler = own ? undefined : new FunctionCompiler(this, this.symbols, node, given);
    const body = own ?? compiler!.finish();
    const results: readonly Held[] = compiler?.results ?? [name === "powerOf" ? "f64" : "f32"];
    const instance = { ref: { from: "own" as const, index: this.functions.push(body) - 1 }, results };
    this.instances.set(key, instance);
    return instance;
  }

  /** Its operands are doubles, whatever is passed. */
  isWritten(node: FunctionNode): boolean {
    return written(nameOf(node)) !== undefined;
  }

  remainder(): FunctionRef {
    const [symbol] = this.exportsOf(remainderSource);
    const found = this.symbols.ofSymbol(symbol!);
    if (found?.kind !== "function") throw new Error("no remainder");
    return this.function(found.node, [{ held: "f64" }, { held: "f64" }]).ref;
  }

  /** Where an array of a module lies; views of one buffer lie at one place. */
  array(d: ts.VariableDeclaration): { readonly kind: ElementArray; readonly at: number } {
    const known = this.arrays.get(d);
    if (known) return known;
    const made = this.newArray(d);
    this.arrays.set(d, made);
    return made;
  }

  private newArray(d: ts.VariableDeclaration): {
    readonly kind: ElementArray;
    readonly at: number;
    readonly end: number;
  } {
    const text = d.initializer!.getText();
    const view = /^new (\w+Array)\((?:(\d+)|(\w+)\.buffer)\)$/.exec(text);
    if (view) {
      const kind = view[1] as ElementArray;
      if (view[2] !== undefined) return this.room(kind, Array<number>(Number(view[2])).fill(0));
      const of = (d.initializer as ts.NewExpression).arguments![0] as ts.PropertyAccessExpression;
      const base = this.symbols.meaningOf(of.expression);
      if (base?.kind !== "array") throw new Unsupported(d, "a view");
      const { at } = this.array(base.declaration);
      return { kind, at, end: at };
    }
    const parts = listOf(d);
    if (!parts) throw new Unsupported(d, "an array");
    const values = parts.map((e) => this.symbols.constantOf(e));
    if (!values.every((v) => typeof v === "number")) throw new Unsupported(d, "an array");
    return this.room("Float64Array", values);
  }

  private room(kind: ElementArray, values: readonly number[]) {
    const bytes = bytesOfElement(kind);
    const at = this.end;
    // Scratch is zero, tables are doubles.
    for (let i = 0; i < Math.ceil((values.length * bytes) / 8); i++) this.data.push(values[i] ?? 0);
    this.end = 8 * this.data.length;
    return { kind, at, end: this.end };
  }
}
