// Wave functions where lanes part: votes, sums, reads, counts in loops and branches of their own.
// invocations 32, workgroup 16, words 512, subgroup 8
StructuredBuffer<uint> src : register(t0);
RWStructuredBuffer<uint> dst : register(u1);

[numthreads(16, 1, 1)]
void main(uint3 gid : SV_DispatchThreadID) {
  uint i = gid.x, o = i * 16u, l = WaveGetLaneIndex();
  uint v = src[i & 15u];
  dst[o] = WaveActiveSum(v);
  if ((l & 1u) != 0u) {
    dst[o + 1u] = WaveActiveMax((int)v);
    dst[o + 2u] = WaveActiveBallot(v > 3u).x;
    if (l > 4u) dst[o + 3u] = WaveActiveCountBits(true);
  } else {
    dst[o + 1u] = WaveActiveMin(v);
    dst[o + 2u] = WaveReadLaneFirst(v) + (WaveIsFirstLane() ? 100u : 0u);
    dst[o + 3u] = WavePrefixCountBits(l != 2u);
  }
  uint n = 0u;
  for (uint k = 0u; k < l; k++) {
    if (k == 3u && l > 5u) continue;
    n += WaveActiveSum(1u) * (k + 1u);
    if (WaveActiveAnyTrue(l == k + 2u)) n += 1000u;
  }
  dst[o + 4u] = n;
  dst[o + 5u] = WaveReadLaneAt(v, l ^ 3u);
  dst[o + 6u] = WaveReadLaneAt(v * 2u, 7u - l);
  switch (l & 3u) {
    case 0u: dst[o + 7u] = WaveActiveBitOr(1u << l); break;
    case 1u:
    case 2u: dst[o + 7u] = WaveActiveSum(l) + WaveActiveProduct(l); break;
    default: dst[o + 7u] = WaveActiveAllTrue(l == 3u) ? 1u : 2u;
  }
  dst[o + 8u] = WaveActiveAllEqual(v & 1u) || WaveActiveAnyTrue(v == 7u);
  if (l == 6u) return;
  dst[o + 9u] = WaveActiveBitXor(v) ^ WaveActiveBitAnd(v | 15u);
  dst[o + 10u] = WaveActiveBallot(true).x + WaveGetLaneCount();
  dst[o + 11u] = (l < 6u ? QuadReadAcrossX(i) : 0u) + (l < 4u ? QuadReadLaneAt(v, 1u) : 0u);
}
