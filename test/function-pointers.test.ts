/**
 * Calls by pointers to functions that nothing has set (C++14 8.5.1 (7), 8.5 (12)): a run of the source, and of each text, has a finding. What
 * pointers that are set compute stands in test/templates.test.ts (support/function-shapes.ts), which clang runs too.
 */
import { describe, expect, test } from "vitest";
import { simulate, translate } from "../src/index.js";
import { twoWayDialects } from "../src/dialects/ids.js";
import { judgeable, judgeOutputs, judges, refusals, type Judgeable } from "./support/judges/outputs.js";
import { judgeTest } from "./support/tool-test.js";

const sourceOf = (file: string, body: string): string => `#include <metal_stdlib>
using namespace metal;
typedef int (*Op)(int);
typedef void (*Put)(device int *, int);
int add(int v) { return v + 10; }
int three(int v) { return v * 3; }
void set(device int *o, int v) { *o = v; }
void twice(device int *o, int v) { *o = 2 * v; }
${file}
kernel void k(device int *o [[buffer(0)]], constant int &n [[buffer(1)]], uint id [[thread_position_in_grid]]) {
  const int i = int(id);
  ${body}
}
`;

/** With `n` of 0 all is set; with 1 lane 3 calls what is not. */
const cases: readonly (readonly [name: string, file: string, body: string, wanted: (i: number) => number])[] = [
  [
    "an element that a list leaves out",
    "",
    "Op t[3] = {add, three}; o[i] = t[i == 3 ? 2 * n : 1](i);",
    (i) => (i === 3 ? 13 : i * 3),
  ],
  [
    "a member that a list leaves out",
    "struct Step { int times; Put put; };",
    "Step s = {1}; if (i < 3 || n == 0) s.put = set; if (i < 2) s.put = twice; s.put(o + i, i);",
    (i) => (i < 2 ? 2 * i : i),
  ],
  [
    "a member of an empty list",
    "struct Step { Op op; };",
    "Step s = {}; if (i < 3) s.op = add; else if (!n) s.op = three; o[i] = s.op(i);",
    (i) => (i < 3 ? i + 10 : 9),
  ],
  [
    "one without an initialiser",
    "",
    "Op f; if (i < 3) f = add; else if (!n) f = three; o[i] = f(i);",
    (i) => (i < 3 ? i + 10 : 9),
  ],
  [
    "an array without an initialiser",
    "",
    "Put t[2]; t[0] = set; if (i != 3 || n == 0) t[1] = twice; t[1](o + i, i);",
    (i) => 2 * i,
  ],
  [
    "a table of the file",
    "constant Op table[4] = {three, three, add};",
    "o[i] = table[i == 3 ? 2 + n : i](i);",
    (i) => (i < 2 ? 3 * i : i + 10),
  ],
  [
    "a member of a union of which another was written",
    "union Word { ulong bits; Op op; };",
    "Op other = three; Word w = {1}; w.op = add; if (i == 3 && n) w.bits = 0; if (i < 2) w.op = other; o[i] = w.op(i);",
    (i) => (i < 2 ? 3 * i : i + 10),
  ],
  [
    "null, where nothing is returned",
    "",
    "Put p = set; if (n && i == 3) p = nullptr; if (i < 2) p = twice; p(o + i, i);",
    (i) => (i < 2 ? 2 * i : i),
  ],
  [
    "null, where a pointer is returned",
    "using Where = device int *; typedef Where (*At)(device int *, int); device int *at(device int *o, int i) { return o + i; } device int *same(device int *o, int) { return o; }",
    "At p = at; if (n && i == 3) p = nullptr; if (i > 3) p = same; *p(o, i) = 4;",
    () => 4,
  ],
];

const launch = (n: number) => ({ workgroups: [1], workgroupSize: [4], args: { o: new Int32Array(4), n } });

async function written(source: string, to: (typeof twoWayDialects)[number]): Promise<string> {
  const { code, diagnostics } = await translate(source, { from: "msl", to, workgroupSize: [4, 1, 1] });
  expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  return code!;
}

describe.each(cases)("%s", (_, file, body, wanted) => {
  test.each(["source", ...twoWayDialects] as const)("%s", async (which) => {
    const to = which === "source" ? "msl" : which;
    const source = sourceOf(file, body);
    const text = which === "source" ? source : await written(source, to);
    const { workgroupSize, ...rest } = launch(0);
    const sized = to === "msl" || to === "opencl" ? { workgroupSize } : {};
    const good = await simulate(text, { from: to, ...sized, ...rest });
    expect(good.findings).toEqual([]);
    expect(good.buffers["o"]).toEqual(Int32Array.from({ length: 4 }, (_, i) => wanted(i)));
    const bad = await simulate(text, { from: to, ...sized, ...rest, args: launch(1).args });
    expect(bad.findings.map((f) => f.kind)).toContain("out-of-bounds");
  });
});

test("what is always set is not asked for to the last", async () => {
  const body = "Op f = i & 1 ? add : three; Op t[2] = {add, three}; o[i] = f(i) + t[n](i);";
  expect(await written(sourceOf("", body), "glsl")).not.toContain("nothing");
});

test("what the function that calls declares has the qualifiers of its parameters", async () => {
  const file = `typedef int (*Get)(device const volatile int *, int);
int a(device const volatile int *p, int i) { return p[i]; } int b(device const volatile int *p, int i) { return p[i + 1]; }`;
  const code = await written(sourceOf(file, "Get f = n ? a : b; o[i] = f(o, i);"), "opencl");
  expect(code).toMatch(/call_function\(int which, .*volatile.*\)/);
});

test("null that is accessed by itself is a pointer to something", async () => {
  const code = await written(
    sourceOf("", "if (n > 9) *(device int *)nullptr = ((device int *)nullptr)[i]; o[i] = 1;"),
    "opencl",
  );
  expect(code).not.toContain("*0");
  expect(code).not.toContain("NULL[");
});

// What is written as MSL is the source itself; the shim, which is OpenCL to clang, takes no pointers to functions.
describe.each(twoWayDialects.filter((to) => to !== "msl"))("%s", (to) => {
  judgeTest(judges[to], "the compiler takes the texts", async () => {
    const texts: Judgeable[] = [];
    for (const [name, file, body] of cases) texts.push(judgeable(to, name, await written(sourceOf(file, body), to)));
    expect(refusals(await judgeOutputs(texts))).toBe("");
  });
});
