/** The dialects' predeclared type names: spelling to type. Structs and typedefs of the source are symbols, not here. */
import type { SourceDialect } from "../dialects/ids.js";
import { assertNever } from "../support/assert-never.js";
import {
  isNumeric,
  matrix,
  named,
  scalar,
  shaped,
  voidType,
  type ScalarKind,
  type ScalarType,
  type Type,
} from "../types/types.js";
import { own } from "../support/own.js";
import { withMinimum } from "./minimum-precision.js";

/** `size_t`: a u64 that `narrow-size` brings to 32 bits. `ptrdiff_t` is its signed sister. */
export const sizeType: ScalarType = { kind: "scalar", scalar: "u64", size: true };
export const differenceType: ScalarType = { kind: "scalar", scalar: "i64", size: true };

/** A type, or why there is none: a valid type that is not translated yet, or one the dialect does not have. */
export type TypeNameResult =
  { readonly type: Type } | { readonly notYet: string } | { readonly refused: string } | undefined;

const signedWords: Readonly<Record<string, ScalarKind>> = {
  char: "i8",
  short: "i16",
  int: "i32",
  long: "i64",
  "signed char": "i8",
  "short int": "i16",
  "signed short": "i16",
  "signed short int": "i16",
  signed: "i32",
  "signed int": "i32",
  "long int": "i64",
  "signed long": "i64",
  "signed long int": "i64",
  "unsigned char": "u8",
  "unsigned short": "u16",
  "unsigned short int": "u16",
  unsigned: "u32",
  "unsigned int": "u32",
  "unsigned long": "u64",
  "unsigned long int": "u64",
  uchar: "u8",
  ushort: "u16",
  uint: "u32",
  ulong: "u64",
};

const exactWidth: Readonly<Record<string, ScalarKind>> = {
  int8_t: "i8",
  uint8_t: "u8",
  int16_t: "i16",
  uint16_t: "u16",
  int32_t: "i32",
  uint32_t: "u32",
  int64_t: "i64",
  uint64_t: "u64",
};

const vectorPattern = /^(bool|char|uchar|short|ushort|int|uint|long|ulong|half|float|double)(2|3|4|8|16)$/;
const cKinds: Readonly<Record<string, ScalarKind>> = {
  ...signedWords,
  bool: "bool",
  half: "f16",
  float: "f32",
  double: "f64",
};

function vectorOf(kind: ScalarKind, digits: string): TypeNameResult {
  const size = Number(digits);
  if (size > 4) return { notYet: "vectors of 8 and 16 components are" };
  return { type: shaped(kind, size) };
}

/** `narrow`: of HLSL that is compiled with types of 16 bits, in which `half` and the types of minimum precision are such. */
export function predeclaredType(dialect: SourceDialect, name: string, narrow = false): TypeNameResult {
  if (name === "void") return { type: voidType };
  switch (dialect) {
    case "msl":
      return mslType(name);
    case "opencl":
      return openclType(name);
    case "glsl":
      return glslType(name);
    case "hlsl":
      return hlslType(name, narrow);
    default:
      return assertNever(dialect);
  }
}

const mslAtomics: Readonly<Record<string, ScalarKind>> = {
  atomic_int: "i32",
  atomic_uint: "u32",
  atomic_bool: "bool",
  atomic_float: "f32",
  atomic_ulong: "u64",
  atomic_long: "i64",
};

function mslType(name: string): TypeNameResult {
  if (name === "double" || /^double[234]$/.test(name)) return { refused: "MSL has no double" };
  if (name === "size_t" || name === "uintptr_t") return { type: sizeType };
  if (name === "ptrdiff_t" || name === "intptr_t") return { type: differenceType };
  const kind = own(cKinds, name) ?? own(exactWidth, name) ?? own(mslAtomics, name);
  if (kind) return { type: scalar(kind) };
  const v = vectorPattern.exec(name);
  // Metal has no vectors of 8 and 16: those are names like any other.
  if (v && Number(v[2]) <= 4) return vectorOf(cKinds[v[1]!]!, v[2]!);
  const p = /^packed_(bool|char|uchar|short|ushort|int|uint|long|ulong|half|float)([234])$/.exec(name);
  if (p) return { type: { ...(shaped(cKinds[p[1]!]!, Number(p[2])) as Type & { kind: "vector" }), packed: true } };
  const m = /^(half|float)([234])x([234])$/.exec(name);
  if (m) return { type: matrix(cKinds[m[1]!]!, Number(m[2]) as 2 | 3 | 4, Number(m[3]) as 2 | 3 | 4) };
  if (
    /^(texture|depth|sampler|simdgroup_|imageblock|bfloat|intersection|acceleration|visible_function|render_|compute_|command_|array)/.test(
      name,
    )
  ) {
    return { notYet: `type '${name}' is` };
  }
  return undefined;
}

function openclType(name: string): TypeNameResult {
  if (name === "size_t" || name === "uintptr_t") return { type: sizeType };
  if (name === "ptrdiff_t" || name === "intptr_t") return { type: differenceType };
  if (name === "_Bool") return { type: scalar("bool") };
  const kind = own(cKinds, name) ?? own(openclAtomics, name);
  if (kind) return { type: scalar(kind) };
  const v = vectorPattern.exec(name);
  if (v && v[1] !== "bool") return vectorOf(cKinds[v[1]!]!, v[2]!);
  if (
    /^(image|sampler_t|event_t|queue_t|ndrange_t|clk_event_t|reserve_id_t|pipe|long long|unsigned long long)/.test(name)
  ) {
    return { notYet: `type '${name}' is` };
  }
  return undefined;
}

const openclAtomics: Readonly<Record<string, ScalarKind>> = {
  atomic_int: "i32",
  atomic_uint: "u32",
  atomic_long: "i64",
  atomic_ulong: "u64",
  atomic_float: "f32",
  atomic_double: "f64",
  atomic_flag: "i32",
};

const glslPrefixes: Readonly<Record<string, ScalarKind>> = {
  "": "f32",
  i: "i32",
  u: "u32",
  b: "bool",
  d: "f64",
  f16: "f16",
  f32: "f32",
  f64: "f64",
  i8: "i8",
  u8: "u8",
  i16: "i16",
  u16: "u16",
  i32: "i32",
  u32: "u32",
  i64: "i64",
  u64: "u64",
};
const glslScalars: Readonly<Record<string, ScalarKind>> = {
  bool: "bool",
  int: "i32",
  uint: "u32",
  float: "f32",
  double: "f64",
  float16_t: "f16",
  float32_t: "f32",
  float64_t: "f64",
  ...exactWidth,
};

function glslType(name: string): TypeNameResult {
  const kind = own(glslScalars, name);
  if (kind) return { type: scalar(kind) };
  const v = /^(|i|u|b|d|f16|f32|f64|[iu](?:8|16|32|64))vec([234])$/.exec(name);
  if (v) return vectorOf(glslPrefixes[v[1]!]!, v[2]!);
  const m = /^(|d|f16|f32|f64)mat([234])(?:x([234]))?$/.exec(name);
  if (m)
    return {
      type: matrix(glslPrefixes[m[1]!]!, Number(m[2]) as 2 | 3 | 4, Number(m[3] ?? m[2]) as 2 | 3 | 4),
    };
  if (/^[iu]?(sampler|image|texture|subpassInput)|^atomic_uint$|^accelerationStructure|^coopmat|^bfloat/.test(name)) {
    return { notYet: `type '${name}' is` };
  }
  return undefined;
}

const hlslScalars: Readonly<Record<string, ScalarKind>> = {
  bool: "bool",
  int: "i32",
  uint: "u32",
  dword: "u32",
  "unsigned int": "u32",
  unsigned: "u32",
  float: "f32",
  half: "f32",
  double: "f64",
  float16_t: "f16",
  float32_t: "f32",
  float64_t: "f64",
  int16_t: "i16",
  uint16_t: "u16",
  int32_t: "i32",
  uint32_t: "u32",
  int64_t: "i64",
  uint64_t: "u64",
  // At least so many bits: without 16-bit types these are 32-bit in memory (minimum-precision.ts).
  min16float: "f32",
  min10float: "f32",
  min16int: "i32",
  min12int: "i32",
  min16uint: "u32",
};

const narrowHlslScalars: typeof hlslScalars = {
  ...hlslScalars,
  half: "f16",
  min16float: "f16",
  min10float: "f16",
  min16int: "i16",
  min12int: "i16",
  min16uint: "u16",
};

function hlslType(name: string, narrow: boolean): TypeNameResult {
  const scalars = narrow ? narrowHlslScalars : hlslScalars;
  const kind = own(scalars, name);
  const atLeast = (word: string, type: Type): TypeNameResult => {
    if (narrow || !isNumeric(type)) return { type };
    const wide = withMinimum(type, word.startsWith("min")) as typeof type;
    return {
      type: word === "half" || word === "min10float" || word === "min12int" ? { ...wide, distinct: word } : wide,
    };
  };
  if (kind) return atLeast(name, scalar(kind));
  const word =
    "(bool|int|uint|dword|float|half|double|min1[06]float|min1[26]int|min16uint|(?:float|u?int)(?:16|32|64)_t)";
  const v = new RegExp(`^${word}([1234])$`).exec(name);
  if (v) return atLeast(v[1]!, shaped(scalars[v[1]!]!, Number(v[2])));
  const m = new RegExp(`^${word}([1234])x([1234])$`).exec(name);
  if (m) {
    const made = hlslMatrix(scalars[m[1]!]!, Number(m[2]), Number(m[3]));
    return made && "type" in made ? atLeast(m[1]!, made.type) : made;
  }
  // `float` has no attributes of its own; `vector` and `matrix` without arguments are those of float4.
  if (name === "vector") return { type: shaped("f32", 4) };
  if (name === "matrix") return { type: matrix("f32", 4, 4) };
  if (
    /^(Texture|RWTexture|Sampler|sampler|(RW)?(StructuredBuffer|ByteAddressBuffer|Buffer)$|ConstantBuffer$|TextureBuffer$|Append|Consume|RasterizerOrdered|u?int8_t4_packed|string|RayQuery|RaytracingAcc|Feedback)/.test(
      name,
    )
  ) {
    return { notYet: `type '${name}' is` };
  }
  return undefined;
}

/** `floatRxC`: R rows, C columns; canonical matrices count columns first. */
function hlslMatrix(kind: ScalarKind, rows: number, columns: number): TypeNameResult {
  if (rows === 1 || columns === 1) return { notYet: "matrices with one row or column are" };
  return { type: matrix(kind, columns as 2 | 3 | 4, rows as 2 | 3 | 4) };
}

/** MSL `vec<T, N>`, `matrix<T, C, R>`, `atomic<T>`; HLSL `vector<T, N>`, `matrix<T, R, C>`. */
export function templatedType(
  dialect: SourceDialect,
  name: string,
  types: readonly (Type | number | undefined)[],
): TypeNameResult {
  const kind = typeof types[0] === "object" && types[0].kind === "scalar" ? types[0].scalar : undefined;
  const counts = types.slice(1);
  const isCount = (n: unknown, low: number): n is number => typeof n === "number" && n >= low && n <= 4;
  if (dialect === "msl") {
    if (name === "atomic" && kind && types.length === 1) return { type: scalar(kind) };
    if (name === "vec" && kind && isCount(counts[0], 2)) return { type: shaped(kind, counts[0]) };
    if (name === "packed_vec" && kind && isCount(counts[0], 2)) {
      return { type: { kind: "vector", scalar: kind, size: counts[0] as 2 | 3 | 4, packed: true } };
    }
    if (name === "matrix" && kind && isCount(counts[0], 2) && isCount(counts[1], 2)) {
      return { type: matrix(kind, counts[0] as 2 | 3 | 4, counts[1] as 2 | 3 | 4) };
    }
    return { notYet: `type '${name}<...>' is` };
  }
  if (dialect === "hlsl") {
    const like = typeof types[0] === "object" && types[0].kind === "scalar" ? types[0] : undefined;
    const namedLike = (type: Type): Type => (like && isNumeric(type) ? named(type, like) : type);
    if (name === "vector" && kind && isCount(counts[0], 1)) return { type: namedLike(shaped(kind, counts[0])) };
    if (name === "matrix" && kind && isCount(counts[0], 1) && isCount(counts[1], 1)) {
      const made = hlslMatrix(kind, counts[0], counts[1]);
      return made && "type" in made ? { type: namedLike(made.type) } : made;
    }
    return { notYet: `type '${name}<...>' is` };
  }
  return undefined;
}
