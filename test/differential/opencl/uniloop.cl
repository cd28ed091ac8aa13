// Barriers in a loop that the workgroup leaves together.
// invocations 16, workgroup 8, words 64
__kernel void k(__global const int *src, __global int *dst) {
  __local int a[8], b[8];
  __local int *p = a, *q = b;
  int l = get_local_id(0), g = get_group_id(0);
  a[l] = src[l + g * 8] & 15;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int r = 0; ; r++) {
    if (r == 3 + g) break;
    int v = a[(l + 1) % 8] + a[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (v > 60) v -= 60;
    a[l] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (g == 1 && r == 2) continue;
    b[l] = v + r;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  dst[g * 8 + l] = a[7 - l];
  dst[16 + g * 8 + l] = b[(l + 3) & 7];
}
