// Float functions at their edges: lerp, step, saturate, round to even, halves, infinities.
// invocations 32, workgroup 8, words 1280, nan
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

[numthreads(8, 1, 1)]
void main(uint3 gid : SV_DispatchThreadID, uint3 lid : SV_GroupThreadID) {
  uint i = gid.x;
  o = i * 40u;
  float x = asfloat(src[32u + i]);
  float y = asfloat(src[32u + (i + 3u & 31u)]);
  float t = x > -1e6 && x < 1e6 && (x == 0.0 || abs(x) > 1e-30) ? x : 2.75;
  put(x < y);
  put(x <= y);
  put(x == y);
  put(x != y);
  put(!(x >= y));
  put(isnan(x));
  put(isinf(x));
  put(floor(x));
  put(ceil(x));
  put(trunc(x));
  put(round(x));
  put(abs(x));
  put(-x);
  put(frac(t));
  put((int)sign(t));
  put(step(t, 1.0));
  put(smoothstep(-1.0, 3.0, t));
  put(clamp(t, -1.0, 1.5));
  put(lerp(1.0, 3.0, t));
  put(saturate(t));
  put((int)t);
  put((uint)(abs(t) * 3000000000.0 / (abs(t) + 1.0)));
  put((float)(int)src[i]);
  put((float)src[i]);
  put((bool)x);
  put(x > 1.0 ? (x > 2.0) + 1.5 : (float)(i == 3u));
  put(x + y);
  put(1.0 / t);
  put(f16tof32(src[i] & 0x7bffu));
  put(f32tof16((float)((int)src[i] >> 21)));
  put(min(t, 1) + max(t, -1));
  put(length(float2(3, 4)) + distance(float2(0, 0), float2(6, 8)));
  put(dot(float3(1, t, 2), float3(t, 1, 3)));
  put(cross(float3(1, t, 0), float3(0, 1, 2)));
  put(reflect(float3(1, -1, t), float3(0, 1, 0)).y);
}
