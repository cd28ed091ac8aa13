// Unsigned arithmetic that wraps.
// invocations 8, workgroup 4, words 256
__kernel void k(__global const uint *src, __global uint *dst) {
  uint i = get_global_id(0);
  uint a = src[i], b = src[i + 8];
  uint o = i * 16;
  dst[o] = a - b;
  dst[o+1] = a * b;
  dst[o+2] = a + b + 0xffffffffu;
  dst[o+3] = -a;
  dst[o+4] = ~a + 1;
  dst[o+5] = a * a * a;
  dst[o+6] = 0u - 1u > a;
  dst[o+7] = (a - b) / 2;
  dst[o+8] = (a - b) >> 1;
  dst[o+9] = a * 2654435761u;
  dst[o+10] = a * 1664525 + 1013904223;
  dst[o+11] = (a << 16) * (b >> 3);
  a -= 5;
  dst[o+12] = a;
  a *= b;
  dst[o+13] = a;
  a = a ^ -1;
  dst[o+14] = a;
  dst[o+15] = a % 10 + a / 10;
}
