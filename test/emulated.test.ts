/**
 * The fixtures that use subgroups, for targets without them: simulated against the source and taken by the real compilers.
 * (That a driver without sub-groups computes the same is seen by test/device/fixtures.test.ts.)
 */
import { describe, expect, test } from "vitest";
import { prepareVerification, verifyTarget } from "../src/api/verify.js";
import { usesSubgroups } from "../src/ast/subgroups.js";
import { targetOptions } from "../src/build/translate-input.js";
import { judges, judgeOutputs, refusals } from "./support/judges/outputs.js";
import type { Judgeable } from "./support/judges/outputs.js";
import { judgeTest } from "./support/tool-test.js";
import { compiled, explain, kernelsOf, sources } from "./support/translations.js";

/** Profiles without subgroups. DXC has no shader model 5: what is written for it has to be right in 6.0 too. */
const profiles = { opencl: "opencl1.2", hlsl: "sm5.0" } as const;
const outputs: Judgeable[] = [];

describe.each(Object.entries(profiles) as [keyof typeof profiles, string][])("in %s", (target, profile) => {
  for (const { fixture, dialect } of sources) {
    test(`${fixture} from ${dialect}`, async (context) => {
      const compilation = await compiled(fixture, dialect);
      const { module } = compilation;
      if (!module || !usesSubgroups(module)) return context.skip("it has no subgroups");
      for (const kernel of await kernelsOf(fixture, dialect)) {
        const { ready } = await prepareVerification(compilation, {
          launches: [{ launch: kernel.launch }],
          entry: kernel.entry,
          local: {},
        });
        const width = (kernel.launch.subgroupSizes ?? [8]).find((w) => w >= 8)!;
        const flags = { local: {}, strict: false, targetProfile: profile, emulateSubgroups: width };
        const options = targetOptions(flags, target, kernel.launch, kernel.entry, compilation);
        const { result, translation } = await verifyTarget(ready!, target, options);
        if (!translation.output) {
          // What else a profile lacks: types, as a rule.
          expect(translation.diagnostics).not.toEqual([]);
          for (const d of translation.diagnostics) expect(d.code, d.message).toBe("XL3003");
          continue;
        }
        expect({
          result: result.result,
          first: result.firstDifference,
          said: explain(fixture, dialect, result.diagnostics),
        }).toEqual({ result: "equivalent", first: undefined, said: "" });
        const name = `${fixture}/${dialect}-${kernel.entry}`;
        const text = translation.output.code;
        const half = text.includes("cl_khr_fp16 : enable");
        if (target === "opencl") outputs.push({ dialect: target, name, text, options: { version: "1.2", half } });
        else outputs.push({ dialect: target, name, text });
      }
    });
  }

  judgeTest(judges[target], `the compiler takes what was written for ${profile}`, async () => {
    const own = outputs.filter((o) => o.dialect === target);
    expect(own.length).toBeGreaterThan(20);
    expect(refusals(await judgeOutputs(own))).toBe("");
  });
});
