// vload and vstore, three components among them.
// invocations 8, workgroup 4, words 256
__kernel void k(__global const int *src, __global int *dst) {
  int i = get_global_id(0);
  __global int *d = dst + i * 32;
  int3 a = vload3(i, src);
  vstore3(a, 0, d);
  int2 b = vload2(i, src + 1);
  vstore2(b, 2, d);
  int arr[8];
  for (int j = 0; j < 8; j++) arr[j] = j * i;
  int4 k4 = vload4(1, arr);
  d[17] = k4.x + k4.w;
  vstore2((int2)(5, 6), 1, arr + 1);
  d[18] = arr[3] * 10 + arr[4];
}
