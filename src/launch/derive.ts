/**
 * Launches for a kernel without a launch file: sizes around the workgroup size, random and edge values. These are
 * candidates: those on which the source has a finding are dropped by who runs them, since they are no launches the
 * kernel is meant for.
 */
import type { BuiltinId, EntryPoint, Expr, Module } from "../ast/nodes.js";
import { walkModule } from "../ast/walk.js";
import { layoutOfResource } from "../dialects/languages.js";
import { assertNever } from "../support/assert-never.js";
import { leavesOf, layoutOf } from "../types/layout.js";
import type { LayoutRule, LayoutStructs } from "../types/layout.js";
import { isFloat } from "../types/types.js";
import type { ScalarKind, Type } from "../types/types.js";
import { dimensionsWith, preferredWidth, programBuffer } from "./bind.js";
import { triple } from "./triple.js";
import type { BoundArgument, BoundLaunch } from "./bind.js";
import type { Triple } from "./triple.js";
import { clamped, Contents, datumWriter, type DataKind, type WriteDatum } from "./contents.js";
import type { ElementType } from "./launch-file.js";
import { bufferExtent, bytesOfProgram, defaultBytes, packedSize, valueScalars } from "./reflection.js";
import type { ArgumentShape, EntryShape } from "./reflection.js";
import { readScalar, scalarBytes, writeScalar } from "./scalars.js";
import { numbersOf, type TextNumbers } from "./text-numbers.js";
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
  readonly data: DataKind;
  /** What data is made of; without it, that differs from candidate to candidate. */
  readonly seed?: number;
  /** Scalars by value that are these numbers instead, by their place in `Deriver.scalars`. */
  readonly instead?: ReadonlyMap<number, number>;
  /** Elements of one runtime-sized buffer, or bytes of workgroup memory sized at launch, by path. */
  readonly lengths?: ReadonlyMap<string, number>;
  /** What every scalar of a buffer is, by path. */
  readonly filled?: ReadonlyMap<string, number>;
  /** What some scalars of a buffer are, by path, where the others are as `data` has them. */
  readonly some?: ReadonlyMap<string, number>;
  /** Buffers of one type begin alike: what compares two of them finds no difference. */
  readonly alike?: boolean;
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
  /** What its data is made of. */
  readonly seed: number;
}

/** A scalar that is passed by value, or a specialisation constant's. */
export interface ValueScalar {
  readonly path: string;
  readonly scalar: ScalarKind;
}

/** Threads of a workgroup where the source leaves them open; the small ones for kernels that take long. */
const openSize: Readonly<Record<1 | 2 | 3, Triple>> = { 1: [64, 1, 1], 2: [8, 8, 1], 3: [4, 4, 4] };
const smallSize: Readonly<Record<1 | 2 | 3, Triple>> = { 1: [8, 1, 1], 2: [4, 2, 1], 3: [2, 2, 2] };

/** Sizes that kernels are written for, the likeliest first: a subgroup, several, one invocation, one row of several. */
const otherSizes: readonly (typeof openSize)[] = [
  { 1: [32, 1, 1], 2: [32, 1, 1], 3: [32, 1, 1] },
  { 1: [256, 1, 1], 2: [16, 16, 1], 3: [8, 8, 4] },
  { 1: [128, 1, 1], 2: [128, 1, 1], 3: [128, 1, 1] },
  { 1: [16, 1, 1], 2: [4, 4, 1], 3: [16, 1, 1] },
  { 1: [512, 1, 1], 2: [32, 8, 1], 3: [32, 8, 1] },
  { 1: [1, 1, 1], 2: [1, 1, 1], 3: [1, 1, 1] },
  { 1: [1024, 1, 1], 2: [32, 32, 1], 3: [256, 1, 1] },
];

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
  private readonly contents: Contents;
  private made = 0;
  private text: TextNumbers | undefined;

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
    this.contents = new Contents(() => this.numbers());
  }

  make(choice: Choice): Candidate {
    const workgroupSize = choice.workgroupSize ?? this.workgroupSize;
    const seed = choice.seed ?? ++this.made;
    return build(choice, seed, this.shape, workgroupSize, this.dimensions, this.options, this.contents);
  }

  /** Numbers that the kernel's text compares with, or takes bits by. */
  numbers(): TextNumbers {
    return (this.text ??= numbersOf(this.module));
  }

  /** Sizes that workgroups may have besides those of the candidates, where neither the source nor the user states one. */
  otherSizes(): readonly Triple[] {
    const { shape, options, dimensions, workgroupSize } = this;
    if (shape.entry.workgroupSize ?? options.workgroupSize) return [];
    const sizes = otherSizes.map((size) => derivedSize(shape.entry, size, dimensions));
    return sizes.filter((size) => size.join() !== workgroupSize.join());
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
    const { dimensions, shape } = this;
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
    const placed = this.numbers().sizes.flatMap((value) =>
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

const dataNames: Readonly<Record<DataKind, string>> = {
  small: "small values",
  random: "random values",
  edges: "edge values",
  fractions: "values from 0 to 1",
  text: "values of the text",
};

/** How many of `candidates` are kept at most, counting from those that passed. */
export const mostDerived = 6;

/** Elements of the longest buffers, and bytes of those whose elements are large. */
const mostElements = 65536;
const mostPlenty = 2 ** 20;

function build(
  choice: Choice,
  seed: number,
  shape: EntryShape,
  workgroupSize: Triple,
  dimensions: 1 | 2 | 3,
  options: DeriveOptions,
  contents: Contents,
): Candidate {
  const { groups } = choice;
  const gridSize: Triple = [groups[0] * workgroupSize[0], groups[1] * workgroupSize[1], groups[2] * workgroupSize[2]];
  const threads = gridSize[0] * gridSize[1] * gridSize[2];
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
  const elements = { threads, many: Math.max(4 * threads, 4096), plenty: mostElements }[choice.elements];
  const args = shape.arguments.flatMap((a, position): BoundArgument[] => {
    const argumentSeed = seed * 16 + (choice.alike ? 0 : position);
    switch (a.kind) {
      case "buffer":
        if (a.resource.begins !== undefined) {
          const { type } = partsOf(a, shape);
          return [{ ...programBuffer(a, bytesOfProgram(a, shape.structs, shape.dialect)!), type }];
        }
        return [buffer(a, shape, elements, choice, argumentSeed, threads, contents)];
      case "value":
        return [
          {
            kind: "value",
            path: a.path,
            bytes: value(a.type, argumentSeed),
          },
        ];
      case "workgroup": {
        const size = elementSize(a, shape);
        const found = choice.lengths?.get(a.path);
        const bytes =
          found === undefined ? size * workgroupSize.reduce((n, k) => n * k) : Math.ceil(found / size) * size;
        return [{ kind: "workgroup", path: a.path, byteLength: own(options.local, a.path) ?? bytes }];
      }
      case "specialization": {
        return [{ kind: "value", path: a.path, bytes: value(a.type, argumentSeed, defaultBytes(a)) }];
      }
      case "derived":
        return [];
    }
  });
  const upTo = choice.elements === "plenty" ? "up to " : "";
  const sizes = choice.elements === "threads" ? "an element per invocation" : `${upTo}${elements} elements a buffer`;
  const data = dataNames[choice.data];
  const integers = values.filter((_, i) => isCount(kinds[i]!));
  const count =
    integers.length > 0
      ? `, integers by value ${(instead ? integers : integers.slice(0, Math.min(counts.length, Math.max(1, given)))).join(" ")}`
      : "";
  const some = [...(choice.some ?? [])].map(([path, n]) => `, ${n} here and there in ${path}`).join("");
  const lengths = [...(choice.lengths ?? [])].map(([path, n]) => `, ${n} in ${path}`).join("");
  const alike = choice.alike ? ", alike in all buffers" : "";
  const fills = [...(choice.filled ?? [])].map(([path, n]) => `, ${path} filled with ${n}`).join("");
  const launch: BoundLaunch = {
    label: `derived: ${sizes}${lengths}, ${data}${alike}${fills}${some}${count}`,
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
  return { launch, choice, values, seed };
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

/** Bytes of an element of a buffer or of workgroup memory; no less than a word. */
export function elementSize(a: ArgumentShape, { structs, dialect }: EntryShape): number {
  const type = a.type.kind === "array" ? a.type.element : a.type.kind === "pointer" ? a.type.pointee : a.type;
  return Math.max(4, layoutOf(type, layoutOfResource(dialect, a.resource), structs).size);
}

/** What a buffer is filled by. */
interface Parts {
  readonly fixed: number;
  /** Bytes of an element of what has no size of its own. */
  readonly stride?: number;
  /** Scalars of what is fixed, and of each element. */
  readonly head: readonly Leaf[];
  readonly element: readonly Leaf[];
  readonly type: ElementType;
}

interface Leaf {
  readonly scalar: ScalarKind;
  readonly offset: number;
}

const knownParts = new WeakMap<ArgumentShape, Parts>();

/** Arrays of a fixed size have as many leaves as elements: they are listed once. */
function partsOf(a: ArgumentShape, shape: EntryShape): Parts {
  const before = knownParts.get(a);
  if (before) return before;
  const rule = layoutOfResource(shape.dialect, a.resource);
  const { fixed, stride } = bufferExtent(a, shape.structs, shape.dialect);
  const tail = runtimeTail(a.type, shape.structs);
  const first = scalarsOf(tail ?? a.type, rule, shape.structs);
  // The sized members in front of a runtime-sized one are filled as raw words.
  const words: Type = { kind: "array", element: { kind: "scalar", scalar: "u32" }, length: fixed >> 2 };
  const scalar = first[0]?.scalar ?? "u32";
  const uniform = scalar !== "bool" && first.every((s) => s.scalar === scalar);
  const parts: Parts = {
    fixed,
    ...(stride === undefined ? {} : { stride }),
    head: fixed === 0 ? [] : tail === undefined ? first : scalarsOf(words, "structured", shape.structs),
    element: tail === undefined ? [] : first,
    type: uniform ? { text: scalar, scalar, width: 1 } : { text: "u32", scalar: "u32", width: 1 },
  };
  knownParts.set(a, parts);
  return parts;
}

function buffer(
  a: ArgumentShape,
  shape: EntryShape,
  usual: number,
  choice: Choice,
  seed: number,
  threads: number,
  contents: Contents,
): BoundArgument {
  const { fixed, stride, head, element, type } = partsOf(a, shape);
  const filled = choice.filled?.get(a.path);
  const some = choice.some?.get(a.path);
  // Of structures as many as can be filled in no time; threads have one each all the same.
  const fitting = Math.max(threads, 4096, Math.floor(mostPlenty / Math.max(1, stride ?? 1)));
  const elements = choice.lengths?.get(a.path) ?? (choice.elements === "plenty" ? Math.min(usual, fitting) : usual);
  const bytes = contents.of(
    [a.path, seed, threads, choice.data, choice.below, filled, some].join("|"),
    fixed,
    (stride ?? 0) * elements,
    (view, from) => {
      const writers = new Map<ScalarKind, WriteDatum>();
      let number = 0;
      const put = (scalars: readonly Leaf[], base: number): void => {
        for (const { scalar, offset } of scalars) {
          let write = writers.get(scalar);
          if (!write)
            writers.set(scalar, (write = datumWriter(scalar, choice, threads, filled, some, contents.numbers)));
          write(view, base + offset, number++, seed);
        }
      };
      if (from === 0) put(head, 0);
      if (stride === undefined) return;
      const done = from === 0 ? 0 : Math.floor((from - fixed) / stride);
      number = head.length + done * element.length;
      for (let i = done; i < elements; i++) put(element, fixed + i * stride);
    },
  );
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
}

function runtimeTail(type: Type, structs: LayoutStructs): Type | undefined {
  if (type.kind === "array") return type.length === undefined ? type.element : undefined;
  if (type.kind !== "struct") return undefined;
  const last = structs.get(type.name)?.members.at(-1)?.type;
  return last?.kind === "array" && last.length === undefined ? last.element : undefined;
}

function scalarsOf(type: Type, rule: LayoutRule, structs: LayoutStructs): Leaf[] {
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
  return data === "random" || data === "fractions" ? 1 / (i + 2) : 1.5 + i;
}

function integersIn(type: Type, structs: LayoutStructs): number {
  return valueScalars(type, structs).filter((s) => !isFloat(s.scalar) && s.scalar !== "bool").length;
}

/** Integers by value that are given numbers of the text in turn, and candidates made so. */
const mostPlaces = 8;
const mostPlaced = 96;

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
