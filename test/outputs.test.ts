/** Layer 5: the real compilers accept every text that is written; and a translation to the source's own dialect is its text. */
import { describe, expect, test } from "vitest";
import { twoWayDialects } from "../src/dialects/ids.js";
import { readSource, sourceFile } from "./support/expectations.js";
import { judgeable, judgeOutputs, judges, refusals } from "./support/judges/outputs.js";
import type { Judgeable } from "./support/judges/outputs.js";
import { comments, tokens } from "./support/source-tokens.js";
import { sources } from "./support/translations.js";
import { judgeTest } from "./support/tool-test.js";
import { writtenTexts } from "./support/written-texts.js";

describe("judges", () => {
  for (const target of twoWayDialects) {
    judgeTest(judges[target], `the ${target} compiler accepts every ${target} text`, async () => {
      const texts: Judgeable[] = [];
      for (const { fixture, dialect } of sources) {
        for (const { entry, code } of (await writtenTexts(fixture, dialect, target)).texts) {
          if (code !== undefined) texts.push(judgeable(target, `${fixture}, ${dialect} to ${target}, ${entry}`, code));
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
  // OpenCL C is written from C++ for OpenCL.
  const stays = sources.filter(({ fixture, dialect }) => !sourceFile(fixture, dialect).endsWith(".clcpp"));
  test.each(stays.map(({ fixture, dialect }) => [fixture, dialect] as const))(
    "%s %s keeps tokens and comments",
    async (fixture, dialect) => {
      const source = readSource(fixture, dialect);
      const { texts } = await writtenTexts(fixture, dialect, dialect);
      // Of several entry points one would be left out: that is another text.
      if (texts.length !== 1) return;
      const { code, formatted, emulated } = texts[0]!;
      if (`${fixture} ${dialect}` in beyondDefaults) {
        // What the default profile has not is written by what it has.
        expect(formatted).toBe(false);
        expect(emulated).toContain(beyondDefaults[`${fixture} ${dialect}`]);
        return;
      }
      expect(formatted).toBe(true);
      expect(tokens(code!)).toEqual(tokens(source));
      expect(comments(code!)).toEqual(comments(source));
    },
  );
});
