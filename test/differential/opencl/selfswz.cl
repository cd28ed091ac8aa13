// Swizzles assigned from the same vector, assignments as values, components by index.
// invocations 8, workgroup 4, words 256
__kernel void k(__global const int *src, __global int *dst) {
  int i = get_global_id(0);
  __global int *d = dst + i * 32;
  int4 v = (int4)(i, 10, 20, 30);
  v.xy = v.yx;
  v.zw = v.wz + v.xy;
  v = v.wxyz;
  vstore4(v, 0, d);
  v.yzw = v.xyz;
  vstore4(v, 1, d);
  v.xz += v.zx;
  vstore4(v, 2, d);
  v.x = v.y = v.z = 7 + i;
  vstore4(v, 3, d);
  int2 a[2];
  a[0] = v.lo;
  a[1] = a[0].yx;
  a[0].x = a[1].y++;
  vstore4((int4)(a[0], a[1]), 4, d);
  int4 w = v;
  w.x += v.y += 3;
  vstore4(w + v, 5, d);
  v.w = v.x > 3 ? v.y : v.z;
  v -= v.wwww;
  vstore4(v, 6, d);
  int k = 2;
  v[k & 3] = 5;
  vstore4(v, 7, d);
}
