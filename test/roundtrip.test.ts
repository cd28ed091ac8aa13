/**
 * Layer 2: the text that is printed, read by its dialect's own front end, is the tree it was printed from; and printing
 * it again gives the same text.
 */
import { describe, expect, test } from "vitest";
import { compile } from "../src/api/compile.js";
import { printLegal } from "../src/api/print-legal.js";
import { translateTo } from "../src/api/translate.js";
import type { TargetOptions } from "../src/api/types.js";
import { twoWayDialects } from "../src/dialects/ids.js";
import { renderDiagnostic } from "../src/support/render.js";
import { againForm, isTransposed, legalForm, readForm } from "./support/equivalences.js";
import { dialectsOf, fixtureNames } from "./support/expectations.js";
import type { FixtureKernel } from "./support/translations.js";
import { kernelsOf, translated } from "./support/translations.js";

/** What the text of a target may leave open, as the first translation had it. */
const sizes = ({ launch }: FixtureKernel): TargetOptions =>
  launch.workgroupSize ? { workgroupSize: launch.workgroupSize } : {};

describe.each(fixtureNames())("%s", (fixture) => {
  test.each(dialectsOf(fixture))("from %s", async (dialect) => {
    for (const kernel of await kernelsOf(fixture, dialect)) {
      for (const target of twoWayDialects) {
        const { output } = await translated(kernel, target);
        if (!output) continue;
        const about = `${dialect} to ${target}, ${kernel.entry}`;
        const text = printLegal(output.module, target).text;
        const read = await compile(text, { from: target, fileName: `${fixture}.${target}` });
        const errors = read.diagnostics
          .filter((d) => d.severity === "error")
          .map((d) => renderDiagnostic(d, () => text));
        expect(errors.join("\n"), about).toBe("");
        const meant = legalForm(output.module, target);
        if (isTransposed(meant, target)) continue;
        expect(readForm(read.module!, target), about).toBe(meant);
        // To its own dialect a source is formatted, not printed.
        if (target === dialect) continue;
        const again = await translateTo(read, target, {
          ...sizes(kernel),
          entry: read.module!.entries[0]!.name,
        });
        // Printed as what it is, a translation: in its own dialect a text keeps its author's habits.
        const module = again.output && { ...again.output.module, dialect };
        expect(module && againForm(printLegal(module, target).text), `${about}, printed again`).toBe(againForm(text));
      }
    }
  });
});
