/**
 * Objects that are volatile stay so, whatever a pass makes to point to them, and real compilers take the text: C++ copies no
 * volatile struct (C++14 [class.copy]), and C and C++ make no plain pointer of one to volatile (C99 6.5.16.1 (1)). Results are
 * worked out by hand.
 */
import { describe, expect, test } from "vitest";
import { simulate, translate, type TwoWayDialect } from "../src/index.js";
import { judgeable, judgeOutputs, judges, refusals } from "./support/judges/outputs.js";
import { judgeTest } from "./support/tool-test.js";

const lanes = 4;

interface Case {
  readonly name: string;
  readonly from: "opencl" | "glsl";
  readonly source: string;
  /** What `o[i]` is behind; it starts as `i + 1`. */
  readonly wanted: readonly number[];
  /** Words that the text in MSL has, and that it has not. */
  readonly has: readonly string[];
  readonly hasNot: RegExp;
}

const cases: readonly Case[] = [
  {
    name: "a pointer that is kept while another argument is worked out",
    from: "opencl",
    source: `float add(volatile global float *address, float x) {
  float old = x, now;
  while ((old = atomic_xchg(address, (now = atomic_xchg(address, 0.0f)) + old)) != 0.0f);
  return now;
}
kernel __attribute__((reqd_work_group_size(4, 1, 1))) void k(volatile global float *o) {
  add(&o[get_global_id(0)], 10.0f);
}`,
    wanted: [11, 12, 13, 14],
    has: ["device volatile atomic_float *at = "],
    hasNot: /device atomic_float/,
  },
  {
    name: "structs as a whole, and behind an offset",
    from: "opencl",
    source: `typedef struct { int a; float b; short c[2]; } S;
kernel __attribute__((reqd_work_group_size(4, 1, 1))) void k(volatile global S *s, global float *o) {
  int i = get_global_id(0);
  S x = { i, i * 2.0f, { 3, (short)i } };
  s[i] = x;
  volatile global S *p = s + (i & 1);
  S y = p[i & 2];
  s[i] = p[i & 2];
  o[i] = y.a * 1000 + y.b * 10 + y.c[1];
}`,
    wanted: [0, 1021, 2042, 3063],
    has: ["s[i].c[1] = ", ".c[1]}"],
    hasNot: /S y = p\[|s\[i\] = /,
  },
  {
    name: "structs of a volatile buffer",
    from: "glsl",
    source: `#version 450
layout(local_size_x = 4) in;
struct S { int a; float b; };
layout(std430, binding = 0) volatile buffer A { S s[]; };
layout(std430, binding = 1) buffer B { float o[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  s[i] = S(int(i), o[i]);
  S y = s[i];
  o[i] = y.a * 10 + y.b;
}`,
    wanted: [1, 12, 23, 34],
    has: [".a = "],
    hasNot: /S y = s\[/,
  },
];

const translated = async (c: Case, to: TwoWayDialect): Promise<string> => {
  const { code, diagnostics } = await translate(c.source, { from: c.from, to });
  expect(diagnostics.filter((d) => d.severity === "error").map((d) => d.message)).toEqual([]);
  return code!;
};

async function run(source: string, from: TwoWayDialect): Promise<readonly number[]> {
  const o = Float32Array.from([1, 2, 3, 4]);
  const args: Record<string, Uint8Array | Float32Array> = source.includes("s[") ? { s: new Uint8Array(96), o } : { o };
  const { buffers, diagnostics, findings } = await simulate(source, {
    from,
    workgroups: [1],
    workgroupSize: [lanes, 1, 1],
    args,
  });
  expect([...diagnostics.filter((d) => d.severity === "error"), ...findings].map((d) => d.message)).toEqual([]);
  return [...(buffers["o"] as Float32Array)];
}

describe.each(cases)("$name", (c) => {
  test("computes the same", async () => {
    expect(await run(c.source, c.from)).toEqual(c.wanted);
    for (const to of ["msl", "opencl"] as const) expect(await run(await translated(c, to), to), to).toEqual(c.wanted);
  });
  test("in MSL nothing loses the word", async () => {
    const text = await translated(c, "msl");
    for (const words of c.has) expect(text).toContain(words);
    expect(text).not.toMatch(c.hasNot);
  });
});

describe("judges", () => {
  for (const to of ["msl", "opencl"] as const)
    judgeTest(judges[to], `${to} is taken`, async () => {
      const texts = await Promise.all(cases.map(async (c) => judgeable(to, c.name, await translated(c, to))));
      expect(refusals(await judgeOutputs(texts))).toBe("");
    });
});
