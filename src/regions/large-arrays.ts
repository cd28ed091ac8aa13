/**
 * Arrays of more scalars than are copied one by one: lists of constants are memory that is there from the start, and copies of
 * arrays are loops. Without that a kernel's code would be as long as its data.
 */
import type { Expr, Variable } from "../ast/nodes.js";
import { literalValue, rootVariable } from "../ast/builders.js";
import type { Span } from "../support/span.js";
import { layoutOf, leavesOf } from "../types/layout.js";
import type { ScalarKind, Type } from "../types/types.js";
import { isCopiedAtOnce, type BoundaryLowering, type LoweredPlace } from "./boundary-lowering.js";
import { lowerExpr } from "./lower-expressions.js";
import { elementOf, lowerPlace, readPlace, writePlace } from "./lower-places.js";
import { constant, local, operation } from "./machine.js";
import type { MachineExpr } from "./tree.js";

export type Value = number | bigint | boolean;

/** The scalars of a constant expression, or undefined where it is none. */
export function tryConstants(cx: BoundaryLowering, e: Expr): Value[] | undefined {
  const plain = literalValue(e);
  if (plain !== undefined && e.kind !== "splat") return [plain];
  const { code, value } = cx.collect(() => lowerExpr(cx, e));
  return constantValues(value, (x) => {
    const declared = code.find((c) => c.kind === "declare" && c.local === x);
    return declared?.kind === "declare" ? declared.value : undefined;
  });
}

type LocalOf = (MachineExpr & { kind: "local" })["local"];

export function constantValues(
  list: readonly MachineExpr[],
  declared: (x: LocalOf) => MachineExpr | undefined = () => undefined,
): Value[] | undefined {
  const values: Value[] = [];
  for (const x of list) {
    let known: MachineExpr | undefined = x;
    while (known?.kind === "local") known = declared(known.local);
    if (known?.kind !== "constant") return undefined;
    values.push(known.value);
  }
  return values;
}

/** Memory that holds these values from the start. */
export function constantMemory(
  cx: BoundaryLowering,
  named: Pick<Variable, "name" | "type"> & { readonly id?: Variable["id"] },
  values: readonly Value[],
): LoweredPlace {
  const data = leavesOf(named.type, "structured", cx.structs).map((s, i) => {
    const kind = (s.type as { scalar: ScalarKind }).scalar;
    const stored = cx.memoryScalar(kind, "structured");
    return { offset: s.offset, scalar: stored, value: stored === kind ? values[i]! : Number(values[i]) };
  });
  const object = cx.newObject({
    name: named.name,
    kind: "constant",
    bytes: layoutOf(named.type, "structured", cx.structs).size,
    ...(named.id === undefined ? {} : { variable: named.id }),
    type: named.type,
    access: "read",
    data,
  });
  return { kind: "memory", object, terms: [], offset: 0, type: named.type, rule: "structured" };
}

/** A local that is an array too large to be copied at once, and what it is declared with. */
export function largeLocal(
  cx: BoundaryLowering,
  v: Variable,
  initializer: Expr,
  declared: () => LoweredPlace,
  span: Span,
): LoweredPlace | undefined {
  if (isCopiedAtOnce(cx, v.type)) return undefined;
  const values = initializer.kind === "construct" ? tryConstants(cx, initializer) : undefined;
  const stays = !cx.assigned.has(v.id) && !cx.addressTaken.has(v.id);
  const from = values ? constantMemory(cx, v, values) : largeSource(cx, initializer);
  if (stays && from && isConstantMemory(cx, from)) return from;
  const place = declared();
  if (from) copyArray(cx, place, from, span);
  else if (initializer.kind === "construct") writeParts(cx, place, initializer, span);
  else return undefined;
  return place;
}

const isConstantMemory = (cx: BoundaryLowering, place: LoweredPlace): boolean =>
  place.kind === "memory" && typeof place.object === "number" && cx.objects[place.object]!.kind === "constant";

/** `a = b` of such arrays; false where it is something else. */
export function assignLarge(cx: BoundaryLowering, target: () => LoweredPlace, value: Expr, span: Span): boolean {
  if (isCopiedAtOnce(cx, value.type)) return false;
  const from = largeSource(cx, value);
  if (!from) return false;
  copyArray(cx, target(), from, span);
  return true;
}

function largeSource(cx: BoundaryLowering, e: Expr): LoweredPlace | undefined {
  if (e.kind === "load" && rootVariable(e.place) !== undefined) {
    const place = lowerPlace(cx, e.place);
    return place.kind === "memory" ? place : undefined;
  }
  const values = e.kind === "construct" ? tryConstants(cx, e) : undefined;
  return values && constantMemory(cx, { name: "list", type: e.type }, values);
}

/** Element by element of a list in the text, which nothing of the object is read in. */
function writeParts(cx: BoundaryLowering, place: LoweredPlace, e: Expr & { kind: "construct" }, span: Span): void {
  e.arguments.forEach((x, i) => {
    const part = elementOf(cx, place, constant("i32", i), span, true);
    if (x.kind === "construct" && !isCopiedAtOnce(cx, x.type)) writeParts(cx, part, x, span);
    else writePlace(cx, part, lowerExpr(cx, x), span);
  });
}

function copyArray(cx: BoundaryLowering, to: LoweredPlace, from: LoweredPlace, span: Span): void {
  const type = to.type as Type & { kind: "array" };
  const index = cx.newLocal("i", "u32", false);
  const at = local(index, "u32");
  cx.emit({ kind: "declare", local: index, value: constant("u32", 0), span });
  const body = cx.collect(() => {
    const [target, source] = [to, from].map((p) => elementOf(cx, p, at, span, true)) as [LoweredPlace, LoweredPlace];
    if (isCopiedAtOnce(cx, type.element)) writePlace(cx, target, readPlace(cx, source, span), span);
    else copyArray(cx, target, source, span);
  }).code;
  const next = operation("u32", "u32", "add", [at, constant("u32", 1)]);
  cx.emit({
    kind: "loop",
    label: cx.label(),
    head: [],
    condition: operation("bool", "u32", "lt", [at, constant("u32", type.length!)]),
    body,
    step: [{ kind: "set", local: index, value: next, span }],
    span,
  });
}
