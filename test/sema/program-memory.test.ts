/** OpenCL C's global memory at file scope: what nothing changes is what it begins as (OpenCL C 3.0 6.7.1, C99 6.7.8); the rest is a buffer. */
import { describe, expect, test } from "vitest";
import { check, simulate, translate, verify } from "../../src/index.js";

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

describe("what may be changed is a buffer, for every kernel that reads it", () => {
  test.each([
    ["an assignment", "zero = 3;", "zero"],
    ["in parentheses", "(zero) += 3;", "zero"],
    ["to a component", "v.hi.x = 3;", "v"],
    ["to an element", "plain[0][1] <<= 3;", "plain"],
    ["an increment", "zero++;", "zero"],
    ["before it", "--(zero);", "zero"],
    ["an atomic", "atomic_inc(&zero);", "zero"],
    ["an address", "global int *p = (global int *)&both; p[0] = 1;", "both"],
    ["of an element", "global int *p = &plain[1][0]; *p = 1;", "plain"],
    ["an array that is handed over", "vstore4((float4)(1), 0, (global float *)lut);", "lut"],
    ["an array and a sum", "*(lut + 1);", "lut"],
    ["a row, whose address is that of its first element", "o[0] = *plain[1];", "plain"],
    ["a row that is handed over", "fill(plain[1]);", "plain"],
    ["a member that is handed over", "fill(some.list);", "some"],
  ])("%s", async (_, statement, changed) => {
    const text = `${reading}\nkernel void other(global int *o) { ${statement} }`;
    const { reflection, diagnostics } = await check(text, { from: "opencl" });
    expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
    const kept = reflection!.entries[0]!.arguments.filter((a) => a.begins !== undefined);
    expect(kept.map((a) => a.path)).toEqual([changed]);
  });

  test("what another file defines is not known to be zero", async () => {
    const text = "extern global int n;\nkernel void k(global int *o) { o[0] = n; }\n";
    const { code, diagnostics } = await translate(text, { from: "opencl", to: "msl" });
    expect(code).toBeUndefined();
    expect(diagnostics.map((d) => d.message)).toEqual(["variables that another file defines are not supported yet"]);
  });
});

describe("memory of the program that kernels write", () => {
  const counting = `#define N 8
enum { A = 3 };
typedef struct { uchar tag; float4 v[2]; ulong big; } R;
global int hits = 5;
global R rs[2] = { { 1, { (float4)(1.0f, 2.0f, 3.0f, 4.0f), (float4)(0.5f) }, 0x100000002UL } };
static global float weights[N] = { [2] = 1.5f, -2.0f };
global int total;
global volatile int flag = A;
void note(global int *p, int v) { atomic_max(p, v); }
global float *pick(int i) { return &weights[i]; }
int next(void) { static int calls = 10; return calls++; }
kernel __attribute__((reqd_work_group_size(8, 1, 1))) void count(global int *out) {
  int i = get_global_id(0);
  atomic_add(&hits, i);
  note(&total, i * 3);
  *pick(i) += rs[0].v[i >> 2 & 1].y;
  if (i == 0) {
    static global uint seen[4];
    seen[1] += 2;
    rs[1] = rs[0];
    flag = flag + 1;
    out[0] = next() + next() + (int)seen[1];
  }
}
`;
  // By hand: 10 + 11 + 2; 5 + 0 + ... + 7; 3 * 7; 2 or 0.5 more; 4 bytes of tag, two vectors from byte 16 on, 8 bytes from 48 on.
  const wanted = {
    out: [23],
    hits: [33],
    total: [21],
    flag: [4],
    weights: [2, 2, 3.5, 0, 0.5, 0.5, 0.5, 0.5],
    "next.calls": [12],
    "count.seen": [0, 2, 0, 0],
  };

  test("is an argument behind the others, and begins as the reflection says", async () => {
    const { reflection } = await check(counting, { from: "opencl" });
    const begins = reflection!.entries[0]!.arguments.map((a) => [a.path, a.begins]);
    const ones = "0000803f000000400000404000008040" + "0000003f".repeat(4);
    expect(Object.fromEntries(begins)).toEqual({
      out: undefined,
      hits: "0x05000000",
      // 1, fifteen bytes of no meaning, the vectors, 0x100000002, the end of the first; zeros.
      rs: `0x01${"00".repeat(15)}${ones}0200000001000000${"00".repeat(8)}${"00".repeat(64)}`,
      weights: `0x${"00".repeat(8)}0000c03f000000c0${"00".repeat(16)}`,
      total: "zeros",
      flag: "0x03000000",
      "next.calls": "0x0a000000",
      "count.seen": "zeros",
    });
    expect(begins[0]![0]).toBe("out");
  });

  test.each(["opencl", "msl", "glsl", "hlsl"] as const)("to %s", async (to) => {
    const { result, diagnostics } = await verify(counting, { from: "opencl", to });
    expect([result, diagnostics.filter((d) => d.severity === "error")]).toEqual(["equivalent", []]);
  });

  test("is there without the launch saying so, and can be given", async () => {
    const launch = { from: "opencl", workgroups: [1] } as const;
    const out = new Int32Array(1);
    const first = await simulate(counting, { ...launch, args: { out } });
    expect(first.diagnostics).toEqual([]);
    expect([...(first.buffers["out"] as Int32Array)]).toEqual(wanted.out);
    const args = {
      out,
      hits: new Int32Array([5]),
      total: new Int32Array(1),
      flag: new Int32Array([3]),
      weights: new Float32Array([0, 0, 1.5, -2, 0, 0, 0, 0]),
      "next.calls": new Int32Array([10]),
      "count.seen": new Uint32Array(4),
    };
    const { buffers, findings } = await simulate(counting, { ...launch, args });
    expect(findings).toEqual([]);
    for (const [name, values] of Object.entries(wanted))
      expect([name, [...(buffers[name] as Int32Array)]]).toEqual([name, values]);
    // What a launch leaves is what the next begins with: 12 + 13 + 4.
    const again = await simulate(counting, { ...launch, args: buffers });
    expect([...(again.buffers["out"] as Int32Array)]).toEqual([29]);
    expect([...(again.buffers["hits"] as Int32Array)]).toEqual([61]);
  });

  test("of a function is one, for pointers into several kinds of memory and for kernels that are called", async () => {
    const text = `int f(int *p) { static int c = 3; c += *p; return c; }
kernel void twice(global int *o) { int a = 1; o[0] = f(&a); o[1] = f(o + 2); }
kernel void counts(global int *o) { static int n = 1; o[0] = n++; }
kernel void calls(global int *o) { counts(o); }
`;
    const { reflection } = await check(text, { from: "opencl" });
    expect(reflection!.entries.map((e) => e.arguments.map((a) => a.path))).toEqual([
      ["o", "f.c"],
      ["o", "counts.n"],
      ["o", "counts.n"],
    ]);
    const args = { o: new Int32Array([0, 0, 5]) };
    const { buffers } = await simulate(text, {
      from: "opencl",
      entry: "twice",
      workgroups: [1],
      workgroupSize: [1],
      args,
    });
    expect([...(buffers["o"] as Int32Array)]).toEqual([4, 9, 5]);
    const generic = `struct A { template <typename T> T f(T v) { static T c; return c += v; } };
kernel void k(global int *o) { A a; o[0] = a.f(1); }
`;
    const refused = await check(generic, { from: "opencl", fileName: "k.clcpp" });
    expect(refused.diagnostics.map((d) => d.message)).toEqual([
      "a static variable in a method that is a template is not supported yet",
    ]);
  });

  test("is assumed of the host, which strict refuses, and stays in OpenCL C", async () => {
    const text = "global int n;\nkernel void k(global int *o) {\n  o[0] = n++;\n}\n";
    const msl = await translate(text, { from: "opencl", to: "msl" });
    expect(msl.assumptions.map((a) => a.op)).toContain("program-memory");
    expect(msl.code).toContain("device int &n [[buffer(1)]]");
    const strict = await translate(text, { from: "opencl", to: "msl", strict: true });
    expect(strict.diagnostics.map((d) => d.code)).toContain("XL4009");
    const own = await translate(text, { from: "opencl", to: "opencl" });
    expect([own.code, own.assumptions]).toEqual([text, []]);
    expect(own.reflection!.entries[0]!.arguments[1]!.slots.opencl).toEqual({ kind: "program" });
  });

  test("of C++, where references may lead to what is named plainly", async () => {
    const text = `template <typename T> struct Acc { T sum; int n; };
global Acc<float> acc;
global int lanes[4] = {1, 2, 3, 4};
void add(__global Acc<float> &a, float v) { a.sum += v; a.n++; }
kernel __attribute__((reqd_work_group_size(1, 1, 1))) void one(global float *out) {
  add(acc, out[0]);
  for (auto &x : lanes) x++;
  out[0] = acc.sum + lanes[3];
}
`;
    for (const to of ["opencl", "msl", "glsl", "hlsl"] as const) {
      const fileName = "acc.clcpp";
      const { code } = await translate(text, { from: "opencl", to, fileName });
      const args = { [/\bout_\b/.test(code!) ? "out_" : "out"]: new Float32Array([0.5]) };
      const all = {
        ...args,
        acc: new Uint8Array(8),
        lanes: new Int32Array([1, 2, 3, 4]),
      };
      const { buffers, diagnostics } = await simulate(code!, {
        from: to,
        workgroups: [1],
        ...(to === "msl" || to === "opencl" ? { workgroupSize: [1] } : {}),
        args: all,
      });
      expect(diagnostics).toEqual([]);
      expect([...(Object.values(buffers)[0] as Float32Array)]).toEqual([5.5]);
      expect([...(buffers["lanes"] as Int32Array)]).toEqual([2, 3, 4, 5]);
    }
  });

  test.each([
    ["global int *global head;\nkernel void k(global int *o) { head = o; }", "pointers at file scope are"],
    ["kernel void k(global int *o) { static global int *at; at = o; }", "pointers in global memory of the program are"],
  ])("%s is refused", async (text, message) => {
    const { diagnostics } = await translate(text, { from: "opencl", to: "msl" });
    expect(diagnostics.map((d) => d.message)).toEqual([`${message} not supported yet`]);
    expect(diagnostics[0]!.help).toContain("index into the buffer");
  });
});
