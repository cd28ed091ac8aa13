// Float functions at their edges, and conversions both ways.
// invocations 32, workgroup 8, words 1536, nan
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
  o = i * 48u;
  float x = uintBitsToFloat(src[32u + i]);
  float y = uintBitsToFloat(src[32u + (i + 3u & 31u)]);
  put(x < y);
  put(x <= y);
  put(x == y);
  put(x != y);
  put(!(x >= y));
  put(x != x);
  put(isnan(x));
  put(isinf(x));
  put(floor(x));
  put(ceil(x));
  put(trunc(x));
  put(roundEven(x));
  put(abs(x));
  put(-x);
  float t = x > -1e6 && x < 1e6 && (x == 0.0 || abs(x) > 1e-30) ? x : 2.75;
  put(fract(t));
  put(sign(t) == 0.0 ? 0.0 : sign(t));
  put(step(t, 1.0));
  put(step(vec2(0.0, t), vec2(t, 0.0)));
  put(smoothstep(-1.0, 3.0, t));
  put(clamp(t, -1.0, 1.5));
  // Of whole numbers, whose products are exact: GLSL leaves the rest to a tolerance.
  put(mix(1.0, 3.0, floor(t)));
  put(mix(vec2(x, y), vec2(2.0, 3.0), bvec2(i < 9u, x < 0.0)));
  put(mod(t, 4.0));
  put(mod(-t, -0.5));
  put(mod(t, -4.0));
  put(int(t));
  put(uint(abs(t) * 3000000000.0 / (abs(t) + 1.0)));
  put(float(int(src[i])));
  put(float(src[i]));
  put(bool(x));
  put(bool(src[i]));
  put(float(x > 1.0) + float(i == 3u));
  put(int(true) + int(bool(-0.0)));
  put(x + y);
  put(1.0 / t);
  put(sqrt(abs(t)) >= 0.0);
  int e;
  put(t == 0.0 ? 0.5 : frexp(t, e));
  put(t == 0.0 ? 7 : e);
  put(ldexp(t, 3));
  float whole;
  float part = modf(t, whole);
  put(part == 0.0 ? 0.0 : part);
  put(whole == 0.0 ? 0.0 : whole);
  put(equal(vec2(x, y), vec2(y, x)).y);
  put(any(lessThan(vec2(x, y), vec2(1.0))));
}
