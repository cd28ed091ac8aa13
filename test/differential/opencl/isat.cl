// Conversions between integer types, saturating and not.
// invocations 32, workgroup 4, words 1024
__kernel void k(__global const int *src, __global int *dst) {
  int i = get_global_id(0);
  int a = src[i];
  uint ua = a;
  int o = i * 32;
  short s = (short)a;
  ushort us = (ushort)a;
  char c = (char) a;
  uchar uc = (uchar)a;
  dst[o] = convert_char_sat(a);
  dst[o+1] = convert_uchar_sat(a);
  dst[o+2] = convert_short_sat(a);
  dst[o+3] = convert_ushort_sat(a);
  dst[o+4] = convert_uint_sat(a);
  dst[o+5] = convert_int_sat(ua);
  dst[o+6] = convert_char_sat(ua);
  dst[o+7] = convert_uchar_sat(ua);
  dst[o+8] = convert_uchar_sat(s);
  dst[o+9] = convert_char_sat(us);
  dst[o+10] = convert_ushort_sat(s);
  dst[o+11] = convert_short_sat(us);
  dst[o+12] = convert_uchar_sat(c);
  dst[o+13] = convert_char_sat(uc);
  dst[o+14] = convert_uint_sat(c);
  dst[o+15] = convert_ushort_sat(c);
  dst[o+16] = convert_uchar(a);
  dst[o+17] = convert_char(a);
  dst[o+18] = convert_short(ua);
  dst[o+19] = convert_ushort(a);
  dst[o+20] = convert_int(c);
  dst[o+21] = convert_int(us);
  dst[o+22] = convert_uint(s);
  uchar4 v = convert_uchar4_sat((int4)(a, ~a, a >> 4, a >> 23));
  dst[o+23] = as_int(v);
  char4 w = convert_char4_sat((int4)(a, ~a, a >> 4, a >> 24));
  dst[o+24] = as_int(w);
  short2 x = convert_short2_sat((int2)(a, a >> 15));
  dst[o+25] = as_int(x);
  ushort2 y = convert_ushort2((int2)(a, a ^ 1));
  dst[o+26] = as_int(y);
  dst[o+27] = convert_int4(v).z;
  dst[o+28] = convert_uint4(w).y;
  dst[o+29] = as_int(convert_float4(v).x);
  dst[o+30] = as_int(convert_float4(w).w);
  dst[o+31] = as_ushort((short)a) + as_short((ushort)a) + as_char(uc) + as_uchar(c);
}
