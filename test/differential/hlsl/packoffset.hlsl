// Members of constant buffers at registers of their own.
// invocations 8, workgroup 8, words 64
// args {"a": 3, "b": [1,2,3,4], "c": [5,6,7], "d": [8,9], "e": [1, 2, 3]}
StructuredBuffer<uint> src : register(t0);
RWStructuredBuffer<float> dst : register(u1);
cbuffer U : register(b2) {
  float a : packoffset(c1.y);
  float4 b : packoffset(c4);
  float3 c : packoffset(c0.y);
  float2 d : packoffset(c2.z);
  float e[3] : packoffset(c6);
};

[numthreads(8, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  uint i = id.x;
  dst[i * 8u] = a;
  dst[i * 8u + 1u] = b[i & 3u];
  dst[i * 8u + 2u] = c.x + c.z * 10;
  dst[i * 8u + 3u] = d.x + d.y * 10;
  dst[i * 8u + 4u] = e[i % 3u];
}
