/**
 * The WebAssembly engine's side of a launch: instances of encoded kernels over one linear memory, with the machine's methods and
 * the runtime's functions as imports. Nothing here makes code out of text.
 */
import { CannotEncode, encodeKernel, groupAt, stepsAt, type EncodeOptions } from "../../emitters/wasm/kernel.js";
import {
  outOfTheOrdinary,
  type ColumnPlace,
  type EncodedKernel,
  type ImportedFunction,
  type ImportedGlobal,
} from "../../emitters/wasm/shape.js";
import type { MachineScalar, Program } from "../regions/tree.js";
import { callsAsyncCopies } from "./collectives/async-copies.js";
import { taken } from "./collectives/index.js";
import type { AwayFunction, GridFunction, GroupCode, RowFunction, WorkgroupFunction } from "./kernel.js";
import { Unfit, type Room } from "./launch-memory.js";
import type { Machine } from "./machine.js";
import { isNumberFunction, numberFunction } from "./number-functions.js";
import { runtimeNames } from "./runtime.js";
import type { Column, Scalar } from "./scalars.js";
import { runAway, runParts, sharedMemory, type Parts, type RunPart, type ThreadCode } from "./threads.js";
import { webAssembly, type LinearMemory } from "./web-assembly.js";

export { Unfit } from "./launch-memory.js";
export { CannotEncode, type EncodeOptions } from "../../emitters/wasm/kernel.js";

/** Of a memory with its shadows. */
const mostBytes = 2 ** 31;
/** Pages of memory have 64 KiB. */
const page = 65536;

/** Linear memories that no launch uses any more. */
export class Memories {
  private readonly free: LinearMemory[] = [];

  /** One of at least so many bytes, all of them zero; `shared` among threads. */
  take(bytes: number, shared: boolean): LinearMemory {
    const at = this.free.findIndex((m) => m.buffer.byteLength >= bytes && isShared(m) === shared);
    if (at < 0) {
      const pages = Math.max(1, Math.ceil(bytes / page));
      return shared ? sharedMemory(pages, mostBytes / page) : new (webAssembly().Memory)({ initial: pages });
    }
    const [memory] = this.free.splice(at, 1);
    new Uint8Array(memory!.buffer, 0, bytes).fill(0);
    return memory!;
  }

  give(memory: LinearMemory): void {
    if (this.free.length < 4) this.free.push(memory);
  }
}

const isShared = (m: LinearMemory): boolean => !(m.buffer instanceof ArrayBuffer);

export interface WasmCode {
  readonly encoded: EncodedKernel;
  readonly module: object;
}

export function wasmCode(program: Program, options: EncodeOptions): WasmCode {
  const { Module, validate } = webAssembly();
  const encoded = encodeKernel(program, options);
  // Engines without vectors take what has none of them.
  if (encoded.vectorised > 0 && !validate(encoded.module)) throw new CannotEncode("this WebAssembly has no vectors");
  return { encoded, module: new Module(encoded.module) };
}

/** How a launch may go on in several threads. */
export interface InThreads {
  /** At most so many. */
  readonly count: number;
  /** Those of threads that share one launch. */
  readonly frames: number;
  /** The kernel's code for each but the first. */
  readonly codeOf: (thread: number) => WasmCode;
  /** Milliseconds that have to be left of a launch. */
  readonly from: number | undefined;
  /** Workgroups of this launch may run in any order. */
  readonly separate: (m: Machine) => boolean;
}

/** The memory of a launch, and the kernel's code in it; of several launches one after the other. */
export class WasmLaunch implements Room {
  private memory: LinearMemory | undefined;
  private readonly used: LinearMemory[] = [];
  readonly before: number;
  /** Several threads have begun, and from then on what is out of the ordinary gives the run up. */
  parallel = false;
  /** So many took part. */
  threadCount = 1;
  /** Why no lanes go together although they might. */
  byLane: string | undefined;

  /** Without shadows. */
  private bytes = 0;

  constructor(
    private readonly memories: Memories,
    private readonly frameBytes: number,
    private readonly together: boolean,
    private readonly shadows: EncodedKernel["shadows"],
    private readonly threads?: InThreads,
  ) {
    this.before = frameBytes * (threads?.frames ?? 1);
  }

  get speculative(): boolean {
    return this.together || this.parallel;
  }

  allocate(bytes: number): ArrayBuffer {
    this.bytes = bytes;
    const { scale, count } = this.shadows;
    const all = bytes * (1 + scale * count);
    if (all > mostBytes) throw new Unfit("there is no room to screen for races");
    this.memory = this.memories.take(all, this.threads !== undefined);
    this.used.push(this.memory);
    return this.memory.buffer;
  }

  /** Nobody looks at the memory of its launches any more. */
  end(): void {
    for (const m of this.used.splice(0)) this.memories.give(m);
    this.memory = undefined;
  }

  workgroup(code: WasmCode, m: Machine): GroupCode {
    const { encoded, module } = code;
    const { frame } = encoded;
    if (frame.bytes > this.frameBytes) throw new Unfit("a smaller workgroup needs more room");
    const { buffer } = this.memory!;
    if (frame.wait !== undefined) m.wait = new Uint8Array(buffer, frame.wait, m.lanes);
    for (const t of frame.tables) new Uint32Array(buffer, t.at, m.lanes).set(m[t.name]);
    const f: Record<string, unknown> = {};
    encoded.functions.forEach((spec, i) => (f[i] = importedFunction(spec, m, buffer, this)));
    const g: Record<string, unknown> = {};
    this.globalsOf(encoded, m, 0).forEach((x, i) => (g[i] = x));
    const { exports } = new (webAssembly().Instance)(module, { m: { memory: this.memory! }, f, g });
    const run = exports["run"] as (from: number, to: number, wy: number, wz: number, begins: number) => void;
    const { memory } = m;
    const steps = new Float64Array(buffer, stepsAt, 1);
    const group = new Int32Array(buffer, groupAt, 1);
    const counted = (from: number, to: number, wy: number, wz: number, begins: number): void => {
      steps[0] = m.steps;
      try {
        run(from, to, wy, wz, begins);
      } finally {
        m.steps = steps[0];
        noteCover(encoded, m, buffer);
      }
    };
    const single: WorkgroupFunction = (wx, wy, wz) => counted(wx, wx + 1, wy, wz, 0);
    // What is done besides for each workgroup is the caller's.
    if (memory.flip?.kind === "object" || encoded.functions.some((f) => callsAsyncCopies(f.name))) return single;
    const few = Math.max(1, Math.floor(lanesOfCall / m.lanes));
    const row: RowFunction = (from, to, wy, wz, index) => {
      memory.whichGroup = () => memory.setGroup(group[0]!, wy, wz, index + group[0]! - from);
      for (let x = from; x < to; x += few) counted(x, Math.min(to, x + few), wy, wz, 1);
      memory.whichGroup = undefined;
      // A run that is stopped behind it says which one was the last.
      memory.setGroup(to - 1, wy, wz, index + to - 1 - from);
    };
    if (!this.threads || !encoded.functions.every(isOfThreads)) return Object.assign(single, { row });
    // The engine goes over to faster code between calls, and threads end together.
    const partsOf = (width: number, height: number, depth: number): Parts => {
      const each = Math.min(few, Math.ceil((width * height * depth) / leastParts));
      return { first: 0, end: Math.ceil(width / each) * height * depth, each, width, height };
    };
    const grid: GridFunction = (...size) => this.inThreads(m, partsOf(...size), row);
    const { count } = this.threads;
    const away: AwayFunction = (...size) => {
      const launch = runAway(partsOf(...size), this.codeFor(code, m, 0), m.steps, count);
      if (!launch) return undefined;
      this.parallel = true;
      const finish = (): void => {
        m.steps -= launch.steps;
        noteCover(encoded, m, buffer);
      };
      return { launch, finish };
    };
    return Object.assign(single, { row, grid, away });
  }

  /** Parts of the grid, in this thread alone until it is known that there is enough for others. */
  private inThreads(m: Machine, parts: Parts, row: RowFunction): void {
    const { end, each, width, height } = parts;
    const inRow = Math.ceil(width / each);
    const one: RunPart = (start, to, y, z) => {
      row(start, to, y, z, (z * height + y) * width + start);
      return m.steps;
    };
    const started = performance.now();
    const { from = worthThreads } = this.threads!;
    let asked = false;
    for (let part = 0; part < end; part++) {
      const spent = performance.now() - started;
      const pays: boolean = !asked && spent > Math.min(alone, from) && (spent / part) * (end - part) > from;
      asked ||= pays;
      if (pays && this.threads!.separate(m)) {
        const most = m.steps;
        const codes = Array.from({ length: this.threads!.count - 1 }, (_, i) => this.threadCode(i + 1, m));
        this.parallel = true;
        const { used, count } = runParts({ ...parts, first: part }, one, codes, most);
        if (used > most) throw new Unfit("the threads together have used up the steps");
        m.steps = most - used;
        this.threadCount = Math.max(this.threadCount, count);
        for (const [i] of codes.entries()) noteCover(this.threads!.codeOf(i + 1).encoded, m, this.memory!.buffer);
        return;
      }
      const y = Math.floor(part / inRow);
      const start = (part % inRow) * each;
      one(start, Math.min(width, start + each), y % height, Math.floor(y / height));
    }
  }

  /** A frame of its own, and memory of its own for what workgroups and lanes have. */
  private threadCode(thread: number, m: Machine): ThreadCode {
    const code = this.threads!.codeOf(thread);
    const { encoded } = code;
    const memory = this.memory!;
    const { start, end } = m.memory.scratchBytes;
    const own = Math.ceil(this.bytes / 16) * 16 + (thread - 1) * (end - start) - start;
    const missing = own + end - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / page));
    for (const t of encoded.frame.tables) new Uint32Array(memory.buffer, t.at, m.lanes).set(m[t.name]);
    return this.codeFor(code, m, own);
  }

  private codeFor({ encoded, module }: WasmCode, m: Machine, moved: number): ThreadCode {
    return {
      module,
      memory: this.memory!,
      globals: this.globalsOf(encoded, m, moved),
      functions: encoded.functions.map((f) => (isNumber(f) ? f.name : null)),
      steps: encoded.frame.start + stepsAt,
    };
  }

  /** `moved`: how far the memory of workgroups and lanes lies from where the launch has it. */
  private globalsOf(encoded: EncodedKernel, m: Machine, moved: number): (number | bigint)[] {
    const shadow = this.bytes * encoded.shadows.scale;
    return encoded.globals.map((spec) => {
      if (spec.kind === "shadow") return this.bytes + spec.at * shadow;
      const value = importedGlobal(spec, m);
      const { kind } = m.memory.objects[spec.kind === "base" ? spec.object : 0] ?? {};
      const isOwn = spec.kind === "scratch" || (spec.kind === "base" && (kind === "workgroup" || kind === "private"));
      return isOwn ? Number(value) + moved : value;
    });
  }
}

function noteCover({ frame }: EncodedKernel, m: Machine, buffer: ArrayBuffer): void {
  if (frame.cover === undefined) return;
  const cover = new Uint8Array(buffer, frame.cover, m.cover.length);
  for (let i = 0; i < cover.length; i++) if (cover[i] !== 0) m.cover[i] = 1;
}

/** Milliseconds that a launch runs in one thread before others are asked, and that have to be left for them. */
const alone = 10;
const worthThreads = 50;
/** So that it is seen early what a launch takes, and threads end together. */
const leastParts = 64;

const isNumber = (f: ImportedFunction): boolean =>
  !("operands" in f) &&
  f.on === "runtime" &&
  f.leading.length === 0 &&
  isNumberFunction(f.name, f.parameters, f.result);

/** What only happens where something is out of the ordinary. */
const seldom =
  /^(outOfSteps|outOfBounds|outside|misaligned|unfit|left_open|to_[iu]\d+|[iu](8|16|32)_(fits|mul_fits|index|div|rem|rem_of_positive))$/;
const isOfThreads = (f: ImportedFunction): boolean =>
  isNumber(f) || (!("operands" in f) && f.on === "machine" && seldom.test(f.name));

/** Lanes that one call runs: the engine of JavaScript goes over to faster code only between calls. */
const lanesOfCall = 8192;

// ------------------------------------------------------------------ imports

type Converter = (x: never) => Scalar;

/** A value as WebAssembly passes it, as the runtime has it; undefined where they are the same. */
function fromPassed(kind: MachineScalar): Converter | undefined {
  switch (kind) {
    case "bool":
      return (x: number) => x !== 0;
    case "u32":
      return (x: number) => x >>> 0;
    case "u64":
      return (x: bigint) => BigInt.asUintN(64, x);
    default:
      return undefined;
  }
}

type AnyFunction = (...args: unknown[]) => unknown;

function converted(f: AnyFunction, leading: readonly unknown[], kinds: readonly MachineScalar[]): AnyFunction {
  const converters = kinds.map(fromPassed) as ((x: unknown) => unknown)[];
  if (converters.every((c) => c === undefined)) return leading.length === 0 ? f : (...args) => f(...leading, ...args);
  return (...args) => {
    for (let i = 0; i < args.length; i++) if (converters[i]) args[i] = converters[i]!(args[i]);
    return f(...leading, ...args);
  };
}

function column(place: ColumnPlace, buffer: ArrayBuffer, lanes: number): Column {
  const { scalar, at } = place;
  switch (scalar) {
    case "bool":
    case "u8":
      return new Uint8Array(buffer, at, lanes);
    case "i8":
      return new Int8Array(buffer, at, lanes);
    case "i16":
      return new Int16Array(buffer, at, lanes);
    case "u16":
      return new Uint16Array(buffer, at, lanes);
    case "i32":
      return new Int32Array(buffer, at, lanes);
    case "u32":
      return new Uint32Array(buffer, at, lanes);
    case "i64":
      return new BigInt64Array(buffer, at, lanes);
    case "u64":
      return new BigUint64Array(buffer, at, lanes);
    case "f64":
    case "index":
      return new Float64Array(buffer, at, lanes);
    default:
      return new Float32Array(buffer, at, lanes);
  }
}

function importedFunction(
  spec: ImportedFunction,
  m: Machine,
  buffer: ArrayBuffer,
  launch: { readonly speculative: boolean },
): AnyFunction {
  const methods = m as unknown as Readonly<Record<string, AnyFunction | undefined>>;
  const functions = runtimeNames() as Readonly<Record<string, AnyFunction | undefined>>;
  const known = (f: AnyFunction | undefined): AnyFunction => {
    if (!f) throw new Error(`the runtime lacks ${spec.name}`);
    return f;
  };
  if (!("operands" in spec)) {
    if (spec.on === "runtime" && spec.leading.length === 0) {
      const compiled = numberFunction(spec.name, spec.parameters, spec.result);
      if (compiled) return compiled as AnyFunction;
    }
    if (spec.on === "runtime") return converted(known(functions[spec.name]), spec.leading, spec.parameters);
    const unfit = (): never => {
      throw new Unfit("it came to what another form of the engine does");
    };
    if (spec.name === "unfit") return unfit;
    const method = converted(known(methods[spec.name]).bind(m), spec.leading, spec.parameters);
    if (!outOfTheOrdinary.has(spec.name)) return method;
    return (...args) => (launch.speculative ? unfit() : method(...args));
  }
  const wait = spec.masked ? m.wait : null;
  const columns = spec.operands.map((o) => ("value" in o ? undefined : column(o, buffer, m.lanes)));
  const converters = spec.operands.map((o) => ("value" in o ? fromPassed(o.value) : undefined)) as (
    ((x: unknown) => unknown) | undefined
  )[];
  const operandsOf = (values: readonly unknown[]): unknown[] => {
    let next = 0;
    return columns.map((c, i) => {
      if (c) return c;
      const x = values[next++];
      return converters[i] ? converters[i](x) : x;
    });
  };
  if (spec.on === "lanes") {
    const method = known(methods[spec.name]).bind(m);
    return (start, end) =>
      method(spec.site, wait, start, end, ...(spec.scalar === "" ? operandsOf([]) : [spec.scalar]));
  }
  const routine = known(spec.name === "taken" ? (taken as AnyFunction) : functions[spec.name]);
  const result = spec.column ? [column(spec.column, buffer, m.lanes)] : [];
  const words = spec.words === undefined ? undefined : new Uint32Array(buffer, spec.words, 4);
  return (start, end, ...values) => {
    const found = routine(m, spec.scalar, spec.site, wait, start, end, ...result, ...operandsOf(values));
    words?.set(m.words);
    return found;
  };
}

function importedGlobal(spec: Exclude<ImportedGlobal, { kind: "shadow" }>, m: Machine): number | bigint {
  const held = (x: Scalar): number | bigint => (typeof x === "bigint" ? BigInt.asIntN(64, x) : Number(x));
  switch (spec.kind) {
    case "base":
      return m.memory.places[spec.object]!.base;
    case "limit": {
      const { object, unit, reach } = m.limits[spec.limit]!;
      return BigInt(m.limit(object, unit, reach));
    }
    case "value":
      return held(m.values[spec.value]![spec.at]!);
    case "fill":
      return held(m.memory.fillOf(spec.scalar as never));
    case "pattern":
      return held(m.memory.fillOf("u64", m.memory.patternOf("object", spec.object)));
    case "field":
      return (m as unknown as Readonly<Record<string, number>>)[spec.name]! | 0;
    case "scratch":
      return m.memory.scratchBytes[spec.bound];
    case "elements":
      return m.elements(spec.object, spec.offset, spec.stride) | 0;
  }
}
