/** What is known of a program's integers at a place: bounds of locals, and which of two is no less. */
import { hull, intervalOf, intervalOfKind, within, type Interval } from "../ast/interval.js";
import { SharedMap } from "../support/shared-map.js";
import { isInteger } from "../types/types.js";
import type { Constant, LocalId, MachineScalar } from "./tree.js";

/** What is known where control flow stands; a local that is not there may hold anything. */
export class Known {
  constructor(
    private readonly bounds = SharedMap.empty<Interval>(),
    /** Of a local those that it is no less than. */
    private readonly noLess = SharedMap.empty<ReadonlySet<LocalId>>(),
    /** Of a local those that are no less than it. */
    private readonly noMore = SharedMap.empty<ReadonlySet<LocalId>>(),
  ) {}

  copy(): Known {
    return new Known(this.bounds.copy(), this.noLess.copy(), this.noMore.copy());
  }

  boundsOf(id: LocalId): Interval | undefined {
    return this.bounds.get(id);
  }

  /** Leaves what is known of its order. */
  limit(id: LocalId, bounds: Interval): void {
    this.bounds.set(id, bounds);
  }

  isOrdered(high: LocalId, low: LocalId): boolean {
    return this.noLess.get(high)?.has(low) === true;
  }

  /** The first is no less than the second. */
  order(high: LocalId, low: LocalId): void {
    this.noLess.set(high, new Set(this.noLess.get(high)).add(low));
    this.noMore.set(low, new Set(this.noMore.get(low)).add(high));
  }

  /** The local holds another value, of which this is known. */
  assign(id: LocalId, bounds: Interval | undefined): void {
    if (bounds) this.bounds.set(id, bounds);
    else this.bounds.delete(id);
    for (const [mine, others] of [
      [this.noLess, this.noMore],
      [this.noMore, this.noLess],
    ] as const) {
      for (const other of mine.get(id) ?? []) {
        const left = new Set(others.get(other));
        left.delete(id);
        if (left.size > 0) others.set(other, left);
        else others.delete(other);
      }
      mine.delete(id);
    }
  }

  /** Keeps what both know. `join`: bounds that hold where either does. */
  meet(other: Known, join: (mine: Interval, others: Interval, id: LocalId) => Interval | undefined = hull): void {
    this.bounds.meet(other.bounds, join);
    this.noLess.meet(other.noLess, shared);
    this.noMore.meet(other.noMore, shared);
  }

  /** All that it knows holds where the other one is known. */
  holdsIn(other: Known): boolean {
    return (
      this.bounds.holdsIn(other.bounds, (mine, others) => others !== undefined && within(others, mine)) &&
      this.noLess.holdsIn(other.noLess, (mine, others) => [...mine].every((id) => others?.has(id)))
    );
  }
}

function shared(a: ReadonlySet<LocalId>, b: ReadonlySet<LocalId>): ReadonlySet<LocalId> | undefined {
  const both = new Set([...a].filter((id) => b.has(id)));
  return both.size > 0 ? both : undefined;
}

export const truth: Interval = { low: 0n, high: 1n };

/** Undefined of what is no integer, and of an index. */
export const allOf = (kind: MachineScalar): Interval | undefined =>
  kind === "bool" ? truth : kind !== "index" && isInteger(kind) ? intervalOfKind(kind) : undefined;

export function boundsOfConstant({ scalar, value }: Constant): Interval | undefined {
  if (typeof value === "boolean") return intervalOf(value ? 1n : 0n);
  if (typeof value === "bigint") return intervalOf(value);
  return scalar[0] !== "f" && scalar !== "bf16" && Number.isInteger(value) ? intervalOf(BigInt(value)) : undefined;
}
