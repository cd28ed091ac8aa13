/**
 * Layer 2: the text that is printed, read by its dialect's own front end, is the tree it was printed from; and printing
 * it again gives the same text.
 */
import { describe, expect, test } from "vitest";
import { compile } from "../src/api/compile.js";
import { printLegal, translateTo } from "../src/api/translate.js";
import { canonicalForm } from "../src/ast/dump.js";
import { sourceDialects } from "../src/dialects/ids.js";
import { renderDiagnostic } from "../src/support/render.js";
import { roundtripForm } from "./support/equivalences.js";
import { dialectsOf, fixtureNames } from "./support/expectations.js";
import { kernelsOf, translated } from "./support/translations.js";

describe.each(fixtureNames())("%s", (fixture) => {
  test.each(dialectsOf(fixture))("from %s", async (dialect) => {
    for (const kernel of await kernelsOf(fixture, dialect)) {
      for (const target of sourceDialects) {
        const { output } = await translated(kernel, target);
        if (!output) continue;
        const about = `${dialect} to ${target}, ${kernel.entry}`;
        const text = printLegal(output.module, target).text;
        const read = await compile(text, { from: target, fileName: `${fixture}.${target}` });
        const errors = read.diagnostics.filter((d) => d.severity === "error").map((d) => renderDiagnostic(d, () => text));
        expect(errors.join("\n"), about).toBe("");
        expect(roundtripForm(canonicalForm(read.module!)), about).toBe(roundtripForm(canonicalForm(output.module)));
        const again = translateTo(read, target, { entry: read.module!.entries[0]!.name });
        expect(again.output && printLegal(again.output.module, target).text, `${about}, printed again`).toBe(text);
      }
    }
  });
});
