/** What lowerings and rewritten arithmetic leave behind is plain; what the author wrote stays. */
import { describe, expect, it } from "vitest";
import { body, bodyOf, kernel, outcome } from "./text.js";

describe("conversions that take each other back", () => {
  it("are left out", async () => {
    // uint(int(uint(x) + 1u)) is uint(x) + 1u.
    expect(await body("u[i] = uint(x[i] + 1) << 3;", "glsl", "msl")).toEqual(["u[i] = (uint(x[i]) + 1u) << 3;"]);
    expect((await body("u[i] = (uint)(x[i] - 2);", "hlsl", "opencl")).at(-1)).toBe("u[i] = (uint)x[i] - 2u;");
  });

  it("leave small integers out that were never large", async () => {
    const source = kernel("u[i] = simd_shuffle(u[i], (lane * 5 + 3) & 31);", "msl").replace(
      "uint i [[thread_position_in_grid]]",
      "uint i [[thread_position_in_grid]], ushort lane [[thread_index_in_simdgroup]]",
    );
    const { text } = await outcome(source, "msl", "hlsl");
    expect(bodyOf(text)).toEqual(["u[i.x] = WaveReadLaneAt(u[i.x], uint((int(WaveGetLaneIndex()) * 5 + 3) & 31));"]);
  });

  it("keep what cuts bits off", async () => {
    expect((await body("u[i] = (uint)(ushort)u[i + 1];", "opencl", "msl")).at(-1)).toBe(
      "u[i] = uint(ushort(u[i + 1u]));",
    );
  });
});

describe("arithmetic that a lowering put together", () => {
  it("is computed where it is on numbers", async () => {
    expect((await body("u[i] = bitfieldExtract(u[i], 5, 8);", "glsl", "hlsl")).at(-1)).toBe(
      "u[i] = (u[i] << 19u) >> 24u;",
    );
  });

  it("takes differences back", async () => {
    // findMSB is 31 - clz.
    expect(await body("u[i] = uint(31 - findMSB(u[i]));", "glsl", "msl")).toEqual(["u[i] = clz(u[i]);"]);
  });

  it("stays as the author wrote it", async () => {
    expect((await body("u[i] = (8u - 3u) * u[i] + uint(64 - 1);", "glsl", "hlsl")).at(-1)).toBe(
      "u[i] = (8u - 3u) * u[i] + uint(64 - 1);",
    );
  });

  it("writes masks in hexadecimal", async () => {
    const { text } = await outcome(kernel("u[i] = insert_bits(u[i], i, u[0], u[1]);", "msl"), "msl", "hlsl");
    expect(text).toContain("uint insert_bits(uint base, uint insert, uint offset, uint bits) {");
    expect(text).toContain("bits >= 32u ? 0xffffffffu : (1u << bits) - 1u");
    // The comment says what the function is for, without our name of the operation.
    expect(text).toContain("// `bits` bits of `insert` put at bit `offset` of `base`\n");
  });
});

describe("indices", () => {
  it("need no int where unsigned arithmetic gave them", async () => {
    expect(await body("int y = x[i]; f[i] = f[y * 256 + x[0]];", "glsl", "msl")).toEqual([
      "int y = x[i];",
      "f[i] = f[uint(y) * 256u + uint(x[0])];",
    ]);
  });
});

describe("remainders by a constant", () => {
  it("need no guard against zero", async () => {
    const { text } = await outcome(
      kernel("u[i] = u[i] % SLOTS;", "hlsl", "static const uint SLOTS = 256;"),
      "hlsl",
      "glsl",
    );
    expect(bodyOf(text).at(-1)).toBe("u[i] = u[i] % SLOTS;");
    expect(text).not.toContain("remainder");
  });
});

describe("lanes of the own subgroup", () => {
  const source = (size: number): string => `#pragma OPENCL EXTENSION cl_khr_subgroups : enable
__attribute__((reqd_work_group_size(${size}, 1, 1)))
__kernel void k(__global uint *u) {
  u[get_global_id(0)] = get_sub_group_size();
}
`;

  it("are all lanes where subgroups of any width fill the workgroup", async () => {
    expect(bodyOf((await outcome(source(256), "opencl", "glsl", { workgroupSize: undefined })).text)).toEqual([
      "u[gl_GlobalInvocationID.x] = gl_SubgroupSize;",
    ]);
  });

  it("are counted from the size where the last may be partly filled", async () => {
    expect(bodyOf((await outcome(source(96), "opencl", "glsl", { workgroupSize: undefined })).text)).toEqual([
      "u[gl_GlobalInvocationID.x] = min(gl_SubgroupSize, 96u - gl_SubgroupID * gl_SubgroupSize);",
    ]);
  });
});
