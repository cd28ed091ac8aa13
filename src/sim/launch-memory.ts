/**
 * The memory of a launch: one flat buffer holds all objects, each followed by a red zone; the objects of a workgroup and of
 * lanes are used again by the next workgroup. What no one wrote holds a pattern chosen by a seed.
 */
import type { MemoryObject, Site } from "../regions/tree.js";
import type { Span } from "../support/span.js";
import { bf16FromBits, f16FromBits, f32FromBits, f64FromBits } from "../types/numeric.js";
import type { ScalarKind } from "../types/types.js";
import { AsyncCopies } from "./async-copies.js";
import type { Trace } from "./trace.js";
import type { Finding, FindingKind } from "./findings.js";
import type { Machine } from "./machine.js";
import type { Printer } from "./printer.js";
import type { GroupRaces, Races } from "./races.js";
import type { Scalar } from "./scalars.js";
import type { Schedule } from "./schedule.js";

/** A launch that cannot be: something is missing, too large or not allowed. */
export class LaunchError extends Error {}

/** Thrown when a run has had as many findings as were asked for. */
export class EnoughFindings extends Error {}

/** The run met what its code leaves to another engine, or to a slower form of it; nothing of it counts. */
export class Unfit extends Error {}

const roundUp = (n: number, to: number): number => Math.ceil(n / to) * to;

/** Where a launch's memory comes from: its bytes, of which the first `before` are left to the engine. */
export interface Room {
  /** A multiple of 16. */
  readonly before: number;
  /** Where there is anything to find the run is given up, since lanes do not go one after the other. */
  readonly speculative: boolean;
  /** At least so many bytes, all zero. */
  allocate(bytes: number): ArrayBuffer;
}

type ObjectShape = Pick<MemoryObject, "id" | "name" | "kind" | "zone">;

export interface Placement {
  readonly base: number;
  /** Bytes the kernel may use; of private objects one lane's. */
  readonly bytes: number;
  readonly laneBytes: number;
  /** First byte of the red zone, from the base. */
  readonly zone: number;
  /** Bytes from the base to the end of the red zone. */
  readonly total: number;
}

/** A workgroup that does not run. */
export interface KeptGroup {
  readonly group: readonly [number, number, number];
  readonly groupIndex: number;
  readonly copies: AsyncCopies;
  readonly scratch: Uint32Array;
  readonly races: GroupRaces | undefined;
}

/** By word of an object who wrote it last: site and 1, lane, workgroup; and which of its bytes were written, a bit each. */
interface Writers {
  readonly site: Uint32Array;
  readonly lane: Uint32Array;
  readonly group: Uint32Array;
  readonly bytes: Uint8Array;
}

/** Layout and findings of one launch, shared by the machines of its workgroup shapes. */
export class LaunchMemory {
  readonly buffer: ArrayBuffer;
  readonly bytes: Uint8Array;
  readonly data: DataView;
  readonly places: readonly Placement[];
  /** Where the part begins that every workgroup finds filled. */
  private readonly scratch: Uint32Array;
  readonly fill: number;
  private readonly otherFill: number;
  private readonly laneFill: number;
  private readonly otherLaneFill: number;
  readonly findings = new Map<string, { -readonly [K in keyof Finding]: Finding[K] }>();
  /** What is worth a note alone, where it is not asked for by name. */
  readonly notes: typeof this.findings = new Map();
  findingCount = 0;
  mostFindings = Infinity;
  /** Per object with writer tracking. */
  readonly writers = new Map<number, Writers>();
  group: [number, number, number] = [0, 0, 0];
  groupIndex = 0;
  /** Brings `group` and `groupIndex` up to date, where an engine runs several workgroups by itself. */
  whichGroup: (() => void) | undefined;
  current: Machine | undefined;
  /** By point of coverage: 1 where a lane came there. */
  cover: Uint8Array = new Uint8Array(0);
  /** By point, left and right operand of what was compared there; NaN before. */
  nearest: Float64Array = new Float64Array(0);
  /** Where it is recorded who comes where. */
  trace: Trace | undefined;
  /** Where what the kernel prints is kept. */
  printer: Printer | undefined;
  /** Where races are looked for. */
  races: Races | undefined;
  /** Where lanes take turns. */
  schedule: Schedule | undefined;
  /** Of the workgroup that runs. */
  copies = new AsyncCopies(this);

  constructor(
    readonly objects: readonly ObjectShape[],
    readonly sites: readonly Site[],
    sizes: readonly number[],
    lanes: number,
    seed: number,
    readonly wanted: ReadonlySet<FindingKind>,
    limitBytes: number,
    readonly flip?: Flip,
    private readonly room?: Room,
  ) {
    const fill = fillPattern(seed);
    this.otherFill = (flip?.kind === "lanes" ? undefined : flip?.pattern) ?? otherPattern(fill);
    this.fill = flip?.kind === "fill" ? this.otherFill : fill;
    // A fill of its own, so that its use can be told from other fills.
    this.laneFill = ((fill << 16) | (fill >>> 16)) >>> 0;
    this.otherLaneFill = otherPattern(this.laneFill);
    const places: Placement[] = new Array<Placement>(objects.length);
    const before = room?.before ?? 0;
    let base = before;
    const place = (o: ObjectShape): void => {
      const bytes = sizes[o.id]!;
      const laneBytes = o.kind === "private" ? roundUp(bytes, 8) : 0;
      const zone = roundUp(o.kind === "private" ? laneBytes * lanes : bytes, 16);
      places[o.id] = { base, bytes, laneBytes, zone, total: zone + o.zone };
      base += zone + roundUp(o.zone, 16);
    };
    for (const o of objects) if (o.kind === "buffer" || o.kind === "constant") place(o);
    const scratch = base;
    for (const o of objects) if (o.kind === "workgroup" || o.kind === "private") place(o);
    if (base - before > limitBytes)
      throw new LaunchError(`the launch needs ${base - before} bytes of memory; the limit is ${limitBytes}`);
    const bytes = roundUp(Math.max(base, 16), 16);
    this.buffer = room ? room.allocate(bytes) : new ArrayBuffer(bytes);
    this.bytes = new Uint8Array(this.buffer);
    this.data = new DataView(this.buffer);
    this.places = places;
    this.scratch = new Uint32Array(this.buffer, scratch, (roundUp(base, 16) - scratch) / 4);
    const words = new Uint32Array(this.buffer);
    for (const o of objects) {
      const p = places[o.id]!;
      if (o.kind === "buffer" || o.kind === "constant")
        words.fill(this.fill, (p.base + p.zone) / 4, (p.base + p.total) / 4);
    }
  }

  /** The workgroup that runs from now on. */
  setGroup(x: number, y: number, z: number, index: number): void {
    this.group[0] = x;
    this.group[1] = y;
    this.group[2] = z;
    this.groupIndex = index;
  }

  /** Bytes that every workgroup finds filled. */
  get scratchBytes(): { readonly start: number; readonly end: number } {
    const { byteOffset: start, byteLength } = this.scratch;
    return { start, end: start + byteLength };
  }

  startGroup(x: number, y: number, z: number, index: number): void {
    this.whichGroup = undefined;
    this.setGroup(x, y, z, index);
    this.races?.startGroup();
    this.copies.startGroup();
    if (this.scratch.length > 0) this.scratch.fill(this.fill);
    if (this.flip?.kind === "object" && this.objects[this.flip.object]!.kind !== "buffer")
      this.fillObject(this.flip.object);
  }

  /** Nobody wrote it. */
  fillObject(object: number): void {
    const p = this.places[object]!;
    new Uint32Array(this.buffer, p.base, p.zone >> 2).fill(this.patternOf("object", object));
    if (this.flip?.kind !== "object" || this.flip.object !== object) return;
    const fill = new Uint8Array(Uint32Array.of(this.fill).buffer);
    for (const byte of this.flip.except ?? []) this.bytes[p.base + byte] = fill[byte & 3]!;
  }

  /** Gives the turn to another workgroup: what is kept of this one comes back with what is given. */
  leaveGroup(): KeptGroup {
    const { group, groupIndex, copies } = this;
    return {
      group: [...group],
      groupIndex,
      copies,
      scratch: this.scratch.slice(),
      races: this.races?.leaveGroup(),
    };
  }
  enterGroup(kept: KeptGroup): void {
    this.group = [...kept.group];
    this.groupIndex = kept.groupIndex;
    this.copies = kept.copies;
    this.scratch.set(kept.scratch);
    if (kept.races) this.races!.enterGroup(kept.races);
  }

  trackWriters(object: number): void {
    const words = Math.ceil(this.places[object]!.total / 4);
    this.writers.set(object, {
      site: new Uint32Array(words),
      lane: new Uint32Array(words),
      group: new Uint32Array(words),
      bytes: new Uint8Array(words),
    });
  }

  /** What a read of an inactive or missing lane gives. */
  laneFillOf(kind: ScalarKind, site: number): Scalar {
    const other = this.flip?.kind === "lanes" && (this.flip.sites?.has(site) ?? true);
    return this.fillOf(kind, other ? this.otherLaneFill : this.laneFill);
  }

  /** The pattern of a local, or of an object, that comes into scope without a value. */
  patternOf(kind: "local" | "object", id: number): number {
    const { flip } = this;
    const other = flip?.kind === kind && (flip.kind === "local" ? flip.local : flip.object) === id;
    return other ? this.otherFill : this.fill;
  }

  /** A value of the fill. */
  fillOf(kind: ScalarKind, f: number = this.fill): Scalar {
    // Not for every kind: it takes longer than all the rest, and each lane may ask.
    const wide = (): bigint => (BigInt(f) << 32n) | BigInt(f);
    switch (kind) {
      case "bool":
        return (f & 1) === 1;
      case "i8":
        return (f << 24) >> 24;
      case "u8":
        return f & 255;
      case "i16":
        return (f << 16) >> 16;
      case "u16":
        return f & 65535;
      case "i32":
        return f | 0;
      case "u32":
        return f;
      case "i64":
        return BigInt.asIntN(64, wide());
      case "u64":
        return wide();
      case "f16":
        return f16FromBits(f & 65535);
      case "bf16":
        return bf16FromBits(f & 65535);
      case "f32":
        return f32FromBits(f);
      case "f64":
        return f64FromBits(wide());
    }
  }

  /** By object, where an access beyond its end would have ended; -1 where one lay before it. */
  readonly beyond = new Map<number, number>();

  noteBeyond(object: number, end: number): void {
    const before = this.beyond.get(object) ?? 0;
    if (before >= 0) this.beyond.set(object, end <= 0 || !Number.isFinite(end) ? -1 : Math.max(before, end));
  }

  find(
    kind: FindingKind,
    site: number,
    lane: number | undefined,
    message: string,
    more: { buffer?: string; index?: number; against?: Span } = {},
  ): void {
    const isNote = kind === "same-value-race" && !this.wanted.has(kind) && this.wanted.has("data-race");
    if (!isNote) {
      if (!this.wanted.has(kind)) return;
      if (this.room?.speculative) throw new Unfit("there is something to find");
      if (++this.findingCount > this.mostFindings) throw new EnoughFindings();
    }
    const list = isNote ? this.notes : this.findings;
    const key = `${kind}.${site}.${more.buffer ?? ""}`;
    const old = list.get(key);
    if (old) {
      old.count++;
      return;
    }
    const where = this.sites[site];
    this.whichGroup?.();
    list.set(key, {
      kind,
      message,
      site,
      workgroup: [...this.group],
      span: where?.span ?? { start: 0, end: 0 },
      stack: where?.stack ?? [],
      count: 1,
      ...more,
      ...(lane === undefined ? {} : { lane: this.current!.localId(lane) }),
    });
  }
}

/** Whose unspecified values are the other pattern, or a given one: of lanes read at some sites or at any, of all memory, of one local or object. */
export type Flip =
  | { readonly kind: "lanes"; readonly sites?: ReadonlySet<number> }
  | { readonly kind: "fill"; readonly pattern?: number }
  | { readonly kind: "local"; readonly local: number; readonly pattern?: number }
  /** But for some of its bytes. */
  | {
      readonly kind: "object";
      readonly object: number;
      readonly except?: ReadonlySet<number>;
      readonly pattern?: number;
    };

/**
 * A 32-bit pattern from a seed: never zero in any byte pair, and no NaN or infinity as f16, f32 or f64. Seeds 2n-1 and 2n
 * give patterns that differ in every bit that is free, so that two fills are of unlike sign, size and parity.
 */
function fillPattern(seed: number): number {
  return seed % 2 === 0 ? otherPattern(oddPattern(seed - 1)) : oddPattern(seed);
}

const otherPattern = (pattern: number): number => ((~pattern & 0xbeffbeff) | 0x01100110) >>> 0;

function oddPattern(seed: number): number {
  let x = Math.imul(seed + 0x632be5ab, 0x85ebca6b);
  x ^= x >>> 13;
  x = Math.imul(x, 0xc2b2ae35);
  x ^= x >>> 16;
  return ((x & 0xbeffbeff) | 0x01100110) >>> 0;
}
