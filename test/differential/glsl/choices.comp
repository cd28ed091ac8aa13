// mix with a choice by component: its operands are evaluated as they are written, the condition last.
// invocations 8, workgroup 8, words 128
#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) readonly buffer Src { uint src[]; };
layout(set = 0, binding = 1) buffer Dst { uint dst[]; };
uint g;
uint bump() {
  return ++g;
}
uint twice(uint x) {
  return x * 2u;
}
uint read() {
  return g;
}
void main() {
  uint i = gl_LocalInvocationIndex, o = i * 16u;
  g = i;
  uvec2 v = mix(uvec2(g, 1u), uvec2(bump(), g), lessThan(uvec2(bump(), 3u), uvec2(4u, bump())));
  dst[o] = v.x;
  dst[o + 1u] = v.y;
  dst[o + 2u] = g;
  uint x = i;
  v = mix(uvec2(x++), uvec2(x, twice(x)), greaterThan(uvec2(x++, 4u), uvec2(3u, x)));
  dst[o + 3u] = v.x;
  dst[o + 4u] = v.y;
  dst[o + 5u] = x;
  v = mix(uvec2(read(), twice(i)), uvec2(twice(x), read()), bvec2(bump() > 6u, read() > 9u));
  dst[o + 6u] = v.x;
  dst[o + 7u] = v.y;
  dst[o + 8u] = mix(g, x, (g += 2u) > 8u);
  dst[o + 9u] = uint(mix(float(g), float(bump()), 0.5));
  v = mix(v, mix(v.yx, uvec2(bump(), g), lessThan(v, uvec2(g++))), notEqual(v, uvec2(g)));
  dst[o + 10u] = v.x;
  dst[o + 11u] = v.y;
}
