/** Operators that structs and enumerations have functions for. */
import type { Span } from "../support/span.js";
import { enumerationOf, type Type } from "../types/types.js";
import { callFunction } from "./calls.js";
import { chooseOverload } from "./overloads.js";
import { error, notYet, type Sema, type Value } from "./context.js";
import { lookup } from "./scopes.js";
import { valueComesFirst } from "./order-matters.js";
import { functionsFor, typesOf } from "./templates/function-templates.js";
import { attempt } from "./templates/state.js";
import { withArguments } from "./namespaces.js";
import { callMethod } from "./method-calls.js";
import type { Method } from "./methods.js";

const assignmentsOf = (s: Sema, struct: string): readonly Method[] =>
  s.methods.get(struct)?.functions.get("operator=") ?? [];

/** Whether a struct says what assigning another object of it is; no template does (C++14 12.8 (17)). */
const saysAssignment = (s: Sema, struct: string): boolean =>
  assignmentsOf(s, struct).some(({ template, declaration: { parameters } }) => {
    const { scope } = s.methods.get(struct)!;
    const [type] = (!template && attempt(s, () => typesOf(s, parameters, scope))) || [];
    return type?.kind === "struct" && type.name === struct;
  });

/** Whether a function of the struct assigns this to it: an object of its own only where there is one for that. */
function assigns(s: Sema, struct: string, value: Value | undefined): boolean {
  const isCopy = value?.type.kind === "struct" && value.type.name === struct;
  return isCopy ? saysAssignment(s, struct) : assignmentsOf(s, struct).length > 0;
}

/** Whether assigning an object assigns one in it, of a base as of a member, by a function of the source. */
export const holdsAssignment = (s: Sema, type: Type): boolean =>
  type.kind === "array"
    ? holdsAssignment(s, type.element)
    : type.kind === "struct" &&
      (saysAssignment(s, type.name) || s.structs.get(type.name)!.members.some((m) => holdsAssignment(s, m.type)));

/** C++17 16.3.1.2 (2): operands come in the order of the operator, whose function has the object first. */
const inOrder = (s: Sema, sign: string, [left, right]: readonly Value[], span: Span): boolean =>
  !/^([^=<>!]|<<|>>)?=$/.test(sign) || !left || !right || !valueComesFirst(s, left, right, span);

/** Whether an object may be a number where an operator has no function for it. */
const hasConversions = (s: Sema, struct: string): boolean => {
  const methods = s.methods.get(struct);
  return (
    methods !== undefined &&
    (methods.conversions.length > 0 || methods.bases.some((b) => hasConversions(s, b.type.name)))
  );
};

const outOfOrder = (s: Sema, span: Span): undefined =>
  notYet(
    s,
    "an operator of the source that assigns, whose value changes where, or is changed by what finds it, is",
    span,
    "store the value in a variable first",
  );

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
  const isHidden = sign === "=" && left?.type.kind === "struct" && !assigns(s, left.type.name, operands[1]);
  // Members of a struct around do not hide functions, and those of the operand are candidates like others (C++14 13.3.1.2 (3)).
  const free = lookup(s, name, ({ kind }) => kind !== "methods");
  const symbol = withArguments(s, name, free, operands);
  const functions =
    symbol?.kind !== "functions"
      ? []
      : [
          ...symbol.overloads,
          ...(symbol.templates.length > 0 ? functionsFor(s, symbol.templates, undefined, operands) : []),
        ];
  if (left?.type.kind === "struct" && !isHidden) {
    const isEnough = operands.some((v) => v.type.kind === "struct" && hasConversions(s, v.type.name));
    const beside = { functions, args: operands, isEnough };
    const own = callMethod(s, left.type.name, left, name, operands.slice(1), span, undefined, beside);
    if (own !== "none") return inOrder(s, sign, operands, span) ? own : outOfOrder(s, span);
  }
  const ofLibrary = (): Value | undefined | "none" => s.reader.operator?.(s, sign, operands, span) ?? "none";
  const chosen = chooseOverload(s, functions, operands);
  if (chosen.length === 1 && !inOrder(s, sign, operands, span)) return outOfOrder(s, span);
  if (chosen.length === 1) return callFunction(s, chosen[0]!, operands, span);
  if (chosen.length === 0) return ofLibrary();
  return error(s, "XL2005", `several functions '${name}' fit equally well`, span, {
    notes: chosen.map((f) => ({ message: "this one", span: f.span })),
  });
}
