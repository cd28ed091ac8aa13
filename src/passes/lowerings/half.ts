/**
 * f32 to f16 with a defined rounding (data.md section 3), for targets whose own conversion leaves it open. `halfBits` is
 * the algorithm on bits. `roundedToHalf` gives the f32 nearest in f16, so that any conversion of it is exact.
 */
import {
  binary,
  bitcast,
  block,
  construct,
  convert,
  declare,
  expressionStatement,
  functionCall,
  ifStatement,
  increment,
  literal,
  opCall,
  put,
  read,
  returnStatement,
  swizzleValue,
  variablePlace,
} from "../../ast/builders.js";
import type { Expr, FunctionId, Statement, Variable } from "../../ast/nodes.js";
import { and, componentwise, k, or, sub, withScalar } from "../../ops/trees.js";
import { noSpan } from "../../support/span.js";
import { f16, f32, scalar, u32, vector, type Type } from "../../types/types.js";
import { expression, has, inlineOrHelper, type Lowering, type LoweringContext, isNative } from "./lowering.js";
import { languageFacts } from "../../dialects/languages.js";

export type HalfRounding = "rte" | "rtz" | "rtp" | "rtn";

const roundingWords: Record<HalfRounding, string> = {
  rte: "to nearest even",
  rtz: "toward zero",
  rtp: "upward",
  rtn: "downward",
};
/** Bit patterns are written in hexadecimal. */
const u = (value: number): Expr =>
  value > 0xff ? literal("u32", value, noSpan, `0x${value.toString(16)}`) : k(u32, value);
const at = (operator: "ge" | "gt" | "lt" | "eq" | "ne", a: Expr, b: Expr): Expr => binary(operator, a, b);

/** What a mode does beyond the largest half, below the smallest, and between two of them. */
function roundingOf(
  mode: HalfRounding,
  { sign, a, r, rest, half }: Readonly<Record<"sign" | "a" | "r" | "rest" | "half", Variable>>,
): { readonly overflow: Expr; readonly tiny: Expr; readonly roundUp: Expr | undefined } {
  // Whether the mode rounds away from zero for this sign; undefined where it never does.
  const upward = mode === "rtp" ? at("eq", read(sign), u(0)) : mode === "rtn" ? at("ne", read(sign), u(0)) : undefined;
  const overflow =
    mode === "rte"
      ? u(0x7c00)
      : upward
        ? {
            kind: "conditional" as const,
            condition: upward,
            whenTrue: u(0x7c00),
            whenFalse: u(0x7bff),
            type: u32,
            span: noSpan,
          }
        : u(0x7bff);
  const both = (p: Expr, q: Expr): Expr => ({
    kind: "logical",
    operator: "and",
    left: p,
    right: q,
    type: scalar("bool"),
    span: noSpan,
  });
  const tiny = upward
    ? {
        kind: "conditional" as const,
        condition: both(upward, at("ne", read(a), u(0))),
        whenTrue: u(1),
        whenFalse: u(0),
        type: u32,
        span: noSpan,
      }
    : u(0);
  const roundUp: Expr | undefined =
    mode === "rte"
      ? {
          kind: "logical",
          operator: "or",
          left: at("gt", read(rest), read(half)),
          right: both(at("eq", read(rest), read(half)), at("ne", and(read(r), u(1)), u(0))),
          type: scalar("bool"),
          span: noSpan,
        }
      : upward && both(upward, at("ne", read(rest), u(0)));
  return { overflow, tiny, roundUp };
}

function halfBitsFunction(context: LoweringContext, mode: HalfRounding): FunctionId {
  const names: Record<HalfRounding, string> = {
    rte: "half_bits",
    rtz: "half_bits_toward_zero",
    rtp: "half_bits_upward",
    rtn: "half_bits_downward",
  };
  return context.helper(
    `half-bits ${mode}`,
    names[mode],
    `the bits of a float as half, rounded ${roundingWords[mode]}`,
    (maker) => {
      const x = maker.parameter("x", f32);
      const [bits, sign, a, r, rest, half] = ["bits", "sign", "a", "r", "rest", "half"].map((n) =>
        maker.local(n, u32),
      ) as [Variable, Variable, Variable, Variable, Variable, Variable];
      const [m, shift] = [maker.local("m", u32), maker.local("shift", u32)];
      const back = (e: Expr): Statement =>
        returnStatement(e.kind === "literal" && e.value === 0 ? read(sign) : or(read(sign), e));
      const { overflow, tiny, roundUp } = roundingOf(mode, { sign, a, r, rest, half });
      return {
        parameters: [x],
        returnType: u32,
        body: [
          declare(bits.id, bitcast(read(x), u32)),
          declare(sign.id, and(binary("shr", read(bits), u(16)), u(0x8000))),
          declare(a.id, and(read(bits), u(0x7fffffff))),
          ifStatement(at("gt", read(a), u(0x7f800000)), back(u(0x7e00))),
          ifStatement(at("eq", read(a), u(0x7f800000)), back(u(0x7c00))),
          ifStatement(at("ge", read(a), u(0x47800000)), back(overflow)),
          declare(r.id),
          declare(rest.id),
          declare(half.id),
          ifStatement(
            at("ge", read(a), u(0x38800000)),
            block([
              put(r, binary("shr", sub(read(a), u(0x38000000)), u(13))),
              put(rest, and(read(a), u(0x1fff))),
              put(half, u(0x1000)),
            ]),
            block([
              ifStatement(at("lt", read(a), u(0x33000000)), back(tiny)),
              declare(m.id, or(and(read(a), u(0x7fffff)), u(0x800000))),
              declare(shift.id, sub(u(126), binary("shr", read(a), u(23)))),
              put(r, binary("shr", read(m), read(shift))),
              put(rest, and(read(m), sub(binary("shl", u(1), read(shift)), u(1)))),
              put(half, binary("shl", u(1), sub(read(shift), u(1)))),
            ]),
          ),
          ...(roundUp ? [ifStatement(roundUp, expressionStatement(increment(variablePlace(r), 1, false)))] : []),
          back(read(r)),
        ],
      };
    },
  );
}

/** The bits of scalar f32 `x` as f16, in a u32. */
export function halfBits(context: LoweringContext, x: Expr, mode: HalfRounding): Expr {
  const id = halfBitsFunction(context, mode);
  return functionCall(id, [{ mode: "value", value: x }], u32, x.span);
}

/** f32 (scalar or vector) rounded to the nearest f16, as f32. */
export function roundedToHalf(context: LoweringContext, x: Expr, mode: HalfRounding = "rte"): Expr {
  const id = roundFunction(context, mode, x.type);
  return functionCall(id, [{ mode: "value", value: x }], x.type, x.span);
}

function roundFunction(context: LoweringContext, mode: HalfRounding, type: Type): FunctionId {
  const suffix = { rte: "", rtz: "_toward_zero", rtp: "_upward", rtn: "_downward" }[mode];
  const count = type.kind === "vector" ? type.size : 1;
  return context.helper(
    `round-to-half ${mode} ${count}`,
    `round_to_half${suffix}`,
    `rounds ${roundingWords[mode]} to a value that half has`,
    (maker) => {
      const x = maker.parameter("x", type);
      const value = componentwise(type, [read(x)], (part) => widened(context, halfBits(context, part, mode)));
      return { parameters: [x], returnType: type, body: [returnStatement(value)], givesHalves: true };
    },
  );
}

/** The f32 whose f16 bits are in the low half of a u32. */
function widened(context: LoweringContext, bits: Expr): Expr {
  const pair = opCall("pack.unpack_half2x16", [bits], vector("f32", 2));
  if (isNative(pair, context)) return swizzleValue(pair, [0]);
  const one = opCall("pack.f16tof32", [bits], f32);
  if (isNative(one, context)) return one;
  return convert(bitcast(convert(bits, scalar("u16")), f16), f32);
}

/** An f32 whose plain conversion to f16 gives what the mode asks; MSL and OpenCL round to nearest even by themselves, the others freely. */
export function narrowsExactly(context: LoweringContext, x: Expr, mode: HalfRounding = "rte"): Expr {
  const plain = mode === "rte" && languageFacts[context.target].floatToHalf === "nearest";
  return plain ? x : roundedToHalf(context, x, mode);
}

/** f32 converted to f16 with the mode. */
export function toHalf(context: LoweringContext, x: Expr, mode: HalfRounding = "rte"): Expr {
  return convert(narrowsExactly(context, x, mode), withScalar("f16", x.type));
}

// ------------------------------------------------------------------ packed halves

/** MSL (and OpenCL with cl_khr_fp16): through the half type. */
export const packByHalf: Lowering = (call) => {
  const [x] = call.arguments;
  switch (call.op) {
    case "pack.half2x16":
      return expression(bitcast(convert(x!, vector("f16", 2), true), u32, call.span));
    case "pack.unpack_half2x16":
      return expression(convert(bitcast(x!, vector("f16", 2)), vector("f32", 2), true, call.span));
    case "pack.f32tof16":
      return expression(
        convert(
          bitcast(convert(x!, withScalar("f16", x!.type), true), withScalar("u16", x!.type)),
          call.type,
          true,
          call.span,
        ),
      );
    default:
      return expression(
        convert(
          bitcast(convert(x!, withScalar("u16", x!.type), true), withScalar("f16", x!.type)),
          call.type,
          true,
          call.span,
        ),
      );
  }
};

/** OpenCL: through the half type where its arithmetic is there, else on bits. */
export const halfBitsLowering: Lowering = (call, context) => {
  if (has(context, "cl.khr_fp16")) return packByHalf(call, context);
  const bits = (x: Expr): Expr => halfBits(context, x, "rte");
  return inlineOrHelper(
    call,
    context,
    (x) => {
      switch (call.op) {
        case "pack.half2x16":
          return or(bits(swizzleValue(x, [0])), binary("shl", bits(swizzleValue(x, [1])), u(16)));
        case "pack.f32tof16":
          return componentwise(call.type, [x], (part) => bits(part));
        case "pack.unpack_half2x16":
          return construct(vector("f32", 2), [softWiden(and(x, u(0xffff))), softWiden(binary("shr", x, u(16)))]);
        default:
          return componentwise(call.type, [x], (part) => softWiden(and(part, u(0xffff))));
      }
    },
    { helper: true },
  );
};

/** f16 bits (below 2^16) to f32 without a half type. Subnormal halves go through an integer, so that none is flushed. */
function softWiden(bits: Expr): Expr {
  const sign = binary("shl", and(bits, u(0x8000)), u(16));
  const magnitude = and(bits, u(0x7fff));
  const shifted = binary("shl", magnitude, u(13));
  const choose = (condition: Expr, whenTrue: Expr, whenFalse: Expr): Expr => ({
    kind: "conditional",
    condition,
    whenTrue,
    whenFalse,
    type: u32,
    span: bits.span,
  });
  const subnormal = bitcast(binary("mul", convert(magnitude, f32, true), k(f32, 2 ** -24)), u32);
  const normal = binary("add", shifted, u(112 * 2 ** 23));
  const special = or(shifted, u(0x7f800000));
  const value = choose(
    at("ge", magnitude, u(0x7c00)),
    special,
    choose(at("ge", magnitude, u(0x400)), normal, subnormal),
  );
  return bitcast(or(sign, value), f32);
}

/** HLSL: one component at a time. */
export const packByF32tof16: Lowering = (call, context) =>
  inlineOrHelper(call, context, (x) => {
    if (call.op === "pack.half2x16") {
      const [low, high] = [0, 1].map((i) => opCall("pack.f32tof16", [swizzleValue(x, [i])], u32)) as [Expr, Expr];
      return or(low, binary("shl", high, u(16)));
    }
    return construct(vector("f32", 2), [
      opCall("pack.f16tof32", [x], f32),
      opCall("pack.f16tof32", [binary("shr", x, u(16))], f32),
    ]);
  });

/** GLSL: two at a time, the other half empty. */
export const packByHalf2x16: Lowering = (call, context) =>
  inlineOrHelper(call, context, (x) =>
    componentwise(call.type, [x], (part) =>
      call.op === "pack.f32tof16"
        ? opCall("pack.half2x16", [construct(vector("f32", 2), [part, k(f32, 0)])], u32)
        : swizzleValue(opCall("pack.unpack_half2x16", [part], vector("f32", 2)), [0]),
    ),
  );
