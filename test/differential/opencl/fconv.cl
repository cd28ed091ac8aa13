// Conversions between int and float, saturating and rounding.
// invocations 32, workgroup 4, words 1024
__kernel void k(__global const int *src, __global int *dst) {
  int i = get_global_id(0);
  int a = src[i];
  uint ua = a;
  int o = i * 32;
  dst[o] = as_int((float)a);
  dst[o+1] = as_int((float)ua);
  dst[o+5] = as_int(convert_float_rte(ua));
  float f = as_float(src[32 + i]);
  dst[o+6] = convert_int_sat(f);
  dst[o+7] = convert_uint_sat(f);
  dst[o+8] = convert_char_sat(f);
  dst[o+9] = convert_uchar_sat(f);
  dst[o+10] = convert_short_sat(f);
  dst[o+11] = convert_ushort_sat(f);
  dst[o+12] = convert_int_sat_rte(f);
  dst[o+13] = convert_int_sat_rtp(f);
  dst[o+14] = convert_int_sat_rtn(f);
  dst[o+15] = convert_int_sat_rtz(f);
  dst[o+16] = convert_uchar_sat_rte(f);
  dst[o+17] = convert_uchar_sat_rtp(f);
  dst[o+18] = convert_uchar_sat_rtn(f);
  dst[o+19] = convert_short_sat_rte(f);
  dst[o+20] = convert_ushort_sat_rtp(f);
  dst[o+21] = convert_char_sat_rtn(f);
  if (isnan(f)) for (int j = 6; j < 22; j++) dst[o+j] = 0;
  float g = fabs(f) < 2000.0f ? f : 1.25f;
  dst[o+22] = (int)g;
  dst[o+23] = convert_int_rte(g);
  dst[o+24] = convert_int_rtp(g);
  dst[o+25] = convert_int_rtn(g);
  dst[o+26] = (short)g;
  dst[o+27] = (uint)fabs(g);
  dst[o+28] = convert_uint_rte(fabs(g));
  int t = (int)g;
  t += 2.7f;
  dst[o+29] = t;
  t *= 1.5f;
  dst[o+30] = t;
  t = 5;
  t -= g;
  dst[o+31] = t;
}
