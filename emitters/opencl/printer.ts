/** OpenCL C text of a legal module. */
import { isOwnText } from "../../src/ast/lookup.js";
import { scalarNames, spaces, types } from "../../src/dialects/opencl/types.js";
import type { EntryPoint, FunctionDeclaration, Module, Resource, Variable } from "../shared/tree.js";
import { precedence } from "../../src/ast/operators.js";
import {
  bitWidth,
  sameType,
  scalar,
  scalarOf,
  shaped,
  vector,
  type ScalarKind,
  type Type,
} from "../../src/types/types.js";
import { postfix, primary, wrap } from "../shared/text.js";
import { literalText } from "../shared/literals.js";
import type { Printed } from "../shared/line-writer.js";
import { ModulePrinter } from "../shared/module-printer.js";
import { printNamed, type Names } from "../shared/names.js";
import { contractionLine, preamble } from "./preamble.js";
import { rulesOf } from "../shared/rules.js";
import { withLength } from "../shared/statements.js";
import type { Syntax, Text } from "../shared/syntax.js";

const literalStyle = {
  suffixes: { i32: "", u32: "u", i64: "l", u64: "ul", f32: "f", f16: "h", f64: "" },
  binary: false,
  hexFloats: true,
  cast: (text: string, kind: ScalarKind) => `(${scalarNames[kind]})${text}`,
} as const;

/** OpenCL C has no vectors of bool: they are int vectors of 0 and -1. */
function stored(type: Type): Type {
  return type.kind === "vector" && type.scalar === "bool" ? vector("i32", type.size) : type;
}

/** What a mask is told from, by a number of its own type. */
function zeroOf(kind: ScalarKind): string {
  if (kind === "f32") return "0.0f";
  if (kind === "f64") return "0.0";
  return kind !== "bool" && bitWidth(kind) < 32 ? `(${scalarNames[kind]})0` : "0";
}

/** A mask of another width, brought to int. */
function maskAsInt(value: Text): Text {
  if (value.type.kind !== "vector" || value.type.scalar === "i32") return value;
  return postfix(
    `convert_int${value.type.size}(${wrap(value, precedence.assignment)})`,
    vector("i32", value.type.size),
  );
}

function cast(value: Text, to: Type, typeText: string): Text {
  if (to.kind === "vector" && to.scalar === "bool") {
    const type = vector("i32", to.size);
    if (value.mask) return { ...maskAsInt(value), mask: true };
    // Not zero, per component; the comparison gives a mask of the operand's width.
    // A scalar beside a vector may not outrank its components.
    const zero = value.type.kind === "vector" ? zeroOf(value.type.scalar) : "0";
    const compared: Text = {
      text: `${wrap(value, precedence.relational)} != ${zero}`,
      precedence: precedence.equality,
      mask: true,
      type:
        value.type.kind === "vector" ? shaped(`i${bitWidth(value.type.scalar)}` as ScalarKind, value.type.size) : type,
    };
    return { ...maskAsInt(compared), mask: true };
  }
  if (to.kind === "vector" && value.mask) {
    const ones: Text = {
      text: `${wrap(value, precedence.unary)} & 1`,
      precedence: precedence.bitAnd,
      type: value.type,
    };
    return sameType(value.type, to) ? ones : postfix(`convert_${typeText}(${ones.text})`, to);
  }
  if (to.kind === "vector") {
    if (value.type.kind === "scalar")
      return { text: `(${typeText})(${value.text})`, precedence: precedence.unary, type: to };
    return postfix(`convert_${typeText}(${wrap(value, precedence.assignment)})`, to);
  }
  if (to.kind === "scalar" && value.mask) {
    const test: Text = {
      text: `${wrap(value, precedence.relational)} != 0`,
      precedence: precedence.equality,
      type: scalar("bool"),
    };
    return to.scalar === "bool" ? test : cast(test, to, typeText);
  }
  return { text: `(${typeText})${wrap(value, precedence.unary)}`, precedence: precedence.unary, type: to };
}

const component = (i: number): string => "xyzw"[i] ?? `s${i.toString(16)}`;

const syntax: Syntax = {
  contraction: contractionLine,
  dialect: "opencl",
  nullPointer: "0",
  restrictWord: "restrict",
  rules: rulesOf("opencl"),
  typeName(type) {
    if (type.kind === "matrix") throw new Error("OpenCL C has no matrices; a pass should have lowered them");
    return types.spelled(type);
  },
  structName: (name, type) => `${type.union ? "union" : "struct"} ${name}`,
  spaceWord: (space) => spaces[space],
  literal: (l) => literalText(l, literalStyle),
  cast,
  bitcast: (value, to, typeText) => postfix(`as_${typeText}(${wrap(value, precedence.assignment)})`, to),
  // Made of bools, it is a mask: `toComponent` gives its components 0 and -1.
  construct: (type, typeText, args) => ({
    text: `(${typeText})(${args.map((a) => wrap(a, precedence.assignment)).join(", ")})`,
    precedence: precedence.unary,
    type: stored(type),
    ...(stored(type) === type ? {} : { mask: true }),
  }),
  splat: (type, typeText, value) => ({
    text: `(${typeText})(${wrap(value, precedence.assignment)})`,
    precedence: precedence.unary,
    type: stored(type),
    ...(stored(type) === type ? {} : { mask: true }),
  }),
  aggregate: (type, typeText, args) =>
    type.kind === "struct"
      ? postfix(`(${typeText}){${args.map((a) => wrap(a, precedence.assignment)).join(", ")}}`, type)
      : undefined,
  placesMembers: true,
  braceInitializers: true,
  zeros: () => "{0}",
  sizes: true,
  operatorCall: () => undefined,
  unaryCall: () => undefined,
  components: (indices, size) =>
    size > 4 ? `s${indices.map((i) => i.toString(16)).join("")}` : indices.map(component).join(""),
  references: false,
  compoundAssign: (_operator, target) => scalarOf(target) !== "bool",
  represent(text) {
    const type = stored(text.type);
    return type === text.type ? text : { ...text, type, mask: true };
  },
  toComponent: (text) => ({
    text: `-${wrap(text, precedence.unary)}`,
    precedence: precedence.unary,
    type: scalar("i32"),
    mask: true,
  }),
  represents: (text, type) =>
    text.mask === true &&
    type.kind === "vector" &&
    type.scalar === "bool" &&
    text.type.kind === "vector" &&
    text.type.scalar === "i32",
  unroll: (hint) => `__attribute__((opencl_unroll_hint${hint === true ? "" : `(${hint === false ? 1 : hint})`}))`,
  infinity(type, sign) {
    const text = type.scalar === "f32" ? "INFINITY" : `(${scalarNames[type.scalar]})INFINITY`;
    return {
      text: sign < 0 ? `-${text}` : text,
      precedence: sign < 0 || type.scalar !== "f32" ? precedence.unary : precedence.primary,
      type,
    };
  },
  nan: (type) =>
    type.scalar === "f32"
      ? primary("NAN", type)
      : { text: `(${scalarNames[type.scalar]})NAN`, precedence: precedence.unary, type },
};

class OpenclPrinter extends ModulePrinter {
  constructor(module: Module, names: Names) {
    super(module, syntax, names);
  }

  print(): Printed {
    const { out, module } = this;
    for (const line of preamble(module)) out.line(line);
    this.header();
    return this.rest();
  }

  protected override globalWords(v: Variable): readonly string[] {
    return v.space === "constant" || v.compileTime || v.constant ? ["__constant"] : [syntax.spaceWord(v.space)];
  }

  protected override structMember(_struct: string, type: Type, name: string): string {
    return this.declarator([], withLength(type), name);
  }

  protected override fileResource(): void {
    // All resources are kernel arguments.
  }

  protected override entry(f: FunctionDeclaration, entry: EntryPoint): void {
    const { out } = this;
    this.leading(f.trivia);
    const parameters = entry.resources.map((id) => this.resource(this.resources.get(id)!));
    const spoken = this.spokenOf(entry.resources);
    out.mark(f.span, () => {
      if (entry.workgroupSize) out.line(`__attribute__((reqd_work_group_size(${entry.workgroupSize.join(", ")})))`);
      else if (entry.workgroupSizeHint)
        out.line(`__attribute__((work_group_size_hint(${entry.workgroupSizeHint.join(", ")})))`);
      if (entry.subgroupSizes) out.line(`__attribute__((intel_reqd_sub_group_size(${entry.subgroupSizes.min})))`);
      // Of another language there are none.
      for (const attribute of entry.vendorAttributes ?? []) out.line(`__attribute__((${attribute}))`);
      this.signature(`__kernel void ${this.names.function(f.id)}`, parameters, " {", spoken);
      this.blockBody(f.body);
      out.line("}");
    });
    this.trailing(f.trivia);
  }

  private resource(r: Resource): string {
    const v = this.variable(r.variable);
    const name = this.names.variable(v.id);
    if (r.kind === "buffer" || r.kind === "workgroup-sized-at-launch") {
      const element = v.type.kind === "array" ? v.type.element : v.type;
      const { base, suffix } = this.expressions.arrays(element);
      const space = r.kind === "buffer" ? (v.space === "constant" ? "__constant" : "__global") : "__local";
      const words = [space, r.access === "read" && space === "__global" ? "const" : "", v.volatile ? "volatile" : ""];
      const qualifier = v.restrict ? "restrict " : "";
      return this.declaratorOf(words, base, suffix === "" ? `*${qualifier}${name}` : `(*${qualifier}${name})${suffix}`);
    }
    const constant = v.constant && isOwnText(this.module, "opencl") ? ["const"] : [];
    return this.declarator(constant, v.type, name);
  }

  private declaratorOf(words: readonly string[], base: Type, rest: string): string {
    return [...words.filter((w) => w !== ""), this.expressions.typeText(base), rest].join(" ");
  }
}

export function printOpencl(module: Module): Printed {
  return printNamed(module, { target: "opencl", overloads: false }, (names) =>
    new OpenclPrinter(module, names).print(),
  );
}
