// Names hidden in inner scopes, and names of builtin functions as variables.
// invocations 8, workgroup 4, words 64
__constant int scale = 3;
int f(int x) {
  int scale = 5;
  {
    int x = scale;
    scale += x;
  }
  return scale + x;
}
__kernel void k(__global const int *src, __global int *dst) {
  int i = get_global_id(0);
  int r = f(i) * scale;
  for (int i = 0; i < 3; i++) {
    int r = i;
    src[r] ;
    r++;
  }
  {
    int i = 9;
    r += i;
  }
  int max_ = max(r, 4);
  int f = 2;
  int k = f + i;
  dst[i] = r;
  dst[8 + i] = max_ + k;
  if (i > 2) {
    int r = 7;
    dst[16 + i] = r;
  } else {
    int r = 8, s = r;
    dst[16 + i] = r + s;
  }
  float sin_ = 1;
  int dot = 3, length = 4, cross = 5, min = 6;
  dst[24 + i] = dot + length + cross + min;
}
