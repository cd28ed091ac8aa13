/** Arguments reach the places the text gives them: values worked out by hand, told apart by their order of magnitude. */
import { describe, expect } from "vitest";
import { deviceTest } from "./device-test.js";
import { glsl, onOpenCl, onVulkan, words } from "./kernels.js";

const numbers = (r: { buffers: Readonly<Record<string, unknown>> }, name = "outs"): number[] => [
  ...(r.buffers[name] as Uint32Array),
];

describe("interfaces", async () => {
  await deviceTest("vulkan", "push constants in std430, whatever the order of sizes", async () => {
    const source = glsl(
      "outs[i] = i == 0u ? p.a : i == 1u ? p.v.x : i == 2u ? p.v.z : i == 3u ? p.b : i == 4u ? p.l[0] : i == 5u ? p.l[2] : i == 6u ? p.w.y : p.c;",
      "layout(push_constant) uniform Params { uint a; uvec3 v; uint b; uint l[3]; uvec2 w; uint c; } p;",
    );
    const r = await onVulkan(source, "glsl", {
      args: { outs: words(), a: 1, v: [2, 3, 4], b: 5, l: [6, 7, 8], w: [9, 10], c: 11 },
    });
    expect(r.diagnostics).toEqual([]);
    expect(numbers(r)).toEqual([1, 2, 4, 5, 6, 8, 10, 11]);
  });

  await deviceTest("vulkan", "uniform blocks in std140, sets and bindings with gaps", async () => {
    const source = glsl(
      "outs[i] = more[i] + (i == 0u ? a : i == 1u ? l[0] : i == 2u ? l[2] : i == 3u ? w.y : i == 4u ? uint(m[1].x) : i == 5u ? uint(m[0].y) : c);",
      "layout(std140, set = 2, binding = 7) uniform U { uint a; uint l[3]; uvec2 w; mat2 m; uint c; };\nlayout(std430, set = 1, binding = 3) readonly buffer More { uint more[]; };",
    );
    const more = words().fill(100);
    const r = await onVulkan(source, "glsl", {
      args: { outs: words(), more, a: 1, l: [2, 3, 4], w: [5, 6], m: [7, 8, 9, 10], c: 11 },
    });
    expect(r.diagnostics).toEqual([]);
    expect(numbers(r)).toEqual([101, 102, 104, 106, 109, 108, 111, 111]);
  });

  await deviceTest("vulkan", "specialisation constants, given and left to their defaults", async () => {
    const source = glsl(
      "outs[i] = A * 100u + (B ? 10u : 0u) + C;",
      "layout(constant_id = 4) const uint A = 1;\nlayout(constant_id = 9) const bool B = false;\nlayout(constant_id = 2) const uint C = 3;",
    );
    const r = await onVulkan(source, "glsl", { args: { outs: words(), A: 7, B: true } });
    expect(r.diagnostics).toEqual([]);
    expect(numbers(r)).toEqual(new Array(8).fill(713));
  });

  await deviceTest(
    "vulkan",
    "the registers t0, u0 and b0 are three bindings, cbuffers are packed in sixteens",
    async () => {
      const source = `cbuffer Params : register(b0) { uint a; uint2 w; uint3 v; uint b; uint l[2]; uint c; };
StructuredBuffer<uint> more : register(t0);
RWStructuredBuffer<uint> outs : register(u0);
[numthreads(8, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  uint i = id.x;
  outs[i] = more[i] + (i == 0 ? a : i == 1 ? w.y : i == 2 ? v.x : i == 3 ? v.z : i == 4 ? b : i == 5 ? l[1] : c);
}
`;
      const more = words().fill(100);
      const r = await onVulkan(source, "hlsl", {
        args: { outs: words(), more, a: 1, w: [2, 3], v: [4, 5, 6], b: 7, l: [8, 9], c: 10 },
      });
      expect(r.diagnostics).toEqual([]);
      expect(numbers(r)).toEqual([101, 103, 104, 106, 107, 109, 110, 110]);
    },
  );

  await deviceTest("vulkan", "constants of structs are put where glslang has them", async () => {
    // HLSL packs `b` behind the struct's last member; glslang starts a new register.
    const source = `struct Pair { uint x; uint y; };
cbuffer Params : register(b0) { Pair p; uint b; };
RWStructuredBuffer<uint> outs : register(u0);
[numthreads(8, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  outs[id.x] = id.x == 0 ? p.x : id.x == 1 ? p.y : b;
}
`;
    const r = await onVulkan(source, "hlsl", { args: { outs: words(), "p.x": 1, "p.y": 2, b: 3 } });
    expect(r.diagnostics).toEqual([]);
    expect(numbers(r)).toEqual([1, 2, 3, 3, 3, 3, 3, 3]);
  });

  await deviceTest("vulkan", "a structured buffer that glslang lays out in another way is not run", async () => {
    const source = `StructuredBuffer<uint3> more : register(t0);
RWStructuredBuffer<uint> outs : register(u0);
[numthreads(8, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  outs[id.x] = more[id.x].x;
}
`;
    const r = await onVulkan(source, "hlsl", { args: { outs: words(), more: words(24) } });
    expect(r.diagnostics.map((d) => d.code)).toEqual(["XL7011"]);
    expect(r.diagnostics[0]!.message).toContain("its elements are 16 bytes apart, not 12");
  });

  await deviceTest("vulkan", "8- and 16-bit buffers, and the length of a buffer", async () => {
    const source = `#version 450
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 8) in;
layout(std430, set = 0, binding = 0) readonly buffer A { uint8_t a[]; };
layout(std430, set = 0, binding = 1) readonly buffer B { uint16_t b[]; };
layout(std430, set = 0, binding = 2) writeonly buffer Out { uint outs[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  outs[i] = uint(a[i]) * 1000u + uint(b[i]);
}
`;
    const r = await onVulkan(source, "glsl", {
      args: {
        a: Uint8Array.from([1, 2, 3, 4, 5, 6, 7, 255]),
        b: Uint16Array.from([9, 8, 7, 6, 5, 4, 3, 999]),
        outs: words(),
      },
    });
    expect(r.diagnostics).toEqual([]);
    expect(numbers(r)).toEqual([1009, 2008, 3007, 4006, 5005, 6004, 7003, 255999]);
  });

  await deviceTest("opencl", "structs, vectors of three and workgroup memory as arguments", async () => {
    const source = `typedef struct { uchar a; uint b; ushort c; } Mixed;
kernel void spread(uint3 v, Mixed m, local uint *scratch, global uint *outs, float f) {
  uint i = get_local_id(0);
  scratch[i] = 7 - i;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint x = scratch[7 - i];
  outs[i] = i == 0 ? v.x : i == 1 ? v.z : i == 2 ? m.a : i == 3 ? m.b : i == 4 ? m.c : i == 5 ? (uint)(f * 2.0f) : x;
}
`;
    const args = {
      v: [1, 2, 3],
      "m.a": 4,
      "m.b": 5,
      "m.c": 6,
      scratch: { byteLength: 32 },
      outs: words(),
      f: 3.5,
    };
    const r = await onOpenCl(source, { args });
    expect(r.diagnostics).toEqual([]);
    expect(numbers(r)).toEqual([1, 3, 4, 5, 6, 7, 6, 7]);
  });

  await deviceTest("opencl", "the global offset and more than one dimension", async () => {
    const source =
      "kernel void at(global uint *outs) { outs[get_global_id(0) - 5 + 4 * (get_global_id(1) - 6)] = get_global_id(0) * 10 + get_global_id(1); }\n";
    const r = await onOpenCl(source, {
      args: { outs: words() },
      workgroups: [2, 2],
      workgroupSize: [2, 1],
      gridOffset: [5, 6],
    });
    expect(r.diagnostics).toEqual([]);
    expect(numbers(r)).toEqual([56, 66, 76, 86, 57, 67, 77, 87]);
  });

  await deviceTest("opencl", "defines, and inputs are not written to", async () => {
    const outs = words();
    const r = await onOpenCl("kernel void k(global uint *outs) { outs[get_global_id(0)] = (T)TWICE(N); }\n", {
      args: { outs },
      defines: { N: 6, T: "unsigned int", "TWICE(v)": "((v) * 2)" },
    });
    expect(numbers(r)).toEqual(new Array(8).fill(12));
    expect([...outs]).toEqual(new Array(8).fill(0));
  });
});
