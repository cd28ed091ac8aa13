// Structs and arrays as values: copies, comparisons, results, arrays of arrays, names shared with functions.
// invocations 8, workgroup 8, words 512
#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) readonly buffer Src { uint src[]; };
layout(set = 0, binding = 1) buffer Dst { uint dst[]; };

uint o;

void put(uint v) {
  dst[o++] = v;
}
void put(int v) {
  put(uint(v));
}
void put(float v) {
  put(floatBitsToUint(v));
}
void put(bool v) {
  put(v ? 1u : 0u);
}
void put(uvec2 v) {
  put(v.x);
  put(v.y);
}
void put(ivec4 v) {
  put(uvec2(v.xy));
  put(uvec2(v.zw));
}

struct Inner {
  ivec2 v;
  bool on;
  int list[3];
};
struct Outer {
  Inner a;
  Inner b[2];
  float f;
};
const int primes[5] = int[](2, 3, 5, 7, 11);
const Inner unit = Inner(ivec2(1, -1), true, int[](4, 5, 6));
Outer last;

Inner turned(Inner x) {
  x.v = x.v.yx;
  x.list[x.v.x & 1] += 100;
  x.on = !x.on;
  return x;
}
int[3] steps(int by) {
  int r[3];
  for (int i = 0; i < r.length(); i++) r[i] = i * by;
  return r;
}
int total(int list[3]) {
  list[0] *= 2;
  return list[0] + list[1] + list[2];
}
Outer made(int n) {
  Outer m = Outer(unit, Inner[2](turned(unit), unit), float(n));
  m.b[n & 1].v.y = n;
  last = m;
  m.a.list = steps(n);
  return m;
}
bool same(int a[3], int b[3]) {
  return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}
bool same(Inner a, Inner b) {
  return a.v == b.v && a.on == b.on && same(a.list, b.list);
}
bool same(Inner a[2], Inner b[2]) {
  return same(a[0], b[0]) && same(a[1], b[1]);
}
bool same(Outer a, Outer b) {
  return same(a.a, b.a) && same(a.b, b.b) && a.f == b.f;
}
void main() {
  int i = int(gl_GlobalInvocationID.x);
  o = uint(i) * 64u;
  Outer x = made(i);
  Outer y = x;
  y.b[0] = y.b[1];
  y.b[1].list[2] = -1;
  y.a.on = false;
  put(same(x.b[0], y.b[0]));
  put(same(x, y));
  put(!same(x.b[1], y.b[1]));
  put(same(last.a, unit));
  put(last.b[i & 1].v.y);
  put(same(turned(turned(unit)), unit));
  put(turned(turned(unit)).list[0]);
  put(x.a.list[2]);
  put(total(x.a.list) + x.a.list[0]);
  put(steps(3)[2]);
  put(y.b[0].list[1] + y.b[1].list[2]);
  put(primes[i % 5] * primes.length());
  int grid[2][3] = int[2][3](int[](1, 2, 3), steps(i));
  put(same(grid[1], x.a.list));
  grid[0] = grid[1];
  grid[1][i % 3] = 50;
  put(total(grid[0]) + total(grid[1]) * 1000);
  put(grid.length() * 10 + grid[0].length());
  int copy[2][3] = grid;
  copy[0][1]++;
  put(same(copy[0], grid[0]));
  put(same(copy[1], grid[1]));
  put(copy[0][1] - grid[0][1]);
  Inner many[3];
  for (int n = 0; n < 3; n++) {
    many[n] = unit;
    many[n].v *= n;
    many[n].list[n] = n;
  }
  many[1] = turned(many[(i + 1) % 3]);
  Inner old = many[i % 3];
  many[i % 3] = many[2];
  many[2] = old;
  for (int n = 0; n < 3; n++) put(many[n].v.x + many[n].v.y * 10 + many[n].list[n] * 100);
  put(same(many[0], many[1]) ? many[2].on : many[0].on);
  Outer both[2] = Outer[](x, y);
  both[0].b = both[1].b;
  put(same(both[0].b, y.b));
  put(both[0].b[1].list[2]);
  put(x.b[1].list[2]);
  (both[i & 1] = x).f;
  put(same(both[i & 1], x));
  x.f = x.f / 2.0;
  put(x.f);
}
