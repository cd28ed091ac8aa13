// Swizzles of vectors and scalars that are written and read at once, truncation, splats.
// invocations 8, workgroup 8, words 512
StructuredBuffer<uint> src : register(t0);
RWStructuredBuffer<uint> dst : register(u1);

static uint o;

void put(uint v) {
  dst[o++] = v;
}
void put(int v) {
  put((uint)v);
}
void put(float v) {
  put(asuint(v));
}
void put(bool v) {
  put(v ? 1u : 0u);
}
void put(float3 v) {
  put(v.x);
  put(v.y);
  put(v.z);
}
void put(float4 v) {
  put(v.xyz);
  put(v.w);
}

float2 twice(inout float2 v) {
  v += v.yx;
  return v * 2.0;
}
[numthreads(8, 1, 1)]
void main(uint3 gid : SV_DispatchThreadID, uint3 lid : SV_GroupThreadID) {
  uint i = gid.x;
  o = i * 64u;
  float4 v = float4(i, 10, 20, 30);
  v.xy = v.yx;
  v.wz = v.zw + v.xy;
  put(v);
  v.wzyx = v;
  put(v);
  v.yzw = v.xyz;
  put(v);
  v.zx += v.xz;
  put(v);
  v.x = v.y = v.z = 7.0 + i;
  v[i & 3u] += 0.5;
  put(v);
  put(twice(v.zy).x);
  put(v);
  v.w = v.rgba.g > 3.0 ? v.g : v.b;
  v -= v.wwww;
  ++v.rb;
  put(v);
  put((v.yx++).y);
  put(v);
  float s = 2.5;
  float3 w = s.xxx;
  w.xz = i;
  put(w);
  float2 t = (float2)v;
  put(t.x + t.y);
  float3 x = 1;
  x += float3(v.zw, 3) * 2;
  put(x);
  float4 y = {v.xy, 1, 2};
  put(y.wzyx);
  uint2 u = uint2(-1, 2.9);
  put(u.x >> 30 | u.y << 4);
  put(float4(u, u).z);
  int3 k = v.xyz;
  put(k.x + k.y * k.z);
  float2 m[2] = {v.xy, v.zw};
  m[1].yx = m[0];
  m[0].x = m[1].y++;
  put(m[0].x + m[0].y * 3 + m[1].x * 7 + m[1].y * 11);
}
