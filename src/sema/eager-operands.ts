/**
 * HLSL before 2021: `&&`, `||` and `?:` evaluate all their operands, from left to right. DXC makes two exceptions, which effects
 * show (docs/hlsl-order.md): a condition it knows chooses of scalars, and so does every choice of bools that an `if`
 * branches on.
 */
import { boolLiteral, conditional, logical, unary } from "../ast/builders.js";
import type { Expr } from "../ast/nodes.js";
import { isPure, walkExpr } from "../ast/walk.js";
import { meet } from "../ops/footprints.js";
import type { Span } from "../support/span.js";
import { bool, sameType } from "../types/types.js";
import { evaluate } from "./constants.js";
import { notYet, type Sema } from "./context.js";
import { after, intoLocal } from "./held-values.js";
import { isOpen, openFrom } from "./open-literals.js";

/** `?:` with what it was made of: where it is branched on, it is put together otherwise. */
export interface EagerChoice {
  readonly condition: Expr;
  readonly whenTrue: Expr;
  readonly whenFalse: Expr;
  /** Locals that hold operands. */
  readonly locals: ReadonlySet<Expr>;
}

/** What DXC knows the value of while it reads, without what it does not look at for that; "no", and where that is not clear. */
type Known = { readonly value: Expr } | "no" | "unclear";

/**
 * Whether DXC knows a value while it reads: numbers, constants and what is computed from them, but no components of vectors or
 * parts of arrays, nor what is behind a comma. Of its functions it knows some. Of `true || x` it does not look at x, which may
 * then have effects, but of `x || true` at both.
 */
function known(s: Sema, e: Expr): Known {
  if (e.type.kind !== "scalar") return "no";
  switch (e.kind) {
    case "literal":
    case "enumerator":
      return { value: e };
    case "unary":
    case "convert":
      return mapKnown(known(s, e.operand), (operand) => ({ ...e, operand }));
    case "logical":
    case "binary": {
      const left = known(s, e.left);
      if (sameType(e.type, bool) && (e.operator === "and" || e.operator === "or")) {
        const value = settled(s, left);
        return typeof value === "string" ? value : value === (e.operator === "or") ? left : known(s, e.right);
      }
      const right = known(s, e.right);
      if (left === "no" || right === "no") return "no";
      if (left === "unclear" || right === "unclear") return "unclear";
      return { value: { ...e, left: left.value, right: right.value } };
    }
    case "conditional": {
      const value = settled(s, known(s, e.condition));
      return typeof value === "string" ? value : known(s, value ? e.whenTrue : e.whenFalse);
    }
    case "load": {
      const value = e.place.kind === "variable" ? s.constants.get(e.place.variable) : undefined;
      return value ? known(s, value) : "no";
    }
    case "op":
      return e.arguments.every((a) => typeof known(s, a) === "object") ? "unclear" : "no";
    default:
      return "no";
  }
}

const mapKnown = (k: Known, make: (e: Expr) => Expr): Known => (typeof k === "string" ? k : { value: make(k.value) });

/** The truth that DXC knows. */
function settled(s: Sema, k: Known): boolean | "no" | "unclear" {
  if (typeof k === "string") return k;
  const value = evaluate(s, k.value);
  return value === undefined ? "unclear" : Boolean(value);
}

const refused = (s: Sema, span: Span): undefined =>
  notYet(s, "effects beside a condition that DXC may or may not know, before HLSL 2021, are", span, "use an if");

/** A choice by a scalar: of the operands, all are evaluated where that shows. */
export function choiceOf(s: Sema, condition: Expr, whenTrue: Expr, whenFalse: Expr, span: Span): Expr | undefined {
  const lazy = openFrom(conditional(condition, whenTrue, whenFalse, span), whenTrue, whenFalse);
  const pureArms = isPure(whenTrue) && isPure(whenFalse);
  if (!s.eager || (pureArms && isPure(condition))) return lazy;
  if (isOpen(lazy) && !pureArms) return refused(s, span);
  const value = settled(s, known(s, condition));
  if (value === "unclear") return refused(s, span);
  if (lazy.type.kind === "scalar" && value !== "no") {
    if (isPure(condition)) return lazy;
    // What the condition does is left out with it.
    const decided = boolLiteral(value, condition.span);
    const made = openFrom(conditional(decided, whenTrue, whenFalse, span), whenTrue, whenFalse);
    s.eagerChoices.set(made, { condition, whenTrue, whenFalse, locals: new Set() });
    return made;
  }
  if (pureArms) return lazy;
  const operands = [condition, whenTrue, whenFalse];
  const footprints = operands.map((e) => s.footprints.of(e));
  const first: Expr[] = [];
  const values = operands.map((e, i): Expr => {
    if (isPure(e) && !footprints.some((f, j) => j !== i && !isPure(operands[j]!) && meet(f, footprints[i]!))) return e;
    const kept = intoLocal(s, e, span);
    first.push(kept.first);
    return kept.value;
  });
  const made = after(first, conditional(values[0]!, values[1]!, values[2]!, span), span);
  const locals = new Set(values.filter((v, i) => v !== operands[i]));
  s.eagerChoices.set(made, { condition, whenTrue, whenFalse, locals });
  return made;
}

/** The left operand of `&&` and `||`, of which DXC does not evaluate what it knows. */
export function leftOfLogical(s: Sema, e: Expr): Expr | undefined {
  if (!s.eager || isPure(e)) return e;
  const value = settled(s, known(s, e));
  return value === "no" ? e : value === "unclear" ? refused(s, e.span) : boolLiteral(value, e.span);
}

/** `e` where it is branched on: choices of bools in it choose what is evaluated. */
export function branchedOn(s: Sema, e: Expr): Expr {
  if (!s.eager || isPure(e)) return e;
  const choice = s.eagerChoices.get(e);
  if (choice && sameType(e.type, bool)) {
    dropLocals(s, choice);
    const { condition, whenTrue, whenFalse } = choice;
    return conditional(branchedOn(s, condition), branchedOn(s, whenTrue), branchedOn(s, whenFalse), e.span);
  }
  switch (e.kind) {
    case "unary":
      return e.operator === "not" ? unary("not", branchedOn(s, e.operand), e.span) : e;
    case "conditional":
      return conditional(branchedOn(s, e.condition), branchedOn(s, e.whenTrue), branchedOn(s, e.whenFalse), e.span);
    case "logical":
    case "binary":
      return e.operator === "and" || e.operator === "or" ? besideKnown(s, e, e.operator) : e;
    default:
      return e;
  }
}

/** `e` where a `switch` is on it: of a value that DXC knows the effects are lost, but not with every body. */
export const switchedOn = (s: Sema, e: Expr): Expr | undefined =>
  !s.eager || isPure(e) || known(s, e) === "no" ? e : refused(s, e.span);

/** The initialiser of what is const or static: where DXC knows it, without the effects that it does not come to. */
export function initialisedBy(s: Sema, e: Expr): Expr | undefined {
  if (!s.eager || isPure(e)) return e;
  if (e.type.kind === "scalar") {
    const k = known(s, e);
    return k === "no" ? e : k === "unclear" ? refused(s, e.span) : k.value;
  }
  // Of several values it knows all or looks at all.
  let unclear = false;
  walkExpr(e, {
    expr(x) {
      unclear ||= !isPure(x) && known(s, x) !== "no";
      return !unclear;
    },
  });
  return unclear ? refused(s, e.span) : e;
}

/** DXC takes `true && x` for x, and so `x || false`; what it knows to be true or false may have effects, which are lost. */
function besideKnown(s: Sema, e: Expr & { kind: "logical" | "binary" }, operator: "and" | "or"): Expr {
  if (![e, e.left, e.right].every((x) => sameType(x.type, bool))) return e;
  for (const [side, other] of [
    [e.left, e.right],
    [e.right, e.left],
  ] as const) {
    const value = settled(s, known(s, side));
    const heeded = value === "no" || value === (operator === "or");
    if (heeded) continue;
    const made = branchedOn(s, other);
    if (value === "unclear") {
      if (made === other && isPure(side)) continue;
      return refused(s, e.span) ?? e;
    }
    if (!isPure(side)) return made;
    if (made === other) continue;
    return side === e.left ? logical(operator, side, made, e.span) : logical(operator, made, side, e.span);
  }
  return e;
}

function dropLocals(s: Sema, { locals }: EagerChoice): void {
  const held = new Set(
    [...locals].map((e) => (e.kind === "load" && e.place.kind === "variable" ? e.place.variable : undefined)),
  );
  if (s.fn) s.fn.locals = s.fn.locals.filter((d) => d.kind !== "declare" || !held.has(d.variable));
}
