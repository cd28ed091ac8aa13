/** Lists in braces as arguments of calls: `f({x, y, 0}, 1)`, `a[{x, y}]` (C++14 13.3.3.1.5, 13.5.5). */
import type * as syntax from "../ast/syntax.js";
import type { Expr } from "../ast/nodes.js";
import { implicitConversion } from "../dialects/conversions.js";
import { identityOf, voidType, type Type } from "../types/types.js";
import { initializerList } from "./initializer-lists.js";
import { error, exprValue, notYet, type ParameterInfo, shown, type Scope, type Sema, type Value } from "./context.js";
import { expression, expressionReader, unevaluated, unevaluatedOperand } from "./expressions.js";
import { userRank } from "./overloads.js";
import { bind, givenArguments } from "./templates/bind.js";
import { typesOf } from "./templates/function-templates.js";
import { attempt } from "./templates/state.js";
import type { FunctionTemplate } from "./templates/template.js";

/** What a call may be of. `parameters` are given where they are not all of a function: a method's object is none of its arguments. */
export interface Callees {
  readonly overloads: readonly { readonly parameters: readonly Pick<ParameterInfo, "type" | "default">[] }[];
  readonly templates: readonly FunctionTemplate[];
  /** What the call says that the templates stand for. */
  readonly given?: readonly syntax.TemplateArgument[] | undefined;
}

/** The arguments of a call; a list is read as the parameter that it can be, of those that the functions have at its place. */
export function argumentValues(
  s: Sema,
  args: readonly syntax.Expression[],
  callees: () => Callees | undefined,
): Value[] | undefined {
  const values = args.map((a, i) => {
    const all = a.kind === "initializer-list" ? callees() : undefined;
    const types = all ? parameterTypes(s, all, i, args.length) : [];
    return a.kind === "initializer-list" && types.length > 0 ? listValue(s, a, types) : expression(s, a);
  });
  return values.every((v) => v !== undefined) ? values : undefined;
}

function listValue(s: Sema, list: syntax.InitializerList, types: readonly Type[]): Value | undefined {
  const read = (type: Type): Expr | undefined => initializerList(s, expressionReader(s), type, list);
  const fitting =
    types.length > 1 ? types.filter((t) => unevaluated(s, () => attempt(s, () => read(t))) !== undefined) : types;
  if (fitting.length > 1) return ofSeveral(s, list, fitting, read);
  const type = fitting[0] ?? types[0]!;
  if (type.kind === "array") return notYet(s, "a list for a parameter that is an array is", list.span);
  const value = read(type);
  return value && exprValue(value);
}

/** A list that is read when it is known of which function it is an argument. */
function ofSeveral(
  s: Sema,
  list: syntax.InitializerList,
  types: readonly Type[],
  read: (type: Type) => Expr | undefined,
): Value | undefined {
  const ranks = new Map(types.map((t) => [identityOf(t), rankOf(s, list, t)]));
  if ([...ranks.values()].some((rank) => rank === undefined) || s.reading.expressions.bestOverload === "all together") {
    const all = types.map((t) => shown(s, t)).join(" and ");
    return error(s, "XL1900", `a list for a parameter that is ${all} is not supported yet`, list.span, {
      help: "write the type in front of it",
    });
  }
  const as = (type: Type): Value | undefined => {
    const value = read(type);
    return value && exprValue(value);
  };
  return { type: voidType, listed: { rank: (type) => ranks.get(identityOf(type)), as } };
}

/** A class is made by what the source declares, or part by part, which counts as that; a number of a list is as good as without braces. */
function rankOf(s: Sema, { elements }: syntax.InitializerList, type: Type): number | undefined {
  if (type.kind === "struct") return userRank;
  if (type.kind !== "scalar" || elements.length > 1) return undefined;
  const [only] = elements;
  if (!only || only.value.kind === "initializer-list") return 0;
  const given = unevaluatedOperand(s, only.value);
  return given && implicitConversion(s.form, given.type, type, "argument");
}

/** Types of the parameter at a place, of those functions that take so many arguments; what depends on arguments of a template that are not given is none. */
function parameterTypes(s: Sema, { overloads, templates, given }: Callees, at: number, count: number): Type[] {
  const takes = (list: readonly { readonly given: boolean }[]): boolean =>
    count <= list.length && count >= list.filter((p) => !p.given).length;
  const plain = overloads
    .filter((f) => takes(f.parameters.map((p) => ({ given: p.default !== undefined }))))
    .map((f) => f.parameters[at]!.type);
  const instances = templates
    .filter((t) => takes(t.declaration.parameters.map((p) => ({ given: p.declarator.initializer !== undefined }))))
    .flatMap((t) => attempt(s, () => typesOf(s, [t.declaration.parameters[at]!], withArguments(s, t, given))) ?? []);
  return [...new Map([...plain, ...instances].map((t) => [identityOf(t), t])).values()];
}

/** Where the template's parameters stand for what is given, and have no meaning yet without: a type of the file may be named like one. */
function withArguments(s: Sema, t: FunctionTemplate, given: Callees["given"]): Scope {
  const names = t.parameters.flatMap((p) => (p.name ? [p.name] : []));
  const scope: Scope = {
    parent: t.scope,
    symbols: new Map(names.map(({ name, span }) => [name, { kind: "error", span }])),
  };
  const list = given && attempt(s, () => givenArguments(s, t.parameters, given, t.scope));
  list?.forEach((a, i) => bind(scope, t.parameters[i]!, a));
  return scope;
}
