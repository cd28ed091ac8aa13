// Structs by value, nested initialisers, designators, tables and enums.
// invocations 8, workgroup 4, words 256
typedef struct Inner {
  short s;
  char c[3];
  int2 v;
} Inner;
typedef struct {
  Inner in[2];
  float f;
  uchar tail;
} Outer;
enum Kind {
  A = 3, B, C = 10, D
};
typedef enum {
  X0, X1 = -5, X2
} E2;
struct pt {
  int x, y;
};
struct pt add(struct pt a, struct pt b) {
  a.x += b.x;
  a.y += b.y;
  return a;
}
struct pt make(int x) {
  struct pt r = {x, x * 2};
  return r;
}
Outer build(int i) {
  Outer o;
  o.in[0].s = (short)(i * 5000);
  o.in[0].c[0] = (char)(i * 40);
  o.in[0].c[1] = 1;
  o.in[0].c[2] = 2;
  o.in[0].v = (int2)(i, -i);
  o.in[1] = o.in[0];
  o.in[1].v.y = 77;
  o.in[1].c[1] += 126;
  o.f = 0.5f;
  o.tail = (uchar)(250 + i);
  return o;
}
int consume(Outer o) {
  o.in[0].v.x = 1000;
  return o.in[0].v.x + o.in[1].v.y + o.tail + o.in[1].c[1];
}
__constant struct pt pts[3] = {{1, 2}, {3, 4}, {5, 6}};
__constant int grid[2][3] = {{1, 2, 3}, {4, 5, 6}};
__constant float fl[] = {1.5f, -2.0f, 3};
__constant uchar bytes[8] = {1, 2, 255, [5] = 9};
__constant struct {
  int a;
  struct pt p[2];
  float w;
} cfg = {7, {{8, 9}, {10}}, 2.5f};
__kernel void k(__global const int *src, __global int *dst) {
  int i = get_global_id(0);
  int o = i * 32;
  Outer q = build(i);
  Outer r = q;
  r.in[0].v.x += 5;
  dst[o] = q.in[0].v.x;
  dst[o+1] = r.in[0].v.x;
  dst[o+2] = consume(q);
  dst[o+3] = q.in[0].v.x;
  dst[o+4] = q.in[0].s;
  dst[o+5] = q.in[1].c[1];
  dst[o+6] = q.tail;
  dst[o+7] = q.in[1].c[0];
  struct pt p = add(make(i), pts[i % 3]);
  dst[o+8] = p.x * 100 + p.y;
  dst[o+9] = add(p, p).y;
  p = make(3);
  dst[o+10] = p.y;
  dst[o+11] = grid[i & 1][i % 3];
  dst[o+12] = (int)(fl[i % 3] * 4.0f);
  dst[o+13] = bytes[i];
  dst[o+14] = cfg.p[1].x + cfg.p[1].y + cfg.a * (int)(cfg.w * 2);
  enum Kind kk = i & 1 ? B : D;
  dst[o+15] = kk;
  E2 e = X2;
  dst[o+16] = e + X1;
  dst[o+17] = A | C;
  int m[2][3] = {{1}, {2, 3}};
  dst[o+18] = m[0][0] + m[0][1] * 10 + m[1][1] * 100 + m[1][2];
  m[i & 1][2] = i;
  dst[o+19] = m[1][2] + m[0][2];
  struct pt parr[3] = {{1}, {.y = 5}, {.y = 2, .x = 3}};
  dst[o+20] = parr[0].y + parr[1].x + parr[1].y * 10 + parr[2].x * 100;
  int flat[2][2] = {1, 2, 3, 4};
  dst[o+21] = flat[1][0] * 10 + flat[0][1];
  struct pt z = {0};
  dst[o+22] = z.x + z.y;
  int des[6] = {[2] = 5, 6, [0] = 1};
  dst[o+23] = des[0] + des[2] * 10 + des[3] * 100 + des[1];
  struct pt *pp = &parr[1];
  pp->x = 9;
  pp++;
  pp->y++;
  dst[o+24] = parr[1].x + parr[2].y * 10;
  struct pt c2 = *pp;
  dst[o+25] = c2.y;
  int2 *vp = &q.in[1].v;
  vp->x = 4;
  (*vp).y = 5;
  dst[o+26] = q.in[1].v.x + q.in[1].v.y;
  struct {
    int a, b;
  } anon = {i, i + 1};
  dst[o+27] = anon.a + anon.b;
  const int lut[] = {3, 1, 2};
  dst[o+28] = lut[i % 3] + (int)(sizeof(lut) / sizeof(lut[0]));
  dst[o+29] = ((struct pt){5, 6}).y;
  dst[o+30] = (i & 1 ? pts[0] : pts[1]).x;
  dst[o+31] = 1;
}
