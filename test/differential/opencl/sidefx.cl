// Short circuits, conditionals, comma, assignments as values, steps in subscripts.
// invocations 16, workgroup 4, words 256
int bump(__private int *p, int by) {
  *p += by;
  return *p;
}
__kernel void k(__global const int *src, __global int *dst) {
  int i = get_global_id(0);
  int o = i * 16;
  int n = i;
  if (n > 3 && bump(&n, 10) > 15) n++;
  dst[o] = n;
  if (n < 5 || bump(&n, 100) < 0) n += 2;
  dst[o+1] = n;
  int t = (i & 1) ? bump(&n, 1) : bump(&n, 1000);
  dst[o+2] = t;
  dst[o+3] = n;
  int x = (n++, ++n, n * 2);
  dst[o+4] = x;
  int arr[4] = {1, 2, 3, 4};
  int p = 0;
  arr[p++] = 10;
  arr[p] += 5;
  p++;
  arr[++p] = 7;
  dst[o+5] = arr[0] + arr[1] * 100 + arr[2] * 10000 + arr[3] * 1000000;
  dst[o+6] = p;
  int y, z;
  y = z = i * 3;
  dst[o+7] = y + z;
  y = (z += 4) * 2;
  dst[o+8] = y;
  dst[o+9] = z;
  dst[o+10] = i < 3 ? i < 1 ? 10 : 20 : i < 7 ? i == 5 ? 30 : 40 : 50;
  dst[o+11] = i++ + 5;
  i--;
  int w = !(i - 4);
  dst[o+12] = w + (i && 8) + (i || 0) * 4;
  dst[o+13] = -(-i) - -i;
  dst[o+14] = i - - 1 + + 2;
  dst[o+15] = ~-i & !!i | i ^ 3 & 2;
}
