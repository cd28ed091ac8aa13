/**
 * What kernels print (OpenCL C 3.0 6.15.14): the simulator's text, of the source and of translations, is what PoCL prints. The
 * driver writes to the output of its process, which is one of its own here.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { beforeAll, expect } from "vitest";
import { simulate, translate } from "../../src/index.js";
import { repositoryRoot } from "../support/judges/judge.js";
import { buildHost } from "./build-host.js";
import { deviceTest } from "./device-test.js";

beforeAll(buildHost);

/** One invocation, since several print in an order of PoCL's. */
const opencl =
  `__attribute__((noinline)) void say(__constant char *name, int i) { printf("[%s|%7s|%-6s|%.3s|%d]\\n", name, name + 1, name, name, i); }
__kernel void k(__global const int *n, __global const float *f) {
  char c = n[0]; uchar uc = n[0]; short s = n[1]; ushort us = n[1]; long l = ((long)n[2] << 32) | n[1];
  printf("%d %i %u %x %X %o %c\\n", n[1], n[2], n[0], n[0], n[1], n[1], n[3]);
  printf("[%5d|%-5d|%05d|%+d|% d|%#x|%#o|%.3d|%8.3x]\\n", n[3], n[3], n[3], n[3], n[3], n[3], n[3], n[4], n[3]);
  printf("%hhd %hhu %hd %hu %d %u\\n", c, uc, s, us, c, us);
  printf("%ld %lu %lx\\n", l, l, l);
  printf("%f %e %g %.2f %10.3e %-10g| %+.0f\\n", f[0], f[1], f[2], f[1], f[0], f[2], f[3]);
  printf("%F %E %G %f %f\\n", f[0], f[1], f[2], f[4], -f[4]);
  printf("%s %%%5s|%-6s|%.2s\\n", "text", "ab", "cd", "efgh");
  __constant char *text = n[3] > 5 ? "gr\u00fcn" : "red"; say(text, 1); say("word", n[3]);
  printf("%v4hlf|%v2hld|%v3hlu\\n", (float4)(f[0], f[1], f[2], f[3]), (int2)(n[0], n[1]), (uint3)(1, 2, n[0]));
  printf("%v4hhd %v2hx %v8hld %6.1v2hlf\\n", (char4)(c), (ushort2)(us, 7), (int8)(n[3]), (float2)(f[0], f[1]));
  printf("%v2ld %v16hhu\\n", (long2)(l, 1), (uchar16)(uc));
  printf("tab\\tquote\\"backslash\\\\percent%% \\101\\x42\\n");
  if (printf("a") == 0 && printf("b%d\\n", n[3]) == 0) printf("zero\\n");
  for (int i = 0; i < 3; i++) printf(i < 2 ? "" "%d," : "%d;", i);
}
`.replace('printf(i < 2 ? "" "%d," : "%d;", i);', 'if (i < 2) printf("" "%d,", i); else printf("%d;\\n", i);');

const glsl = `#version 450
#extension GL_EXT_debug_printf : enable
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) readonly buffer N { int n[]; };
layout(set = 0, binding = 1) readonly buffer F { float f[]; };
void main() {
  debugPrintfEXT("%d %u %x %o", n[1], uint(n[0]), n[2], n[3]);
  debugPrintfEXT("%f %1.2v4f|%v2d", f[0], vec4(f[0], f[1], f[2], f[3]), ivec2(n[0], n[1]));
}
`;

const n = Int32Array.of(-56, 70000, -3, 65, 7);
const f = Float32Array.of(1.5, -0.0625, 1e10, 2.5, Infinity);

function printedByPocl(code: string): string {
  const slot = (key: string, index: number): object => ({ kind: "argument", key, index, space: "global" });
  const kernel = {
    language: "opencl",
    code,
    entry: /kernel void (\w+)/.exec(code)![1],
    defines: {},
    interface: [slot("n", 0), slot("f", 1)],
    usesSubgroups: false,
    narrowTypes: false,
  };
  const script = `import { openDriver } from ${JSON.stringify(join(repositoryRoot, "dist/src/device/drivers.js"))};
const driver = await openDriver("opencl", {});
const program = driver.build(0, ${JSON.stringify(kernel)});
const one = [1, 1, 1];
const bytes = (list) => new Uint8Array(list.buffer);
program.run({ workgroups: one, workgroupSize: one, gridSize: one, gridOffset: [0, 0, 0], dimensions: 1, timeout: 20000, data: [
  { key: "n", kind: "buffer", writable: false, bytes: bytes(Int32Array.of(${[...n].join()})) },
  { key: "f", kind: "buffer", writable: false, bytes: bytes(Float32Array.of(${[...f].join()})) } ] });
program.release();
driver.release();
`;
  const made = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  expect(made.stderr).toBe("");
  return made.stdout;
}

async function printed(source: string, from: "opencl" | "glsl" | "hlsl"): Promise<string> {
  const sizes = from === "opencl" ? { workgroupSize: [1] } : {};
  const result = await simulate(source, { from, workgroups: [1], ...sizes, args: { n, f } });
  expect(result.diagnostics).toEqual([]);
  return result.printed!.text;
}

await deviceTest("opencl", "of OpenCL C", async () => {
  expect(await printed(opencl, "opencl")).toBe(printedByPocl(opencl));
});

await deviceTest("opencl", "of GLSL, by way of OpenCL C", async () => {
  const { code } = await translate(glsl, { from: "glsl", to: "opencl" });
  const text = await printed(glsl, "glsl");
  expect(text.split("\n")).toHaveLength(3);
  expect(printedByPocl(code!)).toBe(text);
  expect(await printed(code!, "opencl")).toBe(text);
});

await deviceTest("opencl", "of OpenCL C that is written anew", async () => {
  const two = `${opencl}__kernel void other(__global int *n) { n[0] = 0; }\n`;
  const { code } = await translate(two, { from: "opencl", to: "opencl", entry: "k" });
  expect(code).not.toContain("%i");
  expect(printedByPocl(code!)).toBe(await printed(opencl, "opencl"));
});
