// Comparisons of operands of different sign and width.
// invocations 32, workgroup 4, words 1024
__kernel void k(__global const int *src, __global int *dst) {
  int i = get_global_id(0);
  int a = src[i];
  uint ua = (uint)a;
  for (int j = 0; j < 32; j++) {
    int b = src[j];
    uint ub = src[j];
    int r = 0;
    r |= (a < ub) << 0;
    r |= (a < b) << 1;
    r |= (ua < b) << 2;
    r |= (ua >= ub) << 3;
    r |= (a > 0u) << 4;
    r |= (b / 2 - 1 < 0) << 5;
    r |= ((uchar)a < (char)b) << 6;
    r |= ((ushort)a > b) << 7;
    r |= (a == ub) << 8;
    r |= ((short)a < ub) << 12;
    r |= ((a ^ b) < 0) << 13;
    r |= (-1 < ub) << 14;
    r |= ((a & 0xffu) - 10 < 100) << 15;
    dst[i * 32 + j] = r;
  }
}
