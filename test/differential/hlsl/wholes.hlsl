// Matrices of calls whose effects come in order; parts of calls; chosen rows; steps.
// invocations 8, workgroup 8, words 256
StructuredBuffer<uint> src : register(t0);
RWStructuredBuffer<uint> dst : register(u1);

static uint o;
static uint calls;

void put(uint v) {
  dst[o++] = v;
}
void put(float v) {
  put(asuint(v));
}
float f(uint k) {
  calls = calls * 3u + k;
  return float(src[(calls + k) & 63u] & 15u);
}
float2x3 made(float x) {
  calls++;
  return float2x3(x, 1, 2, 3, 4, x);
}

[numthreads(8, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  uint i = id.x;
  o = i * 32u;
  calls = i;
  float2x2 m = float2x2(f(1u), f(2u), f(3u), f(0u));
  put(m[0][0]);
  put(m[0][1]);
  put(m[1].x);
  put(m[1].y);
  float2x3 r = float2x3(float3(1, f(1u), 2), f(3u), 4, 5);
  put(r[0][1] + r._m10);
  put(calls);
  float2x3 whole = made(7);
  float3 row = whole[1];
  put(row.x + row.y * 10 + row.z * 100);
  put(calls);
  uint k = 0u;
  row = r[k++];
  put(row.y + float(k) * 100);
  float2x2 c = (float2x2)made(3.0);
  put(c._21 + c._22 * 10);
  float2x3 q = made(2) - made(f(1u)) / 2;
  put(q._m00 + q._m12 * 10);
  put(calls);
  m /= f(3u) > 7 ? 8.0 : 2.0;
  put(m._m01);
  float2x2 s = m++;
  put((++m)._m10 - s._m10);
  --m;
  put(m._m11);
  float2x2 t[2] = {m, s};
  k = 0u;
  t[k++] -= 3;
  put(t[0]._m00 + t[1]._m00 * 3 + k);
}
