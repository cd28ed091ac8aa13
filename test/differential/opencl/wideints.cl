// Integer functions whose results need more bits than their operands, and conversions rounded in a direction.
// invocations 32 workgroup 8 words 512
__kernel void k(__global const uint *src, __global uint *dst) {
  int i = get_global_id(0);
  uint a = src[i], b = src[i + 3], c = src[i + 7];
  int x = (int)a, y = (int)(b >> (i & 15)), z = (int)c;
  short s = (short)a, t = (short)b;
  ushort u = (ushort)a, v = (ushort)(b >> 9);
  __global uint *o = dst + i * 16;
  o[0] = mad_sat(x, y, z);
  o[1] = mad_sat(a, b & 0xff, c);
  o[2] = mad_sat(s, (short)(t & 7), (short)z);
  o[3] = mad_sat(u, (ushort)(v & 7), (ushort)c);
  o[4] = upsample(s, v);
  o[5] = upsample(u, v);
  o[6] = mad_sat(x >> 16, y >> 16, z);
  o[7] = as_uint(convert_float_rtz(a));
  o[8] = as_uint(convert_float_rtp(a));
  o[9] = as_uint(convert_float_rtn(x));
  o[10] = as_uint(convert_float_rtp(x));
  o[11] = as_uint(convert_float2_rtz((int2)(x, -x)).y);
  o[12] = abs_diff(s, t) + add_sat(u, v);
  o[13] = rhadd(s, t) ^ hadd(u, v);
  o[14] = mul_hi(s, t) + sub_sat(s, t);
  o[15] = rotate(u, v) + clz(s) + popcount(t);
}
