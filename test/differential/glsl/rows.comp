// Matrices stored by rows in blocks of both kinds: whole, by column and by element, in arrays and structs, read and written.
// invocations 8, workgroup 8, words 1152, padding 3 7 11 15 of 24
// args {"u.m": [1,2,3,4,5,6,7,8,9], "u.n": [1,2,3,4,5,6], "u.p": [1,2,3,4,5,6,7,8,9,10,11,12], "u.h.a": [1,2,3,4,5,6,7,8,9,10,11,12], "u.h.s": 5, "u.h.b": [1,2,3,4], "u.c": [1,2,3,4,5,6]}
#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) readonly buffer Src { uint src[]; };
struct H {
  mat4x3 a;
  float s;
  mat2 b;
};
struct Held {
  mat3x4 m;
  mat2 q[2];
};
layout(row_major, std430, set = 0, binding = 1) buffer Dst { Held dst[]; };
layout(row_major) uniform;
layout(std140, set = 0, binding = 2) uniform U {
  mat3 m;
  mat2x3 n;
  layout(column_major) mat2x3 c;
  mat3x2 p[2];
  H h;
} u;

void main() {
  uint i = gl_GlobalInvocationID.x;
  uint k = i * 6u;
  vec3 v = u.m * vec3(1, 2, float(i));
  dst[k].m[0] = vec4(v, u.m[2][0]);
  dst[k].m[1] = vec4(u.n[1], u.n[0].y);
  dst[k].m[2] = vec4(u.c[1], u.c[0].y);
  dst[k].q[0] = mat2(u.p[i & 1u]);
  dst[k].q[1][0] = u.p[1][2];
  dst[k].q[1][1].x = u.p[0][i % 3u][1];
  dst[k].q[1][1][1] = 7.0;
  H h = u.h;
  dst[k + 1u].m = mat3x4(mat4(h.a));
  dst[k + 1u].q[0] = h.b;
  dst[k + 1u].q[1] = mat2(u.h.a) * h.s;
  Held x = dst[k];
  x.m *= 2.0;
  x.q[0] = transpose(x.q[0]);
  dst[k + 2u] = x;
  dst[k + 2u].m[1] += vec4(1, 2, 3, 4);
  dst[k + 2u].m[i % 3u].zx *= 3.0;
  dst[k + 2u].q[1] *= dst[k + 2u].q[0];
  dst[k + 2u].q[0]++;
  mat2 copies[2] = dst[k].q;
  copies[0][1] = vec2(9, 8);
  dst[k + 3u].q = copies;
  dst[k + 3u].m = dst[k + 1u].m + dst[k].m;
  dst[k + 4u].q[0] = u.n == mat2x3(1, 3, 5, 2, 4, 6) ? mat2(1) : mat2(2);
  dst[k + 4u].q[1] = mat2(u.m[1].xy, (vec3(1, 2, 3) * u.m).yz);
}
