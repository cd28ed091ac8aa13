/** String literals as objects: characters in constant memory (OpenCL C 3.0 6.5.3 by C99 6.4.5; MSL 4.3 by C++14 2.13.5). */
import { noSpan } from "../support/span.js";
import { variablePlace } from "../ast/builders.js";
import type { Expr } from "../ast/nodes.js";
import type * as syntax from "../ast/syntax.js";
import { array, scalar, type Type } from "../types/types.js";
import { withCharacters } from "./character-arrays.js";
import { newVariable, type Sema, type Value } from "./context.js";

/** Reads a list for the type. */
type ReadList = (type: Type, given: syntax.InitializerList) => Expr | undefined;

/** A constant of the file for each place: nothing can tell whether two are the same. */
export function stringLiteral(s: Sema, e: syntax.Literal, listed: ReadList): Value | undefined {
  const open = array(scalar("i8"), undefined);
  const spelled = withCharacters(open, { form: "assign", value: e });
  if (spelled.form === "paren" || spelled.value.kind !== "initializer-list") return undefined;
  const value = listed(open, spelled.value);
  if (!value) return undefined;
  const v = newVariable(s, {
    name: "text",
    type: value.type,
    space: "constant",
    role: "global",
    constant: true,
    span: noSpan,
    initializer: value,
    compileTime: true,
  });
  s.constants.set(v.id, value);
  s.order.push({ kind: "variable", variable: v.id });
  return { type: v.type, place: variablePlace(v, e.span), readOnly: "it is a string literal" };
}
