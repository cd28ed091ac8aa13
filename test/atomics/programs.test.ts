/** Programs whose workgroups talk to each other, in all dialects: they leave what they should in every schedule, without a finding. */
import { describe, expect, test } from "vitest";
import { simulate, translate } from "../../src/index.js";
import { judgeable, judgeOutputs, judges, refusals, type Judgeable } from "../support/judges/outputs.js";
import { judgeTest } from "../support/tool-test.js";
import { lanes, languages, programs, type Language } from "./programs.js";

describe.each(programs)("$name", ({ texts, workgroups, args, wrongWith }) => {
  test.each(languages)("%s", async (from) => {
    for (const [subgroupSize, schedules] of [
      [4, 0],
      [32, 0],
      [8, 10],
    ] as const) {
      const result = await simulate(texts[from], {
        from,
        workgroups: [workgroups],
        ...(from === "msl" ? { workgroupSize: [lanes] } : {}),
        subgroupSize,
        args: args(),
        ...(schedules > 0 ? { schedules } : {}),
      });
      expect([...result.diagnostics, ...result.findings].map((d) => d.message)).toEqual([]);
      expect(wrongWith(result.buffers as Record<string, Int32Array>)).toBeUndefined();
    }
  });
});

describe("translated", () => {
  const outputs: Judgeable[] = [];
  const profiles: Readonly<Record<Language, string>> = {
    msl: "msl3.2",
    glsl: "vulkan1.3",
    opencl: "opencl3.0",
    hlsl: "sm6.6",
  };
  /** MSL has no device fences but sequentially consistent ones. */
  const refused: Readonly<Record<string, RegExp>> = {
    "msl glsl": /Vulkan has no sequentially consistent fences/,
    "msl hlsl": /HLSL has no sequentially consistent fences/,
  };
  const pairs = programs.flatMap((p) => languages.map((from) => ({ ...p, from })));
  test.each(pairs)("$name from $from", async ({ name, from, texts, workgroups, args, wrongWith }) => {
    for (const to of languages.filter((x) => x !== from)) {
      const { code, diagnostics } = await translate(texts[from], {
        from,
        to,
        profile: profiles[to],
        ...(from === "msl" ? { workgroupSize: [lanes] } : {}),
      });
      const errors = diagnostics.filter((d) => d.severity === "error").map((d) => `${to}: ${d.message}`);
      const fact = refused[`${from} ${to}`];
      if (fact) {
        expect(errors.join()).toMatch(fact);
        continue;
      }
      expect(errors).toEqual([]);
      const output = judgeable(to, `${name} from ${from}`, code!);
      outputs.push(output.dialect === "msl" ? { ...output, options: { version: "3.2" } } : output);
      const given = to === "msl" || (to === "opencl" && from === "msl") ? { workgroupSize: [lanes] } : {};
      const { buffers, findings } = await simulate(code!, {
        from: to,
        workgroups: [workgroups],
        ...given,
        subgroupSize: 8,
        args: args(),
        schedules: 1,
      });
      expect(findings.map((d) => `${to}: ${d.message}`)).toEqual([]);
      expect(wrongWith(buffers as Record<string, Int32Array>)).toBeUndefined();
    }
  });
  for (const language of languages)
    judgeTest(judges[language], `the ${language} compiler takes the texts`, async () => {
      const own = outputs.filter((o) => o.dialect === language);
      const sources = languages.filter((from) => from !== language && !(`${from} ${language}` in refused));
      expect(own).toHaveLength(sources.length * programs.length);
      expect(refusals(await judgeOutputs(own))).toBe("");
    });
});
