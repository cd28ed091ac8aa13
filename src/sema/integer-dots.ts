/** Dot products of integers, in numbers wide enough, and sums that are added to what there was (OpenCL C, GLSL). */
import { binary, convert, opCall } from "../ast/builders.js";
import type { Expr } from "../ast/nodes.js";
import type { Span } from "../support/span.js";
import { bitWidth, componentCount, isSigned, scalar, scalarOf, shaped, type ScalarKind } from "../types/types.js";
import { exprValue, type Sema, type Value } from "./context.js";
import { convertTo, read } from "./convert.js";

/** Two factors and, after them, what is added to: in 32 bits or those of the factors, with a sign where one of them has one. */
export function dotOfIntegers(s: Sema, values: readonly Value[], saturates: boolean, span: Span): Value | undefined {
  const kinds = values.slice(0, 2).map((v) => scalarOf(v.type)!);
  const width = Math.max(32, ...kinds.map(bitWidth));
  const kind = `${kinds.some(isSigned) ? "i" : "u"}${width}` as ScalarKind;
  const own = values.slice(0, 2).map((v) => read(s, v, span));
  if (!own.every((e) => e !== undefined)) return undefined;
  const wide = own.map((e) => convert(e, shaped(kind, componentCount(e.type)!), true, span));
  const sum = opCall("geometry.dot_integer", wide, scalar(kind), span);
  return values[2] ? addedTo(s, sum, values[2], saturates, span) : exprValue(sum);
}

export function addedTo(s: Sema, product: Expr, to: Value, saturates: boolean, span: Span): Value | undefined {
  const { type } = product;
  const before = convertTo(s, to, type, "argument", span, "the sum");
  if (!before) return undefined;
  return exprValue(
    saturates ? opCall("bits.add_sat", [product, before], type, span) : binary("add", product, before, span),
  );
}
