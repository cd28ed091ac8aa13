/** Functions of the languages that are not translated: the message says why. What DXC and glslang say of them in compute shaders is asked. */
import { join } from "node:path";
import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { TwoWayDialect } from "../../src/dialects/ids.js";
import { inScratchFolder } from "../../src/judges/run-program.js";
import { analyzed } from "../sema/support.js";
import { askDxcPastFaults } from "../support/judges/dxc.js";
import { judges } from "../support/judges/outputs.js";
import { judgeTest } from "../support/tool-test.js";

const frames: Readonly<Record<"glsl" | "opencl" | "hlsl", (body: string) => string>> = {
  glsl: (body) =>
    `#version 450\nlayout(local_size_x = 8) in;\nlayout(std430, binding = 0) buffer O { float o[]; };\nvoid main() { ${body} }\n`,
  opencl: (body) => `kernel void k(global float *o) { ${body} }\n`,
  hlsl: (body) => `RWStructuredBuffer<float> o;\n[numthreads(8, 1, 1)] void k(uint i : SV_GroupIndex) { ${body} }\n`,
};
const complaints = async (dialect: TwoWayDialect, text: string): Promise<string[]> =>
  (await analyzed(dialect, text)).problems.filter((p) => p.severity === "error").map((p) => `${p.code} ${p.message}`);

const derivative = "is not supported: it tells of a quad of threads, which need be no neighbouring lanes anywhere else";
const clock =
  "is not supported: it reads a counter of the device, which no other language and no second run has the value of";
const refused: Readonly<Record<keyof typeof frames, readonly (readonly [body: string, said: string])[]>> = {
  hlsl: [
    ...["ddx", "ddx_coarse", "ddx_fine", "ddy", "ddy_coarse", "ddy_fine", "fwidth"].map(
      (f) => [`o[0] = ${f}(o[i]);`, `XL1900 '${f}' ${derivative}`] as const,
    ),
    ["clip(o[0]);", "XL2011 'clip' has no meaning in a compute kernel: it ends a pixel"],
  ],
  glsl: [
    ...["dFdx", "dFdyFine", "fwidthCoarse"].map((f) => [`o[0] = ${f}(o[1]);`, `XL1900 '${f}' ${derivative}`] as const),
    ...["clockARB", "clock2x32ARB", "clockRealtimeEXT", "clockRealtime2x32EXT"].map(
      (f) => [`${f}();`, `XL1900 '${f}' ${clock}`] as const,
    ),
  ],
  opencl: ["clock_read_device", "clock_read_hilo_sub_group"].map((f) => [`${f}();`, `XL1900 '${f}' ${clock}`] as const),
};

for (const dialect of ["glsl", "opencl", "hlsl"] as const)
  test.each(refused[dialect])(`${dialect}: %s`, async (body, said) => {
    expect(await complaints(dialect, frames[dialect](body))).toEqual([said]);
  });

test("which threads a quad has, in GLSL", async () => {
  const text = frames.glsl("o[0] = 1.0;").replace("local_size_x = 8", "local_size_x = 8, derivative_group_linearNV");
  expect(await complaints("glsl", text)).toEqual([
    "XL1900 layout 'derivative_group_linearNV' says which threads are a quad, which is not supported",
  ]);
});

/** DXC takes its own before one of the source, also where crosslane has none. */
test.each(["ddx", "ddy_fine", "fwidth", "clip"])("a function of the source that is named %s", async (name) => {
  const text = `float ${name}(float x) { return x; }\n${frames.hlsl(`${name}(o[i]);`)}`;
  expect(await complaints("hlsl", text)).toHaveLength(1);
});

judgeTest(judges.hlsl, "DXC takes derivatives in compute shaders from 6.6 on, in whole quads, and no clip", () =>
  inScratchFolder(async (folder) => {
    const texts = {
      quads: frames.hlsl("o[0] = ddx(o[i]);"),
      three: frames.hlsl("o[0] = ddx(o[i]);").replace("8, 1", "3, 1"),
      clip: frames.hlsl("clip(o[0]);"),
      // DXC's own is taken: the source's has no effect that could be refused.
      own: `float fwidth(float x) { return 1; }\n${frames.hlsl("o[0] = fwidth(o[i]);").replace("8, 1", "3, 1")}`,
    };
    const asked = (
      [
        ["quads", "cs_6_5"],
        ["quads", "cs_6_6"],
        ["three", "cs_6_6"],
        ["clip", "cs_6_6"],
        ["own", "cs_6_6"],
      ] as const
    ).map(([name, profile]) => {
      const path = join(folder, `${name}.hlsl`);
      writeFileSync(path, texts[name]);
      return { profile, entry: "k", path, args: [] };
    });
    const said = await askDxcPastFaults(asked);
    expect(said[0]).toContain("Shader Model 6.6+");
    expect(said[1]).toBe("ok");
    expect(said[2]).toContain("derivatives require NumThreads");
    expect(said[3]).toContain("Discard not valid");
    expect(said[4]).toContain("derivatives require NumThreads");
  }),
);
