// Integer functions of 8 and 16 bits.
// invocations 32, workgroup 4, words 1024
__kernel void k(__global const int *src, __global int *dst) {
  int i = get_global_id(0);
  char a = src[i];
  uchar ua = a;
  short sa = src[i];
  ushort usa = sa;
  for (int j = 0; j < 32; j++) {
    char b = src[j];
    uchar ub = b;
    short sb = src[j];
    ushort usb = sb;
    uint r = mul_hi(a, b);
    r = r * 31 + mul_hi(ua, ub);
    r = r * 31 + mul_hi(sa, sb);
    r = r * 31 + mul_hi(usa, usb);
    r = r * 31 + hadd(a, b);
    r = r * 31 + hadd(ua, ub);
    r = r * 31 + rhadd(a, b);
    r = r * 31 + rhadd(usa, usb);
    r = r * 31 + add_sat(a, b);
    r = r * 31 + add_sat(ua, ub);
    r = r * 31 + sub_sat(sa, sb);
    r = r * 31 + sub_sat(usa, usb);
    r = r * 31 + abs_diff(a, b);
    r = r * 31 + abs_diff(usa, usb);
    r = r * 31 + abs(a);
    r = r * 31 + abs(sa);
    r = r * 31 + min(a, b) + 3 * max(ua, ub);
    r = r * 31 + rotate(a, b);
    r = r * 31 + rotate(ua, ub);
    r = r * 31 + rotate(sa, sb);
    r = r * 31 + rotate(usa, usb);
    r = r * 31 + clz(a) + popcount(b);
    r = r * 31 + clz(ua) + popcount(sb);
    r = r * 31 + clz(usa) + clz(sa);
    r = r * 31 + clamp(a, (char)-3, (char)9);
    dst[i * 32 + j] = r;
  }
}
