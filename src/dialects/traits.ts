/**
 * What a library says of types at compile time: the traits of C++14 20.10 (`is_same<T, U>::value`, `enable_if_t<c, T>`) and
 * the limits of 18.3 (`numeric_limits<T>::max()`), which MSL's metal_type_traits and metal_limits follow.
 */
import { own } from "../support/own.js";
import { bf16FromBits, f16FromBits } from "../types/numeric.js";
import {
  bitWidth,
  enumerationOf,
  identityOf,
  isFloat,
  isInteger,
  scalar,
  type AddressSpace,
  type FloatKind,
  type ScalarKind,
  type Type,
} from "../types/types.js";

export interface Constant {
  readonly kind: ScalarKind;
  readonly value: number | bigint | boolean;
}

/** What a trait is given: types with their const, and numbers. */
export type TraitArgument =
  | { readonly type: Type; readonly constant?: boolean; readonly reference?: ReferenceArgument }
  | { readonly value: number | bigint | boolean };

/** An argument that is a reference to the type. */
interface ReferenceArgument {
  readonly space?: AddressSpace;
  readonly rvalue?: true;
}

/** `::type` and `::value`; "none" where the trait has no such member for these arguments, as `enable_if` of what is false. */
export type TraitAnswer =
  | { readonly type: Type; readonly constant?: boolean; readonly reference?: ReferenceArgument }
  | Constant
  | { readonly none: true }
  | undefined;

/**
 * metal_limits: `numeric_limits<T>` has the members of a template that sources specialise for types of their own. The specification names neither
 * this template nor that it may be done; Apple's header has it, and kernels do it.
 */
export const limitsTemplate = { named: "numeric_limits", specialized: "_numeric_limits_impl" } as const;

export interface Traits {
  readonly trait: (name: string, args: readonly TraitArgument[], converts: Converts) => TraitAnswer;
  readonly names: ReadonlySet<string>;
  /** Members of `numeric_limits<T>`; those that are functions are called. */
  readonly limits: (kind: ScalarKind, member: string) => (Constant & { readonly called: boolean }) | undefined;
}

type OfType = (type: Type, constant: boolean) => boolean;

/** An enumeration is no arithmetic type (C++14 3.9.1). */
const kindOf = (type: Type): ScalarKind | undefined =>
  type.kind === "scalar" && !enumerationOf(type) ? type.scalar : undefined;
const ofKind =
  (holds: (kind: ScalarKind) => boolean): OfType =>
  (type) => {
    const kind = kindOf(type);
    return kind !== undefined && holds(kind);
  };
const isSigned = (kind: ScalarKind): boolean => isFloat(kind) || kind.startsWith("i");

const predicates: Readonly<Record<string, OfType>> = {
  is_void: (t) => t.kind === "void",
  is_integral: ofKind((k) => isInteger(k) || k === "bool"),
  is_floating_point: ofKind(isFloat),
  is_arithmetic: ofKind(() => true),
  is_fundamental: (t) => kindOf(t) !== undefined || t.kind === "void",
  is_enum: (t) => enumerationOf(t) !== undefined,
  is_scalar: (t) => t.kind === "scalar" || t.kind === "pointer",
  is_signed: ofKind(isSigned),
  is_unsigned: ofKind((k) => k === "bool" || k.startsWith("u")),
  is_array: (t) => t.kind === "array",
  is_pointer: (t) => t.kind === "pointer",
  is_class: (t) => t.kind === "struct",
  is_const: (_, constant) => constant,
  is_vector: (t) => t.kind === "vector",
  is_matrix: (t) => t.kind === "matrix",
  // Of Apple's headers.
  __is_valid_simdgroup_type: (t) => movesBetweenLanes(t),
};

/** What a lane of a SIMD-group can give to another; 64 bits and bfloats are not among them (metal_simdgroup). */
const movesBetweenLanes = (t: Type): boolean => {
  const kind = t.kind === "scalar" || t.kind === "vector" ? t.scalar : undefined;
  return kind !== undefined && kind !== "bool" && kind !== "bf16" && bitWidth(kind) < 64 && !enumerationOf(t);
};

const otherSign = (kind: ScalarKind, letter: "i" | "u"): ScalarKind => (letter + kind.slice(1)) as ScalarKind;

/** A type of a type, or nothing where it has none. */
const changes: Readonly<Record<string, (type: Type, constant: boolean) => TraitAnswer>> = {
  remove_const: (type) => ({ type }),
  remove_cv: (type) => ({ type }),
  // Types of values lie nowhere.
  remove_addrspace: (type, constant) => ({ type, constant }),
  remove_volatile: (type, constant) => ({ type, constant }),
  remove_reference: (type, constant) => ({ type, constant }),
  add_const: (type) => ({ type, constant: true }),
  decay: (type) => (type.kind === "array" ? undefined : { type }),
  remove_pointer: (type, constant) =>
    type.kind === "pointer" ? { type: type.pointee, constant: type.readOnly === true } : { type, constant },
  remove_extent: (type, constant) => ({ type: type.kind === "array" ? type.element : type, constant }),
  // Of one that does not say what its values are kept in, compilers choose (C++14 7.2).
  underlying_type: (type) =>
    enumerationOf(type)?.fixed && type.kind === "scalar" ? { type: scalar(type.scalar) } : undefined,
  make_signed: (type) => signChanged(type, "i"),
  make_unsigned: (type) => signChanged(type, "u"),
  make_scalar: (type) =>
    type.kind === "vector" ? { type: scalar(type.scalar) } : type.kind === "scalar" ? { type } : undefined,
};

function signChanged(type: Type, letter: "i" | "u"): TraitAnswer {
  if ((type.kind !== "scalar" && type.kind !== "vector") || enumerationOf(type)) return undefined;
  return isInteger(type.scalar) ? { type: { ...type, scalar: otherSign(type.scalar, letter) } } : undefined;
}

/** A reference is none of the other kinds of types, and has no const of its own (C++14 8.3.2). */
function ofReference(
  name: string,
  named: string,
  whole: TraitArgument & { type: Type },
  constant: boolean,
): TraitAnswer {
  if (own(predicates, name) ?? own(predicates, named)) return bool(false);
  if (name === "remove_reference" || name === "decay") return changes[name]!(whole.type, constant);
  return /^(remove_(const|cv|addrspace|volatile|pointer|extent)|add_const)$/.test(name) ? whole : undefined;
}

const isSameReference = (a: ReferenceArgument | undefined, b: ReferenceArgument | undefined): boolean =>
  (a === undefined) === (b === undefined) &&
  a?.rvalue === b?.rvalue &&
  (a?.space ?? "private") === (b?.space ?? "private");

const ofReferences: ReadonlySet<string> = new Set(["is_reference", "is_lvalue_reference", "is_rvalue_reference"]);

const bool = (value: boolean): Constant => ({ kind: "bool", value });

/** Whether a value of one type becomes one of the other by itself. */
export type Converts = (from: Type, to: Type) => boolean;

function trait(named: string, args: readonly TraitArgument[], converts: Converts): TraitAnswer {
  const name = named.replace(/^_/, "");
  const [first, second, third] = args;
  if (!first) return undefined;
  if ("type" in first) {
    const constant = first.constant === true;
    const { reference } = first;
    if (ofReferences.has(name) && args.length === 1)
      return bool(
        reference !== undefined &&
          (name === "is_reference" || (name === "is_rvalue_reference") === (reference.rvalue === true)),
      );
    if (reference && args.length === 1) return ofReference(name, named, first, constant);
    // Of Apple's headers.
    if (name === "vec_elements" && args.length === 1 && (first.type.kind === "vector" || first.type.kind === "scalar"))
      return { kind: "i32", value: BigInt(first.type.kind === "vector" ? first.type.size : 1) };
    if (args.length === 1) {
      const holds = own(predicates, name) ?? own(predicates, named);
      if (holds) return bool(holds(first.type, constant));
      return own(changes, name)?.(first.type, constant);
    }
    if (name === "is_same" && args.length === 2 && second && "type" in second)
      return bool(
        identityOf(first.type) === identityOf(second.type) &&
          constant === (second.constant === true) &&
          isSameReference(reference, second.reference),
      );
    if (name === "is_convertible" && args.length === 2 && second && "type" in second && !second.reference)
      return bool(converts(first.type, second.type));
    if (
      name === "integral_constant" &&
      args.length === 2 &&
      second &&
      "value" in second &&
      first.type.kind === "scalar"
    )
      return { kind: first.type.scalar, value: second.value };
    return undefined;
  }
  const truths = args.map((a) => "value" in a && Boolean(a.value));
  if (name === "conjunction") return bool(truths.every(Boolean));
  if (name === "disjunction") return bool(truths.some(Boolean));
  if (name === "negation" && args.length === 1) return bool(!truths[0]);
  if (name === "bool_constant" && args.length === 1) return bool(Boolean(first.value));
  if (name === "enable_if" && args.length <= 2) {
    if (!first.value) return { none: true };
    return second === undefined ? { type: { kind: "void" } } : "type" in second ? second : undefined;
  }
  if (name === choiceTrait && args.length === 3 && second && third) {
    const chosen = first.value ? second : third;
    return "type" in chosen ? chosen : undefined;
  }
  return undefined;
}

/** One of two types: what the other is does not matter. */
export const choiceTrait = "conditional";

/** Types of lists of numbers (C++14 20.5), which are no traits. */
export const sequenceNames: readonly string[] =
  "integer_sequence index_sequence make_integer_sequence make_index_sequence index_sequence_for".split(" ");

const names: ReadonlySet<string> = new Set([
  ...Object.keys(predicates),
  ...Object.keys(changes),
  ...ofReferences,
  // With a line in front they are those of Apple's headers.
  ..."_conjunction _disjunction _negation is_same vec_elements is_convertible integral_constant bool_constant enable_if conditional conjunction disjunction negation".split(
    " ",
  ),
]);

interface FloatShape {
  readonly digits: number;
  readonly exponents: readonly [number, number];
  readonly digits10: number;
  readonly max: number;
}

const floats: Readonly<Record<FloatKind, FloatShape>> = {
  f16: { digits: 11, exponents: [-13, 16], digits10: 3, max: f16FromBits(0x7bff) },
  bf16: { digits: 8, exponents: [-125, 128], digits10: 2, max: bf16FromBits(0x7f7f) },
  f32: { digits: 24, exponents: [-125, 128], digits10: 6, max: (2 - 2 ** -23) * 2 ** 127 },
  f64: { digits: 53, exponents: [-1021, 1024], digits10: 15, max: Number.MAX_VALUE },
};

function limits(kind: ScalarKind, member: string): ReturnType<Traits["limits"]> {
  const asked = isFloat(kind) ? ofFloat(kind, member) : ofInteger(kind, member);
  if (asked === undefined) return undefined;
  const functions = /^(min|max|lowest|epsilon|round_error|infinity|quiet_NaN|denorm_min)$/;
  if (functions.test(member)) return { kind, value: asked, called: true };
  return { kind: typeof asked === "boolean" ? "bool" : "i32", value: asked, called: false };
}

function ofFloat(kind: FloatKind, member: string): number | boolean | undefined {
  const { digits, exponents, digits10, max } = floats[kind];
  const [least] = exponents;
  const values: Readonly<Record<string, number | boolean>> = {
    min: 2 ** (least - 1),
    max,
    lowest: -max,
    epsilon: 2 ** (1 - digits),
    round_error: 0.5,
    infinity: Infinity,
    quiet_NaN: NaN,
    denorm_min: 2 ** (least - digits),
    digits,
    digits10,
    max_digits10: Math.ceil(digits * Math.log10(2) + 1),
    radix: 2,
    min_exponent: least,
    max_exponent: exponents[1],
    min_exponent10: Math.ceil(Math.log10(2 ** (least - 1))),
    max_exponent10: Math.floor(Math.log10(max)),
    is_signed: true,
    is_integer: false,
    is_exact: false,
    is_specialized: true,
    is_bounded: true,
    is_modulo: false,
    has_infinity: true,
    has_quiet_NaN: true,
  };
  return own(values, member);
}

function ofInteger(kind: ScalarKind, member: string): number | bigint | boolean | undefined {
  const bits = kind === "bool" ? 1 : bitWidth(kind);
  const signed = kind !== "bool" && isSigned(kind);
  const digits = signed ? bits - 1 : bits;
  const least = signed ? -(1n << BigInt(bits - 1)) : 0n;
  const most = (1n << BigInt(digits)) - 1n;
  const of = (value: bigint): number | bigint | boolean => (kind === "bool" ? value !== 0n : value);
  const values: Readonly<Record<string, number | bigint | boolean>> = {
    min: of(least),
    lowest: of(least),
    max: of(most),
    epsilon: of(0n),
    digits,
    digits10: Math.floor(digits * Math.log10(2)),
    radix: 2,
    is_signed: signed,
    is_integer: true,
    is_exact: true,
    is_specialized: true,
    is_bounded: true,
    is_modulo: !signed && kind !== "bool",
    has_infinity: false,
    has_quiet_NaN: false,
  };
  return own(values, member);
}

export const cppTraits: Traits = { trait, names, limits };
