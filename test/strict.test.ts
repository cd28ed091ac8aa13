/**
 * Every fixture under --strict: nothing is taken for granted, so that a text computes the same as its source, or there is
 * none and the reason is an assumption. The real compilers take what is written.
 */
import { afterAll, describe, expect, test } from "vitest";
import { isJudged } from "../src/judges/index.js";
import { prepareVerification, verifyTarget } from "../src/api/verify.js";
import { targetOptions } from "../src/build/translate-input.js";
import { fewerWorkgroups } from "./support/expectations.js";
import { judgeable, judges, judgeOutputs, refusals } from "./support/judges/outputs.js";
import type { Judgeable, JudgedDialect } from "./support/judges/outputs.js";
import { judgeTest } from "./support/tool-test.js";
import { compiled, explain, kernelsOf, sources, targets } from "./support/translations.js";
import { rightAnswer } from "./support/unreached.js";

const outputs: Judgeable[] = [];
const refused: string[] = [];

describe("strict", () => {
  for (const { fixture, dialect } of sources) {
    test(`${fixture} from ${dialect}`, async () => {
      const compilation = await compiled(fixture, dialect);
      for (const kernel of await kernelsOf(fixture, dialect)) {
        const { ready } = await prepareVerification(compilation, {
          launches: [{ launch: fewerWorkgroups(kernel.launch) }],
          entry: kernel.entry,
          local: {},
        });
        const widths = ready!.subgroupSizes(ready!.launches[0]!).filter((w) => w >= 4);
        const source = { ...ready!, seeds: 1, subgroupSizes: () => [widths[Math.floor(widths.length / 2)]!] };
        for (const target of targets) {
          if (target === dialect) continue;
          const options = (strict: boolean) =>
            targetOptions({ local: {}, strict }, target, kernel.launch, kernel.entry, compilation);
          const { result, translation } = await verifyTarget(source, target, options(true));
          const about = `${kernel.entry} to ${target}`;
          if (!translation.output) {
            const errors = translation.diagnostics.filter((d) => d.severity === "error");
            if (errors.every((d) => d.code === "XL4009"))
              refused.push(`${fixture} ${dialect} ${about}: ${errors.map((d) => d.message).join("; ")}`);
            else expect((await verifyTarget(source, target, options(false))).translation.output, about).toBeUndefined();
            continue;
          }
          expect(translation.assumptions, about).toEqual([]);
          expect(
            {
              result: result.result,
              first: result.firstDifference,
              said: explain(fixture, dialect, result.diagnostics),
            },
            about,
          ).toEqual({ result: rightAnswer(fixture, dialect), first: undefined, said: "" });
          if (isJudged(target))
            outputs.push(judgeable(target, `${fixture}/${dialect}-${kernel.entry}`, translation.output.code));
        }
      }
    });
  }

  for (const target of ["msl", "glsl", "opencl", "hlsl"] satisfies JudgedDialect[]) {
    judgeTest(judges[target], `the ${target} compiler takes the texts`, async () => {
      const own = outputs.filter((o) => o.dialect === target);
      expect(own.length).toBeGreaterThan(50);
      expect(refusals(await judgeOutputs(own))).toBe("");
    });
  }
});
if (process.env["SHOW_REFUSED"]) afterAll(() => console.log(refused.join("\n")));
