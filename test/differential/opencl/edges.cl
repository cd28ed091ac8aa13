// Float functions on the bits of special values: infinities, zeros, subnormals, values beside integers.
// invocations 32 workgroup 8 words 512 nan
__constant uint specials[16] = {
  0x7f800000, 0xff800000, 0x7fc00000, 0x80000000, 0x80000001, 0x00000001, 0xc0400000, 0x40490fdb,
  0x00400001, 0x00000000, 0xc1200000, 0x7f7fffff, 0x40400000, 0x00800000, 0xb0000000, 0x3f7fffff,
};
__kernel void k(__global const uint *src, __global uint *dst) {
  int i = get_global_id(0);
  float x = as_float(i < 16 ? specials[i] : src[i] & 0xbfffffff);
  float y = i & 1 ? 0.0f : INFINITY;
  float p;
  int e;
  dst[i * 16] = as_uint(fract(x, &p));
  dst[i * 16 + 1] = as_uint(p);
  dst[i * 16 + 2] = as_uint(modf(x, &p));
  dst[i * 16 + 3] = as_uint(p);
  dst[i * 16 + 4] = as_uint(frexp(x, &e));
  dst[i * 16 + 5] = isfinite(x) ? e : 0;
  dst[i * 16 + 6] = as_uint(ldexp(x, -130));
  dst[i * 16 + 7] = as_uint(ldexp(x, 200));
  dst[i * 16 + 8] = as_uint(logb(x));
  dst[i * 16 + 9] = ilogb(x);
  dst[i * 16 + 10] = as_uint(nextafter(x, y));
  dst[i * 16 + 11] = as_uint(nextafter(x, -1.0f));
  dst[i * 16 + 12] = as_uint(maxmag(x, -3.0f));
  dst[i * 16 + 13] = as_uint(minmag(x, -3.0f));
  dst[i * 16 + 14] = isnan(nan(src[i])) + 2 * isnan(rootn(x, 0));
  dst[i * 16 + 15] = as_uint(maxmag(x, NAN));
}
