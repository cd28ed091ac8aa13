/**
 * Pointers of OpenCL C that name no address space (OpenCL C 3.0 6.7.5): functions that take them are called with pointers into
 * global, workgroup and private memory. Results are worked out in plain JavaScript, and compilers take source and translations.
 */
import { describe, expect, test } from "vitest";
import { simulate, translate, type TwoWayDialect } from "../src/index.js";
import { judgeable, judgeOutputs, judges, refusals } from "./support/judges/outputs.js";
import { judgeTest } from "./support/tool-test.js";

const lanes = 8;
const source = `
float sum(const float *p, int n) { float s = 0; for (int k = 0; k < n; k++) s += p[k]; return s; }
void add(generic float *to, const float *from, float by) { float *q = to; *q += from[1] * by + sum(from, 2); }
float *next(float *p) { return p + 1; }
kernel __attribute__((reqd_work_group_size(${lanes}, 1, 1))) void k(global float *x, global float *o) {
  int i = (int)get_local_id(0);
  local float t[${lanes + 2}];
  float v[3] = {1, 2, 3};
  t[i] = x[i];
  if (i < 2) t[${lanes} + i] = 100;
  barrier(CLK_LOCAL_MEM_FENCE);
  add(o + i, x + i, 2);
  add(o + i, t + i, 3);
  add(v, x + 2, 1);
  add(o + i, v, 1);
  *next(v) = 5;
  float *h, *g; const float *q = 0;
  h = t; g = o; q = x;
  if (i & 1) h = t + 1;
  for (int k = 0; k < 2; k++) { float *z; z = &g[i]; *z += h[i] + q[k]; }
  for (float *a = t, *b = o + i; a < t + 2; a++) *b += a[i];
  const float *n = i > 2 ? x : (const float *)0; o[i] += n ? n[1] : 50; float *m = i ? NULL : t; o[i] += m ? *m + 5 : 9;
  o[i] += *next(x) + *next(t + i) + sum(v, 3) + sum(next(o), 0);
}
`;
const x = Float32Array.from({ length: 16 }, (_, i) => 3 * i + 1);
/** All are small whole numbers: exact in any order. */
const wanted = Float32Array.from({ length: lanes }, (_, i) => {
  const at = (list: ArrayLike<number>, k: number): number => list[k]!;
  const t = [...x.slice(0, lanes), 100, 100];
  const add = (list: ArrayLike<number>, from: number, by: number): number =>
    at(list, from + 1) * by + at(list, from) + at(list, from + 1);
  const v = [1 + add(x, 2, 1), 2, 3];
  let o = i + add(x, i, 2) + add(t, i, 3) + add(v, 0, 1);
  v[1] = 5;
  o += 2 * at(t, i + (i & 1)) + at(x, 0) + at(x, 1);
  o += at(t, i) + at(t, i + 1);
  o += (i > 2 ? at(x, 1) : 50) + (i ? 9 : at(t, 0) + 5);
  o += at(x, 1) + at(t, i + 1) + v[0]! + v[1] + v[2]!;
  return o;
});
const launch = {
  workgroups: [1],
  workgroupSize: [lanes],
  args: { x, o: Float32Array.from({ length: lanes }, (_, i) => i) },
};
const targets: readonly TwoWayDialect[] = ["msl", "glsl", "opencl", "hlsl"];

async function written(to: TwoWayDialect): Promise<string> {
  const { code, diagnostics } = await translate(source, { from: "opencl", to });
  expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  return code!;
}

test("the source computes what C says", async () => {
  const ran = await simulate(source, { from: "opencl", ...launch });
  expect(ran.findings).toEqual([]);
  expect(ran.buffers["o"]).toEqual(wanted);
});

describe.each(targets)("to %s", (to) => {
  test("computes the same", async () => {
    const ran = await simulate(await written(to), { from: to, ...launch });
    expect(ran.findings).toEqual([]);
    expect(ran.buffers["o"]).toEqual(wanted);
  });
  judgeTest(judges[to], "is taken by the compiler", async () => {
    expect(refusals(await judgeOutputs([judgeable(to, "generic pointers", await written(to))]))).toBe("");
  });
});

test("constant memory is not among what they point into", async () => {
  const { code, diagnostics } = await translate(
    "float f(const float *p) { return *p; }\nkernel void k(constant float *c, global float *o) { o[0] = f(c); }",
    { from: "opencl", to: "msl" },
  );
  expect(code).toBeUndefined();
  expect(diagnostics.map((d) => d.code)).toContain("XL2005");
});

test.each([
  ["chosen", "int *g = i ? (int *)l : (int *)o; o[i] = g[1];", "local or into global"],
  ["set anew", "int *g = l; o[i] = g[1]; if (i) g = o; o[i] += g[1];", "local or into global"],
  ["set to one or another", "int *g; if (i) g = l; else g = o; o[i] = g[1];", "local or into global"],
  ["of a lane's own", "int v[2] = {1, 2}; generic int *g = v; if (i) g = o; o[i] = g[1];", "private or into global"],
])("a pointer into two memories is refused by name: %s", async (_, body, which) => {
  const text = `kernel void k(global int *o) { local int l[8]; int i = get_local_id(0); l[i] = i; barrier(CLK_LOCAL_MEM_FENCE); ${body} }`;
  const { diagnostics } = await translate(text, { from: "opencl", to: "msl" });
  const said = diagnostics.filter((d) => d.severity === "error").map((d) => `${d.code} ${d.message}`);
  expect([...new Set(said)]).toEqual([`XL1900 a pointer that leads into ${which} memory is not supported yet`]);
});
