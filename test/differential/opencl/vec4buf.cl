// A buffer of int4, parts of its elements written.
// invocations 8, workgroup 4, words 256
__kernel void k(__global const int4 *src, __global int4 *dst) {
  int i = get_global_id(0);
  __global int4 *d = dst + i * 8;
  d[0] = src[i];
  d[1] = src[i].wzyx;
  d[1].x = 5;
  d[2].zw = src[i + 1].xy;
  d[2].y += 3;
  d[3] = src[i] > src[i + 1];
  d[4] = (d[0] & 0xff) * 2 - (d[1] & 0xff);
  d[5] = (int4)(src[i].lo, src[i].hi.y, 1);
  int k = i & 3;
  d[6] = -~(src[7 - i] & 0xffff);
  d[7] = (d[6] & 255) % 7;
  d++;
  d->w = 99;
}
