// Integer functions of int and uint over pairs of edge values.
// invocations 32, workgroup 4, words 1024
__kernel void k(__global const int *src, __global int *dst) {
  int i = get_global_id(0);
  int a = src[i];
  uint ua = a;
  for (int j = 0; j < 32; j++) {
    int b = src[j];
    uint ub = b;
    uint r = mul_hi(a, b);
    r = r * 31 + mul_hi(ua, ub);
    r = r * 31 + mad_hi(a, b, 7);
    r = r * 31 + mad_hi(ua, ub, 9u);
    r = r * 31 + hadd(a, b);
    r = r * 31 + hadd(ua, ub);
    r = r * 31 + rhadd(a, b);
    r = r * 31 + rhadd(ua, ub);
    r = r * 31 + add_sat(a, b);
    r = r * 31 + add_sat(ua, ub);
    r = r * 31 + sub_sat(a, b);
    r = r * 31 + sub_sat(ua, ub);
    r = r * 31 + abs_diff(a, b);
    r = r * 31 + abs_diff(ua, ub);
    r = r * 31 + abs(a);
    r = r * 31 + min(a, b) + 3 * max(a, b);
    r = r * 31 + min(ua, ub) + 3 * max(ua, ub);
    r = r * 31 + rotate(a, b);
    r = r * 31 + rotate(ua, ub);
    r = r * 31 + clz(a) + popcount(b);
    r = r * 31 + clz(ua >> 3) + popcount(ub);
    r = r * 31 + clamp(a, min(b, 10), max(b, 20));
    r = r * 31 + mul24((a << 8) >> 8, (b << 8) >> 8);
    r = r * 31 + mul24(ua & 0xffffffu, ub & 0xffffffu);
    r = r * 31 + mad24((a << 8) >> 8, 5, b);
    dst[i * 32 + j] = r;
  }
}
