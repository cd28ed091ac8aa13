// A buffer of char.
// invocations 8, workgroup 4, words 256
__kernel void k(__global const uchar *src, __global char *dst) {
  int i = get_global_id(0);
  __global char *d = dst + i * 64;
  uchar4 c = vload4(i, src);
  vstore4(as_char4(c), 0, d);
  uchar3 e = vload3(i, src + 1);
  vstore3(as_char3(e), 3, d);
  d[13] = src[i] + src[i + 1];
  d[14] += src[i * 5];
  d[15] = (src[i] > d[0]);
  d[16] = src[i] >> 1;
  d[17]--;
  d[18] = d[17]++;
  d[19] |= src[i + 64];
  int x = src[i + 3] - 300;
  d[20] = x;
  d[21] = x >> 8;
  char z = d[21];
  z *= z;
  d[22] = z;
  d[23] = -z;
  d[24] = ~z;
  d[25] = z < 0 ? -z : z;
  d[26] = 'x';
  d[27] += 300;
  d[28] = (d[27] -= 50) / 3;
  *(d + 29) = c.x ^ c.w;
}
