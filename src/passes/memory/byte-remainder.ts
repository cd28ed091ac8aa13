/** What the text shows of an address in bytes. */
import { literalValue } from "../../ast/builders.js";
import type { Expr } from "../../ast/nodes.js";
import { isInteger } from "../../types/types.js";

/** What it leaves when divided by `of`, a power of two up to 8, where that is known. Numbers wrap at 2^8 or more, which changes nothing. */
export function byteRemainder(e: Expr, of: number): number | undefined {
  if (of === 1) return 0;
  const wrapped = (n: number): number => ((n % of) + of) % of;
  const known = literalValue(e);
  if (typeof known === "bigint") return Number(BigInt.asUintN(3, known)) % of;
  if (known !== undefined) return wrapped(Number(known));
  if (e.kind === "convert" && e.operand.type.kind === "scalar" && isInteger(e.operand.type.scalar))
    return byteRemainder(e.operand, of);
  if (e.kind !== "binary" || (e.operator !== "add" && e.operator !== "sub" && e.operator !== "mul")) return undefined;
  const [left, right] = [byteRemainder(e.left, of), byteRemainder(e.right, of)];
  if (e.operator === "mul" && (left === 0 || right === 0)) return 0;
  if (left === undefined || right === undefined) return undefined;
  return wrapped(e.operator === "add" ? left + right : e.operator === "sub" ? left - right : left * right);
}
