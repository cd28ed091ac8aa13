// DXIL containers (dxc's output, signed or not) to SPIR-V for Vulkan, by vkd3d-shader: HLSL runs as DXC compiled it.
// Usage: dxil_to_spirv in.dxil out.spv [REGISTER[,SPACE][*COUNT]=SET.BINDING ...], a register being t0, u0 or b0, and COUNT
// the length of an array of resources. u becomes a storage buffer, b a uniform buffer, t a uniform texel buffer.
// Build where libvkd3d-dev is 1.13 or newer: gcc -O2 -I/usr/include/vkd3d -o dxil_to_spirv dxil_to_spirv.c -lvkd3d-shader -lm
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vkd3d_shader.h>

// The checksum that vkd3d-shader asks for (MD5 with a padding of its own); DXC leaves it to a signing library.
static void block(uint32_t st[4], const unsigned char *in) {
  static const unsigned char shift[4][4] = {{7,12,17,22},{5,9,14,20},{4,11,16,23},{6,10,15,21}};
  uint32_t a = st[0], b = st[1], c = st[2], d = st[3];
  for (int i = 0; i < 64; i++) {
    uint32_t f, k = (uint32_t)floor(fabs(sin(i + 1.0)) * 4294967296.0), w; int g, n = shift[i / 16][i % 4];
    if (i < 16) { f = (b & c) | (~b & d); g = i; } else if (i < 32) { f = (d & b) | (~d & c); g = (5 * i + 1) % 16; }
    else if (i < 48) { f = b ^ c ^ d; g = (3 * i + 5) % 16; } else { f = c ^ (b | ~d); g = (7 * i) % 16; }
    memcpy(&w, in + 4 * g, 4); f += a + k + w; a = d; d = c; c = b; b += f << n | f >> (32 - n);
  }
  st[0] += a; st[1] += b; st[2] += c; st[3] += d;
}
static void seal(unsigned char *data, size_t size) {
  uint32_t st[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476}; unsigned char last[64] = {0};
  const unsigned char *p = data + 20; size_t n = size - 20, rest = n % 64; uint32_t bits = (uint32_t)(n * 8), tail = bits >> 2 | 1;
  for (size_t i = 0; i + 64 <= n; i += 64) block(st, p + i);
  if (rest >= 56) { memcpy(last, p + n - rest, rest); last[rest] = 0x80; block(st, last); memset(last, 0, 64); }
  else { memcpy(last + 4, p + n - rest, rest); last[4 + rest] = 0x80; }
  memcpy(last, &bits, 4); memcpy(last + 60, &tail, 4); block(st, last); memcpy(data + 4, st, 16);
}

// vkd3d-shader 2.1 says the stride of a type once for each buffer that has it, and a decoration may be said once only:
// leaves out instructions that are there already. Returns the new length in words.
static size_t once(uint32_t *words, size_t count) {
  enum { OP_DECORATE = 71, OP_MEMBER_DECORATE = 72 };
  size_t to = 5;
  for (size_t at = 5, n; at < count; at += n) {
    uint32_t op = words[at] & 0xffff;
    n = words[at] >> 16;
    if (!n || at + n > count) return 0;
    int said = 0;
    if (op == OP_DECORATE || op == OP_MEMBER_DECORATE)
      for (size_t i = 5; i < to && !said; i += words[i] >> 16) said = words[i] == words[at] && !memcmp(words + i, words + at, 4 * n);
    if (!said) { memmove(words + to, words + at, 4 * n); to += n; }
  }
  return to;
}

int main(int argc, char **argv) {
  if (argc < 3) { fprintf(stderr, "usage: dxil_to_spirv in.dxil out.spv [t0[,SPACE][*COUNT]=SET.BINDING ...]\n"); return 2; }
  FILE *f = fopen(argv[1], "rb");
  if (!f) { perror(argv[1]); return 2; }
  fseek(f, 0, SEEK_END); size_t size = ftell(f); rewind(f);
  void *code = malloc(size); if (fread(code, 1, size, f) != size) return 2; fclose(f);
  if (size > 20 && !memcmp((char *)code + 4, (char[16]){0}, 16)) seal(code, size);

  unsigned int count = 0;
  struct vkd3d_shader_resource_binding *bindings = calloc(argc, sizeof *bindings);
  for (int i = 3; i < argc; i++) {
    char kind; unsigned int number, space = 0, length = 1, set, binding; int used = 0; const char *at = argv[i];
    if (sscanf(at, "%c%u%n", &kind, &number, &used) == 2 && strchr("tub", kind)) {
      at += used;
      if (*at == ',' && sscanf(at, ",%u%n", &space, &used) == 1) at += used;
      if (*at == '*' && sscanf(at, "*%u%n", &length, &used) == 1) at += used;
    }
    if (sscanf(at, "=%u.%u", &set, &binding) != 2) { fprintf(stderr, "bad binding %s\n", argv[i]); return 2; }
    struct vkd3d_shader_resource_binding *b = &bindings[count++];
    b->type = kind == 'u' ? VKD3D_SHADER_DESCRIPTOR_TYPE_UAV : kind == 'b' ? VKD3D_SHADER_DESCRIPTOR_TYPE_CBV : VKD3D_SHADER_DESCRIPTOR_TYPE_SRV;
    b->register_index = number; b->register_space = space;
    b->shader_visibility = VKD3D_SHADER_VISIBILITY_COMPUTE; b->flags = VKD3D_SHADER_BINDING_FLAG_BUFFER;
    b->binding.set = set; b->binding.binding = binding; b->binding.count = length;
  }
  struct vkd3d_shader_interface_info interface = {.type = VKD3D_SHADER_STRUCTURE_TYPE_INTERFACE_INFO, .bindings = bindings, .binding_count = count};
  struct vkd3d_shader_spirv_target_info target = {.type = VKD3D_SHADER_STRUCTURE_TYPE_SPIRV_TARGET_INFO, .entry_point = "main", .environment = VKD3D_SHADER_SPIRV_ENVIRONMENT_VULKAN_1_1};
  interface.next = &target;
  const struct vkd3d_shader_compile_option options[] = {
    {VKD3D_SHADER_COMPILE_OPTION_API_VERSION, VKD3D_SHADER_API_VERSION_1_13},
    {VKD3D_SHADER_COMPILE_OPTION_BUFFER_UAV, VKD3D_SHADER_COMPILE_OPTION_BUFFER_UAV_STORAGE_BUFFER},
    {VKD3D_SHADER_COMPILE_OPTION_FEATURE, VKD3D_SHADER_COMPILE_OPTION_FEATURE_INT64 | VKD3D_SHADER_COMPILE_OPTION_FEATURE_FLOAT64 | VKD3D_SHADER_COMPILE_OPTION_FEATURE_WAVE_OPS},
  };
  struct vkd3d_shader_compile_info info = {.type = VKD3D_SHADER_STRUCTURE_TYPE_COMPILE_INFO, .source = {code, size}, .source_type = VKD3D_SHADER_SOURCE_DXBC_DXIL,
    .target_type = VKD3D_SHADER_TARGET_SPIRV_BINARY, .options = options, .option_count = 3, .log_level = VKD3D_SHADER_LOG_WARNING};
  if (count) info.next = &interface; else info.next = &target;
  struct vkd3d_shader_code out; char *messages = NULL;
  int status = vkd3d_shader_compile(&info, &out, &messages);
  if (messages && *messages) fputs(messages, stderr);
  if (status < 0) { fprintf(stderr, "vkd3d-shader: %d\n", status); return 1; }
  FILE *o = fopen(argv[2], "wb");
  if (!o) { perror(argv[2]); return 2; }
  fwrite(out.code, 4, once((uint32_t *)out.code, out.size / 4), o); fclose(o);
  return 0;
}
