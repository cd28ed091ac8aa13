/** Words of MSL's library: specification 6.9.1 (flags), 6.15 (orders), the limits of metal_limits and metal_math. */
import { roundF16 } from "../../types/numeric.js";
import { limits, orderWords, word, type PredeclaredWords, type Word } from "../predeclared-words.js";

const half = (name: string, value: number): readonly [string, Word] => [
  name,
  { kind: "f16", value: roundF16(value), word: false },
];

/** metal_math and metal_limits: the constants of half, and the limits of what a number of an int cannot hold. */
const mslLimits: readonly (readonly [string, Word])[] = [
  half("MAXHALF", 65504),
  half("HUGE_VALH", Infinity),
  half("HALF_MAX", 65504),
  half("HALF_MIN", 2 ** -14),
  half("HALF_EPSILON", 2 ** -10),
  half("M_E_H", Math.E),
  half("M_LOG2E_H", Math.LOG2E),
  half("M_LOG10E_H", Math.LOG10E),
  half("M_LN2_H", Math.LN2),
  half("M_LN10_H", Math.LN10),
  half("M_PI_H", Math.PI),
  half("M_PI_2_H", Math.PI / 2),
  half("M_PI_4_H", Math.PI / 4),
  half("M_1_PI_H", 1 / Math.PI),
  half("M_2_PI_H", 2 / Math.PI),
  half("M_2_SQRTPI_H", 2 / Math.sqrt(Math.PI)),
  half("M_SQRT2_H", Math.SQRT2),
  half("M_SQRT1_2_H", Math.SQRT1_2),
  ["LONG_MAX", { kind: "i64", value: 0x7fffffffffffffffn, word: false }],
  ["LONG_MIN", { kind: "i64", value: -0x8000000000000000n, word: false }],
  ["ULONG_MAX", { kind: "u64", value: 0xffffffffffffffffn, word: false }],
  ...["FLT 6 24 2 128 -125 38 -37", "HALF 3 11 2 16 -13 4 -4"].flatMap((line) => {
    const [type, ...values] = line.split(" ");
    const names = "DIG MANT_DIG RADIX MAX_EXP MIN_EXP MAX_10_EXP MIN_10_EXP".split(" ");
    return names.map((name, i): [string, Word] => [
      `${type!}_${name}`,
      { kind: "i32", value: Number(values[i]), word: false },
    ]);
  }),
];

const mslWords: ReadonlyMap<string, Word> = new Map([
  ...orderWords,
  ...limits,
  ...mslLimits,
  ["mem_none", word(0)],
  ["mem_device", word(1)],
  ["mem_threadgroup", word(2)],
  ["mem_device_and_threadgroup", word(3)],
  ["mem_texture", word(4)],
  ["mem_threadgroup_imageblock", word(8)],
  ["mem_object_data", word(16)],
  ["thread_scope_thread", word(0)],
  ["thread_scope_simdgroup", word(1)],
  ["thread_scope_threadgroup", word(2)],
  ["thread_scope_device", word(3)],
]);

const wordScopes: ReadonlySet<string> = new Set([
  "",
  "metal",
  "mem_flags",
  "metal::mem_flags",
  "memory_order",
  "metal::memory_order",
  "thread_scope",
  "metal::thread_scope",
]);

export const predeclared: PredeclaredWords = { words: mslWords, scopes: wordScopes };
