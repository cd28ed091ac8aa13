/**
 * Expressions and places of C-like targets. Printing is led by types: each piece of text carries the type the target gives
 * it, and a cast is written where that differs from the canonical type and the target would not convert by itself.
 */
import { isOwnText } from "../../src/ast/lookup.js";
import { precedence } from "../../src/ast/operators.js";
import type { LanguageFacts } from "../../src/dialects/language.js";
import { languageFacts, writingFacts } from "../../src/dialects/languages.js";
import { assertNever } from "../../src/support/assert-never.js";
import {
  type ArrayType,
  componentCount,
  i32,
  isFloat,
  type LengthPart,
  type PointerType,
  sameType,
  type ScalarKind,
  scalarOf,
  type Type,
} from "../../src/types/types.js";
import type { Names } from "./names.js";
import { nativeCallText } from "./native-calls.js";
import { bareNumber, enumeratorType, literalText, retyped, untyped, widens } from "./numbers.js";
import { openExpression } from "./open-numbers.js";
import { assignmentText, binaryText, conditionalText, grouped, logicalText, unaryText } from "./operators.js";
import { PlacePrinter } from "./places.js";
import { literalFits } from "./rules.js";
import type { Context, Syntax, Text } from "./syntax.js";
import { postfix, primary, wrap } from "./text.js";
import type { Argument, Expr, Module, Place, Variable, VarId } from "./tree.js";
import { isLongZero } from "./zeros.js";

const commaOf = (left: Text, right: Text): Text => ({
  text: `${left.text}, ${wrap(right, precedence.assignment)}`,
  precedence: precedence.comma,
  type: right.type,
  ...(right.open ? { open: right.open } : {}),
});

export class ExpressionPrinter {
  /** The printer writes the dialect the source was in: what the source left to its conversions stays left to them. */
  readonly own: boolean;
  readonly language: LanguageFacts;

  readonly places = new PlacePrinter(this);

  constructor(
    readonly module: Module,
    readonly syntax: Syntax,
    readonly names: Names,
    /** Constant macros that are printed as `#define`, with their types. */
    readonly macros: ReadonlyMap<string, Type>,
  ) {
    this.own = isOwnText(module, syntax.dialect);
    this.language = languageFacts[syntax.dialect];
  }

  variable(id: VarId): Variable {
    const v = this.module.variables.get(id);
    if (!v) throw new Error(`variable ${id} is not in the module`);
    return v;
  }

  /** The type of a pointer, as a cast may qualify it. */
  private pointerText(type: PointerType, cast: Pick<Expr & { kind: "bitcast" }, "volatile" | "atomic">): string {
    const { base, suffix } = this.arrays(type.pointee);
    const held = (cast.atomic && this.syntax.atomicType?.(base)) ?? this.typeText(base);
    const words = [
      this.syntax.spaceWord(type.space),
      saysConst(type) ? "const" : "",
      cast.volatile ? "volatile" : "",
      held,
    ];
    return `${words.filter((w) => w !== "").join(" ")} ${suffix === "" ? "*" : `(*)${suffix}`}`;
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
      case "pointer":
        return this.pointerText(type, {});
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
    return this.unused(e).text;
  }

  /** Without what only converts the value: `uint(f());` declares a function `f` in C++ (C++14 6.8). */
  unused(e: Expr): Text {
    if (e.kind === "comma") return commaOf(this.unused(e.left), this.unused(e.right));
    if (e.kind === "convert" || e.kind === "splat" || e.kind === "bitcast") return this.unused(e.operand);
    if (e.kind === "construct" && e.type.kind !== "struct" && e.arguments.length === 1)
      return this.unused(e.arguments[0]!);
    return e.kind === "call" ? this.call(e) : this.raw(e);
  }

  /** As it is written: of a function that returns a reference that is a place, whatever its type. */
  call(e: Extract<Expr, { kind: "call" }>): Text {
    // Which of several functions is meant is told by the types of the arguments, so these are written out.
    const context = this.names.overloaded(e.function) && !this.own ? "exact" : "argument";
    const args = e.arguments.map((a) => this.argument(a, context));
    return postfix(`${this.names.function(e.function)}(${args.join(", ")})`, e.type);
  }

  text(e: Expr, context: Context, least = 0): string {
    return wrap(this.value(e, context), least);
  }

  /** What the source left to its own rules; a pass's nodes have no place in it. */
  isOwn(e: Expr): boolean {
    return this.own && e.span.end > e.span.start;
  }

  /** Like `value`, but may leave an implicit conversion to the context, so that the type is not yet that of `e`. */
  free(e: Expr, context: Context): Text {
    const macro = e.macro && this.macros.get(e.macro.name);
    if (e.macro && macro) {
      const open = this.language.openLiterals ? openExpression(e) : undefined;
      return {
        ...primary(this.names.macro(e.macro.name), macro),
        literal: e.kind === "literal" && (!this.language.openLiterals || e.type.scalar === "i32"),
        ...(open ? { open } : {}),
      };
    }
    const bare = bareNumber(this, e, context);
    if (bare) return bare;
    if ((e.kind === "convert" || e.kind === "splat") && !e.explicit && context !== "exact") {
      // A number is written as one of its final type.
      const number = e.kind === "convert" && retyped(this, e.operand, e.type);
      if (number) return number;
      const inner = this.peeled(e);
      // A pointer is moved by a number of any type: what is converted there was not so by the source's rules.
      const into = e.relies === "offset" ? "offset" : context;
      const own = this.isOwn(e) && into !== "offset";
      if (this.changesMask(inner, e.type)) return this.raw(e);
      if (this.isMask(e.type) && !inner.mask) return this.raw(e);
      if (own || this.syntax.rules.implicit(inner.type, e.type, into, inner.literal ?? false))
        return { ...inner, type: own ? e.type : inner.type };
    }
    return this.raw(e);
  }

  /** The components of a mask are 0 and -1, and what it is converted to has 0 and 1. */
  changesMask(t: Text, type: Type): boolean {
    return t.mask === true && !this.own && scalarOf(type) !== "bool";
  }

  /** Under an implicit conversion: the operand exactly, or what is below a value-preserving second one. */
  peeled(e: Expr): Text {
    if (e.kind !== "convert" && e.kind !== "splat") return this.value(e, "exact");
    const inner = e.operand;
    const number = e.kind === "convert" && retyped(this, inner, e.type);
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
      if ((context === "index" || context === "offset") && t.size === "wide")
        return this.syntax.cast({ ...t, size: undefined }, type, this.typeText(type));
    }
    if (this.syntax.rules.implicit(t.type, type, context, t.literal ?? false)) return t;
    return this.syntax.cast(t, type, this.typeText(type));
  }

  place(p: Place): Text {
    return this.places.place(p);
  }

  /** The expression itself, of whatever type the target gives it. */
  raw(e: Expr): Text {
    return this.standsFor(this.places.represented(this.shown(e)), e.type);
  }

  /** Whatever makes it, a bool vector where there are none is a mask. */
  private standsFor(t: Text, canonical: Type): Text {
    return this.syntax.represents &&
      canonical.kind === "vector" &&
      canonical.scalar === "bool" &&
      scalarOf(t.type) !== "bool"
      ? { ...t, mask: true }
      : t;
  }

  private shown(e: Expr): Text {
    switch (e.kind) {
      case "literal":
        return literalText(this, e);
      case "enumerator":
        return primary(this.names.enumerator(e.enum, e.name), enumeratorType(this, e.enum, e.name, e.type));
      case "load":
        return this.place(e.place);
      case "raw-load":
      case "raw-store":
        return this.rawAccess(e);
      case "length":
        // GLSL 4.60 section 4.1.9: an int. Elsewhere it is an argument.
        return postfix(`${wrap(this.place(e.place), precedence.postfix)}.length()`, i32);
      case "unary":
        return unaryText(this, e);
      case "binary":
        return grouped(binaryText(this, e.operator, e.left, e.right, e.type, e.grouped !== undefined), e.grouped);
      case "logical":
        return logicalText(this, e);
      case "conditional":
        return conditionalText(this, e);
      case "convert": {
        if (e.operand.kind === "length" && sameType(e.type, i32)) return this.raw(e.operand);
        const loose = this.raw(e.operand);
        const operand = loose.size === "fits" ? loose : this.fit(loose, e.operand.type, "exact");
        const number = !e.explicit && retyped(this, e.operand, e.type);
        if (number) return number;
        return this.syntax.cast(operand, e.type, this.typeText(e.type));
      }
      case "splat": {
        if (e.type.kind !== "vector") throw new Error("splat to what is no vector");
        return this.syntax.splat(e.type, this.typeText(e.type), this.component(e.operand, e.type, "construct"));
      }
      case "bitcast":
        if (e.type.kind === "pointer")
          return {
            text: `(${this.pointerText(e.type, e)})${this.text(e.operand, "exact", precedence.unary)}`,
            precedence: precedence.unary,
            type: e.type,
          };
        if (e.operand.type.kind === "pointer")
          return {
            text: `(${this.typeText(e.type)})${this.text(e.operand, "exact", precedence.unary)}`,
            precedence: precedence.unary,
            type: e.type,
          };
        return this.syntax.bitcast(this.value(e.operand, "exact"), e.type, this.typeText(e.type), e.operand);
      case "construct":
        return this.construct(e.type, e.arguments, e.member);
      case "swizzle-value":
      case "element-value":
      case "member-value":
        return this.partOf(e);
      case "native-call":
        return nativeCallText(this, e);
      case "call": {
        const call = this.call(e);
        if (!this.places.returnsReference(e.function)) return call;
        return { text: `&${call.text}`, precedence: precedence.unary, type: e.type };
      }
      case "assign":
        return assignmentText(this, e);
      case "increment": {
        const token = e.delta === 1 ? "++" : "--";
        const place = this.place(e.place);
        return e.prefix
          ? { text: token + wrap(place, precedence.unary), precedence: precedence.unary, type: e.type }
          : postfix(wrap(place, precedence.postfix) + token, e.type);
      }
      case "comma":
        return commaOf(this.unused(e.left), this.value(e.right, "exact"));
      case "address-of":
        return this.places.addressOf(e.place, e.type, e.inRow);
      case "null-pointer":
        return postfix(this.syntax.nullPointer, e.type);
      case "pointer-offset":
        return this.places.pointerOffset(e);
      default:
        return assertNever(e);
    }
  }

  /** Words of a buffer by their address in bytes. */
  private rawAccess(e: Expr & { kind: "raw-load" | "raw-store" }): Text {
    const buffer = this.names.variable(e.buffer);
    const address = this.text(e.address, "index", precedence.assignment);
    const words = e.words > 1 ? e.words : "";
    if (e.kind === "raw-load") return postfix(`${buffer}.Load${words}(${address})`, e.type);
    return postfix(
      `${buffer}.Store${words}(${address}, ${this.text(e.value, "exact", precedence.assignment)})`,
      e.type,
    );
  }

  /** Part of a value that stands in no place. */
  private partOf(e: Expr & { kind: "swizzle-value" | "element-value" | "member-value" }): Text {
    let base = e.operand;
    if (e.kind === "member-value")
      while (base.kind === "member-value" && this.places.isAnonymous(base.operand.type, base.member))
        base = base.operand;
    const operand = this.value(base, "exact");
    switch (e.kind) {
      case "swizzle-value":
        return this.places.member(
          operand,
          this.syntax.components(e.components, componentCount(e.operand.type) ?? 4),
          e.type,
        );
      case "element-value":
        return this.places.marked(
          postfix(`${wrap(operand, precedence.postfix)}[${this.text(e.index, "index")}]`, e.type),
          operand,
        );
      case "member-value": {
        const struct = e.operand.type.kind === "struct" ? e.operand.type.name : "";
        return this.places.member(operand, this.names.member(struct, e.member), e.type);
      }
    }
  }

  /** Whether bools that become this are numbers first, which nothing in the target makes bools of. */
  private isMask(type: Type): boolean {
    return this.syntax.toComponent !== undefined && type.kind === "vector" && type.scalar === "bool";
  }

  /** What stands for a component, or for several, of a vector of this type. */
  private component(e: Expr, type: Type, context: Context): Text {
    return this.isMask(type) ? this.maskComponent(e) : this.value(e, context);
  }

  /** A bool as a component of what is a mask in the target; parts of masks are some already. */
  maskComponent(e: Expr): Text {
    const value = this.value(e, "exact");
    return value.type.kind === "scalar" && !value.mask ? (this.syntax.toComponent?.(value) ?? value) : value;
  }

  // ---------------------------------------------------------------- aggregates and calls

  /** In its own language a text stays as it is written. */
  get hasAnonymousMembers(): boolean {
    return this.own || writingFacts(this.syntax.dialect).anonymousMembers;
  }

  private construct(type: Type, args: readonly Expr[], member?: string): Text {
    const typeText = this.typeText(type);
    if (type.kind === "vector" || type.kind === "matrix")
      return this.syntax.construct(
        type,
        typeText,
        args.map((a) => this.component(a, type, "construct")),
      );
    const values = args.map((a) => this.designated(type, member, this.part(a)));
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
      const zeros = !this.own && isLongZero(e) ? this.syntax.zeros?.(e.type, this.typeText(e.type)) : undefined;
      if (zeros !== undefined) return primary(zeros, e.type);
      const list = e.arguments.map((a) => wrap(this.designated(e.type, e.member, this.part(a)), precedence.assignment));
      return primary(`{${list.join(", ")}}`, e.type);
    }
    if (e.kind === "construct" && (e.type.kind === "array" || e.type.kind === "struct") && !e.macro)
      return this.construct(e.type, e.arguments, e.member);
    return this.value(e, "initializer");
  }

  /** A member of a union that is not the first is named. */
  private designated(type: Type, member: string | undefined, value: Text): Text {
    if (member === undefined || type.kind !== "struct") return value;
    const text = `.${this.names.member(type.name, member)} = ${wrap(value, precedence.assignment)}`;
    return { ...value, text, precedence: precedence.assignment };
  }

  /** A part of a list. A scalar in the place of a vector could be its first component only. */
  private part(e: Expr): Text {
    return e.type.kind === "vector" ? this.value(e, "exact") : this.listed(e);
  }

  private listed(e: Expr): Text {
    const t = this.initializer(e);
    if (!this.syntax.listsKeepValues || e.type.kind !== "scalar" || t.type.kind !== "scalar") return t;
    const kept = t.literal
      ? t.type.scalar === e.type.scalar || holdsConstant(e.type.scalar, e)
      : widens(t.type.scalar, e.type.scalar);
    return kept ? t : this.value(e, "exact");
  }

  argument(a: Argument, context: Context = "argument"): string {
    if (a.mode === "value") {
      const number =
        context === "exact" &&
        a.value.kind === "convert" &&
        !a.value.explicit &&
        retyped(this, a.value.operand, a.value.type);
      const t = number || this.value(a.value, context);
      // DXC: a number without a type of its own is as good an int as a uint.
      const open = context === "exact" && this.language.openLiterals && (t.literal === true || untyped(a.value));
      return wrap(open ? this.syntax.cast(t, a.value.type, this.typeText(a.value.type)) : t, precedence.assignment);
    }
    const place = this.place(a.place);
    if (this.syntax.references || a.mode !== "ref" || a.place.type.kind === "array") return place.text;
    return this.places.addressText(a.place, place);
  }
}

/**
 * Nothing writes to constant memory, whatever is said of it: pointers into it that are said to be to const and others are one type, as the
 * tree gives one for the other.
 */
export const saysConst = ({ readOnly, space }: PointerType): boolean => readOnly === true && space !== "constant";

const constantKey = (c: Exclude<LengthPart, string>): string =>
  "macro" in c ? `#${c.macro}` : "variable" in c ? `${c.variable}` : `${c.enum}.${c.enumerator}`;

/** A constant narrows where its type does not hold the value (C++14 8.5.4); of sums of literals that is not asked. */
function holdsConstant(kind: ScalarKind, e: Expr): boolean {
  if (e.kind === "convert") return holdsConstant(kind, e.operand);
  if (e.kind === "literal")
    return typeof e.value === "boolean" || (isFloat(e.type.scalar) && isFloat(kind)) || literalFits(e.value, kind);
  if (e.kind !== "unary" || e.operand.kind !== "literal" || typeof e.operand.value === "boolean") return false;
  const { value } = e.operand;
  return e.operator === "negate" ? literalFits(-value, kind) : e.operator !== "complement";
}
