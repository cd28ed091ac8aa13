// Copies of in, out and inout arguments, statics behind them, methods, default values, structs by value.
// invocations 8, workgroup 8, words 512
StructuredBuffer<uint> src : register(t0);
RWStructuredBuffer<uint> dst : register(u1);

static uint o;

void put(uint v) {
  dst[o++] = v;
}
void put(int v) {
  put((uint)v);
}
void put(float v) {
  put(asuint(v));
}
void put(bool v) {
  put(v ? 1u : 0u);
}
void put(float3 v) {
  put(v.x);
  put(v.y);
  put(v.z);
}

static int g;
static int list[4];
struct Pair {
  int a;
  float2 b;
};

int sum(Pair p) {
  return p.a + (int)p.b.x;
}
void grow(inout Pair p, int by) {
  p.a += by;
  p.b *= by;
}
int change(inout int x) {
  g += 100;
  x += g;
  g = 5;
  return x;
}
void spread(int x, out int y, inout float2 v, const int z) {
  x += z;
  y = x * 2;
  v = v.yx + float(x);
  if (y > 10) return;
  y++;
  v.x = -1.0;
}
int at(inout int index) {
  return index++;
}
void element(inout int e) {
  list[1] = 77;
  g = 2;
  e += 1;
}
Pair swapped(Pair p, inout Pair q) {
  Pair old = q;
  q.a = p.a;
  p.b = q.b.yx;
  q.b.x += 1.0;
  p.a += old.a;
  return p;
}
[numthreads(8, 1, 1)]
void main(uint3 gid : SV_DispatchThreadID, uint3 lid : SV_GroupThreadID) {
  uint i = gid.x;
  o = i * 64u;
  g = (int)i;
  put(change(g));
  put(g);
  int x = i;
  put(change(x));
  put(x);
  put(g);
  float2 v = float2(1, 2);
  int y = 3;
  spread(y, y, v, 2);
  put(y);
  put(v.x - v.y * 10);
  spread(i, x, v.yx, y);
  put(x);
  put(v.x - v.y * 10);
  list[0] = 1;
  list[1] = 2;
  list[2] = 3;
  list[3] = 4;
  int k = 0;
  spread(1, list[2], v, 4);
  put(list[2]);
  g = 1;
  element(list[g]);
  put(list[1]);
  put(list[2]);
  put(g);
  put(at(k));
  put(k);
  Pair p = {i, float2(3, 4)}, q = {9, float2(5, 5)};
  Pair r = swapped(p, q);
  put(r.a);
  put(r.b.x + r.b.y * 10);
  put(q.a);
  put(q.b.x + q.b.y * 10);
  r = swapped(r, r);
  put(r.a);
  put(r.b.x + r.b.y * 10);
  grow(r, 3);
  put(sum(r));
  Pair both[2] = {p, q};
  both[i & 1u] = swapped(both[0], both[1]);
  grow(both[1], 2);
  put(both[0].a + both[0].b.y);
  put(both[1].a);
  put(both[1].b.x - both[1].b.y);
  int3 w = int3(1, 2, 3);
  element(w.y);
  element(w.z);
  put(w.x + w.y * 10 + w.z * 100);
  dst[o] = 3u;
  int d = dst[o];
  put(change(d));
  put(d);
}
