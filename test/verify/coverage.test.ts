/** What was run, counted by hand: which statements, which ways of conditions, and what `verify` makes of it. */
import { describe, expect, test } from "vitest";
import { simulate, verify } from "../../src/index.js";
import type { Coverage, SimulateOptions } from "../../src/index.js";
import { crosslane, workspace } from "../cli/command-line.js";

// Statements: i, sum, j = 0, j < n, j++, sum += j, the condition, sum = -sum, the store: 9. Ways: two of each condition.
const body = (out: string): string => `
  int sum = 0;
  for (int j = 0; j < n; j++) {
    sum += j;
  }
  if (mode == 3)
    sum = -sum;
  ${out} = sum;
}
`;
const sources = {
  opencl: `kernel void k(global int *o, int n, int mode) { int i = get_global_id(0);${body("o[i]")}`,
  msl: `#include <metal_stdlib>
using namespace metal;
kernel void k(device int *o [[buffer(0)]], constant int &n [[buffer(1)]], constant int &mode [[buffer(2)]], uint id [[thread_position_in_grid]]) { int i = id;${body("o[i]")}`,
  glsl: `#version 450
layout(local_size_x = 4) in;
layout(std430, binding = 0) buffer O { int o[]; };
layout(push_constant) uniform P { int n; int mode; };
void main() { int i = int(gl_GlobalInvocationID.x);${body("o[i]")}`,
  hlsl: `RWStructuredBuffer<int> o : register(u0);
cbuffer P : register(b0) { int n; int mode; };
[numthreads(4, 1, 1)]
void k(uint3 id : SV_DispatchThreadID) { int i = id.x;${body("o[i]")}`,
};

/** What a run came to, and the text at what it did not. */
async function run(
  source: string,
  options: Pick<SimulateOptions, "from" | "args"> & Partial<SimulateOptions>,
): Promise<Omit<Coverage, "notRun" | "unreachable"> & { notRun: string[]; unreachable: string[] }> {
  const { coverage, findings, diagnostics } = await simulate(source, {
    workgroups: [1],
    workgroupSize: [4],
    coverage: true,
    ...options,
  });
  expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  expect(findings).toEqual([]);
  const lines = source.split("\n");
  const shown = ({ location: l, what }: Pick<Coverage["notRun"][number], "location" | "what">): string =>
    `${what}: ${lines[l.line - 1]!.trim()}`;
  return { ...coverage!, notRun: coverage!.notRun.map(shown), unreachable: coverage!.unreachable.map(shown) };
}

describe.each(Object.entries(sources))("%s", (from, source) => {
  const args = (n: number, mode: number): SimulateOptions["args"] => ({ o: new Int32Array(4), n, mode });
  const dialect = from as keyof typeof sources;

  test("a loop that never ran, and a branch that was not taken", async () => {
    const found = await run(source, { from: dialect, args: args(0, 0) });
    expect(found).toEqual({
      statements: { run: 6, reachable: 9 },
      branches: { run: 2, reachable: 4 },
      unreachable: [],
      notRun: [
        "true: for (int j = 0; j < n; j++) {",
        "statement: for (int j = 0; j < n; j++) {",
        "statement: sum += j;",
        "true: if (mode == 3)",
        "statement: sum = -sum;",
      ],
    });
  });
  test("all of it but the way around the branch", async () => {
    const found = await run(source, { from: dialect, args: args(2, 3) });
    expect(found).toEqual({
      statements: { run: 9, reachable: 9 },
      branches: { run: 3, reachable: 4 },
      unreachable: [],
      notRun: ["false: if (mode == 3)"],
    });
  });
  test("the outputs are those of a run that notes nothing", async () => {
    for (const [n, mode, sum] of [
      [0, 0, 0],
      [3, 0, 3],
      [4, 3, -6],
    ] as const)
      for (const coverage of [false, true]) {
        const { buffers } = await simulate(source, {
          from: dialect,
          workgroups: [1],
          workgroupSize: [4],
          args: args(n, mode),
          coverage,
        });
        expect(buffers["o"]).toEqual(new Int32Array([sum, sum, sum, sum]));
      }
  });
});

test("lanes that part before a barrier and a cross-lane operation: what no lane came to was not run", async () => {
  const source = `#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 8) in;
layout(std430, binding = 0) buffer O { uint o[]; };
layout(push_constant) uniform P { uint limit; };
shared uint s[8];
void main() {
  uint i = gl_LocalInvocationIndex;
  uint sum = 0u;
  if (i < limit) {
    sum = subgroupAdd(i);
    sum += 1u;
  }
  s[i] = sum;
  barrier();
  if (i >= 8u) return;
  o[i] = s[7u - i];
}
`;
  for (const subgroupSize of [4, 32]) {
    const found = async (limit: number): Promise<string[]> => {
      const args = { o: new Uint32Array(8), limit };
      const { notRun, unreachable } = await run(source, { from: "glsl", args, workgroupSize: [8], subgroupSize });
      // An index in a workgroup of eight is at most seven.
      expect(unreachable).toEqual(["true: if (i >= 8u) return;", "statement: if (i >= 8u) return;"]);
      return notRun;
    };
    expect(await found(0)).toEqual([
      "true: if (i < limit) {",
      "statement: sum = subgroupAdd(i);",
      "statement: sum += 1u;",
    ]);
    expect(await found(1)).toEqual([]);
    expect(await found(8)).toEqual(["false: if (i < limit) {"]);
  }
});

test("what a loop does after a body that leaves it is not run", async () => {
  const source = `kernel void k(global int *o, int n) {
  int i = get_global_id(0);
  do {
    if (n > 1)
      break;
    o[i] = 5;
  } while (o[i] == 6);
  for (int j = 0; j < 4; j++)
    if (n > 0)
      break;
}
`;
  const at = async (n: number): Promise<string[]> =>
    (await run(source, { from: "opencl", args: { o: new Int32Array(4), n } })).notRun;
  expect(await at(2)).toEqual([
    "false: if (n > 1)",
    "statement: o[i] = 5;",
    "statement: } while (o[i] == 6);",
    "true: } while (o[i] == 6);",
    "false: } while (o[i] == 6);",
    "false: for (int j = 0; j < 4; j++)",
    "statement: for (int j = 0; j < 4; j++)",
    "false: if (n > 0)",
  ]);
  expect(await at(0)).toEqual([
    "true: if (n > 1)",
    "statement: break;",
    "true: } while (o[i] == 6);",
    "true: if (n > 0)",
    "statement: break;",
  ]);
});

test("cases, jumps, and functions", async () => {
  // Of `pick`: the switch, two assignments with their breaks, the return: 6. Of `bump`: 1. Of the kernel: `i`, `v`, the loop's
  // declaration and condition, the condition, continue, the call, the store: 8.
  const source = `void bump(global int *p, int by) { *p += by; }
int pick(int m) {
  int r = 5;
  switch (m) {
    case 1: r = 10; break;
    case 2: r = 20; break;
  }
  return r;
}
kernel void k(global int *o, int m) {
  int i = get_global_id(0);
  for (int j = 0; j < 3; j++) {
    if (j == m) continue;
    bump(o + i, pick(m));
  }
}
`;
  const at = async (m: number): Promise<string[]> =>
    (await run(source, { from: "opencl", args: { o: new Int32Array(4), m } })).notRun;
  const second = [
    "case: case 2: r = 20; break;",
    "statement: case 2: r = 20; break;",
    "statement: case 2: r = 20; break;",
  ];
  expect(await at(1)).toEqual(["no case: switch (m) {", ...second]);
  expect(await at(9)).toEqual([
    "case: case 1: r = 10; break;",
    "statement: case 1: r = 10; break;",
    "statement: case 1: r = 10; break;",
    ...second,
    "true: if (j == m) continue;",
    "statement: if (j == m) continue;",
  ]);
});

test("a statement that a pass makes several of, for each object its pointer may have, was run by one of them", async () => {
  const source = `kernel void shift(global float *src, ulong by, global float *dst, int n) {
  src = (global float *)((global char *)src + by);
  dst[get_global_id(0)] = src[get_global_id(0)];
  if (n > 3) dst[0] = 0.0f;
}
`;
  const args = { src: new Float32Array(8), by: 8n, dst: new Float32Array(4), n: 1 };
  const found = await run(source, { from: "opencl", args });
  expect(found).toEqual({
    statements: { run: 3, reachable: 4 },
    branches: { run: 1, reachable: 2 },
    unreachable: [],
    notRun: ["true: if (n > 3) dst[0] = 0.0f;", "statement: if (n > 3) dst[0] = 0.0f;"],
  });
});

test("what a constant rules out is not to be run, and what one instance of a template leaves out is", async () => {
  const source = `#include <metal_stdlib>
using namespace metal;
template <typename T> T step_up(T x, int m) {
  if (m == 1)
    return x + T(1);
  return x;
}
kernel void k(device float *o [[buffer(0)]], constant int &m [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  if (sizeof(int) == 8)
    o[i] = 9.0f;
  o[i] = float(step_up(int(i), m)) + step_up(0.5f, m - 1);
}
`;
  const at = async (m: number): Promise<string[]> =>
    (await run(source, { from: "msl", args: { o: new Float32Array(4), m } })).notRun;
  // Both instances leave a return out, one each.
  expect(await at(1)).toEqual([
    "true: if (m == 1)",
    "false: if (m == 1)",
    "statement: return x + T(1);",
    "statement: return x;",
  ]);
});

test("what parameters are at every call, locals and constants of the file rule out is not to be run; what some call gives is", async () => {
  const source = `constant bool checked = false;
int f(int x, bool wrap, int most) {
  if (wrap)
    return x % 7;
  if (checked && x > 3)
    return 3;
  if (most > 100)
    return 5;
  return x;
}
int g(int x, bool both) {
  if (both)
    return 4 * x;
  return f(x, both, 8);
}
int h(int x, bool kept) {
  kept = kept || x > 1;
  if (kept)
    return 9;
  return x;
}
kernel void k(global int *o, int n) {
  int i = get_global_id(0);
  bool wraps = false;
  o[i] = f(i, wraps, n > 2 ? 50 : 10) + g(i, false) + h(i, false);
  if (n == 77)
    o[i] = g(i, n == 78);
}
`;
  const { notRun, unreachable } = await run(source, { from: "opencl", args: { o: new Int32Array(4), n: 5 } });
  // f is called with what g is: true in a call that does not run, which can be another's.
  expect(unreachable.filter((s) => s.startsWith("statement"))).toEqual([
    "statement: return 3;",
    "statement: return 5;",
  ]);
  expect(notRun.filter((s) => s.startsWith("statement"))).toEqual([
    "statement: return x % 7;",
    "statement: return 4 * x;",
    "statement: o[i] = g(i, n == 78);",
  ]);
  const fixed = source.replace("n == 78)", "false)");
  const all = await run(fixed, { from: "opencl", args: { o: new Int32Array(4), n: 5 } });
  expect(all.unreachable.filter((s) => s.startsWith("statement"))).toEqual([
    "statement: return x % 7;",
    "statement: return 3;",
    "statement: return 5;",
    "statement: return 4 * x;",
  ]);
});

test("both ways of ?:, of && and ||, and of each loop", async () => {
  // Ways: of `n > 1 ? ...` two, of the left operands of && and || two each, of both conditions of if two each, of while two: 12.
  const source = `kernel void k(global int *o, int n, int m) {
  int i = get_global_id(0);
  int a = n > 1 ? n * 2 : m;
  if (n > 2 && m > 1) a += 1;
  if (n > 3 || m > 2) a += 2;
  while (a > n) a -= 3;
  o[i] = a;
}
`;
  const at = (n: number, m: number): ReturnType<typeof run> =>
    run(source, { from: "opencl", args: { o: new Int32Array(4), n, m } });
  // a = 0 and then nothing: of each condition the way it went, and the left operand of && decides, that of || does not.
  const none = await at(0, 0);
  expect(none.branches).toEqual({ run: 6, reachable: 12 });
  expect(none.notRun.filter((p) => !p.startsWith("statement"))).toEqual([
    "true: int a = n > 1 ? n * 2 : m;",
    "true: if (n > 2 && m > 1) a += 1;",
    "true: if (n > 2 && m > 1) a += 1;",
    "true: if (n > 3 || m > 2) a += 2;",
    "true: if (n > 3 || m > 2) a += 2;",
    "true: while (a > n) a -= 3;",
  ]);
  // a = 8, + 1, + 2, and 11, 8, 5 are greater than 4: both ways of the loop, and one of everything else.
  const most = await at(4, 2);
  expect(most.branches).toEqual({ run: 7, reachable: 12 });
  expect(most.notRun).toEqual([
    "false: int a = n > 1 ? n * 2 : m;",
    "false: if (n > 2 && m > 1) a += 1;",
    "false: if (n > 2 && m > 1) a += 1;",
    "false: if (n > 3 || m > 2) a += 2;",
    "false: if (n > 3 || m > 2) a += 2;",
  ]);
});

test("what was in the way: the outermost condition, and the arguments it is made of by way of locals", async () => {
  const source = `kernel void k(global int *o, int n, int m) {
  int rows = n / 4;
  int last = rows * 2;
  if (last > 5) {
    if (m == 7)
      o[0] = 1;
  }
  if (get_local_id(0) > 9)
    o[1] = 2;
}
`;
  const { coverage } = await simulate(source, {
    from: "opencl",
    workgroups: [1],
    workgroupSize: [4],
    coverage: true,
    args: { o: new Int32Array(4), n: 8, m: 3 },
  });
  const because = coverage!.notRun.filter((p) => p.what === "statement").map((p) => p.because);
  const outermost = { way: "true", values: [{ path: "n", had: ["8"] }] };
  expect(because.map((b) => b && { way: b.way, values: b.values, line: b.location.line })).toEqual([
    { ...outermost, line: 4 },
    { ...outermost, line: 4 },
    { way: "true", values: [], line: 8 },
  ]);
});

describe("verify", () => {
  const kernel = sources.opencl;
  const files = (n: number): Record<string, string> => ({
    "k.cl": kernel,
    "k.launch.json": JSON.stringify({
      workgroups: [1],
      workgroupSize: [4],
      args: {
        o: { type: "i32", count: 4, init: { fill: 0 }, output: true },
        n: { type: "i32", value: n },
        mode: { type: "i32", value: 3 },
      },
    }),
  });

  test("says so where a loop never ran, and ends with 3 where that is too little", async () => {
    const folder = workspace({});
    const { writeFileSync } = await import("node:fs");
    const { join } = await import("node:path");
    for (const [name, text] of Object.entries(files(0))) writeFileSync(join(folder, name), text);
    const { code, out, err } = await crosslane(folder, ["verify", "k.cl", "--to", "glsl,msl"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(
      /^glsl {4}equivalent where run on \d+ launches, \d+ bytes compared, 7 of 9 statements run, 2 of 4 branches taken, same program \(for all inputs\)$/m,
    );
    const missed = `
  k.cl:3: the condition was never true: n was 0 in every launch
  k.cl:4: the condition at k.cl:3 was never true: n was 0 in every launch
No launch took these branches:
  k.cl:6: the condition was never false: mode was 3 in every launch
`;
    expect(out).toContain(`nothing is said of them; a launch file can choose others:${missed}`);
    const strict = await crosslane(folder, ["verify", "k.cl", "--to", "glsl", "--require-coverage", "78"]);
    expect(strict.code).toBe(3);
    const enough = await crosslane(folder, ["verify", "k.cl", "--to", "glsl", "--require-coverage", "77"]);
    expect(enough.code).toBe(0);
    const json = JSON.parse((await crosslane(folder, ["verify", "k.cl", "--to", "glsl", "--format", "json"])).out) as {
      results: { result: string; coverage: Coverage }[];
    };
    expect(json.results[0]!.result).toBe("equivalent-where-run");
    expect(json.results[0]!.coverage.statements).toEqual({ run: 7, reachable: 9 });
    const run = await crosslane(folder, ["run", "k.cl", "--coverage"]);
    expect(run.out).toContain(
      `7 of 9 statements run, 2 of 4 branches taken\nNo launch came to these statements, so nothing is said of them; a launch file can choose others:${missed}`,
    );
    writeFileSync(join(folder, "k.launch.json"), files(2)["k.launch.json"]!);
    const whole = await crosslane(folder, ["verify", "k.cl", "--to", "glsl", "--require-coverage", "100"]);
    expect(whole.code).toBe(0);
    expect(whole.out).toMatch(
      /^glsl {4}equivalent on \d+ launches, \d+ bytes compared, 9 of 9 statements run, 3 of 4 branches taken, same program \(for all inputs\)$/m,
    );
  });

  test("derived launches come to what numbers in the text decide", async () => {
    const source = `kernel void pool(global const float *src, global float *dst, int n, int window, int mode) {
  int i = get_global_id(0);
  if (i >= n) return;
  float best = -1.0f;
  for (int k = 0; k < window; k++) {
    float v = src[i * window + k];
    if (mode == 1234) best += v;
    else if (v > best) best = v;
  }
  switch (mode) { case 1: best *= 2.0f; break; case 77: best = 0.5f; break; }
  if (window > 300) best = 3.0f;
  dst[i] = best;
}
`;
    const { result, coverage } = await verify(source, { from: "opencl", to: "glsl", workgroupSize: [8] });
    expect({ result, notRun: coverage?.notRun.filter((p) => p.what === "statement") }).toEqual({
      result: "equivalent",
      notRun: [],
    });
  });
});
