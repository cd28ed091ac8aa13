// Integers at their edges: quotients, shifts, signed and unsigned operands mixed, compound assignments that convert.
// invocations 32, workgroup 8, words 1024
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

void main() {
  uint i = gl_GlobalInvocationID.x;
  o = i * 32u;
  int a = int(src[i]);
  uint b = src[(i + 5u) & 63u];
  uint n = b & 31u;
  put(src[i] / (b | 1u));
  put(src[i] % (b | 1u));
  put((a & 0x7fffffff) / int(n + 1u));
  put((a & 0x7fffffff) % int(n + 1u));
  put(a / -3 + (-7) / 2);
  put(a >> n);
  put(src[i] >> n);
  put(a << n);
  put(a >> 31);
  put(-1 < 0u);
  put(a < b);
  put(a + b);
  put(a * 3u >> 1);
  put(~a & int(~b));
  put(-a - -a);
  put(-b);
  uint u = 7u;
  u += a;
  u *= -1;
  put(u);
  u <<= 3;
  u ^= a;
  put(u);
  float f = 0.5;
  f += a >> 8;
  f *= n;
  put(f);
  put(a == b ? 1 : 2u);
  put(i > 3u ? -1.5 : 2);
  int s = a;
  s >>= n;
  s |= 1;
  s = (s & 0x7fffffff) % 1;
  put(s);
  put(a * a);
  put(abs(a) + sign(a));
  put(min(a, -5) ^ max(a, 5));
  put(clamp(a, -100, 100));
  put(clamp(b, 10u, 1000u));
  ivec3 v = ivec3(a, b, i);
  v /= ivec3(2, 3, 4);
  v = v << uvec3(1, 2, n);
  v -= 1;
  put(v.x ^ v.y ^ v.z);
  uvec2 q = uvec2(a, b) + ivec2(-1, 1);
  put(q.x * 31u + q.y);
  put(0xffffffffu + 1u - (1 << 31));
  put(2147483647 + int(i));
}
