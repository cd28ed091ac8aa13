// Helpers with pointers into each address space, walking pointers, pointers to members.
// invocations 8, workgroup 4, words 128, local 64
typedef struct {
  int a;
  int b[3];
  float f;
} S;
int sumg(__global const int *p, int n) {
  int s = 0;
  while (n--) s += *p++ & 0xff;
  return s;
}
int suml(__local int *p, int n) {
  int s = 0;
  for (__local int *q = p; q < p + n; ++q) s = s * 3 + *q;
  return s;
}
int sump(int *p, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) s = s * 5 + p[i];
  return s;
}
int sumc(__constant const int *p, int n) {
  int s = 0;
  for (int i = n - 1; i >= 0; --i) s = s * 7 + *(p + i);
  return s;
}
__constant int table[4] = {4, 3, 2, 1};
void fill(S *s, int v) {
  s->a = v;
  s->b[1] = v + 1;
  (*s).b[2] = v + 2;
  s->f = v * 0.5f;
}
void swap(int *a, int *b) {
  int t = *a;
  *a = *b;
  *b = t;
}
__kernel void k(__global const int *src, __global int *dst, __local int *lm) {
  int i = get_global_id(0);
  int l = get_local_id(0);
  lm[l] = src[i] & 0xff;
  barrier(CLK_LOCAL_MEM_FENCE);
  __global int *d = dst + i * 16;
  int arr[5] = {i, i + 1, i * 2};
  *d++ = sumg(src + i, 4);
  *d++ = suml(lm, 4);
  *d++ = suml(&lm[1], 2);
  *d++ = sump(arr, 5);
  *d++ = sump(&arr[1], 3);
  *d++ = sumc(table, 4);
  *d++ = sumc(table + 1, 2);
  S s;
  s.b[0] = 9;
  fill(&s, i);
  *d++ = s.a + s.b[0] + s.b[1] * 10 + s.b[2] * 100;
  *d++ = (int)(s.f * 2.0f);
  *d++ = sump(s.b, 3);
  swap(&arr[0], &arr[2]);
  *d++ = sump(arr, 3);
  swap(&s.a, s.b + 2);
  *d++ = s.a * 10 + s.b[2];
  int *p = arr;
  p += 2;
  *p = 77;
  p--;
  *d++ = *p + p[1] + *(p - 1);
  int x = 1;
  int *px = &x;
  *px = *px + 5;
  (*px)++;
  *d++ = x;
  d[0] = *(src + 3) + src[2 + 1];
}
