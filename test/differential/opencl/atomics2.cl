// Atomics on local memory, through a pointer, with a compare-exchange loop.
// invocations 16, workgroup 8, words 64, plain reads beside atomics
__kernel void k(__global const int *src, __global int *dst) {
  __local int c[4];
  __local uint u[2];
  __local uint fl;
  int l = get_local_id(0);
  if (l < 4) c[l] = l == 2 ? 0x7fffffff : 0;
  if (l == 0) {
    u[0] = 0xffffffffu;
    u[1] = 0;
    fl = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  int i = get_global_id(0);
  atomic_add(&c[0], src[i]);
  atomic_inc(&c[1]);
  atomic_min(&c[2], src[i]);
  atomic_max(&c[3], src[i]);
  atomic_min(&u[0], (uint)src[i]);
  atomic_max(u + 1, (uint)src[i]);
  volatile __local uint *p = &fl;
  uint old, next;
  do {
    old = *p;
    next = as_uint(as_float(old) + 1.5f);
  } while (atomic_cmpxchg(p, old, next) != old);
  barrier(CLK_LOCAL_MEM_FENCE);
  int o = get_group_id(0) * 8;
  if (l < 4) dst[o + l] = c[l];
  else if (l < 6) dst[o + l] = u[l - 4];
  else if (l == 6) dst[o + l] = (int)fl;
}
