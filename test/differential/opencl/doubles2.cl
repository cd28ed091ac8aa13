// Functions of double that IEEE 754 or the text determines; bits of doubles.
// invocations 32, workgroup 8, words 2048
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF
__kernel void k(__global const int *src, __global double *dst) {
  int i = get_global_id(0);
  double x = src[i] * 0.37 - 2.5, y = (double)src[(i * 5 + 2) & 31] * 1e-4, z = (double)src[(i + 7) & 31];
  __global double *o = dst + i * 32;
  o[0] = sqrt(fabs(x));
  o[1] = fma(x, y, z);
  o[2] = fma(x, 1.0 / 3.0, -x * (1.0 / 3.0));
  o[3] = min(x, y);
  o[4] = max(x, y);
  o[5] = fmin(x, z) + fmax(y, z);
  o[6] = clamp(y, -1.0, 1.0);
  o[7] = floor(y);
  o[8] = ceil(y);
  o[9] = trunc(y);
  o[10] = rint(y);
  o[11] = round(y);
  o[12] = fmod(x, 3.7);
  o[13] = remainder(x, 3.7);
  o[14] = copysign(x, y);
  o[15] = sign(x);
  o[16] = ldexp(x, (i - 16) * 66);
  int e;
  o[17] = frexp(x, &e);
  o[18] = e;
  o[19] = isnan(x) + 2 * isinf(x * 1e308 * 1e10) + 4 * isfinite(x) + 8 * signbit(x) + 16 * isnormal(x * 1e-320);
  double whole;
  o[20] = modf(y, &whole) * 0.5 + whole;
  o[21] = as_double(as_long(x) ^ 0x00f0000000000001L);
  o[22] = as_ulong(y) >> 52;
  o[23] = convert_long_sat(x * 1e15) / 3;
  o[24] = convert_int_rtp(x * 1e-3) + convert_int_rtn(x * 1e-3);
  o[25] = mad(x, 2.0, 1.0);
  o[26] = select(x, y, (long)(i & 1 ? -1 : 0));
  o[27] = any(isless((double2)(x, y), (double2)(y, x)));
}
