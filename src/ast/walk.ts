/**
 * Children, walks and rewrites of the canonical and the target tree. Every kind is listed once here; passes build on
 * these. The bodies are written for both trees at once (`Any...`), and exported for each.
 */
import { assertNever } from "../support/assert-never.js";
import type {
  Argument,
  Block,
  Declare,
  Expr,
  ExpressionStatement,
  FunctionDeclaration,
  Module,
  Place,
  Stage,
  Statement,
  SwitchCase,
} from "./nodes.js";

type Use = "read" | "write" | "both" | "address";

export interface Visitor<S extends Stage = "canonical"> {
  /** Return false to skip the children. */
  readonly expr?: (e: Expr<S>) => boolean | void;
  readonly place?: (p: Place<S>, use: Use) => boolean | void;
  readonly statement?: (s: Statement<S>) => boolean | void;
}

type AnyExpr = Expr<Stage>;
type AnyPlace = Place<Stage>;
type AnyStatement = Statement<Stage>;
type AnyVisitor = Visitor<Stage>;

export const walkExpr = anyExpr as <S extends Stage = "canonical">(e: Expr<S>, v: Visitor<S>) => void;
export const walkPlace = anyPlace as <S extends Stage = "canonical">(p: Place<S>, v: Visitor<S>, use: Use) => void;
export const walkStatement = anyStatement as <S extends Stage = "canonical">(s: Statement<S>, v: Visitor<S>) => void;

/** The expressions just below one, those in its places too. */
export function partsOf(e: Expr): readonly Expr[] {
  const parts: Expr[] = [];
  walkExpr(e, { expr: (x) => x === e || (parts.push(x), false) });
  return parts;
}

function anyExpr(e: AnyExpr, v: AnyVisitor): void {
  if (v.expr?.(e) === false) return;
  switch (e.kind) {
    case "literal":
    case "null-pointer":
    case "enumerator":
    case "builtin":
      return;
    case "load":
    case "length":
      return anyPlace(e.place, v, "read");
    case "unary":
    case "convert":
    case "bitcast":
    case "splat":
    case "swizzle-value":
    case "member-value":
      return anyExpr(e.operand, v);
    case "element-value":
      anyExpr(e.operand, v);
      return anyExpr(e.index, v);
    case "binary":
    case "logical":
    case "comma":
      anyExpr(e.left, v);
      return anyExpr(e.right, v);
    case "conditional":
      anyExpr(e.condition, v);
      anyExpr(e.whenTrue, v);
      return anyExpr(e.whenFalse, v);
    case "construct":
    case "print":
      return e.arguments.forEach((a) => anyExpr(a, v));
    case "op":
    case "native-call":
      e.places.forEach((p) => anyPlace(p, v, "both"));
      return e.arguments.forEach((a) => anyExpr(a, v));
    case "call":
      for (const a of e.arguments) {
        if (a.mode === "value") anyExpr(a.value, v);
        else anyPlace(a.place, v, a.mode === "out" ? "write" : "both");
      }
      return;
    case "assign":
      anyPlace(e.target, v, e.operator ? "both" : "write");
      return anyExpr(e.value, v);
    case "increment":
      return anyPlace(e.place, v, "both");
    case "address-of":
      return anyPlace(e.place, v, "address");
    case "pointer-offset":
      anyExpr(e.pointer, v);
      return anyExpr(e.offset, v);
    case "raw-load":
      return anyExpr(e.address, v);
    case "raw-store":
      anyExpr(e.address, v);
      return anyExpr(e.value, v);
    default:
      return assertNever(e);
  }
}

function anyPlace(p: AnyPlace, v: AnyVisitor, use: Use): void {
  if (v.place?.(p, use) === false) return;
  switch (p.kind) {
    case "variable":
      return;
    case "deref":
      return anyExpr(p.pointer, v);
    case "element":
      anyPlace(p.base, v, use);
      return anyExpr(p.index, v);
    case "member":
    case "swizzle":
      return anyPlace(p.base, v, use);
    case "view":
      anyPlace(p.base, v, use);
      return anyExpr(p.offset, v);
    case "raw-word":
      return anyExpr(p.address, v);
    default:
      return assertNever(p);
  }
}

function anyStatement(s: AnyStatement, v: AnyVisitor): void {
  if (v.statement?.(s) === false) return;
  switch (s.kind) {
    case "block":
      return s.statements.forEach((c) => anyStatement(c, v));
    case "declare":
      if (s.initializer) anyExpr(s.initializer, v);
      return;
    case "expression":
      return anyExpr(s.expression, v);
    case "if":
      anyExpr(s.condition, v);
      anyStatement(s.then, v);
      if (s.else) anyStatement(s.else, v);
      return;
    case "switch":
      anyExpr(s.value, v);
      for (const c of s.cases) {
        for (const l of c.labels) if (l !== "default") anyExpr(l, v);
        c.body.forEach((b) => anyStatement(b, v));
      }
      return;
    case "for":
      s.initializer.forEach((i) => anyStatement(i, v));
      if (s.condition) anyExpr(s.condition, v);
      if (s.step) anyExpr(s.step, v);
      return anyStatement(s.body, v);
    case "while":
      anyExpr(s.condition, v);
      return anyStatement(s.body, v);
    case "do-while":
      anyStatement(s.body, v);
      return anyExpr(s.condition, v);
    case "return":
      if (s.value) anyExpr(s.value, v);
      return;
    case "break":
    case "continue":
    case "barrier":
    case "native-barrier":
      return;
    default:
      return assertNever(s);
  }
}

/** Every expression of the module: bodies, global initialisers, defaults of specialisation constants. */
export function walkModule<S extends Stage = "canonical">(module: Module<S>, v: Visitor<S>): void {
  for (const variable of module.variables.values()) if (variable.initializer) walkExpr(variable.initializer, v);
  for (const r of module.resources) if (r.defaultValue) walkExpr(r.defaultValue, v);
  for (const f of module.functions) walkStatement(f.body, v);
}

/**
 * A bottom-up rewrite: children first, then the hook on the rebuilt node. A hook that returns its argument leaves the
 * node; unchanged subtrees are shared. A changed subtree loses its `macro` reference.
 */
export interface Rewriter<S extends Stage = "canonical"> {
  readonly expr?: (e: Expr<S>) => Expr<S>;
  readonly place?: (p: Place<S>) => Place<S>;
  /** One statement may become several (they join the surrounding block) or none. */
  readonly statement?: (s: Statement<S>) => Statement<S> | readonly Statement<S>[];
  /** Before the children: return a node to use it as it is, without descending. */
  readonly enterExpr?: (e: Expr<S>) => Expr<S> | undefined;
  readonly enterPlace?: (p: Place<S>) => Place<S> | undefined;
  readonly enterStatement?: (s: Statement<S>) => Statement<S> | readonly Statement<S>[] | undefined;
  /** Before its statements: a list with what takes the place of several. */
  /** The hooks change how nodes are written, not what they mean: `macro` references stay. */
  readonly keepsMeaning?: boolean;
  readonly enterList?: (list: readonly Statement<S>[]) => readonly Statement<S>[];
}

type AnyRewriter = Rewriter<Stage>;

export const rewriteExpr = anyRewrittenExpr as <S extends Stage = "canonical">(e: Expr<S>, r: Rewriter<S>) => Expr<S>;
export const rewritePlace = anyRewrittenPlace as <S extends Stage = "canonical">(
  p: Place<S>,
  r: Rewriter<S>,
) => Place<S>;
/** A list of statements; hooks may expand one into several. */
export const rewriteStatements = anyRewrittenList as <S extends Stage = "canonical">(
  list: readonly Statement<S>[],
  r: Rewriter<S>,
) => readonly Statement<S>[];
/** As a single statement: several become a block. */
export const rewriteStatement = anyRewrittenStatement as <S extends Stage = "canonical">(
  s: Statement<S>,
  r: Rewriter<S>,
) => Statement<S>;

function mapSame<T>(list: readonly T[], f: (t: T) => T): readonly T[] {
  let changed = false;
  const out = list.map((t) => {
    const n = f(t);
    if (n !== t) changed = true;
    return n;
  });
  return changed ? out : list;
}

function anyRewrittenExpr(e: AnyExpr, r: AnyRewriter): AnyExpr {
  const early = r.enterExpr?.(e);
  if (early) return early;
  let n = rewriteChildren(e, r);
  if (n !== e && n.macro && !r.keepsMeaning) {
    const { macro: _dropped, ...rest } = n;
    n = rest;
  }
  return r.expr ? r.expr(n) : n;
}

function rewriteChildren(e: AnyExpr, r: AnyRewriter): AnyExpr {
  switch (e.kind) {
    case "literal":
    case "null-pointer":
    case "enumerator":
    case "builtin":
      return e;
    case "load":
    case "length": {
      const place = anyRewrittenPlace(e.place, r);
      return place === e.place ? e : { ...e, place };
    }
    case "unary":
    case "convert":
    case "bitcast":
    case "splat":
    case "swizzle-value":
    case "member-value": {
      const operand = anyRewrittenExpr(e.operand, r);
      return operand === e.operand ? e : { ...e, operand };
    }
    case "element-value": {
      const operand = anyRewrittenExpr(e.operand, r);
      const index = anyRewrittenExpr(e.index, r);
      return operand === e.operand && index === e.index ? e : { ...e, operand, index };
    }
    case "binary":
    case "logical":
    case "comma": {
      const left = anyRewrittenExpr(e.left, r);
      const right = anyRewrittenExpr(e.right, r);
      return left === e.left && right === e.right ? e : { ...e, left, right };
    }
    case "conditional": {
      const condition = anyRewrittenExpr(e.condition, r);
      const whenTrue = anyRewrittenExpr(e.whenTrue, r);
      const whenFalse = anyRewrittenExpr(e.whenFalse, r);
      return condition === e.condition && whenTrue === e.whenTrue && whenFalse === e.whenFalse
        ? e
        : { ...e, condition, whenTrue, whenFalse };
    }
    case "construct":
    case "print": {
      const args = mapSame(e.arguments, (a) => anyRewrittenExpr(a, r));
      return args === e.arguments ? e : { ...e, arguments: args };
    }
    case "op":
    case "native-call": {
      const places = mapSame(e.places, (p) => anyRewrittenPlace(p, r));
      const args = mapSame(e.arguments, (a) => anyRewrittenExpr(a, r));
      return places === e.places && args === e.arguments ? e : { ...e, places, arguments: args };
    }
    case "call": {
      const args = mapSame(e.arguments, (a): Argument<Stage> => {
        if (a.mode === "value") {
          const value = anyRewrittenExpr(a.value, r);
          return value === a.value ? a : { ...a, value };
        }
        const place = anyRewrittenPlace(a.place, r);
        return place === a.place ? a : { ...a, place };
      });
      return args === e.arguments ? e : { ...e, arguments: args };
    }
    case "assign": {
      const target = anyRewrittenPlace(e.target, r);
      const value = anyRewrittenExpr(e.value, r);
      return target === e.target && value === e.value ? e : { ...e, target, value };
    }
    case "increment":
    case "address-of": {
      const place = anyRewrittenPlace(e.place, r);
      return place === e.place ? e : { ...e, place };
    }
    case "pointer-offset": {
      const pointer = anyRewrittenExpr(e.pointer, r);
      const offset = anyRewrittenExpr(e.offset, r);
      return pointer === e.pointer && offset === e.offset ? e : { ...e, pointer, offset };
    }
    case "raw-load": {
      const address = anyRewrittenExpr(e.address, r);
      return address === e.address ? e : { ...e, address };
    }
    case "raw-store": {
      const address = anyRewrittenExpr(e.address, r);
      const value = anyRewrittenExpr(e.value, r);
      return address === e.address && value === e.value ? e : { ...e, address, value };
    }
    default:
      return assertNever(e);
  }
}

function anyRewrittenPlace(p: AnyPlace, r: AnyRewriter): AnyPlace {
  const early = r.enterPlace?.(p);
  if (early) return early;
  let n: AnyPlace = p;
  switch (p.kind) {
    case "variable":
      break;
    case "deref": {
      const pointer = anyRewrittenExpr(p.pointer, r);
      if (pointer !== p.pointer) n = { ...p, pointer };
      break;
    }
    case "element": {
      const base = anyRewrittenPlace(p.base, r);
      const index = anyRewrittenExpr(p.index, r);
      if (base !== p.base || index !== p.index) n = { ...p, base, index };
      break;
    }
    case "member":
    case "swizzle": {
      const base = anyRewrittenPlace(p.base, r);
      if (base !== p.base) n = { ...p, base };
      break;
    }
    case "view": {
      const base = anyRewrittenPlace(p.base, r);
      const offset = anyRewrittenExpr(p.offset, r);
      if (base !== p.base || offset !== p.offset) n = { ...p, base, offset };
      break;
    }
    case "raw-word": {
      const address = anyRewrittenExpr(p.address, r);
      if (address !== p.address) n = { ...p, address };
      break;
    }
    default:
      return assertNever(p);
  }
  return r.place ? r.place(n) : n;
}

function anyRewrittenList(given: readonly AnyStatement[], r: AnyRewriter): readonly AnyStatement[] {
  const list = r.enterList?.(given) ?? given;
  let changed = list !== given;
  const out: AnyStatement[] = [];
  for (const s of list) {
    const n = rewriteStatementMany(s, r);
    if (Array.isArray(n)) {
      changed = true;
      for (const one of n as readonly AnyStatement[]) out.push(one);
    } else {
      if (n !== s) changed = true;
      out.push(n as AnyStatement);
    }
  }
  return changed ? out : given;
}

function rewriteStatementMany(s: AnyStatement, r: AnyRewriter): AnyStatement | readonly AnyStatement[] {
  const early = r.enterStatement?.(s);
  if (early) return early;
  const n = rewriteStatementChildren(s, r);
  return r.statement ? r.statement(n) : n;
}

function anyRewrittenStatement(s: AnyStatement, r: AnyRewriter): AnyStatement {
  const n = rewriteStatementMany(s, r);
  if (!Array.isArray(n)) return n as AnyStatement;
  const list = n as readonly AnyStatement[];
  return list.length === 1
    ? list[0]!
    : { kind: "block", statements: list, span: s.span, trivia: s.trivia, innerComments: [] };
}

function rewriteStatementChildren(s: AnyStatement, r: AnyRewriter): AnyStatement {
  switch (s.kind) {
    case "block": {
      const statements = anyRewrittenList(s.statements, r);
      return statements === s.statements ? s : { ...s, statements };
    }
    case "declare": {
      if (!s.initializer) return s;
      const initializer = anyRewrittenExpr(s.initializer, r);
      return initializer === s.initializer ? s : { ...s, initializer };
    }
    case "expression": {
      const expression = anyRewrittenExpr(s.expression, r);
      return expression === s.expression ? s : { ...s, expression };
    }
    case "if": {
      const condition = anyRewrittenExpr(s.condition, r);
      const then = anyRewrittenStatement(s.then, r);
      const otherwise = s.else && anyRewrittenStatement(s.else, r);
      return condition === s.condition && then === s.then && otherwise === s.else
        ? s
        : { ...s, condition, then, ...(otherwise ? { else: otherwise } : {}) };
    }
    case "switch": {
      const value = anyRewrittenExpr(s.value, r);
      const cases = mapSame(s.cases, (c): SwitchCase<Stage> => {
        const labels = mapSame(c.labels, (l) => (l === "default" ? l : anyRewrittenExpr(l, r)));
        const body = anyRewrittenList(c.body, r);
        return labels === c.labels && body === c.body ? c : { ...c, labels, body };
      });
      return value === s.value && cases === s.cases ? s : { ...s, value, cases };
    }
    case "for": {
      const initializer = anyRewrittenList(s.initializer, r) as readonly (
        Declare<Stage> | ExpressionStatement<Stage>
      )[];
      const condition = s.condition && anyRewrittenExpr(s.condition, r);
      const step = s.step && anyRewrittenExpr(s.step, r);
      const body = anyRewrittenStatement(s.body, r);
      if (initializer === s.initializer && condition === s.condition && step === s.step && body === s.body) return s;
      return { ...s, initializer, body, ...(condition ? { condition } : {}), ...(step ? { step } : {}) };
    }
    case "while": {
      const condition = anyRewrittenExpr(s.condition, r);
      const body = anyRewrittenStatement(s.body, r);
      return condition === s.condition && body === s.body ? s : { ...s, condition, body };
    }
    case "do-while": {
      const body = anyRewrittenStatement(s.body, r);
      const condition = anyRewrittenExpr(s.condition, r);
      return condition === s.condition && body === s.body ? s : { ...s, condition, body };
    }
    case "return": {
      if (!s.value) return s;
      const value = anyRewrittenExpr(s.value, r);
      return value === s.value ? s : { ...s, value };
    }
    case "break":
    case "continue":
    case "barrier":
    case "native-barrier":
      return s;
    default:
      return assertNever(s);
  }
}

export function rewriteFunction<S extends Stage = "canonical">(
  f: FunctionDeclaration<S>,
  r: Rewriter<S>,
): FunctionDeclaration<S> {
  const statements = rewriteStatements(f.body.statements, r);
  if (statements === f.body.statements) return f;
  const body: Block<S> = { ...f.body, statements };
  return { ...f, body };
}

/** Bodies of all functions, initialisers of globals and defaults of specialisation constants. */
export function rewriteModule<S extends Stage = "canonical">(module: Module<S>, r: Rewriter<S>): Module<S> {
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
  if (variables === module.variables && resources === module.resources && functions === module.functions) return module;
  return { ...module, variables, resources, functions };
}

/** True where evaluating the expression changes nothing and reads nothing another lane may change. */
/** Whether naming the place twice is the same as naming it once. */
export function placeIsPure(p: Place<Stage>): boolean {
  switch (p.kind) {
    case "variable":
      return true;
    case "deref":
      return isPure(p.pointer);
    case "element":
      return placeIsPure(p.base) && isPure(p.index);
    case "view":
      return placeIsPure(p.base) && isPure(p.offset);
    case "raw-word":
      return isPure(p.address);
    default:
      return placeIsPure(p.base);
  }
}

export function isPure(e: Expr<Stage>): boolean {
  let pure = true;
  walkExpr<Stage>(e, {
    expr(x) {
      if (x.kind === "assign" || x.kind === "increment" || x.kind === "call") pure = false;
      if ((x.kind === "op" || x.kind === "native-call") && x.places.length > 0) pure = false;
      if (x.kind === "raw-store" || x.kind === "print") pure = false;
      return pure;
    },
  });
  return pure;
}
