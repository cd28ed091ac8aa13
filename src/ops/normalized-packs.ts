/** Normalized numbers as parts of a word (MSL 3.1 section 6.14, GLSL 4.60 section 8.4). */
import { binary, construct, convert, opCall, swizzleValue } from "../ast/builders.js";
import { opId } from "../ast/op-ids.js";
import { f32, i32, scalar, scalarOf, u32, vector } from "../types/types.js";
import { define, expanded, native, set, tree } from "./define.js";
import type { OpRow } from "./row.js";
import { add, compare, div, k, mul, select, sub, withScalar } from "./trees.js";

/** A vector of normalized numbers in a word: how many bits each component has, the first in the lowest. */
interface Format {
  readonly name: string;
  readonly bits: readonly number[];
  readonly signed?: true;
  /** The first three components are encoded as sRGB. */
  readonly srgb?: true;
  readonly glsl?: string;
  /** MSL's names, where they are not of the same form as the rest. */
  readonly pack?: string;
  readonly unpack?: string;
}
const format = (name: string, bits: readonly number[], more: Omit<Format, "name" | "bits"> = {}): Format => ({
  name,
  bits,
  ...more,
});

/** Rows for floats and, in MSL, halves. */
function formatRows(f: Format): OpRow[] {
  const count = f.bits.length;
  const word = f.bits.reduce((sum, n) => sum + n, 0) === 16 ? "u16" : "u32";
  const shape = `f32x${count}`;
  const what = `${count} numbers of ${f.signed ? "-1" : "0"}..1 as ${f.bits.join(", ")} bits${f.srgb ? ", colours encoded as sRGB" : ""}`;
  const glsl = f.glsl;
  const evidence = "MSL 3.1 6.14";
  const [pack, unpack] = [opId(`pack.${f.name}`), opId(`pack.unpack_${f.name}`)];
  const names = { pack: f.pack ?? f.name, unpack: f.unpack ?? f.name };
  const halves = withScalar("f16", vector("f32", count as 2));
  return [
    define("pack", pack, {
      summary: `${what}, x lowest`,
      signature: `${shape} -> ${word}`,
      on: set("f32", count),
      expand: tree(([x]) => packed(x!, f, word)),
      msl: native(`pack_float_to_${names.pack}`, evidence),
      glsl: glsl ? native(`pack${glsl}`, "glslang") : expanded,
      opencl: expanded,
      hlsl: expanded,
    }),
    define("pack", unpack, {
      summary: `${what}, apart, x lowest`,
      signature: `${word} -> ${shape}`,
      on: set(word, 1),
      expand: tree(([x], type) => unpacked(x!, f, type)),
      msl: native(`unpack_${names.unpack}_to_float`, evidence),
      glsl: glsl ? native(`unpack${glsl}`, "glslang") : expanded,
      opencl: expanded,
      hlsl: expanded,
    }),
    define("pack", opId(`pack.${f.name}_half`), {
      summary: `${what}, x lowest, of halves`,
      signature: `f16x${count} -> ${word}`,
      on: set("f16", count),
      expand: tree(([x]) => opCall(pack, [convert(x!, vector("f32", count as 2), true)], scalar(word))),
      msl: native(`pack_half_to_${names.pack}`, evidence),
      glsl: expanded,
      opencl: expanded,
      hlsl: expanded,
    }),
    define("pack", opId(`pack.unpack_${f.name}_half`), {
      summary: `${what}, apart, x lowest, as halves`,
      signature: `${word} -> f16x${count}`,
      on: set(word, 1),
      expand: tree(([x]) => convert(opCall(unpack, [x!], vector("f32", count as 2)), halves, true)),
      msl: native(`unpack_${names.unpack}_to_half`, evidence),
      glsl: expanded,
      opencl: expanded,
      hlsl: expanded,
    }),
  ];
}

type Value = Parameters<typeof swizzleValue>[0];
const shiftOf = (f: Format, component: number): number => f.bits.slice(0, component).reduce((sum, n) => sum + n, 0);
const greatest = (f: Format, component: number): number => 2 ** (f.bits[component]! - (f.signed ? 1 : 0)) - 1;
const encoded = (f: Format, component: number): boolean => f.srgb === true && component < 3;

function packed(x: Value, f: Format, word: "u16" | "u32"): Value {
  const parts = f.bits.map((bits, i) => {
    const clamped = opCall("math.clamp", [swizzleValue(x, [i]), k(f32, f.signed ? -1 : 0), k(f32, 1)], f32);
    const value = encoded(f, i) ? toSrgb(clamped) : clamped;
    const rounded = opCall("math.round_even", [binary("mul", value, k(f32, greatest(f, i)))], f32);
    const whole = f.signed
      ? binary("and", convert(convert(rounded, i32), u32), k(u32, 2 ** bits - 1))
      : convert(rounded, u32);
    return i === 0 ? whole : binary("shl", whole, k(u32, shiftOf(f, i)));
  });
  const all = parts.slice(1).reduce((a, b) => binary("or", a, b), parts[0]!);
  return word === "u16" ? convert(all, scalar("u16"), true) : all;
}

const unpacked = (x: Value, f: Format, type: Value["type"]): Value => {
  const wide = scalarOf(x.type) === "u32" ? x : convert(x, u32, true);
  return construct(
    type,
    f.bits.map((_, i) => (encoded(f, i) ? fromSrgb(unpackedPart(wide, f, i)) : unpackedPart(wide, f, i))),
  );
};

function unpackedPart(x: Value, f: Format, component: number): Value {
  const bits = f.bits[component]!;
  const shift = shiftOf(f, component);
  const scale = greatest(f, component);
  if (!f.signed)
    return binary(
      "div",
      convert(binary("and", binary("shr", x, k(u32, shift)), k(u32, 2 ** bits - 1)), f32),
      k(f32, scale),
    );
  // Sign-extended by an arithmetic shift; the least integer is below -1 and clamped.
  const extended = binary("shr", convert(binary("shl", x, k(u32, 32 - bits - shift)), i32), k(u32, 32 - bits));
  return opCall("math.clamp", [binary("div", convert(extended, f32), k(f32, scale)), k(f32, -1), k(f32, 1)], f32);
}

/** MSL 3.1 section 8.7.7, of 0..1. */
function toSrgb(c: Value): Value {
  const power = opCall("math.powr_open", [c, k(f32, 1 / 2.4)], f32);
  const curved = sub(mul(k(f32, 1.055), power), k(f32, 0.055));
  return select(compare("lt", c, k(f32, 0.0031308)), mul(c, k(f32, 12.92)), curved);
}
function fromSrgb(c: Value): Value {
  const curved = opCall("math.powr_open", [div(add(c, k(f32, 0.055)), k(f32, 1.055)), k(f32, 2.4)], f32);
  return select(compare("le", c, k(f32, 0.04045)), div(c, k(f32, 12.92)), curved);
}

const formats: readonly Format[] = [
  format("unorm4x8", [8, 8, 8, 8], { glsl: "Unorm4x8" }),
  format("snorm4x8", [8, 8, 8, 8], { signed: true, glsl: "Snorm4x8" }),
  format("unorm2x16", [16, 16], { glsl: "Unorm2x16" }),
  format("snorm2x16", [16, 16], { signed: true, glsl: "Snorm2x16" }),
  format("unorm10a2", [10, 10, 10, 2]),
  format("unorm565", [5, 6, 5]),
  format("srgb8", [8, 8, 8, 8], { srgb: true, pack: "srgb_unorm4x8", unpack: "unorm4x8_srgb" }),
];

export const normalizedPackRows: readonly OpRow[] = formats.flatMap(formatRows);
