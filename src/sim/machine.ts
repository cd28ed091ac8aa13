/** What generated code asks of a launch while it runs. Slots are arrays of their own here; all other memory is the launch's. */
import type { Access } from "./races.js";
import type { Turns } from "./schedule.js";
import { foldOf } from "./collectives/subgroup.js";
import { bytesOf } from "../regions/machine.js";
import { roundFloat, wrapInteger } from "../types/numeric.js";
import { isFloat, type ScalarKind } from "../types/types.js";
import { CheckedArithmetic } from "./checked-arithmetic.js";
import type { LaunchMemory } from "./launch-memory.js";
import { bitsAt, readScalar, writeScalar, type Column, type Scalar } from "./scalars.js";

/** The index that null pointers have (passes/pointers), and no object. */
const nullIndex = 2 ** 31;

/** Thrown when a run has used up its steps. */
export class OutOfSteps extends Error {}

export type ThreeSizes = readonly [number, number, number];

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
export class Machine extends CheckedArithmetic {
  readonly lanes: number;
  readonly size_x: number;
  readonly size_y: number;
  readonly size_z: number;
  readonly local_x: Uint32Array;
  readonly local_y: Uint32Array;
  readonly local_z: Uint32Array;
  /** Local index by lane: the same number unless lanes are scrambled. */
  readonly local_index: Uint32Array;
  /** An engine may keep it in the launch's memory. */
  wait: Uint8Array;
  /** By point of coverage: 1 where a lane came there. */
  readonly cover: Uint8Array;
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
    memory: LaunchMemory,
    readonly size: ThreeSizes,
    readonly width: number,
    readonly grid: {
      readonly workgroups: ThreeSizes;
      readonly nominal: ThreeSizes;
      readonly threads: ThreeSizes;
      readonly offset: ThreeSizes;
    },
    readonly work_dim: number,
    readonly values: readonly (readonly Scalar[])[],
    readonly limits: readonly { readonly object: number; readonly unit: number; readonly reach: number }[],
    maxSteps: number,
    scramble?: number,
  ) {
    super(memory);
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
    this.cover = memory.cover;
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

  print(format: number, lane: number, ...values: Scalar[]): void {
    this.memory.printer?.print(this.memory, format, lane, values);
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
    this.memory.noteBeyond(object, (index + 1) * unit);
    this.memory.find(
      "out-of-bounds",
      site,
      lane,
      `${this.memory.sites[site]?.what ?? "access"} out of bounds of ${o.name}${index >>> 0 === nullIndex ? ": the pointer may be null" : ""}`,
      { buffer: o.name, index },
    );
    new Uint32Array(this.memory.buffer, p.base + p.zone, (p.total - p.zone) >> 2).fill(this.memory.fill);
    return Math.ceil((p.zone - lane * p.laneBytes) / unit);
  }

  /** An index outside its dimension is used as it is: it may be inside the object. */
  outside(index: number, count: number, site: number, lane: number): number {
    this.memory.find("out-of-bounds", site, lane, `index ${index} of an array of ${count} elements`, { index });
    return index;
  }

  /** What is not aligned is read and written where it would be if it were. */
  misaligned(bytes: number, unit: number, site: number, lane: number): number {
    const said = `a pointer to what has an alignment of ${unit} is at byte ${bytes}`;
    this.memory.find("misaligned-access", site, lane, said, { index: bytes });
    return Math.floor(bytes / unit);
  }

  /** Notes what was compared on the way to a point, if it is nearer than before. */
  near(point: number, left: number | bigint, right: number | bigint): void {
    const { nearest } = this.memory;
    const [a, b] = [Number(left), Number(right)];
    const before = Math.abs(nearest[2 * point]! - nearest[2 * point + 1]!);
    if (Math.abs(a - b) >= before || Number.isNaN(a - b)) return;
    nearest[2 * point] = a;
    nearest[2 * point + 1] = b;
  }

  /** Lanes that do not wait, from `first` to before `end`, come to a point; -1 is a barrier. */
  came(point: number, first: number, end: number): void {
    this.memory.trace?.came(this.memory.groupIndex, point, first, end, this.wait);
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
  accessed(object: number, index: number, size: number, lane: number, site: number, how: Access): void {
    this.memory.races?.access(object, index * size, size, lane, site, how);
  }
  /** What is at an index: after a store it says whether that was there before. */
  bits(object: number, index: number, size: number): number | bigint {
    const at = this.memory.places[object]!.base + index * size;
    return at >= 0 && at + size <= this.memory.bytes.length ? bitsAt(this.memory.data, at, size) : 0;
  }
  /** A barrier is behind the workgroup, or one of its subgroups. */
  passed(subgroup: number | undefined, site: number): void {
    this.memory.races?.barrier(subgroup, site);
  }
  /** Lanes from `start` on take turns. */
  *interleave(start: number, end: number, each: (lane: number) => Turns): Turns {
    const { schedule } = this.memory;
    const tasks = Array.from({ length: end - start }, (_, i) => schedule!.task(start + i, each(start + i)));
    yield* schedule!.run(this, tasks);
  }
  *interleaveSubgroups(subgroups: number, each: (subgroup: number) => Turns): Turns {
    const { schedule } = this.memory;
    yield* schedule!.run(
      this,
      Array.from({ length: subgroups }, (_, i) => schedule!.task(undefined, each(i))),
    );
  }
  again(): Turns {
    return this.memory.schedule!.again();
  }
  comes(object: number, offset: number, site: number): undefined {
    return this.memory.schedule?.comes(object, offset, site);
  }
  changed(object: number, offset: number, lane: number): void {
    this.memory.schedule?.changed(object, offset, lane, this.width);
  }

  /** A fence is behind a lane. */
  fenced(lane: number, site: number): void {
    this.memory.races?.fence(lane, site);
  }

  wrote(object: number, index: number, size: number, lane: number, site: number): void {
    const w = this.memory.writers.get(object);
    if (!w) return;
    this.memory.whichGroup?.();
    const first = Math.floor((index * size) / 4);
    const last = Math.floor((index * size + size - 1) / 4);
    for (let i = first; i <= last; i++) {
      w.site[i] = site + 1;
      w.lane[i] = lane;
      w.group[i] = this.memory.groupIndex;
      for (let byte = 0; byte < 4; byte++)
        if (4 * i + byte >= index * size && 4 * i + byte < (index + 1) * size) w.bytes[i]! |= 1 << byte;
    }
  }

  /** The byte in the flat buffer, or -1 after a finding. */
  private locate(object: number, offset: number, size: number, site: number, lane: number): number {
    const p = this.memory.places[object];
    const o = this.memory.objects[object];
    if (!p || !o || offset < 0 || offset + size > p.bytes) {
      this.memory.noteBeyond(object, offset < 0 ? -1 : offset + size);
      this.memory.find("out-of-bounds", site, lane, `access out of bounds of ${o?.name ?? "no object"}`, {
        buffer: o?.name ?? "",
        index: offset,
      });
      return -1;
    }
    if (offset % size !== 0) {
      this.memory.find("misaligned-access", site, lane, `access of ${size} bytes at byte ${offset} of ${o.name}`, {
        buffer: o.name,
        index: offset,
      });
    }
    return p.base + offset + lane * p.laneBytes;
  }

  /** Places no view reaches: unaligned ones, and those of pointers that may point into several objects. */
  private loadAt(kind: ScalarKind, object: number, offset: number, site: number, lane: number): Scalar {
    const at = this.locate(object, offset, bytesOf(kind), site, lane);
    if (at < 0) return this.memory.fillOf(kind);
    this.memory.races?.access(object, offset, bytesOf(kind), lane, site, "read");
    return readScalar(this.memory.data, at, kind);
  }
  private storeAt(kind: ScalarKind, object: number, offset: number, value: Scalar, site: number, lane: number): void {
    const at = this.locate(object, offset, bytesOf(kind), site, lane);
    if (at < 0) return;
    const size = bytesOf(kind);
    const { data, races } = this.memory;
    const before = races && bitsAt(data, at, size);
    writeScalar(data, at, kind, value);
    races?.access(object, offset, size, lane, site, bitsAt(data, at, size) === before ? "rewrite" : "write");
    this.wrote(object, offset / size, size, lane, site);
  }

  /** Read, modify, write where no view reaches. */
  private atomic(
    op: string,
    kind: ScalarKind,
    object: number,
    offset: number,
    site: number,
    lane: number,
    x: Scalar = 0,
    y: Scalar = 0,
  ): Scalar {
    const at = this.locate(object, offset, bytesOf(kind), site, lane);
    if (at < 0) return this.memory.fillOf(kind);
    const old = readScalar(this.memory.data, at, kind);
    const value = atomicResult(op, kind, old, x, y);
    const how = op === "load" ? "load" : value === undefined ? "failed" : "atomic";
    this.memory.races?.access(object, offset, bytesOf(kind), lane, site, how);
    if (value !== undefined) {
      if (value !== old) this.changed(object, offset, lane);
      writeScalar(this.memory.data, at, kind, value);
      this.wrote(object, offset / bytesOf(kind), bytesOf(kind), lane, site);
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

  // ---------------------------------------------------------------- lanes

  /** Of an op: all lanes of its subgroup or workgroup have to reach it. */
  reachedByAll(site: number, wait: Uint8Array, start: number, end: number, scope: string): void {
    // Where nobody comes there is nothing to reach.
    let some = false;
    for (let l = start; l < end; l++) if (wait[l] === 0) some = true;
    for (let l = start; some && l < end; l++) {
      if (wait[l] === 0) continue;
      this.memory.find(
        "cross-lane-divergence",
        site,
        l,
        `this operation has to be reached by all invocations of the ${scope}, and this one does not`,
      );
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
        this.memory.find(
          "non-uniform-argument",
          site,
          l,
          `this operand must be the same in all lanes, but is ${first} in one and ${x} in another`,
        );
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
  switch (op) {
    case "load":
      return undefined;
    case "store":
    case "exchange":
      return x;
    case "sub":
      return isFloat(kind)
        ? roundFloat(kind, (old as number) - (x as number))
        : wrapInteger(kind, BigInt(old) - BigInt(x));
    case "compare_exchange":
      return Object.is(old, x) ? y : undefined;
    case "min":
    case "max":
      // Of a number and a NaN the number.
      if (Number.isNaN(old)) return x;
      return foldOf(op, kind)(old, x);
    default:
      return foldOf(op, kind)(old, x);
  }
}
