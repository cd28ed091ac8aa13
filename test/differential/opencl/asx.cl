// Reinterpretation: as_type between vectors of different component widths.
// invocations 32, workgroup 4, words 1024
__kernel void k(__global const int *src, __global int *dst) {
  int i = get_global_id(0);
  int a = src[i];
  int o = i * 32;
  char4 c = as_char4(a);
  uchar4 uc = as_uchar4(a);
  short2 s = as_short2(a);
  ushort2 us = as_ushort2(a);
  dst[o] = c.x;
  dst[o+1] = c.y;
  dst[o+2] = uc.z;
  dst[o+3] = uc.w;
  dst[o+4] = s.x;
  dst[o+5] = s.y;
  dst[o+6] = us.x;
  dst[o+7] = us.y;
  dst[o+8] = as_int(c.wzyx);
  dst[o+9] = as_int(uc.yxwz);
  dst[o+10] = as_int(s.yx);
  dst[o+11] = as_int(us.yx);
  float f = as_float(src[32+i]);
  dst[o+12] = as_int(f);
  dst[o+13] = isnan(f) ? 0 : as_int(-f);
  dst[o+14] = as_int(as_float(as_uint(f) & 0x7fffffffu));
  uint2 u2 = as_uint2((int2)(a, ~a));
  dst[o+15] = u2.x;
  dst[o+16] = u2.y >> 4;
  float2 f2 = as_float2((uint2)(as_uint(f), 0x3f800000));
  dst[o+17] = as_int(f2.x);
  dst[o+18] = as_int(f2.y);
  int4 i4 = as_int4((float4)(f, 1.0f, -2.0f, 0.0f));
  dst[o+19] = i4.x;
  dst[o+20] = i4.y;
  dst[o+21] = i4.z;
  dst[o+22] = i4.w;
  short4 s4 = as_short4((int2)(a, 0x12345678));
  dst[o+23] = s4.s0 + s4.s1;
  dst[o+24] = s4.s2;
  dst[o+25] = s4.s3;
  dst[o+29] = as_int((uchar4)(1, 2, 3, (uchar)a));
  dst[o+30] = as_uint((short2)((short)-1, (short)a));
}
