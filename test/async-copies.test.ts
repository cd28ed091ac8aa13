/**
 * Asynchronous copies of OpenCL C (6.15.11): what they move, worked out by the bytes of memory, through every dialect and its
 * compiler at two widths; what is written for them; and the mistakes a run finds, each beside the kernel without it.
 */
import { describe, expect, test } from "vitest";
import { simulate, translate } from "../src/index.js";
import { testShapes, type Shape } from "./support/byte-shapes.js";

/** Copies `n` elements of `bytes` bytes between places `from` and `to` in steps of whole elements. */
const move = (
  m: { x: DataView; y: DataView },
  bytes: number,
  step: number,
  pairs: readonly (readonly [number, number])[],
) => {
  for (const [to, from] of pairs)
    for (let b = 0; b < bytes; b++) m.y.setUint8(to * step + b, m.x.getUint8(from * step + b));
};

const types: readonly (readonly [string, number, number])[] = [
  ["char", 1, 1],
  ["uchar3", 3, 4],
  ["ushort2", 4, 4],
  ["half", 2, 2],
  ["int", 4, 4],
  ["uint4", 16, 16],
  ["int3", 12, 16],
  ["float", 4, 4],
  ["float2", 8, 8],
  ["float8", 32, 32],
  ["float16", 64, 64],
  ["long", 8, 8],
  ["ulong2", 16, 16],
];

const shapes: readonly Shape[] = [
  ...types.map(([type, bytes, step]): Shape => ({
    name: `every second ${type} to every third`,
    from: ["opencl"],
    body: `__local ${type} t[4]; event_t e = async_work_group_strided_copy(t, (GC(${type}))x, 3, 2, 0); wait_group_events(1, &e); e = async_work_group_strided_copy((GP(${type}))y, t, 3, 3, 0); wait_group_events(1, &e);`,
    does: (m, i) =>
      i === 0 &&
      move(
        m,
        bytes,
        step,
        [0, 1, 2].map((k) => [3 * k, 2 * k]),
      ),
  })),
  {
    name: "more elements than lanes, by a count and strides of the launch",
    from: ["opencl"],
    tile: "float",
    body: "uint c = n * 8; event_t e = async_work_group_copy(tile, (GC(float))x + n, c, 0); wait_group_events(1, &e); tile[31 - i] = 1.5f; barrier(CLK_LOCAL_MEM_FENCE); e = async_work_group_strided_copy((GP(float))y, tile + 1, 31, n, 0); wait_group_events(1, &e);",
    does: (m, i) => {
      if (i > 0) return;
      move(
        m,
        4,
        4,
        Array.from({ length: 23 }, (_, k) => [3 * k, 4 + k]),
      );
      for (let k = 23; k < 31; k++) m.y.setFloat32(12 * k, 1.5, true);
    },
  },
  {
    name: "events in an array, handed to functions, joined and chosen",
    from: ["opencl"],
    tile: "float",
    helpers:
      "event_t load_tile(__local float *t, GC(float) p, uint c, event_t e) { return async_work_group_copy(t, p, c, e); } void wait_both(event_t *list) { wait_group_events(2, list); }",
    body: "event_t list[2]; list[0] = load_tile(tile, (GC(float))x, 8, 0); list[1] = load_tile(tile + 16, (GC(float))x + 32, 8, 0); event_t joined = load_tile(tile + 8, (GC(float))x + 8, 8, list[1]); prefetch((GC(float))x + 64, 8); wait_both(list); event_t h = 0; int k = n - 2; h = n > 2 ? async_work_group_copy((GP(float))y + k, tile, 16, h) : joined; wait_group_events(1, &h); ((GP(float))y)[64 + i] = tile[16 + i];",
    does: (m, i) => {
      if (i === 0)
        move(
          m,
          4,
          4,
          Array.from({ length: 16 }, (_, k) => [1 + k, k]),
        );
      move(m, 4, 4, [[64 + i, 32 + i]]);
    },
  },
  {
    name: "a hint and waits whose places have effects",
    from: ["opencl"],
    tile: "int",
    body: "int c = 0; prefetch((GC(int))x + c++, 8); event_t list[2]; list[c++ - 1] = async_work_group_copy(tile, (GC(int))x, 8, 0); list[1] = async_work_group_copy(tile + 8, (GC(int))x + 8, 8, 0); int w = 0; wait_group_events(1, &list[w++]); wait_group_events(1, list + w++); ((GP(int))y)[i] = 10 * c + w;",
    does: (m, i) => m.y.setInt32(4 * i, 22, true),
  },
  {
    name: "double buffering in a loop",
    from: ["opencl"],
    tile: "float",
    body: "event_t next[2]; next[0] = async_work_group_copy(tile, (GC(float))x, 8, 0); for (int k = 0; k < 4; k++) { if (k < 3) next[(k + 1) & 1] = async_work_group_copy(tile + 8 * ((k + 1) & 1), (GC(float))x + 8 * (k + 1), 8, 0); wait_group_events(1, &next[k & 1]); ((GP(float))y)[8 * k + i] = tile[8 * (k & 1) + (i + 1) % 8] * 2.0f; barrier(CLK_LOCAL_MEM_FENCE); }",
    does: (m, i) => {
      for (let k = 0; k < 4; k++)
        m.y.setFloat32(4 * (8 * k + i), 2 * m.x.getFloat32(4 * (8 * k + ((i + 1) % 8)), true), true);
    },
  },
];
testShapes(shapes);

describe("what is written", () => {
  const kernel = `__kernel __attribute__((reqd_work_group_size(16, 1, 1)))
void k(__global const float *x, __global float *y) {
  __local float tile[64];
  event_t e = async_work_group_copy(tile, x + 64 * get_group_id(0), 64, 0);
  wait_group_events(1, &e);
  y[get_global_id(0)] = tile[63 - get_local_id(0)];
}
`;
  test("OpenCL C keeps copies, events and hints as they are", async () => {
    const { code } = await translate(kernel, { from: "opencl", to: "opencl" });
    expect(code).toBe(kernel);
  });
  test("a loop and a barrier; of events nothing is left", async () => {
    const { code, emulations } = await translate(kernel, { from: "opencl", to: "msl" });
    expect(code).toContain("for (uint i = li; i < 64u; i += lanes) {\n    tile[i] = x[at + i];\n  }\n");
    // Nothing writes x: only the tile has to be there for all.
    expect(code).toContain("  threadgroup_barrier(mem_flags::mem_threadgroup);\n");
    expect(code).not.toMatch(/event|\be\b|mem_device/);
    expect(emulations.map((n) => n.message)).toEqual([
      "async_work_group_copy is carried out by cooperative-copy, a loop",
      "wait_group_events is carried out by wait-by-barrier",
    ]);
  });
  test("where buffers change the barrier speaks of them", async () => {
    const back = kernel.replace("__global const float *x", "__global float *x");
    const { code } = await translate(back, { from: "opencl", to: "msl" });
    expect(code).toContain("threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);");
  });
  test("an event that no copy has is a number where there are none", async () => {
    const source = "kernel void k(global int *x) { event_t e; x[get_global_id(0)] = 1; }";
    for (const to of ["msl", "glsl", "hlsl"] as const) {
      const { code } = await translate(source, { from: "opencl", to, workgroupSize: [64, 1, 1] });
      expect(code).toMatch(/\buint e;/);
    }
  });
  test("no number is an event, and no event a number", async () => {
    for (const wrong of [
      "event_t f = 1;",
      "int n = e;",
      "event_t f = get_local_id(0);",
      "e = async_work_group_copy(tile, x, 4, 1);",
    ]) {
      const { diagnostics } = await translate(kernel.replace("  wait", `  ${wrong}\n  wait`), {
        from: "opencl",
        to: "glsl",
      });
      expect(
        diagnostics.filter((d) => d.severity === "error").map((d) => d.location?.line),
        wrong,
      ).toEqual([5]);
    }
  });
});

// ------------------------------------------------------------------ findings

const kernel = (body: string): string => `__kernel void k(__global int *x, __global int *y, const int three) {
  __local int tile[32];
  __local int other[32];
  int l = get_local_id(0);
${body.replaceAll(/^/gm, "  ")}
}
`;
type Found = readonly (readonly [string, number])[];
/** Kinds of findings and the lines of the body they are at. */
async function found(body: string, subgroupSize: number, workgroups = 1, lanes = 32): Promise<Found> {
  const { findings, diagnostics } = await simulate(kernel(body), {
    from: "opencl",
    workgroups: [workgroups],
    workgroupSize: [lanes],
    subgroupSize,
    args: { x: Int32Array.from({ length: 128 }, (_, i) => i), y: new Int32Array(128), three: 3 },
  });
  expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  return findings.map((f) => [f.kind, f.location!.line - 4] as const);
}

const copyIn = "event_t e = async_work_group_copy(tile, x, 32, 0);";
const wait = "wait_group_events(1, &e);";
const barrier = "barrier(CLK_LOCAL_MEM_FENCE);";
const mistakes: readonly {
  name: string;
  wrong: string;
  right: string;
  finds: Found;
  workgroups?: number;
  lanes?: number;
}[] = [
  {
    name: "a copy that nobody waits for",
    wrong: copyIn,
    right: `${copyIn}\n${wait}`,
    finds: [["async-copy", 1]],
  },
  {
    name: "one of two copies that nobody waits for",
    wrong: `event_t e[2];\ne[0] = async_work_group_copy(tile, x, 8, 0);\ne[1] = async_work_group_copy(tile + 8, x, 8, 0);\nwait_group_events(1, e);`,
    right: `event_t e[2];\ne[0] = async_work_group_copy(tile, x, 8, 0);\ne[1] = async_work_group_copy(tile + 8, x, 8, 0);\nwait_group_events(2, e);`,
    finds: [["async-copy", 3]],
  },
  {
    name: "a wait for what was waited for",
    wrong: `${copyIn}\n${wait}\n${wait}`,
    right: `${copyIn}\n${wait}\ne = async_work_group_copy(tile, x, 32, 0);\n${wait}`,
    finds: [["async-copy", 3]],
  },
  {
    name: "a copy that joins what was waited for",
    wrong: `${copyIn}\n${wait}\ne = async_work_group_copy(other, x, 32, e);\n${wait}`,
    right: `${copyIn}\ne = async_work_group_copy(other, x, 32, e);\n${wait}`,
    finds: [["async-copy", 3]],
  },
  {
    name: "a wait for no event",
    wrong: `event_t e = 0;\n${wait}`,
    right: copyIn + "\n" + wait,
    finds: [["async-copy", 2]],
  },
  {
    // OpenCL C 3.0 6.15.11: undefined.
    name: "a stride of 0",
    wrong: `event_t e = async_work_group_strided_copy(tile, x, 8, three - 3, 0);\n${wait}`,
    right: `event_t e = async_work_group_strided_copy(tile, x, 8, three - 2, 0);\n${wait}`,
    finds: [["async-copy", 1]],
  },
  {
    name: "the target read before the wait",
    wrong: `${copyIn}\ny[l] = tile[l];\n${wait}`,
    right: `${copyIn}\n${wait}\ny[l] = tile[l];`,
    finds: [["data-race", 2]],
  },
  {
    name: "the target read before the wait by the only invocation",
    wrong: `${copyIn}\ny[0] = tile[5];\n${wait}`,
    right: `${copyIn}\n${wait}\ny[0] = tile[5];`,
    finds: [["data-race", 2]],
    lanes: 1,
  },
  {
    name: "a barrier in place of the wait",
    wrong: `${copyIn}\n${barrier}\ny[l] = tile[l];\n${wait}`,
    right: `${copyIn}\n${wait}\n${barrier}\ny[l] = tile[l];`,
    finds: [["data-race", 3]],
  },
  {
    name: "the target written before the wait",
    wrong: `event_t e = async_work_group_copy(tile, x, 16, 0);\ntile[l] = l;\n${wait}`,
    right: `event_t e = async_work_group_copy(tile, x, 16, 0);\nif (l >= 16) tile[l] = l;\n${wait}`,
    finds: [["data-race", 2]],
  },
  {
    name: "the source written before the wait",
    wrong: `${copyIn}\nx[l] = 5;\n${wait}`,
    right: `${copyIn}\ny[l] = x[l];\nx[32 + l] = 5;\n${wait}`,
    finds: [["data-race", 2]],
  },
  {
    name: "the gaps of a strided copy are nobody's",
    wrong: `tile[l] = l;\n${barrier}\nevent_t e = async_work_group_strided_copy(y, tile, 32, three, 0);\ny[3 * l] = 1;\n${wait}`,
    right: `tile[l] = l;\n${barrier}\nevent_t e = async_work_group_strided_copy(y, tile, 32, three, 0);\ny[3 * l + 1] = 1;\n${wait}`,
    finds: [["data-race", 4]],
  },
  {
    name: "a source that other invocations write with no barrier before the copy",
    wrong: `tile[l] = l;\nevent_t e = async_work_group_copy(y, tile, 32, 0);\n${wait}`,
    right: `tile[l] = l;\n${barrier}\nevent_t e = async_work_group_copy(y, tile, 32, 0);\n${wait}`,
    finds: [["data-race", 2]],
  },
  {
    name: "a target that others still read",
    wrong: `${copyIn}\n${wait}\ny[l] = tile[31 - l];\ne = async_work_group_copy(tile, x + 32, 32, 0);\n${wait}`,
    right: `${copyIn}\n${wait}\ny[l] = tile[31 - l];\n${barrier}\ne = async_work_group_copy(tile, x + 32, 32, 0);\n${wait}`,
    finds: [["data-race", 4]],
  },
  {
    name: "two copies to the same place",
    wrong: `${copyIn}\ne = async_work_group_copy(tile + 31, x, 1, e);\n${wait}`,
    right: `event_t e = async_work_group_copy(tile, x, 31, 0);\ne = async_work_group_copy(tile + 31, x, 1, e);\n${wait}`,
    finds: [["data-race", 2]],
  },
  {
    name: "a wait is no barrier for what else is written",
    wrong: `${copyIn}\nother[l] = l;\n${wait}\ny[l] = other[31 - l];`,
    right: `${copyIn}\nother[l] = l;\n${wait}\n${barrier}\ny[l] = other[31 - l];`,
    finds: [["data-race", 4]],
  },
  {
    name: "what another workgroup copies",
    wrong: `tile[l] = l;\n${barrier}\nevent_t e = async_work_group_copy(y, tile, 32, 0);\n${wait}`,
    right: `tile[l] = l;\n${barrier}\nevent_t e = async_work_group_copy(y + 32 * get_group_id(0), tile, 32, 0);\n${wait}`,
    finds: [["data-race", 3]],
    workgroups: 2,
  },
  {
    name: "a copy that some invocations reach",
    wrong: `event_t e = 0;\nif (l < 20) e = async_work_group_copy(tile, x, 32, e);\nif (l < 20) ${wait}`,
    right: `event_t e = 0;\nif (three < 20) e = async_work_group_copy(tile, x, 32, e);\nif (three < 20) ${wait}`,
    finds: [
      ["cross-lane-divergence", 2],
      ["cross-lane-divergence", 3],
    ],
  },
  {
    name: "a count that differs",
    wrong: `event_t e = async_work_group_copy(tile, x, l < 31 ? 4 : 5, 0);\n${wait}`,
    right: `event_t e = async_work_group_copy(tile, x, three < 31 ? 4 : 5, 0);\n${wait}`,
    finds: [["non-uniform-argument", 1]],
  },
  {
    name: "a place that differs",
    wrong: `event_t e = async_work_group_copy(tile, x + l, 4, 0);\n${wait}`,
    right: `event_t e = async_work_group_copy(tile, x + three, 4, 0);\n${wait}`,
    finds: [["non-uniform-argument", 1]],
  },
  {
    name: "a stride that differs",
    wrong: `event_t e = async_work_group_strided_copy(tile, x, 4, 1 + l % 2, 0);\n${wait}`,
    right: `event_t e = async_work_group_strided_copy(tile, x, 4, 1 + three % 2, 0);\n${wait}`,
    finds: [["non-uniform-argument", 1]],
  },
  {
    name: "more elements than there are",
    wrong: `event_t e = async_work_group_copy(tile, x, 30 + three, 0);\n${wait}`,
    right: `event_t e = async_work_group_copy(tile, x, 29 + three, 0);\n${wait}`,
    finds: [["out-of-bounds", 1]],
  },
  {
    name: "a stride that leads out of the buffer",
    wrong: `event_t e = async_work_group_strided_copy(tile, x, 32, three + 2, 0);\n${wait}`,
    right: `event_t e = async_work_group_strided_copy(tile, x, 32, three, 0);\n${wait}`,
    finds: [["out-of-bounds", 1]],
  },
];

describe.each([4, 32])("findings in subgroups of %d", (width) => {
  test.each(mistakes)("$name", async ({ wrong, right, finds, workgroups, lanes }) => {
    expect(await found(wrong, width, workgroups, lanes)).toEqual(finds);
    expect(await found(right, width, workgroups, lanes)).toEqual([]);
  });
});
