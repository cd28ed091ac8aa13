/** Conversions with a rounding mode or saturation (data.md section 4), and packed halves. */
import { opId, type OpId } from "../ast/op-ids.js";
import { scalarNames } from "../dialects/opencl/types.js";
import { define, expanded, native, lowering, routine, set, tree } from "./define.js";
import type { NativeCell, OpRow, OpUse, Rounding } from "./row.js";

import { binary, bitcast, construct, convert, opCall, swizzleValue } from "../ast/builders.js";
import { componentsOf, f32, i32, scalar, u32, vector } from "../types/types.js";
import { k } from "./trees.js";

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
  ...(
    [
      ["unorm4x8", 4, false],
      ["snorm4x8", 4, true],
      ["unorm2x16", 2, false],
      ["snorm2x16", 2, true],
    ] as const
  ).flatMap(([name, count, signed]) => {
    const type = vector("f32", count);
    const shape = `f32x${count}`;
    const glsl = name[0]!.toUpperCase() + name.slice(1);
    const bits = 32 / count;
    const scale = signed ? 2 ** (bits - 1) - 1 : 2 ** bits - 1;
    return [
      define("pack", `pack.${name}`, {
        summary: `${count} f32 of ${signed ? "-1" : "0"}..1 as ${bits}-bit integers round(${scale}*x), x lowest`,
        signature: `${shape} -> u32`,
        on: set("f32", count),
        expand: tree(([x]) => norm(x!, count, scale, signed)),
        msl: native(`pack_float_to_${name}`, "MSL 3.1 6.14"),
        glsl: native(`pack${glsl}`, "glslang"),
        opencl: expanded,
        hlsl: expanded,
      }),
      define("pack", `pack.unpack_${name}`, {
        summary: `${count} ${bits}-bit integers as f32 of ${signed ? "-1" : "0"}..1, the lowest first`,
        signature: `u32 -> ${shape}`,
        on: set("u32", 1),
        expand: tree(([x]) =>
          construct(
            type,
            Array.from({ length: count }, (_, i) => unnorm(x!, i * bits, bits, scale, signed)),
          ),
        ),
        msl: native(`unpack_${name}_to_float`, "MSL 3.1 6.14"),
        glsl: native(`unpack${glsl}`, "glslang"),
        opencl: expanded,
        hlsl: expanded,
      }),
    ];
  }),
];

type Value = Parameters<typeof swizzleValue>[0];

function norm(x: Value, count: number, scale: number, signed: boolean): Value {
  const bits = 32 / count;
  const parts = Array.from({ length: count }, (_, i) => {
    const clamped = opCall("math.clamp", [swizzleValue(x, [i]), k(f32, signed ? -1 : 0), k(f32, 1)], f32);
    const rounded = opCall("math.round_even", [binary("mul", clamped, k(f32, scale))], f32);
    const whole = signed
      ? binary("and", convert(convert(rounded, i32), u32), k(u32, 2 ** bits - 1))
      : convert(rounded, u32);
    return i === 0 ? whole : binary("shl", whole, k(u32, bits * i));
  });
  return parts.slice(1).reduce((a, b) => binary("or", a, b), parts[0]!);
}

function unnorm(x: Value, shift: number, bits: number, scale: number, signed: boolean): Value {
  if (!signed)
    return binary(
      "div",
      convert(binary("and", binary("shr", x, k(u32, shift)), k(u32, 2 ** bits - 1)), f32),
      k(f32, scale),
    );
  // Sign-extended by an arithmetic shift; the least integer is below -1 and clamped.
  const extended = binary("shr", convert(binary("shl", x, k(u32, 32 - bits - shift)), i32), k(u32, 32 - bits));
  return opCall("math.clamp", [binary("div", convert(extended, f32), k(f32, scale)), k(f32, -1), k(f32, 1)], f32);
}
