/**
 * How each target types an operator and what it converts by itself, on top of `dialects/conversions.ts`. A rule says yes
 * only where value and meaning stay what the canonical conversion gives.
 */
import type { BinaryOperator } from "./tree.js";
import { commonType, implicitConversion, promote } from "../../src/dialects/conversions.js";
import type { TargetDialect } from "../../src/dialects/ids.js";
import {
  bitWidth,
  bool,
  componentCount,
  isFloat,
  isInteger,
  sameType,
  scalar,
  scalarOf,
  shaped,
  type ScalarKind,
  type Type,
} from "../../src/types/types.js";
import { languageFacts, writingFacts } from "../../src/dialects/languages.js";
import type { Context, ConversionRules } from "./syntax.js";

const comparisons: ReadonlySet<BinaryOperator> = new Set(["eq", "ne", "lt", "le", "gt", "ge"]);

/** OpenCL C 6.3.4: comparing vectors gives signed integers of the same width. */
function maskKind(kind: ScalarKind): ScalarKind {
  return kind === "bool" ? "i32" : (`i${bitWidth(kind)}` as ScalarKind);
}

function matrixRule(operator: BinaryOperator, l: Type, r: Type): { operand: Type; result: Type } | undefined {
  if (operator !== "mul")
    return sameType(l, r) ? { operand: l, result: comparisons.has(operator) ? bool : l } : undefined;
  if (scalarOf(l) !== scalarOf(r)) return undefined;
  if (l.kind === "matrix" && r.kind === "vector") return { operand: l, result: shaped(l.scalar, l.rows) };
  if (l.kind === "vector" && r.kind === "matrix") return { operand: l, result: shaped(r.scalar, r.columns) };
  if (l.kind === "matrix" && r.kind === "matrix")
    return { operand: l, result: { kind: "matrix", scalar: l.scalar, columns: r.columns, rows: l.rows } };
  return { operand: l, result: l.kind === "matrix" ? l : r };
}

export function rulesOf(dialect: TargetDialect): ConversionRules {
  const { openLiterals, conversions, vectorComparisons } = languageFacts[dialect];
  const { widestIndex } = writingFacts(dialect);
  const implicit = (from: Type, to: Type, context: Context): boolean => {
    if (sameType(from, to)) return true;
    if (context === "exact") return false;
    // What an unsigned number leads back by is far beyond the object in 64 bits.
    if (context === "offset" && scalarOf(from) === "u32" && scalarOf(to) === "i32") return false;
    if (context === "index" || context === "offset")
      return isIntegerScalar(from) && isIntegerScalar(to) && bitWidth(scalarOf(from)!) <= widestIndex;
    if (context === "construct") {
      if (from.kind === "scalar" && to.kind === "scalar") return true;
      return from.kind === "vector" && to.kind === "vector" && from.size === to.size && from.scalar === to.scalar;
    }
    // A scalar condition: C tests against zero, which is what converting to bool means.
    const rank = implicitConversion(dialect, from, to, context);
    return rank !== undefined && rank < 3;
  };
  return {
    implicit,
    arithmetic(operator, left, right) {
      const l = left.type;
      const r = right.type;
      if (l.kind === "pointer" || r.kind === "pointer")
        return comparisons.has(operator) ? { operand: l, result: bool } : undefined;
      if (l.kind === "matrix" || r.kind === "matrix") return matrixRule(operator, l, r);
      const lk = scalarOf(l);
      const rk = scalarOf(r);
      if (lk === undefined || rk === undefined)
        return sameType(l, r) && comparisons.has(operator) ? { operand: l, result: bool } : undefined;
      if (operator === "shl" || operator === "shr") {
        if (componentCount(l) === 1 && componentCount(r)! > 1) return undefined;
        if (!isInteger(rk) || !(isInteger(lk) || lk === "bool")) return undefined;
        const operand = l.kind === "scalar" ? scalar(promote(dialect, lk)) : l;
        return { operand, result: operand };
      }
      const bools = lk === "bool" && rk === "bool";
      if (bools && l.kind === r.kind) {
        if (operator === "eq" || operator === "ne") return { operand: l, result: comparison(l) };
        // Else they are numbers, where bools become such.
        if (conversions.promotes === "nothing")
          return comparisons.has(operator) ? { operand: l, result: comparison(l) } : undefined;
      }
      // The bitwise operators on two bools: C gives an int 0 or 1, which stands for the bool.
      if (bools && sameType(l, r) && (operator === "and" || operator === "or" || operator === "xor"))
        return { operand: l, result: l };
      // Two numbers without a type have the one of the tree: `open` sees to it that this is the same.
      const open = left.literal === true && right.literal === true && openLiterals;
      const common = commonType(
        dialect,
        { type: l, literal: !open && (left.literal ?? false) },
        { type: r, literal: !open && (right.literal ?? false) },
      );
      if ("error" in common || common.truncates) return undefined;
      const operand = common.type;
      // Operands of functions have one type.
      if (
        vectorComparisons === "functions" &&
        comparisons.has(operator) &&
        operand.kind === "vector" &&
        !sameType(l, r)
      )
        return undefined;
      return { operand, result: comparisons.has(operator) ? comparison(operand) : operand };
    },
    unary(operator, operand) {
      if (operator === "not") return operand.kind === "vector" ? operand : bool;
      return operand.kind === "scalar" ? scalar(promote(dialect, operand.scalar)) : operand;
    },
  };

  function comparison(operand: Type): Type {
    if (operand.kind !== "vector") return bool;
    return languageFacts[dialect].relations === "int"
      ? shaped(maskKind(operand.scalar), operand.size)
      : shaped("bool", operand.size);
  }
}

const isIntegerScalar = (t: Type): boolean => t.kind === "scalar" && isInteger(t.scalar);

/** Whether a bare number means the same as a value of kind `to`. */
export function literalFits(value: number | bigint | boolean, to: ScalarKind): boolean {
  if (typeof value === "boolean") return to === "bool";
  if (to === "bool") return false;
  if (isFloat(to)) {
    const n = Number(value);
    if (typeof value === "bigint" && BigInt(n) !== value) return false;
    if (to === "f64" || to === "f32") return to === "f64" || Object.is(Math.fround(n), n);
    return Number.isInteger(n) && Math.abs(n) <= (to === "bf16" ? 256 : 2048);
  }
  if (typeof value === "number" && !Number.isInteger(value)) return false;
  const big = BigInt(value);
  const bits = BigInt(bitWidth(to));
  return to[0] === "u" ? big >= 0n && big < 1n << bits : big >= -(1n << (bits - 1n)) && big < 1n << (bits - 1n);
}
