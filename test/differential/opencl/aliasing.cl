// Helpers that change elements and members through pointers.
// invocations 8, workgroup 4, words 256
void add(int *a, int *b) {
  *a += *b;
  *b += *a;
}
int first(const int *p, int n) {
  int best = p[0];
  for (int i = 1; i < n; i++) if (p[i] > best) best = p[i];
  return best;
}
void rev(int *p, int n) {
  for (int i = 0, j = n - 1; i < j; i++, j--) {
    int t = p[i];
    p[i] = p[j];
    p[j] = t;
  }
}
typedef struct {
  int v[4];
  int n;
} L;
void push(L *l, int x) {
  l->v[l->n++] = x;
}
int pop(L *l) {
  return l->v[--l->n];
}
int sum(L l) {
  int s = 0;
  while (l.n > 0) s = s * 10 + pop(&l);
  return s;
}
__kernel void k(__global const int *src, __global int *dst) {
  int i = get_global_id(0);
  __global int *d = dst + i * 32;
  int a[4] = {i, 5, 2, 9};
  add(&a[0], &a[1]);
  add(&a[2], a + 3);
  for (int j = 0; j < 4; j++) d[j] = a[j];
  d[4] = first(a, 4);
  rev(a, 4);
  for (int j = 0; j < 4; j++) d[5 + j] = a[j];
  rev(a + 1, 2);
  d[9] = a[1];
  L l;
  l.n = 0;
  push(&l, i);
  push(&l, 2);
  push(&l, 3);
  d[10] = sum(l);
  d[11] = pop(&l) + l.n;
  L m = l;
  m.v[0] = 99;
  d[12] = l.v[0];
  d[13] = m.v[0];
  d[14] = l.n;
  L *pl = &m;
  push(pl, 4);
  d[15] = pl->v[m.n - 1];
  int x = 3;
  add(&x, &a[0]);
  d[16] = x;
  d[17] = a[0];
}
