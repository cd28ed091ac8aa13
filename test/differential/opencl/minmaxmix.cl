// min, max and clamp of vectors with scalars and of small types.
// invocations 32, workgroup 4, words 256
__kernel void k(__global const int *src, __global int *dst) {
  int i = get_global_id(0);
  __global int *d = dst + i * 8;
  int4 v = (int4)(src[i]);
  int4 r = max(v, 5);
  d[0] = r.x;
  r = clamp(v, -3, 300);
  d[1] = r.w;
  r = min(v, (int4)(1, 2, 3, 4));
  d[2] = r.z;
  d[3] = max((uint)src[i], 5u);
  d[4] = min((uchar)src[i], (uchar)77);
  d[5] = max((short)src[i], (short)-1);
  r = abs(v).s0123 > (uint4)(100u) ? (int4)(1) : (int4)(2);
  d[6] = r.y;
  d[7] = (int)abs_diff((char)src[i], (char)5);
}
