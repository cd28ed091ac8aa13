#include "scale.h"

// The scaled sum of each work-group of 4.
__attribute__((reqd_work_group_size(4, 1, 1)))
__kernel void sums(__global const float *x, __global float *out) {
  __local float tile[4];
  uint i = get_local_id(0);
  tile[i] = SCALE * x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i == 0) out[get_group_id(0)] = tile[0] + tile[1] + tile[2] + tile[3];
}
