/** Macros that compilers define before the first line: see `../macros.ts`. */
export const macros: Readonly<Record<string, string>> = {
  __hlsl_dx_compiler: "1",
  __HLSL_VERSION: "2021",
  __SHADER_STAGE_COMPUTE: "5",
  __SHADER_STAGE_VERTEX: "1",
  __SHADER_STAGE_PIXEL: "0",
  __SHADER_STAGE_LIBRARY: "6",
  __SHADER_TARGET_STAGE: "5",
  __SHADER_TARGET_MAJOR: "6",
  __SHADER_TARGET_MINOR: "6",
};
