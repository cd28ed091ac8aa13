/** The operand types a row takes, spelled out: what reports and the tests of the table go through. */
import { matrix, scalar, shaped, type Type } from "../types/types.js";
import type { OpRow } from "./row.js";
import { typeOf } from "./signature.js";
import { signatureOf } from "./spell.js";

/** Ops whose type variable is a matrix; square ones stand for all. */
const ofMatrices: ReadonlySet<string> = new Set([
  "geometry.transpose",
  "geometry.determinant",
  "geometry.inverse",
  "geometry.matrix_product",
]);

/** The types T takes; one undefined where the signature has no T. */
export function operandTypes(row: OpRow): readonly (Type | undefined)[] {
  if (ofMatrices.has(row.id)) return ([2, 3, 4] as const).map((n) => matrix("f32", n, n));
  if (!signatureOf(row.signature).generic) return [undefined];
  return row.on.scalars.flatMap((kind) => row.on.sizes.map((n) => shaped(kind, n)));
}

/** The result at T. Where the call chooses it (`C`): a square matrix, or the 32-bit integer of a conversion. */
export function resultType(row: OpRow, t: Type | undefined): Type {
  const { result } = signatureOf(row.signature);
  if (result === "S" && t?.kind === "matrix") return scalar(t.scalar);
  if (result !== "C") return typeOf(result, t);
  const count = t?.kind === "vector" ? t.size : 1;
  if (row.id === "geometry.outer_product" && t?.kind === "vector") return matrix(t.scalar, count as 2, count as 2);
  return shaped("i32", count);
}
