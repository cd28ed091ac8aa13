/**
 * Copies of pointers that nothing has set: a constructor that leaves members as they are returns an object whose pointers
 * lead nowhere, and to copy one sets nothing either. Those of an object that a function is handed lead nowhere there, too.
 */
import type { Argument, Expr, FunctionDeclaration, VarId } from "../ast/nodes.js";
import { append } from "../support/append.js";
import { rewriteFunction, walkStatement } from "../ast/walk.js";

export function withoutUnsetCopies(f: FunctionDeclaration, parts: ReadonlySet<VarId>): FunctionDeclaration {
  const unset = unsetIn(f);
  if (unset.size === 0) return f;
  const copies = (e: Expr | undefined): boolean => unset.has(copied(e) ?? -1);
  const handed = (a: Argument): Argument =>
    a.mode === "value" && copies(a.value) && parts.has(copied(a.value)!)
      ? { ...a, value: { kind: "null-pointer", type: a.value.type, span: a.value.span } }
      : a;
  return rewriteFunction(f, {
    statement: (s) => {
      if (s.kind === "declare" && copies(s.initializer)) {
        const { initializer: _, ...bare } = s;
        return bare;
      }
      const e = s.kind === "expression" ? s.expression : undefined;
      return e?.kind === "assign" && !e.operator && copies(e.value) ? [] : s;
    },
    expr: (e) => (e.kind === "call" ? { ...e, arguments: e.arguments.map(handed) } : e),
  });
}

/** The pointer whose value is copied. */
const copied = (e: Expr | undefined): VarId | undefined =>
  e?.kind === "load" && e.type.kind === "pointer" && e.place.kind === "variable" ? e.place.variable : undefined;

/** Pointers declared in the function that get no value, or only those of such. */
function unsetIn(f: FunctionDeclaration): ReadonlySet<VarId> {
  const unset = new Set<VarId>();
  const copiesOf = new Map<VarId, VarId[]>();
  const given: VarId[] = [];
  const gets = (to: VarId, value: Expr | undefined): void => {
    const from = copied(value);
    const others = from === undefined ? given : copiesOf.get(from);
    if (others) others.push(to);
    else copiesOf.set(from!, [to]);
  };
  walkStatement(f.body, {
    statement: (s) => {
      if (s.kind !== "declare") return;
      unset.add(s.variable);
      if (s.initializer) gets(s.variable, s.initializer);
    },
    expr: (e) => {
      if (e.kind === "assign" && e.target.kind === "variable")
        gets(e.target.variable, e.operator ? undefined : e.value);
    },
    place: (p, use) => {
      if (p.kind === "variable" && use !== "read" && use !== "write") given.push(p.variable);
    },
  });
  // Parameters and the like have values.
  for (const list = [...given, ...[...copiesOf.keys()].filter((v) => !unset.has(v))]; list.length > 0;) {
    const v = list.pop()!;
    unset.delete(v);
    append(list, copiesOf.get(v) ?? []);
    copiesOf.delete(v);
  }
  return unset;
}
