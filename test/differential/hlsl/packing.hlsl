// A cbuffer's registers: vectors that do not straddle them, arrays whose elements begin one, structs.
// invocations 8, workgroup 8, words 256
// args {"a": 1.5, "b": [2, 3, 4], "c": [5, 6], "d": 7, "e": [8, 9, 10], "f": 11, "g": [12, 13], "h": 14}
cbuffer Params : register(b0) {
  float a;
  float3 b;
  float2 c;
  int d;
  float e[3];
  uint f;
  int2 g;
  float h;
};
StructuredBuffer<uint> src : register(t0);
RWStructuredBuffer<uint> dst : register(u1);

[numthreads(8, 1, 1)]
void main(uint3 gid : SV_DispatchThreadID, uint3 lid : SV_GroupThreadID) {
  uint i = gid.x;
  uint o = i * 16u;
  dst[o] = asuint(a + h);
  dst[o + 1u] = asuint(b.x + b.y * 10 + b.z * 100);
  dst[o + 2u] = asuint(c.y - c.x * 10);
  dst[o + 3u] = d << i;
  dst[o + 4u] = asuint(e[i % 3u] + e[2]);
  dst[o + 5u] = f * i + g.x - g.y;
  dst[o + 6u] = asuint(b[i % 3u]);
}
