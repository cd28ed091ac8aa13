/**
 * What a launch file says, turned into plain arrays of the host. Written from the description of the seeded initialisers
 * (`h32` below) and of the launch file alone, and used by tests only, so that a mistake of crosslane's own reader cannot
 * hide in the data both sides are fed with.
 */

export type HostArray = Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array | Float32Array;
export type HostValue = number | readonly number[];

type Numeric = number | string;
type Sized<T> = T | { readonly perGroup: number };

export interface LaunchArgument {
  readonly type?: string;
  readonly count?: Sized<number>;
  readonly value?: Sized<Numeric | readonly Numeric[]>;
  readonly bytes?: number;
  readonly init?: {
    readonly values?: readonly Numeric[];
    readonly fill?: Numeric;
    readonly iota?: { readonly start: number; readonly step: number };
    readonly hash?: { readonly seed: number };
    readonly ints?: { readonly seed: number; readonly mod: number };
    readonly unit?: { readonly seed: number };
  };
  readonly output?: boolean;
  readonly tolerance?: { readonly ulp?: number; readonly abs?: number; readonly rel?: number };
  readonly compare?: "multiset";
  readonly expect?: { readonly values: readonly Numeric[] };
  readonly dialects?: readonly string[];
}

export interface Launch {
  readonly entry: string | Readonly<Record<string, string>>;
  readonly workgroups: readonly [number, number, number];
  readonly workgroupSize: readonly [number, number, number];
  readonly subgroupSize?: number;
  readonly subgroupSizes?: readonly number[];
  readonly needs?: readonly string[];
  readonly scaleAxis?: number;
  readonly contractionSensitive?: boolean;
  readonly args: Readonly<Record<string, LaunchArgument>>;
}

/** Buffers as the kernel finds them, and by-value arguments; workgroup memory sized at launch is left out. */
export type Inputs = Readonly<Record<string, HostArray | HostValue>>;

/** The seeded hash of the launch file's initialisers: the same in any language with wrapping 32-bit arithmetic. */
export function h32(i: number, seed: number): number {
  let x = Math.imul((i + Math.imul(seed, 0x9e3779b9)) | 0, 0x85ebca6b);
  x ^= x >>> 13;
  x = Math.imul(x, 0xc2b2ae35);
  return (x ^ (x >>> 16)) >>> 0;
}

/** `f32x4` is four scalars `f32` an element. */
export function parseType(type: string): { scalar: string; width: number } {
  const match = /^(i8|u8|i16|u16|f16|i32|u32|f32)(?:x([234]))?$/.exec(type);
  if (!match) throw new Error(`unknown launch type ${type}`);
  return { scalar: match[1]!, width: Number(match[2] ?? 1) };
}

export function allocate(scalar: string, length: number): HostArray {
  switch (scalar) {
    case "i8":
      return new Int8Array(length);
    case "u8":
      return new Uint8Array(length);
    case "i16":
      return new Int16Array(length);
    case "u16":
    case "f16": // as bits
      return new Uint16Array(length);
    case "i32":
      return new Int32Array(length);
    case "u32":
      return new Uint32Array(length);
    case "f32":
      return new Float32Array(length);
    default:
      throw new Error(`unknown scalar type ${scalar}`);
  }
}

export function workgroupCount(launch: Pick<Launch, "workgroups">): number {
  return launch.workgroups.reduce((product, n) => product * n, 1);
}

function sized<T>(launch: Launch, value: Sized<T>): T | number {
  const perGroup = (value as { perGroup?: number }).perGroup;
  return perGroup === undefined ? (value as T) : perGroup * workgroupCount(launch);
}

function element(init: NonNullable<LaunchArgument["init"]>, i: number): number {
  if (init.values) return Number(init.values[i]);
  if (init.fill !== undefined) return Number(init.fill);
  if (init.iota) return init.iota.start + init.iota.step * i;
  if (init.hash) return h32(i, init.hash.seed);
  if (init.ints) return h32(i, init.ints.seed) % init.ints.mod;
  if (init.unit) return (h32(i, init.unit.seed) >>> 8) / 2 ** 24;
  throw new Error("no initialiser");
}

export function buildBuffer(launch: Launch, argument: LaunchArgument): HostArray {
  const { scalar, width } = parseType(argument.type ?? "");
  const array = allocate(scalar, Number(sized(launch, argument.count ?? 0)) * width);
  const init = argument.init ?? {};
  for (let i = 0; i < array.length; i++) {
    const value = element(init, i);
    array[i] = scalar === "f16" ? halfBits(value) : value;
  }
  if (init.hash && scalar === "f32") throw new Error("hash on a float type is not used by any fixture");
  return array;
}

export function inputsOf(launch: Launch): Record<string, HostArray | HostValue> {
  const inputs: Record<string, HostArray | HostValue> = {};
  for (const [name, argument] of Object.entries(launch.args)) {
    if (argument.value !== undefined) {
      const value = sized(launch, argument.value);
      inputs[name] = Array.isArray(value) ? value.map(Number) : Number(value);
    } else if (argument.bytes === undefined) {
      inputs[name] = buildBuffer(launch, argument);
    }
  }
  return inputs;
}

/** `h = h * 31 + w` over the 32-bit little-endian words of all outputs in argument order, as `expected.json` has it. */
export function checksum(outputs: readonly HostArray[]): string {
  let h = 0;
  for (const output of outputs) {
    const view = new DataView(output.buffer, output.byteOffset, output.byteLength);
    for (let at = 0; at < output.byteLength; at += 4) h = (Math.imul(h, 31) + view.getUint32(at, true)) >>> 0;
  }
  return h.toString(16).padStart(8, "0");
}

/** Bits of the half nearest to a number, ties to even. */
export function halfBits(x: number): number {
  const sign = x < 0 || Object.is(x, -0) ? 0x8000 : 0;
  const magnitude = Math.abs(x);
  if (Number.isNaN(x)) return 0x7e00;
  if (magnitude >= 65520) return sign | 0x7c00;
  // Spacing of halves around the magnitude; below 2^-14 they are subnormal and evenly spaced.
  const exponent = magnitude < 2 ** -14 ? -14 : Math.floor(Math.log2(magnitude));
  const spacing = 2 ** (exponent - 10);
  const quotient = magnitude / spacing;
  let steps = Math.floor(quotient);
  const rest = quotient - steps;
  if (rest > 0.5 || (rest === 0.5 && steps % 2 === 1)) steps++;
  // steps counts 1024 for the leading bit of a normal half; a carry into the exponent comes out right by itself.
  return sign | ((exponent + 14) * 1024 + steps);
}
