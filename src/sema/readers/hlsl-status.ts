/**
 * `Load(i, out uint status)` and CheckAccessFullyMapped. No other language tells which part of a buffer has memory, so that there the
 * status says: all of it. D3D leaves open which numbers say so; here 0 is what is not mapped.
 */
import { assign, binary, literal } from "../../ast/builders.js";
import type { Expr } from "../../ast/nodes.js";
import { meet } from "../../ops/footprints.js";
import type { Span } from "../../support/span.js";
import { sameType, u32 } from "../../types/types.js";
import { valueSpan, writablePlace } from "../assignments.js";
import { error, exprValue, type Sema, type Value } from "../context.js";
import { after, intoLocal } from "../held-values.js";
import { convertTo, read } from "../convert.js";

const mapped = 1;

/** What was loaded, with its status in `status`, which is written when the value is there. */
export function withStatus(s: Sema, loaded: Value, status: Value, span: Span): Value | undefined {
  const value = read(s, loaded, span);
  const place = value && writablePlace(s, status, span, "passed to be written");
  if (!place) return undefined;
  if (!sameType(place.type, u32)) return error(s, "XL2005", "the status of a Load is a uint", valueSpan(status, span));
  assumeMapped(s, span);
  const told = assign(place, literal("u32", mapped, span), span);
  if (!meet(s.footprints.of(told), s.footprints.of(value))) return exprValue(after([told], value, span));
  const local = intoLocal(s, value, span);
  return exprValue(after([local.first, told], local.value, span));
}

export function checkMapped(s: Sema, values: readonly Value[], span: Span): Value | undefined {
  const [status] = values;
  if (!status || values.length > 1) return error(s, "XL2005", "CheckAccessFullyMapped takes one status", span);
  const given: Expr | undefined = convertTo(s, status, u32, "argument", valueSpan(status, span), "the status");
  return given && exprValue(binary("ne", given, literal("u32", 0, span), span));
}

function assumeMapped(s: Sema, span: Span): void {
  // A function may be read more than once.
  const isSaid = s.fixed.some((a) => a.kind === "mapped-memory" && a.spans[0]!.start === span.start);
  const message = "all of a buffer that is loaded with a status is mapped";
  if (!isSaid) s.fixed.push({ kind: "mapped-memory", message, spans: [span] });
}
