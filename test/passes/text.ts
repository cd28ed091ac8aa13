/** A source through front end, passes and printer, as text. */
import { printers } from "../../emitters/index.js";
import type { Note, SlotAssignment } from "../../src/ast/legal.js";
import type { TwoWayDialect } from "../../src/dialects/ids.js";
import { frontEnd } from "../../src/frontend/index.js";
import { legalize, select, type LegalizeOptions } from "../../src/passes/index.js";
import { analyze } from "../../src/sema/index.js";
import type { Problem } from "../../src/support/diagnostics.js";

export interface Outcome {
  readonly text: string;
  readonly problems: readonly Problem[];
  readonly notes: readonly Note[];
  readonly slots: readonly SlotAssignment[];
}

export async function outcome(
  source: string,
  from: TwoWayDialect,
  to: TwoWayDialect,
  options: LegalizeOptions = {},
): Promise<Outcome> {
  const front = await frontEnd(source, { from, fileName: "kernel" });
  const { module, problems } = analyze(front.unit, front.expanded, { dialect: from, fileName: "kernel" });
  if (!module) throw new Error([...front.problems, ...problems].map((p) => `${p.code} ${p.message}`).join("; "));
  const legal = legalize(module, to, {
    workgroupSize: from === "msl" || from === "opencl" ? [64, 1, 1] : undefined,
    ...options,
  });
  const text = legal.module ? printers[to](select(legal.module)).text : "";
  return { text, problems: legal.problems, notes: [...legal.emulations, ...legal.assumptions], slots: legal.slots };
}

/** The lines of the kernel's body, without their common indentation. */
export async function body(
  statements: string,
  from: TwoWayDialect,
  to: TwoWayDialect,
  options: LegalizeOptions = {},
): Promise<string[]> {
  const { text, problems } = await outcome(kernel(statements, from), from, to, options);
  if (problems.length > 0) throw new Error(problems.map((p) => `${p.code} ${p.message}`).join("; "));
  return bodyOf(text);
}

export function bodyOf(text: string): string[] {
  const lines = text.trimEnd().split("\n");
  const start = lines.findLastIndex((l) => /^[^\s].*\{$|^ {4}.*\) \{$/.test(l));
  return lines.slice(start + 1, -1).map((l) => l.replace(/^ {2}/, ""));
}

/** A kernel with an int buffer `x`, a uint buffer `u`, a float buffer `f` and the position `i`. */
export function kernel(statements: string, from: TwoWayDialect, before = ""): string {
  switch (from) {
    case "msl":
      return `#include <metal_stdlib>
using namespace metal;
${before}
kernel void k(device int *x [[buffer(0)]], device uint *u [[buffer(1)]], device float *f [[buffer(2)]], uint i [[thread_position_in_grid]]) {
${statements}
}
`;
    case "glsl":
      return `#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer X { int x[]; };
layout(std430, binding = 1) buffer U { uint u[]; };
layout(std430, binding = 2) buffer F { float f[]; };
${before}
void main() {
  uint i = gl_GlobalInvocationID.x;
${statements}
}
`;
    case "opencl":
      return `${before}
__kernel void k(__global int *x, __global uint *u, __global float *f) {
  uint i = get_global_id(0);
${statements}
}
`;
    case "hlsl":
      return `RWStructuredBuffer<int> x : register(u0);
RWStructuredBuffer<uint> u : register(u1);
RWStructuredBuffer<float> f : register(u2);
${before}
[numthreads(64, 1, 1)]
void k(uint3 gid : SV_DispatchThreadID) {
  uint i = gid.x;
${statements}
}
`;
  }
}
