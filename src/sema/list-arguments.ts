/** Lists in braces as arguments of calls: `f({x, y, 0}, 1)` (C++14 13.3.3.1.5). */
import type * as syntax from "../ast/syntax.js";
import { identityOf, type Type } from "../types/types.js";
import { initializerList } from "./initializer-lists.js";
import { error, exprValue, type FunctionInfo, notYet, shown, type Scope, type Sema, type Value } from "./context.js";
import { expression, expressionReader } from "./expressions.js";
import { typesOf } from "./templates/function-templates.js";
import { attempt } from "./templates/state.js";
import type { FunctionTemplate } from "./templates/template.js";

/** What a call may be of. `parameters` are given where they are not all of a function: a method's object is none of its arguments. */
export interface Callees {
  readonly overloads: readonly Pick<FunctionInfo, "parameters">[];
  readonly templates: readonly FunctionTemplate[];
}

/** The arguments of a call; a list is read as the parameter that all functions have at its place. */
export function argumentValues(s: Sema, e: syntax.Call, callees: () => Callees | undefined): Value[] | undefined {
  const values = e.arguments.map((a, i) => {
    const all = a.kind === "initializer-list" ? callees() : undefined;
    const types = all ? parameterTypes(s, all, i, e.arguments.length) : [];
    return a.kind === "initializer-list" && types.length > 0 ? listValue(s, a, types) : expression(s, a);
  });
  return values.every((v) => v !== undefined) ? values : undefined;
}

function listValue(s: Sema, list: syntax.InitializerList, types: readonly Type[]): Value | undefined {
  if (types.length > 1) {
    const all = types.map((t) => shown(s, t)).join(" and ");
    return error(s, "XL1900", `a list for a parameter that is ${all} is not supported yet`, list.span, {
      help: "write the type in front of it",
    });
  }
  if (types[0]!.kind === "array") return notYet(s, "a list for a parameter that is an array is", list.span);
  const value = initializerList(s, expressionReader(s), types[0]!, list);
  return value && exprValue(value);
}

/** Types of the parameter at a place, of those functions that take so many arguments; what depends on a template's own arguments is none. */
function parameterTypes(s: Sema, { overloads, templates }: Callees, at: number, count: number): Type[] {
  const takes = (list: readonly { readonly given: boolean }[]): boolean =>
    count <= list.length && count >= list.filter((p) => !p.given).length;
  const plain = overloads
    .filter((f) => takes(f.parameters.map((p) => ({ given: p.default !== undefined }))))
    .map((f) => f.parameters[at]!.type);
  const instances = templates
    .filter((t) => takes(t.declaration.parameters.map((p) => ({ given: p.declarator.initializer !== undefined }))))
    .flatMap((t) => attempt(s, () => typesOf(s, [t.declaration.parameters[at]!], withoutArguments(t))) ?? []);
  return [...new Map([...plain, ...instances].map((t) => [identityOf(t), t])).values()];
}

/** Where the template's own parameters have no meaning yet: a type of the file may be named like one. */
function withoutArguments({ parameters, scope: parent }: FunctionTemplate): Scope {
  const names = parameters.flatMap((p) => (p.name ? [p.name] : []));
  return { parent, symbols: new Map(names.map(({ name, span }) => [name, { kind: "error", span }])) };
}
