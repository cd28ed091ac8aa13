/** Words of OpenCL C 3.0: sections 6.15.2 (constants), 6.15.8 (flags), 6.15.12 (orders and scopes). */
import { limits, orderWords, word, type PredeclaredWords, type Word } from "../predeclared-words.js";

const openclDoubles: readonly (readonly [string, Word])[] = (
  [
    ["M_PI", Math.PI],
    ["M_E", Math.E],
    ["M_PI_2", Math.PI / 2],
    ["M_PI_4", Math.PI / 4],
    ["M_1_PI", 1 / Math.PI],
    ["M_2_PI", 2 / Math.PI],
    ["M_2_SQRTPI", 2 / Math.sqrt(Math.PI)],
    ["M_SQRT2", Math.SQRT2],
    ["M_SQRT1_2", Math.SQRT1_2],
    ["M_LN2", Math.LN2],
    ["M_LN10", Math.LN10],
    ["M_LOG2E", Math.LOG2E],
    ["M_LOG10E", Math.LOG10E],
    ["DBL_MAX", Number.MAX_VALUE],
    ["DBL_MIN", 2 ** -1022],
    ["DBL_EPSILON", Number.EPSILON],
    ["HUGE_VAL", Infinity],
  ] as const
).map(([k, value]) => [k, { kind: "f64", value, word: false }]);

/** What clang's header and PoCL's have of what is implementation-defined, and of sizes. */
const openclIntegers: readonly (readonly [string, Word])[] = (
  [
    ["FP_ILOGB0", -2147483648],
    ["FP_ILOGBNAN", 2147483647],
    ...["FLT 6 24 2 128 -125 38 -37", "DBL 15 53 2 1024 -1021 308 -307"].flatMap((line) => {
      const [type, ...values] = line.split(" ");
      const names = "DIG MANT_DIG RADIX MAX_EXP MIN_EXP MAX_10_EXP MIN_10_EXP".split(" ");
      return names.map((name, i) => [`${type!}_${name}`, Number(values[i])] as const);
    }),
  ] as const
).map(([k, value]) => [k, { kind: "i32", value, word: false }]);

const openclWords: ReadonlyMap<string, Word> = new Map([
  ...orderWords,
  ...limits,
  ...openclDoubles,
  ...openclIntegers,
  ["CLK_LOCAL_MEM_FENCE", word(1)],
  ["CLK_GLOBAL_MEM_FENCE", word(2)],
  ["CLK_IMAGE_MEM_FENCE", word(4)],
  ["memory_scope_work_item", word(0)],
  ["memory_scope_work_group", word(1)],
  ["memory_scope_device", word(2)],
  ["memory_scope_all_svm_devices", word(3)],
  ["memory_scope_all_devices", word(3)],
  ["memory_scope_sub_group", word(4)],
  ["true", { kind: "bool", value: 1, word: false }],
  ["false", { kind: "bool", value: 0, word: false }],
]);

export const predeclared: PredeclaredWords = { words: openclWords };
