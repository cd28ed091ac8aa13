// The same for vectors of char and short.
// invocations 32, workgroup 4, words 512
__kernel void k(__global const int *src, __global int *dst) {
  int i = get_global_id(0);
  int o = i * 16;
  char4 c = as_char4(src[i]);
  char4 d = (char4)(1, -2, 127, 0);
  char4 r = c > d;
  dst[o] = as_int(r);
  r = select(c, d, c < d);
  dst[o+1] = as_int(r);
  r = select(c, d, as_uchar4(c));
  dst[o+2] = as_int(r);
  short2 s = as_short2(src[i]);
  short2 t = s == (short2)(0);
  dst[o+3] = as_int(t);
  r = (c == d) ? (char4)(7) : c;
  dst[o+5] = as_int(r);
  uchar4 uc = as_uchar4(c);
  r = uc >= (uchar)100;
  dst[o+6] = as_int(r);
  dst[o+7] = select((short)1, (short)2, s.x);
  dst[o+8] = select((uchar)1, (uchar)200, uc.y);
  r = !c;
  dst[o+9] = as_int(r);
  dst[o+10] = as_int(bitselect(c, d, (char4)(0x55)));
  dst[o+11] = as_int(c + d);
  dst[o+12] = as_int(c * d);
  dst[o+13] = as_int(uc / (uchar4)(3));
  dst[o+14] = as_int(-c);
  dst[o+15] = as_int(~uc);
}
