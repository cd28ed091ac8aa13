// Vectors from parts, scalars widened.
// invocations 8, workgroup 4, words 256
__kernel void k(__global const int *src, __global int *dst) {
  int i = get_global_id(0);
  __global int *d = dst + i * 32;
  int4 a = (int4)(i);
  int4 b = (int4)(a.xy, 7, i);
  int4 c = (int4)(1, a.yz, b.w);
  int4 e = 5;
  int4 f = a + 3;
  f = 2 * f - 1;
  vstore4(a, 0, d);
  vstore4(b, 1, d);
  vstore4(c, 2, d);
  vstore4(e + f, 3, d);
  float4 g = (float4)(1, 2.5f, i, -3);
  float4 h = g * 2 + 1.0f;
  h /= 2;
  vstore4(as_int4(h), 4, d);
  h = 1 / (g + 10.0f);
  vstore4(convert_int4(h * 1000.0f), 5, d);
  uchar4 u = (uchar4)(300, -1, i, 'a');
  d[24] = as_int(u);
  u += (uchar)250;
  d[25] = as_int(u);
  u = u * (uchar4)(2);
  d[26] = as_int(u);
  short2 s = (short2)(40000, i);
  s -= (short2)(1, 2);
  d[27] = as_int(s);
  const int2 arr[2] = {(int2)(1, 2), (int2)(3)};
  d[28] = arr[i & 1].x + arr[i & 1].y;
  int2 p = -arr[0];
  d[29] = p.x + p.y;
  int3 q = (int3)(1, 2, 3) * (int3)(i);
  d[30] = q.z;
  d[31] = ((int2)(i, 4) > (int2)(2, 5)).x;
}
