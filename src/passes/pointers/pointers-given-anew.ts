/**
 * `dst = (global float *)((global char *)dst + offset);` at the start of a kernel: from there on it is another pointer. As a variable of its own
 * it has one object and one way to count, where one variable for both would be asked at each use what it leads to. So it is
 * with statements of a function's outermost block, which everything behind them comes by once.
 */
import { declare, ModuleEditor, variablePlace } from "../../ast/builders.js";
import { isOwnText } from "../../ast/lookup.js";
import type { Declare, Expr, FunctionDeclaration, Place, Statement, Variable, VarId } from "../../ast/nodes.js";
import { isPure, rewriteExpr, rewriteStatements, walkExpr, walkStatement } from "../../ast/walk.js";
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
  // By the variable of the source, which the statements behind name.
  const now = new Map<VarId, Variable>();
  const origins = new Map<VarId, VarId>();
  const seen: Seen = { declared: new Map(), held: new Set(), named: new Set() };
  const dropped = new Set<Statement>();
  const statements: Statement[] = [];
  for (const written of f.body.statements) {
    const renamed = now.size > 0 ? rewriteStatements([written], { place: (p) => renamedIn(now, p) }) : [written];
    for (const s of renamed) {
      const given = givenAnew(editor, s);
      // Whoever has the address of the old variable would miss the new value.
      walkStatement(s, {
        place: (p, use) => void (p.kind === "variable" && use === "address" && seen.held.add(p.variable)),
      });
      const made = given && declaredAnew(editor, seen, s, given);
      if (made) {
        const origin = origins.get(given.old.id) ?? given.old.id;
        now.set(origin, made.next);
        origins.set(made.next.id, origin);
        if (made.instead) dropped.add(made.instead);
      }
      const kept = made?.statement ?? s;
      walkStatement(kept, { place: (p) => void (p.kind === "variable" && seen.named.add(p.variable)) });
      if (kept.kind === "declare") seen.declared.set(kept.variable, kept);
      statements.push(kept);
    }
  }
  return now.size === 0 ? f : { ...f, body: { ...f.body, statements: statements.filter((s) => !dropped.has(s)) } };
}

/** What the statements before have of variables. */
interface Seen {
  readonly declared: Map<VarId, Declare>;
  readonly held: Set<VarId>;
  readonly named: Set<VarId>;
}

/** The variable that takes the new value; `instead` of the declaration, where nothing asked for what that began with. */
function declaredAnew(
  editor: ModuleEditor,
  { declared, held, named }: Seen,
  s: Statement,
  { old, value }: { readonly old: Variable; readonly value: Expr },
): { readonly next: Variable; readonly statement: Declare; readonly instead?: Declare } | undefined {
  const first = declared.get(old.id);
  // What is known of one that is null at first is known of the variable.
  if (held.has(old.id) || (first ? !first.initializer || holdsNull(first.initializer) : old.role !== "parameter"))
    return undefined;
  const { id: _id, mode: _mode, ...like } = old;
  const next = editor.addVariable({ ...like, role: "local", span: old.span });
  const start = first?.initializer && !named.has(old.id) && isFixed(first.initializer) ? first.initializer : undefined;
  if (!start) return { next, statement: declare(next.id, value, s.span, s.trivia) };
  const whole = rewriteExpr(value, { expr: (e) => (isLoadOf(e, old) ? start : e) });
  const { leading, trailing } = first!.trivia;
  const trivia = { ...s.trivia, leading: [...leading, ...trailing, ...s.trivia.leading] };
  return { next, statement: declare(next.id, whole, s.span, trivia), instead: first! };
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

const renamedIn = (now: ReadonlyMap<VarId, Variable>, p: Place): Place => {
  const next = p.kind === "variable" ? now.get(p.variable) : undefined;
  return next ? variablePlace(next, p.span) : p;
};

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
