/**
 * `dst = (global float *)((global char *)dst + offset);` at the start of a kernel: from there on it is another pointer. As a variable of its own
 * it has one object and one way to count, where one variable for both would be asked at each use what it leads to. So it is
 * with statements of a function's outermost block, which everything behind them comes by once.
 */
import { declare, ModuleEditor, variablePlace } from "../../ast/builders.js";
import { isOwnText } from "../../ast/lookup.js";
import type { Declare, Expr, FunctionDeclaration, Place, Statement, Variable, VarId } from "../../ast/nodes.js";
import { isPure, rewriteExpr, rewriteStatements, walkExpr, walkStatement, type Visitor } from "../../ast/walk.js";
import type { Pass } from "../pass.js";

export const pointersGivenAnew: Pass = {
  name: "pointers-given-anew",
  run(module, context) {
    if (isOwnText(module, context.target)) return module;
    const editor = new ModuleEditor(module);
    const functions = module.functions.map((f) => withNewPointers(editor, f));
    return functions.every((f, i) => f === module.functions[i]) ? module : editor.finish({ functions });
  },
};

function withNewPointers(editor: ModuleEditor, f: FunctionDeclaration): FunctionDeclaration {
  let statements = f.body.statements;
  const held = new Set<VarId>();
  for (let at = 0; at < statements.length; at++) {
    const s = statements[at]!;
    const given = givenAnew(editor, s);
    // Whoever has the address of the old variable would miss the new value.
    walkStatement(s, { place: (p, use) => void (p.kind === "variable" && use === "address" && held.add(p.variable)) });
    if (!given || held.has(given.old.id)) continue;
    const { old, value } = given;
    const declaredAt = statements.findIndex((d) => d.kind === "declare" && d.variable === old.id);
    const first = statements[declaredAt] as Declare | undefined;
    // What is known of one that is null at first is known of the variable.
    if (first ? !first.initializer || holdsNull(first.initializer) : old.role !== "parameter") continue;
    const { id: _id, mode: _mode, ...like } = old;
    const next = editor.addVariable({ ...like, role: "local", span: old.span });
    const behind = rewriteStatements(statements.slice(at + 1), { place: (p) => renamed(p, old, next) });
    const before = statements.slice(0, at);
    const start =
      first?.initializer && !isNamed(before, old) && isFixed(first.initializer) ? first.initializer : undefined;
    const whole = start ? rewriteExpr(value, { expr: (e) => (isLoadOf(e, old) ? start : e) }) : value;
    const made = declare(next.id, whole, s.span, s.trivia);
    statements = [...before, made, ...behind];
    if (!start) continue;
    const { trivia } = first!;
    statements = statements.filter((d) => d !== first);
    at--;
    if (trivia.leading.length + trivia.trailing.length === 0) continue;
    statements = statements.map((d) =>
      d === made
        ? { ...d, trivia: { ...d.trivia, leading: [...trivia.leading, ...trivia.trailing, ...d.trivia.leading] } }
        : d,
    );
  }
  return statements === f.body.statements ? f : { ...f, body: { ...f.body, statements } };
}

/** A pointer that a statement gives something else than itself some elements on. */
function givenAnew(editor: ModuleEditor, s: Statement): { readonly old: Variable; readonly value: Expr } | undefined {
  if (s.kind !== "expression" || s.expression.kind !== "assign" || s.expression.operator) return undefined;
  const { target, value } = s.expression;
  if (target.kind !== "variable") return undefined;
  const old = editor.variables.get(target.variable)!;
  if (
    old.type.kind !== "pointer" ||
    old.type.pointee.kind === "pointer" ||
    old.volatile ||
    (old.mode ?? "value") !== "value"
  )
    return undefined;
  if ((old.role !== "local" && old.role !== "parameter") || isStepOf(value, old)) return undefined;
  let writes = false;
  walkExpr(value, {
    place: (p, use) => void (writes ||= use !== "read" && p.kind === "variable" && p.variable === old.id),
  });
  return writes ? undefined : { old, value };
}

const isLoadOf = (e: Expr, v: Variable): boolean =>
  e.kind === "load" && e.place.kind === "variable" && e.place.variable === v.id;

const isStepOf = (e: Expr, v: Variable): boolean =>
  e.kind === "pointer-offset" ? isStepOf(e.pointer, v) : isLoadOf(e, v);

const renamed = (p: Place, old: Variable, next: Variable): Place =>
  p.kind === "variable" && p.variable === old.id ? variablePlace(next, p.span) : p;

function isNamed(statements: readonly Statement[], v: Variable): boolean {
  let found = false;
  const visitor: Visitor = { place: (p) => void (found ||= p.kind === "variable" && p.variable === v.id) };
  for (const s of statements) walkStatement(s, visitor);
  return found;
}

/** The address of an object: the same wherever it is asked for. */
function isFixed(e: Expr): boolean {
  let reads = !isPure(e);
  walkExpr(e, { expr: (x) => void (reads ||= x.kind === "load" || x.kind === "builtin") });
  return !reads;
}

function holdsNull(e: Expr): boolean {
  let found = false;
  walkExpr(e, { expr: (x) => void (found ||= x.kind === "null-pointer") });
  return found;
}
