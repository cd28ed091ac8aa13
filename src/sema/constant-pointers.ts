/**
 * Constants of the file that hold addresses (`constant int *constant p = &table[1];`): no other language has pointers that last from
 * one function to the next. A pointer's name stands for the address, an array or struct is a variable of the function that uses it.
 */
import { declare, variablePlace } from "../ast/builders.js";
import type { Expr, Place } from "../ast/nodes.js";
import type { Span } from "../support/span.js";
import { noSpan } from "../support/span.js";
import { error, exprValue, newVariable, type Sema, type Value } from "./context.js";

/** Whether an address is known before any kernel runs: that of a constant, or of a part of it. `known`: of numbers. */
export function isConstantAddress(s: Sema, e: Expr, known: (e: Expr) => boolean): boolean {
  const place = (p: Place): boolean => {
    switch (p.kind) {
      case "variable": {
        const v = s.variables.get(p.variable)!;
        return v.role === "global" && v.space === "constant";
      }
      case "element":
        return place(p.base) && known(p.index);
      case "member":
        return place(p.base);
      default:
        return false;
    }
  };
  switch (e.kind) {
    case "null-pointer":
      return true;
    case "address-of":
      return place(e.place);
    case "pointer-offset":
      return isConstantAddress(s, e.pointer, known) && known(e.offset);
    // `(constant int *)&table[1]`
    case "bitcast":
    case "convert":
      return e.operand.type.kind === "pointer" && e.type.kind === "pointer"
        ? isConstantAddress(s, e.operand, known)
        : e.type.kind !== "pointer" && known(e);
    case "construct":
      return e.arguments.every((a) => isConstantAddress(s, a, known));
    default:
      return e.type.kind !== "pointer" && known(e);
  }
}

/** What the name of such a constant stands for at a place. */
export function constantAddress(s: Sema, name: string, value: Expr, span: Span): Value {
  const readOnly = `'${name}' is const`;
  if (value.type.kind === "pointer") return { ...exprValue(value), readOnly };
  // Of what is not evaluated the type is enough.
  if (!s.fn && s.scratch) return { ...exprValue(value), readOnly };
  if (!s.fn) error(s, "XL1900", `'${name}', which holds addresses, outside of a function is not supported yet`, span);
  const { type } = value;
  const v = newVariable(s, { name, type, space: "private", role: "local", constant: true, span: noSpan });
  s.fn?.locals.push(declare(v.id, value, span));
  s.addressTables.add(v.id);
  return { type, place: variablePlace(v, span), readOnly };
}
