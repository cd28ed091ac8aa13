// Doubles as float, rounded in each direction, and integers as doubles.
// invocations 32, workgroup 4, words 1024, nan
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel void k(__global const int *src, __global uint *dst) {
  int i = get_global_id(0);
  int o = i * 32;
  float f = as_float(src[32 + i]);
  double x = (double)f * 1.0000000123;
  double y = (double)src[i] / 3.0;
  dst[o] = as_uint(convert_float_rtz(x));
  dst[o + 1] = as_uint(convert_float_rtp(x));
  dst[o + 2] = as_uint(convert_float_rtn(x));
  dst[o + 3] = as_uint(convert_float_rte(x));
  dst[o + 4] = as_uint(convert_float_rtz(y));
  dst[o + 5] = as_uint(convert_float_rtp(y));
  dst[o + 6] = as_uint(convert_float_rtn(y));
  dst[o + 7] = as_uint(convert_float_rtp(x * x));
  ulong v = ((ulong)(uint)src[i] << 32) | (uint)src[31 - i];
  double up = convert_double_rtp(v), down = convert_double_rtz(v);
  dst[o + 8] = up == down;
  dst[o + 9] = (uint)((ulong)(down * 0.0000152587890625));
  dst[o + 10] = (uint)((ulong)(up * 0.0000152587890625));
}
