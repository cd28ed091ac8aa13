/**
 * Where it matters in which order the parts of an expression are evaluated: operands that meet, one changing what the other uses,
 * where a language goes in another order than the tree or in any.
 */
import type { Argument, Expr, Place, Statement } from "../ast/nodes.js";
import { walkExpr } from "../ast/walk.js";
import type { EvaluationOrder } from "../dialects/language.js";
import type { Span } from "../support/span.js";
import { mayBeOnePlace, meet, type Footprint, type Footprints } from "./footprints.js";

/** Two parts of an expression that meet, in the order of the tree. */
export interface Meeting {
  readonly first: Span;
  readonly second: Span;
}

interface Part {
  readonly span: Span;
  readonly footprint: Footprint;
}

/** Expressions with a sequence point at their end. */
export function fullExpressions(s: Statement): readonly Expr[] {
  const list: (Expr | undefined)[] =
    s.kind === "declare"
      ? [s.initializer]
      : s.kind === "expression"
        ? [s.expression]
        : s.kind === "if" || s.kind === "while" || s.kind === "do-while"
          ? [s.condition]
          : s.kind === "for"
            ? [s.condition, s.step]
            : s.kind === "switch"
              ? [s.value]
              : s.kind === "return"
                ? [s.value]
                : [];
  return list.filter((e): e is Expr => e !== undefined);
}

export function anyMeet(parts: readonly Part[]): Meeting | undefined {
  for (const [i, a] of parts.entries()) {
    const b = parts.slice(i + 1).find((x) => meet(a.footprint, x.footprint));
    if (b) return { first: a.span, second: b.span };
  }
  return undefined;
}

/** What is read is where it lies; conversions have the span of what they are for. */
function spanOfValue(e: Expr): Span {
  if (e.kind === "convert") return spanOfValue(e.operand);
  return e.kind === "load" ? e.place.span : e.span;
}
const spanOf = (a: Argument): Span => (a.mode === "value" ? spanOfValue(a.value) : a.place.span);

/** What the operands of an op or a call touch, each by itself. */
export function operandsOf(footprints: Footprints, e: Expr): readonly Part[] {
  if (e.kind === "call") return e.arguments.map((a) => ({ span: spanOf(a), footprint: footprints.ofArgument(a) }));
  if (e.kind !== "op") return [];
  return [
    ...e.places.map((p) => ({ span: p.span, footprint: footprints.ofReading(p) })),
    ...e.arguments.map((a) => ({ span: spanOfValue(a), footprint: footprints.of(a) })),
  ];
}

/**
 * Operands that meet where the language may evaluate them in another order than the tree. Operators of `calls`, and all ops, may
 * be written as calls of helpers; without it, as they stand.
 */
export function meetingOf(
  footprints: Footprints,
  e: Expr,
  order: EvaluationOrder,
  calls?: ReadonlySet<string>,
): Meeting | undefined {
  const known = new WeakMap<Expr, boolean>();
  if (!footprints.hasEffects(e, known)) return undefined;
  let found: Meeting | undefined;
  walkExpr(e, {
    place: (p, use) => {
      if (p.kind !== "element" || order.indices === "left to right") return;
      const met =
        meet(footprints.ofFinding(p.base), footprints.of(p.index)) ||
        (order.indices === "open" && use !== "read" && writtenTwice(footprints, p, p.index));
      if (met) found = { first: p.base.span, second: p.index.span };
    },
    expr: (x) => {
      // Operands that change nothing meet nothing, nor does anything in them.
      if (found || !footprints.hasEffects(x, known)) return false;
      found = meetingIn(footprints, x, order, calls);
      return !found;
    },
  });
  return found;
}

function meetingIn(
  footprints: Footprints,
  x: Expr,
  order: EvaluationOrder,
  calls: ReadonlySet<string> | undefined,
): Meeting | undefined {
  const values = (...list: readonly Expr[]): Meeting | undefined =>
    anyMeet(list.map((v) => ({ span: spanOfValue(v), footprint: footprints.of(v) })));
  const late = (list: readonly Argument[]): Meeting | undefined =>
    order.argumentsRead === "with the call" ? readLate(footprints, list) : undefined;
  const open = order.operands === "open";
  const turned = order.arguments !== "left to right";
  switch (x.kind) {
    case "binary": {
      const call = calls?.has(x.operator) ?? false;
      return (
        (open || (turned && call) ? values(x.left, x.right) : undefined) ??
        (call ? late([asArgument(x.left), asArgument(x.right)]) : undefined)
      );
    }
    case "construct":
      // Printed by rows, matrices have their parts in another order.
      return open || (turned && x.type.kind === "matrix") ? values(...x.arguments) : undefined;
    case "element-value":
      return order.indices !== "left to right" ? values(x.operand, x.index) : undefined;
    case "op": {
      const met =
        (turned ? anyMeet(operandsOf(footprints, x)) : undefined) ??
        (calls ? late(x.arguments.map(asArgument)) : undefined);
      const twice = order.placesOnce ? undefined : x.places.find((p) => footprints.ofFinding(p).writes.length > 0);
      return met ?? (twice ? { first: twice.span, second: twice.span } : undefined);
    }
    case "call": {
      const met = (turned ? anyMeet(operandsOf(footprints, x)) : undefined) ?? late(x.arguments);
      const twice = order.placesOnce ? undefined : x.arguments.find((a) => changesPlace(footprints, a));
      return met ?? (twice ? { first: spanOf(twice), second: spanOf(twice) } : undefined);
    }
    case "assign":
      return order.assignment !== "place first" && assignmentMeets(footprints, x, order)
        ? { first: x.target.span, second: spanOfValue(x.value) }
        : undefined;
    case "load": {
      const { place } = x;
      return order.indices === "open" &&
        place.kind === "element" &&
        meet(footprints.ofReading(place.base), footprints.of(place.index))
        ? { first: place.base.span, second: place.index.span }
        : undefined;
    }
    default:
      return undefined;
  }
}

const asArgument = (value: Expr): Argument => ({ mode: "value", value });

/** An argument that is what lies at a place, and one after it that changes that. */
function readLate(footprints: Footprints, list: readonly Argument[]): Meeting | undefined {
  for (const [i, a] of list.entries()) {
    let value = a.mode === "value" ? a.value : undefined;
    while (value?.kind === "element-value" || value?.kind === "member-value" || value?.kind === "swizzle-value")
      value = value.operand;
    if (value?.kind !== "load") continue;
    const { place } = value;
    const b = list.slice(i + 1).find((after) => footprints.changesAt(footprints.ofArgument(after), place));
    if (b) return { first: place.span, second: spanOf(b) };
  }
  return undefined;
}

/** Finding the place that an argument names, or that its value is copied from, changes something. */
function changesPlace(footprints: Footprints, a: Argument): boolean {
  const place =
    a.mode !== "value"
      ? a.place
      : a.value.kind === "load" && (a.value.type.kind === "struct" || a.value.type.kind === "array")
        ? a.value.place
        : undefined;
  return place !== undefined && footprints.ofFinding(place).writes.length > 0;
}

/** The store comes last: only the way to the place and the value can meet, and in C the old value of `op=`. */
function assignmentMeets(footprints: Footprints, e: Expr & { kind: "assign" }, order: EvaluationOrder): boolean {
  const value = footprints.of(e.value);
  if (order.assignment === "value first") return meet(footprints.ofFinding(e.target), value);
  return (
    meet(e.operator ? footprints.ofReading(e.target) : footprints.ofFinding(e.target), value) ||
    writtenTwice(footprints, e.target, e.value)
  );
}

/** What a store and its operand's own side effect would do to one object in no order: `x = x++`. */
function writtenTwice(footprints: Footprints, p: Place, operand: Expr): boolean {
  const written = footprints
    .effects(operand)
    .flatMap((x) => (x.kind === "assign" ? [x.target] : x.kind === "increment" ? [x.place] : []));
  return written.some((x) => mayBeOnePlace(x, p));
}
