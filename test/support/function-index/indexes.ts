/** The function indexes of all languages, how their calls are put in a text, and what is not read. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TwoWayDialect } from "../../../src/dialects/ids.js";
import { clang } from "../../../src/judges/opencl.js";
import { inScratchFolder } from "../../../src/judges/run-program.js";
import { glslIndex } from "./glsl.js";
import type { IndexedCall } from "./indexed-call.js";
import { openclIndex } from "./opencl.js";

/** What is not read, with the reason. */
export type Exceptions = readonly (readonly [names: RegExp, why: string])[];

export interface Index {
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

export const indexes: Readonly<Record<TwoWayDialect, Index>> = {
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

/** Needs glslang. */
export const glslangIndex = (): Promise<IndexedCall[]> =>
  inScratchFolder((folder) => {
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
    return Promise.resolve(
      glslIndex(execFileSync("glslangValidator", command, { encoding: "utf8", maxBuffer: 1 << 26 })),
    );
  });

/** Needs clang. */
export function clangIndex(): IndexedCall[] {
  const resources = execFileSync(clang()!, ["-print-resource-dir"], { encoding: "utf8" }).trim();
  const options = "-cc1 -triple spir64 -cl-std=CL3.0 -cl-ext=+all -finclude-default-header -E -P -x cl -".split(" ");
  const header = execFileSync(clang()!, [...options, "-internal-isystem", join(resources, "include")], {
    encoding: "utf8",
    input: "",
    maxBuffer: 1 << 26,
  });
  return openclIndex(header);
}
