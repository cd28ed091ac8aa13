/** Pointers that are made of the addresses of others: `(uint *)((ulong)p + n)`, `(uint4 *)((size_t)p & ~15)`. C99 6.3.2.3 (5) leaves it to compilers; all of OpenCL's have addresses of bytes there. */
import { binary, bitcast, convert, literal, pointerOffset, unary } from "../ast/builders.js";
import type { Expr } from "../ast/nodes.js";
import { isPure } from "../ast/walk.js";
import { bitWidth, isInteger, scalar } from "../types/types.js";
import { evaluate } from "./constants.js";
import type { Sema } from "./context.js";

/** A pointer to bytes whose address the number is, where the text shows that it is one. */
export function pointerOf(s: Sema, e: Expr): Expr | undefined {
  const { span } = e;
  if (e.type.kind !== "scalar" || !isInteger(e.type.scalar) || bitWidth(e.type.scalar) !== 64) return undefined;
  if (e.kind === "bitcast" && e.operand.type.kind === "pointer" && !e.operand.type.block?.whole) {
    const { block: _, ...type } = e.operand.type;
    return bitcast(e.operand, { ...type, pointee: scalar("u8") }, span);
  }
  if (e.kind === "convert") return pointerOf(s, e.operand);
  if (e.kind !== "binary") return undefined;
  const left = pointerOf(s, e.left);
  switch (e.operator) {
    case "add": {
      if (left) return pointerOf(s, e.right) ? undefined : pointerOffset(left, e.right, span);
      const right = pointerOf(s, e.right);
      return right && isPure(e.left) ? pointerOffset(right, e.left, span) : undefined;
    }
    case "sub":
      return left && !pointerOf(s, e.right) ? pointerOffset(left, unary("negate", e.right, span), span) : undefined;
    case "and": {
      // Down to a multiple of a power of two.
      const kept = evaluate(s, e.right);
      if (!left || typeof kept !== "bigint" || !isPure(left)) return undefined;
      const mask = BigInt.asUintN(64, ~kept);
      if ((mask & (mask + 1n)) !== 0n || mask >= 2n ** 31n) return undefined;
      const address = bitcast(left, scalar("u64"), span);
      const over = binary("and", address, literal("u64", mask, span), span);
      return pointerOffset(left, unary("negate", convert(over, scalar("i32"), false, span), span), span);
    }
    default:
      return undefined;
  }
}
