// Threadgroup memory, an atomic counter, references into device memory, names of Metal's class templates as variables.
// invocations 32, workgroup 8, words 64
#include <metal_stdlib>
using namespace metal;

void put(device uint &place, uint value) {
  place = value;
}

kernel void k(
    device const uint *src [[buffer(0)]], device uint *dst [[buffer(1)]], uint i [[thread_position_in_grid]],
    uint l [[thread_index_in_threadgroup]], uint g [[threadgroup_position_in_grid]]) {
  threadgroup uint lane[8];
  threadgroup atomic_uint count;
  if (l == 0) atomic_store_explicit(&count, 0, memory_order_relaxed);
  lane[l] = src[i] & 0xff;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  uint array = lane[7 - l];
  if (array < 16) atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  put(dst[i], array);
  if (l == 0) dst[32 + g] = atomic_load_explicit(&count, memory_order_relaxed);
}
