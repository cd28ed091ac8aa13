/** Types of random kernels, and what the dialects say differently about them. */
import type { TwoWayDialect } from "../../src/index.js";

/** Integers of other sizes. */
export type Sized = "uchar" | "char" | "ushort" | "short" | "ulong" | "long";
export type Scalar = "uint" | "int" | "float" | "bool" | Sized;
export const isSized = (s: Scalar): s is Sized => /^u?(char|short|long)$/.test(s);
export const isWide = (s: Scalar): boolean => s === "ulong" || s === "long";
export const bitsOf = (s: Scalar): number =>
  ({ uint: 32, int: 32, float: 32, bool: 1, uchar: 8, char: 8, ushort: 16, short: 16, ulong: 64, long: 64 })[s];
export type Type =
  | { readonly kind: "scalar"; readonly scalar: Scalar }
  | { readonly kind: "vector"; readonly scalar: Scalar; readonly size: number }
  | { readonly kind: "array"; readonly of: Type; readonly length: number }
  | {
      readonly kind: "struct";
      readonly name: string;
      readonly members: readonly { readonly name: string; readonly type: Type }[];
    };
export interface Name {
  readonly text: string;
  readonly type: Type;
  readonly writable: boolean;
  /** Names of one object. */
  readonly root: string;
  /** It is what a pointer points to. */
  readonly pointee?: boolean;
}
export interface Helper {
  readonly name: string;
  readonly parameters: readonly { readonly mode: "value" | "inout" | "out"; readonly type: Type }[];
  readonly result: Type | undefined;
}

export const uint: Type = { kind: "scalar", scalar: "uint" };
export const int: Type = { kind: "scalar", scalar: "int" };
export const bool: Type = { kind: "scalar", scalar: "bool" };
export const vectorOf = (scalar: Scalar, size: number): Type =>
  size === 1 ? { kind: "scalar", scalar } : { kind: "vector", scalar, size };

export const same = (a: Type, b: Type): boolean => JSON.stringify(a) === JSON.stringify(b);
export const xyzw = ["x", "y", "z", "w"] as const;

/** Order-free: the result does not depend on who comes first. */
export const atomicOps = ["add", "min", "max", "and", "or", "xor"] as const;
export type AtomicOp = (typeof atomicOps)[number];

/** What the dialects say differently. */
export class Words {
  constructor(readonly dialect: TwoWayDialect) {}

  private scalar(s: Scalar): string {
    if (!isSized(s) || this.dialect === "msl" || this.dialect === "opencl") return s;
    return `${s.startsWith("u") ? "u" : ""}int${String(bitsOf(s))}_t`;
  }

  type(t: Type): string {
    switch (t.kind) {
      case "scalar":
        return this.scalar(t.scalar);
      case "vector":
        if (this.dialect !== "glsl") return `${this.scalar(t.scalar)}${String(t.size)}`;
        if (isSized(t.scalar))
          return `${t.scalar.startsWith("u") ? "u" : "i"}${String(bitsOf(t.scalar))}vec${String(t.size)}`;
        return `${{ uint: "u", int: "i", float: "", bool: "b" }[t.scalar]}vec${String(t.size)}`;
      case "array":
        return `${this.type(t.of)}[${String(t.length)}]`;
      case "struct":
        return t.name;
    }
  }
  /** `uint a[4]`. */
  declarator(t: Type, name: string): string {
    return t.kind === "array" ? this.declarator(t.of, `${name}[${String(t.length)}]`) : `${this.type(t)} ${name}`;
  }
  make(t: Type, args: readonly string[]): string {
    // DXC repeats a scalar in a cast only.
    const cast = this.dialect === "opencl" || (this.dialect === "hlsl" && args.length === 1);
    return cast ? `((${this.type(t)})(${args.join(", ")}))` : `${this.type(t)}(${args.join(", ")})`;
  }
  convert(to: Scalar, text: string): string {
    return this.dialect === "opencl" ? `((${to})(${text}))` : `${this.scalar(to)}(${text})`;
  }
  /** The parts of an aggregate, in an initialiser. */
  list(t: Type, parts: readonly string[]): string {
    return this.dialect === "glsl" ? `${this.type(t)}(${parts.join(", ")})` : `{ ${parts.join(", ")} }`;
  }
  parameter(mode: "value" | "inout" | "out", t: Type, name: string): string {
    if (mode === "value") return this.declarator(t, name);
    if (this.dialect === "opencl") return t.kind === "array" ? this.declarator(t, name) : `${this.type(t)} *${name}`;
    if (this.dialect === "msl")
      return `thread ${t.kind === "array" ? this.declarator(t, `(&${name})`) : `${this.type(t)} &${name}`}`;
    return `${mode} ${this.declarator(t, name)}`;
  }
  /** The parameter inside its function. */
  inside(mode: "value" | "inout" | "out", t: Type, name: string): string {
    return this.dialect === "opencl" && mode !== "value" && t.kind !== "array" ? `(*${name})` : name;
  }
  argument(mode: "value" | "inout" | "out", t: Type, text: string): string {
    return this.dialect === "opencl" && mode !== "value" && t.kind !== "array" ? `&${text}` : text;
  }
  /** `a op b` by component, as one truth value. */
  compare(quantifier: "any" | "all", op: "<" | "==" | ">=", a: string, b: string): string {
    if (this.dialect !== "glsl")
      return `${quantifier === "any" ? "any" : "all"}(${a} ${op} ${b})${this.dialect === "opencl" ? " != 0" : ""}`;
    return `${quantifier}(${{ "<": "lessThan", "==": "equal", ">=": "greaterThanEqual" }[op]}(${a}, ${b}))`;
  }
  /** b's components where `x op y`, else a's. */
  choose(a: string, b: string, op: "<" | "==", x: string, y: string): string {
    switch (this.dialect) {
      case "glsl":
        return `mix(${a}, ${b}, ${op === "<" ? "lessThan" : "equal"}(${x}, ${y}))`;
      case "hlsl":
        return `select(${x} ${op} ${y}, ${b}, ${a})`;
      case "msl":
        return `select(${a}, ${b}, ${x} ${op} ${y})`;
      case "opencl":
        return `select(${a}, ${b}, ${x} ${op} ${y})`;
    }
  }
  /** Places of memory that lanes change together; the counters of a workgroup read and written again where all wait. */
  atomic(op: AtomicOp, memory: "acc" | "cnt", index: string, value: string): string {
    const at = `${memory}[${index}]`;
    const name = { add: "Add", min: "Min", max: "Max", and: "And", or: "Or", xor: "Xor" }[op];
    switch (this.dialect) {
      case "glsl":
        return `atomic${name}(${at}, ${value});`;
      case "hlsl":
        return `Interlocked${name}(${at}, ${value});`;
      case "msl":
        return `atomic_fetch_${op}_explicit(&${at}, ${value}, memory_order_relaxed);`;
      case "opencl":
        return `atomic_${op}(&${at}, ${value});`;
    }
  }
  setCounter(index: string, value: string): string {
    return this.dialect === "msl"
      ? `atomic_store_explicit(&cnt[${index}], ${value}, memory_order_relaxed);`
      : `cnt[${index}] = ${value};`;
  }
  counter(index: string): string {
    return this.dialect === "msl" ? `atomic_load_explicit(&cnt[${index}], memory_order_relaxed)` : `cnt[${index}]`;
  }
  /** Of MSL and OpenCL C. */
  pointer(t: Type, name: string): string {
    return `${this.dialect === "msl" ? "thread " : ""}${this.type(t)} *${name}`;
  }
  sharedPointer(name: string): string {
    return `${this.dialect === "msl" ? "threadgroup" : "__local"} uint *${name}`;
  }
  popcount(text: string): string {
    return {
      glsl: `uint(bitCount(${text}))`,
      hlsl: `countbits(${text})`,
      msl: `popcount(${text})`,
      opencl: `popcount(${text})`,
    }[this.dialect];
  }
  bits(text: string): string {
    return {
      glsl: `floatBitsToUint(${text})`,
      hlsl: `asuint(${text})`,
      msl: `as_type<uint>(${text})`,
      opencl: `as_uint(${text})`,
    }[this.dialect];
  }
  barrier(): string {
    return {
      glsl: "memoryBarrierShared(); barrier();",
      hlsl: "GroupMemoryBarrierWithGroupSync();",
      msl: "threadgroup_barrier(mem_flags::mem_threadgroup);",
      opencl: "barrier(CLK_LOCAL_MEM_FENCE);",
    }[this.dialect];
  }
  wave(op: "add" | "min" | "max" | "and" | "or" | "xor" | "first" | "before", x: string): string {
    const [glsl, hlsl, msl, opencl] = {
      add: ["subgroupAdd", "WaveActiveSum", "simd_sum", "sub_group_non_uniform_reduce_add"],
      min: ["subgroupMin", "WaveActiveMin", "simd_min", "sub_group_non_uniform_reduce_min"],
      max: ["subgroupMax", "WaveActiveMax", "simd_max", "sub_group_non_uniform_reduce_max"],
      and: ["subgroupAnd", "WaveActiveBitAnd", "simd_and", "sub_group_non_uniform_reduce_and"],
      or: ["subgroupOr", "WaveActiveBitOr", "simd_or", "sub_group_non_uniform_reduce_or"],
      xor: ["subgroupXor", "WaveActiveBitXor", "simd_xor", "sub_group_non_uniform_reduce_xor"],
      first: ["subgroupBroadcastFirst", "WaveReadLaneFirst", "simd_broadcast_first", "sub_group_broadcast_first"],
      before: [
        "subgroupExclusiveAdd",
        "WavePrefixSum",
        "simd_prefix_exclusive_sum",
        "sub_group_non_uniform_scan_exclusive_add",
      ],
    }[op] as [string, string, string, string];
    return `${{ glsl, hlsl, msl, opencl }[this.dialect]}(${x})`;
  }
  waveTruth(op: "any" | "all", x: string): string {
    return {
      glsl: `subgroup${op === "any" ? "Any" : "All"}(${x})`,
      hlsl: `WaveActive${op === "any" ? "AnyTrue" : "AllTrue"}(${x})`,
      msl: `simd_${op}(${x})`,
      opencl: `(sub_group_non_uniform_${op}(${x}) != 0)`,
    }[this.dialect];
  }
  ballot(x: string): string {
    return {
      glsl: `subgroupBallot(${x}).x`,
      hlsl: `WaveActiveBallot(${x}).x`,
      msl: `uint(ulong(simd_ballot(${x})))`,
      opencl: `sub_group_ballot(${x}).x`,
    }[this.dialect];
  }
  elect(): string {
    return {
      glsl: "subgroupElect()",
      hlsl: "WaveIsFirstLane()",
      msl: "simd_is_first()",
      opencl: "(sub_group_elect() != 0)",
    }[this.dialect];
  }
  shuffle(x: string, lane: string): string {
    return {
      glsl: `subgroupShuffle(${x}, ${lane})`,
      hlsl: `WaveReadLaneAt(${x}, ${lane})`,
      msl: `simd_shuffle(${x}, ushort(${lane}))`,
      opencl: `sub_group_shuffle(${x}, ${lane})`,
    }[this.dialect];
  }
}
