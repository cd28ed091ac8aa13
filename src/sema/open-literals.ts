/**
 * HLSL's numbers without a suffix, before version 202x: `literal int` is 64 bits wide and `literal float` a double, and so
 * is what is computed from nothing else, until it meets a value of a type or is converted. (DXC; not in its documents.)
 * Literals of that kind are marked `open` in the tree while it is made. `settled` gives them a type: by writing the same
 * computation in it, where that gives the same, else by the value.
 */
import {
  complemented,
  hull,
  intervalOf,
  intervalOfKind,
  intervalOfOperator,
  isShiftCount,
  negated,
  within,
  type Interval,
} from "../ast/interval.js";
import {
  binary,
  comma,
  conditional,
  construct,
  convert,
  splat,
  swizzleValue,
  unary,
  isComparison,
} from "../ast/builders.js";
import type { BinaryOperator, Expr, Literal } from "../ast/nodes.js";
import { familyOf } from "../ast/op-ids.js";
import { isPure } from "../ast/walk.js";
import type { Span } from "../support/span.js";
import { combinedKind } from "../dialects/conversions.js";
import { row } from "../ops/table.js";
import { roundBigInt, roundFloat } from "../types/numeric.js";
import {
  bitWidth,
  isFloat,
  isSigned,
  scalar,
  scalarOf,
  shaped,
  showOpen,
  type ScalarKind,
  type Type,
} from "../types/types.js";
import { evaluate, literalForm, type Constant } from "./constants.js";
import { notYet, type Sema, shown } from "./context.js";
import { functionValue, vectorsOf, vectorValue } from "./literal-functions.js";

/** Whether the type of the expression is still open. */
export const isOpen = (e: Expr): boolean => e.open === true;

/** What messages name the type of: a value, an expression, a place. */
export interface Given {
  readonly type: Type;
  readonly open?: boolean;
  readonly expr?: Expr | undefined;
}

/** Of numbers without a type, what they are. */
export const showGiven = (s: Sema, { type, open, expr }: Given): string =>
  open === true || expr?.open === true ? showOpen(type) : shown(s, type);

/** What is computed from `parts` is open where they all are. */
export const openFrom = (e: Expr, ...parts: readonly Expr[]): Expr => (parts.every(isOpen) ? { ...e, open: true } : e);

/** What stands behind the commas of a value without a type. */
export const lastOfCommas = (e: Expr): Expr => (e.kind === "comma" && isOpen(e) ? lastOfCommas(e.right) : e);

/** What is made of open values, with what stands before their commas done first, from left to right: it has no part in it. */
export function behindCommas<T extends Expr | undefined>(
  parts: readonly Expr[],
  make: (parts: readonly Expr[]) => T,
): T | Expr {
  const before: (Expr & { kind: "comma" })[] = [];
  const values = parts.map((part) => {
    let value = part;
    for (; value.kind === "comma" && isOpen(value); value = value.right) before.push(value);
    return value;
  });
  const made = make(values);
  if (!made) return made;
  return before.reduceRight<Expr>((rest, { left, span }) => openFrom(comma(left, rest, span), rest), made);
}

/** Of an open value, constant: exact as DXC has it. */
function openValue(s: Sema, e: Expr): Constant | undefined {
  switch (e.kind) {
    case "unary": {
      const x = openValue(s, e.operand);
      return x === undefined ? undefined : evaluate(s, { ...e, operand: literalOf(x, e.operand) });
    }
    case "binary": {
      const [x, y] = [openValue(s, e.left), openValue(s, e.right)];
      return x === undefined || y === undefined
        ? undefined
        : evaluate(s, { ...e, left: literalOf(x, e.left), right: literalOf(y, e.right) });
    }
    case "conditional": {
      const c = evaluate(s, e.condition);
      return c === undefined ? undefined : openValue(s, c ? e.whenTrue : e.whenFalse);
    }
    case "convert": {
      const x = openValue(s, e.operand);
      return x === undefined ? undefined : evaluate(s, { ...e, operand: literalOf(x, e.operand) });
    }
    case "op": {
      if (e.type.kind !== "scalar") return undefined;
      const parts = e.arguments.map((a) => openComponents(s, a));
      if (parts.length === 0 || !parts.every((p) => p !== undefined)) return undefined;
      const made = vectorsOf(e.op, parts);
      if (made) return made[0];
      return parts.every((p) => p.length === 1) ? functionValue(e.op, parts.flat()) : vectorValue(e.op, parts);
    }
    case "swizzle-value":
      return e.type.kind === "scalar" ? openComponents(s, e)?.[0] : undefined;
    case "comma":
      return undefined;
    default:
      return e.type.kind === "scalar" ? evaluate(s, e) : undefined;
  }
}

/** The components of an open vector, or the one number there is, constant. */
function openComponents(s: Sema, e: Expr): readonly Constant[] | undefined {
  if (e.kind === "swizzle-value") {
    const values = openComponents(s, e.operand);
    return values && e.components.map((c) => values[c]!);
  }
  if (e.type.kind === "scalar") {
    const value = openValue(s, e);
    return value === undefined ? undefined : [value];
  }
  if (e.type.kind !== "vector" || !isOpen(e)) return undefined;
  const { size, scalar: kind } = e.type;
  /** Component by component, of parts that are vectors as long or one number for all. */
  const each = (parts: readonly Expr[], of: (x: readonly Constant[]) => Constant | undefined) => {
    const values = parts.map((p) => openComponents(s, p));
    if (!values.every((v) => v !== undefined)) return undefined;
    const made = Array.from({ length: size }, (_, i) => of(values.map((v) => v[v.length === 1 ? 0 : i]!)));
    return made.every((v) => v !== undefined) ? made : undefined;
  };
  const part = (value: Constant, like: Expr): Expr => literalOf(value, like, scalar(scalarOf(like.type)!));
  switch (e.kind) {
    case "splat":
      return each([e.operand], ([x]) => x);
    case "unary":
    case "convert":
      return each([e.operand], ([x]) => evaluate(s, { ...e, type: scalar(kind), operand: part(x!, e.operand) }));
    case "binary":
      return each([e.left, e.right], ([x, y]) =>
        evaluate(s, { ...e, type: scalar(kind), left: part(x!, e.left), right: part(y!, e.right) }),
      );
    case "op": {
      const parts = e.arguments.map((a) => openComponents(s, a));
      const made = parts.every((p) => p !== undefined) ? vectorsOf(e.op, parts) : undefined;
      // The functions below that make one number of vectors have no vector for their value.
      return made ?? each(e.arguments, (values) => functionValue(e.op, values));
    }
    default:
      return undefined;
  }
}

const literalOf = (value: Constant, like: Expr, type: Type = like.type): Expr => ({
  kind: "literal",
  type: type as Literal["type"],
  value: literalForm(value),
  span: like.span,
});

/** A constant as DXC converts it: integers wrap, floats beyond the range of an integer become the nearest one. */
function convertOpen(value: Constant, to: ScalarKind): Constant {
  if (to === "bool") return typeof value === "boolean" ? value : value != 0; // eslint-disable-line eqeqeq
  if (isFloat(to)) {
    if (typeof value === "bigint") return to === "f64" ? Number(value) : roundBigInt(to, value);
    // The literal is a double first: its digits are rounded twice.
    return roundFloat(to, Number(value));
  }
  const bits = bitWidth(to);
  if (typeof value !== "number")
    return isSigned(to) ? BigInt.asIntN(bits, BigInt(value)) : BigInt.asUintN(bits, BigInt(value));
  if (Number.isNaN(value)) return 0n;
  const low = isSigned(to) ? -(1n << BigInt(bits - 1)) : 0n;
  const high = (1n << BigInt(isSigned(to) ? bits - 1 : bits)) - 1n;
  if (!Number.isFinite(value)) return value > 0 ? high : low;
  const whole = BigInt(Math.trunc(value));
  return whole < low ? low : whole > high ? high : whole;
}

const same = (a: Constant | undefined, b: Constant): boolean =>
  typeof a === "number" ? Object.is(a, b) || (Number.isNaN(a) && Number.isNaN(b)) : a === b;

/** An open value as one of `type`, which has as many components or is to be filled with it. */
export function settled(s: Sema, e: Expr, type: Type, explicit = false): Expr {
  if (type.kind === "vector" && e.type.kind === "scalar")
    return splat(settled(s, e, scalar(type.scalar)), type, e.span, explicit);
  const kind = scalarOf(type);
  if (kind === undefined) return e;
  if (e.kind === "comma") {
    // DXC folds none there, and a device computes it in 32 bits or in 64.
    if (holdsFunction(e.right))
      notYet(s, "a function of numbers without a type behind a comma is", e.span, "give them a type: 1.0f, int(1)");
    return comma(e.left, settled(s, e.right, type, explicit), e.span);
  }
  if (e.kind === "splat")
    return splat(
      settled(s, e.operand, scalar(kind)),
      shaped(kind, e.type.kind === "vector" ? e.type.size : 1),
      e.span,
      e.explicit,
    );
  if (e.kind === "swizzle-value")
    return swizzleValue(
      settled(s, e.operand, e.operand.type.kind === "vector" ? shaped(kind, e.operand.type.size) : scalar(kind)),
      e.components,
      e.span,
    );
  if (e.type.kind !== "scalar") return opened(s, e, kind, explicit);
  // A number is true where it is not zero: that has no number of a type in the tree.
  const value = openValue(s, e);
  if (kind === "bool") {
    // Whether one that is chosen at run time is zero is asked of 64 bits.
    const number = value === undefined && !isFloat(e.type.scalar) && !rangeOf(s, e) ? closed(e) : settledAlone(s, e);
    // Where no float is as small or int as large, the truth itself.
    return value !== undefined && scalarOf(number.type)!.endsWith("64")
      ? literalOf(convertOpen(value, kind), e, type)
      : convert(number, type, explicit, e.span);
  }
  if (value === undefined) return unknown(s, isFloat(e.type.scalar) ? distributed(e) : e, kind, explicit);
  const wanted = convertOpen(value, kind);
  if (typeof value === "bigint") {
    const parts = partsOf(s, e);
    const number = e.kind === "literal" || (e.kind === "unary" && e.operand.kind === "literal");
    // As it is written, where that needs no more than an int.
    if (!number && kind !== "i32" && parts.every(fitsIn("i32")))
      return convert(settled(s, e, scalar("i32")), type, explicit, e.span);
    if (!isFloat(kind) && !parts.every(fitsIn(kind))) {
      const signed = signedOf(kind);
      const asSigned = !isFloat(kind) && signed !== kind && parts.every(fitsIn(signed));
      return asSigned
        ? convert(settled(s, e, scalar(signed)), type, explicit, e.span)
        : withMacro(e, literalOf(wanted, e, type));
    }
  }
  const plain = written(e, kind);
  return plain && same(evaluate(s, plain), wanted) ? retyped(plain, type) : withMacro(e, literalOf(wanted, e, type));
}

const signedOf = (kind: ScalarKind): ScalarKind => `i${bitWidth(kind)}` as ScalarKind;
const fitsIn =
  (kind: ScalarKind) =>
  (value: Constant | undefined): boolean =>
    typeof value === "bigint" && convertOpen(value, kind) === value;

/** The values of an integer computation and of all it is made of. */
function partsOf(s: Sema, e: Expr): readonly (Constant | undefined)[] {
  const parts: (Constant | undefined)[] = [];
  const visit = (x: Expr): void => {
    parts.push(openValue(s, x));
    if (x.kind === "unary" && x.operand.kind !== "literal") visit(x.operand);
    if (x.kind === "binary") {
      visit(x.left);
      visit(x.right);
    }
    if (x.kind === "conditional") {
      visit(x.whenTrue);
      visit(x.whenFalse);
    }
  };
  visit(e);
  return parts;
}

/** Vectors of what is computed from literals alone. */
function opened(s: Sema, e: Expr, kind: ScalarKind, explicit: boolean): Expr {
  const to = (x: Expr): Type => (x.type.kind === "vector" ? shaped(kind, x.type.size) : scalar(kind));
  switch (e.kind) {
    case "unary":
      return unary(e.operator, settled(s, e.operand, to(e.operand)), e.span);
    case "conditional":
      return conditional(e.condition, settled(s, e.whenTrue, to(e)), settled(s, e.whenFalse, to(e)), e.span);
    case "binary":
    case "op": {
      const values = openComponents(s, e)?.map((v) => convertOpen(v, kind));
      const type = to(e);
      if (!values || type.kind !== "vector") return convert(closed(e), type, explicit, e.span);
      const parts = values.map((v) => literalOf(v, e, scalar(kind)));
      return values.every((v) => same(v, values[0]!))
        ? splat(parts[0]!, type, e.span, true)
        : construct(type, parts, e.span);
    }
    default:
      return convert(closed(e), to(e), explicit, e.span);
  }
}

const withMacro = (from: Expr, to: Expr): Expr => (from.macro ? { ...to, macro: from.macro } : to);
const retyped = (e: Expr, type: Type): Expr => (e.kind === "literal" ? { ...e, type: type as Literal["type"] } : e);

/** The same text with its numbers of another kind, where they are numbers of that kind. */
function written(e: Expr, kind: ScalarKind): Expr | undefined {
  switch (e.kind) {
    case "literal": {
      if (typeof e.value === "boolean") return undefined;
      const float = isFloat(e.type.scalar);
      if (float && !isFloat(kind)) return undefined;
      const value = convertOpen(float ? Number(e.value) : BigInt(e.value), kind);
      const digits =
        e.text !== undefined && (isFloat(kind) === float || /^(0|[1-9][0-9]*)$/.test(e.text)) ? { text: e.text } : {};
      const exact = float || same(convertOpen(value, "i64"), BigInt(e.value));
      // Digits that say another value are no number of the kind.
      const { open: _open, text: _text, ...rest } = e;
      return { ...rest, type: scalar(kind), value: literalForm(value), ...(exact ? digits : {}) };
    }
    case "unary": {
      const x = written(e.operand, kind);
      // There is no negative zero among integers.
      return x && (!isFloat(kind) || isFloat(scalarOf(e.type)!) || !isZero(x))
        ? withMacro(e, unary(e.operator, x, e.span))
        : undefined;
    }
    case "binary": {
      if (
        isFloat(kind) !== isFloat(scalarOf(e.type)!) &&
        (e.operator === "div" ||
          e.operator === "shl" ||
          e.operator === "shr" ||
          e.operator === "and" ||
          e.operator === "or" ||
          e.operator === "xor" ||
          e.operator === "rem")
      )
        return undefined;
      const [x, y] = [written(e.left, kind), written(e.right, kind)];
      return x && y && withMacro(e, noted(e, binary(e.operator, x, y, e.span)));
    }
    case "conditional": {
      const [x, y] = [written(e.whenTrue, kind), written(e.whenFalse, kind)];
      return x && y && withMacro(e, conditional(e.condition, x, y, e.span));
    }
    case "convert":
      return written(e.operand, kind);
    case "op":
      return acrossLanes(e, kind);
    default:
      return undefined;
  }
}

const isZero = (e: Expr): boolean => e.kind === "literal" && Number(e.value) === 0;
const noted = (from: Expr, to: Expr): Expr =>
  from.kind === "binary" && from.grouped !== undefined && to.kind === "binary" ? { ...to, grouped: from.grouped } : to;

/** The expression with nothing open in it any more, in the types it is computed in. */
export function closed(e: Expr): Expr {
  if (!isOpen(e)) return e;
  const { open: _open, ...x } = e;
  switch (x.kind) {
    case "unary":
    case "convert":
    case "splat":
    case "swizzle-value":
      return { ...x, operand: closed(x.operand) };
    case "binary":
      return { ...x, left: closed(x.left), right: closed(x.right) };
    case "conditional":
      return { ...x, whenTrue: closed(x.whenTrue), whenFalse: closed(x.whenFalse) };
    case "comma":
      return { ...x, right: closed(x.right) };
    case "op":
      return { ...x, arguments: x.arguments.map(closed) };
    default:
      return x;
  }
}

/** An operation on a choice of floats and a number is a choice of floats. */
function distributed(e: Expr): Expr {
  if (!isFloat(scalarOf(e.type)!)) return e;
  if (e.kind === "unary") {
    const x = distributed(e.operand);
    return x.kind === "conditional"
      ? { ...x, whenTrue: { ...e, operand: x.whenTrue }, whenFalse: { ...e, operand: x.whenFalse } }
      : { ...e, operand: x };
  }
  if (e.kind === "convert") {
    const x = distributed(e.operand);
    return x.kind === "conditional"
      ? { ...x, type: e.type, whenTrue: { ...e, operand: x.whenTrue }, whenFalse: { ...e, operand: x.whenFalse } }
      : { ...e, operand: x };
  }
  if (e.kind !== "binary") return e;
  const [l, r] = [distributed(e.left), distributed(e.right)];
  if (l.kind === "conditional" && isNumber(r))
    return {
      ...l,
      type: e.type,
      whenTrue: { ...e, left: l.whenTrue, right: r },
      whenFalse: { ...e, left: l.whenFalse, right: r },
    };
  if (r.kind === "conditional" && isNumber(l))
    return {
      ...r,
      type: e.type,
      whenTrue: { ...e, left: l, right: r.whenTrue },
      whenFalse: { ...e, left: l, right: r.whenFalse },
    };
  return { ...e, left: l, right: r };
}

/** A number, or what is computed from numbers alone. */
export function isNumber(e: Expr): boolean {
  switch (e.kind) {
    case "literal":
      return true;
    case "unary":
    case "convert":
      return isNumber(e.operand);
    case "binary":
      return isNumber(e.left) && isNumber(e.right);
    default:
      return false;
  }
}

/** What is not constant: a choice, and what is computed from choices. */
function unknown(s: Sema, e: Expr, kind: ScalarKind, explicit: boolean): Expr {
  const type = scalar(kind);
  if (e.kind === "conditional")
    return withMacro(e, conditional(e.condition, settled(s, e.whenTrue, type), settled(s, e.whenFalse, type), e.span));
  if (e.kind === "op" && e.op === "select.componentwise") {
    // A choice like the one above, by a function.
    const { open: _open, ...choice } = e;
    return { ...choice, type, arguments: e.arguments.map((a) => (isOpen(a) ? settled(s, a, type) : a)) };
  }
  const narrowed = acrossLanes(e, kind);
  if (narrowed) return narrowed;
  const computed = holdsFunction(e) ? amongConstants(s, e, kind) : undefined;
  if (computed) return computed;
  const from = scalarOf(e.type)!;
  if (e.kind === "op" && familyOf(e.op) !== "subgroup")
    return (
      notYet(s, "this function of numbers without a type is", e.span, "give them a type: 1.0f, int(1)") ??
      convert(closed(e), type, explicit, e.span)
    );
  if (isFloat(from)) return kind === from ? closed(e) : convert(closed(e), type, explicit, e.span);
  // What divides by zero is left to the device.
  if (isNumber(e)) return convert(written(e, "i32") ?? closed(e), type, explicit, e.span);
  const narrow = rangeOf(s, e) && inInts(s, e);
  if (narrow) return kind === "i32" ? narrow : convert(narrow, type, explicit, e.span);
  if (e.kind !== "op" && isChosen(s, e)) {
    // DXC brings what becomes an int down to 32 bits, what it is computed from among it.
    const cut = kind === "i32" || kind === "u32" ? inInts(s, e) : undefined;
    if (cut) return kind === "i32" ? cut : convert(cut, type, explicit, e.span);
    if (kind === "i64" || kind === "u64") return kind === from ? closed(e) : convert(closed(e), type, explicit, e.span);
  }
  // For floats it computes in 32 bits or in 64 as it happens: where that makes a difference, it is not for us to say.
  if (e.kind !== "op")
    notYet(
      s,
      `arithmetic on numbers without a type that are chosen at run time, which becomes ${shown(s, type)}, is`,
      e.span,
      "give them a type: int(1), 1u, 1ll",
    );
  return kind === from ? closed(e) : convert(closed(e), type, explicit, e.span);
}

/** A value of 64 bits, and what comes of the same computation in 32. */
interface Widths {
  readonly wide: Constant;
  readonly narrow: Constant;
}
type Choice = Widths | { readonly condition: Expr; readonly whenTrue: Choice; readonly whenFalse: Choice };

const mostChoices = 16;
const narrowKind = (kind: ScalarKind): ScalarKind => (bitWidth(kind) === 64 ? (`${kind[0]!}32` as ScalarKind) : kind);

function operandsOf(e: Expr): readonly Expr[] {
  if (e.kind === "unary" || e.kind === "convert") return [e.operand];
  if (e.kind === "binary") return [e.left, e.right];
  return e.kind === "op" ? e.arguments : [];
}

const holdsFunction = (e: Expr): boolean =>
  (e.kind === "op" && familyOf(e.op) !== "subgroup") ||
  (e.kind === "conditional" && [e.whenTrue, e.whenFalse].some(holdsFunction)) ||
  operandsOf(e).some(holdsFunction);

/**
 * What is computed by functions from constants of which some are chosen at run time, as a choice among the results. DXC
 * computes it in 64 bits where it folds, and in 32 where a device does: undefined where that is not the same.
 */
function amongConstants(s: Sema, e: Expr, kind: ScalarKind): Expr | undefined {
  const choice = choiceOf(s, e);
  if (choice === undefined || countOf(choice) > mostChoices) return undefined;
  const made = (c: Choice): Expr | undefined => {
    if ("condition" in c) {
      const [x, y] = [made(c.whenTrue), made(c.whenFalse)];
      return x && y && conditional(c.condition, x, y, e.span);
    }
    const wanted = convertOpen(c.wide, kind);
    const sure = kind === "i64" || kind === "u64" || same(convertOpen(c.narrow, kind), wanted);
    return sure ? literalOf(wanted, e, scalar(kind)) : undefined;
  };
  return made(choice);
}

const countOf = (c: Choice): number => ("condition" in c ? countOf(c.whenTrue) + countOf(c.whenFalse) : 1);

function choiceOf(s: Sema, e: Expr): Choice | undefined {
  const type = scalarOf(e.type);
  if (type === undefined || e.type.kind !== "scalar") return undefined;
  const value = openValue(s, e);
  if (value !== undefined) return { wide: value, narrow: convertOpen(value, narrowKind(type)) };
  if (e.kind === "conditional") {
    const [x, y] = [choiceOf(s, e.whenTrue), choiceOf(s, e.whenFalse)];
    return x && y && isPure(e.condition) ? { condition: e.condition, whenTrue: x, whenFalse: y } : undefined;
  }
  const operands = operandsOf(e).map((x) => choiceOf(s, x));
  if (operands.length === 0 || !operands.every((x) => x !== undefined)) return undefined;
  if (operands.reduce((n, x) => n * countOf(x), 1) > mostChoices) return undefined;
  const each = (left: readonly Choice[], taken: readonly Widths[]): Choice | undefined => {
    const [first, ...rest] = left;
    if (first === undefined) {
      const [wide, narrow] = [
        computedOf(
          s,
          e,
          taken.map((t) => t.wide),
          (k) => k,
        ),
        computedOf(
          s,
          e,
          taken.map((t) => t.narrow),
          narrowKind,
        ),
      ];
      return wide === undefined || narrow === undefined ? undefined : { wide, narrow };
    }
    if (!("condition" in first)) return each(rest, [...taken, first]);
    const [x, y] = [each([first.whenTrue, ...rest], taken), each([first.whenFalse, ...rest], taken)];
    return x && y && { condition: first.condition, whenTrue: x, whenFalse: y };
  };
  return each(operands, []);
}

/** One operation on constants, in the kinds that `as` makes of its own. */
function computedOf(
  s: Sema,
  e: Expr,
  operands: readonly Constant[],
  as: (kind: ScalarKind) => ScalarKind,
): Constant | undefined {
  const type = scalar(as(scalarOf(e.type)!));
  const parts = operandsOf(e).map((x, i) => literalOf(operands[i]!, x, scalar(as(scalarOf(x.type)!))));
  const value =
    e.kind === "op"
      ? functionValue(e.op, operands)
      : e.kind === "binary"
        ? evaluate(s, { ...e, type, left: parts[0]!, right: parts[1]! })
        : e.kind === "unary" || e.kind === "convert"
          ? evaluate(s, { ...e, type, operand: parts[0]! })
          : undefined;
  return value === undefined ? undefined : convertOpen(value, type.scalar);
}

/** The same computation in 32 bits, but for what is constant: that is computed before. */
function inInts(s: Sema, e: Expr): Expr | undefined {
  if (openValue(s, e) !== undefined) return settled(s, e, scalar("i32"));
  switch (e.kind) {
    case "unary": {
      const x = inInts(s, e.operand);
      return x && withMacro(e, unary(e.operator, x, e.span));
    }
    case "binary": {
      const [x, y] = [inInts(s, e.left), inInts(s, e.right)];
      return x && y && withMacro(e, noted(e, binary(e.operator, x, y, e.span)));
    }
    case "conditional": {
      const [x, y] = [inInts(s, e.whenTrue), inInts(s, e.whenFalse)];
      return x && y && withMacro(e, conditional(e.condition, x, y, e.span));
    }
    default:
      return written(e, "i32");
  }
}

/**
 * Whether DXC has one width for an integer computation: choices among constants are no branches, and no function is called.
 * Counts of shifts have to be less than both widths.
 */
function isChosen(s: Sema, e: Expr): boolean {
  switch (e.kind) {
    case "literal":
      return true;
    case "unary":
    case "convert":
      return isChosen(s, e.operand);
    case "binary": {
      const isShift = e.operator === "shl" || e.operator === "shr";
      return isChosen(s, e.left) && isChosen(s, e.right) && (!isShift || isCount(rangeOf(s, e.right)));
    }
    case "conditional":
      return [e.whenTrue, e.whenFalse].every((x) => openValue(s, x) !== undefined);
    default:
      return false;
  }
}

const isCount = (r: Interval | undefined): boolean => r !== undefined && isShiftCount(r);

/** Lanes of a subgroup are 128 at most: of numbers so short, sums are exact in 32 bits. */
const shortBits = 17;

/** An op of the subgroup on numbers, in another kind where that gives the same. */
function acrossLanes(e: Expr, kind: ScalarKind): Expr | undefined {
  if (e.kind !== "op" || familyOf(e.op) !== "subgroup" || !e.arguments.every((a) => a.kind === "literal"))
    return undefined;
  const fitting = e.arguments.every((a) => {
    if (a.kind !== "literal" || typeof a.value === "boolean") return false;
    if (isFloat(a.type.scalar)) return isFloat(kind) && isShort(Number(a.value));
    if (isFloat(kind)) return false;
    return convertOpen(BigInt(a.value), kind) === BigInt(a.value);
  });
  if (!fitting) return undefined;
  const { open: _open, ...op } = e;
  return { ...op, arguments: e.arguments.map((a) => written(a, kind) ?? a), type: scalar(kind) };
}

const isShort = (x: number): boolean =>
  x === 0 || Number.isInteger((x / 2 ** Math.floor(Math.log2(Math.abs(x)))) * 2 ** (shortBits - 1));

const int = intervalOfKind("i32");
const inInt = (r: Interval | undefined): Interval | undefined => (r && within(r, int) ? r : undefined);

/** Bounds of an open integer, where it and all it is computed from are ints. */
function rangeOf(s: Sema, e: Expr): Interval | undefined {
  const value = openValue(s, e);
  if (typeof value === "bigint") return inInt(intervalOf(value));
  switch (e.kind) {
    case "conditional": {
      const [a, b] = [rangeOf(s, e.whenTrue), rangeOf(s, e.whenFalse)];
      return a && b && hull(a, b);
    }
    case "unary": {
      const a = rangeOf(s, e.operand);
      if (!a) return undefined;
      return inInt(e.operator === "negate" ? negated(a) : e.operator === "complement" ? complemented(a) : a);
    }
    case "op": {
      const small =
        acrossLanes(e, "i32") &&
        e.arguments.every((a) => a.kind === "literal" && Math.abs(Number(a.value)) < 2 ** shortBits);
      return small && row(e.op).fold?.operation !== "mul" ? { low: -(1n << 24n), high: 1n << 24n } : undefined;
    }
    case "binary": {
      const [a, b] = [rangeOf(s, e.left), rangeOf(s, e.right)];
      if (!a || !b || isComparison(e.operator)) return undefined;
      // Of what 32 bits hold, the bits beyond are all as the sign.
      if (e.operator === "and" || e.operator === "or" || e.operator === "xor")
        return intervalOfOperator(e.operator, a, b) ?? int;
      // The least int by -1 is left to the device, as what divides by zero is.
      if (e.operator === "rem" && !inInt(intervalOfOperator("div", a, b))) return undefined;
      return inInt(intervalOfOperator(e.operator, a, b));
    }
    default:
      return undefined;
  }
}

/** What meets nothing with a type: an int, or a float, where that holds it. */
export function settledAlone(s: Sema, e: Expr): Expr {
  if (e.kind === "comma") return comma(e.left, settledAlone(s, e.right), e.span);
  const kind = scalarOf(e.type)!;
  const value = e.type.kind === "scalar" ? openValue(s, e) : undefined;
  const narrow: ScalarKind = isFloat(kind) ? "f32" : "i32";
  if (value !== undefined && !same(convertOpen(convertOpen(value, narrow), kind), value)) return closed(e);
  return settled(s, e, e.type.kind === "vector" ? shaped(narrow, e.type.size) : scalar(narrow));
}

/** An open value among others of a wider open type: an integer beside a float, a scalar beside a vector. */
export function openAs(s: Sema, e: Expr, type: Type): Expr {
  if (type.kind === "vector" && e.type.kind === "scalar")
    return openFrom(splat(openAs(s, e, scalar(type.scalar)), type, e.span), e);
  if (scalarOf(e.type) === scalarOf(type)) return e;
  if (e.kind === "comma") return openFrom(comma(e.left, openAs(s, e.right, type), e.span), e);
  if (e.kind === "literal") return { ...e, type: type as Literal["type"], value: Number(e.value) };
  return openFrom(convert(e, type, false, e.span), e);
}

/** A comparison of open values: of ints or floats where that says the same. */
export function openComparison(s: Sema, operator: BinaryOperator, left: Expr, right: Expr, span: Span): Expr {
  const wide = binary(operator, closed(left), closed(right), span);
  if (left.type.kind !== "scalar") return wide;
  const [x, y] = [openValue(s, left), openValue(s, right)];
  const narrow: ScalarKind = isFloat(left.type.scalar) ? "f32" : "i32";
  if (x !== undefined && y !== undefined) {
    const value = evaluate(s, binary(operator, literalOf(x, left), literalOf(y, right), span));
    const plain = binary(operator, settled(s, left, scalar(narrow)), settled(s, right, scalar(narrow)), span);
    return value === undefined || evaluate(s, plain) === value
      ? plain
      : { kind: "literal", type: scalar("bool"), value: Boolean(value), span };
  }
  const exact = [left, right].every((e) => narrow === "i32" && rangeOf(s, e));
  return exact ? binary(operator, settled(s, left, scalar("i32")), settled(s, right, scalar("i32")), span) : wide;
}

/** The kind DXC gives an open argument of a function whose result does not depend on it: unsigned, but for a minus on top. */
export function concreteKind(e: Expr): ScalarKind {
  switch (e.kind) {
    case "literal":
      if (isFloat(e.type.scalar)) return "f32";
      return BigInt(e.value) < 0n ? "i64" : BigInt(e.value) < 1n << 32n ? "u32" : "u64";
    case "unary": {
      const kind = concreteKind(e.operand);
      return e.operator === "negate" && kind.startsWith("u") ? (`i${kind.slice(1)}` as ScalarKind) : kind;
    }
    case "binary":
      return combinedKind(concreteKind(e.left), concreteKind(e.right));
    case "conditional":
      return combinedKind(concreteKind(e.whenTrue), concreteKind(e.whenFalse));
    case "op":
      return e.arguments.map(concreteKind).reduce((a, b) => combinedKind(a, b));
    case "splat":
      return concreteKind(e.operand);
    case "comma":
      return concreteKind(e.right);
    default:
      return isFloat(scalarOf(e.type)!) ? "f32" : "i32";
  }
}
