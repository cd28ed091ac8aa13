/** Conversions with a rounding mode or saturation (data.md section 4), and packed halves. */
import { define, expanded, native, recipe, routine, set, tree } from "./define.js";
import type { NativeCell, OpRow, OpUse } from "./row.js";
import type { OpId } from "../ast/nodes.js";
import { binary, bitcast, construct, convert, opCall, swizzleValue } from "../ast/builders.js";
import { componentCount, f32, scalar, u32, vector, type ScalarKind } from "../types/types.js";
import { k } from "./trees.js";

/** `convert_int4_sat_rte`: the suffixes after the type. */
export const conversionModes = ["_rte", "_rtz", "_rtp", "_rtn", "_sat", "_sat_rte", "_sat_rtz", "_sat_rtp", "_sat_rtn"] as const;

export const openclScalarNames: Readonly<Partial<Record<ScalarKind, string>>> = {
  i8: "char", u8: "uchar", i16: "short", u16: "ushort", i32: "int", u32: "uint", i64: "long", u64: "ulong", f16: "half", f32: "float",
}; // prettier-ignore

const values = set("i8 u8 i16 u16 i32 u32 i64 u64 f16 f32");

export function openclConversionName(use: Pick<OpUse, "result">, mode: string): string {
  const kind = use.result.kind === "scalar" || use.result.kind === "vector" ? use.result.scalar : "f32";
  const count = componentCount(use.result) ?? 1;
  return `convert_${openclScalarNames[kind] ?? kind}${count === 1 ? "" : count}${mode}`;
}

const written = (mode: string): NativeCell =>
  native(`convert_*${mode}`, "clang-19", {
    write: (use) => ({ kind: "call", name: openclConversionName(use, mode), operands: [{ kind: "value", index: 0, type: use.operandTypes[0]! }], result: use.result }),
  }); // prettier-ignore

export const convertRows: readonly OpRow[] = [
  ...conversionModes.map((mode) =>
    define("convert", `convert.${mode.slice(1)}` as OpId, {
      summary: `conversion to the result type${mode.includes("sat") ? ", clamped to its range, of a NaN 0" : ""}${/_rt.$/.test(mode) ? `, rounded ${{ e: "to nearest even", z: "toward zero", p: "upward", n: "downward" }[mode.at(-1)!]}` : ""}`,
      // The result type is the call's own; `C` is not determined by T.
      signature: "T -> C", on: values, expand: routine("convert"),
      msl: recipe("convert-mode"), glsl: recipe("convert-mode"), opencl: written(mode), hlsl: recipe("convert-mode"),
    })),
]; // prettier-ignore

export const packRows: readonly OpRow[] = [
  define("pack", "pack.half2x16", {
    summary: "two f32 as f16 in a u32, x in the low half; rounding as the dialect likes, here to nearest even", signature: "f32x2 -> u32", on: set("f32", 2), expand: routine("pack_half2x16"),
    msl: recipe("pack-by-half"), glsl: native("packHalf2x16", "glslang"), opencl: recipe("half-bits"), hlsl: recipe("pack-by-f32tof16"),
  }),
  define("pack", "pack.unpack_half2x16", {
    summary: "two f16 of a u32 as f32, the low half first", signature: "u32 -> f32x2", on: set("u32", 1), expand: routine("unpack_half2x16"),
    msl: recipe("pack-by-half"), glsl: native("unpackHalf2x16", "glslang"), opencl: recipe("half-bits"), hlsl: recipe("pack-by-f32tof16"),
  }),
  define("pack", "pack.f32tof16", {
    summary: "the bits of an f32 as f16, in the low half (HLSL); rounding as the dialect likes, here to nearest even", signature: "F -> T", on: set("u32"), expand: routine("f32tof16"),
    msl: recipe("pack-by-half"), glsl: recipe("pack-by-half2x16"), opencl: recipe("half-bits"), hlsl: native("f32tof16", "DXC"),
  }),
  define("pack", "pack.f16tof32", {
    summary: "the low 16 bits as an f16, widened (HLSL)", signature: "T -> F", on: set("u32"), expand: routine("f16tof32"),
    msl: recipe("pack-by-half"), glsl: recipe("pack-by-half2x16"), opencl: recipe("half-bits"), hlsl: native("f16tof32", "DXC"),
  }),
  define("pack", "pack.unorm4x8", {
    summary: "four f32 of 0..1 as bytes round(255*x), x lowest", signature: "f32x4 -> u32", on: set("f32", 4),
    expand: tree(([x]) => norm(x!, 4, 255, 0, false)),
    msl: native("pack_float_to_unorm4x8", "MSL 3.1 6.13"), glsl: native("packUnorm4x8", "glslang"), opencl: expanded, hlsl: expanded,
  }),
  define("pack", "pack.unpack_unorm4x8", {
    summary: "four bytes as f32 of 0..1, the lowest first", signature: "u32 -> f32x4", on: set("u32", 1),
    expand: tree(([x]) => construct(vector("f32", 4), [0, 8, 16, 24].map((shift) => binary("div", convert(binary("and", binary("shr", x!, k(u32, shift)), k(u32, 255)), f32), k(f32, 255))))),
    msl: native("unpack_unorm4x8_to_float", "MSL 3.1 6.13"), glsl: native("unpackUnorm4x8", "glslang"), opencl: expanded, hlsl: expanded,
  }),
]; // prettier-ignore

function norm(x: Parameters<typeof swizzleValue>[0], count: number, scale: number, low: number, signed: boolean): Parameters<typeof swizzleValue>[0] {
  const parts = Array.from({ length: count }, (_, i) => {
    const part = swizzleValue(x, [i]);
    const clamped = opCall("math.clamp", [part, k(f32, low), k(f32, 1)], f32);
    const rounded = opCall("math.round_even", [binary("mul", clamped, k(f32, scale))], f32);
    const bits = signed ? bitcast(convert(rounded, scalar("i32")), u32) : convert(rounded, u32);
    return i === 0 ? bits : binary("shl", bits, k(u32, (32 / count) * i));
  });
  return parts.slice(1).reduce((a, b) => binary("or", a, b), parts[0]!);
}

