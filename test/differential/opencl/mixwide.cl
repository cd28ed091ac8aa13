// Arithmetic of ints and floats mixed.
// invocations 32, workgroup 4, words 512
__kernel void k(__global const int *src, __global int *dst) {
  int i = get_global_id(0);
  __global int *d = dst + i * 16;
  int a = src[i];
  uint u = a;
  float f = 1.5f;
  d[0] = as_int(a * f);
  d[1] = as_int(u * f);
  d[2] = as_int((float)a + u);
  d[3] = (a & 255) * 1.5f;
  d[4] = as_int(a / 2 + 0.5f);
  d[5] = as_int(u / 2 * 0.5f);
  float4 v = (float4)(a & 15) * 2;
  d[6] = as_int(v.x + a % 3);
  int4 c = convert_int4(v) + (int4)(a & 7, 1, 2, 3);
  d[7] = c.y;
  v += 1;
  v *= (float4)(1, 2, 3, 4);
  d[8] = as_int(v.w);
  d[9] = as_int(a > 0 ? 1 : 0.5f);
  d[10] = as_int((uchar)a + 0.25f);
  d[11] = as_int(-(float)u);
  d[12] = (int)((a & 1023) / 3.0f);
  d[13] = a > 1e9f;
  d[14] = u > 3e9f;
  d[15] = (float)a == a;
}
