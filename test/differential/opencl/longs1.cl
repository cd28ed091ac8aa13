// 64-bit integers: arithmetic, comparisons, shifts, conversions, bit casts, compound assignments, literals.
// invocations 64, workgroup 8, words 4096
long at(__global const int *src, int i) { return ((long)src[i] << 32) | (uint)src[(i * 7 + 3) & 63]; }

__kernel void k(__global const int *src, __global int *dst) {
  int i = get_global_id(0);
  long a = at(src, i);
  long b = at(src, (i + 17) & 63);
  ulong ua = (ulong)a, ub = as_ulong(b);
  long r[32];
  r[0] = a + b;
  r[1] = a - b;
  r[2] = a * b;
  r[3] = b != 0 && !(a == (-9223372036854775807L - 1) && b == -1) ? a / b : 7;
  r[4] = b != 0 && !(a == (-9223372036854775807L - 1) && b == -1) ? a % b : 9;
  r[5] = ub != 0ul ? ua / ub : 0ul;
  r[6] = ub != 0ul ? ua % ub : 0ul;
  r[7] = (a & b) | (a ^ ~b);
  r[8] = a << (src[i] & 63);
  r[9] = a >> src[i];
  r[10] = ua >> (ulong)src[i];
  r[11] = ua << 65;
  r[12] = (a < b) + 2 * (a <= b) + 4 * (ua < ub) + 8 * (ua >= ub) + 16 * (a == b) + 32 * (a != 5) + 64 * (ua > 0xffffffffUL);
  r[13] = (int)a;
  r[14] = (short)b;
  r[15] = (uchar)a;
  r[16] = (uint)src[i];
  r[17] = src[i];
  r[18] = -a;
  r[19] = !a;
  a += 5;
  a *= src[i];
  a ^= 0x123456789abcdefL;
  r[20] = a;
  a <<= 3;
  a -= b;
  r[21] = a;
  ua >>= 11;
  ua |= 0x8000000000000000UL;
  r[22] = ua;
  r[23] = a++;
  r[24] = --a;
  r[25] = (a > b) ? a : b;
  r[26] = (ulong)(uint)src[i] * (uint)src[(i + 5) & 63];
  r[27] = a ? 18446744073709551615UL : 4294967296L;
  r[28] = as_int2(b).y;
  r[29] = as_long((int2)(src[i], i));
  uint n = src[i];
  n += a;
  r[30] = n;
  int acc = 0;
  for (long j = a & 7; j < 12; j += 2) acc += (int)j;
  r[31] = acc;
  for (int j = 0; j < 32; j++) {
    dst[i * 64 + j * 2] = (int)r[j];
    dst[i * 64 + j * 2 + 1] = (int)(r[j] >> 32);
  }
}
