/** Where HLSL asks for a number, DXC takes no vector of one component (`uint1`). */
import { error, shown, type Sema } from "./context.js";
import type { Span } from "../support/span.js";
import { isSingle, type Type } from "../types/types.js";

/** Says so where the type is such a vector; true where it is a number, or anything else. */
export function isPlainNumber(s: Sema, type: Type, what: string, span: Span, help: string): boolean {
  if (!isSingle(type)) return true;
  error(s, "XL2003", `${what} must be a number, this is ${shown(s, type)}`, span, { help });
  return false;
}
