// double: arithmetic, comparisons, conversions, vectors, structs, workgroup memory, bits.
// invocations 32, workgroup 8, words 2048
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF
typedef struct { double a; int tag; double2 b; } pair;

double mix2(double x, double y, pair *p) {
  p->a = x * 0.1 + y;
  p->tag = x < y;
  p->b = (double2)(y, -x);
  return p->a / 3.0;
}

__kernel void k(__global const int *src, __global double *dst) {
  __local double shared[8];
  int i = get_global_id(0), l = get_local_id(0);
  double x = src[i] * 1e-3, y = (double)src[(i * 5 + 2) & 31] / 7.0;
  float f = src[i] * 0.25f;
  pair p;
  __global double *o = dst + i * 32;
  o[0] = x + y;
  o[1] = x - y * 3.0;
  o[2] = x * y;
  o[3] = y != 0.0 ? x / y : -1.0;
  o[4] = mix2(x, y, &p);
  o[5] = p.a + p.tag + p.b.x * p.b.y;
  shared[l] = x;
  barrier(CLK_LOCAL_MEM_FENCE);
  double sum = 0.0;
  for (int j = 0; j < 8; j++) sum += shared[j] * (j + 1);
  o[6] = sum;
  o[7] = (x < y) + 2 * (x <= y) + 4 * (x > y) + 8 * (x == y) + 16 * (x != y);
  o[8] = (float)x;
  o[9] = f * 0.1;
  o[10] = (int)(y * 0.001);
  o[11] = (double)(uint)src[i] + 0.5;
  o[12] = (long)(x * 1e6);
  o[13] = (double)((long)src[i] * 4294967297L);
  double2 v = (double2)(x, y) * 2.0 + (double2)(1.0, -1.0);
  o[14] = v.x * v.y;
  v = v.yx;
  o[15] = v.x - v.y;
  f += x;
  o[16] = f;
  f *= 0.1;
  o[17] = f;
  x *= 1.5;
  o[18] = -x;
  o[19] = x != 0.0 ? 1.0 : 2.0;
  o[20] = 1e300 * 1e10 * (double)(i + 1);
  o[21] = 4.9e-324 * (i & 3);
  o[22] = src[i] > 0 ? x : y;
  o[23] = i == 3 ? 3.141592653589793 : 2.5e-5;
}
