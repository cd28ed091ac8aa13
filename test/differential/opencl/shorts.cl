// A buffer of short.
// invocations 8, workgroup 4, words 256
__kernel void k(__global const ushort *src, __global short *dst) {
  int i = get_global_id(0);
  __global short *d = dst + i * 32;
  d[0] = src[i];
  d[1] = (uint)src[i] * src[i + 8];
  d[2] = src[2 * i] >> 3;
  d[3] -= src[i];
  d[3] /= 3;
  short2 v = as_short2(vload2(i, src));
  v += (short2)(30000);
  vstore2(v, 2, d);
  short3 w = (short3)(v, 7) * (short)3;
  vstore3(w, 2, d);
  d[10] = src[i] / -3;
  d[11] = d[3] % 7;
  d[12] = d[3] << 3;
  d[12] >>= 2;
  d[13] = max(d[0], d[1]);
  d[14] = src[i] == d[0];
  d[15] = abs(d[3]);
  ushort u = d[3];
  d[16] = u / 3;
  d[17] = u > d[3];
  d[18] = (u - 1) < 0;
}
