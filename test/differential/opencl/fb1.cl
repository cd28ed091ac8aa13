// Float functions of one operand at their edges.
// invocations 32, workgroup 4, words 1024, nan
#pragma OPENCL FP_CONTRACT OFF
__kernel void k(__global const float *src, __global float *dst) {
  int i = get_global_id(0);
  float f = src[32 + i];
  __global float *d = dst + i * 32;
  d[0] = round(f);
  d[1] = rint(f);
  d[2] = trunc(f);
  d[3] = floor(f);
  d[4] = ceil(f);
  float fl;
  d[5] = isinf(f) ? 0 : fract(f, &fl);
  d[6] = isinf(f) ? 0 : fl;
  int e;
  d[7] = frexp(f, &e);
  d[8] = (isinf(f) || isnan(f)) ? 0 : e;
  float ip;
  d[9] = modf(f, &ip);
  d[10] = ip;
  d[11] = fabs(f);
  d[12] = sign(f);
  d[13] = copysign(1.5f, f);
  d[16] = ldexp(f, 3);
  d[17] = ldexp(f, -140);
  d[18] = f * f;
  d[19] = f + 1.0f;
  d[20] = isnan(f);
  d[21] = isinf(f);
  d[22] = isfinite(f);
  d[23] = isnormal(f);
  d[24] = signbit(f);
  d[27] = sqrt(fabs(f));
  d[28] = -f;
  d[29] = 1.0f / f;
  d[30] = f != 0.0f ? 1 : 0;
  d[31] = 1;
}
