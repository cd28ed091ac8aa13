// Static variables of functions: one for each invocation, initialised when first met, kept between calls.
// invocations 8, workgroup 8, words 64
StructuredBuffer<uint> src : register(t0);
RWStructuredBuffer<uint> dst : register(u1);

uint counted() {
  static uint n = 3u;
  n++;
  return n;
}
uint table(uint k) {
  static const uint t[4] = {5u, 6u, 7u, 8u};
  static const uint scale = 10u;
  return t[k & 3u] * scale;
}

[numthreads(8, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  uint i = id.x;
  uint n = i & 3u;
  dst[i * 8u] = counted() * 100u + counted();
  for (uint k = 0u; k < n; k++) counted();
  dst[i * 8u + 1u] = counted();
  dst[i * 8u + 2u] = table(i) + n;
}
