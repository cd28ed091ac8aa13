/** What groups of lanes store: vectors, whole records, or lane by lane. */
import { bytesOf, exprsOf, visitExpr } from "../../src/regions/machine.js";
import type { Atomic, Code, LocalId, MachineExpr, Store } from "../../src/regions/tree.js";
import type { Scope } from "./lane-values.js";
import { heldAs } from "./shape.js";
import { isNarrow, type Held } from "./vector-lanes.js";
import type { Part } from "./vector-records.js";
import { VectorRuns } from "./vector-runs.js";

/** So many statements are looked through for the parts of a record. */
const mostTogether = 40;

export abstract class VectorStores extends VectorRuns {
  protected abstract vectorStatement(c: Code): void;
  protected abstract makeHeld(id: LocalId): Held;

  /** Statements that no lane leaves. */
  protected straightList(list: readonly Code[]): void {
    for (let i = 0; i < list.length;) {
      const stored = this.recordStores(list, i);
      if (stored === 0) this.vectorStatement(list[i]!);
      i += Math.max(stored, 1);
    }
  }

  /** Statements of a list that store whole records, from one on: how many of them that was. */
  private recordStores(list: readonly Code[], from: number): number {
    const first = list[from];
    if (first?.kind !== "store" || this.g.mask !== undefined) return 0;
    const pointer = this.pointerOf(first.address, first.scalar)?.pointer;
    if (!pointer?.always) return 0;
    const parts: (Part & { readonly c: Store; readonly index: number })[] = [];
    for (const [index, c] of list.slice(from, from + mostTogether).entries()) {
      const loads = exprsOf(c).some((e) => index > 0 && loadsFrom(e, pointer.object));
      if (loads || !["store", "declare", "set"].includes(c.kind)) break;
      if (c.kind !== "store") continue;
      const here = this.isVectorStore(c) ? this.pointerOf(c.address, c.scalar) : undefined;
      if (here?.pointer !== pointer) break;
      parts.push({ at: here.at, bytes: bytesOf(c.scalar), c, index });
    }
    const count = parts.length > 0 ? this.wholeRecord(pointer.stride * pointer.unit, parts) : 0;
    if (count === 0) return 0;
    const length = parts[count - 1]!.index + 1;
    this.oneStatement(() => {
      const values = new Map<Code, { readonly value: number; readonly number?: number | undefined }>();
      const at = new Map<Code, number>(parts.map((p) => [p.c, p.at]));
      for (const c of list.slice(from, from + length))
        if (c.kind !== "store") this.vectorStatement(c);
        else if (c.scalar === "f16" && this.isLoaded(pointer, at.get(c)!, bytesOf(c.scalar)))
          values.set(c, this.storedHalf(c));
        else values.set(c, { value: this.storedVector(c) });
      const stored = parts.slice(0, count);
      for (const { c, at, bytes } of stored)
        this.noteApart("write", c.address, bytes, pointer.stride * pointer.unit, () => this.addressBy(pointer, at));
      this.storeRecords(
        pointer,
        stored.map(({ c, at, bytes }) => ({ at, bytes, ...values.get(c)! })),
      );
    });
    return length;
  }

  private isVectorStore({ scalar, value }: Store): boolean {
    return scalar !== "bf16" && heldAs(scalar) === heldAs(value.scalar) && isNarrow(scalar);
  }

  protected vectorStore(c: Store): void {
    const byLane = (): void => this.eachPart((part) => this.store(c, this.scopeOf(part)));
    const { scalar } = c;
    if (!this.isVectorStore(c)) {
      byLane();
      return this.forgetKnown(c.address.object);
    }
    this.storeEvenly(c.address, scalar, () => this.storedVector(c), byLane);
    this.forgetKnown(c.address.object);
  }

  protected vectorAtomic(c: Atomic): void {
    const { g } = this;
    const { result } = c;
    this.forgetKnown(c.address.object);
    if (result === undefined) return this.eachPart((part) => this.atomic(c, this.scopeOf(part)));
    const held = g.held.get(result) ?? this.makeHeld(result);
    const { scalar } = this.module.local(result);
    const parts = held.kind === "lanes" ? held.locals : g.lanes.map(() => this.newLocal(heldAs(scalar)));
    this.eachPart((part) => {
      this.atomicInto = { result, local: parts[part]! };
      this.atomic(c, this.scopeOf(part));
      this.atomicInto = undefined;
    });
    if (held.kind !== "vector") return;
    this.gathered(scalar, (part) => this.code.get(parts[part]!));
    if (g.mask !== undefined) this.code.get(held.local).get(g.mask).simd(82);
    this.code.set(held.local);
  }

  private atomicInto: { readonly result: LocalId; readonly local: number } | undefined;

  protected override assign(id: LocalId, value: () => void, scope: Scope, declares: boolean): void {
    if (this.atomicInto?.result !== id) return super.assign(id, value, scope, declares);
    value();
    this.code.set(this.atomicInto.local);
  }
}

function loadsFrom(e: MachineExpr, object: number): boolean {
  let found = false;
  visitExpr(e, (x) => {
    if (
      x.kind === "call" ||
      (x.kind === "load" && (x.address.object === object || typeof x.address.object !== "number"))
    )
      found = true;
  });
  return found;
}
