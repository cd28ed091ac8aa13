// Group-shared memory with barriers, interlocked functions on it, structs and vectors in it.
// invocations 32, workgroup 16, words 256
StructuredBuffer<uint> src : register(t0);
RWStructuredBuffer<uint> dst : register(u1);
struct Cell {
  float2 v;
  int n;
};
groupshared Cell cells[16];
groupshared uint counts[4];
groupshared int best;
groupshared float4 rows[4];

[numthreads(16, 1, 1)]
void main(uint3 gid : SV_DispatchThreadID, uint l : SV_GroupIndex, uint3 group : SV_GroupID) {
  uint i = gid.x, o = i * 8u, old;
  cells[l].v = float2(l, src[i] & 7u);
  cells[l].n = src[i];
  if (l < 4u) counts[l] = group.x;
  if (l == 0u) best = -1;
  GroupMemoryBarrierWithGroupSync();
  InterlockedAdd(counts[src[i] & 3u], l, old);
  int was;
  InterlockedMax(best, cells[15u - l].n, was);
  rows[l & 3u][l >> 2] = cells[15u - l].v.y + l;
  GroupMemoryBarrierWithGroupSync();
  for (uint s = 8u; s > 0u; s >>= 1) {
    if (l < s) cells[l].v += cells[l + s].v.yx;
    GroupMemoryBarrierWithGroupSync();
  }
  dst[o] = counts[i & 3u];
  dst[o + 1u] = best;
  dst[o + 2u] = asuint(rows[l >> 2][3u - (l & 3u)]);
  dst[o + 3u] = asuint(cells[0].v.x) + (l == 0u ? asuint(cells[0].v.y) : 0u);
  AllMemoryBarrierWithGroupSync();
  Cell mine = cells[l];
  AllMemoryBarrierWithGroupSync();
  if (l % 3u == 0u) cells[(l + 1u) & 15u].n = l;
  GroupMemoryBarrierWithGroupSync();
  dst[o + 4u] = cells[l].n == mine.n;
  uint k;
  InterlockedCompareExchange(dst[o + 5u], 0u, i + 1u, k);
  InterlockedExchange(dst[o + 6u], dst[o + 5u] * 2u + k, k);
  InterlockedAdd(dst[o + 6u], 1u);
  dst[o + 7u] = k;
}
