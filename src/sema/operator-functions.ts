/** Operators that structs and enumerations have functions for. */
import type { Span } from "../support/span.js";
import { enumerationOf } from "../types/types.js";
import { callFunction, chooseOverload } from "./calls.js";
import { error, lookup, type Sema, type Value } from "./context.js";
import { functionsFor } from "./templates/function-templates.js";
import { withArguments } from "./namespaces.js";
import { callMethod } from "./methods.js";

export const isOperatorName = (name: string): boolean => /^operator\W/.test(name);

/** An operator of the source for these operands; "none" where no operand is a struct or an enumeration, or none is declared. */
export function operatorCall(
  s: Sema,
  sign: string,
  operands: readonly Value[],
  span: Span,
): Value | undefined | "none" {
  const [left] = operands;
  if (!operands.some((v) => v.type.kind === "struct" || enumerationOf(v.type))) return "none";
  const name = `operator${sign}`;
  if (left?.type.kind === "struct") {
    const own = callMethod(s, left.type.name, left, name, operands.slice(1), span);
    if (own !== "none") return own;
  }
  const symbol = withArguments(s, name, lookup(s, name), operands);
  const ofLibrary = (): Value | undefined | "none" => s.reader.operator?.(s, sign, operands, span) ?? "none";
  if (symbol?.kind !== "functions") return ofLibrary();
  const chosen = chooseOverload(
    s,
    [
      ...symbol.overloads,
      ...(symbol.templates.length > 0 ? functionsFor(s, symbol.templates, undefined, operands) : []),
    ],
    operands,
  );
  if (chosen.length === 1) return callFunction(s, chosen[0]!, operands, span);
  if (chosen.length === 0) return ofLibrary();
  return error(s, "XL2005", `several functions '${name}' fit equally well`, span, {
    notes: chosen.map((f) => ({ message: "this one", span: f.span })),
  });
}
