// Integer functions, division and saturation of vectors.
// invocations 32, workgroup 4, words 512
__kernel void k(__global const int *src, __global int *dst) {
  int i = get_global_id(0);
  __global int *d = dst + i * 16;
  uint4 u = (uint4)(src[i], src[31 - i], 7, 0x80000000u);
  uint4 h = mul_hi(u, u.wzyx);
  d[0] = h.x ^ h.y;
  h = rotate(u, (uint4)(1, 33, 31, (uint)i));
  d[1] = h.x;
  d[2] = h.y ^ h.z ^ h.w;
  h = add_sat(u, u.yxwz);
  d[3] = h.x;
  d[4] = h.w;
  int4 s = as_int4(u);
  s = sub_sat(s, s.yzwx);
  d[5] = s.x;
  d[6] = s.w;
  h = popcount(u) * 100u + clz(u);
  d[7] = h.x + h.y;
  h = abs_diff(as_int4(u), s);
  d[8] = h.x;
  d[9] = h.z;
  h = hadd(u, u.wzyx) - rhadd(u, u.wzyx);
  d[10] = h.x;
  d[11] = h.z;
  u %= (uint4)(7, 5, 3, 10);
  d[12] = u.x * 1000 + u.y * 100 + u.z * 10 + u.w;
  short4 q = convert_short4_sat(s);
  q /= (short4)(3, -3, 7, 1);
  d[13] = as_int(q.lo);
  d[14] = as_int(q.hi);
  s = (s >> 4) % 5;
  d[15] = s.x + s.y * 10;
}
