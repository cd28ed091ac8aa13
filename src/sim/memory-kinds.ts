/** Kinds of memory that an order may be about: workgroup memory, buffers, and each buffer that some barrier orders alone. */
import type { BarrierDescriptor } from "../ast/nodes.js";
import type { ObjectId, RegionBarrier } from "../regions/tree.js";

/** 0: workgroup memory; 1: buffers that no barrier names. */
export type MemoryKind = number;

/** What an order is about. */
export interface OrderedMemory {
  readonly memory: BarrierDescriptor["memory"];
  readonly objects?: readonly ObjectId[];
}

export class MemoryKinds {
  private readonly named: readonly ObjectId[];
  readonly all: readonly MemoryKind[];

  constructor(barriers: Iterable<RegionBarrier>) {
    this.named = [...new Set([...barriers].flatMap((b) => b.objects ?? []))];
    this.all = Array.from({ length: 2 + this.named.length }, (_, kind) => kind);
  }

  of(object: ObjectId, ofWorkgroup: boolean): MemoryKind {
    const at = this.named.indexOf(object);
    return ofWorkgroup ? 0 : at < 0 ? 1 : at + 2;
  }

  isAbout({ memory, objects }: OrderedMemory, kind: MemoryKind): boolean {
    if (kind === 0) return memory.workgroup;
    return memory.global && (objects === undefined || objects.includes(this.named[kind - 2]!));
  }
}
