/**
 * Expressions and places of C-like targets. Printing is led by types: each piece of text carries the type the target gives
 * it, and a cast is written where that differs from the canonical type and the target would not convert by itself.
 */
import { functionOf } from "../../src/ast/lookup.js";
import type { LanguageFacts } from "../../src/dialects/language.js";
import { languageFacts } from "../../src/dialects/languages.js";
import { takesBack } from "../../src/ops/coerce.js";
import type {
  Assign,
  Argument,
  BinaryOperator,
  Expr,
  FunctionId,
  Literal,
  Module,
  NativeCall,
  Place,
  VarId,
  Variable,
} from "./tree.js";
import { operatorToken, binaryPrecedence, precedence } from "../../src/ast/operators.js";
import { adapts } from "../../src/dialects/conversions.js";
import { isComparison, literalValue } from "../../src/ast/builders.js";
import { placeIsPure, walkModule } from "../../src/ast/walk.js";
import type { Operand } from "../../src/ast/target.js";
import { assertNever } from "../../src/support/assert-never.js";
import { hasRuntimeTail } from "../../src/types/layout.js";
import {
  bitWidth,
  componentCount,
  componentsOf,
  i32,
  isFloat,
  isInteger,
  sameType,
  scalarOf,
  type ArrayType,
  type LengthPart,
  type ScalarKind,
  type Type,
} from "../../src/types/types.js";
import type { Names } from "./names.js";
import { openBinary, openChoice, openExpression, openNumber, openUnary } from "./open-numbers.js";
import { literalFits } from "./rules.js";
import type { Context, Syntax, Text } from "./syntax.js";

export const primary = (text: string, type: Type): Text => ({ text, precedence: precedence.primary, type });
export const postfix = (text: string, type: Type): Text => ({ text, precedence: precedence.postfix, type });

export function wrap(t: Text, least: number): string {
  return t.precedence < least ? `(${t.text})` : t.text;
}

export class ExpressionPrinter {
  /** The printer writes the dialect the source was in: what the source left to its conversions stays left to them. */
  private readonly own: boolean;
  private readonly language: LanguageFacts;

  constructor(
    readonly module: Module,
    readonly syntax: Syntax,
    readonly names: Names,
    /** Constant macros that are printed as `#define`, with their types. */
    readonly macros: ReadonlyMap<string, Type>,
  ) {
    this.own = module.dialect === syntax.dialect;
    this.language = languageFacts[syntax.dialect];
  }

  private readonly qualifiers = new Map<VarId, string>();
  private readonly unwrapped = new Set<VarId>();

  /** The variable is a member of the block instance: `p.seed`. */
  qualify(id: VarId, instance: string): void {
    this.qualifiers.set(id, instance);
  }

  /** The variable is an element of an array of blocks: `data[2]`. */
  spell(id: VarId, text: string): void {
    this.spelled.set(id, text);
  }
  private readonly spelled = new Map<VarId, string>();

  /** Members of this variable are file-scope names themselves (a block without instance name). */
  unwrapBlock(id: VarId): void {
    this.unwrapped.add(id);
  }

  variable(id: VarId): Variable {
    const v = this.module.variables.get(id);
    if (!v) throw new Error(`variable ${id} is not in the module`);
    return v;
  }

  typeText(type: Type): string {
    switch (type.kind) {
      case "void":
        return "void";
      case "scalar":
      case "vector":
      case "matrix":
        return this.syntax.typeName(type);
      case "struct":
        return this.syntax.structName(this.names.struct(type.name), type);
      case "array": {
        const { base, suffix } = this.arrays(type);
        return this.typeText(base) + suffix;
      }
      case "pointer": {
        const words = [this.syntax.spaceWord(type.space), type.readOnly ? "const" : "", this.typeText(type.pointee)];
        return `${words.filter((w) => w !== "").join(" ")}*`;
      }
      default:
        return assertNever(type);
    }
  }

  /** The element type of nested arrays and the brackets after the name: the outermost dimension comes first. */
  arrays(type: Type): { readonly base: Type; readonly suffix: string } {
    let suffix = "";
    let base = type;
    for (; base.kind === "array"; base = base.element) suffix += `[${this.length(base)}]`;
    return { base, suffix };
  }

  private length(type: ArrayType): string {
    const parts = type.written?.map((part) => (typeof part === "string" ? part : this.declared.get(constantKey(part))));
    return parts?.every((p) => p !== undefined) ? parts.join("") : String(type.length ?? "");
  }

  /** Names of the constants declared so far, which lengths of arrays and labels may be written with. */
  private readonly declared = new Map<string, string>();

  declareConstant(constant: Exclude<LengthPart, string>): void {
    const name =
      "macro" in constant
        ? this.names.macro(constant.macro)
        : "variable" in constant
          ? this.names.variable(constant.variable)
          : this.names.enumerator(constant.enum, constant.enumerator);
    this.declared.set(constantKey(constant), name);
  }

  /** A case label, by the name of the constant the source has there. */
  label(e: Expr): string {
    const named = e.kind === "literal" && e.named !== undefined ? this.module.variables.get(e.named) : undefined;
    const name =
      named && sameType(named.type, e.type) ? this.declared.get(constantKey({ variable: named.id })) : undefined;
    return name ?? this.text(e, "initializer");
  }

  // ---------------------------------------------------------------- values

  /** The value of `e`, as a value of its canonical type or as what the context turns into it. */
  value(e: Expr, context: Context): Text {
    if (context !== "exact") return this.fit(this.free(e, context), e.type, context);
    // Operands are looked at more than once, to see which conversions the target does by itself.
    let known = this.exactTexts.get(e);
    if (!known) this.exactTexts.set(e, (known = this.fit(this.free(e, context), e.type, context)));
    return known;
  }

  private readonly exactTexts = new WeakMap<Expr, Text>();

  /** An expression whose value nobody takes. */
  discarded(e: Expr): string {
    return this.raw(e).text;
  }

  text(e: Expr, context: Context, least = 0): string {
    return wrap(this.value(e, context), least);
  }

  /** Like `value`, but may leave an implicit conversion to the context, so that the type is not yet that of `e`. */
  private free(e: Expr, context: Context): Text {
    const macro = e.macro && this.macros.get(e.macro.name);
    if (e.macro && macro) {
      const open = this.language.openLiterals ? openExpression(e) : undefined;
      return {
        ...primary(this.names.macro(e.macro.name), macro),
        literal: e.kind === "literal" && (!this.language.openLiterals || e.type.scalar === "i32"),
        ...(open ? { open } : {}),
      };
    }
    const bare = this.bareNumber(e, context);
    if (bare) return bare;
    if ((e.kind === "convert" || e.kind === "splat") && !e.explicit && context !== "exact") {
      // A number is written as one of its final type.
      const number = e.kind === "convert" && this.retyped(e.operand, e.type);
      if (number) return number;
      const inner = this.peeled(e);
      // What the source left to its own rules; a pass's nodes have no place in it.
      const own = this.own && e.span.end > e.span.start;
      if (this.changesMask(inner, e.type)) return this.represented(this.raw(e));
      if (own || this.syntax.rules.implicit(inner.type, e.type, context, inner.literal ?? false))
        return { ...inner, type: own ? e.type : inner.type };
    }
    return this.represented(this.raw(e));
  }

  /** The components of a mask are 0 and -1, and what it is converted to has 0 and 1. */
  private changesMask(t: Text, type: Type): boolean {
    return t.mask === true && !this.own && scalarOf(type) !== "bool";
  }

  /** `ushort mask = 1`: a small integer's number needs no cast where the target converts it. */
  private bareNumber(e: Expr, context: Context): Text | undefined {
    if (context !== "initializer" && context !== "assignment" && context !== "return" && context !== "construct")
      return undefined;
    const number = e.kind === "convert" && !e.explicit ? e.operand : e;
    if (
      number.kind !== "literal" ||
      number.macro ||
      e.type.kind !== "scalar" ||
      !isInteger(e.type.scalar) ||
      bitWidth(e.type.scalar) > 16
    )
      return undefined;
    if (typeof number.value === "boolean" || isFloat(number.type.scalar) || !literalFits(number.value, e.type.scalar))
      return undefined;
    const plain = this.literal({ ...number, type: { kind: "scalar", scalar: "i32" } });
    return this.syntax.rules.implicit(plain.type, e.type, context, true) ? { ...plain, type: e.type } : undefined;
  }

  /** Under an implicit conversion: the operand exactly, or what is below a value-preserving second one. */
  private peeled(e: Expr): Text {
    if (e.kind !== "convert" && e.kind !== "splat") return this.value(e, "exact");
    const inner = e.operand;
    const number = e.kind === "convert" && this.retyped(inner, e.type);
    if (number) return number;
    if (e.kind === "splat" && inner.kind === "convert" && !inner.explicit) {
      if (this.own) return this.peeled(inner);
      if (
        inner.operand.kind === "literal" &&
        inner.operand.type.kind === "scalar" &&
        literalFits(inner.operand.value, inner.type.kind === "scalar" ? inner.type.scalar : "f64")
      )
        return this.value(inner.operand, "exact");
    }
    return this.value(inner, "exact");
  }

  /** Makes `t` a value of `type`, by a cast where the context does not. */
  fit(t: Text, type: Type, context: Context): Text {
    if (sameType(t.type, type)) return t;
    if (this.syntax.represents?.(t, type)) return t;
    if (t.size) {
      if (this.own) return t;
      if (context === "index" && t.size === "wide")
        return this.syntax.cast({ ...t, size: undefined }, type, this.typeText(type));
    }
    if (this.syntax.rules.implicit(t.type, type, context, t.literal ?? false)) return t;
    return this.syntax.cast(t, type, this.typeText(type));
  }

  private raw(e: Expr): Text {
    switch (e.kind) {
      case "literal":
        return this.literal(e);
      case "enumerator":
        return primary(this.names.enumerator(e.enum, e.name), this.enumeratorType(e.enum, e.name, e.type));
      case "load":
        return this.place(e.place);
      case "raw-load":
        return postfix(
          `${this.names.variable(e.buffer)}.Load${e.words > 1 ? e.words : ""}(${this.text(e.address, "index", precedence.assignment)})`,
          e.type,
        );
      case "raw-store": {
        const parts = [
          this.text(e.address, "index", precedence.assignment),
          this.text(e.value, "exact", precedence.assignment),
        ];
        return postfix(
          `${this.names.variable(e.buffer)}.Store${e.words > 1 ? e.words : ""}(${parts.join(", ")})`,
          e.type,
        );
      }
      case "length":
        // GLSL 4.60 section 4.1.9: an int. Elsewhere it is an argument.
        return postfix(`${wrap(this.place(e.place), precedence.postfix)}.length()`, i32);
      case "unary": {
        const given = this.value(
          e.operand,
          e.operator === "not" && e.operand.type.kind === "scalar" ? "condition" : "exact",
        );
        const open = given.open && openUnary(e.operator, given.open);
        const operand = given.open && !open && e.operator !== "not" ? this.asInt(given) : given;
        const call = this.syntax.unaryCall(e.operator, e.operand.type);
        if (call) return postfix(`${call}(${operand.text})`, e.type);
        const token = { negate: "-", not: "!", complement: "~", plus: "+" }[e.operator];
        const inner = wrap(operand, precedence.unary);
        const gap = (token === "-" || token === "+") && inner.startsWith(token) ? " " : "";
        const t: Text = {
          text: `${token}${gap}${inner}`,
          precedence: precedence.unary,
          type: this.syntax.rules.unary(e.operator, operand.type),
        };
        return {
          ...t,
          ...(operand.literal && e.operator !== "not" ? { literal: true } : {}),
          ...(open ? { open } : {}),
          ...(operand.mask && !(e.operator === "not" && e.type.kind === "scalar") ? { mask: true } : {}),
        };
      }
      case "binary":
        return grouped(this.binary(e.operator, e.left, e.right, e.type, e.grouped !== undefined), e.grouped);
      case "logical": {
        const token = e.operator === "and" ? "&&" : "||";
        const level = binaryPrecedence[token]!;
        const left = this.value(e.left, "condition");
        const right = this.value(e.right, "condition");
        // `a || b && c` reads better, and compiles without a warning, with parentheses.
        const least = e.operator === "or" ? precedence.logicalAnd : level;
        const side = (t: Text, min: number): string =>
          t.precedence === precedence.logicalAnd &&
          e.operator === "or" &&
          (e.grouped === undefined || t.grouped !== false)
            ? `(${t.text})`
            : wrap(t, min);
        const text = `${side(left, e.operator === "or" ? level : least)} ${token} ${side(right, level + 1)}`;
        return grouped({ text, precedence: level, type: e.type }, e.grouped);
      }
      case "conditional": {
        const arm = (x: Expr): Text => (this.own ? this.value(x, "initializer") : this.value(x, "exact"));
        const whenTrue = arm(e.whenTrue);
        const whenFalse = arm(e.whenFalse);
        const text = `${this.text(e.condition, "condition", precedence.logicalOr)} ? ${wrap(whenTrue, precedence.logicalOr)} : ${wrap(whenFalse, precedence.conditional)}`;
        const adapting = whenTrue.literal && whenFalse.literal && this.language.openLiterals;
        const open = whenTrue.open && whenFalse.open && openChoice(whenTrue.open, whenFalse.open);
        return {
          text,
          precedence: precedence.conditional,
          type: e.type,
          ...(adapting ? { literal: true } : {}),
          ...(open ? { open } : {}),
        };
      }
      case "convert": {
        if (e.operand.kind === "length" && sameType(e.type, i32)) return this.raw(e.operand);
        const loose = this.raw(e.operand);
        const operand = loose.size === "fits" ? loose : this.fit(loose, e.operand.type, "exact");
        const retyped = !e.explicit && this.retyped(e.operand, e.type);
        if (retyped) return retyped;
        return this.syntax.cast(operand, e.type, this.typeText(e.type));
      }
      case "splat": {
        if (e.type.kind !== "vector") throw new Error("splat to what is no vector");
        return this.syntax.splat(
          e.type,
          this.typeText(e.type),
          this.component(this.value(e.operand, "construct"), e.type),
        );
      }
      case "bitcast":
        return this.syntax.bitcast(this.value(e.operand, "exact"), e.type, this.typeText(e.type));
      case "construct":
        return this.construct(e.type, e.arguments);
      case "swizzle-value": {
        const operand = this.value(e.operand, "exact");
        const size = componentCount(e.operand.type) ?? 4;
        return this.member(operand, this.syntax.components(e.components, size), e.type);
      }
      case "element-value": {
        const operand = this.value(e.operand, "exact");
        return this.marked(
          postfix(`${wrap(operand, precedence.postfix)}[${this.text(e.index, "index")}]`, e.type),
          operand,
        );
      }
      case "member-value": {
        const operand = this.value(e.operand, "exact");
        const struct = e.operand.type.kind === "struct" ? e.operand.type.name : "";
        return this.member(operand, this.names.member(struct, e.member), e.type);
      }
      case "native-call":
        return this.nativeCall(e);
      case "call": {
        // Which of several functions is meant is told by the types of the arguments, so these are written out.
        const context = this.names.overloaded(e.function) && !this.own ? "exact" : "argument";
        const args = e.arguments.map((a) => this.argument(a, context));
        return postfix(`${this.names.function(e.function)}(${args.join(", ")})`, e.type);
      }
      case "assign":
        return this.assignment(e);
      case "increment": {
        const token = e.delta === 1 ? "++" : "--";
        const place = this.place(e.place);
        return e.prefix
          ? { text: token + wrap(place, precedence.unary), precedence: precedence.unary, type: e.type }
          : postfix(wrap(place, precedence.postfix) + token, e.type);
      }
      case "comma": {
        const left = this.value(e.left, "assignment");
        const right = this.value(e.right, "exact");
        return {
          text: `${left.text}, ${wrap(right, precedence.assignment)}`,
          precedence: precedence.comma,
          type: right.type,
        };
      }
      case "address-of":
        return this.addressOf(e.place, e.type);
      case "null-pointer":
        return postfix(this.syntax.nullPointer, e.type);
      case "pointer-offset": {
        const pointer = this.value(e.pointer, "exact");
        if (e.offset.kind === "unary" && e.offset.operator === "negate")
          return {
            text: `${wrap(pointer, precedence.additive)} - ${this.text(e.offset.operand, "index", precedence.multiplicative)}`,
            precedence: precedence.additive,
            type: e.type,
          };
        return {
          text: `${wrap(pointer, precedence.additive)} + ${this.text(e.offset, "index", precedence.multiplicative)}`,
          precedence: precedence.additive,
          type: e.type,
        };
      }
      default:
        return assertNever(e);
    }
  }

  /** C has no underlying types: an enumerator that fits is an int (C99 6.7.2.2). */
  private enumeratorType(index: number, name: string, type: Type): Type {
    if (this.own || this.language.enumerators === "typed") return type;
    const value = this.module.enums[index]!.enumerators.find((x) => x.name === name)?.value;
    return value !== undefined && literalFits(value, "i32") ? i32 : type;
  }

  private literal(e: Literal): Text {
    const { value, type } = e;
    if (typeof value === "number" && isFloat(type.scalar)) {
      if (Number.isNaN(value)) return this.syntax.nan(type);
      if (!Number.isFinite(value)) return this.syntax.infinity(type, value > 0 ? 1 : -1);
    }
    const text = this.syntax.literal(e);
    if (!adapts(this.syntax.dialect, text.text, isFloat(type.scalar))) return text;
    const open =
      this.language.openLiterals && type.scalar === "i32" && typeof value !== "boolean" ? openNumber(value) : undefined;
    return { ...text, literal: true, ...(open ? { open } : {}) };
  }

  /** HLSL: a number of the type it has in the tree, in every version of the language. */
  private asInt(t: Text): Text {
    const { open: _open, literal: _literal, ...typed } = t;
    return this.syntax.cast(typed, i32, this.typeText(i32));
  }

  /** A number (perhaps negated) written as one of `type`, where that is what converting it gives. */
  private retyped(e: Expr, type: Type): Text | undefined {
    if (type.kind !== "scalar") return undefined;
    if (e.kind === "unary" && e.operator === "negate" && type.scalar[0] !== "u") {
      const inner = this.retyped(e.operand, type);
      return (
        inner && {
          ...inner,
          text: `-${inner.text.startsWith("-") ? " " : ""}${wrap(inner, precedence.unary)}`,
          precedence: precedence.unary,
        }
      );
    }
    if (e.kind !== "literal" || e.macro || typeof e.value === "boolean") return undefined;
    if (isFloat(e.type.scalar) && isFloat(type.scalar)) {
      const value = type.scalar === "f32" ? Math.fround(Number(e.value)) : Number(e.value);
      if (type.scalar === "f16" && !literalFits(value, "f16")) return undefined;
      const { text, ...rest } = e;
      return this.literal({
        ...rest,
        type,
        value,
        ...(text !== undefined && Math.fround(Number(text)) === value ? { text } : {}),
      });
    }
    if (isFloat(e.type.scalar)) return undefined;
    if (!literalFits(e.value, type.scalar)) return undefined;
    const { text, ...rest } = e;
    const keep = text !== undefined && !(isFloat(type.scalar) && /^0[xXbB0-7]/.test(text) && text.length > 1);
    return this.literal({ ...rest, type, ...(keep ? { text } : {}) });
  }

  // ---------------------------------------------------------------- operators

  /** An operand whose implicit conversion the operator may do. */
  private loose(e: Expr): Text {
    if (e.macro && this.macros.has(e.macro.name)) return this.free(e, "exact");
    if ((e.kind === "convert" || e.kind === "splat") && !e.explicit) {
      const inner = this.peeled(e);
      return this.changesMask(inner, e.type) ? this.value(e, "exact") : inner;
    }
    if (!this.syntax.sizes) return this.value(e, "exact");
    const t = this.raw(e);
    return t.size ? t : this.fit(t, e.type, "exact");
  }

  /** `written`: the operation is one of the source. */
  private binary(operator: BinaryOperator, left: Expr, right: Expr, type: Type, written: boolean): Text {
    if (operator === "sub" && left.type.kind === "pointer") {
      const [l, r] = [left, right].map((e) => wrap(this.value(e, "exact"), precedence.additive + 1));
      const difference: Text = {
        text: `${l} - ${r}`,
        precedence: precedence.additive,
        type: { kind: "scalar", scalar: "i64", size: true },
      };
      return this.own ? { ...difference, size: "fits" } : this.syntax.cast(difference, type, this.typeText(type));
    }
    const call = this.syntax.operatorCall(operator, left.type, right.type);
    if (call) {
      const args = [this.text(left, "exact", precedence.assignment), this.text(right, "exact", precedence.assignment)];
      return postfix(`${call.name}(${(call.swapped ? args.reverse() : args).join(", ")})`, type);
    }
    const { rules } = this.syntax;
    const shift = operator === "shl" || operator === "shr";
    const wanted = left.type;
    const operation = (l: Text, r: Text, result: Type): Text => this.operation(operator, l, r, result, written);
    const fits = (l: Text, r: Text): Text | undefined => {
      if (l.size || r.size) return this.sized(operator, l, r, written);
      const found = rules.arithmetic(operator, l, r);
      if (!found) return undefined;
      if (sameType(found.operand, wanted) || (shift && sameType(l.type, wanted))) return operation(l, r, found.result);
      if (left.type.kind === "matrix" || right.type.kind === "matrix") return operation(l, r, found.result);
      // Small integers are promoted by C and brought back by whoever takes the result.
      if (sameType(l.type, wanted) && sameType(r.type, wanted)) return operation(l, r, found.result);
      return undefined;
    };
    const exact = (e: Expr): Text => this.value(e, "exact");
    if (this.own) {
      // The source's own rules led to this tree: without its implicit conversions it means the same again.
      const l = this.loose(left);
      const r = this.loose(right);
      const found = rules.arithmetic(operator, l, r);
      const meant = found === undefined || shift || sameType(found.operand, wanted) || scalarOf(wanted) === undefined;
      const result = operation(l, r, found?.result ?? type);
      // What passes made may need its conversions, as anywhere else.
      if (l.size || r.size) return isComparison(operator) ? result : { ...result, size: "wide" };
      if (meant && (found !== undefined || scalarOf(l.type) === undefined || scalarOf(r.type) === undefined))
        return result;
    }
    const l = this.loose(left);
    const r = this.loose(right);
    return (
      fits(l, r) ??
      fits(exact(left), r) ??
      fits(l, exact(right)) ??
      operation(exact(left), exact(right), rules.arithmetic(operator, exact(left), exact(right))?.result ?? type)
    );
  }

  /** Arithmetic on `size_t` values that stand for 32-bit ones. */
  private sized(operator: BinaryOperator, l: Text, r: Text, written: boolean): Text | undefined {
    const u32Or = (t: Text): boolean =>
      t.size !== undefined || (t.type.kind === "scalar" && (t.type.scalar === "u32" || t.literal === true));
    if (!u32Or(l) || !u32Or(r)) return undefined;
    const found = this.syntax.rules.arithmetic(operator, l, r);
    if (!found) return undefined;
    if (operator === "add" || operator === "sub" || operator === "mul")
      return { ...this.operation(operator, l, r, found.result, written), size: "wide" };
    if (operator === "shl")
      return r.size ? undefined : { ...this.operation(operator, l, r, found.result, written), size: "wide" };
    if (l.size === "wide" || r.size === "wide") return undefined;
    const result = this.operation(operator, l, r, found.result, written);
    return found.result.kind === "scalar" && found.result.scalar === "bool" ? result : { ...result, size: "fits" };
  }

  /** Where the author did without parentheses, only the grammar's stand. */
  private operation(operator: BinaryOperator, given: Text, right: Text, type: Type, written: boolean): Text {
    const shift = operator === "shl" || operator === "shr";
    const open =
      given.open && right.open && !isComparison(operator) ? openBinary(operator, given.open, right.open) : undefined;
    // In 64 bits it would be another number; `1 << n` is of the sign of n.
    const closes =
      given.open && !isComparison(operator) && (right.open ? !open : shift && scalarOf(right.type) !== "i32");
    const left = closes && given.type.kind === "scalar" && given.type.scalar === "i32" ? this.asInt(given) : given;
    const token = operatorToken[operator];
    const level = binaryPrecedence[token]!;
    const side = (t: Text, last: boolean): string =>
      written && t.grouped === false ? wrap(t, last ? level + 1 : level) : this.side(t, level, operator, last);
    const text = `${side(left, false)} ${token} ${side(right, true)}`;
    const comparison = level === precedence.equality || level === precedence.relational;
    const mask = (comparison && type.kind === "vector" && scalarOf(type) !== "bool") || left.mask || right.mask;
    const adapting = left.literal && right.literal && !comparison && this.language.openLiterals;
    return {
      text,
      precedence: level,
      type,
      ...(mask ? { mask: true } : {}),
      ...(adapting ? { literal: true } : {}),
      ...(open ? { open } : {}),
    };
  }

  /** Parentheses where the grammar needs them, and where mixing operators misleads (shift in sum, sum in shift, bits, truth of truths). */
  private side(t: Text, level: number, operator: BinaryOperator, right: boolean): string {
    const least = right ? level + 1 : level;
    if (t.precedence < least) return `(${t.text})`;
    if (t.precedence >= precedence.unary) return t.text;
    // `a * b % c` and `a == b > c` take a second look.
    const product = operator === "rem" && t.precedence === level && !/^[^()]* % [^()]*$/.test(t.text);
    const truth =
      isComparison(operator) && (t.precedence === precedence.equality || t.precedence === precedence.relational);
    const shifts = (operator === "shl" || operator === "shr") && t.precedence === level;
    if (t.precedence === level && !product && !truth && !shifts) return t.text;
    const confusing =
      product ||
      truth ||
      operator === "shl" ||
      operator === "shr" ||
      ((operator === "and" || operator === "or" || operator === "xor") && t.precedence < precedence.multiplicative);
    return confusing ? `(${t.text})` : t.text;
  }

  private assignment(e: Assign): Text {
    const target = this.place(e.target);
    const left = wrap(target, precedence.unary);
    const assigned = (right: Text, token: string): Text => ({
      text: `${left} ${token} ${wrap(right, precedence.assignment)}`,
      precedence: precedence.assignment,
      type: e.type,
    });
    if (!e.operator) {
      const { value } = e;
      // `p += n` for pointers.
      if (
        value.kind === "pointer-offset" &&
        value.pointer.kind === "load" &&
        e.target.kind === "variable" &&
        value.pointer.place.kind === "variable" &&
        value.pointer.place.variable === e.target.variable
      ) {
        const back =
          value.offset.kind === "unary" && value.offset.operator === "negate" ? value.offset.operand : undefined;
        return assigned(this.value(back ?? value.offset, "index"), back ? "-=" : "+=");
      }
      const right = this.value(value, "assignment");
      return assigned(
        target.mask && value.type.kind === "scalar" && !right.mask && this.syntax.toComponent
          ? this.syntax.toComponent(right)
          : right,
        "=",
      );
    }
    const token = `${operatorToken[e.operator]}=`;
    if (this.own) return assigned(this.loose(e.value), token);
    const compute = e.compute ?? e.target.type;
    const shift = e.operator === "shl" || e.operator === "shr";
    const { rules } = this.syntax;
    for (const right of [this.loose(e.value), this.value(e.value, "exact")]) {
      const found = rules.arithmetic(e.operator, target, right);
      if (!found) continue;
      const computes = sameType(found.operand, compute) || (shift && sameType(target.type, compute));
      if (
        computes &&
        this.syntax.compoundAssign(e.operator, target.type, right.type) &&
        rules.implicit(found.result, e.target.type, "assignment", false)
      )
        return assigned(right, token);
    }
    if (!placeIsPure(e.target)) throw new Error("compound assignment to a place with side effects was not lowered");
    // Written out: the target's rules would compute in another type.
    const current: Expr = { kind: "load", place: e.target, type: e.target.type, span: e.span };
    const operand: Expr = sameType(compute, e.target.type)
      ? current
      : { kind: "convert", operand: current, type: compute, explicit: false, span: e.span };
    const result: Expr = {
      kind: "binary",
      operator: e.operator,
      left: operand,
      right: e.value,
      type: compute,
      span: e.span,
    };
    const back: Expr = sameType(compute, e.target.type)
      ? result
      : { kind: "convert", operand: result, type: e.target.type, explicit: true, span: e.span };
    return assigned(this.value(back, "assignment"), "=");
  }

  /** What stands for a component of a vector. */
  private component(value: Text, type: Type): Text {
    const { toComponent } = this.syntax;
    return toComponent &&
      type.kind === "vector" &&
      type.scalar === "bool" &&
      value.type.kind === "scalar" &&
      !value.mask
      ? toComponent(value)
      : value;
  }

  // ---------------------------------------------------------------- aggregates and calls

  private construct(type: Type, args: readonly Expr[]): Text {
    const typeText = this.typeText(type);
    if (type.kind === "vector" || type.kind === "matrix")
      return this.syntax.construct(
        type,
        typeText,
        args.map((a) => this.component(this.value(a, "construct"), type)),
      );
    const values = args.map((a) => this.listed(a));
    const made = this.syntax.aggregate(type, typeText, values);
    if (!made)
      throw new Error(
        `${typeText} has no value form in ${this.syntax.dialect}; a pass should have given it a variable`,
      );
    return made;
  }

  /** The right side of a declaration, where arrays and structs may be brace lists. */
  initializer(e: Expr): Text {
    if (
      e.kind === "construct" &&
      (e.type.kind === "array" || e.type.kind === "struct") &&
      this.syntax.braceInitializers
    ) {
      // A scalar in the place of a vector would be its first component only.
      const list = e.arguments.map((a) =>
        wrap(a.type.kind === "vector" ? this.value(a, "exact") : this.listed(a), precedence.assignment),
      );
      return primary(`{${list.join(", ")}}`, e.type);
    }
    if (e.kind === "construct" && (e.type.kind === "array" || e.type.kind === "struct") && !e.macro)
      return this.construct(e.type, e.arguments);
    return this.value(e, "initializer");
  }

  /** A part of a list. */
  private listed(e: Expr): Text {
    const t = this.initializer(e);
    return this.syntax.listsKeepValues &&
      !t.literal &&
      e.type.kind === "scalar" &&
      t.type.kind === "scalar" &&
      !widens(t.type.scalar, e.type.scalar)
      ? this.value(e, "exact")
      : t;
  }

  argument(a: Argument, context: Context = "argument"): string {
    if (a.mode === "value") {
      const number =
        context === "exact" &&
        a.value.kind === "convert" &&
        !a.value.explicit &&
        this.retyped(a.value.operand, a.value.type);
      const t = number || this.value(a.value, context);
      // DXC: a number without a type of its own is as good an int as a uint.
      const open = context === "exact" && this.language.openLiterals && (t.literal === true || untyped(a.value));
      return wrap(open ? this.syntax.cast(t, a.value.type, this.typeText(a.value.type)) : t, precedence.assignment);
    }
    const place = this.place(a.place);
    if (this.syntax.references || a.mode !== "ref" || a.place.type.kind === "array") return place.text;
    return this.addressText(a.place, place);
  }

  private addressText(place: Place, text: Text): string {
    if (place.kind === "variable" && this.isPointerReference(place.variable))
      return this.names.variable(place.variable);
    if (place.kind === "deref") return this.text(place.pointer, "exact");
    return `&${wrap(text, precedence.unary)}`;
  }

  /** `&place`, or the array itself for its first element. */
  private addressOf(place: Place, type: Type): Text {
    if (
      place.kind === "element" &&
      place.base.type.kind === "array" &&
      place.index.kind === "literal" &&
      Number(place.index.value) === 0
    ) {
      return { ...this.place(place.base), type };
    }
    // The end of an array is no element of it.
    if (
      place.kind === "element" &&
      place.base.type.kind === "array" &&
      place.index.kind === "literal" &&
      Number(place.index.value) === place.base.type.length
    )
      return {
        text: `${wrap(this.place(place.base), precedence.additive)} + ${this.text(place.index, "index", precedence.additive)}`,
        precedence: precedence.additive,
        type,
      };
    return { text: this.addressText(place, this.place(place)), precedence: precedence.unary, type };
  }

  private nativeCall(e: NativeCall): Text {
    const { spelling } = e;
    const operand = (o: Operand, least: number): string => {
      switch (o.kind) {
        case "text":
          return o.text;
        case "place": {
          const place = e.places[o.index]!;
          const text = this.place(place);
          return o.addressOf ? this.addressText(place, text) : wrap(text, least);
        }
        case "value": {
          const arg = e.arguments[o.index]!;
          if (openArguments && o.index === 0 && sameType(o.type, i32))
            return wrap(this.asInt(this.value(arg, "exact")), least);
          // Widened to the canonical type only: the operand has the target's own type already.
          if (arg.kind === "convert" && !sameType(o.type, arg.type) && takesBack(arg, o.type))
            return wrap(this.value(arg.operand, "argument"), least);
          if (this.own && sameType(o.type, arg.type) && !arg.macro) {
            const text = this.free(arg, "argument");
            // The source chose its function by the types of its arguments; in a pass's call a size_t would choose another.
            const chosen = !text.size || e.span.end > e.span.start;
            return wrap(
              chosen ? text : this.syntax.cast({ ...text, size: undefined }, o.type, this.typeText(o.type)),
              least,
            );
          }
          const bool = this.boolOperand(arg, o.type);
          if (bool) return wrap(bool, least);
          const text = this.value(arg, "exact");
          if (sameType(o.type, arg.type)) return wrap(text, least);
          if (arg.kind === "splat" && o.type.kind === "scalar" && sameType(arg.operand.type, o.type))
            return wrap(this.value(arg.operand, "exact"), least);
          if (this.syntax.rules.implicit(text.type, o.type, "argument", text.literal ?? false))
            return wrap(text, least);
          // A mask of another width stays a mask.
          if (text.mask && o.type.kind === "vector")
            return wrap(this.syntax.cast({ ...text, mask: false }, o.type, this.typeText(o.type)), least);
          return wrap(this.retyped(arg, o.type) ?? this.fit(text, o.type, "argument"), least);
        }
        default:
          return assertNever(o);
      }
    };
    // Of numbers without a type alone HLSL would compute in 64 bits.
    const openArguments =
      this.language.openLiterals &&
      e.places.length === 0 &&
      e.arguments.length > 0 &&
      e.arguments.every((a) => this.value(a, "exact").open !== undefined);
    const [object] = e.places;
    if (object?.kind === "raw-word" && spelling.kind === "call") {
      const rest = spelling.operands
        .filter((o) => o.kind !== "place" || o.index !== 0)
        .map((o) => operand(o, precedence.assignment));
      const address = this.text(object.address, "index", precedence.assignment);
      return postfix(
        `${this.names.variable(object.buffer)}.${spelling.name}(${[address, ...rest].join(", ")})`,
        spelling.result,
      );
    }
    const sized = spelling.result.kind === "scalar" && spelling.result.size ? { size: "fits" as const } : {};
    if (spelling.kind === "call") {
      const args = spelling.operands.map((o) => operand(o, precedence.assignment));
      return { ...this.standsFor(postfix(`${spelling.name}(${args.join(", ")})`, spelling.result), e.type), ...sized };
    }
    const { pieces } = spelling;
    const parts = pieces.map((piece, i) => {
      if (typeof piece === "string") return piece;
      const before = pieces[i - 1];
      const after = pieces[i + 1];
      const enclosed =
        typeof before === "string" && /[([,]\s*$/.test(before) && typeof after === "string" && /^[)\],]/.test(after);
      return operand(piece, enclosed ? precedence.assignment : Math.min(spelling.precedence + 1, precedence.postfix));
    });
    return this.standsFor({ text: parts.join(""), precedence: spelling.precedence, type: spelling.result }, e.type);
  }

  /** A bool for an operand that takes an integer: a mask of the operand's width, still 0 and -1, or a number. */
  private boolOperand(arg: Expr, type: Type): Text | undefined {
    if (scalarOf(arg.type) !== "bool" || scalarOf(type) === "bool" || arg.type.kind !== type.kind) return undefined;
    // Overloads by small integers take a bool for neither.
    if (type.kind === "scalar" && type.scalar !== "i32")
      return this.syntax.cast(this.value(arg, "exact"), type, this.typeText(type));
    const loose = this.raw(arg);
    const { mask, ...text } = loose.mask ? loose : this.value(arg, "exact");
    if (!mask) return undefined;
    return sameType(text.type, type) ? text : this.syntax.cast(text, type, this.typeText(type));
  }

  /** Marks results that stand for a bool vector as masks. */
  private standsFor(t: Text, canonical: Type): Text {
    return this.syntax.represents &&
      canonical.kind === "vector" &&
      canonical.scalar === "bool" &&
      scalarOf(t.type) !== "bool"
      ? { ...t, mask: true }
      : t;
  }

  // ---------------------------------------------------------------- places

  private indexed: ReadonlySet<VarId> | undefined;

  /** Pointers used like arrays: their first element is `p[0]`, too. */
  private indexedPointers(): ReadonlySet<VarId> {
    if (this.indexed) return this.indexed;
    const found = new Set<VarId>();
    walkModule(this.module, {
      place: (p) => {
        if (p.kind !== "deref" || p.pointer.kind !== "pointer-offset") return;
        const base = p.pointer.pointer;
        if (base.kind === "load" && base.place.kind === "variable") found.add(base.place.variable);
      },
    });
    return (this.indexed = found);
  }

  /** A struct that takes the rest of its buffer, where buffers are bound as pointers: there is no second one. */
  private isOnlyStruct(p: Place): p is Place & { kind: "element" } {
    return (
      p.kind === "element" &&
      !this.syntax.references &&
      literalValue(p.index) === 0 &&
      hasRuntimeTail(p.type, this.module.structs)
    );
  }

  returnsReference(id: FunctionId): boolean {
    return this.syntax.references && functionOf(this.module, id)?.returnsReference === true;
  }

  /** A `ref` parameter in a target without references. */
  private isPointerReference(id: VarId): boolean {
    const v = this.variable(id);
    return !this.syntax.references && v.mode === "ref" && v.type.kind !== "array";
  }

  place(p: Place): Text {
    switch (p.kind) {
      case "variable": {
        const spelled = this.spelled.get(p.variable);
        if (spelled) return this.represented(postfix(spelled, p.type));
        const instance = this.qualifiers.get(p.variable);
        if (instance) return this.represented(postfix(`${instance}.${this.names.variable(p.variable)}`, p.type));
        const name = this.names.variable(p.variable);
        if (this.isPointerReference(p.variable))
          return this.represented({ text: `*${name}`, precedence: precedence.unary, type: p.type });
        return this.represented(primary(name, p.type));
      }
      case "deref": {
        const pointer = p.pointer;
        if (pointer.kind === "call" && this.returnsReference(pointer.function))
          return this.represented(postfix(this.text(pointer, "exact"), p.type));
        if (pointer.kind === "pointer-offset") {
          const base = this.text(pointer.pointer, "exact", precedence.postfix);
          return this.represented(postfix(`${base}[${this.text(pointer.offset, "index")}]`, p.type));
        }
        if (
          pointer.kind === "load" &&
          pointer.place.kind === "variable" &&
          this.indexedPointers().has(pointer.place.variable)
        )
          return this.represented(postfix(`${this.text(pointer, "exact", precedence.postfix)}[0]`, p.type));
        return this.represented({
          text: `*${this.text(pointer, "exact", precedence.unary)}`,
          precedence: precedence.unary,
          type: p.type,
        });
      }
      case "element": {
        const base = this.place(p.base);
        const text = postfix(`${wrap(base, precedence.postfix)}[${this.text(p.index, "index")}]`, p.type);
        return this.represented(p.base.type.kind === "vector" ? this.marked(text, base) : text);
      }
      case "member": {
        const struct = p.base.type.kind === "struct" ? p.base.type.name : "";
        const name = this.names.member(struct, p.member);
        if (p.base.kind === "variable" && this.unwrapped.has(p.base.variable))
          return this.represented(primary(name, p.type));
        if (
          p.base.kind === "deref" &&
          p.base.pointer.kind !== "pointer-offset" &&
          !(p.base.pointer.kind === "call" && this.returnsReference(p.base.pointer.function))
        )
          return this.represented(
            postfix(`${this.text(p.base.pointer, "exact", precedence.postfix)}->${name}`, p.type),
          );
        if (this.isOnlyStruct(p.base))
          return this.represented(postfix(`${this.place(p.base.base).text}->${name}`, p.type));
        if (p.base.kind === "variable" && this.isPointerReference(p.base.variable))
          return this.represented(postfix(`${this.names.variable(p.base.variable)}->${name}`, p.type));
        return this.represented(this.member(this.place(p.base), name, p.type));
      }
      case "swizzle": {
        const size = componentCount(p.base.type) ?? 4;
        const base = this.place(p.base);
        return this.marked(
          this.represented(this.member(base, this.syntax.components(p.components, size), p.type)),
          base,
        );
      }
      case "raw-word":
        throw new Error("a word of a raw buffer is no place of its own");
      default:
        return assertNever(p);
    }
  }

  private member(base: Text, name: string, type: Type): Text {
    return this.marked(postfix(`${wrap(base, precedence.postfix)}.${name}`, type), base);
  }

  /** Parts of a mask are masks. */
  private marked(t: Text, base: Text): Text {
    if (!base.mask) return t;
    const size = componentsOf(t.type);
    const kind = scalarOf(base.type) ?? "i32";
    return {
      ...t,
      mask: true,
      type: size === 1 ? { kind: "scalar", scalar: kind } : { kind: "vector", scalar: kind, size: size as 2 | 3 | 4 },
    };
  }

  private represented(t: Text): Text {
    return this.syntax.represent ? this.syntax.represent(t) : t;
  }
}

const grouped = (t: Text, parentheses: boolean | undefined): Text =>
  parentheses === undefined ? t : { ...t, grouped: parentheses };

const constantKey = (c: Exclude<LengthPart, string>): string =>
  "macro" in c ? `#${c.macro}` : "variable" in c ? `${c.variable}` : `${c.enum}.${c.enumerator}`;

/** Whether every value of `from` is one of `to`. */
function widens(from: ScalarKind, to: ScalarKind): boolean {
  if (from === to || from === "bool") return true;
  if (isFloat(from) || isFloat(to)) return isFloat(from) && isFloat(to) && bitWidth(from) < bitWidth(to);
  const signed = (k: ScalarKind): boolean => k.startsWith("i");
  return bitWidth(from) < bitWidth(to) && (signed(to) || !signed(from));
}

/** Numbers of int and what is computed from nothing else, which HLSL gives the type of what they meet. */
function untyped(e: Expr): boolean {
  if (e.kind === "literal") return e.type.scalar === "i32";
  if (e.kind === "unary") return untyped(e.operand);
  if (e.kind === "conditional") return untyped(e.whenTrue) && untyped(e.whenFalse);
  return e.kind === "binary" && untyped(e.left) && untyped(e.right);
}
