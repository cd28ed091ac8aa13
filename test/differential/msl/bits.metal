// Integer and bit functions of MSL 6.4, select, casts of bits.
// invocations 32, workgroup 8, words 1024
#include <metal_stdlib>
using namespace metal;

kernel void k(device const uint *src [[buffer(0)]], device uint *dst [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  uint a = src[i], b = src[i ^ 1];
  int s = int(a), t = int(b);
  device uint *o = dst + i * 32;
  o[0] = extract_bits(a, i, 32 - i);
  o[1] = uint(extract_bits(s, 4u, 8u));
  o[2] = insert_bits(a, b, 8u, 16u);
  o[3] = clz(a);
  o[4] = ctz(a);
  o[5] = popcount(a);
  o[6] = reverse_bits(a);
  o[7] = rotate(a, b);
  o[8] = absdiff(s, t);
  o[9] = absdiff(a, b);
  o[10] = uint(addsat(s, t));
  o[11] = subsat(a, b);
  o[12] = uint(mulhi(s, t));
  o[13] = mulhi(a, b);
  o[14] = hadd(a, b);
  o[15] = rhadd(a, b);
  o[16] = select(a, b, s < t);
  o[17] = as_type<uint>(as_type<ushort2>(a).yx);
  o[18] = uint(clamp(s, -100, 100));
  o[19] = uint(max3(s, t, 7));
  o[20] = uint(median3(s, t, 7));
  uint4 v = uint4(a, b, i, 3);
  o[21] = v.wzyx.x + v.zw.y;
  v.xz = v.zx;
  o[22] = v.x ^ v.z;
  o[23] = uint(short(ushort(a)));
}
