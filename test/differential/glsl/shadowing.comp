// Macros, constants, constant expressions, overloads, names that are words elsewhere.
// invocations 8, workgroup 8, words 512
#version 450
#define TWICE(x) x + x
#define SAFE(x) ((x) * 2)
#define PASTE(a, b) a##b
#define PICK(a, b, c) b
#define LIMIT 10u
#define EMPTY
#define CALL(f, x) f(x)
#define CALL2(f, x, y) f(x, y)
#if defined(LIMIT) && (1 << 3 | 2) == 10 && -1 < 0 && !defined(NONE)
#define CHOSEN 42
#elif 1
#define CHOSEN 7
#else
#error not this one
#endif
layout(local_size_x = 1 << 3) in;
layout(set = 0, binding = 0) readonly buffer Src { uint src[]; };
layout(set = 0, binding = 1) buffer Dst { uint dst[]; };
const int special = 5;
const bool flag = true;
const float scale = -0.25;

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

const int double1 = 3;
const uint texture1 = 0xffffffffu + 2u;
const int shifted = -9 >> 1;
const float third = 1.0 / 3.0;
const float sum = 0.1 + 0.2;
const int truncated = int(-2.75);
const vec3 folded = vec3(6, 4, 2);
const int sizes[] = int[](1, double1, double1 * double1);
const float big = 16777216.0 + 1.0;
const uint neg = uint(-3) / 2u;
int kernel(int device) {
  return device + 1;
}
uint kernel(uint device) {
  return device + 2u;
}
float kernel(float device) {
  return device + 3.0;
}
int kernel(int thread, int constant) {
  return thread - constant;
}
int min3(ivec3 v) {
  return min(v.x, min(v.y, v.z));
}

void main() {
  int i = int(gl_GlobalInvocationID.x);
  o = uint(i) * 64u;
  int half3 = i, global = 2, local = 3, groupshared = 4, cbuffer = 5, register = 6;
  put(TWICE(half3) * 3);
  put(SAFE(half3 + 1) * 3);
  put(PASTE(dou, ble1));
  put(PICK(1, TWICE(2), 3));
  put(LIMIT - 11u > 5u);
  put(CALL(kernel, half3 EMPTY));
  put(CALL2(kernel, global, SAFE(local)));
  put(kernel(1u));
  put(kernel(1.5) + kernel(groupshared));
  put(kernel(sizes[i % 3]) + cbuffer * register);
  put(CHOSEN);
  put(special * 2 + (flag ? 1 : 0));
  put(scale * 3.0);
  put(texture1);
  put(shifted);
  put(third);
  put(sum);
  put(truncated);
  put(folded.x + folded.y * 10.0 + folded.z * 100.0);
  put(sizes.length() + sizes[2]);
  put(big);
  put(neg);
  put(min3(ivec3(5, i, -special)));
  put(__LINE__ > 3);
  put(0x7fffffff * 2 + -7 / 2 + 7 % 1);
  put(010 + 0x10);
  put(4294967295u + 1u);
  put(3000000000u);
  put(int(1e9) * 4);
  put(0.1 * 3.0);
  put(1e-45 > 0.0 || true);
  put(float(16777217));
  put(uint(3.99) + uint(true));
  float kilo = 1000.0, const_sum = 0.1;
  for (int k = 0; k < 3; k++) const_sum += 0.1;
  put(const_sum);
  put(kilo * kilo * kilo + 1.0);
}
