// fmod, fdim and comparisons over pairs of edge values.
// invocations 32, workgroup 4, words 4096, nan
#pragma OPENCL FP_CONTRACT OFF
__kernel void k(__global const float *src, __global float *dst) {
  int i = get_global_id(0);
  float a = src[32 + i];
  for (int j = 0; j < 32; j++) {
    float b = src[32 + j];
    __global float *d = dst + (i * 32 + j) * 4;
    d[0] = fabs(a) < 1e6f && fabs(b) > 1.0f ? fmod(a, b) : 0;
    d[2] = fdim(a, b);
    int r = (a < b) | (a <= b) << 1 | (a == b) << 2 | (a != b) << 3 | (a > b) << 4 | (a >= b) << 5 | isless(a,
        b) << 6 | islessequal(a, b) << 7 | isgreater(a, b) << 8 | isgreaterequal(a, b) << 9 | isequal(a, b) <<
        10 | isnotequal(a, b) << 11 | islessgreater(a, b) << 12 | isunordered(a, b) << 13 | isordered(a, b) <<
        14 | !(a < b) << 15 | (a && b) << 16 | (a || b) << 17;
    d[3] = r;
  }
}
