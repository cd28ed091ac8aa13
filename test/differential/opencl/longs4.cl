// 64-bit indices and offsets, switches and conditions on 64-bit values, and a size_t that needs all its bits.
// invocations 32, workgroup 8, words 1024
__kernel void k(__global const int *src, __global int *dst) {
  size_t i = get_global_id(0);
  long li = (long)i * 3 - 5;
  ulong u = ((ulong)src[i] << 7) % 64;
  int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
  __global int *o = dst + i * 32;
  o[0] = src[u];
  o[1] = src[(li & 63)];
  __global const int *p = src + ((li & 31) + 10);
  o[2] = *p + p[-1L] + *(p - (long)2);
  o[3] = table[u & 7];
  size_t hash = 14695981039346656037UL;
  for (int j = 0; j < 4; j++) {
    hash ^= (uint)src[(i + j) & 63];
    hash *= 1099511628211UL;
  }
  o[4] = (int)hash;
  o[5] = (int)(hash >> 32);
  o[6] = hash > 0x7fffffffffffffffUL;
  switch (li) {
    case 1: o[7] = 11; break;
    case -2L: o[7] = 22; break;
    case 0x100000001L: o[7] = 33; break;
    default: o[7] = 44;
  }
  o[8] = li ? 1 : 2;
  o[9] = !u;
  o[10] = (li && u) + 2 * (li || u);
  o[11] = vload2(u & 7, src).x;
  long4 v = (long4)(li, u, 7, -1);
  o[12] = (int)v[li & 3];
  v[u & 3] += 100;
  o[13] = (int)(v.x + v.y + v.z + v.w);
  vstore2((int2)((int)u, (int)li), (ulong)7, o);
  o[16] = (int)(1000000 / (li == 0 ? 1 : li));
  o[17] = src[i] >> u;
  o[18] = src[i] << (li & 31);
  long big = src[i];
  big *= 4000000000L;
  o[19] = (int)(big / 1000000007L);
  o[20] = (int)(big % 1000000007L);
  while (big > 5 || big < -5) big /= 7;
  o[21] = (int)big;
  int r = 5;
  r += big;
  r *= 100000000000L;
  o[22] = r;
  o[23] = (char)li + (uchar)(li * 50) + (short)(li * 3000);
  bool b = big;
  o[24] = b;
  o[25] = (int)max(li, 2L) + (int)min((ulong)3, u);
  o[26] = (int)sizeof(long4);
  o[27] = (int)((ulong)-li >> 60);
}
