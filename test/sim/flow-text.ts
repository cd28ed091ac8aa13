/** Programs of the little language as kernels of the four dialects. */
import type { TwoWayDialect } from "../../src/dialects/ids.js";
import {
  isLogical,
  lanesOf,
  type Condition,
  type FlowProgram,
  type Shape,
  type Step,
  type Steps,
  type Value,
} from "./flow-language.js";

interface Words {
  readonly frame: (size: readonly [number, number, number], lanes: number, helpers: string, body: string) => string;
  readonly parameters: string;
  readonly arguments: string;
  readonly ballot: (p: string) => string;
  readonly sum: string;
  readonly first: string;
  readonly scan: string;
  readonly elect: string;
  readonly subgroupBarrier: string;
  readonly barrier: string;
}

const words: Readonly<Record<TwoWayDialect, Words>> = {
  glsl: {
    frame: ([x, y, z], lanes, helpers, body) => `#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = ${x}, local_size_y = ${y}, local_size_z = ${z}) in;
layout(std430, binding = 0) buffer Out { uint result[]; };
shared uint cells[${lanes}];
${helpers}void main() {
  uint lane = gl_LocalInvocationIndex;
  uint sg = gl_SubgroupID;
${body}}`,
    parameters: "uint lane, uint sg",
    arguments: "lane, sg",
    ballot: (p) => `subgroupBallot(${p}).x`,
    sum: "subgroupAdd",
    first: "subgroupBroadcastFirst",
    scan: "subgroupExclusiveAdd",
    elect: "subgroupElect()",
    subgroupBarrier: "subgroupBarrier();",
    barrier: "barrier();",
  },
  msl: {
    frame: (_size, lanes, helpers, body) => `#include <metal_stdlib>
using namespace metal;
${helpers}kernel void flow(device uint *result [[buffer(0)]], uint lane [[thread_index_in_threadgroup]],
                 uint sg [[simdgroup_index_in_threadgroup]]) {
  threadgroup uint cells[${lanes}];
${body}}`,
    parameters: "uint lane, uint sg",
    arguments: "lane, sg",
    ballot: (p) => `uint(simd_vote::vote_t(simd_ballot(${p})))`,
    sum: "simd_sum",
    first: "simd_broadcast_first",
    scan: "simd_prefix_exclusive_sum",
    elect: "simd_is_first()",
    subgroupBarrier: "simdgroup_barrier(mem_flags::mem_threadgroup);",
    barrier: "threadgroup_barrier(mem_flags::mem_threadgroup);",
  },
  opencl: {
    frame: ([x, y, z], lanes, helpers, body) => `${helpers}__attribute__((reqd_work_group_size(${x}, ${y}, ${z})))
__kernel void flow(__global uint *result) {
  __local uint cells[${lanes}];
  uint lane = (uint)get_local_linear_id();
  uint sg = get_sub_group_id();
${body}}`,
    parameters: "uint lane, uint sg",
    arguments: "lane, sg",
    ballot: (p) => `sub_group_ballot(${p}).x`,
    sum: "sub_group_non_uniform_reduce_add",
    first: "sub_group_broadcast_first",
    scan: "sub_group_non_uniform_scan_exclusive_add",
    elect: "(sub_group_elect() != 0)",
    subgroupBarrier: "sub_group_barrier(CLK_LOCAL_MEM_FENCE);",
    barrier: "barrier(CLK_LOCAL_MEM_FENCE);",
  },
  hlsl: {
    frame: ([x, y, z], lanes, helpers, body) => `RWStructuredBuffer<uint> result : register(u0);
groupshared uint cells[${lanes}];
${helpers}[numthreads(${x}, ${y}, ${z})]
void flow(uint lane : SV_GroupIndex) {
  uint sg = lane / WaveGetLaneCount();
${body}}`,
    parameters: "uint lane, uint sg",
    arguments: "lane, sg",
    ballot: (p) => `WaveActiveBallot(${p}).x`,
    sum: "WaveActiveSum",
    first: "WaveReadLaneFirst",
    scan: "WavePrefixSum",
    elect: "WaveIsFirstLane()",
    // There is none, and none is needed for what these programs read.
    subgroupBarrier: "",
    barrier: "GroupMemoryBarrierWithGroupSync();",
  },
};

export function textOf(program: FlowProgram, shape: Shape, dialect: TwoWayDialect): string {
  return new Writer(program, shape, words[dialect]).text();
}

class Writer {
  private next = 0;
  private counters: string[] = [];
  private inside: boolean[] = [];
  /** Number of the helper that is being written. */
  private depth = 0;

  constructor(
    private readonly program: FlowProgram,
    private readonly shape: Shape,
    private readonly w: Words,
  ) {}

  text(): string {
    const helpers = this.program.helpers.map((h, i) => {
      this.depth = i;
      return `uint helper_${i}(uint x, ${this.w.parameters}) {\n  uint acc = x;\n  uint n = 1u;\n${this.list(h, "  ")}  return acc;\n}\n`;
    });
    this.depth = this.program.helpers.length;
    const start = `  uint acc = lane;\n  uint n = 1u;\n  cells[lane] = 0u;\n  ${this.w.barrier}\n`;
    const body = `${start}${this.list(this.program.main, "  ")}  result[lane] = acc;\n`;
    return this.w.frame(this.shape.size, lanesOf(this.shape), helpers.join(""), body);
  }

  private get inKernel(): boolean {
    return this.depth === this.program.helpers.length;
  }

  private value(v: Value): string {
    switch (v.kind) {
      case "number":
        return `${v.value}u`;
      case "lane":
        return "lane";
      case "subgroup":
        return "sg";
      case "acc":
        return "acc";
      case "uniform":
        return "n";
      case "counter":
        return this.counters.at(-1) ?? "0u";
      case "elect":
        return `(${this.w.elect} ? 1u : 0u)`;
      case "ballot":
        return this.w.ballot(`(${this.value(v.of)} & 1u) == 1u`);
      case "sum":
      case "first":
      case "scan":
        return `${this.w[v.kind]}(${this.value(v.of)})`;
      case "select":
        return `(${this.condition(v.condition)} ? ${this.value(v.then)} : ${this.value(v.else)})`;
      case "call":
        return v.helper < this.depth
          ? `helper_${v.helper}(${this.value(v.of)}, ${this.w.arguments})`
          : this.value(v.of);
    }
  }

  private condition(c: Condition): string {
    if (isLogical(c)) return `(${this.condition(c.left)} ${c.kind === "and" ? "&&" : "||"} ${this.condition(c.right)})`;
    const v = this.value(c.of);
    return c.kind === "odd" ? `((${v} >> ${c.bit}u) & 1u) == 1u` : `${v} % 8u < 4u`;
  }

  private list(steps: Steps, indent: string): string {
    return steps.map((s) => this.step(s, indent)).join("");
  }

  private nested(body: Steps, isLoop: boolean, indent: string): string {
    this.inside.push(isLoop);
    const text = this.list(body, indent);
    this.inside.pop();
    return text;
  }

  private step(s: Step, indent: string): string {
    const more = `${indent}  `;
    const line = (...texts: string[]): string => texts.map((t) => `${indent}${t}\n`).join("");
    switch (s.kind) {
      case "mix":
        return line(`acc = acc * 31u + ${this.value(s.value)};`);
      case "count":
        return line(`n += ${s.by}u;`);
      case "barrier":
        return this.inKernel ? line(this.w.barrier) : "";
      case "subgroup-barrier":
        return line(this.w.subgroupBarrier);
      case "exchange": {
        if (!this.inKernel) return "";
        const lanes = lanesOf(this.shape);
        return line(
          this.w.barrier,
          "cells[lane] = acc;",
          this.w.barrier,
          `acc ^= cells[(lane + ${s.distance}u) % ${lanes}u];`,
          this.w.barrier,
        );
      }
      case "if": {
        const head = line(`if (${this.condition(s.condition)}) {`);
        const otherwise = s.else.length > 0 ? `${line("} else {")}${this.list(s.else, more)}` : "";
        return `${head}${this.list(s.then, more)}${otherwise}${line("}")}`;
      }
      case "return":
        if (!this.inKernel) return line(`if (${this.condition(s.condition)}) return acc;`);
        return line(`if (${this.condition(s.condition)}) {`, "  result[lane] = acc;", "  return;", "}");
      case "break":
      case "continue": {
        const possible = s.kind === "break" ? this.inside.length > 0 : this.inside.includes(true);
        // Where there is nothing to leave the condition is not asked.
        return possible ? line(`if (${this.condition(s.condition)}) ${s.kind};`) : "";
      }
      case "loop": {
        const [i, limit] = [`i_${this.next}`, `limit_${this.next}`];
        this.next++;
        const start = line(`uint ${limit} = ${this.value(s.times)} % 4u;`);
        this.counters.push(i);
        const also = s.also ? ` && ${this.condition(s.also)}` : "";
        const body = this.nested(s.body, true, more);
        this.counters.pop();
        if (s.atEnd)
          return `${start}${line(`uint ${i} = 0u;`, "do {")}${body}${line(`} while (++${i} < ${limit}${also});`)}`;
        return `${start}${line(`for (uint ${i} = 0u; ${i} < ${limit}${also}; ${i}++) {`)}${body}${line("}")}`;
      }
      case "switch": {
        const cases = s.cases.map(
          (c, i) =>
            `${line(`case ${i}u:`, "{")}${this.nested(c.body, false, more)}${line("}")}${c.falls ? "" : line("break;")}`,
        );
        return `${line(`switch (${this.value(s.on)} % ${s.cases.length + 1}u) {`)}${cases.join("")}${line("default: break;", "}")}`;
      }
    }
  }
}
