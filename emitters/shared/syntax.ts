/** What a C-like target has to say for itself; the shared printer does the rest. */
import type { Contraction } from "../../src/ast/contraction.js";
import type { BinaryOperator, Expr, Literal, Unary } from "./tree.js";
import type { TargetDialect } from "../../src/dialects/ids.js";
import type { AddressSpace, MatrixType, ScalarType, StructType, Type, VectorType } from "../../src/types/types.js";

/** Values of an int. */
export interface OpenRange {
  readonly low: bigint;
  readonly high: bigint;
}

/** Printed text of an expression with what the target's compiler makes of it. */
export interface Text {
  readonly text: string;
  /** Of `src/ast/operators.ts`. */
  readonly precedence: number;
  /** The type the target gives it. */
  readonly type: Type;
  /** A bare number, which targets convert more freely. */
  readonly literal?: boolean;
  /** HLSL: a number without a type or what is computed from such, which the compiler works out in 64 bits; what it can be. */
  readonly open?: OpenRange;
  /** Whether the source has parentheses around it, as of the nodes. */
  readonly grouped?: boolean;
  /** OpenCL C: the result of a vector comparison, 0 or -1 per component. */
  readonly mask?: boolean;
  /**
   * OpenCL C: a `size_t` that stands for a 32-bit value. fits: the value is the same; wide: only modulo 2^32, so that it
   * must be cut before it is compared, divided, shifted right or used as an index.
   */
  readonly size?: "fits" | "wide";
}

/**
 * Where a value goes, which decides what converts by itself. `exact`: nothing does. `offset`: a number of elements that a pointer is moved by,
 * in the width of pointers.
 */
export type Context =
  "initializer" | "assignment" | "argument" | "return" | "construct" | "condition" | "index" | "offset" | "exact";

export interface ConversionRules {
  /** Whether the target converts by itself, to the same value, in this place. */
  implicit(from: Type, to: Type, context: Context, literal: boolean): boolean;
  /** Common operand type and result of an operator; undefined where the target has none. */
  arithmetic(
    operator: BinaryOperator,
    left: Text,
    right: Text,
  ): { readonly operand: Type; readonly result: Type } | undefined;
  /** The type of `-x`, `~x`, `+x`. */
  unary(operator: Unary["operator"], operand: Type): Type;
}

export interface Syntax {
  /** False: the length of an array is a constant of 32 bits (glslang refuses an `int16_t`). */
  readonly narrowLengths?: boolean;
  readonly dialect: TargetDialect;
  /** A pointer to nothing; targets without pointers have none left. */
  readonly nullPointer: string;
  readonly rules: ConversionRules;
  typeName(type: ScalarType | VectorType | MatrixType): string;
  structName(name: string, type: StructType): string;
  /** The words before the type of a variable or pointee in an address space, `device`, `__local`; empty where there is none. */
  spaceWord(space: AddressSpace): string;
  literal(literal: Literal): Text;
  /** The type of objects that are used atomically, where it is one of its own. */
  atomicType?(type: Type): string | undefined;
  cast(value: Text, to: Type, typeText: string): Text;
  /** `value` is the text of `operand`. */
  bitcast(value: Text, to: Type, typeText: string, operand: Expr): Text;
  /** A vector or matrix from its arguments. */
  construct(type: VectorType | MatrixType, typeText: string, args: readonly Text[]): Text;
  splat(type: VectorType, typeText: string, value: Text): Text;
  /** A struct or array value outside an initialiser; undefined where the target has no such expression. */
  aggregate(type: Type, typeText: string, args: readonly Text[]): Text | undefined;
  /** What initialises all of an array or struct with zeros, where there is a short form. */
  zeros?(type: Type, typeText: string): string | undefined;
  /** Structs and their members take GNU's `packed` and `aligned`, and lie as those say. */
  readonly placesMembers?: true;
  /** Whether `{a, b}` initialises arrays and structs. */
  readonly braceInitializers: boolean;
  /** A list converts nothing whose value could change, unless it is a constant (C++14 8.5.4). */
  readonly listsKeepValues?: true;
  /** Some functions give a `size_t` for a 32-bit value: see `Text.size`. */
  readonly sizes?: true;
  /** A function instead of an operator, e.g. `lessThan` in GLSL. */
  operatorCall(
    operator: BinaryOperator,
    left: Type,
    right: Type,
  ): { readonly name: string; readonly swapped?: boolean } | undefined;
  /** `not(v)` in GLSL for bool vectors. */
  unaryCall(operator: Unary["operator"], operand: Type): string | undefined;
  /** Whether `target op= right` exists for these types (GLSL has no vector comparison forms, no bool arithmetic). */
  compoundAssign(operator: BinaryOperator, target: Type, right: Type): boolean;
  /** Gives a place or value the type the target stores it in, where that differs from the canonical one. */
  readonly represent?: (text: Text) => Text;
  /** A bool as a component of a bool vector, where those are stored as something else. */
  readonly toComponent?: (text: Text) => Text;
  /** Whether text of this type already stands for the canonical type. */
  readonly represents?: (text: Text, type: Type) => boolean;
  /** Component names of a vector of this size. */
  components(indices: readonly number[], size: number): string;
  /** The line that says whether operations from there to the end of the file or of the compound statement may be contracted. */
  contraction?(state: Contraction): string;
  /** Before a variable whose operations must not be contracted, and after the star of a pointer that aliases no other. */
  readonly preciseWord?: string;
  readonly restrictWord?: string;
  /** Whether references exist; else `ref` parameters are pointers. */
  readonly references: boolean;
  /** `[[unroll]]` and the like, a line before the loop; empty where the target has none. */
  unroll(hint: boolean | number): string | undefined;
  infinity(type: ScalarType, sign: 1 | -1): Text;
  nan(type: ScalarType): Text;
}
