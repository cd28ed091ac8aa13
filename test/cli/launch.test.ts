/** Launches that were derived, written as launch files: they are the same launches when they are read again. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { compile } from "../../src/api/compile.js";
import { prepareVerification } from "../../src/api/verify.js";
import { bindLaunch, filesOf } from "../../src/launch/bind.js";
import { parseLaunchFile } from "../../src/launch/launch-file.js";
import { shapeOf } from "../../src/launch/reflection.js";
import { launchText, writeLaunch } from "../../src/launch/write-launch-file.js";
import { crosslane, workspace } from "./command-line.js";

const kernels = {
  opencl: `typedef struct { int n; float w[3]; uint4 m; } P;
typedef struct { P p[2]; char c; short s[3]; ulong big; } Q;
kernel void k(global float *o, global const double *d, global uchar *b, Q q, uint n, local float *t) {
  uint i = get_global_id(0);
  t[get_local_id(0)] = (float)d[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < n) o[i] = t[get_local_id(0)] + q.p[1].m.z + b[i] + q.c;
  if (q.s[1] == 1234) o[i] = 7.0f + (float)q.big;
}
`,
  msl: `#include <metal_stdlib>
using namespace metal;
struct A { packed_float3 v; half h; };
kernel void k(device A *a [[buffer(0)]], constant bool &flag [[buffer(1)]], constant float2x2 &m [[buffer(2)]], uint2 at [[thread_position_in_grid]]) {
  a[at.y * 8 + at.x].v.x += flag ? m[1][0] : 2.0f;
}
`,
  glsl: `#version 450
layout(local_size_x = 8) in;
layout(constant_id = 3) const int MODE = 4;
layout(std430, binding = 0) buffer B { uvec2 head; float data[]; };
layout(push_constant) uniform C { vec3 v; uint n; } c;
void main() { if (gl_GlobalInvocationID.x < c.n) data[gl_GlobalInvocationID.x] += c.v.y * MODE + head.x; }
`,
};

test.each(Object.entries(kernels))("%s: every byte of every argument comes back", async (from, source) => {
  const compilation = await compile(source, { from: from as keyof typeof kernels, fileName: "k" });
  const { ready, diagnostics } = await prepareVerification(compilation, {
    launches: [],
    workgroupSize: from === "glsl" ? [8] : [8, 2],
  });
  expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  const shape = shapeOf(compilation.module!, ready!.entry);
  expect(ready!.launches.length).toBeGreaterThan(3);
  for (const launch of ready!.launches)
    for (const apart of [false, true]) {
      const subgroupSizes = ready!.subgroupSizes(launch);
      const written = writeLaunch(launch, shape, {
        subgroupSizes,
        ...(apart ? { fileFor: (path: string) => `${path}.bin` } : {}),
      });
      const read = parseLaunchFile(launchText(written), "k.launch.json");
      expect(read.diagnostics).toEqual([]);
      expect(filesOf(read.launch!).sort()).toEqual([...written.contents.keys()].sort());
      const again = bindLaunch(read.launch!, shape, { files: written.contents });
      expect(again.diagnostics).toEqual([]);
      const { workgroups, gridSize, gridOffset, dimensions, workgroupSize } = launch;
      expect(again.bound).toMatchObject({ workgroups, gridSize, gridOffset, dimensions, workgroupSize, subgroupSizes });
      const bytes = (l: typeof launch): [string, unknown][] =>
        l.arguments.map((a) => [a.path, a.kind === "workgroup" ? a.byteLength : [...a.bytes]]);
      expect(bytes(again.bound!)).toEqual(bytes(launch));
    }
});

test("`launch` prints one to edit, and verify takes it", async () => {
  const folder = workspace({});
  writeFileSync(join(folder, "k.cl"), kernels.opencl);
  const { code, out, err } = await crosslane(folder, ["launch", "k.cl", "--workgroup-size", "8"]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  writeFileSync(join(folder, "k.launch.json"), out);
  const verified = await crosslane(folder, ["verify", "k.cl", "--to", "glsl"]);
  expect(verified.code).toBe(0);
  // i, the first store, the barrier, two conditions and what stands under them: all but at most one of 7.
  expect(verified.out).toMatch(/, [67] of 7 statements run/m);
});

test("`verify --save-launches` writes all of them, large buffers beside them", async () => {
  const folder = workspace({});
  // Reads a hundred numbers an invocation: more than fit a line.
  const source = `kernel void k(global const float *s, global float *o, int w) {
  int i = get_global_id(0);
  float v = 0;
  for (int j = 0; j < w; j++) v += s[i * 100 + j];
  o[i] = v;
}
`;
  writeFileSync(join(folder, "k.cl"), source);
  const { code, out } = await crosslane(folder, [
    "verify",
    "k.cl",
    "--to",
    "glsl",
    "--workgroup-size",
    "8",
    "--save-launches",
    "found",
    "--subgroup-sizes",
    "8",
  ]);
  expect(code).toBe(0);
  const files = readdirSync(join(folder, "found"));
  const launches = files.filter((f) => f.endsWith(".launch.json"));
  expect(launches).toHaveLength(out.split("\n").filter((l) => l.startsWith("  derived: ")).length);
  expect(files.filter((f) => f.endsWith(".bin")).length).toBeGreaterThan(0);
  for (const f of launches) {
    const { args } = JSON.parse(readFileSync(join(folder, "found", f), "utf8")) as {
      args: Record<string, { init?: { file?: string } }>;
    };
    for (const { init } of Object.values(args)) if (init?.file !== undefined) expect(files).toContain(init.file);
    const one = await crosslane(folder, ["verify", "k.cl", "--to", "glsl", "--launch", join("found", f)]);
    expect({ code: one.code, err: one.err }).toEqual({ code: 0, err: "" });
    expect(one.out).toMatch(/^glsl {4}equivalent/m);
  }
});

test("with a launch file there is nothing to save", async () => {
  const { code, err } = await crosslane(
    workspace({ "k.metal": "reduce/kernel.metal", "k.launch.json": "reduce/launch.json" }),
    ["verify", "k.metal", "--to", "glsl", "--save-launches", "found"],
  );
  expect(code).toBe(2);
  expect(err).toContain("--save-launches");
});
