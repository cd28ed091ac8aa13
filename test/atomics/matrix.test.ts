/**
 * Every operation, type, memory and order to every target: refused with a fact about the target, or a text that its compiler
 * accepts, and that leaves in memory what some order of the invocations leaves.
 */
import { describe, expect, test } from "vitest";
import { simulate, translate } from "../../src/index.js";
import { glslJudge } from "../support/judges/glsl.js";
import { hlslJudge } from "../support/judges/hlsl.js";
import { mslJudge } from "../support/judges/msl.js";
import { openclJudge } from "../support/judges/opencl.js";
import type { Judge } from "../support/judges/judge.js";
import { judgeTest } from "../support/tool-test.js";
import { argumentsOf, kernelOf, named, shapes, wrongWith, type Shape } from "./shapes.js";

type Target = "msl" | "glsl" | "opencl" | "hlsl";
interface Made {
  readonly shape: Shape;
  readonly text?: string;
  readonly refused: readonly string[];
}

const profiles: Readonly<Record<Target, string>> = {
  msl: "msl3.2",
  glsl: "vulkan1.3",
  opencl: "opencl3.0",
  hlsl: "sm6.6",
};

/** To OpenCL C by way of GLSL: what is written in its own dialect stays as it is. */
async function made(shape: Shape, to: Target): Promise<Made> {
  const direct = await translate(kernelOf(shape), {
    from: "opencl",
    to: to === "opencl" ? "glsl" : to,
    profile: to === "opencl" ? profiles.glsl : profiles[to],
  });
  const done =
    to === "opencl" && direct.code !== undefined
      ? await translate(direct.code, { from: "glsl", to, profile: profiles.opencl })
      : direct;
  const refused = done.diagnostics.filter((d) => d.severity === "error").map((d) => d.message);
  return { shape, refused, ...(done.code === undefined ? {} : { text: done.code }) };
}

const all = new Map<Target, Promise<readonly Made[]>>();
const madeFor = (to: Target): Promise<readonly Made[]> => {
  const known = all.get(to) ?? Promise.all(shapes.map((s) => made(s, to)));
  all.set(to, known);
  return known;
};

/** Facts about a target. */
const facts: Readonly<Record<Target, RegExp>> = {
  msl: /MSL (has no such atomic|has minimum and maximum alone|gives no old value|has no double precision)/,
  glsl: /GLSL compares integers alone, and the bits of a double are no object of its own/,
  // Doubles that are compared never come there by way of GLSL.
  opencl: /GLSL compares integers alone, and the bits of a double are no object of its own/,
  hlsl: /of double in memory of words: its atomics act on words of 32 bits/,
};

const judges = { msl: mslJudge, glsl: glslJudge, opencl: openclJudge, hlsl: hlslJudge } as Record<Target, Judge>;

for (const to of ["msl", "glsl", "opencl", "hlsl"] as const) {
  describe(to, () => {
    test("refuses for a fact about the target alone", async () => {
      const list = (await madeFor(to)).filter((m) => m.text === undefined);
      expect(
        list
          .filter((m) => !m.refused.some((r) => facts[to].test(r)))
          .map((m) => `${named(m.shape)}: ${m.refused.join("; ")}`),
      ).toEqual([]);
      const narrow = list.filter((m) => /i32|u32|f32/.test(m.shape.kind));
      expect(narrow.map((m) => named(m.shape))).toEqual([]);
    });

    test("leaves what some order of the invocations leaves", async () => {
      const wrong: string[] = [];
      let run = 0;
      for (const { shape, text } of await madeFor(to)) {
        if (text === undefined) continue;
        const result = await simulate(text, {
          from: to,
          workgroups: [1],
          ...(to === "msl" ? { workgroupSize: [64] } : {}),
          args: argumentsOf(shape.kind),
        });
        const errors = result.diagnostics.filter((d) => d.severity === "error").map((d) => d.message);
        const found = result.findings.map((f) => f.message);
        const { p, o } = result.buffers as ReturnType<typeof argumentsOf>;
        const said = errors.length > 0 ? errors.join() : found.length > 0 ? found.join() : wrongWith(shape, p, o);
        if (said !== undefined) wrong.push(`${named(shape)}: ${said}`);
        run++;
      }
      expect(wrong).toEqual([]);
      expect(run).toBeGreaterThan(150);
    });

    judgeTest(judges[to], "its compiler accepts what is written", async () => {
      const list = (await madeFor(to)).flatMap((m) =>
        m.text === undefined
          ? []
          : [{ name: named(m.shape), text: m.text, options: to === "msl" ? { version: "3.2" } : {} }],
      );
      const verdicts = await judges[to].accept(list);
      expect(verdicts.flatMap((v, i) => (v.ok ? [] : [`${list[i]!.name}: ${v.log}`]))).toEqual([]);
    });
  });
}

test("the kernels themselves leave it, too", async () => {
  const wrong: string[] = [];
  for (const shape of shapes) {
    const { buffers, findings, diagnostics } = await simulate(kernelOf(shape), {
      from: "opencl",
      workgroups: [1],
      args: argumentsOf(shape.kind),
    });
    const { p, o } = buffers as ReturnType<typeof argumentsOf>;
    const said =
      diagnostics.find((d) => d.severity === "error")?.message ?? findings[0]?.message ?? wrongWith(shape, p, o);
    if (said !== undefined) wrong.push(`${named(shape)}: ${said}`);
  }
  expect(wrong).toEqual([]);
});
