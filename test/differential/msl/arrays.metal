// array<T, N> by value, by reference, returned, and in a struct; default arguments.
// invocations 32, workgroup 8, words 128
#include <metal_stdlib>
using namespace metal;

constant array<uint, 3> weights = {1, 10, 100};

struct Pair {
  array<uint, 2> of;
  uint n;
};

uint total(array<uint, 3> v, uint scale = 1) {
  uint sum = 0;
  for (uint j = 0; j < v.size(); j++) {
    sum += v[j] * weights[j] * scale;
    v[j] = 0;
  }
  return sum + v[0];
}

array<uint, 3> turned(array<uint, 3> v) {
  array<uint, 3> r;
  for (uint j = 0; j < 3; j++) r[j] = v[2 - j];
  return r;
}

void step(thread array<uint, 3> &v, uint by) {
  v[by % 3] += by;
}

kernel void k(device const uint *src [[buffer(0)]], device uint *dst [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  array<uint, 3> a = {i, i + 1, src[i] & 7};
  array<uint, 3> b = a;
  step(b, i);
  dst[i * 4] = total(a);
  dst[i * 4 + 1] = total(turned(b), 2);
  Pair p = {{i, 2}, 5};
  Pair q = p;
  q.of[1] += p.n;
  dst[i * 4 + 2] = q.of[1] * 100 + p.of[1];
  dst[i * 4 + 3] = a[2] + uint(a.size());
}
