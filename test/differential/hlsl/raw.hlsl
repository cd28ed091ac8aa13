// Words of raw buffers: loads and stores of several, halves, addresses, interlocked functions.
// invocations 8, workgroup 8, words 128
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u1);

uint one(uint at) {
  return src.Load(at << 2);
}
[numthreads(8, 1, 1)]
void main(uint3 gid : SV_DispatchThreadID) {
  uint i = gid.x, at = i * 64u, old, old2;
  uint3 w = src.Load3(i * 4u);
  dst.Store3(at, w.zyx);
  dst.Store(at + 12u, one(i + 3u) >> 4);
  float2 f = asfloat(src.Load2(128u + i * 8u));
  dst.Store2(at + 16u, asuint(f.yx));
  dst.InterlockedAdd(at, 5u, old);
  dst.InterlockedMax(at + 4u, w.x, old2);
  dst.Store(at + 24u, old ^ old2);
  dst.InterlockedExchange(at + 8u, old, old);
  dst.InterlockedCompareExchange(at + 12u, one(i + 3u) >> 4, 9u, old2);
  dst.Store2(at + 28u, uint2(old, old2));
  dst.InterlockedXor(at + 28u, 0xffu);
  dst.InterlockedCompareStore(at + 32u, 0u, i);
  dst.Store(at + 36u, dst.Load(at + 28u) + dst.Load(at));
  dst.InterlockedMin(at + 36u, 1000u, old);
  dst.InterlockedOr(at + 36u, 1u, old2);
  dst.InterlockedAnd(at + 36u, ~2u);
  dst.Store3(at + 40u, uint3(old, old2, w.y / 3u));
}
