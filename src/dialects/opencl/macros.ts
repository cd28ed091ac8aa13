/** Macros that compilers define before the first line: see `../macros.ts`. */
import { littleEndian, ones } from "../macros.js";

/** OpenCL C 1.0 6.7.2; clang's header has it under both names. */
const kernelExec =
  "(X, typen) __kernel __attribute__((work_group_size_hint(X, 1, 1))) __attribute__((vec_type_hint(typen)))";

export const macros: Readonly<Record<string, string>> = {
  ...littleEndian,
  __OPENCL_VERSION__: "300",
  __OPENCL_C_VERSION__: "300",
  ATOMIC_VAR_INIT: "(value) (value)",
  ATOMIC_FLAG_INIT: "0",
  CL_VERSION_1_0: "100",
  CL_VERSION_1_1: "110",
  CL_VERSION_1_2: "120",
  CL_VERSION_2_0: "200",
  CL_VERSION_3_0: "300",
  __ENDIAN_LITTLE__: "1",
  __IMAGE_SUPPORT__: "1",
  __kernel_exec: kernelExec,
  kernel_exec: kernelExec,
  ...ones(`__OPENCL__ cl_khr_global_int32_base_atomics cl_khr_global_int32_extended_atomics cl_khr_local_int32_base_atomics
    cl_khr_local_int32_extended_atomics cl_khr_byte_addressable_store cl_khr_fp16
    cl_khr_subgroups cl_khr_subgroup_extended_types cl_khr_subgroup_non_uniform_vote cl_khr_subgroup_ballot
    cl_khr_subgroup_non_uniform_arithmetic cl_khr_subgroup_shuffle cl_khr_subgroup_shuffle_relative
    cl_khr_subgroup_clustered_reduce __opencl_c_subgroups __opencl_c_int64 __opencl_c_work_group_collective_functions
    cl_khr_int64_base_atomics cl_khr_int64_extended_atomics __opencl_c_atomic_order_acq_rel __opencl_c_atomic_order_seq_cst __opencl_c_atomic_scope_device __opencl_c_generic_address_space`),
};
