/** HLSL text (Shader Model 6, DXC) of a legal module. */
import { scalarNames, types } from "../../src/dialects/hlsl/types.js";
import { settledNumber } from "../../src/ast/legal.js";
import type {
  BuiltinId,
  EntryPoint,
  Expr,
  FunctionDeclaration,
  Module,
  Resource,
  SubgroupSizes,
  Variable,
  VarId,
} from "../shared/tree.js";
import type { ValueBlock } from "../../src/ast/legal.js";
import { precedence } from "../../src/ast/operators.js";
import { idRow } from "../../src/ops/ids.js";
import { componentCount, scalarOf, type ScalarKind, type Type } from "../../src/types/types.js";
import { postfix, primary, wrap } from "../shared/text.js";
import { literalText } from "../shared/literals.js";
import type { Printed } from "../shared/line-writer.js";
import { ModulePrinter } from "../shared/module-printer.js";
import { printNamed, type Names } from "../shared/names.js";
import { rulesOf } from "../shared/rules.js";
import type { Syntax } from "../shared/syntax.js";

const literalStyle = {
  suffixes: { i32: "", u32: "u", i64: "ll", u64: "ull", f32: "f", f64: "l", f16: "h" },
  binary: false,
  hexFloats: false,
  cast: (text: string, kind: ScalarKind) => `${scalarNames[kind]}(${text})`,
} as const;

const bitcasts: Partial<Record<ScalarKind, string>> = {
  f32: "asfloat",
  i32: "asint",
  u32: "asuint",
  f16: "asfloat16",
  i16: "asint16",
  u16: "asuint16",
};

const isNumber = (e: Expr): boolean => e.kind === "literal" || (e.kind === "unary" && isNumber(e.operand));

const syntax: Syntax = {
  dialect: "hlsl",
  nullPointer: "0",
  preciseWord: "precise",
  rules: rulesOf("hlsl"),
  typeName: types.spelled,
  structName: (name) => name,
  spaceWord: (space) => (space === "workgroup" ? "groupshared" : ""),
  literal: (l) => literalText(l, literalStyle),
  cast(value, to, typeText) {
    if (value.type.kind === "scalar" && to.kind === "vector")
      return { text: `(${typeText})${wrap(value, precedence.unary)}`, precedence: precedence.unary, type: to };
    return postfix(`${typeText}(${wrap(value, precedence.assignment)})`, to);
  },
  bitcast(value, to, typeText, operand) {
    const kind = scalarOf(to);
    if (componentCount(value.type) !== componentCount(to))
      throw new Error("a bit cast between component widths reached the HLSL printer");
    const given = wrap(value, precedence.assignment);
    // DXC is told of 16-bit types where a text names one, which a number does not.
    const shown = scalarOf(value.type) === "f16" && isNumber(operand) ? `${scalarNames.f16}(${given})` : given;
    return postfix(`${(kind && bitcasts[kind]) ?? typeText}(${shown})`, to);
  },
  construct: (type, typeText, args) =>
    postfix(`${typeText}(${args.map((a) => wrap(a, precedence.assignment)).join(", ")})`, type),
  splat: (type, typeText, value) => ({
    text: `(${typeText})${wrap(value, precedence.unary)}`,
    precedence: precedence.unary,
    type,
  }),
  aggregate: () => undefined,
  braceInitializers: true,
  // glslang takes none of arrays.
  zeros: (type, typeText) => (type.kind === "struct" ? `(${typeText})0` : undefined),
  operatorCall: (operator, left, right) =>
    operator === "mul" &&
    (left.kind === "matrix" || right.kind === "matrix") &&
    left.kind !== "scalar" &&
    right.kind !== "scalar"
      ? { name: "mul", swapped: true }
      : undefined,
  unaryCall: () => undefined,
  components: (indices) => indices.map((i) => "xyzw"[i]).join(""),
  references: true,
  // `*=` of HLSL is componentwise; the product of linear algebra is mul().
  compoundAssign: (operator, target, right) =>
    scalarOf(target) !== "bool" && !(operator === "mul" && right.kind === "matrix"),
  unroll: (hint) => (hint === true ? "[unroll]" : hint === false ? "[loop]" : `[unroll(${hint})]`),
  infinity: (type, sign) =>
    postfix(
      type.scalar === "f32"
        ? `asfloat(0x${sign > 0 ? "7f" : "ff"}800000u)`
        : `${scalarNames[type.scalar]}(asfloat(0x${sign > 0 ? "7f" : "ff"}800000u))`,
      type,
    ),
  nan: (type) =>
    type.scalar === "f32"
      ? postfix("asfloat(0x7fc00000u)", type)
      : primary(`${scalarNames[type.scalar]}(asfloat(0x7fc00000u))`, type),
};

function semanticOf(id: BuiltinId): string {
  const form = idRow(id).hlsl;
  if (form?.kind !== "semantic") throw new Error(`${id} is no parameter in HLSL`);
  return form.semantic;
}

const hasMatrix = (type: Type): boolean => type.kind === "matrix" || (type.kind === "array" && hasMatrix(type.element));

class HlslPrinter extends ModulePrinter {
  private readonly blockOf: ReadonlyMap<VarId, ValueBlock>;
  private readonly printedBlocks = new Set<ValueBlock>();

  constructor(module: Module, names: Names) {
    super(module, syntax, names);
    const blocks = module.legal?.valueBlocks ?? [];
    this.blockOf = new Map(blocks.flatMap((b) => b.members.map((m) => [m, b] as const)));
  }

  print(): Printed {
    this.header();
    return this.rest();
  }

  /** Memory layouts follow the canonical columns, which are rows here. */
  private stored(type: Type): readonly string[] {
    return hasMatrix(type) ? ["row_major"] : [];
  }

  protected override structMember(_struct: string, type: Type, name: string): string {
    return this.declarator(this.stored(type), type, name);
  }

  protected override globalWords(v: Variable): readonly string[] {
    if (v.space === "workgroup") return ["groupshared"];
    return v.constant || v.compileTime || v.space === "constant" ? ["static", "const"] : ["static"];
  }

  protected override enumeration(index: number): void {
    if (this.module.dialect === "hlsl") return super.enumeration(index);
    this.enumerationAsConstants(index, ["static", "const"]);
  }

  protected override fileResource(r: Resource): void {
    const v = this.variable(r.variable);
    const block = this.blockOf.get(r.variable);
    if (block) {
      if (!this.printedBlocks.has(block)) this.valueBlock(block);
      return;
    }
    if (v.trivia) this.leading(v.trivia);
    this.out.mark(v.span, () => this.resource(r, v));
    if (v.trivia) this.trailing(v.trivia);
  }

  private resource(r: Resource, v: Variable): void {
    const { out } = this;
    const name = this.names.variable(v.id);
    switch (r.kind) {
      case "buffer": {
        const number = settledNumber(r.slot, r.path);
        const element = v.type.kind === "array" ? v.type.element : v.type;
        const write = r.access !== "read";
        const type = this.expressions.typeText(element);
        const view =
          r.view === "raw"
            ? `${write ? "RW" : ""}ByteAddressBuffer`
            : r.view === "typed"
              ? `${write ? "RW" : ""}Buffer<${type}>`
              : `${write ? "RW" : ""}StructuredBuffer<${type}>`;
        const space = r.slot?.set ? `, space${r.slot.set}` : "";
        const coherent = r.coherent && write ? "globallycoherent " : "";
        return out.line(
          `${coherent}${view} ${name} : register(${r.slot?.register ?? (write ? "u" : "t")}${number}${space});`,
        );
      }
      case "specialization":
        throw new Error(`specialisation constant ${name} was not made an argument`);
      case "workgroup-sized-at-launch":
        return out.line(`${this.declarator(["groupshared"], v.type, name)};`);
      case "value":
      case "derived":
        throw new Error(`value ${name} stands in no block`);
    }
  }

  private valueBlock(b: ValueBlock): void {
    this.printedBlocks.add(b);
    const { out } = this;
    const first = this.variable(b.members[0]!);
    if (first.trivia?.blankBefore) out.blank();
    // What is said about the first member usually is about all that follows.
    first.trivia?.leading.forEach((c) => this.comment(c));
    const register = b.register ?? "b";
    const number = `${settledNumber(b, b.name)}${b.set ? `, space${b.set}` : ""}`;
    out.line(
      `${register === "t" ? "tbuffer" : "cbuffer"} ${this.names.block(b.name)} : register(${register}${number}) {`,
    );
    out.indent(() => {
      for (const id of b.members) {
        const v = this.variable(id);
        if (v !== first) v.trivia?.leading.forEach((c) => this.comment(c));
        out.line(`${this.declarator(this.stored(v.type), v.type, this.names.variable(id))};`);
        if (v.trivia) this.trailing(v.trivia);
      }
    });
    out.line("};");
  }

  protected override entry(f: FunctionDeclaration, entry: EntryPoint): void {
    const { out, module } = this;
    this.leading(f.trivia);
    const parameters = (module.legal?.builtinParameters.get(f.id) ?? []).map((b) => {
      const v = this.variable(b.variable);
      return `${this.declarator([], v.type, this.names.variable(v.id))} : ${semanticOf(b.builtin)}`;
    });
    out.mark(f.span, () => {
      out.line(`[numthreads(${(entry.workgroupSize ?? [1, 1, 1]).join(", ")})]`);
      if (entry.subgroupSizes) out.line(`[WaveSize(${waveSizes(entry.subgroupSizes).join(", ")})]`);
      this.signature(`void ${this.names.function(f.id)}`, parameters, " {");
      this.blockBody(f.body);
      out.line("}");
    });
    this.trailing(f.trivia);
  }

  override parameter(v: Variable): string {
    const name = this.names.variable(v.id);
    if (v.type.kind === "pointer") throw new Error("HLSL has no pointers; a pass should have lowered them");
    const own = this.module.dialect === "hlsl";
    const mode =
      v.mode === "ref" ? "inout" : v.mode === "out" || v.mode === "inout" ? v.mode : v.mode === "in" && own ? "in" : "";
    return this.declarator([v.constant ? "const" : "", mode, v.precise ? "precise" : ""], v.type, name);
  }
}

const waveSizes = ({ min, max, preferred }: SubgroupSizes): readonly number[] =>
  min === max ? [min] : preferred === undefined ? [min, max] : [min, max, preferred];

export function printHlsl(module: Module): Printed {
  return printNamed(module, { target: "hlsl", overloads: true }, (names) => new HlslPrinter(module, names).print());
}
