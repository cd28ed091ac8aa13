/**
 * Pointers that came with an object and that nobody follows: a struct of eight buffers may be copied for the sake of one. Variables
 * and parameters for the others go, and with them the buffers that the host would have to give.
 */
import { functionOf } from "../ast/lookup.js";
import { isPure, rewriteFunction, walkExpr, walkPlace, walkStatement, type Visitor } from "../ast/walk.js";
import type { Expr, FunctionDeclaration, Module, VarId } from "../ast/nodes.js";

type Canonical = Module<"canonical">;

/** `parts`: the variables that are such pointers. */
export function withoutUnreadParts(module: Canonical, parts: ReadonlySet<VarId>): Canonical {
  const needed = neededParts(module, parts);
  const isGone = (id: VarId): boolean => parts.has(id) && !needed.has(id);
  if (![...parts].some(isGone)) return module;
  const functions = module.functions.map((f): FunctionDeclaration => {
    const kept = rewriteFunction(f, {
      statement: (s) => {
        if (s.kind === "declare" && isGone(s.variable)) return [];
        const to = s.kind === "expression" ? assignedTo(s.expression) : undefined;
        return to !== undefined && isGone(to) ? [] : s;
      },
      expr: (e) => {
        if (e.kind !== "call") return e;
        const { parameters } = functionOf(module, e.function)!;
        return { ...e, arguments: e.arguments.filter((_, i) => !isGone(parameters[i]!)) };
      },
    });
    return { ...kept, parameters: kept.parameters.filter((id) => !isGone(id)) };
  });
  return { ...module, functions };
}

const assignedTo = (e: Expr): VarId | undefined =>
  e.kind === "assign" && !e.operator && e.target.kind === "variable" ? e.target.variable : undefined;

const valueOf = (e: Expr): Expr | undefined => (e.kind === "assign" ? e.value : undefined);

/** Those that are read for another end than to be given to a part that is not needed. */
function neededParts(module: Canonical, parts: ReadonlySet<VarId>): ReadonlySet<VarId> {
  const from = new Map<VarId, Set<VarId>>();
  const needed = new Set<VarId>();
  const given = (to: VarId, e: Expr): void => {
    if (!isPure(e)) needed.add(to);
    const sources = from.get(to) ?? new Set<VarId>();
    from.set(to, sources);
    walkExpr(e, {
      place: (p) => {
        if (p.kind === "variable") sources.add(p.variable);
        return true;
      },
    });
  };
  const visitor: Visitor = {
    place: (p) => {
      if (p.kind === "variable") needed.add(p.variable);
    },
    expr: (e) => {
      if (e.kind !== "call") return true;
      const { parameters } = functionOf(module, e.function)!;
      e.arguments.forEach((a, i) => {
        if (a.mode !== "value") walkPlace(a.place, visitor, "both");
        else if (parts.has(parameters[i]!)) given(parameters[i]!, a.value);
        else walkExpr(a.value, visitor);
      });
      return false;
    },
    statement: (s) => {
      const to = s.kind === "declare" ? s.variable : s.kind === "expression" ? assignedTo(s.expression) : undefined;
      if (to === undefined || !parts.has(to)) return true;
      // What is said at its declaration stays.
      if (s.trivia.leading.length > 0 || s.trivia.trailing.length > 0) needed.add(to);
      const value = s.kind === "declare" ? s.initializer : s.kind === "expression" ? valueOf(s.expression) : undefined;
      if (value) given(to, value);
      return false;
    },
  };
  for (const f of module.functions) walkStatement(f.body, visitor);
  for (const id of needed) for (const source of from.get(id) ?? []) needed.add(source);
  return needed;
}
