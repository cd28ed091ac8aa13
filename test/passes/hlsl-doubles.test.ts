/**
 * Functions of double in HLSL, which has none: the written text, run in the simulator, against arithmetic of whole numbers; and
 * what PoCL computes of the source, against the same.
 */
import { describe, expect, test } from "vitest";
import { simulate, translate } from "../../src/index.js";
import { deviceTest } from "../device/device-test.js";
import {
  doubleArguments,
  doubleFunctions,
  doubleKernel,
  doubleOperands,
  wrongDoubles,
} from "../support/double-functions.js";
import { judgeable, judgeOutputs, judges } from "../support/judges/outputs.js";
import { toolTest } from "../support/tool-test.js";
import { runHere } from "../device/run-here.js";

const lanes = 32;
const count = 512;
const operands = doubleOperands(count);
const written = (text: string): ReturnType<typeof translate> =>
  translate(text, { from: "opencl", to: "hlsl", workgroupSize: [lanes, 1, 1] });
const launch = () => ({
  workgroups: [count / lanes],
  args: doubleArguments(operands),
});

describe("functions of double in HLSL", () => {
  test.each(doubleFunctions)("$name is exact", async (f) => {
    const { code, diagnostics } = await written(doubleKernel(f));
    expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
    const ran = await simulate(code!, { from: "hlsl", ...launch() });
    expect(ran.findings, code).toEqual([]);
    expect(wrongDoubles(f, ran.buffers["r"] as Uint32Array, operands), code).toEqual([]);
  });

  toolTest(judges.hlsl.missing(), "are taken by DXC, of vectors too", async () => {
    const vectors = doubleFunctions.filter((f) => !f.before && !f.call.includes("?") && !f.call.startsWith("("));
    const texts = [
      ...doubleFunctions.map(doubleKernel),
      ...vectors.map((f) =>
        doubleKernel({
          ...f,
          before: "double2 c = (double2)(a, b), d = c.yx; int2 m = (int2)(n, i);",
          call: `${f.call.replace("(a", "(c").replace(", b", ", d").replace(", n", ", m")}.y`,
        }),
      ),
    ];
    const codes = await Promise.all(texts.map(async (text) => (await written(text)).code));
    expect(codes.filter((c) => c === undefined)).toEqual([]);
    const judged = await judgeOutputs(codes.map((c, i) => judgeable("hlsl", `double function ${i}`, c!)));
    expect(judged.filter((j) => !j.ok)).toEqual([]);
  });
});

await deviceTest("opencl", "what is expected of functions of double is what PoCL computes", async () => {
  for (const f of doubleFunctions) {
    const text = doubleKernel(f);
    const ran = await runHere(text, {
      from: "opencl",
      device: "opencl",
      workgroupSize: [lanes],
      ...launch(),
    });
    expect(ran.diagnostics.filter((d) => d.severity === "error")).toEqual([]);
    // PoCL's fract loses the sign of a zero (7.5.1).
    const wrong = wrongDoubles(f, ran.buffers["r"] as Uint32Array, operands);
    expect(wrong.filter((w) => f.name !== "fract" || !w.endsWith("0, not -0"))).toEqual([]);
  }
});
