/**
 * Structs with members that are used atomically, copied and held as values: MSL has atomic types in device and threadgroup memory alone, and copies
 * no object that holds one. Results are worked out by hand.
 */
import { describe, expect, test } from "vitest";
import { simulate, translate } from "../../src/index.js";
import { judgeable, judgeOutputs, judges, refusals, type Judgeable } from "../support/judges/outputs.js";
import { judgeTest } from "../support/tool-test.js";

const opencl = `typedef struct { uint a; uint b[3]; } A;
typedef struct { A in[2]; uint n; } S;
uint sum(S s) { uint t = s.n; for (int j = 0; j < 2; j++) t += s.in[j].a + s.in[j].b[j + 1]; return t; }
S made(uint k) { S s = {{{k, {1, 2, 3}}, {k + 1, {4, 5, 6}}}, k}; return s; }
void bump(S *s) { s->in[0].a += 100; s->n += 2; }
__attribute__((reqd_work_group_size(8, 1, 1)))
kernel void k(global uint *o, global S *s, constant A *c) {
  int i = get_local_id(0);
  local A t[8];
  S own = s[i], two = made(i), all[2] = {own, two};
  bump(&own);
  bump(&all[1]);
  S *p = i & 1 ? &own : &two;
  p->in[1].b[2] = 70;
  s[i + 8] = *p;
  s[i + 16] = made(3);
  s[i + 16].in[1] = s[i + 8].in[0];
  t[i] = s[i].in[1];
  barrier(CLK_LOCAL_MEM_FENCE);
  s[i] = s[i + 16];
  atomic_add(&s[i].in[i & 1].a, 1000);
  atomic_inc(&t[7 - i].b[1]);
  barrier(CLK_LOCAL_MEM_FENCE);
  A last = t[i];
  o[i] = sum(own) + 10000 * sum(s[i + 8]) + 1000000 * (i > 3 ? own : all[1]).n + c[1].b[0] + last.b[1] + s[i].in[i & 1].a;
}`;
const hlsl = opencl
  .replace(/typedef struct (\{[^}]*\}) (\w+);/g, "struct $2 $1;")
  .replace("S s = {{{k, {1, 2, 3}}, {k + 1, {4, 5, 6}}}, k};", "S s = {k, 1, 2, 3, k + 1, 4, 5, 6, k};")
  .replace("S *s)", "inout S s)")
  .replace(/s->/g, "s.")
  .replace(/&(own|all\[1\])\)/g, "$1)")
  .replace(
    "S *p = i & 1 ? &own : &two;\n  p->in[1].b[2] = 70;\n  s[i + 8] = *p;",
    "if (i & 1) { own.in[1].b[2] = 70; s[i + 8] = own; } else { two.in[1].b[2] = 70; s[i + 8] = two; }",
  )
  .replace("(i > 3 ? own : all[1]).n", "(i > 3 ? own.n : all[1].n)")
  .replace(
    "S own = s[i], two = made(i), all[2] = {own, two};",
    "S own = s[i], two = made(i); S all[2]; all[0] = own; all[1] = two;",
  )
  .replace("local A t[8];", "")
  .replace(
    "__attribute__((reqd_work_group_size(8, 1, 1)))\nkernel void k(global uint *o, global S *s, constant A *c) {\n  int i = get_local_id(0);",
    "RWStructuredBuffer<uint> o; RWStructuredBuffer<S> s; StructuredBuffer<A> c; groupshared A t[8];\n[numthreads(8, 1, 1)] void k(uint i : SV_GroupIndex) {",
  )
  .replace(/\bin\[/g, "m[")
  .replace(/barrier\(CLK_LOCAL_MEM_FENCE\)/g, "GroupMemoryBarrierWithGroupSync()")
  .replace("atomic_add(&s[i].m[i & 1].a, 1000)", "InterlockedAdd(s[i].m[i & 1].a, 1000)")
  .replace("atomic_inc(&t[7 - i].b[1])", "InterlockedAdd(t[7 - i].b[1], 1)");

/** s[e] is of 9 numbers, 10 * e and what follows; c[1].b[0] is number 5 of c. */
const word = (e: number, k: number): number => 10 * e + k;
const wanted = (i: number): number => {
  const [n, a0, a1] = [word(i, 8), word(i, 0), word(i, 4)];
  const own = n + 2 + (a0 + 100 + word(i, 2)) + (a1 + (i & 1 ? 70 : word(i, 7)));
  const two = i + (i + 2) + (i + 1 + 70);
  // The last of lane i is s[i].in[1] with b[1] one more; s[i] is made(3) with in[1] of s[i + 8].in[0], and 1000 more.
  const first = i & 1 ? a0 + 100 : i;
  return (
    own +
    10000 * (i & 1 ? own : two) +
    1000000 * (i > 3 ? n + 2 : i + 2) +
    50 +
    word(i, 6) +
    1 +
    1000 +
    (i & 1 ? first : 3)
  );
};

describe("structs with atomic members as values", () => {
  const texts: Judgeable[] = [];
  test.each([
    ["opencl", opencl],
    ["hlsl", hlsl],
  ] as const)("of %s", async (from, source) => {
    for (const to of ["msl", "opencl", "glsl", "hlsl"] as const) {
      const { code, diagnostics } = await translate(source, { from, to });
      expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
      texts.push(judgeable(to, from, code!));
      for (const subgroupSize of [4, 32]) {
        const { buffers, findings } = await simulate(code!, {
          from: to,
          workgroups: [1],
          workgroupSize: [8],
          subgroupSize,
          args: {
            o: new Uint32Array(8),
            s: Uint32Array.from({ length: 24 * 9 }, (_, k) => word(Math.floor(k / 9), k % 9)),
            c: Uint32Array.from({ length: 8 }, (_, k) => 10 * k),
          },
        });
        expect(findings).toEqual([]);
        expect([...(buffers["o"] as Uint32Array)], code).toEqual(Array.from({ length: 8 }, (_, i) => wanted(i)));
      }
    }
  });
  for (const to of ["msl", "opencl", "glsl", "hlsl"] as const)
    judgeTest(judges[to], `the ${to} compiler takes them`, async () => {
      const own = texts.filter((x) => x.dialect === to);
      expect(own.length).toBe(2);
      expect(refusals(await judgeOutputs(own))).toBe("");
    });
});
