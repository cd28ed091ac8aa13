/** `typedef float v4 __attribute__((ext_vector_type(4)));` of clang, by which its OpenCL C itself has float4. */
import type * as syntax from "../ast/syntax.js";
import type { Span } from "../support/span.js";
import { shaped, type Type } from "../types/types.js";
import { plainName } from "./attributes.js";
import { notYet, type Sema } from "./context.js";

export const namesVector = (a: syntax.Attribute): boolean =>
  plainName(a) === "ext_vector_type" && a.arguments?.length === 1;

/** The vector of such scalars; the type itself where no attribute asks for one. `countOf` reads the number of components. */
export function vectorNamed(
  s: Sema,
  attributes: readonly syntax.Attribute[],
  type: Type,
  span: Span,
  countOf: (e: syntax.Expression) => bigint | undefined,
): Type | undefined {
  const asked = attributes.find(namesVector);
  if (!asked) return type;
  const n = countOf(asked.arguments![0]!);
  if (n === undefined) return undefined;
  const known = [2n, 3n, 4n, 8n, 16n].includes(n) && n <= BigInt(s.language.widestVector);
  if (type.kind === "scalar" && type.scalar !== "bool" && !type.distinct && !type.size && known)
    return shaped(type.scalar, Number(n));
  return notYet(s, `a vector of ${n} such components is`, span, "OpenCL C has 2, 3, 4, 8 and 16 of a number");
}
