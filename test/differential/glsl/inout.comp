// Copies of in, out and inout arguments: globals behind them, components, elements by an index that the callee changes.
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
void put(vec2 v) {
  put(v.x);
  put(v.y);
}
void put(vec3 v) {
  put(v.xy);
  put(v.z);
}
void put(vec4 v) {
  put(v.xyz);
  put(v.w);
}

int g;
int list[4];
struct Pair {
  int a;
  vec2 b;
};

int change(inout int x) {
  g += 100;
  x += g;
  g = 5;
  return x;
}
void spread(int x, out int y, inout vec2 v, const in int z) {
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
void main() {
  uint i = gl_GlobalInvocationID.x;
  o = i * 64u;
  g = int(i);
  put(change(g));
  put(g);
  int x = int(i);
  put(change(x) + change(x) * 1000);
  put(x);
  put(g);
  vec2 v = vec2(1, 2);
  int y = 3;
  spread(y, y, v, 2);
  put(y);
  put(v);
  spread(int(i), x, v.yx, y);
  put(x);
  put(v);
  list = int[](1, 2, 3, 4);
  int k = 0;
  spread(1, list[k++], v, 4);
  put(list[0]);
  put(k);
  g = 1;
  element(list[g]);
  put(list[1]);
  put(list[2]);
  put(g);
  put(at(k) * 10 + at(k));
  Pair p = Pair(int(i), vec2(3, 4)), q = Pair(9, vec2(5));
  Pair r = swapped(p, q);
  put(r.a);
  put(r.b);
  put(q.a);
  put(q.b);
  r = swapped(r, r);
  put(r.a);
  put(r.b);
  Pair both[2] = Pair[](p, q);
  both[at(y) & 1] = swapped(both[0], both[1]);
  put(both[0].a);
  put(both[1].a);
  put(both[1].b);
  ivec3 w = ivec3(1, 2, 3);
  element(w[x & 1]);
  element(w.z);
  put(w.x);
  put(w.y);
  put(w.z);
  dst[o] = 3u;
  int d = int(dst[o]);
  put(change(d));
  put(d);
}
