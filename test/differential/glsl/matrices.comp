// Matrices: columns and rows, products that are no squares, constructors from vectors and matrices, layouts in buffers.
// invocations 8, workgroup 8, words 2048, padding 3 7 11 13 14 15 19 23 30 31 of 32
#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) readonly buffer Src { uint src[]; };
struct Held {
  mat3 m;
  float tail;
  mat2x3 r;
  mat3x2 c;
};
layout(std430, set = 0, binding = 1) buffer Dst { Held dst[]; };
float f(uint i) {
  return float(int(src[i & 63u] & 15u) - 8);
}

void main() {
  uint i = gl_GlobalInvocationID.x;
  mat3 a = mat3(f(i), 2, 3, 4, f(i + 1), 6, 7, 8, f(i + 2));
  vec3 first = vec3(1, f(i), 2);
  float next = f(i + 3);
  mat2x3 b = mat2x3(first, next, 4, 5);
  mat3x2 c = transpose(b);
  dst[i * 8].m = a * mat3(2);
  dst[i * 8].tail = determinant(a);
  dst[i * 8].r = a * b;
  dst[i * 8].c = c * a;
  Held h;
  h.m = b * c;
  h.tail = (vec3(1, 2, 3) * a).y + (a * vec3(1, 2, 3)).y * 100;
  h.r = b;
  h.r[1][2] += 10;
  h.r[0].yz = h.r[0].zy;
  h.c = matrixCompMult(c, c) / 4.0 - 1.0;
  dst[i * 8 + 1] = h;
  mat4 big = mat4(a);
  big[3] += vec4(1, 2, 3, 4);
  big[int(i & 3u)].w = -5.0;
  dst[i * 8 + 2].m = mat3(big * big);
  dst[i * 8 + 2].tail = big[0] == mat4(a)[0] ? 1.0 : 2.0;
  dst[i * 8 + 2].r = mat2x3(mat4x3(big));
  dst[i * 8 + 2].c = mat3x2(outerProduct(vec2(1, f(i)), vec3(3, 4, f(i + 4))));
  mat3 t = a;
  t[1] = a[0];
  t[0] = t[1] + t[2];
  t += 1.0;
  t *= 2.0;
  t -= a;
  dst[i * 8 + 3].m = -t;
  dst[i * 8 + 3].m[1][int(i % 3u)] *= 3.0;
  dst[i * 8 + 3].tail = t[2].zyx[0] + t[int(i) % 3][1];
  mat2 s = mat2(2, 1, 7, 4);
  s *= s;
  dst[i * 8 + 3].c = mat3x2(s);
  dst[i * 8 + 3].r = mat2x3(vec3(s[0], 1), vec3(0, s * vec2(1, -1)));
  mat2 inv = inverse(mat2(2, 1, f(i) + 100.0, f(i) / 2.0 + 51.0));
  dst[i * 8 + 4].m = mat3(inv);
  dst[i * 8 + 4].tail = inv[1].x;
  dst[i * 8 + 4].r[1] = dst[i * 8].r[1] * a;
  dst[i * 8 + 4].c[2].yx = vec2(dst[i * 8].m[2]);
  mat2 both[2] = mat2[](mat2(1), mat2(1, 2, 3, 4));
  both[i & 1u][1] = both[1 - (i & 1u)] * vec2(5, 6);
  dst[i * 8 + 5].m = mat3(both[0][0], both[0][1], both[1][0], both[1][1], 9);
}
