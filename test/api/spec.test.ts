/**
 * Specialisation constants with values: what the kernel computes is worked out by hand, texts are put before the real
 * compilers, and values that cannot be are refused with their place.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { simulate } from "../../src/api/simulate.js";
import { translate } from "../../src/api/translate.js";
import type { SourceOptions, SpecValues, TranslateResult } from "../../src/api/types.js";
import { verify } from "../../src/api/verify.js";
import { crosslane, workspace } from "../cli/command-line.js";
import { judgeable, judgeOutputs, judges, refusals, type JudgedDialect } from "../support/judges/outputs.js";
import { judgeTest } from "../support/tool-test.js";

/** Turns the elements of each workgroup around and multiplies them; `BLOCK` is the workgroup's size, too. */
const reversed = (tile: string, layouts = "layout(local_size_x_id = 0) in;"): string => `#version 450
${layouts}
layout(constant_id = 0) const uint BLOCK = 32;
layout(constant_id = 1) const int SCALE = 3;
layout(std430, binding = 0) buffer A { int a[]; };
shared int tmp[${tile}];
void main() {
  uint i = gl_LocalInvocationID.x;
  tmp[i] = a[gl_GlobalInvocationID.x] * SCALE;
  barrier();
  a[gl_GlobalInvocationID.x] = tmp[BLOCK - 1 - i];
}
`;
const sized = reversed("BLOCK");
const open = reversed("64");

const msl = `#include <metal_stdlib>
using namespace metal;
constant uint taps_given [[function_constant(0)]];
constant uint TAPS = is_function_constant_defined(taps_given) ? taps_given : 3u;
constant bool twice [[function_constant(1)]];
constant float by [[function_constant(2)]];
kernel void k(device float *x [[buffer(0)]], device float *y [[buffer(1), function_constant(twice)]], uint i [[thread_position_in_grid]]) {
  float t[TAPS];
  for (uint j = 0; j < TAPS; j++) t[j] = by * float(j);
  x[i] = t[TAPS - 1];
  if (twice) y[i] = 2 * x[i];
}
`;

const messages = (r: Pick<TranslateResult, "diagnostics">): string[] =>
  r.diagnostics.filter((d) => d.severity === "error").map((d) => `${d.code} ${d.location?.line ?? "-"}: ${d.message}`);

const glsl = { from: "glsl" } as const;

async function run(source: string, options: Partial<SourceOptions> & { workgroupSize?: number[] }): Promise<unknown> {
  const { buffers, findings, diagnostics } = await simulate(source, {
    ...glsl,
    ...options,
    workgroups: [2],
    args: { a: Int32Array.from([1, 2, 3, 4, 5, 6, 7, 8]) },
  });
  expect(messages({ diagnostics })).toEqual([]);
  expect(findings).toEqual([]);
  return [...(buffers.a as Int32Array)];
}

describe("what is computed", () => {
  const turned = [20, 15, 10, 5, 40, 35, 30, 25];
  test.each([
    ["by number", { spec: { 0: 4, 1: 5 } }],
    ["by name", { spec: { BLOCK: 4n, SCALE: 5n } }],
    ["the size for itself", { spec: { SCALE: 5 }, workgroupSize: [4] }],
  ])("an array and the workgroup have the size that is given: %s", async (_, options) => {
    expect(await run(sized, options)).toEqual(turned);
    expect(await run(reversed("gl_WorkGroupSize.x"), options)).toEqual(turned);
    // The layout may stand behind the constant.
    const late = sized
      .replace(/layout\(local.*\n/, "")
      .replace("void main", "layout(local_size_x_id = 0) in;\nvoid main");
    if (!("workgroupSize" in options)) expect(await run(late, options)).toEqual(turned);
  });

  test("a constant with the number of the workgroup's size is that of the launch", async () => {
    expect(await run(open, { workgroupSize: [4] })).toEqual([12, 9, 6, 3, 24, 21, 18, 15]);
    expect(await run(open, { workgroupSize: [2], spec: { SCALE: -1 } })).toEqual([-2, -1, -4, -3, 5, 6, 7, 8]);
  });

  test("function constants by the name of either declaration", async () => {
    for (const taps of [{ TAPS: 4 }, { taps_given: 4 }, { 0: 4 }] as readonly SpecValues[]) {
      const args = { x: new Float32Array(2), y: new Float32Array(2) };
      const spec = { ...taps, twice: true, by: 0.5 };
      const r = await simulate(msl, { from: "msl", spec, workgroups: [1], workgroupSize: [2], args });
      expect(messages(r)).toEqual([]);
      // 0.5 * (4 - 1), and twice that.
      expect([[...(r.buffers.x as Float32Array)], [...(r.buffers.y as Float32Array)]]).toEqual([
        [1.5, 1.5],
        [3, 3],
      ]);
    }
  });
});

/** glslang: "specialization-constant id is too large" from 2047 on; MSL's go up to 65535 (specification 5.8). */
describe("numbers that GLSL's compiler does not take", () => {
  const source = `#include <metal_stdlib>
#include "all.h"
constant int far [[function_constant(65535)]];
constant int first [[function_constant(0)]];
constant int last [[function_constant(2046)]];
kernel void k(device int *o [[buffer(0)]], uint i [[thread_position_in_grid]]) { o[i] = far * 100 + first * 10 + last; }`;
  const options = {
    from: "msl",
    workgroupSize: [4],
    include: { "all.h": "constant bool other [[function_constant(9)]];\n" },
  } as const;
  const ids = (text: string): string[] => [...text.matchAll(/constant_id = (\d+)/g)].map((m) => m[1]!);

  test("are others there, and it is said; what only an included file has and nothing uses is not there", async () => {
    const { code, emulations } = await translate(source, { ...options, to: "glsl" });
    expect(ids(code!)).toEqual(["1", "0", "2046"]);
    expect(emulations.find((e) => e.op === "constant-number")!.message).toContain("constant 65535");
    const { code: own } = await translate(source, { ...options, to: "msl" });
    expect(own).toContain("function_constant(65535)");
  });
  judgeTest(judges.glsl, "the text is taken", async () => {
    const { code } = await translate(source, { ...options, to: "glsl" });
    expect(refusals(await judgeOutputs([judgeable("glsl", "far", code!)]))).toBe("");
  });
});

describe("translations", () => {
  const texts = async (
    source: string,
    options: SourceOptions & { workgroupSize?: number[] },
  ): Promise<Map<JudgedDialect, TranslateResult>> =>
    new Map(
      await Promise.all(
        (["msl", "glsl", "hlsl", "opencl"] as const).map(
          async (to) => [to, await translate(source, { ...options, to })] as const,
        ),
      ),
    );

  test("nothing is assumed of a constant that has a value, and it is no argument", async () => {
    for (const options of [{ spec: { 0: 64 } }, { workgroupSize: [64] }])
      for (const [to, r] of await texts(sized, { ...glsl, ...options })) {
        expect(
          r.assumptions.filter((a) => a.op === "specialisation-default"),
          to,
        ).toEqual([]);
        expect(r.code).toContain(
          {
            msl: "threadgroup(64)",
            glsl: "local_size_x = 64)",
            hlsl: "numthreads(64, 1, 1)",
            opencl: "group_size(64, 1, 1)",
          }[to],
        );
        expect(r.reflection!.entries[0]!.workgroupSize).toEqual([64, 1, 1]);
        expect(r.reflection!.entries[0]!.arguments.map((a) => a.path)).toEqual(["SCALE", "a"]);
      }
  });

  test("without a value both have the constant's default, and that is said", async () => {
    for (const [to, r] of await texts(sized, glsl)) {
      if (to === "glsl") expect(r.code).toContain("local_size_x_id = 0");
      else
        expect(r.assumptions.filter((a) => a.op === "specialisation-default").map((a) => a.message)).toEqual([
          "gl_WorkGroupSize.x is 32, its default, since it sizes an array",
          "BLOCK is 32, its default, since it sizes an array",
        ]);
    }
  });

  test("a size that nothing needs is left to the launch, and the text says what it was written for", async () => {
    const made = await texts(open, glsl);
    expect(made.get("msl")!.code).toContain("// Written for workgroups of 32 x 1 x 1");
    expect(made.get("msl")!.code).not.toContain("max_total_threads");
    expect(made.get("opencl")!.code).toContain("work_group_size_hint(32, 1, 1)");
    expect(made.get("hlsl")!.assumptions.map((a) => a.message)).toContain(
      "the workgroups of main are 32 x 1 x 1, their default, since hlsl fixes their size",
    );
    const printed = await translate(open, { ...glsl, to: "glsl", spec: { SCALE: 5 } });
    expect(printed.code).toContain("layout(local_size_x = 32, local_size_x_id = 0) in;");
    // A default that nobody wrote is not taken for one.
    const bare = await texts(open.replace(/layout\(constant_id = 0\).*/, "const uint BLOCK = 32;"), glsl);
    expect(messages(bare.get("hlsl")!)).toEqual([
      "XL4003 7: hlsl fixes the workgroup size, and kernel main leaves it to the launch",
    ]);
    expect(bare.get("opencl")!.code).not.toContain("hint");
  });

  test("the outputs compute what the source does", async () => {
    for (const [source, from, more] of [
      [sized, "glsl", { spec: { 0: 8, SCALE: 5 } }],
      [open, "glsl", { workgroupSize: [16] }],
      [open, "glsl", {}],
      [open, "glsl", { spec: { SCALE: 5 } }],
      [msl, "msl", { spec: { TAPS: 4, twice: true, by: 0.5 } }],
    ] as const)
      for (const to of ["msl", "glsl", "hlsl", "opencl", "ts"] as const) {
        const r = await verify(source, { from, to, ...more, ...(from === "msl" ? { workgroupSize: [8] } : {}) });
        expect([to, r.result, messages(r)]).toEqual([to, "equivalent", []]);
      }
  }, 120_000);

  for (const dialect of ["msl", "glsl", "hlsl", "opencl"] as const)
    judgeTest(judges[dialect], `the ${dialect} compiler takes them`, async () => {
      const made = [
        await translate(sized, { ...glsl, to: dialect, spec: { 0: 8, SCALE: 5 } }),
        await translate(open, { ...glsl, to: dialect }),
        await translate(open, { ...glsl, to: dialect, spec: { SCALE: 5 } }),
        await translate(msl, { from: "msl", to: dialect, spec: { 0: 4, 1: true, 2: 0.5 }, workgroupSize: [8] }),
      ];
      expect(refusals(await judgeOutputs(made.map((m, i) => judgeable(dialect, `spec-${i}`, m.code!))))).toBe("");
    });
});

describe("what cannot be", () => {
  test.each([
    [
      sized,
      { spec: { 7: 1 } },
      "XL6004 -: there is no specialisation constant with the number 7, for which a value is given",
    ],
    [sized, { spec: { SCAL: 1 } }, "XL6004 -: there is no specialisation constant 'SCAL', for which a value is given"],
    [sized, { spec: { SCALE: 1.5 } }, "XL6006 4: 'SCALE': 1.5 is no integer"],
    [sized, { spec: { SCALE: 2n ** 31n } }, "XL6006 4: 'SCALE': 2147483648 is not in the range of i32"],
    [sized, { spec: { SCALE: true } }, "XL6006 4: 'SCALE': a i32 is given as a number"],
    [sized, { spec: { SCALE: 1, 1: 2 } }, "XL6004 4: 'SCALE' is given twice: as 'SCALE' and as '1'"],
    [open, { spec: { 0: 0 } }, "XL6006 2: 0 is no size of a workgroup, which constant 0 is"],
    [
      open,
      { spec: { 0: 8 }, workgroupSize: [4] },
      "XL6007 2: constant 0 is the workgroup's size along x, and is both 8 and 4",
    ],
  ])("%#", async (source, options, message) => {
    expect(messages(await translate(source, { ...glsl, to: "msl", ...options }))).toContain(message);
  });

  test("an array of a size that nothing says", async () => {
    const source = reversed("gl_WorkGroupSize.x").replace(/layout\(constant_id = 0\).*/, "const uint BLOCK = 32;");
    const message = "XL4003 6: the size of an array is that of the workgroup, which is left to the launch";
    expect(messages(await translate(source, { ...glsl, to: "msl" }))).toContain(message);
  });

  test("a launch that changes a size the text states", async () => {
    const source = reversed("64", "layout(local_size_x_id = 0, local_size_y = 2) in;");
    const r = await simulate(source, { ...glsl, workgroups: [1], workgroupSize: [4], args: { a: new Int32Array(8) } });
    expect(messages(r)).toEqual([
      "XL6007 -: the launch has workgroups of 4 x 1 x 1 and 'main' is written for 4 x 2 x 1",
    ]);
  });

  test("launches of several sizes leave what the text states", async () => {
    const source = reversed("64", "layout(local_size_x_id = 0, local_size_y = 2) in;");
    const launches = [[4, 2], [8]].map((workgroupSize) => ({
      workgroups: [1],
      workgroupSize,
      args: { a: { type: "i32", count: 8, init: { iota: {} }, output: true } },
    }));
    const r = await verify(source, { ...glsl, to: "msl", launches });
    expect(messages(r)).toEqual(["XL6007 1: the launch has workgroups of 8 x 1 x 1 and 'main' states 2 along y"]);
    const other = { ...launches[0]!, spec: { SCALE: 2 } };
    const both = await verify(source, { ...glsl, to: "msl", launches: [launches[0]!, other] });
    expect(messages(both)).toEqual(["XL6003 1: launches that are verified together have the same 'spec'"]);
  });

  test("a language without such constants", async () => {
    const r = await translate("kernel void k(global int *a) { a[0] = N; }", {
      from: "opencl",
      to: "msl",
      defines: { N: 1 },
      spec: { N: 2 },
    });
    expect(r.diagnostics.map((d) => d.help)).toEqual([
      "OpenCL C has none: --define gives a macro, and the launch arguments",
    ]);
  });

  test("misuse of the API", async () => {
    const spec = { N: "3" } as unknown as Record<string, number>;
    await expect(translate(sized, { ...glsl, to: "msl", spec })).rejects.toThrow(
      "'spec.N' is a number, bigint or bool, not string",
    );
  });
});

describe("on the command line", () => {
  const launch = (spec: object): string =>
    JSON.stringify({
      workgroups: [2],
      spec,
      args: {
        a: {
          type: "i32",
          init: { values: [1, 2, 3, 4, 5, 6, 7, 8] },
          output: true,
          expect: { values: [20, 15, 10, 5, 40, 35, 30, 25] },
        },
      },
    });

  test("launch files and --spec, which comes last", async () => {
    const folder = workspace();
    writeFileSync(join(folder, "k.comp"), sized);
    writeFileSync(join(folder, "k.launch.json"), launch({ 0: 4, SCALE: 7 }));
    expect((await crosslane(folder, ["run", "k.comp"])).code).toBe(3);
    expect(await crosslane(folder, ["run", "k.comp", "--spec", "SCALE=0x5"])).toMatchObject({ code: 0 });
    const verified = await crosslane(folder, ["verify", "k.comp", "--to", "msl,hlsl", "--spec", "SCALE=5"]);
    expect(verified.code).toBe(0);
    expect(verified.out).toContain("2 workgroups of 4");
    // What only lies beside the kernel settles nothing that is written.
    expect((await crosslane(folder, ["translate", "k.comp", "--to", "glsl"])).out).toContain("local_size_x_id = 0");
    const named = await crosslane(folder, ["translate", "k.comp", "--to", "glsl", "--launch", "k.launch.json"]);
    expect(named.out).toContain("const int SCALE = 7;");
  });

  test("launches that are saved say the values they are for", async () => {
    const folder = workspace();
    writeFileSync(join(folder, "k.comp"), sized);
    const written = await crosslane(folder, ["launch", "k.comp", "--spec", "BLOCK=4", "--spec", "1=-3"]);
    expect(JSON.parse(written.out)).toMatchObject({ spec: { BLOCK: 4, 1: -3 }, workgroupSize: [4, 1, 1] });
    writeFileSync(join(folder, "k.launch.json"), written.out);
    expect((await crosslane(folder, ["verify", "k.comp", "--to", "msl"])).code).toBe(0);
  });

  test.each(["N", "=3", "N=", "N=x", "N=1u"])("--spec %s is wrong usage", async (text) => {
    expect((await crosslane(workspace(), ["translate", "k.comp", "--to", "msl", "--spec", text])).code).toBe(2);
  });

  test("a launch file whose spec is none", async () => {
    const folder = workspace();
    writeFileSync(join(folder, "k.comp"), sized);
    for (const spec of [[1], { N: "0x3" }, { N: null }]) {
      writeFileSync(join(folder, "k.launch.json"), launch(spec));
      const { code, err } = await crosslane(folder, ["verify", "k.comp", "--to", "msl"]);
      expect([code, err.includes("XL6003")]).toEqual([1, true]);
    }
  });
});
