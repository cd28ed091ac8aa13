// Two-dimensional local arrays and local structs, barriers in uniform loops.
// invocations 16, workgroup 16, words 64
__kernel __attribute__((reqd_work_group_size(16, 1, 1))) void k(__global const int *src, __global int *dst) {
  __local int t[4][5];
  __local struct {
    int x;
    short y[2];
  } q[4];
  __local int total;
  int l = get_local_id(0);
  int r = l / 4, c = l % 4;
  t[r][c] = (src[l] & 0xffff) + l;
  if (l < 4) {
    q[l].x = l * 3;
    q[l].y[0] = (short)(l - 2);
    q[l].y[1] = (short)(70000 + l);
  }
  if (l == 0) total = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  dst[l] = t[c][r];
  dst[16 + l] = q[r].x + q[c].y[0] * 10 + q[(r + c) & 3].y[1];
  for (int s = 1; s < 16; s <<= 1) {
    int v = 0;
    if (l >= s) v = t[(l - s) / 4][(l - s) % 4];
    barrier(CLK_LOCAL_MEM_FENCE);
    t[r][c] += v;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  dst[32 + l] = t[r][c];
  atomic_add(&total, t[c][r]);
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  int step = 8;
  while (step > 0) {
    if (l < step) t[l / 4][l % 4] ^= t[(l + step) / 4][(l + step) % 4];
    barrier(CLK_LOCAL_MEM_FENCE);
    step /= 2;
  }
  dst[48 + l] = t[0][0] + total;
}
