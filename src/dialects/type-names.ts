/** Names of types that the languages share, and how a language tells its own. */
import {
  type AddressSpace,
  type Numeric,
  type ScalarKind,
  type ScalarType,
  shaped,
  type Type,
} from "../types/types.js";
import type { Traits } from "./traits.js";

/** `size_t`: a u64 that `narrow-sizes` brings to 32 bits. `ptrdiff_t` is its signed sister. */
export const sizeType: ScalarType = { kind: "scalar", scalar: "u64", size: true };
export const differenceType: ScalarType = { kind: "scalar", scalar: "i64", size: true };

/** A type, or why there is none: a valid type that is not translated yet (`instead`: what says the same), or one the dialect does not have. */
export type TypeNameResult =
  | { readonly type: Type }
  | { readonly notYet: string; readonly instead?: string }
  | { readonly refused: string }
  | undefined;

/** The types a language declares itself. Those of the source are symbols. */
export interface TypeNames {
  /** `scope`: the names before the last `::`, without the library's; `narrow`: `half` and types of minimum precision have 16 bits. */
  readonly named: (name: string, scope: readonly string[], narrow: boolean) => TypeNameResult;
  /** With arguments in angle brackets. */
  readonly template?: (name: string, args: readonly (Type | number | undefined)[]) => TypeNameResult;
  /** Traits of types, where the library has them. */
  readonly traits?: Traits;
  /** How texts spell a type of numbers. */
  readonly spelled: (type: Numeric) => string;
  /** How sources spell them, where texts that are written have another way. */
  readonly spelledInSources?: (type: Numeric) => string;
  /** The words before what a pointer points to, where there are pointers. */
  readonly spaces?: Readonly<Record<AddressSpace, string>>;
}

/** `float`, `float4`, `float4x3`, with the columns of a matrix first. */
export const cLike =
  (names: Readonly<Record<ScalarKind, string>>) =>
  (type: Numeric): string => {
    const word = names[type.scalar];
    return type.kind === "scalar" ? word : word + (type.kind === "vector" ? type.size : `${type.columns}x${type.rows}`);
  };

export const unscoped =
  (of: (name: string) => TypeNameResult): TypeNames["named"] =>
  (name, scope) =>
    scope.length === 0 ? of(name) : undefined;

/** A number of components or rows in angle brackets. */
export const isCount = (n: unknown, least: number): n is number => typeof n === "number" && n >= least && n <= 4;

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

export const exactWidth: Readonly<Record<string, ScalarKind>> = {
  int8_t: "i8",
  uint8_t: "u8",
  int16_t: "i16",
  uint16_t: "u16",
  int32_t: "i32",
  uint32_t: "u32",
  int64_t: "i64",
  uint64_t: "u64",
};

export const vectorPattern = /^(bool|char|uchar|short|ushort|int|uint|long|ulong|half|float|double)(2|3|4|8|16)$/;
export const cKinds: Readonly<Record<string, ScalarKind>> = {
  ...signedWords,
  bool: "bool",
  half: "f16",
  float: "f32",
  double: "f64",
};

/** Words of an arithmetic type in the order in which `cKinds` has them: they come in any (C99 6.7.2). */
export function inOrder(name: string): string {
  const order = ["signed", "unsigned", "short", "long", "char", "int", "double"];
  return name
    .split(" ")
    .sort((a, b) => order.indexOf(a) - order.indexOf(b))
    .join(" ");
}

/** How C and C++ spell them, in one word. */
export const cScalarNames: Readonly<Record<ScalarKind, string>> = {
  bool: "bool",
  i8: "char",
  u8: "uchar",
  i16: "short",
  u16: "ushort",
  i32: "int",
  u32: "uint",
  i64: "long",
  u64: "ulong",
  f16: "half",
  bf16: "bfloat",
  f32: "float",
  f64: "double",
};

/** And the languages that have words of exact width. */
export const exactScalarNames: Readonly<Record<ScalarKind, string>> = {
  ...cScalarNames,
  i8: "int8_t",
  u8: "uint8_t",
  i16: "int16_t",
  u16: "uint16_t",
  i64: "int64_t",
  u64: "uint64_t",
  f16: "float16_t",
};

export const vectorOf = (kind: ScalarKind, digits: string): TypeNameResult => ({ type: shaped(kind, Number(digits)) });
