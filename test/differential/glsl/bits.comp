// Bit fields, counts and searches at their edges, wide products, packing with its rounding and clamping.
// invocations 32, workgroup 8, words 1792
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

void main() {
  uint i = gl_GlobalInvocationID.x;
  o = i * 56u;
  uint u = src[i];
  int s = int(u);
  uint w = src[i + 7u];
  float f = uintBitsToFloat(src[32u + (i & 15u)]);
  put(bitfieldExtract(u, 4, 8));
  put(bitfieldExtract(s, 4, 8));
  put(bitfieldExtract(s, int(i & 15u), 0));
  put(bitfieldExtract(s, 0, 32));
  put(bitfieldExtract(u, 31, 1));
  put(bitfieldExtract(s, 31, 1));
  put(bitfieldExtract(u, int(i), 32 - int(i)));
  put(bitfieldInsert(u, w, 8, 16));
  put(bitfieldInsert(u, w, int(i & 7u), 0));
  put(bitfieldInsert(s, -1, 0, 32));
  put(bitfieldInsert(u, w, 31 - int(i), int(i) + 1));
  put(bitfieldReverse(u));
  put(bitfieldReverse(s) >> 4);
  put(bitCount(u) - bitCount(s) * 2);
  put(findLSB(u));
  put(findMSB(u));
  put(findMSB(s));
  put(findLSB(s) + findMSB(~s));
  uint carry, lo, hi;
  put(uaddCarry(u, w, carry));
  put(carry);
  put(usubBorrow(u, w, carry));
  put(carry);
  umulExtended(u, w, hi, lo);
  put(hi);
  put(lo);
  int a, b;
  imulExtended(s, int(w), a, b);
  put(a);
  put(b);
  uvec2 c2, x2 = uaddCarry(uvec2(u, w), uvec2(w, u), c2);
  put(x2 + c2);
  umulExtended(u, u, u, lo);
  put(u);
  put(packUnorm4x8(vec4(0.5, -1, 2, 0.25)));
  put(packUnorm4x8(vec4(float(i) / 255.0, float(i) / 510.0 + 0.001, 1, 0)));
  put(packSnorm4x8(vec4(-0.5, -2, 1, float(i) / 127.0)));
  put(packUnorm2x16(vec2(float(i) / 65535.0, 0.75)));
  put(packSnorm2x16(vec2(-1.5, float(i) / -32767.0)));
  put(packHalf2x16(vec2(float(s >> 21), -0.25)));
  put(packHalf2x16(vec2(1.0 / 0.0 * float(i + 1u), 6.103515625e-5)));
  vec4 v = unpackUnorm4x8(src[i]);
  put(v.x * 255.0 == float(src[i] & 255u));
  put(unpackSnorm4x8(src[i] | 0x80u).x);
  put(unpackSnorm4x8(0x7f81ff80u).z);
  put(unpackSnorm2x16(0x80008001u).x);
  put(unpackSnorm2x16(0x80008001u).y);
  vec2 h = unpackHalf2x16(src[i] & 0x7bff7bffu);
  put(h.x);
  put(h.y);
  put(unpackHalf2x16(0xbc003c01u).x);
  put(floatBitsToInt(-1.0) >> 23);
  put(floatBitsToUint(1.0) + floatBitsToUint(float(i)));
  put(intBitsToFloat(s & 0x3fffffff | 0x3f800000));
  put(ldexp(f > -1e9 && f < 1e9 ? f : 1.0, int(i) - 16));
  put(bitCount(ivec4(s, -1, 0, i)));
}
