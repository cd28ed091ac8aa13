/** Metal Shading Language text of a legal module. */
import { scalarNames, spaces, types } from "../../src/dialects/msl/types.js";
import { settledNumber } from "../../src/ast/legal.js";
import type { EntryPoint, FunctionDeclaration, Module, Resource, Variable, VarId } from "../shared/tree.js";
import { precedence } from "../../src/ast/operators.js";
import { idRow } from "../../src/ops/ids.js";
import {
  bitWidth,
  componentCount,
  scalarOf,
  type ScalarKind,
  type ScalarType,
  type Type,
} from "../../src/types/types.js";
import { postfix, primary, wrap } from "../shared/text.js";
import { literalText } from "../shared/literals.js";
import { printNamed, type Names } from "../shared/names.js";
import type { Printed } from "../shared/line-writer.js";
import { contractionLine, preamble } from "./preamble.js";
import { rulesOf } from "../shared/rules.js";
import { withLength } from "../shared/statements.js";
import { ModulePrinter } from "../shared/module-printer.js";
import type { Syntax, Text } from "../shared/syntax.js";

const literalStyle = {
  suffixes: { i32: "", u32: "u", i64: "l", u64: "ul", f32: "f", f16: "h", bf16: "bf" },
  binary: true,
  hexFloats: true,
  cast: (text: string, kind: ScalarKind) => `${scalarNames[kind]}(${text})`,
} as const;

const letters = "xyzw";

const atomicNames: Partial<Record<ScalarKind, string>> = {
  i32: "atomic_int",
  u32: "atomic_uint",
  f32: "atomic_float",
  bool: "atomic_bool",
  u64: "atomic_ulong",
};

function atomicName(type: Type): string | undefined {
  const kind = componentCount(type) === 1 ? scalarOf(type) : undefined;
  return kind && atomicNames[kind];
}

const syntax: Syntax = {
  contraction: contractionLine,
  dialect: "msl",
  nullPointer: "nullptr",
  rules: rulesOf("msl"),
  typeName: types.spelled,
  structName: (name) => name,
  spaceWord: (space) => spaces[space],
  literal: (l) => literalText(l, literalStyle),
  atomicType: atomicName,
  cast: (value, to, typeText) => {
    const text = wrap(value, precedence.assignment);
    // Packed vectors are made of plain ones of the same components.
    const plain =
      to.kind === "vector" && to.packed && value.type.kind === "vector" && value.type.scalar !== to.scalar
        ? `${scalarNames[to.scalar]}${to.size}(${text})`
        : text;
    return postfix(`${typeText}(${plain})`, to);
  },
  bitcast: (value, to, typeText) => postfix(`as_type<${typeText}>(${wrap(value, precedence.assignment)})`, to),
  construct: (type, typeText, args) =>
    postfix(`${typeText}(${args.map((a) => wrap(a, precedence.assignment)).join(", ")})`, type),
  splat: (type, typeText, value) => postfix(`${typeText}(${wrap(value, precedence.assignment)})`, type),
  aggregate: (type, typeText, args) =>
    type.kind === "struct"
      ? primary(`${typeText}{${args.map((a) => wrap(a, precedence.assignment)).join(", ")}}`, type)
      : undefined,
  placesMembers: true,
  braceInitializers: true,
  zeros: () => "{}",
  listsKeepValues: true,
  operatorCall: () => undefined,
  unaryCall: () => undefined,
  components: (indices) => indices.map((i) => letters[i]).join(""),
  references: true,
  // MSL has no `*=` of a matrix by a matrix.
  compoundAssign: (_operator, _target, right) => right.kind !== "matrix",
  unroll: (hint) =>
    hint === true ? "#pragma unroll" : hint === false ? "#pragma nounroll" : `#pragma unroll(${hint})`,
  infinity: (type: ScalarType, sign) => infinite(type, sign, "INFINITY"),
  nan: (type) =>
    bitWidth(type.scalar) === 16 ? postfix(`${scalarNames[type.scalar]}(NAN)`, type) : primary("NAN", type),
};

function infinite(type: ScalarType, sign: 1 | -1, word: string): Text {
  const signed = `${sign < 0 ? "-" : ""}${word}`;
  const text = bitWidth(type.scalar) === 16 ? `${scalarNames[type.scalar]}(${signed})` : signed;
  return { text, precedence: sign < 0 ? precedence.unary : precedence.primary, type };
}

class MslPrinter extends ModulePrinter {
  constructor(module: Module, names: Names) {
    super(module, syntax, names);
  }

  private atomic(id: VarId): boolean {
    return this.module.legal?.atomicVariables.has(id) ?? false;
  }

  /** Declarations of atomically used variables have atomic element types. */
  override declaredAs(v: Variable, name: string): string {
    if (!this.atomic(v.id)) return super.declaredAs(v, name);
    if (v.type.kind === "pointer") {
      const { base, suffix } = this.expressions.arrays(v.type.pointee);
      const declared = `*${v.constant ? "const " : ""}${name}`;
      return `${this.atomicWords(v)} ${this.atomicType(base)} ${suffix === "" ? declared : `(${declared})${suffix}`}`;
    }
    const { base, suffix } = this.expressions.arrays(v.type);
    return `${this.atomicWords(v)} ${this.atomicType(base)} ${name}${suffix}`;
  }

  private atomicWords(v: Variable): string {
    return [syntax.spaceWord(v.type.kind === "pointer" ? v.type.space : v.space), this.volatile(v)]
      .filter((w) => w !== "")
      .join(" ");
  }

  override parameter(v: Variable): string {
    if (!this.atomic(v.id)) return super.parameter(v);
    const type = v.type.kind === "pointer" ? v.type.pointee : v.type;
    const words = this.atomicWords(v);
    const name = this.names.variable(v.id);
    if (v.type.kind === "array" || v.type.kind === "pointer") {
      const { base, suffix } = this.expressions.arrays(v.type.kind === "array" ? v.type.element : type);
      return `${words} ${this.atomicType(base)} ${suffix === "" ? `*${name}` : `(*${name})${suffix}`}`;
    }
    return `${words} ${this.atomicType(type)} &${name}`;
  }

  private atomicType(type: Type): string {
    // A struct keeps its name: its members are declared atomic.
    return atomicName(type) ?? this.expressions.typeText(type);
  }

  print(): Printed {
    const { out, module } = this;
    this.header();
    for (const line of preamble(module)) out.line(line);
    return this.rest();
  }

  protected override structMember(struct: string, type: Type, name: string, member: string): string {
    const closed = withLength(type);
    if (!this.module.legal?.atomicMembers.has(`${struct}.${member}`)) return this.declarator([], closed, name);
    const { base, suffix } = this.expressions.arrays(closed);
    return `${this.atomicType(base)} ${name}${suffix}`;
  }

  protected override underlying({ type }: Module["enums"][number]): string {
    return type.scalar === "i32" ? "" : `: ${this.expressions.typeText(type)} `;
  }

  protected override globalWords(): readonly string[] {
    return ["constant"];
  }

  protected override fileResource(r: Resource): void {
    if (r.kind === "specialization") this.specialization(r);
  }

  private specialization(r: Resource): void {
    const v = this.variable(r.variable);
    const name = this.names.variable(v.id);
    const type = this.expressions.typeText(v.type);
    if (v.trivia) this.leading(v.trivia);
    const number = settledNumber(r.slot, r.path);
    if (!r.defaultValue) this.out.line(`constant ${type} ${name} [[function_constant(${number})]];`);
    else {
      const given = this.names.block(`${name}_given`);
      this.out.line(`constant ${type} ${given} [[function_constant(${number})]];`);
      const value = this.expressions.text(r.defaultValue, "initializer", precedence.conditional);
      this.out.line(`constant ${type} ${name} = is_function_constant_defined(${given}) ? ${given} : ${value};`);
    }
    if (v.trivia) this.trailing(v.trivia);
  }

  protected override entry(f: FunctionDeclaration, entry: EntryPoint): void {
    const { out, module } = this;
    this.leading(f.trivia);
    const resources = entry.resources.map((id) => this.resources.get(id)!).filter((r) => r.kind !== "specialization");
    const parameters = resources.map((r) => this.resource(r, entry));
    const spoken = this.spokenOf(resources.map((r) => r.variable));
    for (const b of module.legal?.builtinParameters.get(f.id) ?? []) {
      const v = this.variable(b.variable);
      parameters.push(
        `${this.declarator([], v.type, this.names.variable(v.id))} [[${idRow(b.builtin).msl!.attribute}]]`,
      );
    }
    out.mark(f.span, () => {
      if (entry.maxTotalThreads !== undefined)
        out.line(`[[max_total_threads_per_threadgroup(${entry.maxTotalThreads})]]`);
      else if (entry.workgroupSizeIds && entry.workgroupSizeHint)
        out.line(`// Written for workgroups of ${entry.workgroupSizeHint.join(" x ")}; the launch may have others.`);
      this.signature(`kernel void ${this.names.function(f.id)}`, parameters, " {", spoken);
      this.blockBody(f.body);
      out.line("}");
    });
    this.trailing(f.trivia);
  }

  /** A resource of several kernels may have another number in each. */
  private numbers?: ReadonlyMap<string, number>;

  private numberIn(entry: EntryPoint, r: Resource): number {
    const slots = this.module.legal?.slots ?? [];
    this.numbers ??= new Map(
      slots.flatMap((s) => (s.number === undefined ? [] : [[`${s.entry} ${s.variable}`, s.number] as const])),
    );
    return this.numbers.get(`${entry.name} ${r.variable}`) ?? settledNumber(r.slot, r.path);
  }

  private resource(r: Resource, entry: EntryPoint): string {
    const v = this.variable(r.variable);
    const name = this.names.variable(v.id);
    const number = this.numberIn(entry, r);
    const given = r.givenIf === undefined ? "" : `, function_constant(${this.names.variable(r.givenIf)})`;
    const bound = `[[buffer(${number})${given}]]`;
    switch (r.kind) {
      case "buffer": {
        const element = v.type.kind === "array" ? v.type.element : v.type;
        const { base, suffix } = this.expressions.arrays(element);
        const type = this.atomic(v.id) ? this.atomicType(base) : this.expressions.typeText(base);
        const space = v.space === "constant" ? "constant" : "device";
        const words = [
          r.coherent ? "coherent(device)" : "",
          space,
          r.access === "read" && space === "device" ? "const" : "",
          v.volatile ? "volatile" : "",
        ].filter((w) => w !== "");
        const star = v.type.kind === "array" ? (suffix === "" ? `*${name}` : `(*${name})${suffix}`) : `&${name}`;
        return `${words.join(" ")} ${type} ${star} ${bound}`;
      }
      case "value":
      case "derived":
        return v.type.kind === "array"
          ? `constant ${this.expressions.typeText(this.expressions.arrays(v.type).base)} (&${name})${this.expressions.arrays(v.type).suffix} ${bound}`
          : `constant ${this.expressions.typeText(v.type)} &${name} ${bound}`;
      case "workgroup-sized-at-launch": {
        const element = v.type.kind === "array" ? v.type.element : v.type;
        const { base, suffix } = this.expressions.arrays(element);
        const type = this.atomic(v.id) ? this.atomicType(base) : this.expressions.typeText(base);
        return `${["threadgroup", this.volatile(v)].filter((w) => w !== "").join(" ")} ${type} ${suffix === "" ? `*${name}` : `(*${name})${suffix}`} [[threadgroup(${number})${given}]]`;
      }
      case "specialization":
        throw new Error("a specialisation constant is no parameter");
    }
  }
}

export function printMsl(module: Module): Printed {
  return printNamed(module, { target: "msl", overloads: true }, (names) => new MslPrinter(module, names).print());
}
