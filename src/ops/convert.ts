/** Conversions with a rounding mode or saturation (data.md section 4), and packed halves. */
import { opId, type OpId } from "../ast/op-ids.js";
import { scalarNames } from "../dialects/opencl/types.js";
import { define, expanded, native, lowering, routine, set, tree } from "./define.js";
import type { NativeCell, OpRow, OpUse, Rounding } from "./row.js";

import { binary, bitcast, construct, convert, opCall, swizzleValue } from "../ast/builders.js";
import { componentsOf, scalar, vector } from "../types/types.js";
import { k, withScalar } from "./trees.js";

const roundingWords: Readonly<Record<Rounding, string>> = {
  rte: "to nearest even",
  rtz: "toward zero",
  rtp: "upward",
  rtn: "downward",
};
const roundings: readonly Rounding[] = ["rte", "rtz", "rtp", "rtn"];

export interface ConversionMode {
  readonly op: OpId;
  readonly saturates: boolean;
  readonly rounding: Rounding | undefined;
}

/** By the suffix after the type: `convert_int4_sat_rte`. */
export const conversionModes: ReadonlyMap<string, ConversionMode> = new Map<string, ConversionMode>([
  ...roundings.map((r) => [`_${r}`, { op: opId(`convert.${r}`), saturates: false, rounding: r }] as const),
  ["_sat", { op: "convert.sat", saturates: true, rounding: undefined }] as const,
  ...roundings.map((r) => [`_sat_${r}`, { op: opId(`convert.sat_${r}`), saturates: true, rounding: r }] as const),
]);

const values = set("i8 u8 i16 u16 i32 u32 i64 u64 f16 f32 f64");

function openclConversionName(use: Pick<OpUse, "result">, mode: string): string {
  const kind = use.result.kind === "scalar" || use.result.kind === "vector" ? use.result.scalar : "f32";
  const count = componentsOf(use.result);
  return `convert_${scalarNames[kind]}${count === 1 ? "" : count}${mode}`;
}

const written = (mode: string): NativeCell =>
  native(`convert_*${mode}`, "clang-19", {
    write: (use) => ({
      kind: "call",
      name: openclConversionName(use, mode),
      operands: [{ kind: "value", index: 0, type: use.operandTypes[0]! }],
      result: use.result,
    }),
  });

export const convertRows: readonly OpRow[] = [
  ...[...conversionModes].map(([suffix, { op, saturates, rounding }]) =>
    define("convert", op, {
      summary: `conversion to the result type${saturates ? ", clamped to its range, of a NaN 0" : ""}${rounding ? `, rounded ${roundingWords[rounding]}` : ""}`,
      // The result type is the call's own; `C` is not determined by T.
      signature: "T -> C",
      on: values,
      expand: routine("convert"),
      ...(saturates ? { saturates } : {}),
      ...(rounding ? { rounding } : {}),
      msl: lowering("convert-mode"),
      glsl: lowering("convert-mode"),
      opencl: written(suffix),
      hlsl: lowering("convert-mode"),
    }),
  ),
];

export const packRows: readonly OpRow[] = [
  define("pack", "pack.half2x16", {
    summary: "two f32 as f16 in a u32, x in the low half; rounding as the dialect likes, here to nearest even",
    signature: "f32x2 -> u32",
    on: set("f32", 2),
    expand: routine("pack_half2x16"),
    msl: lowering("pack-by-half"),
    glsl: native("packHalf2x16", "glslang"),
    opencl: lowering("half-bits"),
    hlsl: lowering("pack-by-f32tof16"),
  }),
  define("pack", "pack.unpack_half2x16", {
    summary: "two f16 of a u32 as f32, the low half first",
    signature: "u32 -> f32x2",
    on: set("u32", 1),
    expand: routine("unpack_half2x16"),
    msl: lowering("pack-by-half"),
    glsl: native("unpackHalf2x16", "glslang"),
    opencl: lowering("half-bits"),
    hlsl: lowering("pack-by-f32tof16"),
  }),
  define("pack", "pack.f32tof16", {
    summary: "the bits of an f32 as f16, in the low half (HLSL); rounding as the dialect likes, here to nearest even",
    signature: "F -> T",
    on: set("u32"),
    expand: routine("f32tof16"),
    msl: lowering("pack-by-half"),
    glsl: lowering("pack-by-half2x16"),
    opencl: lowering("half-bits"),
    hlsl: native("f32tof16", "DXC"),
  }),
  define("pack", "pack.f16tof32", {
    summary: "the low 16 bits as an f16, widened (HLSL)",
    signature: "T -> F",
    on: set("u32"),
    expand: routine("f16tof32"),
    msl: lowering("pack-by-half"),
    glsl: lowering("pack-by-half2x16"),
    opencl: lowering("half-bits"),
    hlsl: native("f16tof32", "DXC"),
  }),
  ...roundings.map((r): OpRow => {
    const cell = lowering("rounded-half-bits");
    return define("pack", opId(`pack.half_bits_${r}`), {
      summary: `the bits of a number as f16, rounded once and ${roundingWords[r]}, in the low half of a word`,
      signature: "T -> U",
      on: set("f32 f64"),
      rounding: r,
      expand: tree(([x], type) => {
        const half = opCall(opId(`convert.${r}`), [x!], withScalar("f16", type));
        return convert(bitcast(half, withScalar("u16", type)), type);
      }),
      msl: cell,
      glsl: cell,
      opencl: cell,
      hlsl: cell,
    });
  }),
  define("pack", "pack.color_to_bytes", {
    summary: "255.001953 times the components, the first and the third exchanged, as integers (HLSL D3DCOLORtoUBYTE4)",
    signature: "f32x4 -> i32x4",
    on: set("f32", 4),
    // The factor stands in the DXIL that DXC makes: 255 and 2^-9.
    expand: tree(([x], type) =>
      convert(binary("mul", swizzleValue(x!, [2, 1, 0, 3]), k(x!.type, 255 + 2 ** -9)), type, true),
    ),
    msl: expanded,
    glsl: expanded,
    opencl: expanded,
    hlsl: native("D3DCOLORtoUBYTE4", "DXC"),
    run: (x: number[]) => [2, 1, 0, 3].map((i) => Math.trunc(Math.fround(x[i]! * (255 + 2 ** -9)))),
  }),
  define("pack", "pack.split_double", {
    summary: "the out places get the low and the high word of a double (HLSL)",
    signature: "f64, &u32, &u32 -> void",
    on: set("f64", 1),
    expand: routine("split_double"),
    msl: lowering("split-double"),
    glsl: lowering("split-double"),
    opencl: lowering("split-double"),
    hlsl: native("asuint", "DXC"),
  }),
  define("pack", "pack.join_double", {
    summary: "a double of its low and high word (HLSL)",
    signature: "u32, u32 -> f64",
    on: set("f64", 1),
    expand: tree(([low, high]) => bitcast(construct(vector("u32", 2), [low!, high!]), scalar("f64"))),
    msl: expanded,
    glsl: expanded,
    opencl: expanded,
    hlsl: native("asdouble", "DXC"),
  }),
];
