/**
 * Macros the compilers of the dialects define before the first line, at their default profiles. Sources: MSL specification
 * 1.3 and 6.2 (`__METAL_VERSION__`), GLSL 4.60 section 3.3 with GL_KHR_vulkan_glsl and the extensions' own texts, OpenCL C 3.0
 * section 6.10 and 6.2.1 (feature macros), DXC's documentation of predefined version macros.
 */

export const ones = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .trim()
      .split(/\s+/)
      .map((name) => [name, "1"]),
  );
