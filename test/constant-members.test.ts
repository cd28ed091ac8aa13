/**
 * References and pointers into constant memory that structs hold (MSL 3.1 4.2), and that lead to arguments by value: OpenCL C has those in
 * private memory (OpenCL C 3.0 6.7), and takes them in constant memory then. Results by hand.
 */
import { describe, expect, test } from "vitest";
import { reflect, simulate, translate, verify } from "../src/index.js";
import { twoWayDialects } from "../src/dialects/ids.js";
import { judgeable, judgeOutputs, judges, refusals } from "./support/judges/outputs.js";
import { judgeTest } from "./support/tool-test.js";

const source = `#include <metal_stdlib>
using namespace metal;
struct indexer {
  constant const uint &n;
  constant const uint2 *shape;
  uint at(uint i) const { return i % n * 100 + i % shape->y * 10 + shape->x; }
};
kernel void k(device uint *o [[buffer(0)]], constant uint &n [[buffer(1)]], constant uint2 &shape [[buffer(2)]],
              constant uint &more [[buffer(3)]], uint i [[thread_position_in_grid]]) {
  indexer x = {n, &shape};
  o[i] = x.at(i) + n * 1000 + more;
}
`;
const how = { from: "msl", workgroupSize: [8, 1, 1] } as const;
const wanted = Array.from({ length: 8 }, (_, i) => (i % 3) * 100 + (i % 5) * 10 + 7 + 3000 + 50_000);

describe("a reference and a pointer in a struct", () => {
  test("compute what they say in MSL", async () => {
    const { buffers, findings } = await simulate(source, {
      ...how,
      workgroups: [1],
      args: { o: new Uint32Array(8), n: 3, shape: [7, 5], more: 50_000 },
    });
    expect(findings).toEqual([]);
    expect([...(buffers["o"] as Uint32Array)]).toEqual(wanted);
  });

  test("come in constant memory in OpenCL C, and what none leads to does not", async () => {
    const { code, emulations, reflection } = await translate(source, { ...how, to: "opencl" });
    expect(code).toMatch(/__constant uint \*n,\s+__constant uint2 \*shape,\s+uint more\b/);
    expect(emulations.map((e) => e.message)).toEqual([
      "OpenCL C has arguments by value in private memory: n comes in constant memory, and pointers into constant memory lead to it",
      "OpenCL C has arguments by value in private memory: shape comes in constant memory, and pointers into constant memory lead to it",
    ]);
    expect(reflection).toBeDefined();
    const { buffers, findings } = await simulate(code!, {
      from: "opencl",
      workgroups: [1],
      workgroupSize: [8, 1, 1],
      args: {
        o: new Uint32Array(8),
        n: Uint32Array.of(3),
        shape: Uint32Array.of(7, 5),
        more: 50_000,
      },
    });
    expect(findings).toEqual([]);
    expect([...(buffers["o"] as Uint32Array)]).toEqual(wanted);
  });

  test.each(twoWayDialects)("is equivalent in %s", async (to) => {
    const { result, diagnostics } = await verify(source, { ...how, to });
    expect(
      diagnostics.filter((d) => d.severity !== "note").map((d) => d.message),
      to,
    ).toEqual([]);
    expect(result).toBe("equivalent");
  });

  test("has the slots of buffers", async () => {
    const { entries } = await reflect(source, how);
    const slots = entries[0]!.arguments.map(({ path, slots: { opencl } }) => [path, opencl?.kind]);
    expect(slots).toEqual([
      ["o", "buffer"],
      ["n", "buffer"],
      ["shape", "buffer"],
      ["more", "value"],
    ]);
  });

  const handedOn = source
    .replace("struct indexer", "uint more_of(constant const uint &v) { return v; }\nstruct indexer")
    .replace("n * 1000 + more", "more_of(n) * 1000 + more_of(more)");
  test("and what a helper gets by reference beside it", async () => {
    const { code } = await translate(handedOn, { ...how, to: "opencl" });
    expect(code).toMatch(/__constant uint \*more\b/);
    expect((await verify(handedOn, { ...how, to: "opencl" })).result).toBe("equivalent");
  });
  judgeTest(judges.opencl, "the opencl compiler takes that helper", async () => {
    const { code } = await translate(handedOn, { ...how, to: "opencl" });
    expect(refusals(await judgeOutputs([judgeable("opencl", "k", code!)]))).toBe("");
  });

  for (const to of twoWayDialects)
    judgeTest(judges[to], `the ${to} compiler takes the translation`, async () => {
      const { code } = await translate(source, { ...how, to });
      expect(refusals(await judgeOutputs([judgeable(to, "k", code!)]))).toBe("");
    });
});

/** Members of structs are arguments by themselves, to the host: what leads to those alone is a pointer to the kernel's own. */
describe("pointers to structs by value", () => {
  const head = `#include <metal_stdlib>
using namespace metal;
struct Args { uint n; float a; float t[4]; };
float at(constant Args &p, uint i) { return p.t[i & 3] * p.a; }
float ptr(constant Args *p, uint i) { return at(*p, i) + at(p[0], i + 1); }
struct Ctx { constant Args &p; constant float *row; float get(uint i) const { return at(p, i) + row[i & 1]; } };
`;
  const kernel = (parameters: string, body: string): string =>
    `${head}kernel void k(device float *o [[buffer(0)]], constant Args &args [[buffer(1)]], ${parameters}, uint i [[thread_position_in_grid]]) {
  ${body}
}
`;
  const text = kernel(
    "constant Args &more [[buffer(2)]]",
    `Ctx c{args, more.t + 1}; constant Args *p = i & 1 ? &args : &more; constant float &a = args.a;
  o[i] = c.get(i) + ptr(p, i) * 100 + at(more, i) * 10000 + a * float(p == &args);`,
  );
  const t = [1, 2, 3, 4];
  const of = (scale: number, add: number, i: number): number => (t[i & 3]! + add) * scale;
  const pair = (scale: number, add: number, i: number): number => of(scale, add, i) + of(scale, add, i + 1);
  const numbers = Array.from({ length: 8 }, (_, i) => {
    const chosen = (k: number): number => (i & 1 ? of(2, 0, k) : of(3, 4, k));
    return (
      of(2, 0, i) + (t[1 + (i & 1)]! + 4) + (chosen(i) + chosen(i + 1)) * 100 + of(3, 4, i) * 10000 + (i & 1 ? 2 : 0)
    );
  });
  const given = {
    "args.n": 8,
    "args.a": 2,
    "args.t": t,
    "more.n": 8,
    "more.a": 3,
    "more.t": t.map((x) => x + 4),
  };

  test("compute what they say", async () => {
    const args = { o: new Float32Array(8), ...given };
    const { buffers, findings } = await simulate(text, { ...how, workgroups: [1], args });
    expect(findings).toEqual([]);
    expect([...(buffers["o"] as Float32Array)]).toEqual(numbers);
  });

  test("stay arguments by value in OpenCL C", async () => {
    const { code, emulations } = await translate(text, { ...how, to: "opencl" });
    expect(code).toMatch(/struct Args args,\s+struct Args more\)/);
    expect(code).not.toContain("__constant");
    expect(emulations.map((e) => e.op)).not.toContain("array-argument");
    const args = { o: new Float32Array(8), ...given };
    const run = await simulate(code!, { from: "opencl", workgroupSize: [8, 1, 1], workgroups: [1], args });
    expect(run.diagnostics.filter((d) => d.severity === "error")).toEqual([]);
    expect([...(run.buffers["o"] as Float32Array)]).toEqual(numbers);
  });

  test.each(twoWayDialects)("are equivalent in %s", async (to) => {
    const { result, diagnostics } = await verify(text, { ...how, to });
    expect([...diagnostics.filter((d) => d.severity === "error").map((d) => d.message), result]).toEqual([
      "equivalent",
    ]);
  });

  for (const to of twoWayDialects)
    judgeTest(judges[to], `the ${to} compiler takes them`, async () => {
      const { code } = await translate(text, { ...how, to });
      expect(refusals(await judgeOutputs([judgeable(to, "k", code!)]))).toBe("");
    });

  describe.each([
    ["by a pointer", "o[i] = ptr(&args, i) + ptr(more, i);", (i: number) => pair(2, 0, i) + pair(3, 4, i)],
    ["behind a pointer", "o[i] = ptr(&args, i) + at(more[1], i);", (i: number) => pair(2, 0, i) + of(5, 9, i)],
    [
      "in a struct",
      "Ctx c{args, args.t}, d{more[0], more[0].t}; o[i] = c.get(i) + d.get(i);",
      (i: number) => of(2, 0, i) + t[i & 1]! + of(3, 4, i) + t[i & 1]! + 4,
    ],
    [
      "cast",
      "constant float *f = (constant float *)&args; o[i] = f[1] + at(more[0], i);",
      (i: number) => 2 + of(3, 4, i),
    ],
  ])("beside a buffer of such, %s", (_, body, value) => {
    const beside = kernel("constant Args *more [[buffer(2)]]", body);
    const more = new DataView(new ArrayBuffer(48));
    [3, 5].forEach((scale, k) => {
      more.setUint32(24 * k, 8, true);
      more.setFloat32(24 * k + 4, scale, true);
      t.forEach((x, j) => more.setFloat32(24 * k + 8 + 4 * j, x + [4, 9][k]!, true));
    });
    const { "args.n": n, "args.a": a, "args.t": list } = given;

    test("they compute what they say, and so does OpenCL C", async () => {
      const { code } = await translate(beside, { ...how, to: "opencl" });
      for (const [source, from] of [
        [beside, "msl"],
        [code!, "opencl"],
      ] as const) {
        const values = { "args.n": n, "args.a": a, "args.t": list, more: more.buffer };
        const args = { o: new Float32Array(8), ...values };
        const run = await simulate(source, { from, workgroupSize: [8, 1, 1], workgroups: [1], args });
        expect(run.diagnostics.filter((d) => d.severity === "error")).toEqual([]);
        expect([...(run.buffers["o"] as Float32Array)], source).toEqual(Array.from({ length: 8 }, (_, i) => value(i)));
      }
    });

    judgeTest(judges.opencl, "the opencl compiler takes them", async () => {
      const { code } = await translate(beside, { ...how, to: "opencl" });
      expect(refusals(await judgeOutputs([judgeable("opencl", "k", code!)]))).toBe("");
    });
  });
});

describe("pointers into constant memory that say const, and others", () => {
  const text = `constant int t[4] = {1, 2, 3, 4};
typedef struct { constant int *p; constant const int *q; } S;
int f(constant const int *p, __constant int *q) { constant int *r = p; return *r + *q; }
int g(S s) { return s.p[1] + s.q[2]; }
kernel void k(constant int *a, __constant const int *b, global int *o) {
  uint i = get_global_id(0);
  constant int *p = b;
  S s; s.p = b; s.q = a;
  o[i] = p[i] + f(a, t) * 10 + f(b, b) * 100 + g(s) * 1000;
}
`;
  const own = { from: "opencl", workgroupSize: [4, 1, 1] } as const;

  test.each(["opencl", "msl"] as const)("are one type in %s, and compute what they say", async (to) => {
    const { code } = await translate(text, { ...own, to });
    if (to === "msl") expect(code).not.toMatch(/constant const/);
    const args = { a: Int32Array.of(1, 2, 3, 4), b: Int32Array.of(10, 20, 30, 40), o: new Int32Array(4) };
    const run = { from: to, workgroups: [1], workgroupSize: [4, 1, 1] as const, args };
    const { buffers, findings } = await simulate(code!, run);
    expect(findings).toEqual([]);
    expect([...(buffers["o"] as Int32Array)]).toEqual([10, 20, 30, 40].map((x) => x + 20 + 2000 + 23_000));
  });

  // In C++ a pointer to const is none to what is not.
  judgeTest(judges.msl, "the MSL compiler takes the text", async () => {
    const { code } = await translate(text, { ...own, to: "msl" });
    expect(refusals(await judgeOutputs([judgeable("msl", "const", code!)]))).toBe("");
  });
});
