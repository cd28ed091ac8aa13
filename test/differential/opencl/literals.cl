// Literals: hexadecimal, octal, characters, suffixes, forms of floats.
// invocations 8, workgroup 4, words 256
#define HEX 0XfFu
#define OCT 0777
__kernel void k(__global const uint *src, __global uint *dst) {
  int i = get_global_id(0);
  uint o = i * 32;
  dst[o] = 0x7fffffff;
  dst[o+1] = 0xffffffff;
  dst[o+2] = 4294967295u;
  dst[o+3] = 2147483648;
  dst[o+4] = -2147483648;
  dst[o+5] = 017;
  dst[o+6] = OCT + HEX;
  dst[o+7] = 'a' + '\n' + '\0' + '\\' + '\'';
  dst[o+8] = 1;
  dst[o+9] = as_uint(1e3f);
  dst[o+10] = as_uint(.5f);
  dst[o+11] = as_uint(5.f);
  dst[o+12] = as_uint(0x1.8p3f);
  dst[o+13] = as_uint(1.0e-10F);
  dst[o+14] = 10L;
  dst[o+15] = 10UL;
  dst[o+16] = 0xffffffff > 0;
  dst[o+17] = -1 < 0xffffffff;
  dst[o+21] = -1 / 2 + -7 / 2 * 10;
  dst[o+22] = 1 ? 2 : 3u;
  dst[o+23] = (1 ? -1 : 0u) > 0;
  dst[o+24] = sizeof(int4) + sizeof(short) * 100;
  dst[o+25] = as_uint(3.4028235e38f);
  dst[o+26] = as_uint(1.17549435e-38f);
  dst[o+27] = as_uint(0.1f + 0.2f);
  dst[o+28] = as_uint(16777217.0f);
  dst[o+29] = 1;
  dst[o+30] = as_uint(1e-45f);
  dst[o+31] = as_uint(-0.0f) + i;
}
