/**
 * Builtins that are plain nodes of the tree: bit casts, GLSL's comparisons of vectors, HLSL's `mul`, conversions of
 * OpenCL, work-item functions. The printers write those nodes by themselves.
 */
import { scalarNames } from "../dialects/opencl/types.js";
import {
  binary,
  bitcast,
  boolLiteral,
  builtin,
  conditional,
  convert,
  elementValue,
  literal,
  opCall,
  swizzleValue,
  unary,
} from "../ast/builders.js";
import type { Expr, OpId, Place } from "../ast/nodes.js";
import { isPure } from "../ast/walk.js";
import type { SourceDialect } from "../dialects/ids.js";
import { typeIn } from "../dialects/show-type.js";
import type { Span } from "../support/span.js";
import {
  asSingle,
  bitWidth,
  bool,
  componentCount,
  i32,
  isFloat,
  isInteger,
  isSingle,
  matrix,
  sameType,
  scalar,
  scalarOf,
  shaped,
  u32,
  u64,
  vector,
  type ScalarKind,
  type Type,
} from "../types/types.js";
import { conversionModes } from "./convert.js";
import { idOfHlslFunction, idOfOpenclFunction, idRow } from "./ids.js";
import type { BuiltinArgument, ImplicitRank, RefusedCall, ResolvedBuiltin } from "./row.js";

export type FormResult = ResolvedBuiltin | RefusedCall | undefined;

const fail = (error: string, ...candidates: string[]): FormResult => ({ error, candidates });
type Build = (args: readonly Expr[], places: readonly Place[], span: Span) => Expr;

function value(types: readonly Type[], result: Type, build: Build, op?: OpId): ResolvedBuiltin {
  const parameters = types.map((type) => ({ type, mode: "value" as const }));
  return { ...(op ? { op } : {}), parameters, result, build };
}

const sizeInBits = (type: Type): number | undefined => {
  const kind = scalarOf(type);
  const count = componentCount(type);
  return kind === undefined || kind === "bool" || count === undefined
    ? undefined
    : bitWidth(kind) * (count === 3 ? 4 : count);
};

function castTo(
  dialect: SourceDialect,
  name: string,
  from: BuiltinArgument | undefined,
  count: number,
  to: Type,
): FormResult {
  if (!from || count !== 1) return fail(`${name} takes one argument`, `${name}(x)`);
  const [a, b] = [sizeInBits(from.type), sizeInBits(to)];
  if (a === undefined || b === undefined || a !== b)
    return fail(`${name} cannot reinterpret ${typeIn(dialect, from.type)} as ${typeIn(dialect, to)}: the sizes differ`);
  return value([from.type], to, ([x], _, span) => bitcast(x!, to, span));
}

// ------------------------------------------------------------------ OpenCL

const { bool: _bool, ...numberNames } = scalarNames;
const openclKinds = new Map(Object.entries(numberNames).map(([kind, name]) => [name, kind as ScalarKind]));
const openclTypeNames = [...openclKinds.keys()].join("|");
const conversionPattern = new RegExp(`^convert_(${openclTypeNames}|bool)(2|3|4|8|16)?((?:_sat)?(?:_rt[ezpn])?)$`);
const asPattern = new RegExp(`^as_(${openclTypeNames}|size_t)(2|3|4|8|16)?$`);

function openclType(name: string, size: string | undefined): Type | undefined {
  const kind = openclKinds.get(name);
  const count = Number(size ?? 1);
  return kind === undefined ? undefined : shaped(kind, count);
}

function openclForm(name: string, args: readonly BuiltinArgument[]): FormResult {
  const conversion = name.match(conversionPattern);
  if (conversion) {
    const to = openclType(conversion[1]!, conversion[2]);
    const from = args[0]?.type;
    if (!to) return fail("no function converts to bool: compare with zero");
    if (!from || args.length !== 1 || componentCount(from) !== componentCount(to))
      return fail(`${name} takes one value of ${componentCount(to)} components`, `${name}(x)`);
    const suffix = conversion[3]!;
    if (suffix === "") return value([from], to, ([x], _, span) => convert(x!, to, true, span));
    const mode = conversionModes.get(suffix);
    if (!mode) return fail(`unknown conversion ${name}`);
    const { op } = mode;
    const kind = scalarOf(to)!;
    if (mode.saturates && isFloat(kind)) return fail(`${name}: saturating conversions are to integers`);
    return value([from], to, ([x], _, span) => opCall(op, [x!], to, span), op);
  }
  const cast = name.match(asPattern);
  if (cast) {
    const to = cast[1] === "size_t" ? u64 : openclType(cast[1]!, cast[2]);
    return castTo("opencl", name, args[0], args.length, to!);
  }
  return openclTopBit(name, args) ?? openclId(name, args);
}

/** `any` and `all` of a scalar test its top bit, as they do the components of vectors (the table's rows). */
function openclTopBit(name: string, args: readonly BuiltinArgument[]): FormResult {
  const type = args[0]?.type;
  const kind = type && scalarOf(type);
  if (
    (name !== "any" && name !== "all") ||
    args.length !== 1 ||
    type?.kind !== "scalar" ||
    !kind ||
    kind === "bool" ||
    isFloat(kind)
  )
    return undefined;
  const signed = scalar(`i${bitWidth(kind)}` as ScalarKind);
  return value(
    [signed],
    i32,
    ([x], _, span) => convert(binary("lt", x!, literal(signed.scalar, 0), span), i32, false, span),
    `logic.${name}`,
  );
}

function openclId(name: string, args: readonly BuiltinArgument[]): FormResult {
  const id = idOfOpenclFunction(name);
  if (!id) return undefined;
  const info = idRow(id).opencl!;
  const type = info.size ? u64 : u32;
  const widen = (e: Expr, span: Span): Expr => convert(e, type, false, span);
  if (!info.dimension) {
    if (args.length !== 0) return fail(`${name} takes no arguments`, `${name}()`);
    return value([], type, (_, __, span) => widen(builtin(id, span), span));
  }
  const outside = info.dimension.outside;
  const dimension = args[0];
  if (args.length !== 1 || !dimension || dimension.type.kind !== "scalar" || !isInteger(dimension.type.scalar))
    return fail(`${name} takes a dimension`, `${name}(uint dimension)`);
  if (dimension.constant !== undefined) {
    const d = Number(dimension.constant);
    const build: Build = (_, __, span) =>
      d >= 0 && d <= 2 ? widen(swizzleValue(builtin(id, span), [d], span), span) : literal("u64", outside, span);
    return { parameters: [{ type: u32, mode: "skip" }], result: type, build };
  }
  return value([u32], type, ([d], _, span) => {
    if (!isPure(d!)) throw new Error(`${name} with a dimension that has side effects`);
    const inside = binary("lt", d!, literal("u32", 3, span), span);
    return widen(
      conditional(inside, elementValue(builtin(id, span), d!, span), literal("u32", outside, span), span),
      span,
    );
  });
}

// ------------------------------------------------------------------ GLSL

const glslCasts: Readonly<Record<string, readonly [ScalarKind, ScalarKind]>> = {
  floatBitsToInt: ["f32", "i32"],
  floatBitsToUint: ["f32", "u32"],
  intBitsToFloat: ["i32", "f32"],
  uintBitsToFloat: ["u32", "f32"],
  doubleBitsToInt64: ["f64", "i64"],
  doubleBitsToUint64: ["f64", "u64"],
  int64BitsToDouble: ["i64", "f64"],
  uint64BitsToDouble: ["u64", "f64"],
  float16BitsToInt16: ["f16", "i16"],
  float16BitsToUint16: ["f16", "u16"],
  halfBitsToInt16: ["f16", "i16"],
  halfBitsToUint16: ["f16", "u16"],
  int16BitsToFloat16: ["i16", "f16"],
  uint16BitsToFloat16: ["u16", "f16"],
  int16BitsToHalf: ["i16", "f16"],
  uint16BitsToHalf: ["u16", "f16"],
  bfloat16BitsToIntEXT: ["bf16", "i16"],
  bfloat16BitsToUintEXT: ["bf16", "u16"],
  intBitsToBFloat16EXT: ["i16", "bf16"],
  uintBitsToBFloat16EXT: ["u16", "bf16"],
};

type TypePair = readonly [from: Type, to: Type];
const int4x16: TypePair = [vector("i16", 4), scalar("i64")];
const uint4x16: TypePair = [vector("u16", 4), u64];
const int2x32: TypePair = [vector("i32", 2), scalar("i64")];
const uint2x32: TypePair = [vector("u32", 2), u64];
const int2x16: TypePair = [vector("i16", 2), i32];
const uint2x16: TypePair = [vector("u16", 2), u32];
const bytes: readonly TypePair[] = [
  [vector("i8", 4), i32],
  [vector("u8", 4), u32],
];
const fewBytes: readonly TypePair[] = [
  [vector("i8", 2), scalar("i16")],
  [vector("u8", 2), scalar("u16")],
];
const back = (pairs: readonly TypePair[]): readonly TypePair[] => pairs.map(([from, to]) => [to, from]);

/**
 * The first component is the least significant (GL_EXT_shader_explicit_arithmetic_types, ARB_gpu_shader_int64). Of those that
 * take several types the argument has one of them.
 */
const glslPacks: Readonly<Record<string, readonly TypePair[]>> = {
  packDouble2x32: [[vector("u32", 2), scalar("f64")]],
  unpackDouble2x32: [[scalar("f64"), vector("u32", 2)]],
  packInt2x32: [int2x32],
  unpackInt2x32: back([int2x32]),
  packUint2x32: [uint2x32],
  unpackUint2x32: back([uint2x32]),
  packFloat2x16: [[vector("f16", 2), u32]],
  unpackFloat2x16: [[u32, vector("f16", 2)]],
  packInt2x16: [int2x16],
  packUint2x16: [uint2x16],
  unpackInt2x16: back([int2x16]),
  unpackUint2x16: back([uint2x16]),
  packInt4x16: [int4x16],
  packUint4x16: [uint4x16],
  unpackInt4x16: back([int4x16]),
  unpackUint4x16: back([uint4x16]),
  pack16: fewBytes,
  pack32: [...bytes, int2x16, uint2x16],
  pack64: [int2x32, uint2x32, int4x16, uint4x16],
  unpack8: back([...fewBytes, ...bytes]),
  unpack16: back([int2x16, uint2x16, int4x16, uint4x16]),
  unpack32: back([int2x32, uint2x32]),
};
const glslComparisons = {
  lessThan: "lt",
  lessThanEqual: "le",
  greaterThan: "gt",
  greaterThanEqual: "ge",
  equal: "eq",
  notEqual: "ne",
} as const;

function glslForm(name: string, args: readonly BuiltinArgument[], implicit: ImplicitRank): FormResult {
  if (Object.hasOwn(glslCasts, name)) {
    const [from, to] = glslCasts[name]!;
    const count = args.length === 1 ? componentCount(args[0]!.type) : undefined;
    if (count === undefined || count > 4)
      return fail(`${name} takes one ${typeIn("glsl", scalar(from))} or a vector of them`);
    const fromType = shaped(from, count);
    if (implicit(args[0]!.type, fromType, args[0]!.literal ?? false) === undefined)
      return fail(
        `${name} takes one ${typeIn("glsl", scalar(from))} or a vector of them, not ${typeIn("glsl", args[0]!.type)}`,
      );
    const result = shaped(to, count);
    return value([fromType], result, ([x], _, span) => bitcast(x!, result, span));
  }
  if (Object.hasOwn(glslPacks, name)) {
    const pairs = glslPacks[name]!;
    const [given] = args;
    const becomes = (t: Type): boolean =>
      given !== undefined && implicit(given.type, t, given.literal ?? false) !== undefined;
    const found =
      pairs.find(([t]) => given && sameType(given.type, t)) ??
      (pairs.length === 1 ? pairs.find(([t]) => becomes(t)) : undefined);
    if (args.length !== 1 || !found)
      return fail(`${name} takes one ${pairs.map(([t]) => typeIn("glsl", t)).join(" or ")}`);
    const [from, to] = found;
    return value([from], to, ([x], _, span) => bitcast(x!, to, span));
  }
  if (Object.hasOwn(glslComparisons, name)) {
    const operator = glslComparisons[name as keyof typeof glslComparisons];
    const [a, b] = args.map((x) => x.type);
    if (args.length !== 2 || a?.kind !== "vector" || b?.kind !== "vector" || a.size !== b.size)
      return fail(`${name} takes two vectors of one size`, `${name}(vec, vec)`);
    const equality = operator === "eq" || operator === "ne";
    if ((a.scalar === "bool") !== (b.scalar === "bool") || (a.scalar === "bool" && !equality))
      return fail(`${name} does not compare ${typeIn("glsl", a)} and ${typeIn("glsl", b)}`);
    const common = [a, b].find((t) => args.every((x) => implicit(x.type, t, x.literal ?? false) !== undefined));
    if (!common) return fail(`${name} cannot compare ${typeIn("glsl", a)} and ${typeIn("glsl", b)}`);
    return value([common, common], vector("bool", a.size), ([x, y], _, span) => binary(operator, x!, y!, span));
  }
  if (name === "not") {
    const type = args[0]?.type;
    if (args.length !== 1 || type?.kind !== "vector" || type.scalar !== "bool")
      return fail("not takes a vector of bool", "not(bvec)");
    return value([type], type, ([x], _, span) => unary("not", x!, span));
  }
  return undefined;
}

// ------------------------------------------------------------------ HLSL

const hlslCasts: Readonly<Record<string, ScalarKind>> = {
  asuint: "u32",
  asint: "i32",
  asfloat: "f32",
  asuint16: "u16",
  asint16: "i16",
  asfloat16: "f16",
};

function hlslForm(name: string, args: readonly BuiltinArgument[]): FormResult {
  if (Object.hasOwn(hlslCasts, name)) {
    const to = hlslCasts[name]!;
    const count = args[0] && componentCount(args[0].type);
    // A number without a type has 32 bits here.
    const from = args[0]?.open && count ? shaped(args[0].open, count) : args[0]?.type;
    const kind = from && scalarOf(from);
    if (name === "asuint" && args.length === 3) return undefined;
    if (args.length === 1 && from?.kind === "matrix")
      return {
        error: `${name} of a matrix is not supported yet`,
        notYet: "call it for each row of the matrix",
        candidates: [],
      };
    const minimum = from?.kind === "scalar" || from?.kind === "vector" ? from.minimum : undefined;
    if (
      minimum ||
      args[0]?.enumerated ||
      args.length !== 1 ||
      !count ||
      !kind ||
      kind === "bool" ||
      bitWidth(kind) !== bitWidth(to)
    )
      return fail(`${name} takes one scalar or vector of ${bitWidth(to)}-bit components`, `${name}(x)`);
    const shape = shaped(to, count);
    const result = isSingle(from) ? asSingle(shape) : shape;
    return value([from], result, ([x], _, span) => bitcast(x!, result, span));
  }
  const id = idOfHlslFunction(name);
  if (id) {
    if (args.length !== 0) return fail(`${name} takes no arguments`, `${name}()`);
    return value([], u32, (_, __, span) => builtin(id, span));
  }
  return name === "mul" ? hlslProduct(args) : undefined;
}

/** `mul`: a product of scalars, a dot product of vectors, or a product of linear algebra. */
function hlslProduct(args: readonly BuiltinArgument[]): FormResult {
  const [a, b] = args.map((x) => x.type);
  if (args.length !== 2 || !a || !b) return fail("mul takes two arguments", "mul(a, b)");
  const kind = scalarOf(a);
  if (kind === undefined || kind !== scalarOf(b) || kind === "bool")
    return fail(`mul of ${typeIn("hlsl", a)} and ${typeIn("hlsl", b)} is not supported`);
  const times: Build = ([x, y], _, span) => binary("mul", x!, y!, span);
  if (a.kind === "vector" && b.kind === "vector") {
    if (a.size !== b.size) return fail(`mul of ${typeIn("hlsl", a)} and ${typeIn("hlsl", b)}`);
    const op: OpId = isFloat(kind) ? "geometry.dot" : "geometry.dot_integer";
    return value([a, b], scalar(kind), ([x, y], _, span) => opCall(op, [x!, y!], scalar(kind), span), op);
  }
  if (a.kind === "scalar" && b.kind === "scalar") return value([a, b], a, times);
  if (a.kind === "scalar" && b.kind === "vector")
    return value([a, b], b, ([x, y], _, span) =>
      binary("mul", { kind: "splat", operand: x!, type: b, explicit: false, span }, y!, span),
    );
  if (a.kind === "vector" && b.kind === "scalar")
    return value([a, b], a, ([x, y], _, span) =>
      binary("mul", x!, { kind: "splat", operand: y!, type: a, explicit: false, span }, span),
    );
  if (a.kind === "matrix" && b.kind === "scalar") return value([a, b], a, times);
  if (a.kind === "scalar" && b.kind === "matrix") return value([a, b], b, times);
  if (a.kind === "matrix" && b.kind === "vector" && a.columns === b.size)
    return value([a, b], shaped(kind, a.rows), times);
  if (a.kind === "vector" && b.kind === "matrix" && a.size === b.rows)
    return value([a, b], shaped(kind, b.columns), times);
  if (a.kind === "matrix" && b.kind === "matrix" && a.columns === b.rows)
    return value([a, b], matrix(kind, b.columns, a.rows), times);
  return fail(`mul of ${typeIn("hlsl", a)} and ${typeIn("hlsl", b)}: the sizes do not fit`);
}

// ------------------------------------------------------------------ all

/** Compute has no helper invocations. */
const helperInvocation: Partial<Record<SourceDialect, string>> = { msl: "simd_is_helper_thread", hlsl: "IsHelperLane" };

interface Forms {
  has(name: string): boolean;
  resolve(
    name: string,
    args: readonly BuiltinArgument[],
    implicit: ImplicitRank,
    templates: readonly Type[],
  ): FormResult;
}

const mslCast = /^(?:metal::)?as_type$/;

export function resolveForm(
  dialect: SourceDialect,
  name: string,
  args: readonly BuiltinArgument[],
  templates: readonly Type[],
  implicit: ImplicitRank,
): FormResult {
  if (name === helperInvocation[dialect]) {
    if (args.length !== 0) return fail(`${name} takes no arguments`, `${name}()`);
    return value([], bool, (_, __, span) => boolLiteral(false, span));
  }
  const form = forms[dialect];
  return form?.has(name) ? form.resolve(name, args, implicit, templates) : undefined;
}

const own = (table: object, name: string): boolean => Object.hasOwn(table, name);

export function isFormName(dialect: SourceDialect, name: string): boolean {
  if (name === helperInvocation[dialect]) return true;
  return forms[dialect]?.has(name) ?? false;
}

/** What each language has that no row can say: casts, constructors' kin, functions for ids. */
const forms: Partial<Readonly<Record<SourceDialect, Forms>>> = {
  msl: {
    has: (name) => mslCast.test(name),
    resolve: (_name, args, _implicit, templates) =>
      templates.length === 1
        ? castTo("msl", "as_type", args[0], args.length, templates[0]!)
        : fail("as_type needs the type to reinterpret as", "as_type<T>(x)"),
  },
  opencl: {
    has: (name) => conversionPattern.test(name) || asPattern.test(name) || idOfOpenclFunction(name) !== undefined,
    resolve: openclForm,
  },
  glsl: {
    has: (name) => own(glslCasts, name) || own(glslPacks, name) || own(glslComparisons, name) || name === "not",
    resolve: glslForm,
  },
  hlsl: {
    has: (name) => own(hlslCasts, name) || name === "mul" || idOfHlslFunction(name) !== undefined,
    resolve: hlslForm,
  },
};
