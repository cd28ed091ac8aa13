/** Lists in braces as arguments of calls: `f({x, y, 0}, 1)`, `a[{x, y}]` (C++14 13.3.3.1.5, 13.5.5). */
import type * as syntax from "../ast/syntax.js";
import type { Expr } from "../ast/nodes.js";
import { implicitConversion } from "../dialects/conversions.js";
import { identityOf, sameType, voidType, type Type } from "../types/types.js";
import { initializerList } from "./initializer-lists.js";
import { becomesFunctionPointer, functionPointersOf } from "./function-pointers.js";
import { functionsMeant, functionValue, onlyFunction } from "./lambdas.js";
import { memberOfPath } from "./namespaces.js";
import { error, exprValue, notYet, type ParameterInfo, shown, type Scope, type Sema, type Value } from "./context.js";
import { lookup } from "./scopes.js";
import { expression, expressionReader, unevaluated, unevaluatedOperand } from "./expressions.js";
import { becomesBase } from "./constructors.js";
import { baseRank, userRank } from "./overloads.js";
import { bind, givenArguments } from "./templates/bind.js";
import { functionNamed, takesSoMany, typesOf } from "./templates/function-templates.js";
import { attempt } from "./templates/state.js";
import type { FunctionTemplate } from "./templates/template.js";

/** What a call may be of. `parameters` are given where they are not all of a function: a method's object is none of its arguments. */
export interface Callees {
  readonly overloads: readonly { readonly parameters: readonly Pick<ParameterInfo, "type" | "default">[] }[];
  readonly templates: readonly FunctionTemplate[];
  /** What a list in a list makes, which is no such object itself (C++14 13.3.3.1 (4)). */
  readonly object?: Type | undefined;
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
    const named = overloadedIn(s, a);
    if (named && tellsFunction(s, callees(), i, args.length)) return functionOfSeveral(s, named);
    return a.kind === "initializer-list" && all ? listValue(s, a, taking(all, args.length), i) : expression(s, a);
  });
  return values.every((v) => v !== undefined) ? values : undefined;
}

/** A name that stands for several functions, or for a template of some, as an argument: `f(pick)`, `f(&pick)`. */
function overloadedIn(s: Sema, a: syntax.Expression): syntax.Identifier | undefined {
  let e = a;
  while (e.kind === "parenthesized" || (e.kind === "unary" && e.operator === "&"))
    e = e.kind === "unary" ? e.operand : e.expression;
  if (e.kind !== "identifier" || e.templateArguments || !s.reading.declarations.lambdas) return undefined;
  const { name, path } = e;
  const symbol = path.length > 0 ? attempt(s, () => memberOfPath(s, e)) : lookup(s, name);
  if (symbol?.kind !== "functions" && symbol?.kind !== "methods") return undefined;
  return functionsMeant(s, symbol, name) && !onlyFunction(s, symbol, name) ? e : undefined;
}

/** Whether a parameter at this place is a pointer to functions: that tells which of several is meant (C++14 13.4 (1)). */
function tellsFunction(s: Sema, callees: Callees | undefined, at: number, count: number): boolean {
  const all = callees && taking(callees, count);
  const isWritten = (t: FunctionTemplate): boolean =>
    t.declaration.parameters[at]?.declarator.derivations.some((d) => d.kind === "function") === true;
  return (
    all !== undefined &&
    (all.templates.some(isWritten) || parameterTypes(s, all, at).some((type) => functionPointersOf(s, type)))
  );
}

/** An expression where a value of the type is wanted, which tells the function that a name of several means (C++14 13.4 (1)). */
export function expressionAs(s: Sema, e: syntax.Expression, type: Type): Value | undefined {
  const named = functionPointersOf(s, type) && overloadedIn(s, e);
  return (named && functionOfSeveral(s, named).listed.as(type)) ?? expression(s, e);
}

function functionOfSeveral(s: Sema, e: syntax.Identifier): Value & { readonly listed: object } {
  const fitting = (type: Type): Value | undefined => {
    const pointers = functionPointersOf(s, type);
    const types = pointers?.dispatch.parameters.slice(1).map((p) => p.type);
    const f = types && functionNamed(s, e, { parameterTypes: () => types }, s.scope);
    const value = f && functionValue(s, f);
    return value && becomesFunctionPointer(s, value, pointers!) ? value : undefined;
  };
  const rank = (type: Type): number | undefined => (fitting(type) ? 0 : undefined);
  return { type: voidType, listed: { rank, as: fitting, shown: "several functions" } };
}

function listValue(s: Sema, list: syntax.InitializerList, callees: Callees, at: number): Value | undefined {
  const types = parameterTypes(s, callees, at);
  const byRank = s.reading.expressions.bestOverload !== "all together";
  const waits = byRank && callees.overloads.length + callees.templates.length > 1;
  const mayBeDeduced = byRank && callees.templates.length > 0;
  if (types.length === 0 && !mayBeDeduced) return expression(s, list);
  const read = (type: Type): Expr | undefined => initializerList(s, expressionReader(s), type, list);
  // An explicit constructor may be chosen, which is then an error.
  const fits = (type: Type): boolean =>
    unevaluated(s, () => attempt(s, () => initializerList(s, expressionReader(s), type, list, true))) !== undefined;
  const fitting = types.length > 1 || waits || mayBeDeduced ? types.filter(fits) : types;
  if (fitting.length > 1 || types.length === 0 || mayBeDeduced || (waits && fitting.length > 0))
    return ofSeveral(s, list, callees, fitting, read);
  const type = fitting[0] ?? types[0]!;
  if (type.kind === "array") return notYet(s, "a list for a parameter that is an array is", list.span);
  const value = read(type);
  return value && exprValue(value);
}

/**
 * A list that is read when it is known of which function it is an argument: it is of no type, and says nothing of what a template stands for
 * (C++14 14.8.2.5 (5)).
 */
function ofSeveral(
  s: Sema,
  list: syntax.InitializerList,
  { object }: Callees,
  types: readonly Type[],
  read: (type: Type) => Expr | undefined,
): Value | undefined {
  const unranked = (all: readonly Type[]): undefined =>
    error(
      s,
      "XL1900",
      `a list for a parameter that is ${all.map((t) => shown(s, t)).join(" and ")} is not supported yet`,
      list.span,
      {
        help: "write the type in front of it",
      },
    );
  const ranks = new Map<string, number | undefined>(types.map((t) => [identityOf(t), rankOf(s, list, t)]));
  const [first, ...others] = types;
  if (first && others.length === 0 && first.kind !== "array")
    ranks.set(identityOf(first), rankOf(s, list, first) ?? userRank);
  const isKnown = [...ranks.values()].every((rank) => rank !== undefined);
  if (!isKnown || s.reading.expressions.bestOverload === "all together") return unranked(types);
  const rank = (type: Type): number | undefined => {
    const key = identityOf(type);
    // The type of a parameter that other arguments tell.
    if (!ranks.has(key) && !(object && identityOf(object) === key)) {
      const fits = unevaluated(s, () => attempt(s, () => read(type))) !== undefined;
      const own = fits ? rankOf(s, list, type) : undefined;
      if (fits && own === undefined) unranked([...types, type]);
      ranks.set(key, own);
    }
    return ranks.get(key);
  };
  const [only, ...rest] = list.elements;
  const isAlone = only !== undefined && rest.length === 0 && only.designators.length === 0;
  const written = isAlone && only.value.kind !== "initializer-list" ? only.value : undefined;
  const as = (type: Type, referred = false): Value | undefined => {
    if (referred && written) return expression(s, written);
    const value = read(type);
    return value && exprValue(value);
  };
  const element = written && unevaluatedOperand(s, written);
  return { type: voidType, listed: { rank, as, element, shown: "a list" } };
}

/**
 * A class is made by what the source declares, or part by part, which counts as that, or is the object in the list; a number of a list is as good
 * as without braces.
 */
function rankOf(s: Sema, { elements }: syntax.InitializerList, type: Type): number | undefined {
  if (type.kind !== "struct" && (type.kind !== "scalar" || elements.length > 1)) return undefined;
  const [only] = elements;
  if (!only || only.value.kind === "initializer-list") return type.kind === "struct" ? userRank : 0;
  const given = elements.length === 1 ? unevaluatedOperand(s, only.value) : undefined;
  if (type.kind === "scalar") return given && implicitConversion(s.form, given.type, type, "argument");
  if (!given || !becomesBase(s, given.type, type)) return given && sameType(given.type, type) ? 0 : userRank;
  return baseRank;
}

/** Those that take so many arguments. */
function taking({ overloads, templates, ...rest }: Callees, count: number): Callees {
  const takes = (list: readonly { readonly given: boolean }[]): boolean =>
    count <= list.length && count >= list.filter((p) => !p.given).length;
  return {
    ...rest,
    overloads: overloads.filter((f) => takes(f.parameters.map((p) => ({ given: p.default !== undefined })))),
    templates: templates.filter((t) => takesSoMany(t.declaration.parameters, count, t.declaration.variadic)),
  };
}

/** Types of the parameter at a place; what depends on arguments of a template that are not given is none. */
function parameterTypes(s: Sema, { overloads, templates, given }: Callees, at: number): Type[] {
  const plain = overloads.map((f) => f.parameters[at]!.type);
  const instances = templates.flatMap((t) => {
    const p = t.declaration.parameters[at];
    return p && !p.declarator.pack ? (attempt(s, () => typesOf(s, [p], withArguments(s, t, given))) ?? []) : [];
  });
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
