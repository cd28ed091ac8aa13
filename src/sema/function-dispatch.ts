/** What calls by pointers to functions that are told at run time are made by: see function-pointers.ts. */
import {
  assign,
  binary,
  block,
  declare,
  element,
  expressionStatement,
  functionCall,
  i32Literal,
  ifStatement,
  load,
  nullPointer,
  returnStatement,
  variablePlace,
} from "../ast/builders.js";
import {
  noTrivia,
  type Argument,
  type Expr,
  type FunctionId,
  type Module,
  type Statement,
  type TopLevel,
  type Variable,
  type VarId,
} from "../ast/nodes.js";
import { walkStatement } from "../ast/walk.js";
import type { Span } from "../support/span.js";
import { i32, type Type } from "../types/types.js";
import { newVariable, notYet, type FunctionInfo, type Sema } from "./context.js";
import { holdsFunctionPointers } from "./function-pointers.js";
import { parameterVariable } from "./functions.js";
import { define } from "./templates/define.js";

/** The functions that calls by pointers are made by, before it is looked at who calls whom. */
export function declareDispatches(s: Sema): void {
  if (s.functionPointers.size === 0) return;
  const all = (): FunctionInfo[] => [...s.functionPointers.values()].flatMap((p) => p.functions);
  // What a body names where a pointer is wanted may be another's.
  for (let read = 0; read < all().length;) {
    const functions = all();
    read = functions.length;
    for (const f of functions) define(s, f, f.span);
  }
  const unset = unsetTypes(s);
  for (const pointers of s.functionPointers.values()) {
    const { functions, dispatch } = pointers;
    if (!s.functions.some((f) => f.calls.has(dispatch.id))) continue;
    for (const f of functions) dispatch.calls.set(f.id, dispatch.span);
    const parameters = dispatch.parameters.map((p, i) => parameterVariable(s, p, i));
    dispatch.declaration = {
      id: dispatch.id,
      name: dispatch.name,
      parameters: parameters.map((v) => v.id),
      returnType: dispatch.returnType,
      body: block(
        calls(
          s,
          parameters,
          functions,
          dispatch,
          pointers.nullable || unset.some((type) => holdsFunctionPointers(s, type, pointers)),
        ),
      ),
      isEntry: false,
      span: dispatch.span,
      nameSpan: dispatch.span,
      trivia: noTrivia,
    };
    s.order.push({ kind: "function", function: dispatch.id });
  }
}

function calls(
  s: Sema,
  [which, ...parameters]: readonly Variable[],
  functions: readonly FunctionInfo[],
  { returnType, span }: FunctionInfo,
  mayBeNone: boolean,
): readonly Statement[] {
  const isVoid = returnType.kind === "void";
  const given = parameters.map((v): Argument =>
    v.mode === "value" || v.mode === "in" || v.mode === undefined
      ? { mode: "value", value: load(variablePlace(v)) }
      : { mode: v.mode, place: variablePlace(v) },
  );
  const made = (f: FunctionInfo): Statement => {
    const call = functionCall(f.id, given, returnType, span);
    return isVoid ? block([expressionStatement(call), returnStatement(undefined)]) : returnStatement(call);
  };
  const last = mayBeNone ? undefined : functions.at(-1);
  const asked = functions.filter((f) => f !== last);
  const number = load(variablePlace(which!));
  const out: Statement[] = asked.map((f) =>
    ifStatement(binary("eq", number, i32Literal(functions.indexOf(f) + 1)), made(f)),
  );
  if (!last) return [...out, ...outside(s, number, returnType, span)];
  return [...out, isVoid ? expressionStatement(functionCall(last.id, given, returnType, span)) : made(last)];
}

/**
 * A call by null, or by what nothing has set, is an access outside the memory that it names, as one through any other such pointer: the
 * number is none of those that were asked for, so that it is not 1.
 */
function outside(s: Sema, number: Expr, returnType: Type, span: Span): readonly Statement[] {
  const object = (type: Type): Variable =>
    newVariable(s, { name: "nothing", type, space: "private", role: "local", constant: false, span });
  const isStored = returnType.kind === "void" || returnType.kind === "pointer";
  const nothing = object({ kind: "array", element: isStored ? i32 : returnType, length: 1 });
  const place = element(variablePlace(nothing), binary("sub", number, i32Literal(1)), span);
  const declared = declare(nothing.id);
  if (!isStored) return [declared, returnStatement(load(place))];
  const stored = expressionStatement(assign(place, i32Literal(0)));
  return [declared, stored, ...(returnType.kind === "void" ? [] : [returnStatement(nullPointer(returnType, span))])];
}

/** The types of variables that nothing is given where they are declared, and unions: what is read of those may be another member's. */
function unsetTypes(s: Sema): readonly Type[] {
  const set = new Set<VarId>();
  for (const { declaration } of s.functions)
    if (declaration)
      walkStatement(declaration.body, {
        statement: (d) => void (d.kind === "declare" && d.initializer && set.add(d.variable)),
      });
  const unions = [...s.structs.values()].filter((d) => d.union && d.members.length > 1);
  return [...s.variables.values()]
    .filter((v) => v.role !== "parameter" && !v.initializer && !set.has(v.id))
    .map((v) => v.type)
    .concat(unions.flatMap((d) => d.members.map((m) => m.type)));
}

/** Functions behind all that they call, as far as they have to be moved for that. */
export function calleesFirst(s: Sema, module: Module<"canonical">): Module<"canonical"> {
  if (s.functionPointers.size === 0) return module;
  const callees = new Map(
    module.functions.map((f) => {
      const called = new Set<FunctionId>();
      walkStatement(f.body, { expr: (e) => void (e.kind === "call" && called.add(e.function)) });
      return [f.id, called];
    }),
  );
  const done = new Set<FunctionId>();
  const order: TopLevel[] = [];
  let waiting: TopLevel[] = [];
  const isReady = (o: TopLevel): boolean =>
    o.kind !== "function" || [...(callees.get(o.function) ?? [])].every((id) => done.has(id));
  const take = (o: TopLevel): void => {
    order.push(o);
    if (o.kind === "function") done.add(o.function);
  };
  for (const o of module.order) {
    if (!isReady(o)) {
      waiting.push(o);
      continue;
    }
    take(o);
    for (let next = waiting.find(isReady); next; next = waiting.find(isReady)) {
      const taken = next;
      waiting = waiting.filter((w) => w !== taken);
      take(taken);
    }
  }
  const at = new Map(
    [...order, ...waiting].flatMap((o, i) => (o.kind === "function" ? [[o.function, i] as const] : [])),
  );
  const functions = [...module.functions].sort((a, b) => (at.get(a.id) ?? 0) - (at.get(b.id) ?? 0));
  return { ...module, order: [...order, ...waiting], functions };
}

/** The host cannot give pointers to functions. */
export function refuseFunctionsOfHost(s: Sema): void {
  for (const r of s.resources) {
    const v = s.variables.get(r.variable)!;
    if (holdsFunctionPointers(s, v.type)) notYet(s, "a pointer to a function that the host gives is", v.span);
  }
}
