// Atomics on global memory, all kinds, with a compare-exchange loop.
// invocations 16, workgroup 8, words 64, plain reads beside atomics
__kernel void k(__global const int *src, __global int *dst) {
  int i = get_global_id(0);
  atomic_add(&dst[0], src[i]);
  atomic_sub(&dst[1], src[i]);
  atomic_inc(dst + 2);
  atomic_dec(&dst[3]);
  atomic_min(&dst[4], src[i]);
  atomic_max(&dst[5], src[i]);
  atomic_and(&dst[6], src[i]);
  atomic_or(&dst[7], src[i]);
  atomic_xor(&dst[8], src[i]);
  atomic_xchg(&dst[11], 42);
  atomic_cmpxchg(&dst[12], 0, 77);
  int old;
  do {
    old = dst[13];
  } while (atomic_cmpxchg(&dst[13], old, old + 3) != old);
  int seen = atomic_add(&dst[14], 0);
  dst[16 + i] = seen + i;
}
