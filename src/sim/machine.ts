/**
 * The memory of a launch and what generated code asks of it. One flat buffer holds all objects, each followed by a red zone;
 * the objects of a workgroup and of lanes are used again by the next workgroup. Slots are arrays of their own here.
 */
import type { MemoryObject, Site } from "../regions/tree.js";
import { f16Bits, f16FromBits, f32FromBits, f64FromBits, roundFloat, wrapInteger } from "../types/numeric.js";
import { isFloat, type ScalarKind } from "../types/types.js";
import { convertBy } from "./conversions.js";
import type { Finding, FindingKind } from "./findings.js";
import type { Races } from "./races.js";
import { halves } from "./tables.js";
import type { Span } from "../support/span.js";

export type Scalar = number | bigint | boolean;
export type Column =
  | Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array | Float32Array | Float64Array | BigInt64Array | BigUint64Array; // prettier-ignore

/** A launch that cannot be: something is missing, too large or not allowed. */
export class LaunchError extends Error {}

/** Thrown when a run has used up its steps. */
export class OutOfSteps extends Error {}

export type ThreeSizes = readonly [number, number, number];

const roundUp = (n: number, to: number): number => Math.ceil(n / to) * to;

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
  findingCount = 0;
  /** Per object with writer tracking: site, lane and workgroup of the last writer of each element word. */
  readonly writers = new Map<number, { readonly site: Uint32Array; readonly lane: Uint32Array; readonly group: Uint32Array }>();
  group: [number, number, number] = [0, 0, 0];
  groupIndex = 0;
  current: Machine | undefined;
  /** Where races are looked for. */
  races: Races | undefined;

  constructor(
    readonly objects: readonly ObjectShape[],
    readonly sites: readonly Site[],
    sizes: readonly number[],
    lanes: number,
    seed: number,
    readonly wanted: ReadonlySet<FindingKind>,
    limitBytes: number,
    private readonly flip?: Flip,
  ) {
    const fill = fillPattern(seed);
    this.otherFill = otherPattern(fill);
    this.fill = flip?.kind === "fill" ? this.otherFill : fill;
    // A fill of its own, so that its use can be told from other fills.
    this.laneFill = ((fill << 16) | (fill >>> 16)) >>> 0;
    this.otherLaneFill = otherPattern(this.laneFill);
    const places: Placement[] = new Array<Placement>(objects.length);
    let base = 0;
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
    if (base > limitBytes) throw new LaunchError(`the launch needs ${base} bytes of memory; the limit is ${limitBytes}`);
    this.buffer = new ArrayBuffer(roundUp(Math.max(base, 16), 16));
    this.bytes = new Uint8Array(this.buffer);
    this.data = new DataView(this.buffer);
    this.places = places;
    this.scratch = new Uint32Array(this.buffer, scratch, (roundUp(base, 16) - scratch) / 4);
    const words = new Uint32Array(this.buffer);
    for (const o of objects) {
      const p = places[o.id]!;
      if (o.kind === "buffer" || o.kind === "constant") words.fill(this.fill, (p.base + p.zone) / 4, (p.base + p.total) / 4);
    }
  }

  startGroup(x: number, y: number, z: number, index: number): void {
    this.group[0] = x;
    this.group[1] = y;
    this.group[2] = z;
    this.groupIndex = index;
    this.races?.startGroup();
    if (this.scratch.length > 0) this.scratch.fill(this.fill);
    if (this.flip?.kind !== "object") return;
    const p = this.places[this.flip.object]!;
    new Uint32Array(this.buffer, p.base, p.zone >> 2).fill(this.otherFill);
  }

  trackWriters(object: number): void {
    const words = Math.ceil(this.places[object]!.total / 4);
    this.writers.set(object, { site: new Uint32Array(words), lane: new Uint32Array(words), group: new Uint32Array(words) });
  }

  /** What a read of an inactive or missing lane gives. */
  laneFillOf(kind: ScalarKind, site: number): Scalar {
    const other = this.flip?.kind === "lanes" && (this.flip.site ?? site) === site;
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
    const wide = (BigInt(f) << 32n) | BigInt(f);
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
        return BigInt.asIntN(64, wide);
      case "u64":
        return wide;
      case "f16":
        return f16FromBits(f & 65535);
      case "f32":
        return f32FromBits(f);
      case "f64":
        return f64FromBits(wide);
    }
  }

  find(kind: FindingKind, site: number, lane: number | undefined, message: string, more: { buffer?: string; index?: number; against?: Span } = {}): void {
    if (!this.wanted.has(kind)) return;
    this.findingCount++;
    const key = `${kind}.${site}.${more.buffer ?? ""}`;
    const old = this.findings.get(key);
    if (old) {
      old.count++;
      return;
    }
    const where = this.sites[site];
    this.findings.set(key, {
      kind, message, site, workgroup: [...this.group], span: where?.span ?? { start: 0, end: 0 }, stack: where?.stack ?? [], count: 1, ...more,
      ...(lane === undefined ? {} : { lane: this.current!.localId(lane) }),
    }); // prettier-ignore
  }
}

/** Whose unspecified values are the other pattern: of lanes read at a site or at any, of all memory, of one local or object. */
export type Flip =
  | { readonly kind: "lanes"; readonly site?: number }
  | { readonly kind: "fill" }
  | { readonly kind: "local"; readonly local: number }
  | { readonly kind: "object"; readonly object: number };

/**
 * A 32-bit pattern from a seed: never zero in any byte pair, and no NaN or infinity as f16, f32 or f64. Seeds 2n-1 and 2n
 * give patterns that differ in every bit that is free, so that two fills are of unlike sign, size and parity.
 */
export function fillPattern(seed: number): number {
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

/** Fisher and Yates's shuffle, with numbers from a seed. */
function shuffleBySeed(list: Uint32Array, seed: number): void {
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0;
  for (let i = list.length - 1; i > 0; i--) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const j = Math.floor((state / 2 ** 32) * (i + 1));
    [list[i], list[j]] = [list[j]!, list[i]!];
  }
}

/** What one shape of workgroup asks while it runs: most of a launch has one shape, an uneven grid several. */
export class Machine {
  readonly lanes: number;
  readonly size_x: number;
  readonly size_y: number;
  readonly size_z: number;
  readonly local_x: Uint32Array;
  readonly local_y: Uint32Array;
  readonly local_z: Uint32Array;
  /** Local index by lane: the same number unless lanes are scrambled. */
  readonly local_index: Uint32Array;
  readonly wait: Uint8Array;
  readonly words = new Uint32Array(4);
  readonly enqueued_workgroup_size_x: number;
  readonly enqueued_workgroup_size_y: number;
  readonly enqueued_workgroup_size_z: number;
  readonly num_workgroups_x: number;
  readonly num_workgroups_y: number;
  readonly num_workgroups_z: number;
  readonly global_size_x: number;
  readonly global_size_y: number;
  readonly global_size_z: number;
  readonly global_offset_x: number;
  readonly global_offset_y: number;
  readonly global_offset_z: number;
  readonly base_x: number;
  readonly base_y: number;
  readonly base_z: number;
  readonly enqueued_num_subgroups: number;
  steps: number;
  readonly fill_bool: boolean;
  readonly fill_i8: number;
  readonly fill_u8: number;
  readonly fill_i16: number;
  readonly fill_u16: number;
  readonly fill_i32: number;
  readonly fill_u32: number;
  readonly fill_i64: bigint;
  readonly fill_u64: bigint;
  readonly fill_f16: number;
  readonly fill_f32: number;
  readonly fill_f64: number;

  constructor(
    readonly memory: LaunchMemory,
    readonly size: ThreeSizes,
    readonly width: number,
    readonly grid: { readonly workgroups: ThreeSizes; readonly nominal: ThreeSizes; readonly threads: ThreeSizes; readonly offset: ThreeSizes },
    readonly work_dim: number,
    readonly values: readonly (readonly Scalar[])[],
    readonly limits: readonly { readonly object: number; readonly unit: number; readonly reach: number }[],
    maxSteps: number,
    scramble?: number,
  ) {
    const [sx, sy, sz] = size;
    this.lanes = sx * sy * sz;
    [this.size_x, this.size_y, this.size_z] = [sx, sy, sz];
    this.local_x = new Uint32Array(this.lanes);
    this.local_y = new Uint32Array(this.lanes);
    this.local_z = new Uint32Array(this.lanes);
    this.local_index = Uint32Array.from({ length: this.lanes }, (_, i) => i);
    if (scramble !== undefined) shuffleBySeed(this.local_index, scramble);
    this.local_index.forEach((index, lane) => {
      this.local_x[lane] = index % sx;
      this.local_y[lane] = Math.floor(index / sx) % sy;
      this.local_z[lane] = Math.floor(index / (sx * sy));
    });
    this.wait = new Uint8Array(this.lanes);
    [this.enqueued_workgroup_size_x, this.enqueued_workgroup_size_y, this.enqueued_workgroup_size_z] = grid.nominal;
    [this.num_workgroups_x, this.num_workgroups_y, this.num_workgroups_z] = grid.workgroups;
    [this.global_size_x, this.global_size_y, this.global_size_z] = grid.threads;
    [this.global_offset_x, this.global_offset_y, this.global_offset_z] = grid.offset;
    [this.base_x, this.base_y, this.base_z] = grid.offset;
    const [nx, ny, nz] = grid.nominal;
    this.enqueued_num_subgroups = Math.ceil((nx * ny * nz) / width);
    this.steps = maxSteps;
    const f = (k: ScalarKind): Scalar => memory.fillOf(k);
    this.fill_bool = f("bool") as boolean;
    this.fill_i8 = f("i8") as number;
    this.fill_u8 = f("u8") as number;
    this.fill_i16 = f("i16") as number;
    this.fill_u16 = f("u16") as number;
    this.fill_i32 = f("i32") as number;
    this.fill_u32 = f("u32") as number;
    this.fill_i64 = f("i64") as bigint;
    this.fill_u64 = f("u64") as bigint;
    this.fill_f16 = f("f16") as number;
    this.fill_f32 = f("f32") as number;
    this.fill_f64 = f("f64") as number;
  }

  localId(lane: number): [number, number, number] {
    return [this.local_x[lane] ?? 0, this.local_y[lane] ?? 0, this.local_z[lane] ?? 0];
  }

  subgroupLanes(lane: number): number {
    const start = lane - (lane % this.width);
    return Math.min(this.width, this.lanes - start);
  }

  globalLinear(wx: number, wy: number, wz: number, lane: number): number {
    const x = wx * this.enqueued_workgroup_size_x + this.local_x[lane]!;
    const y = wy * this.enqueued_workgroup_size_y + this.local_y[lane]!;
    const z = wz * this.enqueued_workgroup_size_z + this.local_z[lane]!;
    return ((z * this.global_size_y + y) * this.global_size_x + x) >>> 0;
  }

  // ---------------------------------------------------------------- memory

  bytes(object: number): number {
    return this.memory.places[object]!.bytes;
  }

  private count(object: number, size: number): [ArrayBuffer, number, number] {
    const p = this.memory.places[object]!;
    return [this.memory.buffer, p.base, Math.floor(p.total / size)];
  }

  view_i8(o: number): Int8Array {
    return new Int8Array(...this.count(o, 1));
  }
  view_u8(o: number): Uint8Array {
    return new Uint8Array(...this.count(o, 1));
  }
  view_i16(o: number): Int16Array {
    return new Int16Array(...this.count(o, 2));
  }
  view_u16(o: number): Uint16Array {
    return new Uint16Array(...this.count(o, 2));
  }
  view_i32(o: number): Int32Array {
    return new Int32Array(...this.count(o, 4));
  }
  view_u32(o: number): Uint32Array {
    return new Uint32Array(...this.count(o, 4));
  }
  view_f32(o: number): Float32Array {
    return new Float32Array(...this.count(o, 4));
  }
  view_i64(o: number): BigInt64Array {
    return new BigInt64Array(...this.count(o, 8));
  }
  view_u64(o: number): BigUint64Array {
    return new BigUint64Array(...this.count(o, 8));
  }
  view_f64(o: number): Float64Array {
    return new Float64Array(...this.count(o, 8));
  }

  slot_bool(): Uint8Array {
    return new Uint8Array(this.lanes);
  }
  slot_i8(): Int8Array {
    return new Int8Array(this.lanes);
  }
  slot_u8(): Uint8Array {
    return new Uint8Array(this.lanes);
  }
  slot_i16(): Int16Array {
    return new Int16Array(this.lanes);
  }
  slot_u16(): Uint16Array {
    return new Uint16Array(this.lanes);
  }
  slot_i32(): Int32Array {
    return new Int32Array(this.lanes);
  }
  slot_u32(): Uint32Array {
    return new Uint32Array(this.lanes);
  }
  slot_i64(): BigInt64Array {
    return new BigInt64Array(this.lanes);
  }
  slot_u64(): BigUint64Array {
    return new BigUint64Array(this.lanes);
  }
  slot_f32(): Float32Array {
    return new Float32Array(this.lanes);
  }
  slot_f64(): Float64Array {
    return new Float64Array(this.lanes);
  }

  /** Indexes below this are in bounds for accesses that need `reach` bytes from the start of their unit. */
  limit(object: number, unit: number, reach: number): number {
    const bytes = this.memory.places[object]!.bytes;
    return bytes < reach ? 0 : Math.floor((bytes - reach) / unit) + 1;
  }

  /** Whole elements in an object after its first bytes. */
  elements(object: number, offset: number, stride: number): number {
    return Math.max(0, Math.floor((this.memory.places[object]!.bytes - offset) / stride));
  }

  outOfBounds(check: number, site: number, lane: number, index: number): number {
    const { object, unit } = this.limits[check]!;
    const o = this.memory.objects[object]!;
    const p = this.memory.places[object]!;
    this.memory.find("out-of-bounds", site, lane, `${this.memory.sites[site]?.what ?? "access"} out of bounds of ${o.name}`, { buffer: o.name, index });
    new Uint32Array(this.memory.buffer, p.base + p.zone, (p.total - p.zone) >> 2).fill(this.memory.fill);
    return Math.ceil((p.zone - lane * p.laneBytes) / unit);
  }

  /** An index outside its dimension is used as it is: it may be inside the object. */
  outside(index: number, count: number, site: number, lane: number): number {
    this.memory.find("out-of-bounds", site, lane, `index ${index} of an array of ${count} elements`, { index });
    return index;
  }

  fillPrivate(object: number, lane: number): void {
    const p = this.memory.places[object]!;
    const at = p.base + lane * p.laneBytes;
    new Uint32Array(this.memory.buffer, at, p.laneBytes >> 2).fill(this.memory.patternOf("object", object));
  }

  /** What a local without a value holds, where locals have fills of their own. */
  fillOfLocal(kind: ScalarKind, local: number): Scalar {
    return this.memory.fillOf(kind, this.memory.patternOf("local", local));
  }

  /** The index, after the access is noted. */
  reads(object: number, index: number, size: number, lane: number, site: number): number {
    this.memory.races?.access(object, index * size, size, lane, site, "read");
    return index;
  }
  accessed(object: number, index: number, size: number, lane: number, site: number, how: "write" | "atomic"): void {
    this.memory.races?.access(object, index * size, size, lane, site, how);
  }
  /** A barrier is behind the workgroup, or one of its subgroups. */
  passed(subgroup: number | undefined, workgroupMemory: boolean, buffers: boolean): void {
    this.memory.races?.barrier(subgroup, workgroupMemory, buffers);
  }

  wrote(object: number, index: number, size: number, lane: number, site: number): void {
    const w = this.memory.writers.get(object);
    if (!w) return;
    const first = Math.floor((index * size) / 4);
    const last = Math.floor((index * size + size - 1) / 4);
    for (let i = first; i <= last; i++) {
      w.site[i] = site + 1;
      w.lane[i] = lane;
      w.group[i] = this.memory.groupIndex;
    }
  }

  /** The byte in the flat buffer, or -1 after a finding. */
  private locate(object: number, offset: number, size: number, site: number, lane: number): number {
    const p = this.memory.places[object];
    const o = this.memory.objects[object];
    if (!p || !o || offset < 0 || offset + size > p.bytes) {
      this.memory.find("out-of-bounds", site, lane, `access out of bounds of ${o?.name ?? "no object"}`, { buffer: o?.name ?? "", index: offset });
      return -1;
    }
    if (offset % size !== 0) {
      this.memory.find("misaligned-access", site, lane, `access of ${size} bytes at byte ${offset} of ${o.name}`, { buffer: o.name, index: offset });
    }
    return p.base + offset + lane * p.laneBytes;
  }

  /** Places no view reaches: unaligned ones, and those of pointers that may point into several objects. */
  private loadAt(kind: ScalarKind, object: number, offset: number, site: number, lane: number): Scalar {
    const at = this.locate(object, offset, sizeOf(kind), site, lane);
    if (at < 0) return this.memory.fillOf(kind);
    this.memory.races?.access(object, offset, sizeOf(kind), lane, site, "read");
    return readScalar(this.memory.data, at, kind);
  }
  private storeAt(kind: ScalarKind, object: number, offset: number, value: Scalar, site: number, lane: number): void {
    const at = this.locate(object, offset, sizeOf(kind), site, lane);
    if (at < 0) return;
    this.memory.races?.access(object, offset, sizeOf(kind), lane, site, "write");
    writeScalar(this.memory.data, at, kind, value);
    this.wrote(object, offset / sizeOf(kind), sizeOf(kind), lane, site);
  }

  /** Read, modify, write where no view reaches. */
  private atomic(op: string, kind: ScalarKind, object: number, offset: number, site: number, lane: number, x: Scalar = 0, y: Scalar = 0): Scalar {
    const at = this.locate(object, offset, sizeOf(kind), site, lane);
    if (at < 0) return this.memory.fillOf(kind);
    this.memory.races?.access(object, offset, sizeOf(kind), lane, site, "atomic");
    const old = readScalar(this.memory.data, at, kind);
    const value = atomicResult(op, kind, old, x, y);
    if (value !== undefined) {
      writeScalar(this.memory.data, at, kind, value);
      this.wrote(object, offset / sizeOf(kind), sizeOf(kind), lane, site);
    }
    return old;
  }

  atomic_i8(op: string, object: number, offset: number, site: number, lane: number, x?: Scalar, y?: Scalar): number {
    return this.atomic(op, "i8", object, offset, site, lane, x, y) as number;
  }
  atomic_u8(op: string, object: number, offset: number, site: number, lane: number, x?: Scalar, y?: Scalar): number {
    return this.atomic(op, "u8", object, offset, site, lane, x, y) as number;
  }
  atomic_i16(op: string, object: number, offset: number, site: number, lane: number, x?: Scalar, y?: Scalar): number {
    return this.atomic(op, "i16", object, offset, site, lane, x, y) as number;
  }
  atomic_u16(op: string, object: number, offset: number, site: number, lane: number, x?: Scalar, y?: Scalar): number {
    return this.atomic(op, "u16", object, offset, site, lane, x, y) as number;
  }
  atomic_i32(op: string, object: number, offset: number, site: number, lane: number, x?: Scalar, y?: Scalar): number {
    return this.atomic(op, "i32", object, offset, site, lane, x, y) as number;
  }
  atomic_u32(op: string, object: number, offset: number, site: number, lane: number, x?: Scalar, y?: Scalar): number {
    return this.atomic(op, "u32", object, offset, site, lane, x, y) as number;
  }
  atomic_f16(op: string, object: number, offset: number, site: number, lane: number, x?: Scalar, y?: Scalar): number {
    return this.atomic(op, "f16", object, offset, site, lane, x, y) as number;
  }
  atomic_f32(op: string, object: number, offset: number, site: number, lane: number, x?: Scalar, y?: Scalar): number {
    return this.atomic(op, "f32", object, offset, site, lane, x, y) as number;
  }
  atomic_f64(op: string, object: number, offset: number, site: number, lane: number, x?: Scalar, y?: Scalar): number {
    return this.atomic(op, "f64", object, offset, site, lane, x, y) as number;
  }
  atomic_i64(op: string, object: number, offset: number, site: number, lane: number, x?: Scalar, y?: Scalar): bigint {
    return this.atomic(op, "i64", object, offset, site, lane, x, y) as bigint;
  }
  atomic_u64(op: string, object: number, offset: number, site: number, lane: number, x?: Scalar, y?: Scalar): bigint {
    return this.atomic(op, "u64", object, offset, site, lane, x, y) as bigint;
  }

  load_i8(o: number, at: number, site: number, lane: number): number {
    return this.loadAt("i8", o, at, site, lane) as number;
  }
  load_u8(o: number, at: number, site: number, lane: number): number {
    return this.loadAt("u8", o, at, site, lane) as number;
  }
  load_i16(o: number, at: number, site: number, lane: number): number {
    return this.loadAt("i16", o, at, site, lane) as number;
  }
  load_u16(o: number, at: number, site: number, lane: number): number {
    return this.loadAt("u16", o, at, site, lane) as number;
  }
  load_i32(o: number, at: number, site: number, lane: number): number {
    return this.loadAt("i32", o, at, site, lane) as number;
  }
  load_u32(o: number, at: number, site: number, lane: number): number {
    return this.loadAt("u32", o, at, site, lane) as number;
  }
  load_f16(o: number, at: number, site: number, lane: number): number {
    return this.loadAt("f16", o, at, site, lane) as number;
  }
  load_f32(o: number, at: number, site: number, lane: number): number {
    return this.loadAt("f32", o, at, site, lane) as number;
  }
  load_f64(o: number, at: number, site: number, lane: number): number {
    return this.loadAt("f64", o, at, site, lane) as number;
  }
  load_i64(o: number, at: number, site: number, lane: number): bigint {
    return this.loadAt("i64", o, at, site, lane) as bigint;
  }
  load_u64(o: number, at: number, site: number, lane: number): bigint {
    return this.loadAt("u64", o, at, site, lane) as bigint;
  }
  store_i8(o: number, at: number, value: number, site: number, lane: number): void {
    this.storeAt("i8", o, at, value, site, lane);
  }
  store_u8(o: number, at: number, value: number, site: number, lane: number): void {
    this.storeAt("u8", o, at, value, site, lane);
  }
  store_i16(o: number, at: number, value: number, site: number, lane: number): void {
    this.storeAt("i16", o, at, value, site, lane);
  }
  store_u16(o: number, at: number, value: number, site: number, lane: number): void {
    this.storeAt("u16", o, at, value, site, lane);
  }
  store_i32(o: number, at: number, value: number, site: number, lane: number): void {
    this.storeAt("i32", o, at, value, site, lane);
  }
  store_u32(o: number, at: number, value: number, site: number, lane: number): void {
    this.storeAt("u32", o, at, value, site, lane);
  }
  store_f16(o: number, at: number, value: number, site: number, lane: number): void {
    this.storeAt("f16", o, at, value, site, lane);
  }
  store_f32(o: number, at: number, value: number, site: number, lane: number): void {
    this.storeAt("f32", o, at, value, site, lane);
  }
  store_f64(o: number, at: number, value: number, site: number, lane: number): void {
    this.storeAt("f64", o, at, value, site, lane);
  }
  store_i64(o: number, at: number, value: bigint, site: number, lane: number): void {
    this.storeAt("i64", o, at, value, site, lane);
  }
  store_u64(o: number, at: number, value: bigint, site: number, lane: number): void {
    this.storeAt("u64", o, at, value, site, lane);
  }

  // ---------------------------------------------------------------- arithmetic that can be undefined

  private divisionByZero(kind: ScalarKind, site: number, lane: number): Scalar {
    this.memory.find("undefined-arithmetic", site, lane, "integer division by zero");
    return this.memory.fillOf(kind);
  }

  i32_div(a: number, b: number, site: number, lane: number): number {
    return b === 0 ? (this.divisionByZero("i32", site, lane) as number) : (a / b) | 0;
  }
  i32_rem(a: number, b: number, site: number, lane: number): number {
    return b === 0 ? (this.divisionByZero("i32", site, lane) as number) : (a % b) | 0;
  }
  u32_div(a: number, b: number, site: number, lane: number): number {
    return b === 0 ? (this.divisionByZero("u32", site, lane) as number) : (a / b) >>> 0;
  }
  u32_rem(a: number, b: number, site: number, lane: number): number {
    return b === 0 ? (this.divisionByZero("u32", site, lane) as number) : (a % b) >>> 0;
  }
  i16_div(a: number, b: number, site: number, lane: number): number {
    return b === 0 ? (this.divisionByZero("i16", site, lane) as number) : ((a / b) << 16) >> 16;
  }
  i16_rem(a: number, b: number, site: number, lane: number): number {
    return b === 0 ? (this.divisionByZero("i16", site, lane) as number) : (a % b) | 0;
  }
  u16_div(a: number, b: number, site: number, lane: number): number {
    return b === 0 ? (this.divisionByZero("u16", site, lane) as number) : (a / b) | 0;
  }
  u16_rem(a: number, b: number, site: number, lane: number): number {
    return b === 0 ? (this.divisionByZero("u16", site, lane) as number) : a % b;
  }
  i8_div(a: number, b: number, site: number, lane: number): number {
    return b === 0 ? (this.divisionByZero("i8", site, lane) as number) : ((a / b) << 24) >> 24;
  }
  i8_rem(a: number, b: number, site: number, lane: number): number {
    return b === 0 ? (this.divisionByZero("i8", site, lane) as number) : (a % b) | 0;
  }
  u8_div(a: number, b: number, site: number, lane: number): number {
    return b === 0 ? (this.divisionByZero("u8", site, lane) as number) : (a / b) | 0;
  }
  u8_rem(a: number, b: number, site: number, lane: number): number {
    return b === 0 ? (this.divisionByZero("u8", site, lane) as number) : a % b;
  }
  i64_div(a: bigint, b: bigint, site: number, lane: number): bigint {
    return b === 0n ? (this.divisionByZero("i64", site, lane) as bigint) : BigInt.asIntN(64, a / b);
  }
  i64_rem(a: bigint, b: bigint, site: number, lane: number): bigint {
    return b === 0n ? (this.divisionByZero("i64", site, lane) as bigint) : a % b;
  }
  u64_div(a: bigint, b: bigint, site: number, lane: number): bigint {
    return b === 0n ? (this.divisionByZero("u64", site, lane) as bigint) : a / b;
  }
  u64_rem(a: bigint, b: bigint, site: number, lane: number): bigint {
    return b === 0n ? (this.divisionByZero("u64", site, lane) as bigint) : a % b;
  }

  // ---------------------------------------------------------------- size_t in 32 bits

  private doesNotFit(kind: "u32" | "i32" | "i64", value: number | bigint, site: number, lane: number): void {
    if (this.memory.sites[site]?.what === "overflow") this.memory.find("integer-overflow", site, lane, `the value ${value} does not fit into ${kind}`);
    else this.memory.find("broken-assumption", site, lane, `the value ${value} of this size_t expression does not fit into ${kind}`);
  }
  /** What the dialect leaves open of a shift: counts at or beyond the width, negative numbers to the left, lost bits. */
  private shiftEdges(kind: ScalarKind, x: bigint, n: bigint, left: boolean, site: number, lane: number): bigint {
    const bits = BigInt(kind.slice(1));
    if (n < 0n || n >= bits) this.memory.find("integer-overflow", site, lane, `a number of type ${kind} is shifted by ${n}`);
    else if (left && kind[0] === "i" && (x < 0n || x << n >= 1n << bits)) {
      this.memory.find("integer-overflow", site, lane, `${x} shifted left by ${n} does not fit into ${kind}`);
    }
    return n & (bits - 1n);
  }
  shl_edges(kind: ScalarKind, x: number | bigint, n: number | bigint, site: number, lane: number): Scalar {
    const value = BigInt(x);
    return wrapInteger(kind, value << this.shiftEdges(kind, value, BigInt(n), true, site, lane));
  }
  shr_edges(kind: ScalarKind, x: number | bigint, n: number | bigint, site: number, lane: number): Scalar {
    const value = BigInt(x);
    return wrapInteger(kind, value >> this.shiftEdges(kind, value, BigInt(n), false, site, lane));
  }
  /** An exact integer of less than 64 bits that is relied on to be one of the type. */
  u32_fits(x: number, site: number, lane: number): number {
    if (x >= 0 && x < 4294967296) return x;
    this.doesNotFit("u32", x, site, lane);
    return x >>> 0;
  }
  i32_fits(x: number, site: number, lane: number): number {
    if (x > -2147483649 && x < 2147483648) return x;
    this.doesNotFit("i32", x, site, lane);
    return x | 0;
  }
  i64_fits(x: bigint, site: number, lane: number): bigint {
    const kept = BigInt.asIntN(64, x);
    if (kept !== x) this.doesNotFit("i64", x, site, lane);
    return kept;
  }
  i64_mul_fits(a: bigint, b: bigint, site: number, lane: number): bigint {
    return this.i64_fits(a * b, site, lane);
  }
  /** Beyond 2^53 the product is not exact, but out of range all the same. */
  u32_mul_fits(a: number, b: number, site: number, lane: number): number {
    const product = this.u32_fits(a * b, site, lane);
    return product === a * b ? product : Math.imul(a, b) >>> 0;
  }
  i32_mul_fits(a: number, b: number, site: number, lane: number): number {
    const product = this.i32_fits(a * b, site, lane);
    return product === a * b ? product | 0 : Math.imul(a, b);
  }
  /** A shift count of a 64-bit value that is shifted as 32-bit here. */
  shift_count(n: number, site: number, lane: number): number {
    if ((n & 63) > 31) this.memory.find("broken-assumption", site, lane, `a size_t value is shifted by ${n & 63}`);
    return n & 31;
  }

  private unrepresentable(kind: ScalarKind, x: number, site: number, lane: number): Scalar {
    this.memory.find("undefined-arithmetic", site, lane, `${x} has no value in ${kind}`);
    return this.memory.fillOf(kind);
  }

  to_i32(x: number, site: number, lane: number): number {
    return x > -2147483649 && x < 2147483648 ? x | 0 : (this.unrepresentable("i32", x, site, lane) as number);
  }
  to_u32(x: number, site: number, lane: number): number {
    return x > -1 && x < 4294967296 ? x >>> 0 : (this.unrepresentable("u32", x, site, lane) as number);
  }
  to_i16(x: number, site: number, lane: number): number {
    return x > -32769 && x < 32768 ? x | 0 : (this.unrepresentable("i16", x, site, lane) as number);
  }
  to_u16(x: number, site: number, lane: number): number {
    return x > -1 && x < 65536 ? x | 0 : (this.unrepresentable("u16", x, site, lane) as number);
  }
  to_i8(x: number, site: number, lane: number): number {
    return x > -129 && x < 128 ? x | 0 : (this.unrepresentable("i8", x, site, lane) as number);
  }
  to_u8(x: number, site: number, lane: number): number {
    return x > -1 && x < 256 ? x | 0 : (this.unrepresentable("u8", x, site, lane) as number);
  }
  to_i64(x: number, site: number, lane: number): bigint {
    return x >= -(2 ** 63) && x < 2 ** 63 ? BigInt(Math.trunc(x)) : (this.unrepresentable("i64", x, site, lane) as bigint);
  }
  to_u64(x: number, site: number, lane: number): bigint {
    return x > -1 && x < 2 ** 64 ? BigInt(Math.trunc(x)) : (this.unrepresentable("u64", x, site, lane) as bigint);
  }

  /** Conversions with a rounding mode, saturating or not. */
  private convert(from: ScalarKind, to: ScalarKind, mode: string, x: Scalar, site: number, lane: number): Scalar {
    const value = convertBy(from, to, mode, x);
    return value === undefined ? this.unrepresentable(to, Number(x), site, lane) : value;
  }

  convert_i8(from: ScalarKind, mode: string, x: Scalar, site: number, lane: number): number {
    return this.convert(from, "i8", mode, x, site, lane) as number;
  }
  convert_u8(from: ScalarKind, mode: string, x: Scalar, site: number, lane: number): number {
    return this.convert(from, "u8", mode, x, site, lane) as number;
  }
  convert_i16(from: ScalarKind, mode: string, x: Scalar, site: number, lane: number): number {
    return this.convert(from, "i16", mode, x, site, lane) as number;
  }
  convert_u16(from: ScalarKind, mode: string, x: Scalar, site: number, lane: number): number {
    return this.convert(from, "u16", mode, x, site, lane) as number;
  }
  convert_i32(from: ScalarKind, mode: string, x: Scalar, site: number, lane: number): number {
    return this.convert(from, "i32", mode, x, site, lane) as number;
  }
  convert_u32(from: ScalarKind, mode: string, x: Scalar, site: number, lane: number): number {
    return this.convert(from, "u32", mode, x, site, lane) as number;
  }
  convert_f16(from: ScalarKind, mode: string, x: Scalar, site: number, lane: number): number {
    return this.convert(from, "f16", mode, x, site, lane) as number;
  }
  convert_f32(from: ScalarKind, mode: string, x: Scalar, site: number, lane: number): number {
    return this.convert(from, "f32", mode, x, site, lane) as number;
  }
  convert_f64(from: ScalarKind, mode: string, x: Scalar, site: number, lane: number): number {
    return this.convert(from, "f64", mode, x, site, lane) as number;
  }
  convert_i64(from: ScalarKind, mode: string, x: Scalar, site: number, lane: number): bigint {
    return this.convert(from, "i64", mode, x, site, lane) as bigint;
  }
  convert_u64(from: ScalarKind, mode: string, x: Scalar, site: number, lane: number): bigint {
    return this.convert(from, "u64", mode, x, site, lane) as bigint;
  }
  convert_bool(from: ScalarKind, mode: string, x: Scalar, site: number, lane: number): boolean {
    return this.convert(from, "bool", mode, x, site, lane) as boolean;
  }

  u32_mask_lowest(x: number, y: number, z: number, w: number, below: number, site: number, lane: number): number {
    for (const [i, word] of [x, y, z, w].entries()) {
      const bit = word === 0 ? 32 : 31 - Math.clz32(word & -word);
      if (bit < 32 && 32 * i + bit < below) return 32 * i + bit;
      if (bit < 32) break;
    }
    this.memory.find("undefined-arithmetic", site, lane, "the lowest bit of an empty ballot");
    return this.fill_u32;
  }
  u32_mask_highest(x: number, y: number, z: number, w: number, below: number, site: number, lane: number): number {
    for (let i = below - 1; i >= 0; i--) if (([x, y, z, w][i >> 5]! >>> (i & 31)) & 1) return i;
    this.memory.find("undefined-arithmetic", site, lane, "the highest bit of an empty ballot");
    return this.fill_u32;
  }

  // ---------------------------------------------------------------- lanes

  /** Of an op: all lanes of its subgroup or workgroup have to reach it. */
  reachedByAll(site: number, wait: Uint8Array, start: number, end: number, scope: string): void {
    // Where nobody comes there is nothing to reach.
    let some = false;
    for (let l = start; l < end; l++) if (wait[l] === 0) some = true;
    for (let l = start; some && l < end; l++) {
      if (wait[l] === 0) continue;
      this.memory.find("cross-lane-divergence", site, l, `this operation has to be reached by all invocations of the ${scope}, and this one does not`);
      return;
    }
  }

  /** Of a cross-lane op: an operand has to be the same in all active lanes. */
  sameInAll(site: number, wait: Uint8Array | null, start: number, end: number, operand: Column): void {
    let first: Scalar | undefined;
    for (let l = start; l < end; l++) {
      if (wait !== null && wait[l] !== 0) continue;
      const x = operand[l]!;
      if (first === undefined) first = x;
      else if (first !== x) {
        this.memory.find("non-uniform-argument", site, l, `this operand must be the same in all lanes, but is ${first} in one and ${x} in another`);
        return;
      }
    }
  }

  /** A barrier in flow that not all lanes of its scope may have reached. */
  barrier(site: number, start: number, end: number): void {
    let waiting = -1;
    let count = 0;
    for (let l = start; l < end; l++) {
      if (this.wait[l] !== 0) {
        waiting = l;
        count++;
      }
    }
    if (count === 0 || count === end - start) return;
    const message = `${end - start - count} of ${end - start} lanes reach this barrier`;
    this.memory.find("barrier-divergence", site, waiting, message);
  }

  outOfSteps(): void {
    throw new OutOfSteps("the run has used up its steps");
  }
}

function atomicResult(op: string, kind: ScalarKind, old: Scalar, x: Scalar, y: Scalar): Scalar | undefined {
  const whole = (f: (a: bigint, b: bigint) => bigint): Scalar => wrapInteger(kind, f(BigInt(old), BigInt(x)));
  switch (op) {
    case "load":
      return undefined;
    case "store":
    case "exchange":
      return x;
    case "add":
      return isFloat(kind) ? roundFloat(kind, (old as number) + (x as number)) : whole((a, b) => a + b);
    case "sub":
      return isFloat(kind) ? roundFloat(kind, (old as number) - (x as number)) : whole((a, b) => a - b);
    case "min":
      return x < old ? x : old;
    case "max":
      return old < x ? x : old;
    case "and":
      return whole((a, b) => a & b);
    case "or":
      return whole((a, b) => a | b);
    case "xor":
      return whole((a, b) => a ^ b);
    case "compare_exchange":
      return Object.is(old, x) ? y : undefined;
    default:
      throw new Error(`no atomic ${op}`);
  }
}

export function sizeOf(kind: ScalarKind): number {
  return kind === "bool" ? 1 : Number(kind.slice(1)) / 8;
}

export function readScalar(data: DataView, at: number, kind: ScalarKind): Scalar {
  switch (kind) {
    case "bool":
      return data.getUint8(at) !== 0;
    case "i8":
      return data.getInt8(at);
    case "u8":
      return data.getUint8(at);
    case "i16":
      return data.getInt16(at, true);
    case "u16":
      return data.getUint16(at, true);
    case "i32":
      return data.getInt32(at, true);
    case "u32":
      return data.getUint32(at, true);
    case "i64":
      return data.getBigInt64(at, true);
    case "u64":
      return data.getBigUint64(at, true);
    case "f16":
      return halves[data.getUint16(at, true)]!;
    case "f32":
      return data.getFloat32(at, true);
    case "f64":
      return data.getFloat64(at, true);
  }
}

export function writeScalar(data: DataView, at: number, kind: ScalarKind, value: Scalar): void {
  const number = (): number => Number(value);
  switch (kind) {
    case "bool":
    case "u8":
      return data.setUint8(at, number());
    case "i8":
      return data.setInt8(at, number());
    case "i16":
      return data.setInt16(at, number(), true);
    case "u16":
      return data.setUint16(at, number(), true);
    case "i32":
      return data.setInt32(at, number(), true);
    case "u32":
      return data.setUint32(at, number(), true);
    case "i64":
      return data.setBigInt64(at, BigInt(value), true);
    case "u64":
      return data.setBigUint64(at, BigInt(value), true);
    case "f16":
      return data.setUint16(at, f16Bits(number()), true);
    case "f32":
      // A NaN as a number has one pattern; which bits `setFloat32` would write is left to the engine.
      return value === value ? data.setFloat32(at, number(), true) : data.setUint32(at, 0x7fc00000, true);
    case "f64":
      return value === value ? data.setFloat64(at, number(), true) : data.setBigUint64(at, 0x7ff8000000000000n, true);
  }
}
