// Places chosen by indices with effects: which index is evaluated first, and what a store and an effect do to one variable.
// invocations 8, workgroup 8, words 256
#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) readonly buffer Src { uint src[]; };
layout(set = 0, binding = 1) buffer Dst { uint dst[]; };
uint g;
uint bump() { g++; return g; }
uint up(inout uint x) { x += 3u; return x; }
struct S { uint l[4]; uvec4 v; };
void main() {
  uint i = gl_LocalInvocationIndex, o = i * 32u, n = 0u;
  uint m[4][4]; for (uint r = 0u; r < 4u; r++) for (uint c = 0u; c < 4u; c++) m[r][c] = r * 10u + c;
  g = i & 1u;
  m[g & 3u][bump() & 3u] = 500u; m[g & 3u][g++ & 3u] += 7u;
  for (uint r = 0u; r < 4u; r++) for (uint c = 0u; c < 4u; c++) n = n * 7u + m[r][c]; dst[o++] = n;
  g = i & 1u; dst[o++] = m[g & 3u][bump() & 3u]; dst[o++] = m[g & 3u][g++ & 3u]++; dst[o++] = m[bump() & 3u][g & 3u]; dst[o++] = m[g++ & 3u][g++ & 3u] + m[g & 3u][--g & 3u];
  uint x = i; x = x++; dst[o++] = x; x = x++ + 5u; dst[o++] = x; x = (x += 2u) * x; dst[o++] = x; x = up(x) + x; dst[o++] = x; x += x++; dst[o++] = x; x = i + up(x); dst[o++] = x;
  uint a[4] = uint[](1u, 2u, 3u, 0u); a[a[0]++ & 3u] = 9u; dst[o++] = a[0] + a[1] * 10u + a[2] * 100u + a[3] * 1000u;
  a[a[3]++ & 3u] += 4u; dst[o++] = a[0] + a[1] * 10u + a[2] * 100u + a[3] * 1000u;
  a[up(a[1]) & 3u]++; dst[o++] = a[0] + a[1] * 10u + a[2] * 100u + a[3] * 1000u;
  uint k = 1u; k = a[k++ & 3u]; dst[o++] = k; k = 1u; a[k] = k++; dst[o++] = a[1] + 10u * a[2]; k = 2u; a[k++ & 3u] = k; dst[o++] = a[2] + k * 100u;
  S s[2]; s[0] = S(uint[](1u, 2u, 3u, 4u), uvec4(5, 6, 7, 8)); s[1] = s[0]; g = i & 1u;
  s[g].l[bump() & 3u] = 77u; s[g & 1u].v[g++ & 3u] = 66u; s[g & 1u].v.yx = uvec2(g++, g); dst[o++] = s[0].l[1] + s[0].l[2] + s[1].l[1] * 3u + s[1].l[2] * 5u; dst[o++] = s[0].v.x + s[0].v.y * 3u + s[1].v.x * 5u + s[1].v.y * 7u + s[0].v.z * 11u + s[1].v.z * 13u; dst[o++] = g;
  g = 0u; uvec4 w = uvec4(g++, g++, g, bump()); dst[o++] = w.x + 10u * w.y + 100u * w.z + 1000u * w.w; w[g & 3u] = w[--g & 3u] + g; dst[o++] = w.x + 10u * w.y + 100u * w.z + 1000u * w.w;
  bool b = (g++ > 2u) != (g > 2u); dst[o++] = uint(b) + g * 2u; dst[o++] = (g = 4u, g++ + g) + g; 
  g = 1u; dst[o + g++] = g; dst[o + g++] = bump() + g; dst[o + g] = g++; o += 4u;
}
