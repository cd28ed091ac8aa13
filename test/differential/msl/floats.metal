// Functions of floats with exact results: rounding, remainders, classes, sign of zero.
// invocations 16, workgroup 8, words 256
#include <metal_stdlib>
using namespace metal;

kernel void k(device const uint *src [[buffer(0)]], device uint *dst [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  float x = (float(i) - 8.0f) * 0.5f;
  device uint *o = dst + i * 16;
  o[0] = as_type<uint>(rint(x));
  o[1] = as_type<uint>(round(x));
  o[2] = as_type<uint>(trunc(x));
  o[3] = as_type<uint>(floor(x) + ceil(x));
  o[4] = as_type<uint>(fract(x));
  o[5] = as_type<uint>(fmod(x, 1.5f));
  o[6] = as_type<uint>(copysign(2.0f, x));
  o[7] = as_type<uint>(fma(x, x, 0.25f));
  o[8] = as_type<uint>(clamp(x, -1.0f, 1.0f));
  o[9] = as_type<uint>(saturate(x));
  o[10] = as_type<uint>(fmedian3(x, 0.0f, 1.0f));
  o[11] = uint(signbit(x)) + 4 * uint(isnan(x));
  o[12] = as_type<uint>(mix(1.0f, 3.0f, saturate(x)));
  o[13] = as_type<uint>(step(0.0f, x) + sign(x));
  o[14] = uint(x == -1.5f);
  o[15] = as_type<uint>(precise::sqrt(x * x));
}
