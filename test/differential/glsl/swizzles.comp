// Swizzles that are written and read at once, components by index, constructors from parts.
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

vec2 twice(inout vec2 v) {
  v += v.yx;
  return v * 2.0;
}
void main() {
  uint i = gl_GlobalInvocationID.x;
  o = i * 64u;
  vec4 v = vec4(i, 10, 20, 30);
  v.xy = v.yx;
  v.wz = v.zw + v.xy;
  put(v);
  v.wzyx = v;
  put(v);
  v.yzw = v.xyz;
  put(v);
  v.zx += v.xz;
  v.xz.y *= 2.0;
  put(v);
  v.zyx.yz = v.xx + vec2(1, 2);
  put(v);
  v.x = v.y = v.z = 7.0 + i;
  v[i & 3u] += 0.5;
  put(v);
  put(twice(v.zy));
  put(v);
  v.w = v.stpq.t > 3.0 ? v.g : v.b;
  v -= v.wwww;
  ++v.rb;
  put(v);
  put(v.yx++);
  put(v);
  vec3 w = vec3(v.zw, i), z = vec3(vec4(1, 2, 3, 4));
  w = vec3(w.z, w);
  z.xy = w.yz;
  z.xyz = z.zxy;
  put(w + z);
  put(vec4(vec2(i), vec2(ivec2(3, 4)))[3 - int(i & 3u)]);
  int k = 0;
  v[k] = v[k + 1];
  put(v);
  put(k);
  vec2 m[2] = vec2[2](v.xy, v.zw);
  m[1].yx = m[0];
  m[0].x = m[1].y++;
  put(m[0]);
  put(m[1]);
  bvec3 q = greaterThan(v.xyz, vec3(7));
  q.xz = not(q.zy);
  put(q.x ? 1u : q.y ? 2u : 3u);
  put(all(q) != any(q));
}
