/** Names of MSL up to 4.0 that a program may take: constants of its headers, and names of newer versions and other stages. */
import { anyOf, constants } from "../reserved-names.js";
import { wordSet } from "../words.js";

export const builtins = {
  names: new Set([
    ...constants,
    // MSL 4 2.22 (tensors), 6.19 (logging), 6.18 (rasterization rate maps).
    ...wordSet(`MAXHALF HUGE_VALH tensor tensor_handle tensor_inline tensor_offset dextents extents execution_simdgroup
      execution_simdgroups execution_thread cooperative_tensor rasterization_rate_map_data
      rasterization_rate_map_decoder`),
  ]),
  // What is of clang is read by src/sema/clang-builtins.ts, as far as it is.
  form: anyOf("__builtin_\\w+", "texture(?:1d|2d|3d|cube|_buffer)\\w*", "depth(?:2d|cube)\\w*", "simdgroup_\\w+"),
};
