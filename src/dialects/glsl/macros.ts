/** Macros that compilers define before the first line: see `../macros.ts`. */
import { ones } from "../macros.js";

export const macros: Readonly<Record<string, string>> = {
  __VERSION__: "450",
  GL_core_profile: "1",
  VULKAN: "100",
  ...ones(`GL_KHR_shader_subgroup_basic GL_KHR_shader_subgroup_vote GL_KHR_shader_subgroup_ballot
    GL_KHR_shader_subgroup_arithmetic GL_KHR_shader_subgroup_shuffle GL_KHR_shader_subgroup_shuffle_relative
    GL_KHR_shader_subgroup_clustered GL_KHR_shader_subgroup_quad GL_KHR_memory_scope_semantics
    GL_EXT_control_flow_attributes GL_EXT_shader_16bit_storage GL_EXT_shader_8bit_storage GL_EXT_scalar_block_layout
    GL_EXT_shader_explicit_arithmetic_types GL_EXT_shader_explicit_arithmetic_types_int8
    GL_EXT_shader_explicit_arithmetic_types_int16 GL_EXT_shader_explicit_arithmetic_types_int32
    GL_EXT_shader_explicit_arithmetic_types_int64 GL_EXT_shader_explicit_arithmetic_types_float16
    GL_EXT_shader_explicit_arithmetic_types_float32 GL_EXT_shader_explicit_arithmetic_types_float64
    GL_GOOGLE_include_directive GL_EXT_shader_atomic_float GL_EXT_shader_atomic_int64 GL_EXT_buffer_reference
    GL_EXT_buffer_reference2 GL_EXT_spirv_intrinsics GL_EXT_nonuniform_qualifier GL_EXT_samplerless_texture_functions
    GL_EXT_shared_memory_block GL_EXT_bfloat16 GL_EXT_spec_constant_composites GL_ARB_gpu_shader_int64
    GL_ARB_shader_group_vote GL_ARB_shader_ballot GL_NV_shader_subgroup_partitioned`),
};
