/** Words of MSL's library: specification 6.9.1 (flags), 6.15 (orders), the limits of metal_limits and metal_math. */
import {
  constant,
  limits,
  orderWords,
  word,
  type LibraryInternals,
  type PredeclaredWords,
  type Word,
} from "../predeclared-words.js";

/** What the functions under the library's own (`internals` below) are told, and the namespace of the function that is meant. */
export const mathModes: ReadonlyMap<string, string> = new Map([
  ["__METAL_MAYBE_FAST_MATH__", ""],
  ["__METAL_FAST_MATH__", "fast::"],
  ["__METAL_PRECISE_MATH__", "precise::"],
]);

/** The log of the library (MSL 3.2, metal_logging). */
export const logWord = "os_log_default";

const mslWords: ReadonlyMap<string, Word> = new Map([
  ...orderWords,
  ...limits,
  ["MAXHALF", constant("f16", 65504)],
  ["HUGE_VALH", constant("f16", Infinity)],
  [logWord, word(0)],
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
  ...[...mathModes.keys()].map((name, i) => [name, word(i)] as const),
  // MSL 2.0 on iOS, with orders.
  ["memory_scope_threadgroup", word(2)],
  ["memory_scope_device", word(3)],
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
  "memory_scope",
  "metal::memory_scope",
]);

export const predeclared: PredeclaredWords = { words: mslWords, scopes: wordScopes };

/**
 * Functions that those of Apple's headers call, `__metal_exp(x, __METAL_FAST_MATH__)` for `fast::exp(x)`: libraries that
 * add overloads to `namespace metal` call them, too.
 */
export const internals: LibraryInternals = {
  form: /^__metal_((?!get_)\w+)$/,
  modes: mathModes,
  pointers: new Set(["frexp", "modf", "sincos"]),
};
