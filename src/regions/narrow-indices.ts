/** Arithmetic of integers whose bounds are known, in cheaper forms: shifts, and 32 bits. */
import { within, type Interval } from "../ast/interval.js";
import { isInteger, type ScalarKind } from "../types/types.js";
import { constant, conversion, operation } from "./machine.js";
import type { MachineExpr, Operation } from "./tree.js";

export interface Valued {
  readonly e: MachineExpr;
  /** Of integers and bools; undefined where nothing is known. */
  readonly in: Interval | undefined;
}

const below31: Interval = { low: 0n, high: 2n ** 31n - 1n };

/** A quotient or remainder of a number that is not negative by a power of two. */
export function asShift(e: Operation, [a, b]: readonly Valued[]): MachineExpr | undefined {
  if ((e.op !== "div" && e.op !== "rem") || (e.on !== "u32" && e.on !== "i32")) return undefined;
  if (!a?.in || a.in.low < 0n || b?.e.kind !== "constant") return undefined;
  const by = Number(b.e.value);
  const bits = Math.log2(by);
  if (by <= 0 || !Number.isInteger(bits)) return undefined;
  const [op, operand] = e.op === "div" ? ["shr", bits] : ["and", by - 1];
  return { kind: "operation", scalar: e.scalar, on: e.on, op, arguments: [a.e, constant(e.on, operand)] };
}

/** A sum or product that stays below 2^31, in 32 bits. */
export function narrowIndex(v: Valued): Valued {
  if (!v.in || !within(v.in, below31)) return v;
  const narrow = inWords(v.e);
  return narrow ? { e: conversion("index", "u32", narrow), in: v.in } : v;
}

/** An index modulo 2^32, of parts that have a form in 32 bits. */
function inWords(e: MachineExpr): MachineExpr | undefined {
  if (e.kind === "constant")
    return Number(e.value) >= 0 && Number(e.value) < 2 ** 31 ? constant("u32", e.value) : undefined;
  if (e.kind === "conversion" && e.scalar === "index" && !e.mode && e.site === undefined) {
    if (e.from === "u32") return e.operand;
    return isInteger(e.from as ScalarKind) && e.from !== "u64" && e.from !== "i64"
      ? conversion("u32", e.from, e.operand)
      : undefined;
  }
  if (e.kind !== "operation" || e.on !== "index" || e.site !== undefined || (e.op !== "add" && e.op !== "mul"))
    return undefined;
  const [a, b] = e.arguments.map(inWords);
  return a && b && operation("u32", "u32", e.op, [a, b]);
}
