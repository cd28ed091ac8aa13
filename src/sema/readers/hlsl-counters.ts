/**
 * Hidden counters of HLSL's structured buffers. No other language has them, so that a counter is a buffer of one uint of its
 * own, as DXC makes them for Vulkan; it is there once something counts.
 */
import { assign, binary, element, literal, load, opCall, variablePlace } from "../../ast/builders.js";
import type { Expr, Place, Resource, VarId } from "../../ast/nodes.js";
import { noTrivia } from "../../ast/nodes.js";
import type { Span } from "../../support/span.js";
import { array, u32, type PointerType } from "../../types/types.js";
import {
  error,
  exprValue,
  newVariable,
  notYet,
  objectPointer,
  resourceFor,
  type Sema,
  type Value,
} from "../context.js";
import { after, held } from "../held-values.js";
import { convertTo } from "../convert.js";
import { counterPointer, countedKey, withCounter } from "../counted-buffers.js";
import { addResource } from "../interface.js";
import { valueSpan } from "../assignments.js";
import { variableValue } from "../variable-value.js";

/** The functions and how many arguments they take. */
const functions: Readonly<Record<string, number>> = { IncrementCounter: 0, DecrementCounter: 0, Append: 1, Consume: 0 };

/** What the type of a buffer counts by. */
const methodsOf: Readonly<Record<string, readonly string[]>> = {
  RWStructuredBuffer: ["IncrementCounter", "DecrementCounter"],
  AppendStructuredBuffer: ["Append"],
  ConsumeStructuredBuffer: ["Consume"],
};

/** `b.IncrementCounter()`, `b.Append(value)`; "none" for other methods. */
export function counterMethod(
  s: Sema,
  base: Value,
  name: string,
  args: readonly Value[],
  span: Span,
): Value | undefined | "none" {
  if (!methodsOf[base.object!.typeName]?.includes(name)) return "none";
  if (args.length !== functions[name]) {
    const takes = functions[name] === 0 ? "no arguments" : "one argument";
    return error(s, "XL2005", `${name} takes ${takes}`, span);
  }
  const { place } = base;
  // Both the buffer and its counter are named by the index.
  const { first, values } = place?.kind === "element" ? held(s, [place.index], span) : { first: [], values: [] };
  const own = place?.kind === "element" ? { ...base, place: element(place.base, values[0]!, span) } : base;
  const counted = countedBy(s, own, name, args, span);
  return counted && { ...counted, expr: after(first, counted.expr!, span) };
}

function countedBy(s: Sema, base: Value, name: string, args: readonly Value[], span: Span): Value | undefined {
  const counter = counterOf(s, base, span);
  if (!counter) return undefined;
  const one = literal("u32", 1, span);
  const before = (op: "atomic.add" | "atomic.sub"): Expr => opCall(op, [one], u32, span, { places: [counter] });
  const taken = (): Expr => binary("sub", before("atomic.sub"), one, span);
  switch (name) {
    case "IncrementCounter":
      return exprValue(before("atomic.add"));
    case "DecrementCounter":
      return exprValue(taken());
    case "Consume":
      return exprValue(load(element(base.place!, taken(), span), span));
    default: {
      const value = convertTo(s, args[0]!, base.object!.element, "argument", valueSpan(args[0]!, span), "the value");
      if (!value) return undefined;
      // The value is there before the place is taken.
      const { first, values } = held(s, [value], span);
      const place = element(base.place!, before("atomic.add"), span);
      return { type: { kind: "void" }, expr: after(first, assign(place, values[0]!, span), span) };
    }
  }
}

function counterOf(s: Sema, base: Value, span: Span): Place | undefined {
  const counter = counterBuffer(s, base, span);
  return counter && element(counter, literal("i32", 0, span), span);
}

/** The counter's buffer. */
function counterBuffer(s: Sema, { place, object, counter }: Value, span: Span): Place | undefined {
  if (counter) return counter;
  if (place?.kind === "variable" && s.staticBuffers.has(place.variable))
    return notYet(s, `a counter of the static buffer '${s.variables.get(place.variable)!.name}' is`, span);
  const of = place?.kind === "variable" ? resourceFor(s, place.variable) : undefined;
  if (of) return variableValue(s, counterFor(s, of), span).place!;
  if (place?.kind === "element" && place.base.kind === "variable") {
    const counters = countersOf(s, place.base.variable, span);
    if (counters) return element(counters, place.index, span);
  }
  if (place?.kind === "deref") s.counted.add(countedKey(s, object!));
  return notYet(s, "the counter of a buffer in an array of arrays is", span, "declare the buffers one by one");
}

/** The counters of an array of buffers of the file, an array themselves. */
function countersOf(s: Sema, buffers: VarId, span: Span): Place | undefined {
  const of = s.blockArrays.find((a) => a.variable === buffers);
  if (!of || of.rows) return undefined;
  const name = `${of.name}_counter`;
  const known = s.blockArrays.find((a) => a.name === name);
  if (known) return variablePlace(s.variables.get(known.variable)!, span);
  const elements = of.elements.map((id) => counterFor(s, resourceFor(s, id)!));
  const type = array(array(u32, undefined), elements.length);
  const all = newVariable(s, { name, type, space: "global", role: "global", constant: false, span });
  s.blockArrays.push({ variable: all.id, name, elements });
  return variablePlace(all, span);
}

function counterFor(s: Sema, { path, variable }: Resource): VarId {
  const own = `${path}.counter`;
  return s.resources.find((r) => r.path === own)?.variable ?? addCounter(s, variable, own);
}

/** The buffer and its counter as a value. */
export function valueWithCounter(s: Sema, v: Value, span: Span): Expr | undefined {
  const place = v.place!;
  const count = counterBuffer(s, v, span);
  if (!count) return undefined;
  const addressOf = (of: Place, type: PointerType): Expr =>
    of.kind === "deref" ? of.pointer : { kind: "address-of", place: of, type, span };
  return withCounter(v.type, addressOf(place, objectPointer(v.object!)), addressOf(count, counterPointer), span);
}

function addCounter(s: Sema, of: VarId, path: string): VarId {
  const { name, span } = s.variables.get(of)!;
  s.problems.warning(
    "XL2010",
    `the counter of '${name}' is a buffer of one uint, '${path}', which the host binds`,
    span,
  );
  return addResource(
    s,
    {
      name: `${name}_counter`,
      type: array(u32, undefined),
      space: "global",
      span,
      trivia: noTrivia,
      resource: { kind: "buffer", access: "readwrite", path },
    },
    true,
  );
}
