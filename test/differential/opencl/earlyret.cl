// return from inside loops of helpers and of the kernel.
// invocations 16, workgroup 4, words 64
int find(__global const int *p, int n, int what) {
  for (int i = 0; i < n; i++) {
    if (p[i] == what) return i;
    if (p[i] == 0x12345678) {
      for (;;) {
        if (what < 0) return -100;
        what--;
        if (what == 50) break;
      }
      return what;
    }
  }
  return -1;
}
void early(__global int *d, int i) {
  if (i > 10) return;
  d[0] = i;
  while (true) {
    if (d[0] > 20) return;
    d[0] += 7;
  }
}
__kernel void k(__global const int *src, __global int *dst) {
  int i = get_global_id(0);
  dst[i] = find(src, 20, src[i]);
  dst[16 + i] = find(src, 32, 52 + i);
  early(dst + 32 + i, i);
  if (i == 3) return;
  for (int j = 0; j < 5; j++) {
    if (j == i) return;
    dst[48 + i] += j + 1;
  }
}
