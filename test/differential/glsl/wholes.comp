// Whole structs, arrays and matrices compared, matrices stepped, and made of calls whose effects come in order.
// invocations 8, workgroup 8, words 256
#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) readonly buffer Src { uint src[]; };
layout(set = 0, binding = 1) buffer Dst { uint dst[]; };

struct Inner {
  vec2 v;
  int n;
};
struct Outer {
  Inner list[2];
  mat2 m;
  bool flag;
};

uint o;
uint calls;

void put(uint v) {
  dst[o++] = v;
}
void put(bool v) {
  put(v ? 1u : 0u);
}
void put(float v) {
  put(floatBitsToUint(v));
}
void put(mat2 m) {
  put(m[0].x);
  put(m[0].y);
  put(m[1].x);
  put(m[1].y);
}
float f(uint k) {
  calls = calls * 3u + k;
  return float(src[(calls + k) & 63u] & 15u);
}
mat2 made(float x) {
  calls++;
  return mat2(x, 1, 2, x);
}
Outer outer(float x, int n) {
  calls += 7u;
  return Outer(Inner[2](Inner(vec2(x, 1), n), Inner(vec2(2), 3)), mat2(x), n > 0);
}

void main() {
  uint i = gl_GlobalInvocationID.x;
  o = i * 32u;
  calls = i;
  float x = float(i & 3u);
  Outer a = outer(x, int(i & 1u));
  Outer b = outer(float(i & 1u), int(i & 3u));
  put(a == b);
  put(a != b);
  put(a.list == b.list);
  put(a.list[1] != b.list[1]);
  put(a.m == b.m);
  put(mat2(x) != a.m);
  put(outer(1, 1) == a && outer(x, 0) != outer(x, 0));
  float nan = uintBitsToFloat(0x7fc00000u | i);
  put(mat2(nan) == mat2(nan));
  put(mat2(nan) != mat2(nan));
  int c[3] = int[](1, 2, int(i));
  int d[3] = int[](1, 2, 3);
  put(c == d);
  put(c != d);
  mat2 m = mat2(f(1u), f(2u), f(3u), f(0u));
  put(m);
  mat2x3 r = mat2x3(vec3(1, f(1u), 2), f(3u), 4, 5);
  put(r[0].y + r[1].x);
  mat2 s = m++;
  put((++m)[1].y - s[1].y);
  --m;
  mat2 t[2] = mat2[](m, s);
  uint k = 0u;
  t[k++]--;
  put(t[0]--[0].x + t[0][0].x);
  t[k] /= f(k);
  put(made(2) / 2.0 == made(4) - made(2));
  put(mat2(mat4(f(2u)))[0].x + mat2(f(1u))[1].y);
  put(made(x)[i & 1u].y);
  put(k + uint(calls));
  put(t[1] == s);
}
