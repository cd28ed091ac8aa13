/**
 * 64-bit integer arithmetic of the source that provably needs 32 bits only: `x >= 0x80000000UL` with a uint `x`,
 * `(uint)(0xffffffffUL - x)`. Such expressions are marked as `size_t`, which the narrowing then brings to 32 bits.
 * Nothing is assumed here: what cannot be shown stays 64-bit.
 */
import { asDivisor, intervalOf, intervalOfKind, intervalOfOperator, within, type Interval } from "../ast/interval.js";
import { isComparison } from "../ast/builders.js";
import type { BinaryOperator, Expr, Module } from "../ast/nodes.js";
import { rewriteModule } from "../ast/walk.js";
import { bitWidth, isFloat, isInteger, type Type } from "../types/types.js";

const wideKind = (t: Type): "u64" | "i64" | undefined =>
  t.kind === "scalar" && !t.size && (t.scalar === "u64" || t.scalar === "i64") ? t.scalar : undefined;

const modular: ReadonlySet<BinaryOperator> = new Set<BinaryOperator>(["add", "sub", "mul", "and", "or", "xor"]);

/** Its low 32 bits follow from the low 32 bits of 32-bit values. */
function lowFollows(e: Expr): boolean {
  switch (e.kind) {
    case "literal":
      return true;
    case "convert": {
      const from = e.operand.type.kind === "scalar" ? e.operand.type.scalar : undefined;
      if (from === undefined || isFloat(from)) return false;
      return bitWidth(from) < 64 || (wideKind(e.operand.type) !== undefined && lowFollows(e.operand));
    }
    case "unary":
      return e.operator !== "not" && lowFollows(e.operand);
    case "binary":
      if (e.operator === "shl") {
        return e.right.kind === "literal" && Number(e.right.value) < 32 && lowFollows(e.left);
      }
      return modular.has(e.operator) && lowFollows(e.left) && lowFollows(e.right);
    case "conditional":
      return lowFollows(e.whenTrue) && lowFollows(e.whenFalse);
    default:
      return false;
  }
}

/** Of these 32 bits give what 64 give where the result fits: shifts are none, since counts from 32 on have another meaning. */
const stepsShown: ReadonlySet<BinaryOperator> = new Set(["add", "sub", "mul", "div", "rem", "and", "or", "xor"]);

/** The values `e` can have, where every step of it stays within 32 bits of its signedness. */
function exactRange(e: Expr): Interval | undefined {
  const kind = wideKind(e.type);
  if (!kind) return undefined;
  const narrow = intervalOfKind(kind === "u64" ? "u32" : "i32");
  const fits = (r: Interval | undefined): Interval | undefined => (r && within(r, narrow) ? r : undefined);
  switch (e.kind) {
    case "literal":
      return fits(intervalOf(BigInt(e.value)));
    case "convert": {
      const from = e.operand.type.kind === "scalar" ? e.operand.type.scalar : undefined;
      if (from === undefined || !isInteger(from) || bitWidth(from) === 64) return undefined;
      return fits(e.operand.kind === "literal" ? intervalOf(BigInt(e.operand.value)) : intervalOfKind(from));
    }
    case "binary": {
      const l = exactRange(e.left);
      const r = exactRange(e.right);
      if (!l || !r) return undefined;
      if (!stepsShown.has(e.operator)) return undefined;
      if (e.operator !== "div" && e.operator !== "rem") return fits(intervalOfOperator(e.operator, l, r));
      // The least integer by -1 has a remainder in 64 bits alone.
      const quotient = fits(intervalOfOperator("div", l, asDivisor(r)));
      return quotient && fits(intervalOfOperator(e.operator, l, asDivisor(r)));
    }
    default:
      return undefined;
  }
}

/** The same tree with `size_t` for its 64-bit parts. */
function marked(e: Expr): Expr {
  const kind = wideKind(e.type);
  if (!kind) return e;
  const type = { kind: "scalar", scalar: kind, size: true } as const;
  switch (e.kind) {
    case "unary":
      return { ...e, operand: marked(e.operand), type };
    case "convert":
      return { ...e, operand: marked(e.operand), type };
    case "binary":
      return { ...e, left: marked(e.left), right: marked(e.right), type };
    case "conditional":
      return { ...e, whenTrue: marked(e.whenTrue), whenFalse: marked(e.whenFalse), type };
    default:
      return { ...e, type };
  }
}

export function markExactWide(module: Module<"canonical">): Module<"canonical"> {
  return rewriteModule(module, {
    expr(e) {
      if (e.kind === "convert" && wideKind(e.operand.type) && e.type.kind === "scalar" && !wideKind(e.type)) {
        const to = e.type.scalar;
        const fine =
          isInteger(to) && !e.type.size && bitWidth(to) <= 32
            ? lowFollows(e.operand)
            : exactRange(e.operand) !== undefined;
        return fine ? { ...e, operand: marked(e.operand) } : e;
      }
      if (
        e.kind === "binary" &&
        isComparison(e.operator) &&
        wideKind(e.left.type) &&
        exactRange(e.left) &&
        exactRange(e.right)
      ) {
        return { ...e, left: marked(e.left), right: marked(e.right) };
      }
      return e;
    },
  });
}
