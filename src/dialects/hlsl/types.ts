/** Types of HLSL: the reference, and DXC. */
import { own } from "../../support/own.js";
import {
  asSingle,
  bitWidth,
  isNumeric,
  isSingle,
  type MinimumName,
  matrix,
  type MatrixSide,
  named,
  type Numeric,
  scalar,
  type ScalarKind,
  type ScalarType,
  shaped,
  type Type,
  type VectorType,
} from "../../types/types.js";
import { exactScalarNames, isCount, type TypeNameResult, type TypeNames, cLike } from "../type-names.js";

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
  uint8_t4_packed: "u32",
  int8_t4_packed: "u32",
  // At least so many bits: without 16-bit types these are 32-bit in memory (sema/minimum-precision.ts).
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

const isMinimumName = (word: string): word is MinimumName => word.startsWith("min");

/** A type with a number of components is a vector, also of one. */
const counted = (type: ScalarType | VectorType): ScalarType | VectorType => asSingle(type);

function hlslType(name: string, narrow: boolean): TypeNameResult {
  const scalars = narrow ? narrowHlslScalars : hlslScalars;
  const kind = own(scalars, name);
  const atLeast = (word: string, type: Type): TypeNameResult => {
    if (!isNumeric(type)) return { type };
    if (narrow) return { type: isMinimumName(word) ? { ...type, distinct: word } : type };
    const wide: typeof type = isMinimumName(word) ? { ...type, minimum: true } : type;
    return {
      type: word === "half" || word === "min10float" || word === "min12int" ? { ...wide, distinct: word } : wide,
    };
  };
  if (kind) return atLeast(name, scalar(kind));
  const word =
    "(bool|int|uint|dword|float|half|double|min1[06]float|min1[26]int|min16uint|(?:float|u?int)(?:16|32|64)_t)";
  const v = new RegExp(`^${word}([1234])$`).exec(name);
  if (v) return atLeast(v[1]!, counted(shaped(scalars[v[1]!]!, Number(v[2]))));
  const m = new RegExp(`^${word}([1234])x([1234])$`).exec(name);
  if (m) {
    const made = hlslMatrix(scalars[m[1]!]!, Number(m[2]), Number(m[3]));
    return made && "type" in made ? atLeast(m[1]!, made.type) : made;
  }
  // `float` has no attributes of its own; `vector` and `matrix` without arguments are those of float4.
  if (name === "vector") return { type: shaped("f32", 4) };
  if (name === "matrix") return { type: matrix("f32", 4, 4) };
  if (/^(Texture|RWTexture|Sampler|sampler|RasterizerOrdered|string|RayQuery|RaytracingAcc|Feedback)/.test(name)) {
    return { notYet: `type '${name}' is` };
  }
  return undefined;
}

/** `floatRxC`: R rows, C columns; canonical matrices count columns first. */
function hlslMatrix(kind: ScalarKind, rows: number, columns: number): TypeNameResult {
  return { type: matrix(kind, columns as MatrixSide, rows as MatrixSide) };
}

/** `vector<T, N>`, `matrix<T, R, C>`. */
function hlslTemplate(name: string, [of, ...counts]: readonly (Type | number | undefined)[]): TypeNameResult {
  const like = typeof of === "object" && of.kind === "scalar" ? of : undefined;
  const namedLike = (type: Type): Type => (like && isNumeric(type) ? named(type, like) : type);
  if (name === "vector" && like && isCount(counts[0], 1))
    return { type: namedLike(counted(shaped(like.scalar, counts[0]))) };
  if (name === "matrix" && like && isCount(counts[0], 1) && isCount(counts[1], 1)) {
    const made = hlslMatrix(like.scalar, counts[0], counts[1]);
    return made && "type" in made ? { type: namedLike(made.type) } : made;
  }
  return { notYet: `type '${name}<...>' is` };
}

/** How texts spell them. */
export const scalarNames = exactScalarNames;
const minimumNames: Partial<typeof scalarNames> = { i32: "min16int", u32: "min16uint", f32: "min16float" };

/** The source's own word for a type of 32 bits, or of at least 16; of exactly 16 the one that has so many in every text. */
function scalarWord({ scalar: kind, minimum, distinct }: Numeric): string {
  const word = typeof distinct === "string" && (distinct === "half" || isMinimumName(distinct));
  if (word && bitWidth(kind) === 32) return distinct;
  return (minimum && minimumNames[kind]) ?? scalarNames[kind];
}

const spelled = (type: Numeric): string => cLike({ ...scalarNames, [type.scalar]: scalarWord(type) })(type);

export const types: TypeNames = {
  // Rows of an HLSL matrix hold the canonical columns: m[c] and constructors read the same, products swap operands.
  spelled,
  spelledInSources: (type) =>
    type.kind === "matrix"
      ? spelled({ ...type, columns: type.rows, rows: type.columns })
      : `${spelled(type)}${isSingle(type) ? 1 : ""}`,
  named: (name, scope, narrow) => (scope.length === 0 ? hlslType(name, narrow) : undefined),
  template: hlslTemplate,
};
