/**
 * Evidence for docs/devices.md: what the compiler and the driver here do that is not what the languages say. Each kernel is
 * small enough to see what it has to compute. Where a newer version has mended a fault this test says so, and the fault
 * can be taken off the list.
 */
import { describe, expect } from "vitest";
import { translate } from "../../src/index.js";
import { hlslFaults } from "../../src/device/vulkan/spirv-compiler.js";
import { deviceTest } from "./device-test.js";
import { glsl, hlsl, onVulkan, words } from "./kernels.js";

const run = async (source: string, from: "glsl" | "hlsl"): Promise<{ said: string; values: number[] }> => {
  const r = await onVulkan(source, from, { args: { outs: words() } });
  return {
    said: r.diagnostics.map((d) => `${d.code} ${d.message} ${d.notes.map((n) => n.message).join(" ")}`).join("\n"),
    values: [...((r.buffers.outs as Uint32Array | undefined) ?? [])],
  };
};

describe("glslang's GLSL", async () => {
  await deviceTest("vulkan", "GL_KHR_shader_subgroup_rotate is not known", async () => {
    const text = glsl("outs[i] = subgroupRotate(i, 1u);", "#extension GL_KHR_shader_subgroup_rotate : require");
    expect((await run(text, "glsl")).said).toContain("extension not supported: GL_KHR_shader_subgroup_rotate");
  });
});

describe("glslang's order", async () => {
  await deviceTest("vulkan", "two(j, ++j) is 22, and 12 by GLSL", async () => {
    const two = "uint two(uint a, uint b) { return a * 10u + b; }";
    const { values } = await run(glsl("uint j = i + 1u; outs[i] = two(j, ++j);", two), "glsl");
    expect(values[0]).toBe(22);
  });

  // HLSL divides by 0 as Direct3D does, which GLSL does by a function; i / (i + 1) is 0.
  await deviceTest("vulkan", "operators that become calls have their operands first", async () => {
    const source = hlsl("uint j = i; outs[i] = j / ++j;");
    const { code } = await translate(source, { from: "hlsl", to: "glsl" });
    expect(code).toContain("quotient(t, ");
    expect((await run(code!, "glsl")).values).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
  });
});

describe("glslang's HLSL", async () => {
  await deviceTest("vulkan", "fmod(-1, 4) is 3, and -1 by HLSL", async () => {
    const { said, values } = await run(hlsl("outs[i] = (uint)(int)fmod(-1.0f - (float)i * 0.0f, 4.0f);"), "hlsl");
    expect(said).toContain(hlslFaults[0]!.message);
    expect(values[0]).toBe(3);
  });

  await deviceTest("vulkan", "0x9E3779B185EBCA87ull is refused", async () => {
    const { said } = await run(hlsl("outs[i] = (uint)(0x9E3779B185EBCA87ull >> 32);"), "hlsl");
    expect(said).toContain("hexadecimal literal too big");
  });

  await deviceTest("vulkan", "WavePrefixSum includes the own lane", async () => {
    const { said, values } = await run(hlsl("outs[i] = WavePrefixSum(i + 1);"), "hlsl");
    expect(said).toContain(hlslFaults[1]!.message);
    // By HLSL the first lane has nothing before it.
    expect(values[0]).toBe(1);
  });

  await deviceTest("vulkan", "mad on integers makes a module that is not valid", async () => {
    const { said, values } = await run(hlsl("outs[i] = mad(i, 2u, 1u);"), "hlsl");
    // Without spirv-val it runs, and is wrong.
    if (said === "") expect(values).not.toEqual([1, 3, 5, 7, 9, 11, 13, 15]);
    else expect(said).toContain("Fma: expected Result Type to be a float");
  });

  await deviceTest(
    "vulkan",
    "enums, templates, operators, 16-bit types, select and WaveMatch are not known",
    async () => {
      expect(
        (await run(hlsl("outs[i] = twice(i);", "template <typename T> T twice(T x) { return x + x; }"), "hlsl")).said,
      ).toContain("'template' : Reserved word.");
      for (const [member, said] of [
        ["int operator+(int o) { return x + o; }", "'operator' : Reserved word."],
        ["S plus(S o) { return o; }", "'member type' : Expected"],
      ] as const)
        expect((await run(hlsl("outs[i] = 1;", `struct S { int x; ${member} };`), "hlsl")).said).toContain(said);
      expect((await run(hlsl("outs[i] = B;", "enum E { A, B };"), "hlsl")).said).toContain("'enum' : Reserved word.");
      expect(
        (await run(hlsl("outs[i] = dot(select(bool2(i > 1, i > 2), uint2(1, 2), uint2(3, 4)), uint2(1, 1));"), "hlsl"))
          .said,
      ).toContain("'select' : no matching overloaded function found");
      expect((await run(hlsl("outs[i] = WaveMatch(i & 1u).x;"), "hlsl")).said).toContain(
        "'WaveMatch' : no matching overloaded function found",
      );
      expect((await run(hlsl("uint16_t x = uint16_t(i); outs[i] = x;"), "hlsl")).said).toContain("XL7005");
    },
  );
});

describe("llvmpipe", async () => {
  await deviceTest("vulkan", "gives loops up after 65535 iterations of an invocation", async () => {
    const r = await onVulkan(glsl("for (uint n = 0u; n < 100000u; n++) atomicAdd(outs[i], 1u);"), "glsl", {
      args: { outs: words() },
    });
    const { name } = r.device!;
    const [count] = [...(r.buffers.outs as Uint32Array)];
    if (name.includes("llvmpipe")) expect([65535, 65536, 100000]).toContain(count);
    else expect(count).toBe(100000);
  });
});
