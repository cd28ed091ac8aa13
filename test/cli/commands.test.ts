import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { crosslane, workspace } from "./command-line.js";

const reduce = { "reduce.metal": "reduce/kernel.metal", "reduce.launch.json": "reduce/launch.json" };

describe("verify", () => {
  test("says what was run, per target, and what was emulated", async () => {
    const { code, out, err } = await crosslane(workspace(reduce), [
      "verify",
      "reduce.metal",
      "--to",
      "glsl,opencl,hlsl,ts",
    ]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain("reduce in reduce.metal (msl)");
    expect(out).toContain(
      "reduce.launch.json: 16 workgroups of 64, subgroup widths 8 16 32 64, 2 fills of unspecified values",
    );
    expect(out).toContain("compared: sums (64 bytes); the source leaves what the launch file expects");
    for (const target of ["glsl  ", "opencl", "hlsl  ", "ts    "])
      expect(out).toContain(`${target}  equivalent on 8 launches, 512 bytes compared`);
    expect(out).toMatch(/emulated: .*\(reduce\.metal:16\)/);
  });

  test("widths and seeds", async () => {
    const { out } = await crosslane(workspace(reduce), [
      "verify",
      "reduce.metal",
      "--to",
      "glsl",
      "--subgroup-sizes",
      "16,64",
      "--seeds",
      "3",
    ]);
    expect(out).toContain("equivalent on 6 launches");
    expect(
      (await crosslane(workspace(reduce), ["verify", "reduce.metal", "--to", "glsl", "--subgroup-sizes", "12"])).code,
    ).toBe(2);
  });

  test("a result that is not the expected one ends with 3", async () => {
    const folder = workspace(reduce);
    const launch = readFileSync(join(folder, "reduce.launch.json"), "utf8");
    writeFileSync(join(folder, "reduce.launch.json"), launch.replace("6112", "6113"));
    const { code, err } = await crosslane(folder, ["verify", "reduce.metal", "--to", "glsl"]);
    expect(code).toBe(3);
    expect(err).toContain("'sums[1]' is 6112 (0x000017e0), and 6113 (0x000017e1) is expected");
    expect(err).toContain("reduce.launch.json:");
  });

  test("a launch file with errors", async () => {
    const folder = workspace(reduce);
    writeFileSync(join(folder, "reduce.launch.json"), '{"workgroups": [16], "workgroupSize": [64], "arg": {}}');
    const { code, err } = await crosslane(folder, ["verify", "reduce.metal", "--to", "glsl"]);
    expect(code).toBe(1);
    expect(err).toContain("did you mean 'args'?");
    expect(err).toContain("reduce.launch.json:1:");
  });

  test("without a launch file, says what it chose", async () => {
    const { code, out } = await crosslane(workspace({ "saxpy.metal": "saxpy/kernel.metal" }), [
      "verify",
      "saxpy.metal",
      "--to",
      "hlsl",
    ]);
    expect(code).toBe(0);
    expect(out).toContain("derived: an element per invocation, edge values, integers by value 191: 3 workgroups of 64");
    expect(out).toContain("compared: y");
  });

  test("a source with a finding makes it inconclusive", async () => {
    const folder = workspace();
    writeFileSync(
      join(folder, "k.comp"),
      "#version 450\nlayout(local_size_x = 64) in;\nlayout(set = 0, binding = 0) buffer X { uint x[]; };\nvoid main() { x[gl_GlobalInvocationID.x + 1u] = 1u; }\n",
    );
    const args = { x: { type: "u32", count: 64, init: { fill: 0 }, output: true } };
    writeFileSync(join(folder, "launch.json"), JSON.stringify({ workgroups: [1], args }));
    const { code, out, err } = await crosslane(folder, ["verify", "k.comp", "--to", "hlsl"]);
    expect(code).toBe(4);
    expect(out).toContain("inconclusive");
    expect(err).toContain("XL5002");
    expect(err).toContain("k.comp:4:15");
  });

  test("as JSON", async () => {
    const { code, out } = await crosslane(workspace(reduce), [
      "verify",
      "reduce.metal",
      "--to",
      "glsl",
      "--format",
      "json",
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      entry: "reduce",
      results: [{ target: "glsl", result: "equivalent" }],
      diagnostics: [],
    });
  });
});

describe("run", () => {
  test("prints outputs", async () => {
    const { code, out, err } = await crosslane(workspace(reduce), ["run", "reduce.metal"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain("sums (i32): 2016 6112 10208");
    expect(out).toContain("no findings");
  });

  test("findings end with 4, and can be left out", async () => {
    const folder = workspace({ "k.metal": "saxpy/kernel.metal" });
    const args = {
      a: { type: "f32", value: 2 },
      n: { type: "u32", value: 128 },
      x: { type: "f32", count: 100, init: { fill: 1 } },
      y: { type: "f32", count: 128, init: { fill: 1 }, output: true },
    };
    writeFileSync(join(folder, "launch.json"), JSON.stringify({ workgroups: [2], workgroupSize: [64], args }));
    const found = await crosslane(folder, ["run", "k.metal"]);
    expect(found.code).toBe(4);
    expect(found.err).toContain("warning[XL5002]");
    expect(found.err).toContain("out of bounds of x");
    expect((await crosslane(folder, ["run", "k.metal", "--findings", "none"])).code).toBe(0);
    expect((await crosslane(folder, ["run", "k.metal", "--findings", "barrier-divergence"])).code).toBe(0);
    expect((await crosslane(folder, ["run", "k.metal", "--findings", "races"])).code).toBe(2);
  });

  test("an unexpected result ends with 3", async () => {
    const folder = workspace(reduce);
    const launch = readFileSync(join(folder, "reduce.launch.json"), "utf8");
    writeFileSync(join(folder, "reduce.launch.json"), launch.replace("6112", "6113"));
    expect((await crosslane(folder, ["run", "reduce.metal"])).code).toBe(3);
  });

  test("without a launch file", async () => {
    const { code, err } = await crosslane(workspace({ "k.metal": "saxpy/kernel.metal" }), ["run", "k.metal"]);
    expect(code).toBe(1);
    expect(err).toContain("there is no launch file for 'k.metal'");
  });

  test("an endless loop is stopped", async () => {
    const folder = workspace();
    writeFileSync(join(folder, "k.cl"), "__kernel void k(__global uint *x) { while (x[0] == 0u) { x[1] += 1u; } }\n");
    const args = { x: { type: "u32", count: 2, init: { fill: 0 }, output: true } };
    writeFileSync(join(folder, "launch.json"), JSON.stringify({ workgroups: [1], workgroupSize: [1], args }));
    const { code, err } = await crosslane(folder, ["run", "k.cl", "--max-steps", "1000"]);
    expect(code).toBe(4);
    expect(err).toContain("XL5008");
  });
});

describe("check, reflect, capabilities, explain", () => {
  test("check reports per target and profile", async () => {
    const { code, out } = await crosslane(workspace(reduce), ["check", "reduce.metal"]);
    expect(code).toBe(0);
    expect(out).toMatch(/hlsl {4}sm5\.0: refused/);
    expect(out).toMatch(/glsl {4}vulkan1\.1 to vulkan1\.4: emulated/);
    const json = JSON.parse(
      (await crosslane(workspace(reduce), ["check", "reduce.metal", "--format", "json"])).out,
    ) as { files: { portability: { profile: string }[] }[] };
    const profiles = json.files[0]!.portability.map((p) => p.profile);
    for (const profile of ["msl2.0-ios", "vulkan1.1", "opencl1.2", "sm5.0", "ts"]) expect(profiles).toContain(profile);
  });

  test("reflect lists arguments with their slots", async () => {
    const { code, out } = await crosslane(
      workspace({ "saxpy.metal": "saxpy/kernel.metal", "launch.json": "saxpy/launch.json" }),
      ["reflect", "saxpy.metal"],
    );
    expect(code).toBe(0);
    const { entries } = JSON.parse(out) as {
      entries: { name: string; arguments: { path: string; slots: Record<string, object> }[] }[];
    };
    expect(entries[0]!.name).toBe("saxpy");
    const slots = Object.fromEntries(entries[0]!.arguments.map((a) => [a.path, a.slots]));
    expect(slots.a).toMatchObject({
      hlsl: { kind: "cbuffer", slot: 0, offset: 0, size: 4 },
      glsl: { kind: "push-constant", offset: 0, size: 4 },
    });
    expect(slots.n).toMatchObject({ hlsl: { kind: "cbuffer", offset: 4 }, glsl: { offset: 4 } });
    expect(slots.x).toMatchObject({
      glsl: { kind: "buffer", set: 0, slot: 0 },
      hlsl: { register: "t", slot: 0 },
    });
    expect(slots.y).toMatchObject({ glsl: { set: 0, slot: 1 }, hlsl: { register: "u", slot: 1 } });
  });

  test("capabilities in three forms", async () => {
    const folder = workspace();
    expect((await crosslane(folder, ["capabilities", "subgroup"])).out).toMatch(/subgroup\.add +simd_sum/);
    expect((await crosslane(folder, ["capabilities", "subgroup.add"])).out).toContain("WaveActiveSum");
    expect((await crosslane(folder, ["capabilities", "quad", "--format", "markdown"])).out).toContain(
      "| op | msl msl3.0 |",
    );
    const { rows } = JSON.parse(
      (await crosslane(folder, ["capabilities", "--profile", "sm5.0", "--format", "json", "subgroup.add"])).out,
    ) as { rows: { targets: object }[] };
    expect(rows[0]!.targets).toMatchObject({ hlsl: { profile: "sm5.0", verdict: "refused" } });
  });

  test("explain", async () => {
    const { code, out } = await crosslane(workspace(), ["explain", "xl2001"]);
    expect(code).toBe(0);
    expect(out).toContain("XL2001: a name is used that is not declared");
    expect(out).toContain(
      "For example:\n\nerror[XL2001]: function 'get_global_sise' is not declared\n --> input.cl:3:13\n",
    );
    const wrong = await crosslane(workspace(), ["explain", "XL2000"]);
    expect(wrong.code).toBe(2);
    expect(wrong.err).toContain("error[XL8001]: there is no code 'XL2000'");
    expect((await crosslane(workspace(), ["explain"])).err).toContain(
      "error[XL8001]: missing required argument 'code'",
    );
  });
});

describe("grids", () => {
  const kernel =
    "__kernel void k(__global uint *x) { x[get_global_id(0) - get_global_offset(0)] = (uint)get_global_id(0) + 1u; }\n";
  const args = { x: { type: "u32", count: 100, init: { fill: 0 }, output: true } };
  const launch = { workgroupSize: [64], subgroupSizes: [16], args };
  const folderWith = (more: object): string => {
    const folder = workspace();
    writeFileSync(join(folder, "k.cl"), kernel);
    writeFileSync(join(folder, "launch.json"), JSON.stringify({ ...launch, ...more }));
    return folder;
  };

  test("the last workgroup may be partial where the dialect allows it", async () => {
    const { code, out, err } = await crosslane(folderWith({ gridSize: [100] }), [
      "verify",
      "k.cl",
      "--to",
      "msl,ts,glsl,hlsl",
    ]);
    expect(code).toBe(1);
    for (const target of ["msl", "ts "])
      expect(out).toMatch(new RegExp(`${target} +equivalent on 2 launches, 800 bytes compared`));
    for (const target of ["glsl", "hlsl"])
      expect(err).toContain(
        `${target} starts whole workgroups only, and the launch has 100 x 1 x 1 in workgroups of 64 x 1 x 1`,
      );
  });

  test("a grid offset is OpenCL's", async () => {
    const folder = folderWith({ gridSize: [100], gridOffset: [7] });
    const { out } = await crosslane(folder, ["run", "k.cl"]);
    expect(out).toContain("x (u32): 8 9 10");
    expect((await crosslane(folder, ["verify", "k.cl", "--to", "opencl,ts"])).code).toBe(0);
  });
});

describe("several entry points", () => {
  test("each kernel of a file becomes a GLSL file, and other targets hold all", async () => {
    const folder = workspace({ "p.metal": "block_pipeline/kernel.metal" });
    const { code } = await crosslane(folder, [
      "translate",
      "p.metal",
      "--to",
      "glsl,hlsl",
      "--out-dir",
      "out",
      "--workgroup-size",
      "64",
    ]);
    expect(code).toBe(0);
    expect(readdirSync(join(folder, "out")).sort()).toEqual(["p.add_offsets.comp", "p.hlsl", "p.scan_blocks.comp"]);
    expect((await crosslane(folder, ["translate", "p.metal", "--to", "glsl", "--workgroup-size", "64"])).code).toBe(1);
    expect(
      (
        await crosslane(folder, [
          "translate",
          "p.metal",
          "--to",
          "glsl",
          "--workgroup-size",
          "64",
          "--entry",
          "scan_blocks",
        ])
      ).code,
    ).toBe(0);
    const unknown = await crosslane(folder, ["verify", "p.metal", "--to", "glsl", "--entry", "scan_block"]);
    expect(unknown.code).toBe(1);
    expect(unknown.err).toContain("did you mean 'scan_blocks'?");
  });
});

describe("kernels that take long", () => {
  test("derived launches are fewer, and that is said", async () => {
    const folder = workspace();
    const body =
      "float y = float(i); for (uint k = 0; k < 60000; k++) { y = fma(y, 0.5f, 1.0f); y = fma(y, 0.25f, y); } out[i] = y;";
    writeFileSync(
      join(folder, "k.metal"),
      `kernel void k(device float *out [[buffer(0)]], uint i [[thread_position_in_grid]]) { ${body} }\n`,
    );
    const { code, out } = await crosslane(folder, ["verify", "k.metal", "--to", "glsl"]);
    expect(code).toBe(0);
    expect(out).toContain("glsl    equivalent on");
    // Eight workgroups of 64 would take 30 million iterations: such candidates are given up.
    expect(out).toMatch(/dropped: \d+ more|fewer launches and widths than usual/);
  });

  test("one that never ends is said to", async () => {
    const folder = workspace();
    writeFileSync(
      join(folder, "k.metal"),
      "kernel void k(device uint *out [[buffer(0)]], uint i [[thread_position_in_grid]]) { for (;;) { out[i] += 1u; } }\n",
    );
    const { code, err } = await crosslane(folder, ["verify", "k.metal", "--to", "glsl"]);
    expect(code).toBe(1);
    expect(err).toContain("XL6013");
    expect(err).toContain("the run was stopped after");
  });
});
