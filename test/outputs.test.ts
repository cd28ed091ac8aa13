/** Layer 5: the real compilers accept every text that is written; and a translation to the source's own dialect is its text. */
import { describe, expect, test } from "vitest";
import { twoWayDialects } from "../src/dialects/ids.js";
import { readSource } from "./support/expectations.js";
import { judgeable, judgeOutputs, judges, refusals } from "./support/judges/outputs.js";
import type { Judgeable } from "./support/judges/outputs.js";
import { comments, tokens } from "./support/source-tokens.js";
import { kernelsOf, sources, translated } from "./support/translations.js";
import { judgeTest } from "./support/tool-test.js";

describe("judges", () => {
  for (const target of twoWayDialects) {
    judgeTest(judges[target], `the ${target} compiler accepts every ${target} text`, async () => {
      const texts: Judgeable[] = [];
      for (const { fixture, dialect } of sources) {
        for (const kernel of await kernelsOf(fixture, dialect)) {
          const { output } = await translated(kernel, target);
          if (output)
            texts.push(judgeable(target, `${fixture}, ${dialect} to ${target}, ${kernel.entry}`, output.code));
        }
      }
      expect(texts.length).toBeGreaterThan(100);
      expect(refusals(await judgeOutputs(texts))).toBe("");
    });
  }
});

/** Sources that use an extension no default profile has, and an op of it. */
const beyondDefaults: Readonly<Record<string, string>> = {
  "lane_conventions opencl": "subgroup.rotate",
  "lane_rotation opencl": "subgroup.rotate",
  "match_histogram glsl": "subgroup.match_any",
};

describe("to its own dialect", () => {
  test.each(sources.map(({ fixture, dialect }) => [fixture, dialect] as const))(
    "%s %s keeps tokens and comments",
    async (fixture, dialect) => {
      const source = readSource(fixture, dialect);
      const kernels = await kernelsOf(fixture, dialect);
      // Of several entry points one would be left out: that is another text.
      if (kernels.length !== 1) return;
      const { output, emulations } = await translated(kernels[0]!, dialect);
      if (`${fixture} ${dialect}` in beyondDefaults) {
        // What the default profile has not is written by what it has.
        expect(output?.formatted).toBe(false);
        expect(emulations.map((e) => e.op)).toContain(beyondDefaults[`${fixture} ${dialect}`]);
        return;
      }
      expect(output?.formatted).toBe(true);
      expect(tokens(output!.code)).toEqual(tokens(source));
      expect(comments(output!.code)).toEqual(comments(source));
    },
  );
});
