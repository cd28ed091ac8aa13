/** Kernels of one file that share resources: each has numbers of its own, in the text as in what is reported. */
import { expect, test } from "vitest";
import { translate } from "../../src/index.js";
import { judgeable, judgeOutputs, judges, refusals } from "../support/judges/outputs.js";
import { judgeTest } from "../support/tool-test.js";

const sources = {
  hlsl: `StructuredBuffer<uint> a; RWStructuredBuffer<uint> b; RWStructuredBuffer<uint> c; cbuffer P { uint n; }
[numthreads(8,1,1)] void first(uint3 id : SV_DispatchThreadID) { b[id.x] = a[id.x] + n; }
[numthreads(8,1,1)] void second(uint3 id : SV_DispatchThreadID) { c[id.x] = a[id.x]; }
[numthreads(8,1,1)] void third(uint3 id : SV_DispatchThreadID) { c[id.x] = b[id.x] + n; }
`,
} as const;

/** The kernel's list of parameters with the numbers that stand behind their names. */
function numbersIn(text: string, kernel: string): string[] {
  const from = text.indexOf(`kernel void ${kernel}(`);
  const list = text.slice(from, text.indexOf("{", from));
  return [...list.matchAll(/(\w+) \[\[buffer\((\d+)\)\]\]/g)].map((m) => `${m[1]} ${m[2]}`);
}

test("MSL numbers what a kernel takes by itself", async () => {
  const { code, reflection, diagnostics } = await translate(sources.hlsl, { from: "hlsl", to: "msl" });
  expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  expect(["first", "second", "third"].map((kernel) => numbersIn(code!, kernel))).toEqual([
    ["a 0", "b 1", "n 2"],
    ["a 0", "c 1"],
    ["b 0", "c 1", "n 2"],
  ]);
  const reported = reflection!.entries.map((e) =>
    e.arguments.map((a) => `${a.path.replace("P.", "")} ${a.slots.msl!.slot}`),
  );
  expect(reported).toEqual(["first", "second", "third"].map((kernel) => numbersIn(code!, kernel)));
});

judgeTest(judges.msl, "the MSL compiler takes it", async () => {
  const { code } = await translate(sources.hlsl, { from: "hlsl", to: "msl" });
  expect(refusals(await judgeOutputs([judgeable("msl", "three kernels", code!)]))).toBe("");
});
