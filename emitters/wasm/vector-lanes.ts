/** What four lanes at a time know of each other: how locals are held, who takes part, and what is done lane by lane. */
import type { LocalId, MachineExpr, MachineScalar } from "../../src/regions/tree.js";
import { f32, i32, v128 } from "./bytes.js";
import { CollectiveText } from "./collectives.js";
import type { Scope } from "./lane-values.js";
import { groupLanes, type LaneShapes } from "./lane-shapes.js";
import type { Condition } from "./one-way.js";
import { heldAs } from "./shape.js";

export const lanesOfGroup: readonly number[] = Array.from({ length: groupLanes }, (_, i) => i);

/** Opcodes that compare four lanes. */
export const compareOps: Readonly<Record<"i" | "u" | "f", Readonly<Record<string, number>>>> = {
  i: { eq: 55, ne: 56, lt: 57, gt: 59, le: 61, ge: 63 },
  u: { eq: 55, ne: 56, lt: 58, gt: 60, le: 62, ge: 64 },
  f: { eq: 65, ne: 66, lt: 67, gt: 68, le: 69, ge: 70 },
};

/** Held in 32 bits a lane. */
export const isNarrow = (kind: MachineScalar): boolean => heldAs(kind) === i32 || heldAs(kind) === f32;

/** How a local of the region is held. */
export type Held =
  /** `unrounded`: a half is what the numbers there are rounded to. `even`: the first lane's is at hand by itself, and others lie evenly from it. */
  | {
      readonly kind: "vector";
      readonly local: number;
      readonly unrounded?: true;
      readonly even?: { readonly first: number; readonly stride: number };
    }
  | { readonly kind: "lanes"; readonly locals: readonly number[] }
  /** The first lane's; it grows by `stride`. */
  | { readonly kind: "even"; readonly local: number; readonly stride: number };

/** Elements that lie evenly over a run of lanes: their places are computed, and their bounds looked at, once for all of it. */
export interface Pointer {
  readonly object: number;
  readonly unit: number;
  /** In terms of what is known before the region begins; of the first lane. */
  readonly index: MachineExpr;
  /** Units from a lane's to the next one's, above 0. */
  readonly stride: number;
  /** Of all accesses: where the first byte lies, and behind the last, from their index. */
  first: number;
  end: number;
  /** Every lane comes to one of them: the run is as long as they are inside. Else `inside` says whether they are. */
  always: boolean;
  /** What is loaded: first bytes from the index, and how many. */
  readonly loads: { readonly at: number; readonly bytes: number }[];
  /** Of the group's first lane, without the access's offset. */
  readonly address: number;
  readonly inside: number;
}

export interface Group {
  readonly shapes: LaneShapes;
  readonly pointers: Pointer[];
  /** What has to hold for all lanes of a run. */
  readonly conditions: readonly Condition[];
  /** The group's first lane, and each of its lanes. */
  readonly lane: number;
  readonly lanes: readonly number[];
  readonly held: Map<LocalId, Held>;
  readonly inSubgroup: boolean;
  /** Halves that are held as what they are rounded from. */
  readonly unrounded: ReadonlySet<LocalId>;
  /** Lanes that take part, all bits set; all of them where it is undefined. */
  mask: number | undefined;
}

export class VectorLanes extends CollectiveText {
  protected group: Group | undefined;

  protected get g(): Group {
    return this.group!;
  }

  protected override inSeveralLanes(e: MachineExpr, scope: Scope): boolean {
    return this.group !== undefined && (scope.part === undefined || this.g.shapes.isUniform(e));
  }

  protected scopeOf(part: number): Scope {
    const { lanes, inSubgroup } = this.g;
    return { lane: lanes[part]!, inSubgroup, part };
  }

  /** Scope of what is the same in all lanes of the group. */
  protected get groupScope(): Scope {
    return { lane: this.g.lane, inSubgroup: this.g.inSubgroup };
  }

  override readLocal(id: LocalId, scope: Scope): void {
    const held = this.group?.held.get(id);
    if (!held) return super.readLocal(id, scope);
    // What is the same in a group although its parts are not is computed for the first lane.
    const part = scope.part ?? 0;
    const { code } = this;
    if (held.kind === "lanes") code.get(held.locals[part]!);
    else if (held.kind === "even") {
      code.get(held.local);
      if (part > 0) code.i64(held.stride * part).op(0x7c);
    } else if (held.even) {
      code.get(held.even.first);
      if (part > 0) code.i32(held.even.stride * part).op(0x6a);
    } else {
      const { scalar } = this.module.local(id);
      code
        .get(held.local)
        .simd(heldAs(scalar) === f32 ? 31 : 27)
        .op(part);
      if (scalar === "bool") code.i32(1).op(0x71);
      if (held.unrounded) this.toHalf();
    }
  }

  // ---------------------------------------------------------------- lane by lane

  /** Whether lane `part` takes part. */
  protected laneBit(part: number): void {
    this.code.get(this.g.mask!).simd(27).op(part);
  }

  /** Runs `inside` for each lane that takes part. */
  protected eachPart(inside: (part: number) => void): void {
    for (const part of lanesOfGroup) {
      if (this.g.mask === undefined) inside(part);
      else {
        this.laneBit(part);
        this.ifElse(() => inside(part));
      }
    }
  }

  /** A vector of what `value` leaves for each lane; of lanes that take no part zero. */
  protected gathered(kind: MachineScalar, value: (part: number) => void): void {
    const { code } = this;
    const held = heldAs(kind);
    const parts = lanesOfGroup.map(() => this.newLocal(held));
    if (this.g.mask !== undefined) for (const p of parts) (held === f32 ? code.f32(0) : code.i32(0)).set(p);
    this.eachPart((part) => {
      value(part);
      code.set(parts[part]!);
    });
    code.get(parts[0]!).simd(held === f32 ? 19 : 17);
    for (const part of lanesOfGroup.slice(1))
      code
        .get(parts[part]!)
        .simd(held === f32 ? 32 : 28)
        .op(part);
    if (kind === "bool") this.truth();
  }

  /** 0 and 1 as no bits and all bits. */
  private truth(): void {
    this.code.simd(161);
  }

  protected splat(e: MachineExpr): void {
    this.expr(e, this.groupScope);
    this.code.simd(heldAs(e.scalar) === f32 ? 19 : 17);
    if (e.scalar === "bool") this.truth();
  }

  protected ones(): void {
    this.code.v128([-1, -1, -1, -1]);
  }

  /** Runs `inside` for the lanes that take part and have their bits set in a local. */
  protected masked(by: number, not: boolean, inside: () => void): void {
    const { code, g } = this;
    const saved = g.mask;
    const mask = this.newLocal(v128);
    if (saved === undefined) {
      code.get(by);
      if (not) code.simd(77);
    } else
      code
        .get(saved)
        .get(by)
        .simd(not ? 79 : 78);
    code.set(mask);
    g.mask = mask;
    inside();
    g.mask = saved;
  }

  protected normaliseVector(kind: MachineScalar): void {
    const bits = kind === "i8" || kind === "u8" ? 24 : kind === "i16" || kind === "u16" ? 16 : 0;
    if (bits === 0) return;
    this.code
      .i32(bits)
      .simd(171)
      .i32(bits)
      .simd(kind[0] === "i" ? 172 : 173);
  }

  protected canonicalVector(): void {
    const x = this.newLocal(v128);
    const nan = 0x7fc00000;
    this.code.set(x).v128([nan, nan, nan, nan]).get(x).get(x).get(x).simd(66).simd(82);
  }

  /** The run is given up where a lane that takes part has its bits set in the vector on the stack. */
  protected unfitWhere(): void {
    const { code, g } = this;
    if (g.mask !== undefined) code.get(g.mask).simd(78);
    code.simd(83);
    this.ifElse(() => this.unfit());
  }
}
