/** Data races: which there are, at which two lines; and what barriers, subgroup barriers and atomics order. */
import { describe, expect, test } from "vitest";
import { simulate } from "../../src/api/simulate.js";
import type { TwoWayDialect } from "../../src/dialects/ids.js";

async function races(from: TwoWayDialect, text: string, workgroups = 1): Promise<(readonly [number, number])[]> {
  const result = await simulate(text, {
    from,
    workgroups: [workgroups],
    subgroupSize: 4,
    args: { data: new Int32Array(64) },
    ...(from === "glsl" || from === "hlsl" ? {} : { workgroupSize: [16] }),
  });
  expect(result.diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  expect(result.findings.filter((f) => f.kind !== "data-race")).toEqual([]);
  return result.findings.map((f) => [f.location!.line, f.against!.line] as const);
}

const opencl = (body: string): string => `__kernel void k(__global int *data) {
  __local int cells[16];
  int i = get_local_id(0);
  int g = get_group_id(0);
${body}
}`;

describe("within a workgroup", () => {
  const shift = (barrier: string): string =>
    opencl(`  cells[i] = i;\n  ${barrier}\n  data[16 * g + i] = cells[(i + 1) % 16];`);
  test("a neighbour's cell with and without the barrier", async () => {
    expect(await races("opencl", shift("barrier(CLK_LOCAL_MEM_FENCE);"))).toEqual([]);
    // A lane reads what another writes: either may come first.
    expect(await races("opencl", shift(""))).toEqual(expect.arrayContaining([[5, 7]]));
  });
  test("a barrier for other memory does not order it", async () => {
    expect((await races("opencl", shift("barrier(CLK_GLOBAL_MEM_FENCE);"))).length).toBeGreaterThan(0);
    const buffer = opencl(
      "  data[i] = i;\n  barrier(CLK_LOCAL_MEM_FENCE);\n  cells[i] = data[i ^ 1];\n  barrier(CLK_LOCAL_MEM_FENCE);\n  if (i == 0 && cells[0] < 0) data[0] = 1;",
    );
    expect(await races("opencl", buffer)).toEqual([[7, 5]]);
    expect(await races("opencl", buffer.replace("CLK_LOCAL", "CLK_GLOBAL"))).toEqual([]);
  });
  test("a missing second barrier: reading before others write", async () => {
    const text = (second: string): string =>
      opencl(
        `  cells[i] = i;\n  barrier(CLK_LOCAL_MEM_FENCE);\n  int x = cells[15 - i];\n  ${second}\n  cells[i] = x;\n  data[16 * g + i] = x;`,
      );
    // Lane 0 reads cell 15 and writes cell 0, which lane 15 reads after it.
    expect((await races("opencl", text("")))[0]).toEqual([9, 7].reverse());
    expect(await races("opencl", text("barrier(CLK_LOCAL_MEM_FENCE);"))).toEqual([]);
  });
  test("an atomic that leaves what is there is a load", async () => {
    const text = (op: string): string => `RWStructuredBuffer<int> data;
groupshared int cells[16];
[numthreads(16, 1, 1)] void k(uint i : SV_GroupIndex) {
  cells[i] = i;
  GroupMemoryBarrierWithGroupSync();
  int old;
  ${op};
  data[i] = cells[i] + old;
}`;
    for (const op of ["InterlockedOr(cells[15 - i], 0, old)", "InterlockedAdd(cells[15 - i], 0, old)"])
      expect(await races("hlsl", text(op))).toEqual([]);
    for (const op of ["InterlockedOr(cells[15 - i], 1, old)", "InterlockedAnd(cells[15 - i], 0, old)"])
      expect((await races("hlsl", text(op))).length).toBeGreaterThan(0);
    const written = text("cells[i] = 3; InterlockedOr(cells[15 - i], 0, old)");
    expect((await races("hlsl", written)).length).toBeGreaterThan(0);
  });
  test("what nobody wants is read all the same", async () => {
    // Each body reads a cell that lane i + 1 writes on the line after.
    const plain = ["cells[i];", "neighbour(cells);", "cells[i], i;", "i < 8 ? (void)cells[i] : (void)0;"];
    // And where the place needs no look at its bounds, or one for several components.
    const looked = ["if (i == 9) cells[3];", "i == 9 ? cells[3] : 0;", "vload2(0, cells + i / 2);"];
    // And kept where nobody reads it: by one name, by parts of a vector, or behind a condition.
    const kept = [
      "if (i == 9) { int u = cells[3]; }",
      "int2 u = vload2(0, cells + i / 2);",
      "float4 h = vload_half4(i / 2, (local half *)cells);",
      "int4 w = (int4)(1); if (i == 9) w.x = cells[3];",
      "int2 u = (int2)(0), v; if (i == 9) { v = u; u.y = cells[3]; v = u; }",
      "int u = i < 8 ? cells[i] : 0, v = u;",
    ];
    for (const body of [...plain, ...looked, ...kept]) {
      const text = `int neighbour(local int *p) { return p[get_local_id(0)]; }\n${opencl(`  ${body}\n  if (i < 15) cells[i + 1] = i;`)}`;
      expect(await races("opencl", text), body).toHaveLength(1);
    }
  });
  test("a vector or struct that is read whole is read in all parts", async () => {
    const text = (body: string): string =>
      `typedef struct { int a, b; } pair; int first(int4 v) { return v.x; }\n${opencl(`  local int4 v[1]; local pair p[1];
  if (i == 0) { v[0] = (int4)(0); p[0].a = p[0].b = 0; }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i == 3) { v[0].y = 1; p[0].b = 2; }
  ${body}`)}`;
    const whole = [
      "data[i] = (v[0] + 1).x;",
      "data[i] = first(v[0]);",
      "data[i] = vload3(0, (local int *)v).x;",
      "int4 u = v[0]; data[i] = u.x;",
      "pair u = p[0]; data[i] = u.a;",
    ];
    for (const body of whole) expect((await races("opencl", text(body))).length, body).toBeGreaterThan(0);
    // Components and members that are named alone are read alone.
    for (const body of ["data[i] = v[0].x + v[0].z;", "data[i] = p[0].a;", "data[i] = v[0].xz.x;"])
      expect(await races("opencl", text(body)), body).toEqual([]);
  });
  test("of an address and of what stands for itself, what the language reads is read", async () => {
    const bodies = {
      // C99 6.3.2.1 (2); clang-19 loads the same.
      opencl: { read: ["cells + cells[i];", "&cells[cells[i] & 1];", "(cells[i]);"], not: ["&cells[i];", "cells;"] },
      // C++14 5 (11).
      msl: {
        read: [
          "cells[i] + 1;",
          "at[i];",
          "(void)at[i];",
          "cells[cells[i] & 1];",
          "i < 8 ? cells[i] : 0;",
          "int u = cells[i];",
        ],
        not: ["cells[i];", "(void)cells[i];", "i < 8 ? cells[i] : cells[i];", "cells[i], (cells[i]);", "*(cells + i);"],
      },
    } as const;
    const msl = (body: string): string => `#include <metal_stdlib>
using namespace metal;
kernel void k(device int *data [[buffer(0)]], uint i [[thread_position_in_threadgroup]]) {
  threadgroup int cells[16]; volatile threadgroup int *at = cells; data[i] = 0;
  ${body}
  if (i < 15) cells[i + 1] = i;
}`;
    for (const [from, { read, not }] of Object.entries(bodies))
      for (const body of [...read, ...not]) {
        const text = from === "msl" ? msl(body) : opencl(`  ${body}\n  if (i < 15) cells[i + 1] = i;`);
        expect(await races(from as TwoWayDialect, text), body).toHaveLength(
          (read as readonly string[]).includes(body) ? 1 : 0,
        );
      }
  });
  test("two lanes write one cell", async () => {
    expect(await races("opencl", opencl("  data[16 * g + i / 2] = i;"))).toEqual([[5, 5]]);
    expect(await races("opencl", opencl("  if (i % 2 == 0) data[16 * g + i / 2] = i;"))).toEqual([]);
  });
  test("a subgroup barrier orders a subgroup", async () => {
    const text = (distance: number): string => `#version 450
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 16) in;
layout(std430, binding = 0) buffer Data { int data[]; };
shared int cells[16];
void main() {
  uint i = gl_LocalInvocationIndex;
  cells[i] = int(i);
  subgroupBarrier();
  data[i] = cells[i ^ ${distance}u];
}`;
    expect(await races("glsl", text(1))).toEqual([]);
    expect((await races("glsl", text(4))).length).toBeGreaterThan(0);
  });
  test("cross-lane values order no memory", async () => {
    const text = `groupshared int cells[16];
RWStructuredBuffer<int> data : register(u0);
[numthreads(16, 1, 1)]
void k(uint i : SV_GroupIndex) {
  cells[i] = int(i);
  int s = WaveActiveSum(1);
  data[i] = cells[i ^ 1u] + s;
}`;
    expect(await races("hlsl", text)).toEqual([[7, 5]]);
  });
});

describe("atomics", () => {
  test("with each other, not with plain accesses", async () => {
    expect(await races("opencl", opencl("  atomic_add(data, i);"), 3)).toEqual([]);
    // Lane 3 reads after others have added, and lane 4 adds after lane 3 has read.
    expect(await races("opencl", opencl("  atomic_add(data, i);\n  if (i == 3) data[16 + g] = data[0];"))).toEqual([
      [6, 5],
      [5, 6],
    ]);
  });
  test("a lane's own atomic does not hide what it wrote or read plainly before", async () => {
    const write = "  if (i == 0) data[0] = 7;\n  atomic_add(data, i);";
    expect(await races("opencl", opencl(write))).toEqual([[6, 5]]);
    const read = "  if (i == 0) data[1] = data[0];\n  atomic_add(data, i);";
    expect(await races("opencl", opencl(read))).toEqual([[6, 5]]);
    const ordered = write.replace("\n", "\n  barrier(CLK_GLOBAL_MEM_FENCE);\n");
    expect(await races("opencl", opencl(ordered))).toEqual([]);
  });
  test("an atomic load is no write: plain reads beside it are none, plain writes are", async () => {
    const load = "atomic_load_explicit((global atomic_int *)data, memory_order_relaxed, memory_scope_device)";
    const reads = `  int a = ${load};\n  data[16 + i] = data[0] + a;`;
    expect(await races("opencl", opencl(reads))).toEqual([]);
    const writes = `  int a = ${load};\n  if (i == 5) data[0] = a;`;
    expect(await races("opencl", opencl(writes))).toEqual([
      [6, 5],
      [5, 6],
    ]);
  });
  test("across workgroups, whoever comes first", async () => {
    expect(
      await races("opencl", opencl("  if (g == 0 && i == 0) data[0] = 1;\n  if (g == 1) atomic_add(data, 1);"), 2),
    ).toEqual([[6, 5]]);
    expect(
      await races("opencl", opencl("  if (g == 0) atomic_add(data, 1);\n  if (g == 1 && i == 0) data[0] = 1;"), 2),
    ).toEqual([[6, 5]]);
    expect(
      await races(
        "opencl",
        opencl("  if (g == 0) atomic_add(data, 1);\n  if (g == 1 && i == 0) data[40] = data[0];"),
        2,
      ),
    ).toEqual([[6, 5]]);
  });
});

describe("between workgroups", () => {
  test("nothing orders them", async () => {
    const text = opencl("  if (i == 0) data[0] = g;");
    expect(await races("opencl", text, 1)).toEqual([]);
    expect(await races("opencl", text, 2)).toEqual([[5, 5]]);
    expect(
      await races(
        "opencl",
        opencl("  if (i == 0) data[g] = g;\n  barrier(CLK_GLOBAL_MEM_FENCE);\n  data[32 + 16 * g + i] = data[0];"),
        2,
      ),
    ).toEqual([[7, 5]]);
  });
  test("workgroup memory is each one's own", async () => {
    expect(
      await races(
        "opencl",
        opencl("  if (i == 0) cells[0] = g;\n  barrier(CLK_LOCAL_MEM_FENCE);\n  data[16 * g + i] = cells[0];"),
        3,
      ),
    ).toEqual([]);
  });
});

describe("cells smaller than a word", () => {
  test("neighbouring bytes are no race", async () => {
    const text = `__kernel void k(__global int *data) {
  __local uchar cells[16];
  int i = get_local_id(0);
  cells[i] = (uchar)i;
  barrier(CLK_LOCAL_MEM_FENCE);
  data[i] = cells[i ^ 1];
}`;
    expect(await races("opencl", text)).toEqual([]);
  });
});

describe("atomics of several widths", () => {
  // C11 5.1.2.4, OpenCL C 3.0 6.15.12: only accesses to the same atomic object are none to each other.
  const text = (word: string, between = ""): string =>
    opencl(`  volatile __global ulong *w = (volatile __global ulong *)data;
  if (i & 1) atom_add(w, 1ul);
  ${between}
  if (!(i & 1)) atomic_add((volatile __global uint *)w + ${word}, 1u);`);
  const engines = ["wasm", "ts"] as const;
  test.each(engines)("race where their bytes overlap, in %s", async (engine) => {
    const lines = async (code: string): Promise<readonly number[]> => {
      const args = { data: new Int32Array(64) };
      const how = { from: "opencl", engine, workgroups: [1], workgroupSize: [16], subgroupSize: 4 } as const;
      const { findings } = await simulate(code, { ...how, args });
      expect(findings.filter((f) => f.kind !== "data-race")).toEqual([]);
      return [...new Set(findings.map((f) => f.location!.line))].sort();
    };
    for (const word of ["0", "1"]) {
      expect((await lines(text(word))).length).toBeGreaterThan(0);
      expect(await lines(text(word, "barrier(CLK_GLOBAL_MEM_FENCE);"))).toEqual([]);
    }
    expect(await lines(text("2"))).toEqual([]);
    expect(await lines(text("i + 2"))).toEqual([]);
  });
});
