// Functions of 64-bit integers, and conversions between them and floats.
// invocations 32, workgroup 8, words 2048
long at(__global const int *src, int i) { return ((long)src[i] << 32) | (uint)src[(i * 7 + 3) & 63]; }

__kernel void k(__global const int *src, __global long *dst) {
  int i = get_global_id(0);
  long a = at(src, i), b = at(src, (i + 11) & 63);
  ulong ua = a, ub = b;
  __global long *o = dst + i * 32;
  o[0] = min(a, b);
  o[1] = max(a, b);
  o[2] = min(ua, ub);
  o[3] = max(ua, ub);
  o[4] = a < b ? clamp(3L, a, b) : clamp(3L, b, a);
  o[5] = abs(a);
  o[6] = mul_hi(a, b);
  o[7] = mul_hi(ua, ub);
  o[8] = clz(a);
  o[9] = clz(ua >> 40);
  o[10] = popcount(a);
  o[11] = rotate(a, b);
  o[12] = rotate(ua, 13ul);
  o[13] = add_sat(a, b);
  o[14] = add_sat(ua, ub);
  o[15] = sub_sat(a, b);
  o[16] = sub_sat(ua, ub);
  o[17] = hadd(a, b);
  o[18] = rhadd(ua, ub);
  o[19] = abs_diff(a, b);
  o[20] = mad_hi(a, b, 7L);
  o[21] = bitselect(a, b, 0x00ff00ff00ff00ffL);
  o[22] = as_uint((float)a);
  o[23] = as_uint((float)ua);
  o[24] = (long)((float)src[i] * 1000.0f);
  o[25] = convert_long_sat(as_float(src[i] & 0x7f7fffff));
  o[26] = convert_ulong_sat(-(float)src[i]);
  o[27] = convert_int_sat(a);
  o[28] = convert_long_sat(ua);
  o[29] = convert_uint_sat(a);
  o[30] = (convert_char_sat(a >> 50) & 255) + ((long)convert_short_sat(ub >> 44) << 20);
  o[31] = convert_ulong_sat(a);
}
