// Results of atomics on buffers and shared memory, signed and unsigned, discarded and used.
// invocations 32, workgroup 8, words 1024
#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) readonly buffer Src { uint src[]; };
layout(set = 0, binding = 1) buffer Dst { uint dst[]; };
shared int mins[8];
shared uint one, sums[2];

void main() {
  uint i = gl_GlobalInvocationID.x, l = gl_LocalInvocationID.x;
  uint o = i * 24u;
  int s = int(src[i]);
  mins[l] = -3;
  if (l == 0u) {
    one = 0u;
    sums[0] = 0xfffffff0u;
    sums[1] = 0u;
  }
  barrier();
  dst[o + 1u] = atomicAdd(dst[o], src[i]) + 1u;
  dst[o + 2u] = atomicAdd(dst[o], -1) + dst[o];
  dst[o + 3u] = atomicExchange(dst[o], 77u);
  dst[o + 4u] = atomicCompSwap(dst[o], 77u, src[i]);
  dst[o + 5u] = atomicCompSwap(dst[o], src[i] + 1u, 5u);
  dst[o + 6u] = atomicMin(dst[o], 100u);
  dst[o + 7u] = atomicMax(dst[o], 50u);
  dst[o + 8u] = atomicXor(dst[o], 0xffu) ^ atomicOr(dst[o], 0xf00u) ^ atomicAnd(dst[o], ~1u);
  dst[o + 9u] = uint(atomicMin(mins[l], s));
  dst[o + 10u] = uint(atomicMax(mins[l], -2));
  dst[o + 11u] = uint(mins[l]);
  dst[o + 12u] = uint(atomicCompSwap(mins[l], mins[l], s) + atomicExchange(mins[l], s >> 1));
  dst[o + 13u] = uint(atomicAdd(mins[l], mins[l])) - uint(mins[l]);
  atomicAdd(one, l + 1u);
  atomicAdd(sums[l & 1u], src[i]);
  atomicMax(dst[1000u], i == 31u ? 31u : i);
  barrier();
  dst[o + 14u] = one;
  dst[o + 15u] = sums[0];
  dst[o + 16u] = sums[1];
  barrier();
  uint k = 0u;
  dst[o + 17u] = atomicAdd(sums[k++ + (l & 0u)], 0u) + k;
  uint before = dst[o + 18u];
  bool first = atomicCompSwap(dst[o + 18u], before, i | 256u) == before;
  dst[o + 19u] = first ? atomicAdd(dst[o + 18u], i) : 0u;
  dst[o + 20u] = i > 3u && atomicAdd(dst[o + 18u], 1u) > 270u || atomicExchange(dst[o + 18u], 9u) == 1u ? 1u : 2u;
}
