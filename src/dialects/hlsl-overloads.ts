/**
 * How DXC weighs the conversion of an argument: each kind of change has a weight above the sum of those before it, and the
 * function with the least sum over its arguments is taken, so that fitting all arguments a little beats fitting one badly.
 */
import {
  bitWidth,
  componentCount,
  isAtLeast,
  isFloat,
  isNumeric,
  isSameName,
  sameType,
  type Type,
} from "../types/types.js";

/** The kinds DXC tells apart: literals, bools and enumerators have no width; "minimum": at least so many bits. */
interface Kind {
  readonly of: "bool" | "int" | "uint" | "float";
  readonly bits: number;
  readonly literal?: true;
  readonly enumerator?: true;
  readonly minimum?: true;
  readonly half?: true;
}

function kindOf(type: Type, open: boolean): Kind | undefined {
  if (!isNumeric(type)) return undefined;
  const { scalar, distinct } = type;
  if (open) return { of: isFloat(scalar) ? "float" : "int", bits: 0, literal: true };
  if (scalar === "bool") return { of: "bool", bits: 0 };
  if (typeof distinct === "object") return { of: "int", bits: 0, enumerator: true };
  const of = isFloat(scalar) ? "float" : scalar[0] === "u" ? "uint" : "int";
  if (distinct === "half") return { of, bits: 32, half: true };
  if (!isAtLeast(type)) return { of, bits: bitWidth(scalar) };
  return { of, bits: distinct === "min10float" ? 10 : distinct === "min12int" ? 12 : 16, minimum: true };
}

const isSame = (a: Kind, b: Kind): boolean =>
  a.of === b.of &&
  a.bits === b.bits &&
  a.literal === b.literal &&
  a.enumerator === b.enumerator &&
  a.minimum === b.minimum &&
  a.half === b.half;

const isInt = (k: Kind): boolean => k.of === "int" || k.of === "uint";
const isWide = (k: Kind): boolean => !k.literal && !k.enumerator && !k.minimum && k.of !== "bool";

/** The kind two of them are brought to. */
function combined(a: Kind, b: Kind): Kind {
  if (isSame(a, b)) return a;
  const float = a.of === "float" || b.of === "float";
  if (a.literal && b.literal) return { of: float ? "float" : "int", bits: 0, literal: true };
  const widthless = (k: Kind): boolean => k.literal === true || k.enumerator === true || k.of === "bool";
  const [either, both] = [widthless(a) || widthless(b), (p: (k: Kind) => unknown): boolean => !!p(a) && !!p(b)];
  if (both((k) => k.half) || (either && (a.half || b.half))) return { of: "float", bits: 32, half: true };
  let minimum = both((k) => k.minimum) || (either && (a.minimum === true || b.minimum === true));
  let bits = Math.max(a.bits, b.bits);
  if (float && (a.of !== "float" || b.of !== "float")) {
    const [side] = [a, b].filter((k) => k.of === "float");
    minimum = side!.minimum === true;
    bits = side!.bits;
  }
  const of = float ? "float" : a.of === "uint" || b.of === "uint" ? "uint" : "int";
  return { of, bits: bits || 32, ...(minimum ? { minimum: true } : {}) };
}

/** From the narrower to the wider; the sign of integers matters for those of minimum precision only. */
function isPromotion(to: Kind, from: Kind): boolean {
  if (isSame(to, from) || [to, from].some((k) => k.literal || k.enumerator || k.of === "bool")) return false;
  if (from.of === "float") {
    if (to.of !== "float") return false;
    if (from.minimum) return to.minimum ? to.bits > from.bits : true;
    return !to.minimum && (to.bits > from.bits || (from.half === true && to.bits === from.bits));
  }
  if (!isInt(to)) return false;
  if (from.minimum) return to.of === from.of && (to.minimum ? to.bits > from.bits : to.bits >= 32);
  return !to.minimum && to.bits > from.bits;
}

function isCast(to: Kind, from: Kind): boolean {
  if (isSame(to, from)) return false;
  if (to.literal) return to.of === "float" ? !(from.of === "float" && isWide(from)) : !(isInt(from) && isWide(from));
  if (!isWide(to)) return true;
  if (to.of === "float") return !(from.literal && from.of === "float");
  return !((from.literal && from.of === "int") || (isInt(from) && isWide(from) && from.bits === to.bits));
}

function isIntegerCast(to: Kind, from: Kind): boolean {
  if (isSame(to, from)) return false;
  if (to.literal) return to.of === "float" ? !(from.of === "float" && isWide(from)) : !(isInt(from) && isWide(from));
  if (!isWide(to)) return true;
  return !(from.literal && from.of === (to.of === "float" ? "float" : "int"));
}

/** The weights: a smaller shape filled, promotions, casts of integers, casts, components dropped. */
const weight = (place: number): bigint => 1n << BigInt(2 + 7 * place);

const elements = (type: Type): number =>
  type.kind === "matrix" ? type.columns * type.rows : (componentCount(type) ?? 1);

export function conversionScore(from: Type, to: Type, open = false): bigint {
  if (sameType(from, to) && isSameName(from, to) && !open) return 0n;
  const [a, b] = [elements(to), elements(from)];
  let score = 0n;
  const add = (place: number, condition: boolean): void => void (score += condition ? weight(place) : 0n);
  const [toKind, fromKind] = [kindOf(to, false), kindOf(from, open)];
  if (toKind && fromKind) {
    const meeting = combined(toKind, fromKind);
    const [toPromotes, fromPromotes] = [isPromotion(toKind, meeting), isPromotion(meeting, fromKind)];
    const [toCasts, fromCasts] = [!toPromotes && isCast(toKind, meeting), !fromPromotes && isCast(meeting, fromKind)];
    add(1, toPromotes);
    add(2, fromPromotes);
    add(3, !toPromotes && !toCasts && isIntegerCast(toKind, meeting));
    add(4, !fromPromotes && !fromCasts && isIntegerCast(meeting, fromKind));
    add(5, toCasts);
    add(6, fromCasts);
  }
  add(0, b < a);
  add(7, a < b);
  return score;
}
