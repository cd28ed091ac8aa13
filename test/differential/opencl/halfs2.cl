// Halfs stored in all forms, three components among them.
// invocations 8, workgroup 4, words 256
__kernel void k(__global const int *src, __global half *dst) {
  int i = get_global_id(0);
  __global half *h = dst + i * 64;
  float3 v = (float3)(i + 0.1f, -i * 1000.0f, 1.0f / (i + 1));
  vstorea_half3(v, 0, h);
  vstorea_half3_rtz(v, 1, h);
  vstorea_half4((float4)(v, 7.0f), 2, h);
  vstorea_half2(v.xy, 6, h);
  vstore_half3_rtn(v, 5, h);
  float3 r = vloada_half3(0, h);
  vstore_half(r.x, 30, h);
  vstore_half(r.z, 31, h);
  float4 q = vloada_half4(2, h);
  vstore_half(q.z, 32, h);
  r = vload_half3(5, h);
  vstore_half(r.z + r.y, 33, h);
  vstore_half2_rtp(v.yz, 17, h);
}
