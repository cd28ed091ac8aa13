/**
 * Macros the compilers of the dialects define before the first line, at the versions that are read. Sources: MSL specification
 * 1.3 and 6.2 (`__METAL_VERSION__`), GLSL 4.60 section 3.3 with GL_KHR_vulkan_glsl and the extensions' own texts, OpenCL C 3.0
 * section 6.10 and 6.2.1 (feature macros), DXC's documentation of predefined version macros.
 */

/** The order of bytes, as clang says it (`clang -dM -E`), which the compilers of MSL and OpenCL C are made of. */
export const littleEndian: Readonly<Record<string, string>> = {
  __LITTLE_ENDIAN__: "1",
  __ORDER_LITTLE_ENDIAN__: "1234",
  __ORDER_BIG_ENDIAN__: "4321",
  __BYTE_ORDER__: "__ORDER_LITTLE_ENDIAN__",
  __CHAR_BIT__: "8",
};

export const ones = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .trim()
      .split(/\s+/)
      .map((name) => [name, "1"]),
  );
