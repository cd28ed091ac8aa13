/**
 * Functions that print (OpenCL C 3.0 6.15.14, GLSL_EXT_debug_printf, DXC's printf): what they are given is evaluated as the source
 * has it; the simulator shows what they print, and a target that cannot print says so. `test/device/prints.test.ts` compares texts
 * with a driver's.
 */
import { describe, expect, test, vi } from "vitest";
import { simulate, translate, verify, type SourceDialect } from "../src/index.js";
import { judgeable, judgeOutputs, judges, refusals, type Judgeable } from "./support/judges/outputs.js";
import { judgeTest } from "./support/tool-test.js";

const all: readonly SourceDialect[] = ["msl", "glsl", "opencl", "hlsl"];
const sources: Readonly<Partial<Record<SourceDialect, string>>> = {
  opencl: `#define LOG(...) printf(__VA_ARGS__)
int next(__global int *p) { return p[0]++; }
__kernel void k(__global int *x) {
  int i = get_global_id(0); int n = 3;
  printf("lane %d of %s\\n", i, "four");
  if (i == 1) printf("both " "%d %d", n++, next(x));
  for (int j = 0; j < 2; j++) LOG("%v4f\\n", (float4)(j));
  x[1 + i] = n;
}
`,
  glsl: `#version 450
#extension GL_EXT_debug_printf : enable
layout(local_size_x = 4) in;
layout(binding = 0) buffer X { int x[]; };
void main() {
  int i = int(gl_GlobalInvocationID.x), n = 3;
  if (i == 1) debugPrintfEXT("both %d %d", n++, atomicAdd(x[0], 1));
  x[1 + i] = n;
}
`,
  hlsl: `RWStructuredBuffer<int> x : register(u0);
[numthreads(4, 1, 1)] void k(uint i : SV_DispatchThreadID) {
  int n = 3;
  if (i == 1) { printf("both %d %d", n++, 1); x[0] = x[0] + 1; }
  x[1 + i] = n;
}
`,
};

const note = "nobody reads what is printed here";
const judged: Judgeable[] = [];
const size = (to: SourceDialect): { workgroupSize?: number[] } =>
  to === "msl" || to === "opencl" ? { workgroupSize: [4] } : {};

/** What the kernels above print. */
const texts: Readonly<Partial<Record<SourceDialect, string>>> = {
  opencl: `lane 0 of four
0.000000,0.000000,0.000000,0.000000
1.000000,1.000000,1.000000,1.000000
lane 1 of four
both 3 70.000000,0.000000,0.000000,0.000000
1.000000,1.000000,1.000000,1.000000
lane 2 of four
0.000000,0.000000,0.000000,0.000000
1.000000,1.000000,1.000000,1.000000
lane 3 of four
0.000000,0.000000,0.000000,0.000000
1.000000,1.000000,1.000000,1.000000
`,
  glsl: "both 3 7\n",
  hlsl: "both 3 1\n",
};

describe.each(Object.entries(sources) as [SourceDialect, string][])("of %s", (from, source) => {
  const run = async (
    text: string,
    of: SourceDialect,
    engine: "ts" | "wasm" = "wasm",
  ): Promise<{ x: number[]; printed: string }> => {
    const args = { x: Int32Array.of(7, 0, 0, 0, 0) };
    const options = { from: of, workgroups: [1], ...size(of), args, engine };
    const { buffers, findings, printed } = await simulate(text, options);
    expect(findings).toEqual([]);
    return { x: [...(buffers["x"] as Int32Array)], printed: printed?.text ?? "" };
  };
  const x = [8, 3, 4, 3, 3];

  test("run", async () => {
    expect(await run(source, from)).toEqual({ x, printed: texts[from] });
    expect(await run(source, from, "ts")).toEqual({ x, printed: texts[from] });
  });

  test.each(all.filter((to) => to !== from))("to %s", async (to) => {
    const options = from === "opencl" ? { workgroupSize: [4, 1, 1] } : {};
    const { code, assumptions } = await translate(source, { from, to, ...options });
    judged.push(judgeable(to, `prints of ${from} to ${to}`, code!));
    const keeps = to === "opencl";
    expect(assumptions.some((a) => a.message === note)).toBe(!keeps);
    expect(/printf/i.test(code!)).toBe(keeps);
    expect(await run(code!, to)).toEqual({ x, printed: keeps ? texts[from] : "" });
    if (keeps) return;
    const strict = await translate(source, { from, to, ...options, strict: true });
    expect(strict.diagnostics.map((d) => d.code)).toContain("XL4009");
  });

  test("stay in the text of their own dialect", async () => {
    const { code, assumptions } = await translate(source, { from, to: from });
    expect(code).toContain("both");
    expect(assumptions.map((a) => a.message)).not.toContain(note);
  });
});

test("GLSL prints where that is asked for", async () => {
  const source = `__kernel void k(__global int *x, __global float *f, __global ulong *l) {
  int i = get_global_id(0);
  printf("%d%% of \\"%5.1f\\"\\t%#x %lu\\n", i, f[i], (uchar)x[i], l[i]);
  printf("%v4hlf %v2hd", (float4)(f[i]), convert_short2((int2)(x[i], i)));
  printf("%c", i);
}
`;
  const options = { from: "opencl", to: "glsl", workgroupSize: [4, 1, 1] } as const;
  const { code, assumptions } = await translate(source, { ...options, profile: "vulkan1.3-debug" });
  judged.push(judgeable("glsl", "prints for debugging", code!));
  expect(code).toContain(`#extension GL_EXT_debug_printf : require`);
  expect(code).toContain(String.raw`debugPrintfEXT("%d%% of \"%5.1f\"\t%#x %lu", i, f[i], `);
  expect(code).toMatch(/debugPrintfEXT\("%v4f %v2d", vec4\(f\[i\]\), /);
  // What it has no form for is said to be gone.
  expect(code).not.toContain("%c");
  expect(assumptions.filter((a) => a.message === note).flatMap((a) => a.locations.map((l) => l.line))).toEqual([5]);
  expect((await translate(source, options)).code).not.toContain("debugPrintfEXT");
});

test("MSL logs from version 3.2 on", async () => {
  const source = `__kernel void k(__global int *x, __global float *f) {
  int i = get_global_id(0);
  printf("%d%% of \\"%5.1f\\"\\t%#hhx %v4hlf\\n", i, f[i], (uchar)x[i], (float4)(f[i]));
  if (i == 1) printf("%d", x[0]++);
}
`;
  const options = { from: "opencl", to: "msl", workgroupSize: [4, 1, 1] } as const;
  const { code, assumptions } = await translate(source, { ...options, profile: "msl3.2" });
  judged.push({ dialect: "msl", name: "prints as logs", text: code!, options: { version: "3.2" } });
  expect(code).toContain("#include <metal_logging>\n");
  expect(code).toContain(String.raw`os_log_default.log("%d%% of \"%5.1f\"\t%#hhx %v4hlf", i, f[i], `);
  expect(assumptions.map((a) => a.message)).not.toContain(note);
  const args = { x: Int32Array.of(7, 0, 0, 300), f: Float32Array.of(0.5, 1, 1.5, 2) };
  const { printed } = await simulate(code!, { from: "msl", workgroups: [1], workgroupSize: [4], args });
  // Each message is a line (C99 7.19.6.1: `#` of zero writes no 0x; 300 is 44 in 8 bits).
  expect(printed!.text).toBe(`0% of "  0.5"\t0x7 0.500000,0.500000,0.500000,0.500000
1% of "  1.0"\t0 1.000000,1.000000,1.000000,1.000000
7
2% of "  1.5"\t0 1.500000,1.500000,1.500000,1.500000
3% of "  2.0"\t0x2c 2.000000,2.000000,2.000000,2.000000
`);
  const before = await translate(source, { ...options, profile: "msl3.1" });
  expect(before.code).not.toContain("os_log");
  expect(before.assumptions.map((a) => a.message)).toContain(note);
});

test("logs of MSL's own", async () => {
  const source = `#include <metal_stdlib>
#include <metal_logging>
using namespace metal;
constant os_log mine("some.app", "kernels");
float log(float x, int) { return metal::log(x); }
kernel void k(device float *x, uint i [[thread_position_in_grid]]) {
  metal::os_log_default.log_error("%u: %f", i, log(x[i], 0));
  if (i == 1) mine.log_fault("fault");
}
`;
  const args = { x: Float32Array.of(1, 1) };
  const options = { from: "msl", workgroups: [1], workgroupSize: [2] } as const;
  const wanted = "0: 0.000000\n1: 0.000000\nfault\n";
  expect((await simulate(source, { ...options, args })).printed!.text).toBe(wanted);
  const { code } = await translate(source, { from: "msl", to: "opencl", workgroupSize: [2, 1, 1] });
  judged.push(judgeable("opencl", "logs of MSL", code!));
  expect((await simulate(code!, { ...options, from: "opencl", args })).printed!.text).toBe(wanted);
  const { diagnostics } = await translate(source.replace("log_fault", "log_often"), { from: "msl", to: "opencl" });
  expect(diagnostics.map((d) => d.message)).toContain("calling '.log_often()' is not supported yet");
});

test("what is printed is in the order of workgroups and invocations, with its place", async () => {
  const source = `void say(int phase, int i) { printf("%d.%d ", phase, i); }
__kernel void k(__global int *x) {
  int i = get_global_id(0);
  say(0, i);
  barrier(CLK_GLOBAL_MEM_FENCE);
  say(1, i);
  x[i] = sub_group_reduce_add(i);
  if (get_local_id(0) == 0) say(2, i);
}
`;
  for (const engine of ["ts", "wasm"] as const) {
    const args = { x: new Int32Array(4) };
    const options = { from: "opencl", workgroups: [2], workgroupSize: [2], subgroupSize: 4, args, engine } as const;
    const { printed } = await simulate(source, { ...options, lanes: "scrambled" });
    expect(printed!.text).toBe("0.0 1.0 2.0 0.1 1.1 0.2 1.2 2.2 0.3 1.3 ");
    const { location, ...last } = printed!.messages.at(-1)!;
    expect(last).toEqual({ text: "1.3 ", workgroup: [1, 0, 0], lane: [1, 0, 0] });
    expect(location.line).toBe(1);
  }
});

test("verifying prints nothing itself, of TypeScript neither", async () => {
  const console = vi.spyOn(globalThis.console, "log").mockImplementation(() => undefined);
  const source = `kernel void k(global int *o) { printf("here %d\\n", o[0]); o[get_global_id(0)] += 1; }`;
  const { result } = await verify(source, { from: "opencl", to: "ts", subgroupSizes: [4] });
  expect([result, console.mock.calls]).toEqual(["equivalent", []]);
  console.mockRestore();
});

test("what is kept of a text is bounded", async () => {
  const source = `__kernel void k(__global int *x) {
  for (int i = 0; i < x[0]; i++) printf("%1000d", i);
}
`;
  const args = { x: Int32Array.of(2000) };
  const { printed } = await simulate(source, { from: "opencl", workgroups: [1], workgroupSize: [1], args });
  expect(printed!.messages).toHaveLength(1049);
  expect(printed!.leftOut).toBe(951);
});

test("a conversion that does not fit its argument stands as it is, with a warning", async () => {
  const source = `__kernel void k(__global int *x) {
  printf("%d %f %v2d %s|%d", 1.5f, x[0], x[0], x[0]++, "a");
}
`;
  const args = { x: Int32Array.of(5) };
  const options = { from: "opencl", workgroups: [1], workgroupSize: [1], args } as const;
  const { diagnostics, printed, buffers } = await simulate(source, options);
  expect(diagnostics.map((d) => `${d.severity} ${d.message}`)).toEqual([
    "warning '%d' is printed as it stands: its argument is a float",
    "warning '%f' is printed as it stands: its argument is no float",
    "warning '%v2d' is printed as it stands: its argument has no components",
    "warning '%s' is printed as it stands: its argument is no string",
    "warning '%d' is printed as it stands: its argument is a string",
  ]);
  expect(printed!.text).toBe("%d %f %v2d %s|%d");
  expect([...(buffers["x"] as Int32Array)]).toEqual([6]);
});

test("texts that are chosen, and those in arrays of characters (C99 6.7.8 (14)), are printed by %s", async () => {
  const source = `constant char names[3][4] = {"ab", "cd", "e"};
constant char label[] = "lbl\\t" "!";
constant uchar full[3] = "xyz";
__kernel void k(__global int *x) {
  int i = get_global_id(0);
  char word[4] = "hi";
  printf("%s %d, ", i ? "one" : "zero", i);
  printf("[%6s|%-4.2s] ", i > 1 ? "big" : (i == 1 ? "one" : "small"), label);
  int n = printf("%s%s ", names[i % 3], i > 2 ? "?" : label);
  x[i] = full[1] * 1000 + word[i] + n + sizeof(label) * 100;
}
`;
  const args = { x: new Int32Array(4) };
  const { printed, buffers } = await simulate(source, { from: "opencl", workgroups: [1], workgroupSize: [4], args });
  expect(printed!.text).toBe(
    "zero 0, [ small|lb  ] ablbl\t! one 1, [   one|lb  ] cdlbl\t! one 2, [   big|lb  ] elbl\t! one 3, [   big|lb  ] ab? ",
  );
  // 'y' is 121; "lbl\t!" has 6 characters with the null; 'h' and 'i', and nulls.
  expect([...(buffers["x"] as Int32Array)]).toEqual([104, 105, 0, 0].map((c) => 121600 + c));
  judged.push(judgeable("opencl", "chosen texts", source));
  for (const to of all) {
    const { code } = await translate(source, { from: "opencl", to, workgroupSize: [4] });
    judged.push(judgeable(to, `chosen texts to ${to}`, code!));
    if (to === "opencl" || to === "hlsl") continue;
    expect(code).not.toContain("printf");
  }
});

test("what pointers lead to is printed by %s", async () => {
  const source = `typedef constant char *string;
constant char label[] = "lbl", table[2][4] = {"ab", "cde"};
__attribute__((noinline)) void say(string name, int i) { printf("[%s|%6s|%-5.3s|%d]", name, name, name + 1, i); }
__attribute__((noinline)) int twice(string name) { printf("<%s>", name); return 2; }
__kernel void k(__global int *x) {
  int i = get_global_id(0);
  string text = "one", other = label; string const typename = "int";
  printf("%s %5s;", text, other);
  printf("%s,%s", i ? text : "zero", typename);
  x[i] = text[1];
  text = i ? table[1] : label;
  printf("%7s|", "gr\u00fcn"); say("gr\u00fcn", i); say(table[i], i); say(text + i, i);
  for (string t = text; *t; t++) printf("%d%s", twice(t), t);
  printf("%.1s%s\\n", text, "");
}
__kernel void l(__global int *x) { string const typename = "char"; printf("%s", typename); x[0] = 1; }
`;
  const options = { from: "opencl", workgroups: [1], workgroupSize: [2], entry: "k" } as const;
  for (const engine of ["ts", "wasm"] as const) {
    const args = { x: new Int32Array(2) };
    const { printed, buffers, diagnostics, findings } = await simulate(source, { ...options, args, engine });
    expect([diagnostics, findings]).toEqual([[], []]);
    expect(printed!.text).toBe(
      "one   lbl;zero,int  grün|[grün| grün|rü  |0][ab|    ab|b    |0][lbl|   lbl|bl   |0]<lbl>2lbl<bl>2bl<l>2ll\n" +
        "one   lbl;one,int  grün|[grün| grün|rü  |1][cde|   cde|de   |1][de|    de|e    |1]<cde>2cde<de>2de<e>2ec\n",
    );
    // Each call is one message.
    expect(printed!.messages.slice(3, 5).map((m) => m.text)).toEqual(["[grün| grün|rü  |0]", "[ab|    ab|b    |0]"]);
    expect([...(buffers["x"] as Int32Array)]).toEqual([110, 110]);
  }
  for (const to of all) {
    const { code, assumptions } = await translate(source, { from: "opencl", to, workgroupSize: [2], entry: "k" });
    judged.push(judgeable(to, `texts by pointers to ${to}`, code!));
    expect(assumptions.some((a) => a.message === note)).toBe(to !== "opencl");
  }
});

test("MSL's log has no vectors of more than four and no text", async () => {
  const source = `__kernel void k(__global int *x) {
  __constant char *t = "text"; t += x[0];
  printf("%v8d", (int8)(x[0]));
  printf("%s", t);
  printf("%v4d", (int4)(x[0]));
}
`;
  const { code } = await translate(source, { from: "opencl", to: "msl", profile: "msl3.2", workgroupSize: [4] });
  expect(code!.match(/os_log_default.log\("%\w+/g)).toEqual(['os_log_default.log("%v4hld']);
  judged.push({ dialect: "msl", name: "logs of what MSL has", text: code!, options: { version: "3.2" } });
});

describe("compilers", () => {
  for (const to of all)
    judgeTest(judges[to], `the ${to} compiler takes the translations`, async () => {
      const texts = judged.filter((j) => j.dialect === to);
      expect(texts.length).toBeGreaterThan(0);
      expect(refusals(await judgeOutputs(texts))).toBe("");
    });
});

test("a conversion of more characters than C promises (C99 7.19.6.1 (15)) is an error, the widest of those is printed", async () => {
  const printing = (conversion: string): Promise<Awaited<ReturnType<typeof simulate>>> =>
    simulate(`__kernel void k(__global int *o) { printf("${conversion}", 7); o[0] = 1; }`, {
      from: "opencl",
      workgroups: [1],
      workgroupSize: [1],
      args: { o: new Int32Array(1) },
    });
  for (const conversion of ["%2000000000d", "%.4096d", "%99999999999999999999d"])
    expect((await printing(conversion)).diagnostics.map((d) => [d.severity, d.code])).toEqual([["error", "XL2003"]]);
  expect((await printing("%4095d")).printed?.text).toBe(`${" ".repeat(4094)}7`);
});
