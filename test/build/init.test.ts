/** `crosslane init`: the config it writes builds what it found, as it stands. */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { foldersWith } from "../../src/build/include-folders.js";
import { crosslane, project, put, textsBelow } from "./real-command.js";

const name = "crosslane.config.json";
const scale = '#include "lib/scale.h"\n__kernel void scale(__global float *x) { x[get_global_id(0)] *= SCALE; }\n';
const sized = `__kernel __attribute__((reqd_work_group_size(16, 1, 1))) void sized(__global int *x) { x[get_global_id(0)] = 1; }\n`;
const metal = "kernel void k(device int *x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = 2; }\n";
const written = (folder: string): string => readFileSync(join(folder, name), "utf8");

describe("a starting config", () => {
  test("builds the kernels that are there, with what they include from elsewhere", async () => {
    const folder = project({
      "kernels/a/scale.cl": scale,
      "kernels/b [old]/k.metal": metal,
      "sized.cl": sized,
      "shared/include/lib/scale.h": '#include "../base.h"\n#include "deep.h"\n#define SCALE (BASE + DEEP)\n',
      "shared/include/base.h": "#define BASE 2.0f\n",
      "elsewhere/deep.h": "#define DEEP 1.0f\n",
      "node_modules/p/deep.h": "#error not this one\n",
      "node_modules/p/p.cl": sized,
    });
    const said = await crosslane(folder, ["init"]);
    expect(said).toEqual({
      code: 0,
      out: `wrote ${name}: 3 files of kernels; edit it, then run \`crosslane build\`\n`,
      err: "",
    });
    expect(written(folder)).toContain('"includeDirs": ["elsewhere", "shared/include"],');
    const built = await crosslane(folder, ["build"]);
    expect(built.err).toMatch(/^3 inputs: 6 written/);
    expect(built.code).toBe(0);
    const texts = textsBelow(folder);
    expect(texts["out/glsl/a/scale.comp"]).toContain("local_size_x = 64");
    expect(texts["out/hlsl/b [old]/k.hlsl"]).toContain("numthreads(64, 1, 1)");
    // What a kernel states comes before the guess.
    expect(texts["out/glsl/sized.comp"]).toContain("local_size_x = 16");
    // What was written is nothing to translate.
    const before = written(folder);
    expect((await crosslane(folder, ["init"])).err).toContain(`there is a config already: '${name}'`);
    expect((await crosslane(folder, ["init", "--force"])).code).toBe(0);
    expect(written(folder)).toBe(before);
  });

  test("opens the folder above kernels that include each other's headers", async () => {
    const folder = project({
      "src/gpu/act/k.cl":
        '#include "../common/base.h"\n__kernel void k(__global float *x) { x[get_global_id(0)] = BASE; }\n',
      "src/gpu/more/deep/n.cl": '#include "a.h"\n__kernel void n(__global float *x) { x[get_global_id(0)] = BASE; }\n',
      "src/gpu/more/deep/a.h": '#include "../b.h"\n',
      "src/gpu/more/b.h": '#include "../common/base.h"\n',
      "src/gpu/common/base.h": '#include "types.h"\n#define BASE (real)1\n',
      "generated/types.h": "typedef float real;\n",
    });
    expect((await crosslane(folder, ["init"])).code).toBe(0);
    expect(written(folder)).toContain('"includeDirs": ["generated", "src/gpu"],');
    const built = await crosslane(folder, ["build"]);
    expect({ code: built.code, err: built.err }).toEqual({
      code: 0,
      err: expect.stringMatching(/^2 inputs: 6 written/),
    });
  });

  test("of kernels that state their size leaves the size out", async () => {
    const hlsl = "RWBuffer<int> x;\n[numthreads(8, 1, 1)]\nvoid k(uint i : SV_DispatchThreadID) { x[i] = 1; }\n";
    const folder = project({ "k.hlsl": hlsl });
    await crosslane(folder, ["init"]);
    expect(written(folder)).toContain('// "workgroupSize": [64],');
    expect(written(folder)).toContain('// "includeDirs": ["include"],');
    expect(written(folder)).toContain('"targets": ["msl", "glsl", "opencl"],');
  });

  test("lists workgroup memory that is sized at launch, where nothing else does", async () => {
    const sum = (attributes: string): string =>
      `__kernel ${attributes}void k(__global float *y, __local float *t, __local int2 *p) { t[0] = 1; p[0].x = 2; y[0] = t[0] + p[0].x; }\n`;
    const launch = {
      workgroups: [1],
      workgroupSize: [8],
      args: { y: { type: "f32", count: 4, init: { fill: 0 }, output: true }, t: { bytes: 24 } },
    };
    const folder = project({
      "a.cl": sum(""),
      "sub/c.cl": sum("__attribute__((reqd_work_group_size(16, 2, 1))) "),
      "sub/b [2].cl": sum(""),
      "sub/b [2].launch.json": JSON.stringify(launch),
      "sub/wrong.cl": "__kernel void k(__local float *t) { t[0] = ; }\n",
    });
    await crosslane(folder, ["init"]);
    // Elements of 4 and 8 bytes of 64 invocations, of 16 x 2, and of 8 as the launch file says, which has the bytes of t.
    expect(written(folder)).toContain(`
  "kernels": {
    "./a.cl": { "local": { "t": 256, "p": 512 } },
    "sub/b \\\\[2\\\\].cl": { "local": { "p": 64 } },
    "sub/c.cl": { "local": { "t": 128, "p": 256 } },
  },
`);
    expect((await crosslane(folder, ["build"])).err).toContain("\n4 inputs: 9 written");
    expect(textsBelow(folder)["out/glsl/b [2].comp"]).toContain("shared float t[6];");
  });

  test("keeps apart what has one name: in folders, and in dialects", async () => {
    const folder = project({ "k.metal": metal, "sub/k.metal": metal, "sub/k.cl": sized, "other/k.metal": metal });
    await crosslane(folder, ["init"]);
    expect(written(folder)).toContain('"inputs": ["**/*.{cl,metal}"],');
    expect((await crosslane(folder, ["build"])).err).toMatch(/^4 inputs: 8 written/);
    expect(Object.keys(textsBelow(folder)).filter((file) => file.endsWith("k.hlsl"))).toEqual([
      "out/hlsl/msl/k.hlsl",
      "out/hlsl/msl/other/k.hlsl",
      "out/hlsl/msl/sub/k.hlsl",
      "out/hlsl/opencl/sub/k.hlsl",
    ]);
  });

  test("where there are no kernels says what would be some, and is a config all the same", async () => {
    const folder = project({});
    expect((await crosslane(folder, ["init"])).out).toContain("0 files of kernels");
    expect((await crosslane(folder, ["build"])).err).toContain("error[XL8011]: no file fits");
    put(join(folder, "kernels/k.metal"), metal);
    mkdirSync(join(folder, "kernels/more.cl"));
    const { err, code } = await crosslane(folder, ["build"]);
    expect([code, err]).toEqual([0, expect.stringMatching(/^1 input: 4 written/)]);
  });
});

test("a missing include names the folder that has it", async () => {
  const folder = project({
    "k/scale.cl": scale,
    "x/lib/scale.h": "#define SCALE 2.0f\n",
    "x/y/lib/scale.h": "",
    ".hidden/lib/scale.h": "",
  });
  const { err } = await crosslane(folder, ["translate", "k/scale.cl", "--to", "msl"]);
  expect(err).toContain('error[XL0006]: "lib/scale.h" is not found');
  expect(err).toContain(
    "= help: there is x/lib/scale.h, and another elsewhere: -I x finds it; a build's config has includeDirs",
  );
  expect((await crosslane(folder, ["translate", "k/scale.cl", "--to", "msl", "-I", "x"])).code).toBe(0);
  expect(foldersWith("lib/scale.h", folder)).toEqual(["x", "x/y"]);
  expect(foldersWith("../lib/scale.h", join(folder, "x/y"))).toEqual([]);
  expect(foldersWith("scale.h", join(folder, "x/lib"))).toEqual(["."]);
});
