// Conversions rounded in a direction: long to float, and mad_sat and upsample of bytes and shorts.
// invocations 32, workgroup 4, words 1024
__kernel void k(__global const int *src, __global uint *dst) {
  int i = get_global_id(0);
  int a = src[i], b = src[i ^ 1], c = src[31 - i];
  int o = i * 32;
  long x = ((long)a << 32) | (uint)b;
  ulong y = ((ulong)(uint)b << 30) + (uint)a;
  dst[o] = as_uint(convert_float_rtz(x));
  dst[o + 1] = as_uint(convert_float_rtp(x));
  dst[o + 2] = as_uint(convert_float_rtn(x));
  dst[o + 3] = as_uint(convert_float_rtz(y));
  dst[o + 4] = as_uint(convert_float_rtp(y));
  dst[o + 5] = as_uint(convert_float_rtn(y >> 20));
  dst[o + 6] = as_uint(convert_float_rte(x >> (i & 31)));
  dst[o + 7] = as_uint(convert_float_rtp(x >> (i & 31)));
  dst[o + 8] = as_uint(convert_float_rtp((long)a * b));
  dst[o + 9] = as_uint(convert_float_rtn((long)a * b));
  dst[o + 10] = mad_sat((uchar)a, (uchar)b, (uchar)c);
  dst[o + 11] = mad_sat((char)a, (char)b, (char)c);
  dst[o + 12] = mad_sat((ushort)a, (ushort)b, (ushort)c);
  dst[o + 13] = mad_sat((short)a, (short)b, (short)c);
  dst[o + 14] = mad_sat((uchar)a, (uchar)1, (uchar)c);
  dst[o + 15] = mad_sat((char)a, (char)1, (char)c);
  dst[o + 16] = upsample((char)a, (uchar)b);
  dst[o + 17] = upsample((uchar)a, (uchar)b);
  dst[o + 18] = upsample((short)a, (ushort)b);
  dst[o + 19] = upsample((ushort)a, (ushort)b);
  uchar4 u = mad_sat((uchar4)(a, b, c, a >> 8), (uchar4)(3, 1, 7, 255), (uchar4)(c, a, b, 1));
  dst[o + 20] = as_uint(u);
  char4 s = mad_sat((char4)(a, b, c, a >> 8), (char4)(3, -1, 7, -128), (char4)(c, a, b, 1));
  dst[o + 21] = as_uint(s);
}
