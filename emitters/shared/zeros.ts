/** Lists of zeros, which languages with brace lists say in short. */
import type { Expr } from "./tree.js";

/** So many zeros are written out. */
const longestZeros = 4;

/** Whether this is an array or struct of zeros alone, of more than are written out; negative zero is none. */
export const isLongZero = (e: Expr): boolean => isZero(e) && numbersIn(e) > longestZeros;

function isZero(e: Expr): boolean {
  if (e.macro) return false;
  if (e.kind === "construct") return e.member === undefined && e.arguments.every(isZero);
  if (e.kind === "convert" || e.kind === "splat") return isZero(e.operand);
  return e.kind === "literal" && (typeof e.value === "number" ? Object.is(e.value, 0) : !e.value);
}

const numbersIn = (e: Expr): number =>
  e.kind === "construct" ? e.arguments.reduce((sum, a) => sum + numbersIn(a), 0) : 1;
