// Products and sums that must not be contracted.
// invocations 32, workgroup 4, words 256, nan
#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL FP_CONTRACT OFF
__kernel void k(__global const float *src, __global float *dst) {
  int i = get_global_id(0);
  float a = src[32 + i];
  if (isnan(a)) a = 1;
  float b = 1.0f / 3.0f;
  __global float *d = dst + i * 8;
  d[0] = a * b + a;
  d[1] = (a + b) - a;
  d[2] = a * 0.1f * 10.0f;
  d[3] = a / 3 * 3;
  float c = a;
  c *= 3;
  c -= a;
  d[4] = c;
  d[5] = isfinite(a * a - a * a) ? a * a - a * a : 1;
  d[6] = (a - 0.1f) + 0.1f;
  d[7] = 16777216.0f + (float)i;
}
