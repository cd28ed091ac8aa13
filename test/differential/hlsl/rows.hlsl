// Matrices stored by rows and by columns in constant buffers and structs: whole, by row and by element, in arrays.
// invocations 8, workgroup 8, words 1344
// args {"m": [1,2,3,4,5,6,7,8,9,10,11,12], "c": [1,2,3,4,5,6], "r": [1,2,3,4,5,6], "s": 5, "p": [1,2,3,4,5,6,7,8,9,10,11,12], "b": [1,2,3,4], "t": 3}
StructuredBuffer<uint> src : register(t0);
struct Held {
  row_major float3x4 m;
  float4x2 c;
  row_major float2x2 q[2];
};
RWStructuredBuffer<Held> dst : register(u1);
cbuffer U : register(b2) {
  row_major float3x4 m;
  float3x2 c;
  row_major float3x2 r;
  float s;
  row_major float2x3 p[2];
  column_major float2x2 b;
  float t;
};

Held made(float x) {
  Held h = (Held)0;
  h.m = float3x4(x, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
  h.q[1][0] = float2(x, 2);
  return h;
}

[numthreads(8, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  uint i = id.x;
  uint k = i * 6u;
  float4 v = mul(float3(1, 2, i), m);
  dst[k].m[0] = v;
  dst[k].m[1] = float4(c[1], r[1]);
  dst[k].m[2] = float4(mul(m, float4(1, 2, 3, 4)), s + t);
  dst[k].c[0] = p[i & 1u][1].xy;
  dst[k].c[1] = float2(p[1]._m02, b[1][0]);
  dst[k].c[2] = float2(p[0][i & 1u][i % 3u], r._32);
  dst[k].c[3] = b[i & 1u];
  dst[k].q[0] = mul(b, (float2x2)r);
  dst[k].q[1][0] = c[2];
  dst[k].q[1]._m10 = 8;
  dst[k].q[1][1].y = 7;
  Held h = made(i);
  dst[k + 1u] = h;
  dst[k + 1u].c = float4x2(1, 2, 3, 4, 5, 6, 7, i);
  Held x = dst[k];
  x.m *= 2.0;
  x.q[0] = transpose(x.q[0]);
  dst[k + 2u] = x;
  dst[k + 2u].m[1] += float4(1, 2, 3, 4);
  dst[k + 2u].m[i % 3u].zx *= 3.0;
  dst[k + 2u].q[1] += dst[k + 2u].q[0];
  dst[k + 2u].q[1] = mul(dst[k + 2u].q[1], x.q[1]);
  float2x2 copies[2] = {x.q[0], b};
  copies[0][1] = float2(9, 8);
  dst[k + 3u].q[0] = copies[0];
  dst[k + 3u].q[1] = copies[i & 1u];
  dst[k + 3u].m = dst[k + 1u].m + m;
  dst[k + 3u].c = mul(transpose(m), r);
}
