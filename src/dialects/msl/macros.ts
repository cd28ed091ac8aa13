/** Macros that compilers define before the first line: see `../macros.ts`. */
import { littleEndian } from "../macros.js";

export const macros: Readonly<Record<string, string>> = {
  ...littleEndian,
  // The first version that has all the types that are read, and says so: `bfloat` (3.1 section 2.1).
  __METAL_VERSION__: "310",
  __HAVE_BFLOAT__: "1",
  __METAL__: "1",
  __METAL_MACOS__: "1",
  __HAVE_SIMDGROUP_MATRIX__: "1",
  __cplusplus: "201402L",
  // The headers of the standard library define these for everyone.
  METAL_FUNC: "inline __attribute__((__always_inline__))",
  METAL_CONST_FUNC: "inline __attribute__((__always_inline__))",
  METAL_PURE_FUNC: "inline __attribute__((__always_inline__))",
  METAL_INTERNAL: "static",
  // By <metal_assert>.
  assert: "__builtin_assert",
};
