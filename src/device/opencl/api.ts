/** What is used of OpenCL, as in CL/cl.h and CL/cl_ext.h; a test compares it with them. */
import { struct } from "../structures.js";

export const libraries: Readonly<Record<string, readonly string[]>> = {
  linux: ["libOpenCL.so.1", "libOpenCL.so"],
  darwin: ["/System/Library/Frameworks/OpenCL.framework/OpenCL"],
  win32: ["OpenCL.dll"],
};

export const functions = {
  clGetPlatformIDs: "i32(u32, ptr, ptr)",
  clGetPlatformInfo: "i32(ptr, u32, u64, ptr, ptr)",
  clGetDeviceIDs: "i32(ptr, u64, u32, ptr, ptr)",
  clGetDeviceInfo: "i32(ptr, u32, u64, ptr, ptr)",
  clCreateContext: "ptr(ptr, u32, ptr, ptr, ptr, ptr)",
  clReleaseContext: "i32(ptr)",
  clCreateCommandQueue: "ptr(ptr, ptr, u64, ptr)",
  clReleaseCommandQueue: "i32(ptr)",
  clCreateProgramWithSource: "ptr(ptr, u32, ptr, ptr, ptr)",
  clBuildProgram: "i32(ptr, u32, ptr, ptr, ptr, ptr)",
  clGetProgramBuildInfo: "i32(ptr, ptr, u32, u64, ptr, ptr)",
  clReleaseProgram: "i32(ptr)",
  clCreateKernel: "ptr(ptr, ptr, ptr)",
  clGetKernelInfo: "i32(ptr, u32, u64, ptr, ptr)",
  clGetKernelWorkGroupInfo: "i32(ptr, ptr, u32, u64, ptr, ptr)",
  clGetKernelSubGroupInfo: "i32(ptr, ptr, u32, u64, ptr, u64, ptr, ptr)",
  clReleaseKernel: "i32(ptr)",
  clSetKernelArg: "i32(ptr, u32, u64, ptr)",
  clCreateBuffer: "ptr(ptr, u64, u64, ptr, ptr)",
  clReleaseMemObject: "i32(ptr)",
  clEnqueueWriteBuffer: "i32(ptr, ptr, u32, u64, u64, data, u32, ptr, ptr)",
  clEnqueueReadBuffer: "i32(ptr, ptr, u32, u64, u64, data, u32, ptr, ptr)",
  clEnqueueNDRangeKernel: "i32(ptr, ptr, u32, ptr, ptr, ptr, u32, ptr, ptr)",
  clFlush: "i32(ptr)",
  clGetEventInfo: "i32(ptr, u32, u64, ptr, ptr)",
  clGetEventProfilingInfo: "i32(ptr, u32, u64, ptr, ptr)",
  clReleaseEvent: "i32(ptr)",
} as const;

export const cl_name_version = struct("cl_name_version", { version: "u32", name: ["u8", 64] });

export const cl = {
  CL_SUCCESS: 0,
  CL_DEVICE_NOT_FOUND: -1,
  CL_BUILD_PROGRAM_FAILURE: -11,
  CL_PLATFORM_NOT_FOUND_KHR: -1001,
  CL_PLATFORM_VERSION: 0x0901,
  CL_PLATFORM_NAME: 0x0902,
  CL_DEVICE_TYPE_ALL: 0xffffffff,
  CL_DEVICE_TYPE: 0x1000,
  CL_DEVICE_MAX_WORK_GROUP_SIZE: 0x1004,
  CL_DEVICE_MAX_WORK_ITEM_SIZES: 0x1005,
  CL_DEVICE_MAX_MEM_ALLOC_SIZE: 0x1010,
  CL_DEVICE_SINGLE_FP_CONFIG: 0x101b,
  CL_DEVICE_LOCAL_MEM_SIZE: 0x1023,
  CL_DEVICE_COMPILER_AVAILABLE: 0x1028,
  CL_DEVICE_NAME: 0x102b,
  CL_DEVICE_VENDOR: 0x102c,
  CL_DRIVER_VERSION: 0x102d,
  CL_DEVICE_VERSION: 0x102f,
  CL_DEVICE_EXTENSIONS: 0x1030,
  CL_DEVICE_OPENCL_C_VERSION: 0x103d,
  CL_DEVICE_MAX_NUM_SUB_GROUPS: 0x105c,
  CL_DEVICE_OPENCL_C_ALL_VERSIONS: 0x1066,
  CL_DEVICE_OPENCL_C_FEATURES: 0x106f,
  CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT: 0x1065,
  CL_DEVICE_SUB_GROUP_SIZES_INTEL: 0x4108,
  CL_DEVICE_WARP_SIZE_NV: 0x4003,
  CL_FP_DENORM: 1,
  CL_FP_INF_NAN: 2,
  CL_FP_FMA: 32,
  CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT: 128,
  CL_QUEUE_PROFILING_ENABLE: 2,
  CL_MEM_READ_WRITE: 1,
  CL_MEM_READ_ONLY: 4,
  CL_PROGRAM_BUILD_LOG: 0x1183,
  CL_KERNEL_NUM_ARGS: 0x1191,
  CL_KERNEL_WORK_GROUP_SIZE: 0x11b0,
  CL_KERNEL_COMPILE_WORK_GROUP_SIZE: 0x11b1,
  CL_KERNEL_LOCAL_MEM_SIZE: 0x11b2,
  CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE: 0x2033,
  CL_EVENT_COMMAND_EXECUTION_STATUS: 0x11d3,
  CL_COMPLETE: 0,
  CL_PROFILING_COMMAND_START: 0x1282,
  CL_PROFILING_COMMAND_END: 0x1283,
} as const;

const errorNames: Readonly<Record<number, string>> = {
  [-2]: "CL_DEVICE_NOT_AVAILABLE", [-3]: "CL_COMPILER_NOT_AVAILABLE", [-4]: "CL_MEM_OBJECT_ALLOCATION_FAILURE", [-5]: "CL_OUT_OF_RESOURCES",
  [-6]: "CL_OUT_OF_HOST_MEMORY", [-11]: "CL_BUILD_PROGRAM_FAILURE", [-30]: "CL_INVALID_VALUE", [-38]: "CL_INVALID_MEM_OBJECT",
  [-45]: "CL_INVALID_PROGRAM_EXECUTABLE", [-46]: "CL_INVALID_KERNEL_NAME", [-48]: "CL_INVALID_KERNEL", [-49]: "CL_INVALID_ARG_INDEX",
  [-50]: "CL_INVALID_ARG_VALUE", [-51]: "CL_INVALID_ARG_SIZE", [-52]: "CL_INVALID_KERNEL_ARGS", [-53]: "CL_INVALID_WORK_DIMENSION",
  [-54]: "CL_INVALID_WORK_GROUP_SIZE", [-55]: "CL_INVALID_WORK_ITEM_SIZE", [-56]: "CL_INVALID_GLOBAL_OFFSET",
  [-61]: "CL_INVALID_BUFFER_SIZE", [-63]: "CL_INVALID_GLOBAL_WORK_SIZE",
}; // prettier-ignore

export function errorName(code: number): string {
  return errorNames[code] ?? `error ${code}`;
}

export const functionNames = Object.keys(functions) as readonly (keyof typeof functions)[];
