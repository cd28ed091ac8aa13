/**
 * Every function that a language has for numbers, for every type it takes, is read: each signature of its index is called by a function of
 * its own. Where the index comes from says the list in test/support/function-index. Without CROSSLANE_WHOLE_INDEX=1 every eighth signature
 * is tried, and the first of each name.
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { TwoWayDialect } from "../../src/dialects/ids.js";
import { clang } from "../../src/judges/opencl.js";
import { inScratchFolder } from "../../src/judges/run-program.js";
import { analyzed } from "../sema/support.js";
import { glslIndex } from "../support/function-index/glsl.js";
import { hlslIndex } from "../support/function-index/hlsl.js";
import { nameOf, type IndexedCall } from "../support/function-index/indexed-call.js";
import { mslIndex } from "../support/function-index/msl.js";
import { openclIndex } from "../support/function-index/opencl.js";
import { askDxcPastFaults } from "../support/judges/dxc.js";
import { judges } from "../support/judges/outputs.js";
import { judgeTest } from "../support/tool-test.js";

const whole = process.env.CROSSLANE_WHOLE_INDEX === "1";

/** What is not read, with the reason. */
type Exceptions = readonly (readonly [names: RegExp, why: string])[];

interface Index {
  readonly dialect: TwoWayDialect;
  /** A text of functions that make these calls. */
  readonly text: (calls: readonly IndexedCall[]) => string;
  readonly exceptions: Exceptions;
}

const functions = (calls: readonly IndexedCall[]): string =>
  calls.map((c, i) => `${c.declares ?? ""}\nvoid f${String(i)}() { ${c.body} }`).join("\n");
const callsOf = (calls: readonly IndexedCall[]): string => calls.map((_, i) => `f${String(i)}();`).join(" ");

const glslExtensions =
  `EXT_shader_explicit_arithmetic_types EXT_shader_atomic_float EXT_shader_atomic_float2 EXT_shader_atomic_int64
  KHR_memory_scope_semantics KHR_shader_subgroup_basic KHR_shader_subgroup_vote KHR_shader_subgroup_arithmetic
  KHR_shader_subgroup_ballot KHR_shader_subgroup_shuffle KHR_shader_subgroup_shuffle_relative KHR_shader_subgroup_clustered
  KHR_shader_subgroup_quad NV_shader_subgroup_partitioned EXT_shader_subgroup_extended_types_int8
  EXT_shader_subgroup_extended_types_int16 EXT_shader_subgroup_extended_types_int64 EXT_shader_subgroup_extended_types_float16
  ARB_shader_ballot AMD_shader_trinary_minmax`.split(/\s+/);

const indexes: Readonly<Record<TwoWayDialect, Index>> = {
  msl: {
    dialect: "msl",
    text: (calls) =>
      `#include <metal_stdlib>\nusing namespace metal;\n${calls
        .map(
          (c, i) =>
            `kernel void k${String(i)}(device uint *x [[buffer(0)]], threadgroup uint *l [[threadgroup(0)]]) { ${c.body} }`,
        )
        .join("\n")}`,
    exceptions: [],
  },
  glsl: {
    dialect: "glsl",
    text: (calls) => `#version 460
${glslExtensions.map((e) => `#extension GL_${e} : enable`).join("\n")}
layout(local_size_x = 32) in;
${functions(calls)}
void main() { ${callsOf(calls)} }`,
    exceptions: [
      [/AMD$/, "GL_AMD_shader_ballot, GL_AMD_gcn_shader: of one vendor"],
      [/^coopMat/, "the dump has them as functions of numbers, which they are not"],
      [/^(?:clock|debugPrintf)/, "a counter of the device; a function of a string"],
      [/^(?:dFd[xy]|fwidth)/, "GL_NV_compute_shader_derivatives"],
      [/^halhBits/, "glslang's slip: no extension has the name"],
      [/^(?:bitCount|find[LM]SB)$/, "of 32 bits in Vulkan: VUID-StandaloneSpirv-Base-04781"],
    ],
  },
  opencl: {
    dialect: "opencl",
    text: (calls) =>
      `#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n${calls
        .map((c, i) => `__kernel void k${String(i)}(${c.parameters ?? ""}) { ${c.body} }`)
        .join("\n")}`,
    exceptions: [
      [/^amd_/, "cl_amd_media_ops: of one vendor"],
      [/^clock_read/, "a counter of the device"],
    ],
  },
  hlsl: {
    dialect: "hlsl",
    text: (calls) => `struct S { float a; uint3 b; };
RWByteAddressBuffer b : register(u0);
${functions(calls)}
[numthreads(32, 1, 1)] void k() { ${callsOf(calls)} }`,
    exceptions: [[/^(?:dd[xy]|fwidth)/, "derivatives in compute shaders"]],
  },
};

/** Errors, and what is dropped silently but for a warning: operands cut to what a function takes. */
async function complaints(index: Index, calls: readonly IndexedCall[]): Promise<string[]> {
  const { problems } = await analyzed(index.dialect, index.text(calls));
  return problems.filter((p) => p.severity === "error" || p.code === "XL2016").map((p) => `${p.code} ${p.message}`);
}

const together = 60;

async function refusedOf(index: Index, calls: readonly IndexedCall[]): Promise<string[]> {
  const refused: string[] = [];
  for (let i = 0; i < calls.length; i += together) {
    const some = calls.slice(i, i + together);
    if ((await complaints(index, some)).length === 0) continue;
    for (const call of some)
      for (const said of (await complaints(index, [call])).slice(0, 1)) refused.push(`${call.signature}: ${said}`);
  }
  return refused;
}

/** All that is named in no exception is read, and what an exception names is not. */
async function holds(index: Index, all: readonly IndexedCall[]): Promise<void> {
  const exception = (call: IndexedCall): boolean => index.exceptions.some(([names]) => names.test(nameOf(call)));
  const seen = new Set<string>();
  const tried = all.filter((call, i) => {
    const first = !seen.has(nameOf(call));
    seen.add(nameOf(call));
    return whole || first || i % 8 === 0;
  });
  expect(
    await refusedOf(
      index,
      tried.filter((c) => !exception(c)),
    ),
  ).toEqual([]);
  for (const [names, why] of index.exceptions) {
    const of = all.filter((c) => names.test(nameOf(c)));
    const read = await Promise.all(of.slice(0, 24).map(async (c) => (await complaints(index, [c])).length === 0));
    expect(read.includes(false), `${String(names)} (${why}) is an exception no longer`).toBe(true);
  }
}

describe("the function index", () => {
  test("MSL 3.1", async () => {
    const all = mslIndex();
    expect(all.length).toBeGreaterThan(3000);
    await holds(indexes.msl, all);
  }, 60_000);

  judgeTest(judges.glsl, "GLSL, as glslang declares it", () =>
    inScratchFolder(async (folder) => {
      const file = join(folder, "empty.comp");
      writeFileSync(file, "#version 460\nlayout(local_size_x = 1) in;\nvoid main() {}\n");
      const command = [
        "-V",
        "--target-env",
        "vulkan1.3",
        "-S",
        "comp",
        "--dump-builtin-symbols",
        file,
        "-o",
        `${file}.spv`,
      ];
      const all = glslIndex(execFileSync("glslangValidator", command, { encoding: "utf8", maxBuffer: 1 << 26 }));
      expect(all.length).toBeGreaterThan(4000);
      await holds(indexes.glsl, all);
    }),
  );

  judgeTest(judges.opencl, "OpenCL C, as clang's header declares it", async () => {
    const resources = execFileSync(clang()!, ["-print-resource-dir"], { encoding: "utf8" }).trim();
    const options = "-cc1 -triple spir64 -cl-std=CL3.0 -cl-ext=+all -finclude-default-header -E -P -x cl -".split(" ");
    const header = execFileSync(clang()!, [...options, "-internal-isystem", join(resources, "include")], {
      encoding: "utf8",
      input: "",
      maxBuffer: 1 << 26,
    });
    const all = openclIndex(header);
    expect(all.length).toBeGreaterThan(11000);
    await holds(indexes.opencl, all);
  });

  test("HLSL, of compute shaders", async () => {
    const all = hlslIndex();
    expect(all.length).toBeGreaterThan(6000);
    await holds(indexes.hlsl, all);
  }, 60_000);

  judgeTest(judges.hlsl, "DXC takes these calls of HLSL", () =>
    inScratchFolder(async (folder) => {
      const all = hlslIndex().filter((_, i) => whole || i % 24 === 0);
      const requests = [];
      for (let i = 0; i < all.length; i += 200) {
        const path = join(folder, `${String(i)}.hlsl`);
        writeFileSync(path, indexes.hlsl.text(all.slice(i, i + 200)));
        requests.push({ profile: "cs_6_6", entry: "k", path, args: ["-enable-16bit-types"] });
      }
      expect((await askDxcPastFaults(requests)).filter((answer) => answer !== "ok")).toEqual([]);
    }),
  );
});
