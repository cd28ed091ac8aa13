// Division and remainder by negative numbers, of small and of mixed types, by constants.
// invocations 32, workgroup 4, words 2048
__kernel void k(__global const int *src, __global int *dst) {
  int i = get_global_id(0);
  int a = src[i];
  uint ua = a;
  for (int j = 0; j < 32; j++) {
    int b = src[j];
    uint ub = b;
    if (b == 0 || (b == -1 && a == (int)0x80000000)) {
      b = 3;
      ub = 3;
    }
    uint r = a / b;
    r = r * 31 + a % b;
    r = r * 31 + (int)(ua / ub);
    r = r * 31 + (int)(ua % ub);
    char c = (char)a, d = (char)b;
    if (d == 0) d = -5;
    r = r * 31 + c / d;
    r = r * 31 + c % d;
    uchar uc = (uchar)a;
    r = r * 31 + uc / d;
    r = r * 31 + uc % d;
    r = r * 31 + (int)(a / ub);
    r = r * 31 + (int)(ua % b);
    dst[i * 32 + j] = r;
    int q = a;
    q /= b;
    q ^= ua % 7u;
    q ^= a / 4;
    q ^= a % 8;
    q ^= a / -8;
    q ^= ua / 16;
    q ^= a % -5;
    dst[1024 + i * 32 + j] = q;
  }
}
