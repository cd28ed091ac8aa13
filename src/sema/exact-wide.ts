/**
 * 64-bit integer arithmetic of the source that provably needs 32 bits only: `x >= 0x80000000UL` with a uint `x`,
 * `(uint)(0xffffffffUL - x)`. Such expressions are marked as `size_t`, which the narrowing then brings to 32 bits.
 * Nothing is assumed here: what cannot be shown stays 64-bit.
 */
import { isComparison } from "../ast/builders.js";
import type { BinaryOperator, Expr, Module } from "../ast/nodes.js";
import { rewriteModule } from "../ast/walk.js";
import { bitWidth, isFloat, isInteger, type ScalarKind, type Type } from "../types/types.js";

interface Range {
  readonly low: bigint;
  readonly high: bigint;
}

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

function limits(kind: ScalarKind): Range {
  const bits = BigInt(bitWidth(kind));
  return kind[0] === "i"
    ? { low: -(1n << (bits - 1n)), high: (1n << (bits - 1n)) - 1n }
    : { low: 0n, high: (1n << bits) - 1n };
}

/** The values `e` can have, where every step of it stays within 32 bits of its signedness. */
function exactRange(e: Expr): Range | undefined {
  const kind = wideKind(e.type);
  if (!kind) return undefined;
  const narrow = limits(kind === "u64" ? "u32" : "i32");
  const fits = (r: Range | undefined): Range | undefined =>
    r && r.low >= narrow.low && r.high <= narrow.high ? r : undefined;
  switch (e.kind) {
    case "literal": {
      const value = BigInt(e.value);
      return fits({ low: value, high: value });
    }
    case "convert": {
      const from = e.operand.type.kind === "scalar" ? e.operand.type.scalar : undefined;
      if (from === undefined || !isInteger(from) || bitWidth(from) === 64) return undefined;
      if (e.operand.kind === "literal") {
        const value = BigInt(e.operand.value);
        return fits({ low: value, high: value });
      }
      return fits(limits(from));
    }
    case "binary": {
      const l = exactRange(e.left);
      const r = exactRange(e.right);
      if (!l || !r) return undefined;
      switch (e.operator) {
        case "add":
          return fits({ low: l.low + r.low, high: l.high + r.high });
        case "sub":
          return fits({ low: l.low - r.high, high: l.high - r.low });
        case "mul": {
          const products = [l.low * r.low, l.low * r.high, l.high * r.low, l.high * r.high];
          return fits({
            low: products.reduce((a, b) => (a < b ? a : b)),
            high: products.reduce((a, b) => (a > b ? a : b)),
          });
        }
        case "div":
        case "rem":
        case "and":
          return l.low >= 0n && r.low >= 0n ? fits({ low: 0n, high: l.high }) : undefined;
        default:
          return undefined;
      }
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
