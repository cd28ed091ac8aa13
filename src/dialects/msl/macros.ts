/** Macros that compilers define before the first line: see `../macros.ts`. */
export const macros: Readonly<Record<string, string>> = {
  __METAL_VERSION__: "300",
  __METAL__: "1",
  __METAL_MACOS__: "1",
  __HAVE_SIMDGROUP_MATRIX__: "1",
  __cplusplus: "201402L",
};
