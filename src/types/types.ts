/**
 * The GPU types all dialects share. Structural, except structs, which are named and defined once in `Module.structs`.
 * Atomic types of MSL are plain scalars here; whether a resource is accessed atomically is a fact of its uses.
 */

export const scalarKinds = [
  "bool",
  "i8",
  "u8",
  "i16",
  "u16",
  "i32",
  "u32",
  "i64",
  "u64",
  "f16",
  "bf16",
  "f32",
  "f64",
] as const;
export type ScalarKind = (typeof scalarKinds)[number];
/** `bf16`: 8 bits of exponent and 7 of significand, the upper half of an f32 (MSL 3.1 section 2.1, `bfloat`). */
export type FloatKind = "f16" | "bf16" | "f32" | "f64";

/** global: device memory shared by the grid; workgroup: shared by a workgroup; private: one lane's; constant: read-only. */
export type AddressSpace = "global" | "workgroup" | "private" | "constant";

export type Access = "read" | "write" | "readwrite";

export interface VoidType {
  readonly kind: "void";
}
/**
 * Types that the tree has no kind of its own for, and that a source tells from all others where a function is chosen:
 * HLSL's `half` where it has 32 bits, `min10float`, `min12int`, the types of minimum precision where those have 16 bits,
 * events of asynchronous copies, atomic objects (OpenCL C), and enumerations, of which none is left in a canonical module. Like `minimum` no part of the type.
 */
export type DistinctType = "half" | "event" | "atomic" | "counter" | MinimumName | EnumerationOf;
/** HLSL's types of at least so many bits. */
export type MinimumName = "min16float" | "min10float" | "min16int" | "min12int" | "min16uint";
/** `scoped`: an `enum class`, which becomes nothing else without a cast. `fixed`: it says what its values are kept in. */
export interface EnumerationOf {
  readonly enumeration: number;
  readonly scoped: boolean;
  readonly fixed: boolean;
}
/**
 * `minimum`: a type of HLSL with at least 16 bits (`min16int`), read with 32. Like `size` no part of the type: `sameType` does
 * not look at it. `sema` sets it, to know what computes in such a type (src/sema/minimum-precision.ts).
 */
export interface ScalarType {
  readonly kind: "scalar";
  readonly scalar: ScalarKind;
  /** A 64-bit integer that is `size_t` in the source; `sema` narrows these, none is left in a canonical module. */
  readonly size?: true;
  /** HLSL's vector of one component: a number, to which functions of the library cut vectors beside it. `sema` reads it, none is left in a canonical module. */
  readonly single?: true;
  readonly minimum?: true;
  readonly distinct?: DistinctType;
}
/** `packed` vectors (MSL `packed_float3`) have the alignment of their scalar and no padding; else layouts are the source's. */
export interface VectorType {
  readonly kind: "vector";
  readonly scalar: ScalarKind;
  readonly size: 2 | 3 | 4 | 8 | 16;
  readonly packed?: boolean;
  /** A vector of three in memory that begins at any of its components and has the room of four: to the source these three are all. */
  readonly first?: 3;
  readonly minimum?: true;
  readonly distinct?: DistinctType;
}
/**
 * Column-major in meaning: `columns` vectors of `rows` components, `m[c]` is a column. HLSL's `floatRxC` maps here too. Those of one
 * column or row are `sema`'s alone (src/sema/thin-matrices.ts), none is left in a canonical module.
 */
export interface MatrixType {
  readonly kind: "matrix";
  readonly scalar: ScalarKind;
  readonly columns: MatrixSide;
  readonly rows: MatrixSide;
  readonly minimum?: true;
  readonly distinct?: DistinctType;
}
export type MatrixSide = 1 | 2 | 3 | 4;
/** `length` undefined: runtime-sized, only as a buffer's type or the last member of a buffer's struct. */
export interface ArrayType {
  readonly kind: "array";
  readonly element: Type;
  readonly length: number | undefined;
  /** The length as the source writes it, where it names constants; printers may write it so. No part of the type. */
  readonly written?: readonly LengthPart[];
}
/** Text, or a named constant: a file-scope variable, a constant macro, an enumerator. */
export type LengthPart =
  | string
  | { readonly variable: number }
  | { readonly macro: string }
  | { readonly enum: number; readonly enumerator: string };
export interface StructType {
  readonly kind: "struct";
  /** Key into `Module.structs`. */
  readonly name: string;
  /** Its members share their bytes, as its declaration says. */
  readonly union?: true;
}
export interface PointerType {
  readonly kind: "pointer";
  readonly pointee: Type;
  readonly space: AddressSpace;
  /** True for a pointer to const. */
  readonly readOnly?: boolean;
  /** A buffer as a value (HLSL): the name of its type. It points to the whole buffer. */
  readonly object?: string;
  /** A reference to a block (GLSL): the name of its type. `whole`: the block ends where the buffer ends, so that there is but one. */
  readonly block?: { readonly name: string; readonly whole: boolean };
  /** Of a member that the source declares as a reference: it is given an object, and stands for that. */
  readonly reference?: true;
  /** Of one that names no address space: the declaration that `src/sema/generic-pointers.ts` finds one for; empty where it has that of what it began as. */
  readonly open?: string;
}

export type Type = VoidType | ScalarType | VectorType | MatrixType | ArrayType | StructType | PointerType;

export const voidType: VoidType = { kind: "void" };
export const scalar = (kind: ScalarKind): ScalarType => ({ kind: "scalar", scalar: kind });
export const bool = scalar("bool");
export const i32 = scalar("i32");
export const u32 = scalar("u32");
export const f16 = scalar("f16");
export const f32 = scalar("f32");
export const u64 = scalar("u64");
/** Equal for types that C++ calls the same: `size_t` is another name of one, pointers to const are others. */
export const identityOf = (type: Type): string =>
  JSON.stringify(type, (name, value: unknown) =>
    name === "written" || name === "open" || (name === "size" && value === true) ? undefined : value,
  );

export const vector = (kind: ScalarKind, size: VectorType["size"], packed = false): VectorType =>
  packed ? { kind: "vector", scalar: kind, size, packed } : { kind: "vector", scalar: kind, size };
/** What the source calls a type: a vector of three, where it lies in the room of four. */
export const withoutRoom = (type: Type): Type =>
  type.kind === "vector" && type.first ? vector(type.scalar, type.first) : type;
export const matrix = (kind: ScalarKind, columns: MatrixSide, rows: MatrixSide): MatrixType => ({
  kind: "matrix",
  scalar: kind,
  columns,
  rows,
});
export const array = (element: Type, length: number | undefined, written?: readonly LengthPart[]): ArrayType => ({
  kind: "array",
  element,
  length,
  ...(written ? { written } : {}),
});
export const struct = (name: string): StructType => ({ kind: "struct", name });
/** An array, of any dimensions, whose elements are pointers. */
export const isArrayOfPointers = (type: Type): boolean =>
  type.kind === "array" && (type.element.kind === "pointer" || isArrayOfPointers(type.element));

export const pointer = (pointee: Type, space: AddressSpace, readOnly = false): PointerType =>
  readOnly ? { kind: "pointer", pointee, space, readOnly } : { kind: "pointer", pointee, space };

/** The type with `f` of what its arrays hold and its pointers point to; a struct counts as one. */
export function withLeaves(type: Type, f: (leaf: Type) => Type): Type {
  switch (type.kind) {
    case "array": {
      const element = withLeaves(type.element, f);
      return element === type.element ? type : { ...type, element };
    }
    case "pointer": {
      const pointee = withLeaves(type.pointee, f);
      return pointee === type.pointee ? type : { ...type, pointee };
    }
    default:
      return f(type);
  }
}

/** Numbers of components a value may have. */
export const isVectorSize = (n: number): boolean => [1, 2, 3, 4, 8, 16].includes(n);

/** A scalar for size 1, else a vector. */
export const shaped = (kind: ScalarKind, size: number): ScalarType | VectorType =>
  size === 1 ? scalar(kind) : vector(kind, size as VectorType["size"]);

export const isSingle = (type: Type): boolean => type.kind === "scalar" && type.single === true;

/** Such a vector, of a scalar; what has more components stays. */
export const asSingle = <T extends Type>(type: T): T =>
  type.kind === "scalar" && !type.single ? { ...type, single: true } : type;

/** Its component. */
export function withoutSingle<T extends Type>(type: T): T {
  if (type.kind !== "scalar" || !type.single) return type;
  const { single: _single, ...component } = type;
  return component as T;
}

/** Of the same kind as the components of `type`, which may have a kind of at least 16 bits. */
export function shapedLike(type: ScalarType | VectorType | MatrixType, size: number): ScalarType | VectorType {
  return named(shaped(type.scalar, size), type);
}

export type Numeric = ScalarType | VectorType | MatrixType;

/** `type` with what `like` says of its name beyond the kind: at least 16 bits, or distinct from others of the kind. */
export function named<T extends Numeric>(type: T, like: Numeric): T {
  if (type.minimum === like.minimum && isSameDistinct(type.distinct, like.distinct)) return type;
  const { minimum: _minimum, distinct: _distinct, ...plain } = type;
  return {
    ...plain,
    ...(like.minimum ? { minimum: like.minimum } : {}),
    ...(like.distinct ? { distinct: like.distinct } : {}),
  } as T;
}

export const isSameDistinct = (a: DistinctType | undefined, b: DistinctType | undefined): boolean =>
  a === b || (typeof a === "object" && typeof b === "object" && a.enumeration === b.enumeration);

/** Whether two types of one kind and shape go by one name. */
export function isSameName(a: Type, b: Type): boolean {
  if (a.kind === "pointer" && b.kind === "pointer") return isSameName(a.pointee, b.pointee);
  if (a.kind === "array" && b.kind === "array") return isSameName(a.element, b.element);
  return !isNumeric(a) || !isNumeric(b) || (a.minimum === b.minimum && isSameDistinct(a.distinct, b.distinct));
}

export const isNumeric = (type: Type): type is Numeric =>
  type.kind === "scalar" || type.kind === "vector" || type.kind === "matrix";

export const distinctOf = (type: Type): DistinctType | undefined => (isNumeric(type) ? type.distinct : undefined);

/** Asynchronous copies are waited for by these (OpenCL C 3.0 6.15.11): a number to whoever runs the kernel, 0 is no event. */
export const eventType: ScalarType = { kind: "scalar", scalar: "u32", distinct: "event" };
export const isEvent = (type: Type): boolean => distinctOf(type) === "event";

/** An atomic counter of OpenGL (GLSL 4.60 4.1.7.3), which only functions of the library reach. */
export const counterType: ScalarType = { kind: "scalar", scalar: "u32", distinct: "counter" };
export const isCounter = (type: Type): boolean => distinctOf(type) === "counter";
/** One, or an array of them. */
export const isOfCounters = (type: Type): boolean =>
  type.kind === "array" ? isOfCounters(type.element) : isCounter(type);

/** What tells types from others that have as many bits as their kind. */
const otherNames: ReadonlySet<DistinctType> = new Set(["half", "event", "counter"]);

/** Whether a source tells the type from others by its least number of bits, however many it has. */
export const isAtLeast = (type: Type): boolean =>
  isNumeric(type) && (type.minimum === true || (typeof type.distinct === "string" && !otherNames.has(type.distinct)));

/** The enumeration a value is of, in languages whose enumerations are types of their own. */
export function enumerationOf(type: Type): EnumerationOf | undefined {
  const distinct = distinctOf(type);
  return typeof distinct === "object" ? distinct : undefined;
}

/** Structural equality; structs by name, packed vectors differ from plain ones, pointer constness does not count. */
export function sameType(a: Type, b: Type): boolean {
  if (a === b) return true;
  switch (a.kind) {
    case "void":
      return b.kind === "void";
    case "scalar":
      return b.kind === "scalar" && a.scalar === b.scalar;
    case "vector":
      return (
        b.kind === "vector" &&
        a.scalar === b.scalar &&
        a.size === b.size &&
        !!a.packed === !!b.packed &&
        a.first === b.first
      );
    case "matrix":
      return b.kind === "matrix" && a.scalar === b.scalar && a.columns === b.columns && a.rows === b.rows;
    case "array":
      return b.kind === "array" && a.length === b.length && sameType(a.element, b.element);
    case "struct":
      return b.kind === "struct" && a.name === b.name;
    case "pointer":
      return b.kind === "pointer" && a.space === b.space && a.object === b.object && sameType(a.pointee, b.pointee);
  }
}

export const isInteger = (kind: ScalarKind): boolean => kind[0] === "i" || kind[0] === "u";
export const isSigned = (kind: ScalarKind): boolean => kind[0] === "i" || isFloat(kind);
export const isFloat = (kind: ScalarKind): kind is FloatKind => kind[0] === "f" || kind === "bf16";

/** Width of a scalar in bits; bool counts 1. */
export function bitWidth(kind: ScalarKind): number {
  return kind === "bool" ? 1 : kind === "bf16" ? 16 : Number(kind.slice(1));
}

/** Whether a float kind has all values of another and more: neither 16-bit kind has those of the other. */
export const isWiderFloat = (wide: FloatKind, narrow: FloatKind): boolean => bitWidth(wide) > bitWidth(narrow);

/** The scalar kind of a scalar, vector or matrix; undefined for the rest. */
export function scalarOf(type: Type): ScalarKind | undefined {
  return type.kind === "scalar" || type.kind === "vector" || type.kind === "matrix" ? type.scalar : undefined;
}

/** Components of a scalar (1) or vector; undefined for the rest. */
export function componentCount(type: Type): number | undefined {
  return type.kind === "scalar" ? 1 : type.kind === "vector" ? type.size : undefined;
}

/** Components of a scalar or vector; anything else is a mistake of the caller's. */
export function componentsOf(type: Type): number {
  const count = componentCount(type);
  if (count === undefined) throw new Error(`${showType(type)} has no components`);
  return count;
}

/** A neutral spelling for messages and dumps: `u32`, `f32x4`, `f32m3x3`, `u32[4]`, `struct P`, `global f32*`. */
export function showType(type: Type): string {
  switch (type.kind) {
    case "void":
      return "void";
    case "scalar":
      return type.scalar;
    case "vector":
      return `${type.packed ? "packed " : ""}${type.scalar}x${type.size}`;
    case "matrix":
      return `${type.scalar}m${type.columns}x${type.rows}`;
    case "array":
      return `${showType(type.element)}[${type.length ?? ""}]`;
    case "struct":
      return `struct ${type.name}`;
    case "pointer":
      return `${type.space} ${type.readOnly ? "const " : ""}${showType(type.pointee)}*`;
  }
}

/** The type of a number that has none yet, in words. */
export function showOpen(type: Type): string {
  const kind = isFloat(scalarOf(type)!) ? "float" : "integer";
  const size = componentCount(type) ?? 1;
  return size > 1 ? `a vector of ${size} ${kind} literals` : `${kind === "float" ? "a float" : "an integer"} literal`;
}
