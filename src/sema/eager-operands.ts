/**
 * HLSL before 2021: `&&`, `||` and `?:` evaluate all their operands, from left to right. DXC makes two exceptions, which effects
 * show (docs/hlsl-order.md): a condition it knows chooses of scalars, and so does every choice of bools that an `if`
 * branches on.
 */
import { conditional, logical, unary } from "../ast/builders.js";
import type { Expr } from "../ast/nodes.js";
import { isPure } from "../ast/walk.js";
import { meet } from "../ops/footprints.js";
import type { Span } from "../support/span.js";
import { bool, sameType } from "../types/types.js";
import { evaluate } from "./constants.js";
import { after, intoLocal, notYet, type Sema } from "./context.js";
import { isOpen, openFrom } from "./open-literals.js";

/** `?:` with what it was made of: where it is branched on, it is put together otherwise. */
export interface EagerChoice {
  readonly condition: Expr;
  readonly whenTrue: Expr;
  readonly whenFalse: Expr;
  /** Locals that hold operands. */
  readonly locals: ReadonlySet<Expr>;
}

type Known = "yes" | "no" | "unclear";

/**
 * Whether DXC knows a value while it reads: numbers, constants and what is computed from them, but no components of vectors or
 * parts of arrays, nor what is behind a comma. Of its functions it knows some.
 */
function known(s: Sema, e: Expr): Known {
  if (e.type.kind !== "scalar") return "no";
  const together = (parts: readonly Known[]): Known =>
    parts.includes("no") ? "no" : parts.includes("unclear") ? "unclear" : "yes";
  switch (e.kind) {
    case "literal":
    case "enumerator":
      return "yes";
    case "unary":
    case "convert":
      return known(s, e.operand);
    case "binary":
      return together([known(s, e.left), known(s, e.right)]);
    case "logical":
    case "conditional": {
      const parts = e.kind === "logical" ? [e.left, e.right] : [e.condition, e.whenTrue, e.whenFalse];
      const all = parts.map((x) => known(s, x));
      // It may not need all of them.
      return all.includes("no") && all.some((k) => k !== "no") ? "unclear" : together(all);
    }
    case "load": {
      const value = e.place.kind === "variable" ? s.constants.get(e.place.variable) : undefined;
      return value ? known(s, value) : "no";
    }
    case "op":
      return e.arguments.every((a) => known(s, a) === "yes") ? "unclear" : "no";
    default:
      return "no";
  }
}

const refused = (s: Sema, span: Span): undefined =>
  notYet(s, "effects beside a condition that DXC may or may not know, before HLSL 2021, are", span, "use an if");

/** A choice by a scalar: of the operands, all are evaluated where that shows. */
export function choiceOf(s: Sema, condition: Expr, whenTrue: Expr, whenFalse: Expr, span: Span): Expr | undefined {
  const lazy = openFrom(conditional(condition, whenTrue, whenFalse, span), whenTrue, whenFalse);
  if (!s.eager || (isPure(whenTrue) && isPure(whenFalse))) return lazy;
  const does = known(s, condition);
  if (isOpen(lazy) || does === "unclear") return refused(s, span);
  if (lazy.type.kind === "scalar" && does === "yes")
    return evaluate(s, condition) === undefined ? refused(s, span) : lazy;
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
      return conditional(e.condition, branchedOn(s, e.whenTrue), branchedOn(s, e.whenFalse), e.span);
    case "logical":
    case "binary":
      return e.operator === "and" || e.operator === "or" ? besideKnown(s, e, e.operator) : e;
    default:
      return e;
  }
}

/** DXC takes `true && x` for x, and so `x || false`. */
function besideKnown(s: Sema, e: Expr & { kind: "logical" | "binary" }, operator: "and" | "or"): Expr {
  if (![e, e.left, e.right].every((x) => sameType(x.type, bool))) return e;
  const [side, other] = isPure(e.left) ? [e.left, e.right] : [e.right, e.left];
  if (!isPure(side)) return e;
  const does = known(s, side);
  const value = does === "yes" ? evaluate(s, side) : undefined;
  if (does === "no" || value === (operator === "or")) return e;
  const made = branchedOn(s, other);
  if (made === other) return e;
  if (value === undefined) return refused(s, e.span) ?? e;
  return side === e.left ? logical(operator, side, made, e.span) : logical(operator, made, side, e.span);
}

function dropLocals(s: Sema, { locals }: EagerChoice): void {
  const held = new Set(
    [...locals].map((e) => (e.kind === "load" && e.place.kind === "variable" ? e.place.variable : undefined)),
  );
  if (s.fn) s.fn.locals = s.fn.locals.filter((d) => d.kind !== "declare" || !held.has(d.variable));
}
