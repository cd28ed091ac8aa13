/**
 * What glslang makes of constants (12 and 16, `Constant.cpp`): floats are computed in double, whatever their type, and rounded
 * where one is stored; which functions it computes, and how. The others are left to the device.
 */
import {
  binaryConstant,
  literalConstant,
  mapped,
  zipped,
  type Constant,
  type ConstantArithmetic,
  type ConstantValue,
} from "../ast/constant-values.js";
import type { Literal, OpCall } from "../ast/nodes.js";
import { isFloat, scalarOf, type ScalarKind, type Type } from "../types/types.js";
import { row } from "./table.js";

type Arguments = readonly ConstantValue[];
type Folding = (args: Arguments) => ConstantValue | undefined;

const listOf = (v: ConstantValue): readonly ConstantValue[] =>
  Array.isArray(v) ? (v as readonly ConstantValue[]) : [v];
/** The numbers of a scalar or vector. */
const numbersOf = (v: ConstantValue): readonly number[] | undefined => {
  const parts = listOf(v);
  return parts.every((x) => typeof x === "number") ? parts : undefined;
};

/** Of each component; a scalar goes with every one. */
function componentwise(args: Arguments, f: (...xs: Constant[]) => Constant | undefined): ConstantValue | undefined {
  const count = Math.max(...args.map((a) => (Array.isArray(a) ? a.length : 0)));
  const at = (i: number): Constant | undefined =>
    f(...args.map((a) => (Array.isArray(a) ? (a as Constant[])[i]! : (a as Constant))));
  if (count === 0) return at(0);
  const made = Array.from({ length: count }, (_, i) => at(i));
  return made.every((x) => x !== undefined) ? made : undefined;
}
const each =
  (f: (...xs: number[]) => number | boolean): Folding =>
  (args) =>
    componentwise(args, (...xs) => (xs.every((x) => typeof x === "number") ? f(...xs) : undefined));
/** The same for integers, which `<` orders as well. */
const ordered =
  (f: (...xs: Constant[]) => Constant): Folding =>
  (args) =>
    componentwise(args, f);
/** Of whole vectors. */
const whole =
  (f: (...xs: (readonly number[])[]) => ConstantValue): Folding =>
  (args) => {
    const given = args.map(numbersOf);
    return given.every((x) => x !== undefined) ? f(...given) : undefined;
  };

const dot = (x: readonly number[], y: readonly number[]): number => x.reduce((s, a, i) => s + a * y[i]!, 0);
const length = (x: readonly number[]): number => Math.sqrt(dot(x, x));
/** As in C, where a power of 1, or of -1 to an infinity, is 1. */
const power = (x: number, y: number): number => (x === 1 || (x === -1 && Math.abs(y) === Infinity) ? 1 : x ** y);
const lesser = (x: Constant, y: Constant): Constant => (y < x ? y : x);
const greater = (x: Constant, y: Constant): Constant => (x < y ? y : x);

function toEven(x: number): number {
  const low = Math.floor(x);
  return low / 2 === Math.floor(low / 2) ? Math.ceil(x - 0.5) : Math.floor(x + 0.5);
}

function smoothstep(low: number, high: number, x: number): number {
  let t = (x - low) / (high - low);
  if (t < 0) t = 0;
  if (t > 1) t = 1;
  return t * t * (3 - 2 * t);
}

function refract(i: readonly number[], n: readonly number[], [eta]: readonly number[]): ConstantValue {
  const d = dot(i, n);
  const k = 1 - eta! * eta! * (1 - d * d);
  return i.map((x, c) => (k < 0 ? 0 : eta! * x - (eta! * d + Math.sqrt(k)) * n[c]!));
}

/** By the names of GLSL. */
const functions: Readonly<Record<string, Folding>> = {
  radians: each((x) => (x * Math.PI) / 180),
  degrees: each((x) => (x * 180) / Math.PI),
  sin: each(Math.sin),
  cos: each(Math.cos),
  tan: each(Math.tan),
  asin: each(Math.asin),
  acos: each(Math.acos),
  atan: (args) => (args.length === 1 ? each(Math.atan) : each(Math.atan2))(args),
  exp: each(Math.exp),
  log: each(Math.log),
  exp2: each((x) => 2 ** x),
  log2: each(Math.log2),
  sqrt: each(Math.sqrt),
  inversesqrt: each((x) => 1 / Math.sqrt(x)),
  abs: each(Math.abs),
  sign: each((x) => (x === 0 ? 0 : x < 0 ? -1 : 1)),
  floor: each(Math.floor),
  ceil: each(Math.ceil),
  trunc: each((x) => (x > 0 ? Math.floor(x) : Math.ceil(x))),
  round: each((x) => Math.floor(0.5 + x)),
  roundEven: each(toEven),
  fract: each((x) => x - Math.floor(x)),
  isnan: each(Number.isNaN),
  isinf: each((x) => Math.abs(x) === Infinity),
  pow: each(power),
  mod: each((x, y) => x - y * Math.floor(x / y)),
  min: ordered(lesser),
  max: ordered(greater),
  clamp: ordered((x, low, high) => lesser(greater(x, low), high)),
  mix: each((x, y, t) => x * (1 - t) + y * t),
  step: each((edge, x) => (x < edge ? 0 : 1)),
  smoothstep: each(smoothstep),
  length: whole(length),
  normalize: whole((x) => {
    const by = length(x);
    const made = x.map((a) => a / by);
    return made.length === 1 ? made[0]! : made;
  }),
  distance: whole((x, y) => length(x.map((a, i) => y[i]! - a))),
  dot: whole(dot),
  cross: whole(([a, b, c], [x, y, z]) => [b! * z! - c! * y!, c! * x! - a! * z!, a! * y! - b! * x!]),
  faceforward: whole((n, i, reference) => (dot(i, reference) < 0 ? n : n.map((x) => -x))),
  reflect: whole((i, n) => {
    const twice = dot(i, n) * 2;
    return i.map((x, c) => x - twice * n[c]!);
  }),
  refract: whole(refract),
  outerProduct: whole((x, y) => y.map((b) => x.map((a) => a * b))),
  any: ([x]) => listOf(x!).some(Boolean),
  all: ([x]) => listOf(x!).every(Boolean),
};

/** Functions of integers of other widths than 32 whose constants come out wrong. */
const integerFaults: ReadonlySet<string> = new Set(["abs", "sign"]);

/** What GLSL calls the function, where one stands for the op. */
function glslName(e: OpCall): string | undefined {
  const kind = scalarOf(e.arguments[0]?.type ?? e.type);
  const { on, cells } = row(e.op);
  const cell = cells.glsl.find(
    (c) => c.kind === "native" && (kind === undefined || (c.on ?? on).scalars.includes(kind)),
  );
  return cell?.kind === "native" ? cell.names[0] : undefined;
}

/** glslang computes it, and not as GLSL has it. */
export function isMiscomputed(e: OpCall): boolean {
  const kind = scalarOf(e.type);
  return kind !== undefined && !isFloat(kind) && kind !== "i32" && integerFaults.has(glslName(e) ?? "");
}

function call(e: OpCall, args: Arguments): ConstantValue | undefined {
  const floats = isFloat(scalarOf((e.arguments[0] ?? e).type) ?? "bool");
  if (e.op === "select.componentwise") {
    if (!isFloat(scalarOf(e.type)!)) return undefined;
    return componentwise(args, (c: Constant, a: Constant, b: Constant) => (c ? a : b));
  }
  if (e.op === "geometry.matrix_product") return zipped(args[0]!, args[1]!, (x, y) => Number(x) * Number(y));
  const name = glslName(e);
  if (name === undefined || !Object.hasOwn(functions, name)) return undefined;
  // A vector of one component is a scalar for those that take whole vectors.
  const made = functions[name]!(args);
  if (made === undefined) return undefined;
  const scalar = e.type.kind === "scalar" && Array.isArray(made) && made.length === 1 ? (made[0] as Constant) : made;
  return floats || typeof scalar === "boolean"
    ? scalar
    : mapped(scalar, (x) => (typeof x === "number" ? BigInt(x) : x));
}

function binary(
  operator: Parameters<typeof binaryConstant>[0],
  x: Constant,
  y: Constant,
  kind: ScalarKind,
): Constant | undefined {
  if (typeof x === "number" && typeof y === "number") {
    // Whatever the sign of the zero.
    if (operator === "div" && y === 0) return x > 0 ? Infinity : x < 0 ? -Infinity : NaN;
    // Of a NaN, too.
    if (operator === "le") return !(x > y);
    if (operator === "ge") return !(x < y);
  }
  return binaryConstant(operator, x, y, kind);
}

function product(
  x: readonly ConstantValue[],
  y: readonly ConstantValue[],
  left: Type,
  right: Type,
): ConstantValue | undefined {
  const columns = x as readonly (readonly number[])[];
  const combined = (v: readonly number[]): number[] =>
    columns[0]!.map((_, r) =>
      dot(
        columns.map((c) => c[r]!),
        v,
      ),
    );
  if (left.kind === "matrix")
    return right.kind === "matrix"
      ? (y as readonly (readonly number[])[]).map(combined)
      : combined(y as readonly number[]);
  return (y as readonly (readonly number[])[]).map((column) => dot(x as readonly number[], column));
}

/**
 * `digits`: the number that a literal's text is, which glslang reads as a double. It has no constants of `uintBitsToFloat` and its kin;
 * who writes a text may look through them all the same (`bits`).
 */
export const glslangArithmetic = (
  digits: (e: Literal) => number,
  workgroupSize: readonly number[] | undefined,
  bits: "opaque" | "seen" = "opaque",
): ConstantArithmetic => ({
  literal: (e) => (typeof e.value === "number" && isFloat(e.type.scalar) ? digits(e) : literalConstant(e)),
  kindOf: (kind) => (isFloat(kind) ? "f64" : kind),
  binary,
  product,
  call,
  choosesConstants: true,
  ...(bits === "opaque" ? { bitsAreOpaque: true } : {}),
  ...(workgroupSize ? { workgroupSize: workgroupSize.map(BigInt) } : {}),
});

/** The number that the source's digits say. */
export const sourceDigits = (e: Literal): number =>
  e.text === undefined ? Number(e.value) : Number.parseFloat(e.text);
