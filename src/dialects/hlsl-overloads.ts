/**
 * How DXC weighs the conversion of an argument: each kind of change has a weight above the sum of those before it, and the
 * function with the least sum over its arguments is taken, so that fitting all arguments a little beats fitting one badly.
 */
import {
  bitWidth,
  componentCount,
  isFloat,
  isInteger,
  sameType,
  scalarOf,
  type ScalarKind,
  type Type,
} from "../types/types.js";
import { combinedKind } from "./conversions.js";

type Kind = ScalarKind | "open int" | "open float";

const isOpen = (k: Kind): k is "open int" | "open float" => k === "open int" || k === "open float";
const isInt = (k: Kind): boolean => k === "open int" || (!isOpen(k) && isInteger(k));
const isReal = (k: Kind): boolean => k === "open float" || (!isOpen(k) && isFloat(k));

/** From the narrower to the wider; the sign of integers does not matter here. */
function isPromotion(to: Kind, from: Kind): boolean {
  if (isOpen(to) || isOpen(from) || to === from) return false;
  return ((isInteger(to) && isInteger(from)) || (isFloat(to) && isFloat(from))) && bitWidth(to) > bitWidth(from);
}

function isCast(to: Kind, from: Kind): boolean {
  if (to === from) return false;
  if (to === "open int") return !isInt(from);
  if (to === "open float") return !isReal(from);
  if (isInteger(to))
    return !(from === "open int" || (!isOpen(from) && isInteger(from) && bitWidth(from) === bitWidth(to)));
  return !(isFloat(to) && from === "open float");
}

function isIntegerCast(to: Kind, from: Kind): boolean {
  if (to === from) return false;
  if (to === "open int") return !isInt(from);
  if (to === "open float") return !isReal(from);
  return !(isInteger(to) ? from === "open int" : isFloat(to) && from === "open float");
}

/** The weights: a smaller shape filled, promotions, casts of integers, casts, components dropped. */
const weight = (place: number): bigint => 1n << BigInt(2 + 7 * place);

const elements = (type: Type): number =>
  type.kind === "matrix" ? type.columns * type.rows : (componentCount(type) ?? 1);

/** Whether DXC converts an argument by itself: to fewer components, from a scalar to all, between as many in another shape. */
export function converts(from: Type, to: Type): boolean {
  if (sameType(from, to)) return true;
  if (scalarOf(from) === undefined || scalarOf(to) === undefined) return false;
  if (from.kind === "scalar" || to.kind === "scalar") return true;
  if (from.kind === "matrix" && to.kind === "matrix") return to.columns <= from.columns && to.rows <= from.rows;
  return from.kind === to.kind ? elements(to) <= elements(from) : elements(to) === elements(from);
}

export function conversionScore(from: Type, to: Type, open = false): bigint {
  if (sameType(from, to) && !open) return 0n;
  const [a, b] = [elements(to), elements(from)];
  const [toKind, fromScalar] = [scalarOf(to), scalarOf(from)];
  let score = 0n;
  const add = (place: number, condition: boolean): void => void (score += condition ? weight(place) : 0n);
  if (toKind !== undefined && fromScalar !== undefined) {
    const fromKind: Kind = open ? (isFloat(fromScalar) ? "open float" : "open int") : fromScalar;
    const combined: Kind = toKind === fromKind ? toKind : combinedKind(toKind, fromScalar, false, open);
    const [toPromotes, fromPromotes] = [isPromotion(toKind, combined), isPromotion(combined, fromKind)];
    const [toCasts, fromCasts] = [!toPromotes && isCast(toKind, combined), !fromPromotes && isCast(combined, fromKind)];
    add(1, toPromotes);
    add(2, fromPromotes);
    add(3, !toPromotes && !toCasts && isIntegerCast(toKind, combined));
    add(4, !fromPromotes && !fromCasts && isIntegerCast(combined, fromKind));
    add(5, toCasts);
    add(6, fromCasts);
  }
  add(0, b < a);
  add(7, a < b);
  return score;
}
