// Swizzles as l-values, nested and by half.
// invocations 8, workgroup 4, words 512
__kernel void k(__global const int *src, __global int *dst) {
  int i = get_global_id(0);
  __global int *d = dst + i * 64;
  int4 v = (int4)(i, i + 1, i + 2, i + 3);
  v.xy = v.zw;
  vstore4(v, 0, d);
  v.lo = (int2)(9, 8);
  v.hi.y = 5;
  vstore4(v, 1, d);
  v.odd = v.even;
  vstore4(v, 2, d);
  v.s3 = 1;
  v.s02 = v.s31;
  vstore4(v, 3, d);
  v.wzyx = v;
  vstore4(v, 12, d);
  v.x++;
  v.yz *= 2;
  v.zw += v.xy;
  vstore4(v, 13, d);
  int3 t = v.xyz;
  t.zx = t.xy;
  vstore3(t, 18, d);
  d[57] = v.s1 + t.s2;
  int2 u = t.yy;
  u.yx = u + (int2)(1, 2);
  d[58] = u.x;
  d[59] = u.y;
  d[60] = ((int4)(1, 2, 3, 4)).z;
  d[61] = (v + 1).w;
}
