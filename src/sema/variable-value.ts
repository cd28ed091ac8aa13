import { variablePlace } from "../ast/builders.js";
import type { VarId, Variable } from "../ast/nodes.js";
import { noSpan, type Span } from "../support/span.js";
import type { Type } from "../types/types.js";
import { newVariable, resourceFor, useVariable, type Sema, type Value } from "./context.js";
import { exchanged } from "./matrix-rows.js";

/** A variable as an expression names it. */
export function variableValue(s: Sema, id: VarId, span: Span): Value {
  const v = s.variables.get(id)!;
  useVariable(s, id);
  const place = variablePlace(v, span);
  const resource = resourceFor(s, id);
  const reason = s.programMemory.has(id)
    ? `'${v.name}' lies in global memory at file scope, where it would stay changed for the next launch; it can be a buffer that is an argument of the kernel`
    : v.constant
      ? `'${v.name}' is const`
      : resource?.kind === "value" || resource?.kind === "specialization"
        ? `'${v.name}' is an argument by value`
        : resource?.access === "read"
          ? `'${v.name}' is read-only`
          : v.space === "constant"
            ? `'${v.name}' is in constant memory`
            : undefined;
  const byRows = s.variablesByRows.has(id);
  return {
    type: byRows ? exchanged(s, v.type) : v.type,
    place,
    ...(byRows ? { byRows } : {}),
    ...(reason ? { readOnly: reason } : {}),
  };
}

/** An object that stands for those of its type where nothing is evaluated, and ends with that. */
export function objectUnevaluated(s: Sema, type: Type, constant = false): Variable {
  const made = newVariable(s, { name: "self", type, space: "private", role: "local", constant, span: noSpan });
  s.scratch?.push(made.id);
  return made;
}
