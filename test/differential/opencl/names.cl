// Names that other dialects reserve or predeclare.
// invocations 8, workgroup 4, words 256
#define buf dst
typedef int half4x;
struct texture {
  int sample;
  float mul;
};
int lerp(int in, int out, int vec4) {
  return in + out * vec4;
}
int mul(int a, int b) {
  return a * b + 1;
}
int saturate(int mat4) {
  return mat4 > 10 ? 10 : mat4;
}
int thread(int device) {
  return device + 1;
}
int frac(int x) {
  return x & 7;
}
int ddx(int x) {
  return x + 3;
}
int fract_(int discard) {
  return discard - 1;
}
int simd_sum(int x) {
  return x * 2;
}
int subgroupAdd(int x) {
  return x * 3;
}
int WaveActiveSum(int x) {
  return x * 5;
}
int main_(int row_major) {
  return row_major;
}
__kernel void k(__global const int *src, __global int *dst) {
  int buffer = get_global_id(0);
  int in = 1, out = 2, inout = 3, sample = 4, texture2D = 5, device = 6, vec4 = 7, float3x3 = 8, cbuffer = 9,
      groupshared = 10, precise = 11, thread = 12, threadgroup = 13, constant_ = 14, layout = 15, shared = 16;
  int asm_ = 1, matrix = 17, vector = 18, string = 19, template = 20, operator = 21, class = 22, namespace =
      23, new = 24, this = 25, using = 26, true_ = 27, centroid = 28, flat = 29, attribute = 30, varying = 31,
      invariant = 32, lowp = 33, filter = 34, input = 35, output = 36, common = 37, partition = 38, active =
      39, noise = 40, point = 41, line = 42, triangle = 43, pass = 44, technique = 45, register_ = 46, unorm =
      47, linear = 48, half4_ = 49, interface = 50, gl_x = 51, metal = 52, kernel_ = 53, vertex = 54, fragment
      = 55, bool2_ = 56, uint4_ = 57, private_ = 58, delete = 59, try = 60, catch = 61, throw = 62, public =
      63, and = 64, or = 65, not = 66, xor = 67, export = 68, mutable = 69, explicit = 70, friend = 71,
      subroutine = 72, patch = 73, resource = 74, dword = 75, min16float = 76, SV_Position = 77, subpass = 78,
      tex = 79, gl_GlobalInvocationID_ = 80;
  int o = buffer * 32;
  struct texture t;
  t.sample = sample;
  t.mul = 2.0f;
  buf[o] = lerp(in, out, vec4);
  dst[o+1] = mul(inout, device) + saturate(cbuffer);
  dst[o+2] = frac(groupshared) + ddx(precise) + fract_(thread);
  dst[o+3] = simd_sum(layout) + subgroupAdd(shared) + WaveActiveSum(float3x3);
  dst[o+4] = matrix + vector * string;
  dst[o+5] = template + operator * class;
  dst[o+6] = namespace + new * this;
  dst[o+7] = using + centroid * flat;
  dst[o+8] = attribute + varying * invariant;
  dst[o+9] = lowp + filter * input;
  dst[o+10] = output + common * partition;
  dst[o+11] = active + noise * point;
  dst[o+12] = line + triangle * pass;
  dst[o+13] = technique + unorm * linear;
  dst[o+14] = interface + metal * vertex + fragment;
  dst[o+15] = delete + try * catch + throw;
  dst[o+16] = public + and * or + not * xor;
  dst[o+17] = export + mutable * explicit + friend;
  dst[o+18] = subroutine + patch * resource;
  dst[o+19] = dword + min16float * SV_Position + subpass * tex;
  dst[o+20] = t.sample * (int)t.mul + threadgroup + texture2D + main_(3) + gl_x;
}
