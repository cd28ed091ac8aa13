/**
 * Order of evaluation. The tree goes from left to right: where the source's dialect does not, and one operand changes what
 * another uses, values are kept in locals that are filled in the source's order.
 */
import { load } from "../ast/builders.js";
import type { Argument, Expr, Place } from "../ast/nodes.js";
import { isPure } from "../ast/walk.js";
import { meet, type Footprint } from "../ops/footprints.js";
import type { Span } from "../support/span.js";
import { hasValue, notYet, type Sema, type Value } from "./context.js";
import { after, intoLocal } from "./held-values.js";
import { read } from "./convert.js";

interface Ordered {
  /** Runs before anything made of `values`. */
  readonly first: readonly Expr[];
  readonly values: readonly Expr[];
}

/** Whether two expressions may give something else when the second is evaluated first. */
export function orderMatters(s: Sema, a: Expr, b: Expr): boolean {
  if (isPure(a) && isPure(b)) return false;
  return meet(s.footprints.of(a), s.footprints.of(b));
}

/**
 * Values that are evaluated in the order of `sequence`, their numbers. `moved`: what is made of them may evaluate them in an
 * order of its own, not that of the list. `rest`: what the source evaluates after them, and the tree before.
 */
function inSequence(
  s: Sema,
  list: readonly Expr[],
  sequence: readonly number[],
  moved: boolean,
  span: Span,
  rest: readonly Footprint[] = [],
): Ordered {
  const unchanged: Ordered = { first: [], values: list };
  const footprints = list.map((e) => s.footprints.of(e));
  const meets = (i: number, j: number): boolean => i !== j && meet(footprints[i]!, footprints[j]!);
  const meetsRest = (i: number): boolean => rest.some((r) => meet(footprints[i]!, r));
  const wrong = sequence.some(
    (i, at) => meetsRest(i) || sequence.slice(at + 1).some((j) => (moved || j < i) && meets(i, j)),
  );
  if (!wrong) return unchanged;
  const values = [...list];
  const first: Expr[] = [];
  // What is evaluated last stays; so does what nothing else changes.
  for (const i of sequence) {
    if (!meetsRest(i) && (i === sequence.at(-1) || !list.some((_, j) => meets(i, j)))) continue;
    const kept = intoLocal(s, list[i]!, span);
    first.push(kept.first);
    values[i] = kept.value;
  }
  return { first, values };
}

const upTo = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

/**
 * Arguments of a builtin function in the order of the source. The first of its places may be an object, which takes its turn
 * with the arguments; others take results. `moved` as above.
 */
export function builtinArguments(
  s: Sema,
  args: readonly Expr[],
  places: readonly Place[],
  objects: number,
  moved: boolean,
  span: Span,
): Ordered | undefined {
  const { order } = s.language;
  const unchanged: Ordered = { first: [], values: args };
  const backwards = order.arguments === "right to left";
  if (order.arguments === "open" || (!backwards && !moved)) return unchanged;
  if (args.every(isPure) && places.every((p) => isPure(load(p, span)))) return unchanged;
  if (!backwards) return inSequence(s, args, upTo(args.length), true, span);
  const results = places.slice(objects).map((p) => s.footprints.ofFinding(p));
  if (!order.placesOnce && results.some((r) => r.writes.length > 0)) return foundTwice(s, span);
  if (args.some((a) => results.some((r) => changes(s.footprints.of(a), r)))) return changedMeanwhile(s, span);
  const found = places.slice(0, objects).map((p) => s.footprints.ofFinding(p));
  return inSequence(s, args, upTo(args.length).reverse(), true, span, found);
}

/** Operands of what is written as a call but is none in the tree. */
export function valuesInOrder(
  s: Sema,
  list: readonly Value[],
  span: Span,
): { readonly first: readonly Expr[]; readonly values: readonly Value[] } {
  if (s.language.order.arguments !== "right to left") return { first: [], values: list };
  const given = list.map((v) => (hasValue(v) && !v.object ? read(s, v, span) : undefined));
  if (!given.every((e) => e !== undefined) || given.every(isPure)) return { first: [], values: list };
  const { first, values } = inSequence(s, given, upTo(list.length).reverse(), true, span);
  return { first, values: values.map((e, i): Value => (e === given[i] ? list[i]! : { type: e.type, expr: e })) };
}

const isAggregate = (e: Expr): boolean => e.type.kind === "struct" || e.type.kind === "array";

/** Whether evaluating `a` may change what `b` uses. */
const changes = (a: Footprint, b: Footprint): boolean => meet({ ...a, reads: [] }, b);

/**
 * Arguments of a function of the source. DXC handles those with places, and structs and arrays, before the others, and some
 * again with them: what that would show is refused.
 */
export function callArguments(
  s: Sema,
  args: readonly Argument[],
  referring: readonly boolean[],
  span: Span,
): { readonly first: readonly Expr[]; readonly args: readonly Argument[] } | undefined {
  const { order } = s.language;
  if (order.arguments !== "right to left") return referringLast(s, args, referring, span);
  const values = args.map((a): Expr => (a.mode === "value" ? a.value : load(a.place, span)));
  if (values.every(isPure)) return { first: [], args };
  const copied = args.map((a) => a.mode !== "value" || (a.value.kind === "load" && isAggregate(a.value)));
  for (const [i, a] of args.entries()) {
    if (!copied[i]) continue;
    const place = a.mode !== "value" ? a.place : (values[i] as Expr & { kind: "load" }).place;
    if (!order.placesOnce && s.footprints.ofFinding(place).writes.length > 0) return foundTwice(s, place.span);
    const own = s.footprints.ofArgument(a);
    if (args.some((b, j) => j !== i && b.mode === "value" && !copied[j] && changes(s.footprints.of(b.value), own)))
      return changedMeanwhile(s, place.span);
  }
  const value = upTo(args.length).filter((i) => !copied[i]);
  const early = value.filter((i) => isAggregate(values[i]!));
  const late = value.filter((i) => !isAggregate(values[i]!)).reverse();
  const numbers = [...early, ...late].map((i) => value.indexOf(i));
  const done = inSequence(
    s,
    value.map((i) => values[i]!),
    numbers,
    false,
    span,
  );
  return {
    first: done.first,
    args: args.map((a, i) => (a.mode === "value" && !copied[i] ? { ...a, value: done.values[value.indexOf(i)]! } : a)),
  };
}

/**
 * Arguments of which some, by `referring`, are what a reference to const refers to: the callee reads that, when all the other
 * arguments have been evaluated. In the tree it may be read in its turn.
 */
function referringLast(
  s: Sema,
  args: readonly Argument[],
  referring: readonly boolean[],
  span: Span,
): { readonly first: readonly Expr[]; readonly args: readonly Argument[] } {
  const values = args.map((a): Expr => (a.mode === "value" ? a.value : load(a.place, span)));
  if (!referring.includes(true) || values.every(isPure)) return { first: [], args };
  const own = upTo(args.length).filter((i) => args[i]!.mode === "value");
  const sequence = [...own.filter((i) => !referring[i]), ...own.filter((i) => referring[i])];
  const places = args.flatMap((a, i) => (a.mode !== "value" && referring[i] ? [s.footprints.ofArgument(a)] : []));
  const done = inSequence(
    s,
    own.map((i) => values[i]!),
    sequence.map((i) => own.indexOf(i)),
    false,
    span,
    places,
  );
  return {
    first: done.first,
    args: args.map((a, i) => (a.mode === "value" ? { ...a, value: done.values[own.indexOf(i)]! } : a)),
  };
}

const foundTwice = (s: Sema, span: Span): undefined =>
  notYet(
    s,
    "an argument whose place has side effects, which DXC runs twice, is",
    span,
    "compute the index before the call",
  );

const changedMeanwhile = (s: Sema, span: Span): undefined =>
  notYet(
    s,
    "an argument that is copied in or out and changed by another argument of the same call is",
    span,
    "evaluate the other argument before the call",
  );

/** The value of an assignment, where it is evaluated before the place and they meet. */
export function assignedValue(
  s: Sema,
  place: Place,
  value: Value,
  span: Span,
): { readonly first: readonly Expr[]; readonly value: Value } {
  const unchanged = { first: [], value };
  const { assignsValueFirst } = s.reading.expressions;
  if (!assignsValueFirst && s.language.order.assignment !== "value first") return unchanged;
  const { kind } = place.type;
  const isOrdered = kind === "scalar" || kind === "vector" || (kind === "struct" && assignsValueFirst === true);
  if (place.kind === "variable" || !isOrdered || value.literal || !hasValue(value)) return unchanged;
  const e = read(s, value, span);
  if (!e || (isPure(e) && isPure(load(place, span))) || !meet(s.footprints.ofFinding(place), s.footprints.of(e)))
    return unchanged;
  const kept = intoLocal(s, e, span);
  return { first: [kept.first], value: { type: e.type, expr: kept.value } };
}

/** Whether a value is evaluated before the place that an operator of the source assigns it to, and they meet. */
export function valueComesFirst(s: Sema, target: Value, value: Value, span: Span): boolean {
  const { place } = target;
  if (!s.reading.expressions.assignsValueFirst || !place || place.kind === "variable" || !hasValue(value)) return false;
  const e = value.place ? load(value.place, span) : value.expr;
  if (!e || (isPure(e) && isPure(load(place, span)))) return false;
  return meet(s.footprints.ofFinding(place), s.footprints.of(e));
}

/** Whether a place may be another once `done` has been evaluated. */
export const findsElsewhere = (s: Sema, place: Place, done: Expr): boolean =>
  changes(s.footprints.of(done), s.footprints.ofFinding(place));

/** The value of an operator with assignment that reads its old value last, where the tree would read that first. */
export function valueBeforeOld(
  s: Sema,
  target: Place,
  value: Value,
  span: Span,
): { readonly first: readonly Expr[]; readonly value: Value } {
  const e = value.literal || !hasValue(value) ? undefined : read(s, value, span);
  if (!e || isPure(e) || !meet(s.footprints.ofReading(target), s.footprints.of(e))) return { first: [], value };
  const kept = intoLocal(s, e, span);
  return { first: [kept.first], value: { type: e.type, expr: kept.value } };
}

/** An index that is evaluated before what it indexes, where they meet. */
export function indexFirst(
  s: Sema,
  base: Value,
  index: Expr,
  span: Span,
): { readonly base: Value; readonly index: Expr } {
  const unchanged = { base, index };
  if (s.language.order.indices !== "right to left" || base.type.kind !== "array") return unchanged;
  const whole = base.expr ?? (base.place && base.place.kind !== "variable" ? load(base.place, span) : undefined);
  if (!whole || (isPure(whole) && isPure(index))) return unchanged;
  const found = base.expr ? s.footprints.of(base.expr) : s.footprints.ofFinding(base.place!);
  if (!meet(found, s.footprints.of(index))) return unchanged;
  const kept = intoLocal(s, index, span);
  if (base.expr) return { base: { ...base, expr: after([kept.first], base.expr, span) }, index: kept.value };
  return { base: { ...base, place: foundAfter(kept.first, base.place!, span) }, index: kept.value };
}

/** A place with something evaluated before its first index. */
function foundAfter(first: Expr, p: Place, span: Span): Place {
  switch (p.kind) {
    case "variable":
      return p;
    case "deref":
      return { ...p, pointer: after([first], p.pointer, span) };
    case "member":
    case "swizzle":
      return { ...p, base: foundAfter(first, p.base, span) };
    case "element": {
      const base = foundAfter(first, p.base, span);
      return isUnindexed(p.base) ? { ...p, index: after([first], p.index, span) } : { ...p, base };
    }
    // Passes make these.
    case "view":
      throw new Error("broken tree: a view in the source");
  }
}

const isUnindexed = (p: Place): boolean =>
  p.kind === "variable" || (p.kind !== "deref" && p.kind !== "element" && p.kind !== "view" && isUnindexed(p.base));
