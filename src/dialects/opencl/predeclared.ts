/** Words of OpenCL C 3.0: sections 6.15.2 (constants), 6.15.8 (flags), 6.15.12 (orders and scopes). */
import {
  constant,
  formatConstants,
  limits,
  numbers,
  orderWords,
  word,
  type PredeclaredWords,
  type Word,
} from "../predeclared-words.js";

const openclDoubles: readonly (readonly [string, Word])[] = (
  [
    ...numbers,
    ["DBL_MAX", Number.MAX_VALUE],
    ["DBL_MIN", 2 ** -1022],
    ["DBL_EPSILON", Number.EPSILON],
    ["HUGE_VAL", Infinity],
  ] as const
).map(([k, value]) => [k, constant("f64", value)]);

const openclWords: ReadonlyMap<string, Word> = new Map([
  ...orderWords,
  ...limits,
  ...openclDoubles,
  ...formatConstants("DBL 15 53 2 1024 -1021 308 -307"),
  // As clang's header and PoCL's have them; the specification leaves a choice.
  ["FP_ILOGB0", constant("i32", -2147483648)],
  ["FP_ILOGBNAN", constant("i32", 2147483647)],
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
