/** Words of OpenCL C 3.0: sections 6.15.2 (constants), 6.15.8 (flags), 6.15.12 (orders and scopes). */
import { limits, orderWords, word, type PredeclaredWords, type Word } from "../predeclared-words.js";

const openclDoubles: readonly (readonly [string, Word])[] = (
  [
    ["M_PI", Math.PI],
    ["M_E", Math.E],
    ["M_PI_2", Math.PI / 2],
    ["M_PI_4", Math.PI / 4],
    ["M_SQRT2", Math.SQRT2],
    ["M_LN2", Math.LN2],
  ] as const
).map(([k, value]) => [k, { kind: "f64", value, word: false }]);

const openclWords: ReadonlyMap<string, Word> = new Map([
  ...orderWords,
  ...limits,
  ...openclDoubles,
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
