/**
 * Buffers with a counter as values (HLSL's AppendStructuredBuffer and ConsumeStructuredBuffer, and RWStructuredBuffer where one that is a
 * value is counted by): a struct of the buffer and its counter, which go wherever it goes. Nobody names its members.
 */
import { construct, deref, memberValue } from "../ast/builders.js";
import type { Expr } from "../ast/nodes.js";
import { noTrivia } from "../ast/nodes.js";
import { noSpan, type Span } from "../support/span.js";
import { u32, type Type } from "../types/types.js";
import { objectPointer, shown, type ResourceObject, type Sema, type Value } from "./context.js";
import { uniqueStructName } from "./scopes.js";

const [buffer, counter] = ["buffer", "counter"];

export const counterPointer = objectPointer({
  view: "structured",
  writable: true,
  element: u32,
  typeName: "RWStructuredBuffer",
});

/** By what a reading that found values of such a type to be counted by says so to the next. */
export const countedKey = (s: Sema, object: ResourceObject): string => `${object.typeName} ${shown(s, object.element)}`;

/** The type of a buffer as a value. */
export function objectValueType(s: Sema, object: ResourceObject): Type {
  const key = countedKey(s, object);
  if (!object.counted && !s.counted.has(key)) return objectPointer(object);
  for (const [name, known] of s.countedBuffers)
    if (countedKey(s, known) === key && s.structs.has(name)) return { kind: "struct", name };
  const name = uniqueStructName(s, key.replace(/\W+/g, "_"));
  const span = noSpan;
  const members = [
    { name: buffer, type: objectPointer({ ...object, writable: true }), trivia: noTrivia, span },
    { name: counter, type: counterPointer, trivia: noTrivia, span },
  ];
  s.structs.set(name, { name, members, span, trivia: noTrivia, innerComments: [], counted: true });
  s.countedBuffers.set(name, object);
  return { kind: "struct", name };
}

/** The buffer that such a struct stands for. */
export const countedBuffer = (s: Sema, type: Type): ResourceObject | undefined =>
  type.kind === "struct" ? s.countedBuffers.get(type.name) : undefined;

/** The struct's value as the buffer that it stands for. */
export function countedValue(object: ResourceObject, e: Expr, span: Span): Value {
  const pointee = memberValue(e, buffer, objectPointer(object), span);
  const count = deref(memberValue(e, counter, counterPointer, span), span);
  return { type: e.type, place: deref(pointee, span), object, counter: count };
}

export const withCounter = (type: Type, pointee: Expr, count: Expr, span: Span): Expr =>
  construct(type, [pointee, count], span, true);
