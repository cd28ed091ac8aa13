import type { Dialect } from "./ids.js";

/** Headers of the language's own library: what they declare is known without reading them. */
const headers: Readonly<Record<Dialect, RegExp>> = {
  msl: /^(?:metal_(?:stdlib|types|common|math|integer|relational|geometric|matrix|compute|graphics|atomic|simdgroup|simdgroup_matrix|texture|pack|array|uniform|quadgroup|command_buffer|raytracing|tessellation|limits|extended_vector|packed_vector|imageblocks|function_groups|visible_function_table|interpolate|mesh|numeric|type_traits|logging|config|assert)|simd\/\w+\.h|TargetConditionals\.h)$/,
  glsl: /^$/,
  opencl: /^(?:opencl-c(?:-base)?\.h)$/,
  hlsl: /^$/,
};

export function isSystemHeader(dialect: Dialect, path: string): boolean {
  return headers[dialect].test(path);
}
