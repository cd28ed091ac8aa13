/**
 * Which rows of the op table are tried at special values by generated tests, and which are not: every name that a dialect has for
 * an op that computes stands in a suite that goes through edge values, or here with the reason why not.
 */
import { expect, test } from "vitest";
import { sourceDialects, type TwoWayDialect } from "../../src/dialects/ids.js";
import type { NativeCell } from "../../src/ops/row.js";
import { allRows } from "../../src/ops/table.js";
import { allFunctions } from "../fuzz/float-edges/suite.js";
import { integerRows } from "../fuzz/integer-rows.js";

const dialects = sourceDialects as readonly TwoWayDialect[];
const computing: ReadonlySet<string> = new Set(["math", "bits", "geometry", "convert", "pack", "logic", "select"]);
const called = (text: string): string[] => [...text.matchAll(/([\w:]+)\s*\(/g)].map((m) => m[1]!);

/** By sort of operand, `dialect name` of what the suites call. */
const floats = new Set(
  allFunctions.flatMap((f) => dialects.flatMap((d) => called(f.calls[d] ?? "").map((n) => `${d} ${n}`))),
);
const shapes = [8, 16, 32, 64].flatMap((bits) =>
  [true, false].flatMap((signed) => [1, 2, 3, 4].map((size) => ({ bits, signed, size }))),
);
const integers = new Set(
  integerRows.flatMap((r) =>
    dialects.flatMap((d) =>
      shapes
        .filter((t) => r.in[d] && (r.on?.(t, d) ?? true))
        .flatMap((t) => called(r.in[d]!(["a", "b", "c", "d"], t)).map((n) => `${d} ${n}`)),
    ),
  ),
);

/** Of names, by what they are tried with. */
const reasons: Readonly<Record<string, string>> = {
  "logic.all bool": "truth values have no edges",
  "logic.any bool": "truth values have no edges",
  ...Object.fromEntries(
    [2, 4, 8, 16].flatMap((n) =>
      ["shuffle", "shuffle2"].flatMap((name) =>
        ["float", "int"].map((k) => [`select.${name}_${n} ${k}`, "components are moved, whatever they are"]),
      ),
    ),
  ),
  ...Object.fromEntries(
    "dot4_ss dot4_su dot4_us dot4_uu dot4add_s dot4add_u msad4 pack_clamp_s8 pack_clamp_u8 pack_s8 pack_u8 unpack_s8 unpack_s8_16 unpack_u8 unpack_u8_16"
      .split(" ")
      .map((name) => [`bits.${name} float`, "bytes of words, at their edges in test/packed-bytes.test.ts"]),
  ),
  "bits.insert int": "an extension (cl_khr_extended_bit_ops) that no driver here has; MSL's name of it is tried",
  "bits.reverse int": "an extension (cl_khr_extended_bit_ops) that no driver here has; MSL's name of it is tried",
  "bits.add_words int": "sums of 64 bits, at their edges in test/packed-bytes.test.ts",
  "geometry.dot2_add float": "sums of products of halves, in test/packed-bytes.test.ts",
  ...Object.fromEntries(
    "unorm4x8 snorm4x8 unorm2x16 snorm2x16 unorm10a2 unorm565 srgb8"
      .split(" ")
      .flatMap((name) => [`pack.${name}_half float`, `pack.unpack_${name}_half int`])
      .map((name) => [name, "as the function of floats, which is tried; test/packed-bytes.test.ts"]),
  ),
  ...Object.fromEntries(
    ["fmax3 float", "fmin3 float", "median3 float", "max3 int", "min3 int", "median3 int"].map((name) => [
      `math.${name}`,
      "GLSL has these by GL_AMD_shader_trinary_minmax, in test/glsl-blocks.test.ts; MSL's names of them are tried",
    ]),
  ),
  ...Object.fromEntries(
    "abs_diff add_sat clz ctz hadd mul_32x16 rhadd sub_sat"
      .split(" ")
      .map((name) => [
        `bits.${name} int`,
        "GLSL has these by GL_INTEL_shader_integer_functions2, in test/glsl-blocks.test.ts; MSL's names of them are tried",
      ]),
  ),
  "pack.join_double float": "bits are moved, whatever they are",
  "pack.split_double float": "bits are moved, whatever they are",
};

interface Name {
  readonly row: string;
  readonly dialect: TwoWayDialect;
  readonly name: string;
  readonly sort: "float" | "int" | "bool";
}
const names = allRows
  .filter((r) => computing.has(r.family))
  .flatMap((r) =>
    dialects.flatMap((dialect) =>
      r.cells[dialect]
        .filter((c): c is NativeCell => c.kind === "native" && c.readsAs === undefined)
        .flatMap((c) => {
          const kinds = (c.on ?? r.on).scalars;
          const sorts = [
            ...(kinds.some((k) => k.startsWith("f")) ? (["float"] as const) : []),
            ...(kinds.some((k) => /^[iu]/.test(k)) ? (["int"] as const) : []),
          ];
          return c.names.flatMap((name) =>
            (sorts.length > 0 ? sorts : (["bool"] as const)).map((sort): Name => ({ row: r.id, dialect, name, sort })),
          );
        }),
    ),
  );

function isTried({ dialect, name, sort }: Name): boolean {
  // Conversions are spelled with their types.
  const pattern = new RegExp(`^${dialect} ${name.replaceAll("*", "\\w+")}$`);
  // What takes words of bits and gives a float is tried with the floats.
  const among = sort === "float" ? [floats] : [integers, floats];
  return among.some(
    (set) => set.has(`${dialect} ${name}`) || (name.includes("*") && [...set].some((n) => pattern.test(n))),
  );
}

test("every name of an op that computes is tried at special values, or stands here with the reason", () => {
  const left = names.filter((n) => !isTried(n)).map((n) => `${n.row} ${n.sort}`);
  expect([...new Set(left)].filter((n) => reasons[n] === undefined).sort()).toEqual([]);
});

test("no reason stands for what is tried", () => {
  const left = new Set(names.filter((n) => !isTried(n)).map((n) => `${n.row} ${n.sort}`));
  expect(Object.keys(reasons).filter((n) => !left.has(n))).toEqual([]);
});
