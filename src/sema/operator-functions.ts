/** Operators that structs and enumerations have functions for. */
import type { Span } from "../support/span.js";
import { enumerationOf, type Type } from "../types/types.js";
import { callFunction, chooseOverload } from "./calls.js";
import { error, lookup, type Sema, type Value } from "./context.js";
import { functionsFor } from "./templates/function-templates.js";
import { withArguments } from "./namespaces.js";
import { callMethod } from "./methods.js";

const saysAssignment = (s: Sema, struct: string): boolean => s.methods.get(struct)?.functions.has("operator=") === true;

/** Whether assigning an object assigns one in it, of a base as of a member, by a function of the source. */
export const holdsAssignment = (s: Sema, type: Type): boolean =>
  type.kind === "array"
    ? holdsAssignment(s, type.element)
    : type.kind === "struct" &&
      (saysAssignment(s, type.name) || s.structs.get(type.name)!.members.some((m) => holdsAssignment(s, m.type)));

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
  // Every struct has an assignment of its own, behind which those of its bases are hidden (C++14 12.8 (18) and (24)).
  const hides = sign === "=" && left?.type.kind === "struct" && !saysAssignment(s, left.type.name);
  if (left?.type.kind === "struct" && !hides) {
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
