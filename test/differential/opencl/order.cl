// Side effects in the order that conditions, loops and commas give them.
// invocations 8, workgroup 4, words 128
int f(__global int *d, int v) {
  d[0] = d[0] * 10 + v;
  return v;
}
__kernel void k(__global const int *src, __global int *dst) {
  int i = get_global_id(0);
  __global int *d = dst + i * 16;
  int x = (f(d, 1), f(d, 2));
  x += f(d, 3) ? f(d, 4) : f(d, 5);
  if (f(d, 0) && f(d, 6)) x++;
  if (f(d, 7) || f(d, 8)) x++;
  d[1] = x;
  int j = 0;
  while (j < 3 && f(d + 2, j + 1)) j++;
  do {
    if (f(d + 3, j) == 2) continue;
    j--;
  } while (j-- > 0);
  d[4] = j;
  for (int q = f(d + 5, 1); q < f(d + 5, 3); q += f(d + 5, 1)) d[6] += q;
  switch (f(d + 7, 2)) {
    default: d[8] = 1;
    break;
    case 2: d[8] = f(d + 7, 9);
  }
  int arr[3] = {f(d + 9, 1), 2, 3};
  d[10] = arr[0];
  d[11] = i > 3 && (d[12] = 5, i < 6);
  d[13] = (i == 2 || i == 5) && !(i == 5 && d[11]);
}
