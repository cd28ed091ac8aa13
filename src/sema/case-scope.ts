/**
 * The scope of what a `switch` declares is the whole switch: a case can use the variable that another one declared, whose
 * initialiser was then jumped over. In the tree a case's variables are its own; those of several stand before the switch, and
 * initialisers become assignments.
 */
import { assign, variablePlace } from "../ast/builders.js";
import {
  noTrivia,
  type Declare,
  type Expr,
  type Statement,
  type SwitchCase,
  type VarId,
  type Variable,
} from "../ast/nodes.js";
import { walkExpr, walkStatement, type Visitor } from "../ast/walk.js";

export interface ScopedCases {
  readonly shared: readonly Declare[];
  readonly cases: readonly SwitchCase[];
}

export function scopeCases(cases: readonly SwitchCase[], variables: Map<VarId, Variable>): ScopedCases {
  const declaredIn = new Map<VarId, number>();
  const shared = new Set<VarId>();
  cases.forEach((c, i) => {
    const used = (id: VarId): void => {
      const at = declaredIn.get(id);
      if (at !== undefined && at !== i) shared.add(id);
    };
    const uses: Visitor = {
      place: (p) => void (p.kind === "variable" && used(p.variable)),
      expr: (e) => void (e.kind === "literal" && e.named !== undefined && used(e.named)),
    };
    for (const l of c.labels) if (l !== "default") walkExpr(l, uses);
    for (const s of c.body) {
      if (s.kind === "declare") declaredIn.set(s.variable, i);
      walkStatement(s, uses);
    }
  });
  if (shared.size === 0) return { shared: [], cases };
  const before: Declare[] = [];
  const apart = (s: Statement): readonly Statement[] => {
    if (s.kind !== "declare" || !shared.has(s.variable)) return [s];
    const v = variables.get(s.variable)!;
    if (v.compileTime) {
      before.push(s);
      return [];
    }
    if (v.constant) variables.set(v.id, { ...v, constant: false });
    const { initializer, ...declared } = s;
    before.push(initializer ? { ...declared, trivia: noTrivia } : declared);
    return initializer ? [assigned(v, initializer, s)] : [];
  };
  return { cases: cases.map((c) => ({ ...c, body: c.body.flatMap(apart) })), shared: before };
}

function assigned(v: Variable, value: Expr, s: Declare): Statement {
  return {
    kind: "expression",
    expression: assign(variablePlace(v, s.span), value, s.span),
    span: s.span,
    trivia: s.trivia,
  };
}
