/**
 * Macros the compilers of the dialects define before the first line, at their default profiles. Sources: MSL specification
 * 1.3 and 6.2 (`__METAL_VERSION__`), GLSL 4.60 section 3.3 with GL_KHR_vulkan_glsl and the extensions' own texts, OpenCL C 3.0
 * section 6.10 and 6.2.1 (feature macros), DXC's documentation of predefined version macros.
 */
import type { Dialect } from "./ids.js";

const ones = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .trim()
      .split(/\s+/)
      .map((name) => [name, "1"]),
  );

const msl = {
  __METAL_VERSION__: "300",
  __METAL__: "1",
  __METAL_MACOS__: "1",
  __HAVE_SIMDGROUP_MATRIX__: "1",
  __cplusplus: "201402L",
};

const glsl = {
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
    GL_EXT_buffer_reference2 GL_EXT_nonuniform_qualifier GL_EXT_samplerless_texture_functions
    GL_ARB_gpu_shader_int64 GL_ARB_shader_group_vote GL_ARB_shader_ballot GL_NV_shader_subgroup_partitioned`),
};

const opencl = {
  __OPENCL_VERSION__: "300",
  __OPENCL_C_VERSION__: "300",
  CL_VERSION_1_0: "100",
  CL_VERSION_1_1: "110",
  CL_VERSION_1_2: "120",
  CL_VERSION_2_0: "200",
  CL_VERSION_3_0: "300",
  __ENDIAN_LITTLE__: "1",
  __IMAGE_SUPPORT__: "1",
  __kernel_exec:
    "(X, typen) __kernel __attribute__((work_group_size_hint(X, 1, 1))) __attribute__((vec_type_hint(typen)))",
  ...ones(`__OPENCL__ cl_khr_global_int32_base_atomics cl_khr_global_int32_extended_atomics cl_khr_local_int32_base_atomics
    cl_khr_local_int32_extended_atomics cl_khr_byte_addressable_store cl_khr_fp16
    cl_khr_subgroups cl_khr_subgroup_extended_types cl_khr_subgroup_non_uniform_vote cl_khr_subgroup_ballot
    cl_khr_subgroup_non_uniform_arithmetic cl_khr_subgroup_shuffle cl_khr_subgroup_shuffle_relative
    cl_khr_subgroup_clustered_reduce __opencl_c_subgroups __opencl_c_int64 __opencl_c_work_group_collective_functions
    __opencl_c_atomic_order_acq_rel __opencl_c_atomic_scope_device __opencl_c_generic_address_space`),
};

const hlsl = {
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

const tables: Readonly<Record<Dialect, Readonly<Record<string, string>>>> = { msl, glsl, opencl, hlsl };

export function predefinedMacros(dialect: Dialect): Readonly<Record<string, string>> {
  return tables[dialect];
}
