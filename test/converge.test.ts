/** Layer 3: line-by-line versions of a kernel in several dialects are one canonical tree. */
import { describe, expect, test } from "vitest";
import { canonicalForm } from "./support/canonical-form.js";
import { convergingDialects, fixtureNames } from "./support/expectations.js";
import { compiled, explain } from "./support/translations.js";

const converging = fixtureNames().filter((name) => convergingDialects(name).length > 1);

describe("canonical trees", () => {
  test("at least ten fixtures converge", () => expect(converging.length).toBeGreaterThanOrEqual(10));

  test.each(converging)("%s is the same in all its dialects", async (fixture) => {
    const [first, ...others] = convergingDialects(fixture);
    const form = async (dialect: typeof first): Promise<string> => {
      const { module, diagnostics } = await compiled(fixture, dialect!);
      expect(
        explain(
          fixture,
          dialect!,
          diagnostics.filter((d) => d.severity === "error"),
        ),
      ).toBe("");
      // Metal leaves the workgroup size to the launch, where the others state it.
      return canonicalForm(module!).replace(/^entry size \S+/m, "entry");
    };
    const wanted = await form(first);
    for (const dialect of others) expect(await form(dialect), `${dialect} against ${first}`).toBe(wanted);
  });
});
