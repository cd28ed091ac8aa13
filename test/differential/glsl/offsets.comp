// Members of blocks at places of their own: offsets, alignments, and layouts that are not the block's usual one.
// invocations 8, workgroup 8, words 512
// args {"u.a": 3, "u.b": [1,2,3,4], "u.c": [5,6,7], "u.d": [8,9], "q.x": 11, "q.y": [12,13,14], "q.z": 15}
#version 450
layout(local_size_x = 8) in;
layout(std430, set = 0, binding = 0) readonly buffer Src { layout(offset = 8) uint at8; layout(offset = 32) uvec2 at32; layout(align = 64) uint words[]; } src;
struct Item {
  vec2 v;
  vec2 s;
};
layout(std430, set = 0, binding = 1) buffer Dst { layout(offset = 16) uint head; layout(align = 32, offset = 64) Item items[]; } dst;
layout(std140, set = 0, binding = 2) uniform U {
  layout(offset = 4) float a;
  layout(align = 32) vec4 b;
  layout(offset = 64) vec3 c;
  layout(offset = 96, align = 128) vec2 d;
} u;
layout(std430, push_constant) uniform Q {
  layout(offset = 12) float x;
  layout(offset = 32) vec3 y;
  float z;
} q;

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i == 0u) dst.head = src.at8 + src.at32.y;
  dst.items[i].v = (u.c * u.a + q.y).xz;
  dst.items[i].s = vec2(u.b[i & 3u] + u.d.y * 10.0 + q.x * 100.0, q.z);
  dst.items[i + 8u] = Item(vec2(src.words[i] & 255u), vec2(src.words[40] & 0xffffu));
}
