/** GLSL compute (Vulkan) text of a legal module with one entry. */
import { scalarNames, types } from "../../src/dialects/glsl/types.js";
import { settledNumber } from "../../src/ast/legal.js";
import type { EntryPoint, FunctionDeclaration, Module, Resource, Variable, VarId } from "../shared/tree.js";
import type { ValueBlock } from "../../src/ast/legal.js";
import { precedence } from "../../src/ast/operators.js";
import { hasRuntimeTail, type LayoutRule } from "../../src/types/layout.js";
import { bitWidth, componentCount, scalarOf, showType, type ScalarKind, type Type } from "../../src/types/types.js";
import { postfix, wrap } from "../shared/text.js";
import { literalText } from "../shared/literals.js";
import type { Printed } from "../shared/line-writer.js";
import { ModulePrinter } from "../shared/module-printer.js";
import { printNamed, type Names } from "../shared/names.js";
import { preamble } from "./preamble.js";
import { rulesOf } from "../shared/rules.js";
import type { Syntax } from "../shared/syntax.js";

const literalStyle = {
  suffixes: { i32: "", u32: "u", i64: "l", u64: "ul", f32: "", f64: "lf", f16: "hf" },
  binary: false,
  hexFloats: false,
  cutsHalves: true,
  cast: (text: string, kind: ScalarKind) => `${scalarNames[kind]}(${text})`,
} as const;

const vectorComparisons: Readonly<Record<string, string>> = {
  eq: "equal",
  ne: "notEqual",
  lt: "lessThan",
  le: "lessThanEqual",
  gt: "greaterThan",
  ge: "greaterThanEqual",
};

function bitcastName(from: ScalarKind, to: ScalarKind): string | undefined {
  const names: Record<string, string> = {
    "f32>u32": "floatBitsToUint",
    "f32>i32": "floatBitsToInt",
    "u32>f32": "uintBitsToFloat",
    "i32>f32": "intBitsToFloat",
    "f64>u64": "doubleBitsToUint64",
    "f64>i64": "doubleBitsToInt64",
    "u64>f64": "uint64BitsToDouble",
    "i64>f64": "int64BitsToDouble",
    "f16>u16": "float16BitsToUint16",
    "f16>i16": "float16BitsToInt16",
    "u16>f16": "uint16BitsToFloat16",
    "i16>f16": "int16BitsToFloat16",
  };
  return names[`${from}>${to}`];
}

/** Casts between component widths, which a pass has left as one of these. */
const packNames: Readonly<Record<string, string>> = {
  "u32x2 u64": "packUint2x32",
  "u64 u32x2": "unpackUint2x32",
  "f16x2 u32": "packFloat2x16",
  "u32 f16x2": "unpackFloat2x16",
  "u16x2 u32": "packUint2x16",
  "u32 u16x2": "unpackUint2x16",
};
const packName = (from: Type, to: Type): string | undefined => packNames[`${showType(from)} ${showType(to)}`];

const syntax: Syntax = {
  dialect: "glsl",
  narrowLengths: false,
  nullPointer: "0",
  preciseWord: "precise",
  rules: rulesOf("glsl"),
  typeName: types.spelled,
  structName: (name) => name,
  spaceWord: (space) => (space === "workgroup" ? "shared" : ""),
  literal: (l) => literalText(l, literalStyle),
  cast: (value, to, typeText) => postfix(`${typeText}(${wrap(value, precedence.assignment)})`, to),
  bitcast(value, to, typeText) {
    const from = scalarOf(value.type);
    const kind = scalarOf(to);
    const name = from && kind && (packName(value.type, to) ?? bitcastName(from, kind));
    if (!name && componentCount(value.type) !== componentCount(to))
      throw new Error("a bit cast between component widths reached the GLSL printer");
    return postfix(`${name ?? typeText}(${wrap(value, precedence.assignment)})`, to);
  },
  construct: (type, typeText, args) =>
    postfix(`${typeText}(${args.map((a) => wrap(a, precedence.assignment)).join(", ")})`, type),
  splat: (type, typeText, value) => postfix(`${typeText}(${wrap(value, precedence.assignment)})`, type),
  aggregate: (type, typeText, args) =>
    postfix(`${typeText}(${args.map((a) => wrap(a, precedence.assignment)).join(", ")})`, type),
  braceInitializers: false,
  operatorCall(operator, left, right) {
    const name = vectorComparisons[operator];
    return name && left.kind === "vector" && right.kind === "vector" ? { name } : undefined;
  },
  unaryCall: (operator, operand) => (operator === "not" && operand.kind === "vector" ? "not" : undefined),
  components: (indices) => indices.map((i) => "xyzw"[i]).join(""),
  references: false,
  compoundAssign: (operator, target) => scalarOf(target) !== "bool" && vectorComparisons[operator] === undefined,
  unroll: (hint) => (hint === false ? "[[dont_unroll]]" : "[[unroll]]"),
  infinity: (type, sign) =>
    postfix(
      type.scalar === "f32"
        ? `uintBitsToFloat(0x${sign > 0 ? "7f" : "ff"}800000u)`
        : `${scalarNames[type.scalar]}(uintBitsToFloat(0x${sign > 0 ? "7f" : "ff"}800000u))`,
      type,
    ),
  nan: (type) =>
    postfix(
      type.scalar === "f32"
        ? "uintBitsToFloat(0x7fc00000u)"
        : `${scalarNames[type.scalar]}(uintBitsToFloat(0x7fc00000u))`,
      type,
    ),
};

class GlslPrinter extends ModulePrinter {
  private readonly blockOf: ReadonlyMap<VarId, ValueBlock>;
  private readonly printedBlocks = new Set<ValueBlock>();
  private readonly printedStructs = new Set<string>();

  constructor(module: Module, names: Names) {
    super(module, syntax, names);
    const blocks = module.legal?.valueBlocks ?? [];
    this.blockOf = new Map(blocks.flatMap((b) => b.members.map((m) => [m, b] as const)));
    for (const b of blocks) {
      if (!b.instance) continue;
      const instance = this.names.block(b.instance);
      for (const m of b.members) this.expressions.places.qualify(m, instance);
    }
    for (const r of module.resources) {
      if (r.kind !== "buffer" || !r.block || module.dialect !== "glsl") continue;
      const { element } = r.block;
      if (element)
        this.expressions.places.spell(r.variable, `${this.names.block(r.block.instance!)}[${element.index}]`);
      else if (this.isBlockStruct(r)) {
        if (!r.block.instance) this.expressions.places.unwrapBlock(r.variable);
      } else if (r.block.instance) this.expressions.places.qualify(r.variable, this.names.block(r.block.instance));
    }
  }

  /** The buffer's struct is the block itself: it was in GLSL, or ends in an array that only a block can end in. */
  private isBlockStruct(r: Resource): boolean {
    const v = this.variable(r.variable);
    if (r.kind === "buffer" && hasRuntimeTail(v.type, this.module.structs)) return true;
    if (r.kind !== "buffer" || r.block === undefined || v.type.kind !== "struct" || this.module.dialect !== "glsl")
      return false;
    const span = this.module.structs.get(v.type.name)?.span;
    return span !== undefined && span.start <= v.span.start && v.span.end <= span.end;
  }

  protected override skipStruct(name: string): boolean {
    return this.module.resources.some((r) => {
      const type = this.variable(r.variable).type;
      return type.kind === "struct" && type.name === name && this.isBlockStruct(r);
    });
  }

  print(): Printed {
    const { out, module } = this;
    const lines = preamble(module);
    lines.forEach((l) => out.line(l));
    const entry = module.entries[0];
    const sizes = localSize(entry);
    if (module.header) this.header();
    else if (lines.length > 1) out.blank();
    this.executionModes();
    out.line(`layout(${sizes.join(", ")}) in;`);
    return this.rest();
  }

  /** SignedZeroInfNanPreserve (4461) of SPIR-V's float controls, and its capability (4466). */
  private executionModes(): void {
    const turnedOn = 'extensions = ["SPV_KHR_float_controls"], capabilities = [4466]';
    for (const kind of this.module.specialNumbers ?? [])
      this.out.line(`spirv_execution_mode(${turnedOn}, 4461, ${bitWidth(kind)});`);
  }

  protected override globalWords(v: Variable): readonly string[] {
    return v.space === "workgroup"
      ? ["shared"]
      : v.constant || v.compileTime || v.space === "constant"
        ? ["const"]
        : [];
  }

  protected override enumeration(index: number): void {
    this.enumerationAsConstants(index, ["const"]);
  }

  protected override fileResource(r: Resource): void {
    const v = this.variable(r.variable);
    const block = this.blockOf.get(r.variable);
    if (block) {
      if (!this.printedBlocks.has(block)) this.valueBlock(block);
      return;
    }
    // The first element prints the whole array.
    if (this.elementOf(r) && r.block!.element!.index > 0) return;
    if (v.trivia) this.leading(v.trivia);
    this.out.mark(v.span, () => this.resource(r, v));
    if (v.trivia) this.trailing(v.trivia);
  }

  private elementOf(r: Resource): boolean {
    return this.module.dialect === "glsl" && r.block?.element !== undefined;
  }

  private resource(r: Resource, v: Variable): void {
    const { out } = this;
    const name = this.names.variable(v.id);
    switch (r.kind) {
      case "buffer": {
        const number = settledNumber(r.slot, r.path);
        const uniform = r.block?.kind === "uniform";
        const qualifiers = [
          r.coherent ? "coherent" : "",
          v.volatile ? "volatile" : "",
          v.restrict ? "restrict" : "",
          uniform ? "" : r.access === "read" ? "readonly" : r.access === "write" ? "writeonly" : "",
          uniform ? "uniform" : "buffer",
        ].filter((q) => q !== "");
        const word = blockLayouts[r.layout ?? (uniform ? "std140" : "std430")];
        const layout = `layout(${word}, set = ${r.slot?.set ?? 0}, binding = ${number})`;
        const title = r.block ? this.names.block(r.block.name) : this.names.block(`${blockWord(name)}Buffer`, name);
        if (this.isBlockStruct(r) && v.type.kind === "struct") {
          const s = this.module.structs.get(v.type.name)!;
          const own = this.elementOf(r) ? `${this.names.block(r.block!.instance!)}[${r.block!.element!.count}]` : name;
          const instance = r.block?.instance || this.module.dialect !== "glsl" ? ` ${own}` : "";
          const first = !this.printedStructs.has(s.name);
          this.printedStructs.add(s.name);
          if (first) this.leading(s.trivia);
          out.line(`${layout} ${qualifiers.join(" ")} ${title} {`);
          out.indent(() => {
            for (const m of s.members) {
              if (first) this.leading(m.trivia);
              out.line(`${this.declarator([], m.type, this.names.member(s.name, m.name))};`);
              if (first) this.trailing(m.trivia);
            }
            if (first) s.innerComments.forEach((c) => this.comment(c));
          });
          out.line(`}${instance};`);
          if (first) this.trailing(s.trivia);
          return;
        }
        return out.line(
          `${layout} ${qualifiers.join(" ")} ${title} { ${this.declarator([], v.type, name)}; }${this.instanceSuffix(r)};`,
        );
      }
      case "specialization": {
        const value = r.defaultValue ? this.expressions.text(r.defaultValue, "initializer") : this.zero(v);
        return out.line(
          `layout(constant_id = ${settledNumber(r.slot, r.path)}) const ${this.declarator([], v.type, name)} = ${value};`,
        );
      }
      case "workgroup-sized-at-launch":
        return out.line(`${this.declarator(["shared"], v.type, name)};`);
      case "value":
      case "derived":
        throw new Error(`value ${name} stands in no block`);
    }
  }

  /** A block with one member keeps its instance name. */
  private instanceSuffix(r: Resource): string {
    if (!r.block?.instance || this.module.dialect !== "glsl") return "";
    return ` ${this.names.block(r.block.instance)}`;
  }

  private zero(v: Variable): string {
    const kind = scalarOf(v.type) ?? "u32";
    return kind === "bool"
      ? "false"
      : this.syntax.literal({ kind: "literal", type: { kind: "scalar", scalar: kind }, value: 0, span: v.span }).text;
  }

  private valueBlock(b: ValueBlock): void {
    this.printedBlocks.add(b);
    const { out } = this;
    const first = this.variable(b.members[0]!);
    if (first.trivia?.blankBefore) out.blank();
    // What is said about the first member usually is about all that follows.
    first.trivia?.leading.forEach((c) => this.comment(c));
    const layout =
      b.kind === "push-constant"
        ? `layout(push_constant${b.layout ? `, ${blockLayouts[b.layout]}` : ""})`
        : `layout(${blockLayouts[b.layout ?? "std140"]}, set = ${b.set ?? 0}, binding = ${settledNumber(b, b.name)})`;
    out.line(`${layout} uniform ${this.names.block(b.name)} {`);
    out.indent(() => {
      for (const id of b.members) {
        const v = this.variable(id);
        if (v !== first) v.trivia?.leading.forEach((c) => this.comment(c));
        out.line(`${this.declarator([], v.type, this.names.variable(id))};`);
        if (v.trivia) this.trailing(v.trivia);
      }
    });
    out.line(`}${b.instance ? ` ${this.names.block(b.instance)}` : ""};`);
  }

  protected override entry(f: FunctionDeclaration, _entry: EntryPoint): void {
    this.leading(f.trivia);
    this.out.mark(f.span, () => {
      this.out.line("void main() {");
      this.blockBody(f.body);
      this.out.line("}");
    });
    this.trailing(f.trivia);
  }
}

/** GL_EXT_scalar_block_layout packs like HLSL's structured buffers. */
const blockLayouts: Readonly<Partial<Record<LayoutRule, string>>> = {
  std430: "std430",
  std140: "std140",
  structured: "scalar",
};

export function printGlsl(module: Module): Printed {
  return printNamed(module, { target: "glsl", overloads: true }, (names) => new GlslPrinter(module, names).print());
}

/** `from_left` in the name of a block: `FromLeft`. */
function blockWord(name: string): string {
  return name.replace(/(^|_+)([A-Za-z0-9])/g, (_all, _gap: string, letter: string) => letter.toUpperCase());
}

/** The qualifiers of `in`: sizes, and numbers of those that are left to specialisation. */
function localSize(entry: EntryPoint | undefined): string[] {
  const ids = entry?.workgroupSizeIds;
  const size = entry?.workgroupSize ?? entry?.workgroupSizeHint ?? entry?.workgroupSizeStated ?? [1, 1, 1];
  const said = [0, 1, 2].map((i) => ids?.[i] !== undefined || (size[i] ?? 1) !== 1);
  return [0, 1, 2].slice(0, Math.max(1, said.lastIndexOf(true) + 1)).flatMap((i) => {
    const name = `local_size_${"xyz"[i]}`;
    return [
      ...(size[i] === undefined ? [] : [`${name} = ${size[i]}`]),
      ...(ids?.[i] === undefined ? [] : [`${name}_id = ${ids[i]}`]),
    ];
  });
}
