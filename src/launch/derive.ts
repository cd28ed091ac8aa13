/**
 * Launches for a kernel without a launch file: sizes around the workgroup size, random and edge values. These are
 * candidates: those on which the source has a finding are dropped by who runs them, since they are no launches the
 * kernel is meant for.
 */
import { literalValue } from "../ast/builders.js";
import type { BinaryOperator, BuiltinId, EntryPoint, Expr, Module } from "../ast/nodes.js";
import { walkModule } from "../ast/walk.js";
import { layoutOfResource } from "../dialects/languages.js";
import { assertNever } from "../support/assert-never.js";
import { leavesOf, layoutOf } from "../types/layout.js";
import type { LayoutRule, LayoutStructs } from "../types/layout.js";
import { isFloat, scalarOf } from "../types/types.js";
import type { FloatKind, ScalarKind, Type } from "../types/types.js";
import { dimensionsWith, preferredWidth, triple } from "./bind.js";
import type { BoundArgument, BoundLaunch, Triple } from "./bind.js";
import { hash32 } from "./initializers.js";
import type { ElementType } from "./launch-file.js";
import { bufferExtent, defaultBytes, packedSize, valueScalars } from "./reflection.js";
import type { ArgumentShape, EntryShape } from "./reflection.js";
import { integerRange } from "../types/numeric.js";
import { readScalar, scalarBytes, writeScalar } from "./scalars.js";
import { own } from "../support/own.js";

export interface DeriveOptions {
  readonly workgroupSize?: readonly number[];
  /** Bytes of workgroup memory sized at launch, by path. */
  readonly local?: Readonly<Record<string, number>>;
  /** Of each run, in place of what derived launches have. */
  readonly maxSteps?: number;
}

/**
 * Integers by value: all the same number, or, as a size and what goes with it, several. "power of two": at most the
 * threads of a workgroup. "grid": the threads in each direction in turn.
 */
type Count = "threads" | "threads - 1" | "one row" | "small" | "power of two" | "grid" | "size and small";

/** How one candidate is made. */
export interface Choice {
  readonly groups: Triple;
  /** What integers passed by value are, as they most often are counts. */
  readonly count: Count;
  /** Elements of runtime-sized buffers. */
  readonly elements: "threads" | "many" | "plenty";
  readonly data: "small" | "random" | "edges";
  /** Scalars by value that are these numbers instead, by their place in `Deriver.scalars`. */
  readonly instead?: ReadonlyMap<number, number>;
  /** Elements of one runtime-sized buffer, or bytes of workgroup memory sized at launch, by path. */
  readonly lengths?: ReadonlyMap<string, number>;
  /** What every scalar of a buffer is, by path. */
  readonly filled?: ReadonlyMap<string, number>;
  /** Integers in buffers are below it. */
  readonly below?: number;
  /** Another size of workgroups, where the source leaves it open. */
  readonly workgroupSize?: Triple;
}

/** A launch, with how it was made: a search makes others of it. */
export interface Candidate {
  readonly launch: BoundLaunch;
  readonly choice: Choice;
  /** What the scalars by value are, in the order of `Deriver.scalars`. */
  readonly values: readonly number[];
}

/** A scalar that is passed by value, or a specialisation constant's. */
export interface ValueScalar {
  readonly path: string;
  readonly scalar: ScalarKind;
}

/** Threads of a workgroup where the source leaves them open; the small ones for kernels that take long. */
const openSize: Readonly<Record<1 | 2 | 3, Triple>> = { 1: [64, 1, 1], 2: [8, 8, 1], 3: [4, 4, 4] };
const smallSize: Readonly<Record<1 | 2 | 3, Triple>> = { 1: [8, 1, 1], 2: [4, 2, 1], 3: [2, 2, 2] };

/** What the text states of the size, the size it was written for, and of what is open then as much as there are dimensions. */
function derivedSize(
  { workgroupSizeStated: stated, workgroupSizeIds: ids, workgroupSizeHint: hint }: EntryPoint,
  sizes: typeof openSize,
  dimensions: 1 | 2 | 3,
): Triple {
  if (!ids || !stated) return sizes[dimensions];
  if (hint && sizes === openSize) return hint;
  const open = ids.filter((id) => id !== undefined).length as 1 | 2 | 3;
  const left = [...sizes[open]];
  return triple(
    [0, 1, 2].map((i) => stated[i] ?? left.shift()!),
    1,
  );
}

/** Loop iterations of one run of a derived launch: below a second, mostly. */
const derivedSteps = 2 ** 22;

/** What can be derived for a kernel. */
export class Deriver {
  readonly scalars: readonly ValueScalar[];
  private readonly dimensions: 1 | 2 | 3;
  private readonly workgroupSize: Triple;
  private made = 0;

  constructor(
    private readonly module: Module,
    readonly shape: EntryShape,
    private readonly options: DeriveOptions = {},
  ) {
    const asked = options.workgroupSize;
    this.dimensions = dimensionsOf(module);
    this.workgroupSize =
      shape.entry.workgroupSize ??
      (asked ? [asked[0] ?? 1, asked[1] ?? 1, asked[2] ?? 1] : derivedSize(shape.entry, openSize, this.dimensions));
    this.scalars = shape.arguments.flatMap((a) =>
      a.kind === "value" || a.kind === "specialization"
        ? valueScalars(a.type, shape.structs).map(({ scalar }) => ({ path: a.path, scalar }))
        : [],
    );
  }

  make(choice: Choice): Candidate {
    const workgroupSize = choice.workgroupSize ?? this.workgroupSize;
    return build(choice, this.made++, this.shape, workgroupSize, this.dimensions, this.options);
  }

  /** Elements that memory of a candidate has, and the bytes of one; undefined where its size is fixed. */
  elementsOf({ launch }: Candidate, path: string): { readonly count: number; readonly stride: number } | undefined {
    const shape = this.shape.arguments.find((a) => a.path === path && a.kind === "buffer");
    const given = launch.arguments.find((a) => a.path === path);
    if (given?.kind === "workgroup") return { count: given.byteLength, stride: 1 };
    if (!shape || given?.kind !== "buffer") return undefined;
    const { fixed, stride } = bufferExtent(shape, this.shape.structs, this.shape.dialect);
    return stride === undefined ? undefined : { count: Math.floor((given.bytes.length - fixed) / stride), stride };
  }

  /** The candidates, each made when it is asked for: with their buffers they are large, and few are run. */
  *candidates(): Generator<Candidate> {
    const { dimensions, shape, module } = this;
    const one: Triple = [1, 1, 1];
    const several: Triple = dimensions === 1 ? [3, 1, 1] : dimensions === 2 ? [3, 2, 1] : [2, 2, 2];
    const places = shape.arguments.some((a) => a.kind === "value") ? this.integerPlaces() : [];
    const integers = places.length;
    const counts = countsFor(integers, dimensions);
    const kinds = (["small", "random", "edges"] as const).flatMap((data) =>
      [one, several].map((groups) => ({ data, groups })),
    );
    // Among the first there is one of each count and of each kind of data.
    const choices = (["threads", "many", "plenty"] as const).flatMap((elements) =>
      kinds.flatMap((_, round) =>
        counts.map((count, i): Choice => ({ count, elements, ...kinds[(round + 5 * i) % kinds.length]! })),
      ),
    );
    for (const choice of choices) yield this.make(choice);
    // Ways that a number in the text decides: `mode == 7`, `n < 100`.
    const placed = comparedWith(module).flatMap((value) =>
      places.slice(0, mostPlaces).map((place) => new Map([[place, value]])),
    );
    for (const instead of placed.slice(0, mostPlaced))
      for (const count of integers > 1 ? (["size and small", "small"] as const) : (["small"] as const))
        yield this.make({ count, elements: "many", data: "small", groups: one, instead });
    if (shape.entry.workgroupSize ?? this.options.workgroupSize) return;
    const small = derivedSize(shape.entry, smallSize, dimensions);
    const few = choices.filter((c) => c.groups === one && c.elements !== "plenty" && c.data !== "edges");
    for (const choice of few) yield this.make({ ...choice, workgroupSize: small });
  }

  /** Integers by value, by their place among the scalars; specialisation constants have values of their own. */
  private integerPlaces(): number[] {
    const values = new Set(this.shape.arguments.flatMap((a) => (a.kind === "value" ? [a.path] : [])));
    return this.scalars.flatMap(({ path, scalar }, i) => (values.has(path) && isCount(scalar) ? [i] : []));
  }
}

const isCount = (scalar: ScalarKind): boolean => !isFloat(scalar) && scalar !== "bool";

function countsFor(integers: number, dimensions: 1 | 2 | 3): readonly Count[] {
  if (integers === 0) return ["threads"];
  const several: Count[] = integers > 1 ? (dimensions > 1 ? ["grid", "size and small"] : ["size and small"]) : [];
  const row: Count[] = dimensions > 1 ? ["one row"] : [];
  return ["threads", ...several, "threads - 1", ...row, "small", "power of two"];
}

/** What the integers get, in turn. */
function numbers(count: Count, gridSize: Triple, workgroupSize: Triple): readonly number[] {
  const threads = gridSize[0] * gridSize[1] * gridSize[2];
  switch (count) {
    case "threads":
      return [threads];
    case "threads - 1":
      return [Math.max(1, threads - 1)];
    case "one row":
      return [gridSize[0]];
    case "small":
      return [4];
    case "power of two":
      return [2 ** Math.floor(Math.log2(workgroupSize[0] * workgroupSize[1] * workgroupSize[2]))];
    case "grid":
      return gridSize;
    case "size and small":
      return [gridSize[0], 4, 2, 1];
    default:
      return assertNever(count);
  }
}

/** How many of `candidates` are kept at most, counting from those that passed. */
export const mostDerived = 6;

function build(
  choice: Choice,
  index: number,
  shape: EntryShape,
  workgroupSize: Triple,
  dimensions: 1 | 2 | 3,
  options: DeriveOptions,
): Candidate {
  const { groups } = choice;
  const gridSize: Triple = [groups[0] * workgroupSize[0], groups[1] * workgroupSize[1], groups[2] * workgroupSize[2]];
  const threads = gridSize[0] * gridSize[1] * gridSize[2];
  const seed = index + 1;
  const counts = numbers(choice.count, gridSize, workgroupSize);
  const { instead } = choice;
  let given = 0;
  const values: number[] = [];
  const kinds: ScalarKind[] = [];
  const value = (type: Type, argumentSeed: number, initial?: Uint8Array): Uint8Array => {
    const turn = given;
    if (!initial) given += integersIn(type, shape.structs);
    const bytes =
      initial ?? valueBytes(type, shape.structs, (i) => counts[(turn + i) % counts.length]!, choice, argumentSeed);
    const scalars = valueScalars(type, shape.structs);
    for (const { scalar } of scalars) kinds.push(scalar);
    return withInstead(bytes, scalars, instead, values);
  };
  const elements = { threads, many: Math.max(4 * threads, 4096), plenty: 65536 }[choice.elements];
  const args = shape.arguments.flatMap((a, position): BoundArgument[] => {
    const argumentSeed = seed * 16 + position;
    switch (a.kind) {
      case "buffer":
        return [buffer(a, shape, choice.lengths?.get(a.path) ?? elements, choice, argumentSeed, threads)];
      case "value":
        return [
          {
            kind: "value",
            path: a.path,
            bytes: value(a.type, argumentSeed),
          },
        ];
      case "workgroup":
        return [
          {
            kind: "workgroup",
            path: a.path,
            byteLength:
              own(options.local, a.path) ??
              choice.lengths?.get(a.path) ??
              workgroupSize[0] * workgroupSize[1] * workgroupSize[2] * elementSize(a, shape),
          },
        ];
      case "specialization": {
        return [{ kind: "value", path: a.path, bytes: value(a.type, argumentSeed, defaultBytes(a)) }];
      }
      case "derived":
        return [];
    }
  });
  const sizes = choice.elements === "threads" ? "an element per invocation" : `${elements} elements a buffer`;
  const data = { small: "small values", random: "random values", edges: "edge values" }[choice.data];
  const integers = values.filter((_, i) => isCount(kinds[i]!));
  const count =
    integers.length > 0
      ? `, integers by value ${(instead ? integers : integers.slice(0, Math.min(counts.length, Math.max(1, given)))).join(" ")}`
      : "";
  const lengths = [...(choice.lengths ?? [])].map(([path, n]) => `, ${n} in ${path}`).join("");
  const fills = [...(choice.filled ?? [])].map(([path, n]) => `, ${path} filled with ${n}`).join("");
  const launch: BoundLaunch = {
    label: `derived: ${sizes}${lengths}, ${data}${fills}${count}`,
    derived: true,
    maxSteps: options.maxSteps ?? derivedSteps,
    workgroups: groups,
    gridSize,
    gridOffset: [0, 0, 0],
    dimensions: dimensionsWith(dimensions, workgroupSize),
    workgroupSize,
    subgroupSize: preferredWidth(shape.entry),
    arguments: args,
  };
  return { launch, choice, values };
}

/** A value's scalars, some of them others; all are noted. */
function withInstead(
  given: Uint8Array,
  scalars: readonly { readonly scalar: ScalarKind }[],
  instead: ReadonlyMap<number, number> | undefined,
  values: number[],
): Uint8Array {
  const bytes = given.slice();
  const view = new DataView(bytes.buffer);
  let offset = 0;
  for (const { scalar } of scalars) {
    const other = instead?.get(values.length);
    if (other !== undefined) {
      if (scalar === "bool") bytes[offset] = other ? 1 : 0;
      else writeScalar(view, offset, scalar, isFloat(scalar) ? other : clamped(scalar, other));
    }
    values.push(scalar === "bool" ? bytes[offset]! : Number(readScalar(view, offset, scalar)));
    offset += scalarBytes(scalar);
  }
  return bytes;
}

function clamped(scalar: ScalarKind, value: number): number {
  const { min, max } = integerRange(scalar);
  const low = Math.max(Number(min), -(2 ** 53) + 1);
  return Math.max(low, Math.min(Number(max), Math.trunc(value), 2 ** 53 - 1));
}

function elementSize(a: ArgumentShape, { structs, dialect }: EntryShape): number {
  const type = a.type.kind === "array" ? a.type.element : a.type.kind === "pointer" ? a.type.pointee : a.type;
  return Math.max(4, layoutOf(type, layoutOfResource(dialect, a.resource), structs).size);
}

function buffer(
  a: ArgumentShape,
  shape: EntryShape,
  elements: number,
  choice: Choice,
  seed: number,
  threads: number,
): BoundArgument {
  const rule = layoutOfResource(shape.dialect, a.resource);
  const { fixed, stride } = bufferExtent(a, shape.structs, shape.dialect);
  const bytes = new Uint8Array(fixed + (stride ?? 0) * elements);
  const view = new DataView(bytes.buffer);
  let number = 0;
  const writers = new Map<ScalarKind, WriteDatum>();
  const element = (scalars: ReturnType<typeof scalarsOf>, base: number): void => {
    for (const { scalar, offset } of scalars) {
      let write = writers.get(scalar);
      if (!write) writers.set(scalar, (write = datumWriter(scalar, choice, threads, choice.filled?.get(a.path))));
      write(view, base + offset, number++, seed);
    }
  };
  const tail = runtimeTail(a.type, shape.structs);
  const first = scalarsOf(tail ?? a.type, rule, shape.structs);
  if (fixed > 0) element(tail === undefined ? first : scalarsOf(withoutTail(), "structured", shape.structs), 0);
  if (stride !== undefined && tail !== undefined) for (let i = 0; i < elements; i++) element(first, fixed + i * stride);
  const scalar = first[0]?.scalar ?? "u32";
  const uniform = first.every((s) => s.scalar === scalar);
  const type: ElementType =
    uniform && scalar !== "bool" ? { text: scalar, scalar, width: 1 } : { text: "u32", scalar: "u32", width: 1 };
  return {
    kind: "buffer",
    path: a.path,
    bytes,
    initialized: true,
    type,
    output: a.access !== "read",
    writable: a.access !== "read",
    compare: "ordered",
  };

  /** The sized members in front of a runtime-sized one are filled as raw words. */
  function withoutTail(): Type {
    return { kind: "array", element: { kind: "scalar", scalar: "u32" }, length: fixed >> 2 };
  }
}

function runtimeTail(type: Type, structs: LayoutStructs): Type | undefined {
  if (type.kind === "array") return type.length === undefined ? type.element : undefined;
  if (type.kind !== "struct") return undefined;
  const last = structs.get(type.name)?.members.at(-1)?.type;
  return last?.kind === "array" && last.length === undefined ? last.element : undefined;
}

function scalarsOf(type: Type, rule: LayoutRule, structs: LayoutStructs): { scalar: ScalarKind; offset: number }[] {
  return leavesOf(type, rule, structs).map((leaf) => {
    if (leaf.type.kind !== "scalar") throw new Error("a leaf is a scalar");
    return { scalar: leaf.type.scalar, offset: leaf.offset };
  });
}

function valueBytes(
  type: Type,
  structs: LayoutStructs,
  /** Of the integers before it in the value. */
  integer: (position: number) => number,
  choice: Choice,
  seed: number,
): Uint8Array {
  const bytes = new Uint8Array(packedSize(type, structs));
  const view = new DataView(bytes.buffer);
  let offset = 0;
  let position = 0;
  for (const [i, { scalar }] of valueScalars(type, structs).entries()) {
    if (scalar === "bool") bytes[offset] = (seed + i) & 1;
    else if (isFloat(scalar)) writeScalar(view, offset, scalar, floatValue(choice.data, i));
    else writeScalar(view, offset, scalar, Math.min(integer(position++), scalar.endsWith("8") ? 100 : 30000));
    offset += scalarBytes(scalar);
  }
  return bytes;
}

/** Of random data it lies between 0 and 1, as weights have to. */
function floatValue(data: Choice["data"], i: number): number {
  if (data === "edges") return -0.5;
  return data === "random" ? 1 / (i + 2) : 1.5 + i;
}

const edgeFloats: Readonly<Record<FloatKind, readonly bigint[]>> = {
  // 0, -0, 1, -1, largest, its negative, smallest subnormal, its negative, smallest normal, infinity, -infinity, NaN
  f16: [0x0000n, 0x8000n, 0x3c00n, 0xbc00n, 0x7bffn, 0xfbffn, 0x0001n, 0x8001n, 0x0400n, 0x7c00n, 0xfc00n, 0x7e00n],
  bf16: [0x0000n, 0x8000n, 0x3f80n, 0xbf80n, 0x7f7fn, 0xff7fn, 0x0001n, 0x8001n, 0x0080n, 0x7f80n, 0xff80n, 0x7fc0n],
  f32: [
    0x00000000n,
    0x80000000n,
    0x3f800000n,
    0xbf800000n,
    0x7f7fffffn,
    0xff7fffffn,
    0x00000001n,
    0x80000001n,
    0x00800000n,
    0x7f800000n,
    0xff800000n,
    0x7fc00000n,
  ],
  f64: [
    0n,
    1n << 63n,
    0x3ff0000000000000n,
    0xbff0000000000000n,
    0x7fefffffffffffffn,
    0xffefffffffffffffn,
    1n,
    (1n << 63n) | 1n,
    0x0010000000000000n,
    0x7ff0000000000000n,
    0xfff0000000000000n,
    0x7ff8000000000000n,
  ],
};

/** Writes the `i`-th scalar of an argument, as the choice has it. */
type WriteDatum = (view: DataView, at: number, i: number, seed: number) => void;

/** Buffers have up to millions of scalars: what depends on their kind is settled once. */
function datumWriter(kind: ScalarKind, { data, below }: Choice, threads: number, filled?: number): WriteDatum {
  if (filled !== undefined && kind !== "bool") {
    const value = isFloat(kind) ? filled : clamped(kind, filled);
    return (view, at) => void writeScalar(view, at, kind, value);
  }
  if (kind === "bool") return (view, at, i, seed) => view.setUint8(at, hash32(i, seed) & 1);
  const bits = edgeBits(kind);
  const edge: WriteDatum =
    scalarBytes(kind) === 8
      ? (view, at, i, seed) => view.setBigUint64(at, bits[hash32(i, seed) % bits.length]!, true)
      : lowBits(kind, bits.map(Number));
  const usual = isFloat(kind) ? floatWriter(kind, data) : integerWriter(kind, data, below ?? Math.min(threads, 100));
  if (data !== "edges") return usual;
  return (view, at, i, seed) => (i % 3 !== 2 ? edge : usual)(view, at, i, seed);

  function lowBits(of: ScalarKind, values: readonly number[]): WriteDatum {
    const put = bitsWriter(of);
    return (view, at, i, seed) => put(view, at, values[hash32(i, seed) % values.length]!);
  }
}

function edgeBits(kind: ScalarKind): readonly bigint[] {
  if (isFloat(kind)) return edgeFloats[kind];
  const top = 1n << BigInt(8 * scalarBytes(kind) - 1);
  return [0n, 1n, 2n * top - 1n, top, top - 1n, top + 1n, 2n];
}

/** The low bits of a number, for kinds of up to 32 bits. */
function bitsWriter(kind: ScalarKind): (view: DataView, at: number, bits: number) => void {
  const size = scalarBytes(kind);
  if (size === 1) return (view, at, x) => view.setUint8(at, x);
  if (size === 2) return (view, at, x) => view.setUint16(at, x, true);
  return (view, at, x) => view.setUint32(at, x, true);
}

function floatWriter(kind: ScalarKind, data: Choice["data"]): WriteDatum {
  const put = (view: DataView, at: number, x: number): void => void writeScalar(view, at, kind, x);
  // Small ones are whole numbers, so that sums are exact in any order.
  if (data === "small") return (view, at, i, seed) => put(view, at, hash32(i, seed) % 16);
  return (view, at, i, seed) => {
    const random = hash32(i, seed);
    put(view, at, ((random >>> 8) / 2 ** 20 - 8) * (random & 1 ? 1 : -1));
  };
}

function integerWriter(kind: ScalarKind, data: Choice["data"], most: number): WriteDatum {
  if (scalarBytes(kind) === 8) {
    if (data === "small") return (view, at, i, seed) => view.setBigUint64(at, BigInt(hash32(i, seed) % most), true);
    return (view, at, i, seed) => {
      view.setUint32(at, hash32(i, seed + 1), true);
      view.setUint32(at + 4, hash32(i, seed), true);
    };
  }
  const put = bitsWriter(kind);
  if (data === "small") return (view, at, i, seed) => put(view, at, hash32(i, seed) % most);
  return (view, at, i, seed) => put(view, at, hash32(i, seed + 1));
}

function integersIn(type: Type, structs: LayoutStructs): number {
  return valueScalars(type, structs).filter((s) => !isFloat(s.scalar) && s.scalar !== "bool").length;
}

/** Integers by value that are given numbers of the text in turn, and candidates made so. */
const mostPlaces = 8;
const mostPlaced = 96;
/** Greater numbers are no sizes one can run, and flags as often as not. */
const mostCompared = 2 ** 16;

/** Integers that the kernel compares something with, and those next to them where an order is asked. */
function comparedWith(module: Module): number[] {
  const found = new Set<number>();
  const note = (e: Expr, ordered: boolean): void => {
    const value = literalValue(e);
    if (value === undefined || typeof value === "boolean" || isFloat(scalarOf(e.type) ?? "f32")) return;
    const n = Number(value);
    for (const x of ordered ? [n, n - 1, n + 1] : [n]) if (x >= 0 && x <= mostCompared) found.add(x);
  };
  walkModule(module, {
    expr: (e: Expr) => {
      if (e.kind !== "binary" || !comparisons.has(e.operator)) return;
      for (const side of [e.left, e.right]) note(side, e.operator !== "eq" && e.operator !== "ne");
    },
    statement: (s) => {
      if (s.kind === "switch")
        for (const c of s.cases) for (const label of c.labels) if (label !== "default") note(label, false);
    },
  });
  return [...found];
}

const comparisons: ReadonlySet<BinaryOperator> = new Set<BinaryOperator>(["eq", "ne", "lt", "le", "gt", "ge"]);

const positions: ReadonlySet<BuiltinId> = new Set<BuiltinId>(["global_id", "local_id", "workgroup_id"]);

/** The dimensions a kernel looks at: the greatest component it takes of an id. */
function dimensionsOf(module: Module): 1 | 2 | 3 {
  let highest = 0;
  let whole = false;
  let component = 0;
  const use = (components: readonly number[]): void => void (highest = Math.max(highest, ...components));
  walkModule(module, {
    expr: (e: Expr) => {
      if (e.kind === "swizzle-value" && e.operand.kind === "builtin") {
        if (positions.has(e.operand.builtin)) use(e.components);
        return false;
      }
      if (e.kind === "swizzle-value" && isIdVector(e.operand.type)) component = Math.max(component, ...e.components);
      if (e.kind === "builtin" && positions.has(e.builtin)) whole = true;
      return true;
    },
    place: (p) => {
      if (p.kind === "swizzle" && isIdVector(p.base.type)) component = Math.max(component, ...p.components);
    },
  });
  return (Math.min(2, whole ? Math.max(highest, component) : highest) + 1) as 1 | 2 | 3;
}

/** Where an id was put into a variable, its components are those of an integer vector. */
function isIdVector(type: Type): boolean {
  return type.kind === "vector" && type.size <= 3 && (type.scalar === "u32" || type.scalar === "i32");
}
