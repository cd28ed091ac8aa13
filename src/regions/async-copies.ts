/**
 * Asynchronous copies of a workgroup and the waits for them (OpenCL C 3.0 6.15.11): each is one routine of all its lanes, which
 * is told where both sides begin, in bytes of their memory objects.
 */
import { element, i32Literal, literalValue, load, pointerElement } from "../ast/builders.js";
import type { Expr, OpCall, Place } from "../ast/nodes.js";
import { row } from "../ops/table.js";
import { add, k } from "../ops/trees.js";
import type { Span } from "../support/span.js";
import { arrayStride, scalarSize } from "../types/layout.js";
import { componentCount, scalarOf } from "../types/types.js";
import { CannotRun, type BoundaryLowering, type MemoryPlace } from "./boundary-lowering.js";
import { lowerOne, lowerOperands } from "./lower-expressions.js";
import { lowerPlace, undisturbed } from "./lower-places.js";
import { conversion, indexAdd, indexConstant, indexScale, local, toIndex } from "./machine.js";
import type { MachineExpr } from "./tree.js";

/** Object and first byte of a side, bytes between its elements, and of an element without what only fills it up. */
interface Side {
  readonly operands: readonly MachineExpr[];
  readonly bytes: number;
}

export function lowerAsyncCopy(cx: BoundaryLowering, e: OpCall): readonly MachineExpr[] {
  const marks = e.places.map((p) => ({ place: lowerPlace(cx, p), mark: cx.out.length }));
  const values = lowerOperands(cx, e.arguments).map(([x]) => x!);
  const [to, from] = marks.map(({ place, mark }) => {
    const kept = undisturbed(cx, place, mark, e.span);
    if (kept.kind !== "memory") throw new CannotRun("an asynchronous copy of what is not in memory", e.span);
    return kept;
  }) as [MemoryPlace, MemoryPlace];
  const [count, stride] = values as [MachineExpr, MachineExpr];
  const event = values.at(-1)!;
  const { strided } = row(e.op);
  const written = sideOf(cx, to, strided === "target" ? stride : indexConstant(1));
  const source = sideOf(cx, from, strided === "source" ? stride : indexConstant(1));
  noteWritten(cx, to);
  const operands = [...written.operands, ...source.operands, toIndex(count), indexConstant(written.bytes)];
  return [routineOfAll(cx, "async_copy", event, operands, e.span)];
}

/** One wait for each event: how many there are is known. */
export function lowerWait(cx: BoundaryLowering, e: OpCall): void {
  const count = literalValue(e.arguments[0]!);
  if (count === undefined || typeof count === "boolean" || Number(count) > mostEvents)
    throw new CannotRun(`waiting for a number of events that is not known, or for more than ${mostEvents}`, e.span);
  for (let i = 0; i < Number(count); i++) {
    const event = lowerOne(cx, load(eventAt(e.places[0]!, i, e.span), e.span));
    routineOfAll(cx, "wait_event", event, [], e.span);
  }
}

const mostEvents = 64;

function eventAt(first: Place, i: number, span: Span): Place {
  if (i === 0) return first;
  if (first.kind === "deref") return pointerElement(first.pointer, i32Literal(i, span), span);
  if (first.kind !== "element") throw new CannotRun("waiting for several events that are in no array", span);
  const from: Expr = first.index;
  return element(first.base, add(from, k(from.type, i)), span);
}

function sideOf(cx: BoundaryLowering, p: MemoryPlace, stride: MachineExpr): Side {
  const start = p.terms.reduce<MachineExpr>(
    (sum, t) => indexAdd(sum, indexScale(toIndex(t.value), t.stride)),
    indexConstant(p.offset),
  );
  const object: MachineExpr = typeof p.object === "number" ? indexConstant(p.object) : toIndex(p.object);
  const bytes = componentCount(p.type)! * scalarSize(scalarOf(p.type)!, p.rule);
  return {
    operands: [object, start, indexScale(toIndex(stride), arrayStride(p.type, p.rule, cx.structs))],
    bytes,
  };
}

function noteWritten(cx: BoundaryLowering, p: MemoryPlace): void {
  if (typeof p.object === "number") cx.writtenObjects.add(p.object);
  else for (const o of cx.objects) if (o.kind === "buffer" || o.kind === "workgroup") cx.writtenObjects.add(o.id);
}

/** A number that is the same in all lanes, from a number for each. */
function routineOfAll(
  cx: BoundaryLowering,
  routine: string,
  event: MachineExpr,
  operands: readonly MachineExpr[],
  span: Span,
): MachineExpr {
  const held = (x: MachineExpr): MachineExpr =>
    x.kind === "constant" || x.kind === "local" ? x : cx.temporary(x, span);
  const result = cx.newLocal("event", "u32", true);
  const first = cx.temporary(event.scalar === "u32" ? event : conversion("u32", event.scalar, event), span, "t");
  cx.emit({
    kind: "collective",
    scope: "workgroup",
    routine,
    scalar: "u32",
    operands: [first, ...operands.map(held)],
    results: [result],
    resultScalar: "u32",
    moves: false,
    uniformResult: true,
    reachedByAll: true,
    site: cx.site(span, "asynchronous copy"),
    span,
  });
  return local(result, "u32");
}
