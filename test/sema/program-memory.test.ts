/** OpenCL C's global memory at file scope: what nothing changes is what it begins as (OpenCL C 3.0 6.7.1, C99 6.7.8); the rest is refused. */
import { describe, expect, test } from "vitest";
import { simulate, translate } from "../../src/index.js";

const file = `__global const float lut[4] = {1.0f, 2.0f, 3.0f};
global int zero;
int plain[2][2] = {{1, 2}, {3}};
typedef struct { int a; float b; } pair;
static global pair both = {1, 2.5f};
global float4 v = (float4)(1, 2, 3, 4);
typedef struct { int n; int list[2]; } lists;
global lists some = {1, {2, 3}};
void fill(global int *at) { at[0] = 7; }
`;
const reading = `${file}float f(int i) { return lut[i & 3] + v.w; }
kernel __attribute__((reqd_work_group_size(8, 1, 1))) void k(global float *o) {
  int i = get_global_id(0);
  o[i] = f(i) + zero + plain[i & 1][1] * 10 + both.b + (zero == i && i) + (i & zero) + some.list[i & 1] - some.n;
}`;
const wanted = Array.from(
  { length: 8 },
  (_, i) => [1, 2, 3, 0][i & 3]! + 4 + (i & 1 ? 0 : 20) + 2.5 + (i & 1 ? 3 : 2) - 1,
);

describe("global memory at file scope that nothing changes", () => {
  test.each(["opencl", "msl", "glsl", "hlsl"] as const)("%s", async (to) => {
    const { code, diagnostics } = await translate(reading, { from: "opencl", to });
    expect(diagnostics).toEqual([]);
    const args = { o: new Float32Array(8) };
    const { buffers } = await simulate(code!, {
      from: to,
      workgroups: [1],
      args,
      ...(to === "msl" ? { workgroupSize: [8] } : {}),
    });
    expect([...(buffers["o"] as Float32Array)]).toEqual(wanted);
  });
});

describe("what may be changed is refused, for every kernel that reads it", () => {
  const refusal =
    "variables in global memory at file scope that may be changed, or whose address is taken, are not supported yet";
  test.each([
    ["an assignment", "zero = 3;"],
    ["in parentheses", "(zero) += 3;"],
    ["to a component", "v.hi.x = 3;"],
    ["to an element", "plain[0][1] <<= 3;"],
    ["an increment", "zero++;"],
    ["before it", "--(zero);"],
    ["an atomic", "atomic_inc(&zero);"],
    ["an address", "global int *p = (global int *)&both; p[0] = 1;"],
    ["of an element", "global int *p = &plain[1][0]; *p = 1;"],
    ["an array that is handed over", "vstore4((float4)(1), 0, (global float *)lut);"],
    ["an array and a sum", "*(lut + 1);"],
    ["a row, whose address is that of its first element", "o[0] = *plain[1];"],
    ["a row that is handed over", "fill(plain[1]);"],
    ["a member that is handed over", "fill(some.list);"],
  ])("%s", async (_, statement) => {
    const text = `${reading}\nkernel void other(global int *o) { ${statement} }`;
    const { diagnostics } = await translate(text, { from: "opencl", to: "glsl", entry: "k" });
    expect(diagnostics.map((d) => d.message)).toContain(refusal);
  });

  test("what another file defines is not known to be zero", async () => {
    const text = "extern global int n;\nkernel void k(global int *o) { o[0] = n; }\n";
    const { code, diagnostics } = await translate(text, { from: "opencl", to: "msl" });
    expect(code).toBeUndefined();
    expect(diagnostics.map((d) => d.message)).toEqual(["variables that another file defines are not supported yet"]);
  });
});
