/** Children, walks and rewrites of the canonical tree. Every kind is listed once here; passes build on these. */
import { assertNever } from "../support/assert-never.js";
import type {
  Argument,
  Block,
  Expr,
  Module,
  Place,
  Statement,
  SwitchCase,
  FunctionDeclaration,
  Declare,
  ExpressionStatement,
} from "./nodes.js";

export interface Visitor {
  /** Return false to skip the children. */
  readonly expr?: (e: Expr) => boolean | void;
  readonly place?: (p: Place, use: "read" | "write" | "both" | "address") => boolean | void;
  readonly statement?: (s: Statement) => boolean | void;
}

export function walkExpr(e: Expr, v: Visitor): void {
  if (v.expr?.(e) === false) return;
  switch (e.kind) {
    case "literal":
    case "enumerator":
    case "builtin":
      return;
    case "load":
    case "length":
      return walkPlace(e.place, v, "read");
    case "unary":
    case "convert":
    case "bitcast":
    case "splat":
    case "swizzle-value":
    case "member-value":
      return walkExpr(e.operand, v);
    case "element-value":
      walkExpr(e.operand, v);
      return walkExpr(e.index, v);
    case "binary":
    case "logical":
    case "comma":
      walkExpr(e.left, v);
      return walkExpr(e.right, v);
    case "conditional":
      walkExpr(e.condition, v);
      walkExpr(e.whenTrue, v);
      return walkExpr(e.whenFalse, v);
    case "construct":
      return e.arguments.forEach((a) => walkExpr(a, v));
    case "op":
      e.places.forEach((p) => walkPlace(p, v, "both"));
      return e.arguments.forEach((a) => walkExpr(a, v));
    case "call":
      for (const a of e.arguments) {
        if (a.mode === "value") walkExpr(a.value, v);
        else walkPlace(a.place, v, a.mode === "out" ? "write" : "both");
      }
      return;
    case "assign":
      walkPlace(e.target, v, e.operator ? "both" : "write");
      return walkExpr(e.value, v);
    case "increment":
      return walkPlace(e.place, v, "both");
    case "address-of":
      return walkPlace(e.place, v, "address");
    case "pointer-offset":
      walkExpr(e.pointer, v);
      return walkExpr(e.offset, v);
    default:
      return assertNever(e);
  }
}

export function walkPlace(p: Place, v: Visitor, use: "read" | "write" | "both" | "address"): void {
  if (v.place?.(p, use) === false) return;
  switch (p.kind) {
    case "variable":
      return;
    case "deref":
      return walkExpr(p.pointer, v);
    case "element":
      walkPlace(p.base, v, use);
      return walkExpr(p.index, v);
    case "member":
    case "swizzle":
      return walkPlace(p.base, v, use);
    default:
      return assertNever(p);
  }
}

export function walkStatement(s: Statement, v: Visitor): void {
  if (v.statement?.(s) === false) return;
  switch (s.kind) {
    case "block":
      return s.statements.forEach((c) => walkStatement(c, v));
    case "declare":
      if (s.initializer) walkExpr(s.initializer, v);
      return;
    case "expression":
      return walkExpr(s.expression, v);
    case "if":
      walkExpr(s.condition, v);
      walkStatement(s.then, v);
      if (s.else) walkStatement(s.else, v);
      return;
    case "switch":
      walkExpr(s.value, v);
      for (const c of s.cases) {
        for (const l of c.labels) if (l !== "default") walkExpr(l, v);
        c.body.forEach((b) => walkStatement(b, v));
      }
      return;
    case "for":
      s.initializer.forEach((i) => walkStatement(i, v));
      if (s.condition) walkExpr(s.condition, v);
      if (s.step) walkExpr(s.step, v);
      return walkStatement(s.body, v);
    case "while":
      walkExpr(s.condition, v);
      return walkStatement(s.body, v);
    case "do-while":
      walkStatement(s.body, v);
      return walkExpr(s.condition, v);
    case "return":
      if (s.value) walkExpr(s.value, v);
      return;
    case "break":
    case "continue":
    case "barrier":
      return;
    default:
      return assertNever(s);
  }
}

/** Every expression of the module: bodies, global initialisers, defaults of specialisation constants. */
export function walkModule(module: Module, v: Visitor): void {
  for (const variable of module.variables.values())
    if (variable.initializer) walkExpr(variable.initializer, v);
  for (const r of module.resources) if (r.defaultValue) walkExpr(r.defaultValue, v);
  for (const f of module.functions) walkStatement(f.body, v);
}

/**
 * A bottom-up rewrite: children first, then the hook on the rebuilt node. A hook that returns its argument leaves the
 * node; unchanged subtrees are shared. A changed subtree loses its `macro` reference.
 */
export interface Rewriter {
  readonly expr?: (e: Expr) => Expr;
  readonly place?: (p: Place) => Place;
  /** One statement may become several (they join the surrounding block) or none. */
  readonly statement?: (s: Statement) => Statement | readonly Statement[];
  /** Before the children: return a node to use it as it is, without descending. */
  readonly enterExpr?: (e: Expr) => Expr | undefined;
  readonly enterStatement?: (s: Statement) => Statement | readonly Statement[] | undefined;
}

function mapSame<T>(list: readonly T[], f: (t: T) => T): readonly T[] {
  let changed = false;
  const out = list.map((t) => {
    const n = f(t);
    if (n !== t) changed = true;
    return n;
  });
  return changed ? out : list;
}

export function rewriteExpr(e: Expr, r: Rewriter): Expr {
  const early = r.enterExpr?.(e);
  if (early) return early;
  let n = rewriteChildren(e, r);
  if (n !== e && n.macro) {
    const { macro: _dropped, ...rest } = n;
    n = rest as Expr;
  }
  return r.expr ? r.expr(n) : n;
}

function rewriteChildren(e: Expr, r: Rewriter): Expr {
  switch (e.kind) {
    case "literal":
    case "enumerator":
    case "builtin":
      return e;
    case "load":
    case "length": {
      const place = rewritePlace(e.place, r);
      return place === e.place ? e : { ...e, place };
    }
    case "unary":
    case "convert":
    case "bitcast":
    case "splat":
    case "swizzle-value":
    case "member-value": {
      const operand = rewriteExpr(e.operand, r);
      return operand === e.operand ? e : { ...e, operand };
    }
    case "element-value": {
      const operand = rewriteExpr(e.operand, r);
      const index = rewriteExpr(e.index, r);
      return operand === e.operand && index === e.index ? e : { ...e, operand, index };
    }
    case "binary":
    case "logical":
    case "comma": {
      const left = rewriteExpr(e.left, r);
      const right = rewriteExpr(e.right, r);
      return left === e.left && right === e.right ? e : { ...e, left, right };
    }
    case "conditional": {
      const condition = rewriteExpr(e.condition, r);
      const whenTrue = rewriteExpr(e.whenTrue, r);
      const whenFalse = rewriteExpr(e.whenFalse, r);
      return condition === e.condition && whenTrue === e.whenTrue && whenFalse === e.whenFalse
        ? e
        : { ...e, condition, whenTrue, whenFalse };
    }
    case "construct": {
      const args = mapSame(e.arguments, (a) => rewriteExpr(a, r));
      return args === e.arguments ? e : { ...e, arguments: args };
    }
    case "op": {
      const places = mapSame(e.places, (p) => rewritePlace(p, r));
      const args = mapSame(e.arguments, (a) => rewriteExpr(a, r));
      return places === e.places && args === e.arguments ? e : { ...e, places, arguments: args };
    }
    case "call": {
      const args = mapSame(e.arguments, (a): Argument => {
        if (a.mode === "value") {
          const value = rewriteExpr(a.value, r);
          return value === a.value ? a : { ...a, value };
        }
        const place = rewritePlace(a.place, r);
        return place === a.place ? a : { ...a, place };
      });
      return args === e.arguments ? e : { ...e, arguments: args };
    }
    case "assign": {
      const target = rewritePlace(e.target, r);
      const value = rewriteExpr(e.value, r);
      return target === e.target && value === e.value ? e : { ...e, target, value };
    }
    case "increment":
    case "address-of": {
      const place = rewritePlace(e.place, r);
      return place === e.place ? e : { ...e, place };
    }
    case "pointer-offset": {
      const pointer = rewriteExpr(e.pointer, r);
      const offset = rewriteExpr(e.offset, r);
      return pointer === e.pointer && offset === e.offset ? e : { ...e, pointer, offset };
    }
    default:
      return assertNever(e);
  }
}

export function rewritePlace(p: Place, r: Rewriter): Place {
  let n: Place = p;
  switch (p.kind) {
    case "variable":
      break;
    case "deref": {
      const pointer = rewriteExpr(p.pointer, r);
      if (pointer !== p.pointer) n = { ...p, pointer };
      break;
    }
    case "element": {
      const base = rewritePlace(p.base, r);
      const index = rewriteExpr(p.index, r);
      if (base !== p.base || index !== p.index) n = { ...p, base, index };
      break;
    }
    case "member":
    case "swizzle": {
      const base = rewritePlace(p.base, r);
      if (base !== p.base) n = { ...p, base };
      break;
    }
    default:
      return assertNever(p);
  }
  return r.place ? r.place(n) : n;
}

/** A list of statements; hooks may expand one into several. */
export function rewriteStatements(list: readonly Statement[], r: Rewriter): readonly Statement[] {
  let changed = false;
  const out: Statement[] = [];
  for (const s of list) {
    const n = rewriteStatementMany(s, r);
    if (Array.isArray(n)) {
      changed = true;
      out.push(...(n as readonly Statement[]));
    } else {
      if (n !== s) changed = true;
      out.push(n as Statement);
    }
  }
  return changed ? out : list;
}

function rewriteStatementMany(s: Statement, r: Rewriter): Statement | readonly Statement[] {
  const early = r.enterStatement?.(s);
  if (early) return early;
  const n = rewriteStatementChildren(s, r);
  return r.statement ? r.statement(n) : n;
}

/** As a single statement: several become a block. */
export function rewriteStatement(s: Statement, r: Rewriter): Statement {
  const n = rewriteStatementMany(s, r);
  if (!Array.isArray(n)) return n as Statement;
  const list = n as readonly Statement[];
  return list.length === 1
    ? list[0]!
    : { kind: "block", statements: list, span: s.span, trivia: s.trivia, innerComments: [] };
}

function rewriteStatementChildren(s: Statement, r: Rewriter): Statement {
  switch (s.kind) {
    case "block": {
      const statements = rewriteStatements(s.statements, r);
      return statements === s.statements ? s : { ...s, statements };
    }
    case "declare": {
      if (!s.initializer) return s;
      const initializer = rewriteExpr(s.initializer, r);
      return initializer === s.initializer ? s : { ...s, initializer };
    }
    case "expression": {
      const expression = rewriteExpr(s.expression, r);
      return expression === s.expression ? s : { ...s, expression };
    }
    case "if": {
      const condition = rewriteExpr(s.condition, r);
      const then = rewriteStatement(s.then, r);
      const otherwise = s.else && rewriteStatement(s.else, r);
      return condition === s.condition && then === s.then && otherwise === s.else
        ? s
        : { ...s, condition, then, ...(otherwise ? { else: otherwise } : {}) };
    }
    case "switch": {
      const value = rewriteExpr(s.value, r);
      const cases = mapSame(s.cases, (c): SwitchCase => {
        const labels = mapSame(c.labels, (l) => (l === "default" ? l : rewriteExpr(l, r)));
        const body = rewriteStatements(c.body, r);
        return labels === c.labels && body === c.body ? c : { ...c, labels, body };
      });
      return value === s.value && cases === s.cases ? s : { ...s, value, cases };
    }
    case "for": {
      const initializer = rewriteStatements(s.initializer, r) as readonly (Declare | ExpressionStatement)[];
      const condition = s.condition && rewriteExpr(s.condition, r);
      const step = s.step && rewriteExpr(s.step, r);
      const body = rewriteStatement(s.body, r);
      if (initializer === s.initializer && condition === s.condition && step === s.step && body === s.body)
        return s;
      return { ...s, initializer, body, ...(condition ? { condition } : {}), ...(step ? { step } : {}) };
    }
    case "while": {
      const condition = rewriteExpr(s.condition, r);
      const body = rewriteStatement(s.body, r);
      return condition === s.condition && body === s.body ? s : { ...s, condition, body };
    }
    case "do-while": {
      const body = rewriteStatement(s.body, r);
      const condition = rewriteExpr(s.condition, r);
      return condition === s.condition && body === s.body ? s : { ...s, condition, body };
    }
    case "return": {
      if (!s.value) return s;
      const value = rewriteExpr(s.value, r);
      return value === s.value ? s : { ...s, value };
    }
    case "break":
    case "continue":
    case "barrier":
      return s;
    default:
      return assertNever(s);
  }
}

export function rewriteFunction(f: FunctionDeclaration, r: Rewriter): FunctionDeclaration {
  const statements = rewriteStatements(f.body.statements, r);
  if (statements === f.body.statements) return f;
  const body: Block = { ...f.body, statements };
  return { ...f, body };
}

/** Bodies of all functions, initialisers of globals and defaults of specialisation constants. */
export function rewriteModule<M extends Module>(module: M, r: Rewriter): M {
  let variables = module.variables;
  for (const v of module.variables.values()) {
    if (!v.initializer) continue;
    const initializer = rewriteExpr(v.initializer, r);
    if (initializer === v.initializer) continue;
    if (variables === module.variables) variables = new Map(module.variables);
    (variables as Map<number, typeof v>).set(v.id, { ...v, initializer });
  }
  const resources = mapSame(module.resources, (x) => {
    if (!x.defaultValue) return x;
    const defaultValue = rewriteExpr(x.defaultValue, r);
    return defaultValue === x.defaultValue ? x : { ...x, defaultValue };
  });
  const functions = mapSame(module.functions, (f) => rewriteFunction(f, r));
  if (variables === module.variables && resources === module.resources && functions === module.functions)
    return module;
  return { ...module, variables, resources, functions };
}

/** True where evaluating the expression changes nothing and reads nothing another lane may change. */
/** Whether naming the place twice is the same as naming it once. */
export function placeIsPure(p: Place): boolean {
  switch (p.kind) {
    case "variable":
      return true;
    case "deref":
      return isPure(p.pointer);
    case "element":
      return placeIsPure(p.base) && isPure(p.index);
    default:
      return placeIsPure(p.base);
  }
}

export function isPure(e: Expr): boolean {
  let pure = true;
  walkExpr(e, {
    expr(x) {
      if (x.kind === "assign" || x.kind === "increment" || x.kind === "call") pure = false;
      if (x.kind === "op" && x.places.length > 0) pure = false;
      return pure;
    },
  });
  return pure;
}
