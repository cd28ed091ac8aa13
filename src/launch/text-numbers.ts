/** Numbers in a kernel's text that decide what it does: a search for launches tries them. */
import { literalValue } from "../ast/builders.js";
import type { Binary, BinaryOperator, Expr, Module } from "../ast/nodes.js";
import { walkModule } from "../ast/walk.js";
import { isFloat, scalarOf } from "../types/types.js";

/** Greater numbers are no sizes one can run, and flags as often as not. */
const mostCompared = 2 ** 16;

/** Numbers that a kernel's text compares something with, or takes bits by. */
export interface TextNumbers {
  /** Integers of comparisons and cases that a size or a mode may be, and those next to them where an order is asked. */
  readonly sizes: readonly number[];
  /** All integers of comparisons and cases, with those next to them. */
  readonly integers: readonly number[];
  /** Of float comparisons, with halves and doubles of them, their negatives, and what goes beyond all. */
  readonly floats: readonly number[];
  /** Bits that masks and shifts take. */
  readonly bits: readonly number[];
}

export function numbersOf(module: Module): TextNumbers {
  const sizes = new Set<number>();
  const integers = new Set<number>();
  const floats = new Set<number>();
  const bits = new Set<number>();
  const note = (e: Expr, ordered: boolean): void => {
    const value = literalValue(e);
    if (value === undefined || typeof value === "boolean") return;
    const n = Number(value);
    if (isFloat(scalarOf(e.type) ?? "f32")) {
      for (const x of [n, n / 2, 2 * n, -n]) if (Number.isFinite(x)) floats.add(x);
      return;
    }
    for (const x of ordered ? [n, n - 1, n + 1] : [n]) if (x >= 0 && x <= mostCompared) sizes.add(x);
    for (const x of ordered ? [n, n - 1, n + 1] : [n]) if (Number.isSafeInteger(x)) integers.add(x);
  };
  const whole = (e: Expr): number | undefined => {
    const value = literalValue(e);
    const n =
      value === undefined || typeof value === "boolean" || isFloat(scalarOf(e.type) ?? "f32") ? -1 : Number(value);
    return Number.isSafeInteger(n) && n > 0 ? n : undefined;
  };
  /** Of what is taken: the mask where it stands; where it was shifted there, each of its bits. */
  const noteBits = (mask: number, taken: Expr): void => {
    const from = isShift(taken) ? whole(taken.right) : undefined;
    if (from === undefined) bits.add(mask);
    else for (let k = 0; k < 8 && 2 ** k <= mask; k++) if ((mask >>> k) & 1) bits.add(2 ** (from + k));
  };
  walkModule(module, {
    expr: (e: Expr) => {
      if (e.kind !== "binary") return;
      if (e.operator === "and") {
        const [left, right] = [whole(e.left), whole(e.right)];
        if (right !== undefined) noteBits(right, e.left);
        if (left !== undefined) noteBits(left, e.right);
      }
      if (isShift(e)) bits.add(2 ** (whole(e.right) ?? 0));
      if (comparisons.has(e.operator))
        for (const side of [e.left, e.right]) note(side, e.operator !== "eq" && e.operator !== "ne");
    },
    statement: (s) => {
      if (s.kind === "switch")
        for (const c of s.cases) for (const label of c.labels) if (label !== "default") note(label, false);
    },
  });
  return { sizes: [...sizes], integers: [...integers], floats: [...floats], bits: [...bits] };
}

const isShift = (e: Expr): e is Binary & { readonly operator: "shr" } => e.kind === "binary" && e.operator === "shr";

const comparisons: ReadonlySet<BinaryOperator> = new Set<BinaryOperator>(["eq", "ne", "lt", "le", "gt", "ge"]);
