/** What is known of a program's integers at a place: bounds of locals, and which of two is no less. */
import { intervalOf, intervalOfKind, within, type Interval } from "../ast/interval.js";
import { isInteger } from "../types/types.js";
import type { Constant, LocalId, MachineScalar } from "./tree.js";

/** What is known where control flow stands; a local that is not there may hold anything. */
export class Known {
  constructor(
    readonly bounds = new Map<LocalId, Interval>(),
    /** Pairs of locals, the first no less than the second. */
    readonly ordered = new Set<string>(),
  ) {}
}

export const truth: Interval = { low: 0n, high: 1n };

/** Undefined of what is no integer, and of an index. */
export const allOf = (kind: MachineScalar): Interval | undefined =>
  kind === "bool" ? truth : kind !== "index" && isInteger(kind) ? intervalOfKind(kind) : undefined;

export const pair = (a: LocalId, b: LocalId): string => `${a} ${b}`;

export function forget(known: Known, id: LocalId): void {
  for (const p of known.ordered) if (p.split(" ").includes(String(id))) known.ordered.delete(p);
}

/** All that the second knows holds where the first one is known. */
export function isLess(a: Known, b: Known): boolean {
  for (const [id, y] of b.bounds) {
    const x = a.bounds.get(id);
    if (!x || !within(x, y)) return false;
  }
  for (const p of b.ordered) if (!a.ordered.has(p)) return false;
  return true;
}

export function boundsOfConstant({ scalar, value }: Constant): Interval | undefined {
  if (typeof value === "boolean") return intervalOf(value ? 1n : 0n);
  if (typeof value === "bigint") return intervalOf(value);
  return scalar[0] !== "f" && scalar !== "bf16" && Number.isInteger(value) ? intervalOf(BigInt(value)) : undefined;
}
