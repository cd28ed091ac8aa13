/**
 * Layer 1: the text of every fixture for every target, as people read and approved it. `UPDATE_GOLDEN=1` writes what is
 * given now; the diff is to be read before it is committed. What a target refuses is golden too, with its reason.
 */
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { convergingDialects, dialectsOf, fixtureNames, fixturesFolder } from "./support/expectations.js";
import type { TwoWayDialect } from "./support/expectations.js";
import { extensionOf, targets } from "./support/translations.js";
import { writtenTexts } from "./support/written-texts.js";
import type { Target } from "../src/dialects/ids.js";

const update = process.env.UPDATE_GOLDEN === "1";

/** `msl-to-glsl.comp`; with several kernels in a file the entry stands in between. */
function fileName(dialect: TwoWayDialect, target: Target, entry: string, isOnly: boolean, extension: string): string {
  return `${dialect}-to-${target}${isOnly ? "" : `.${entry}`}.${extension}`;
}

/**
 * Modules come from the canonical tree. Where dialects converge (test/converge.test.ts) theirs would say the same four
 * times, with other lines quoted: one of them is read.
 */
function goldenTargets(fixture: string, dialect: TwoWayDialect): readonly Target[] {
  const [first, ...others] = convergingDialects(fixture);
  return first !== dialect && others.includes(dialect) ? targets.filter((t) => t !== "ts") : targets;
}

async function texts(fixture: string, dialect: TwoWayDialect): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const target of goldenTargets(fixture, dialect)) {
    const { errors, texts } = await writtenTexts(fixture, dialect, target);
    expect(errors).toBe("");
    for (const { entry, code, said } of texts) {
      const extension = code === undefined ? "refused.txt" : extensionOf(target);
      found.set(fileName(dialect, target, entry, texts.length === 1, extension), code ?? `${said}\n`);
    }
  }
  return found;
}

describe.each(fixtureNames())("%s", (fixture) => {
  const folder = join(fixturesFolder, fixture, "expected");
  test.each(dialectsOf(fixture))("from %s", async (dialect) => {
    const now = await texts(fixture, dialect);
    expect(now.size).toBeGreaterThan(0);
    const mine = existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith(`${dialect}-to-`)) : [];
    if (update) {
      mkdirSync(folder, { recursive: true });
      for (const name of mine) if (!now.has(name)) rmSync(join(folder, name));
      for (const [name, text] of now) writeFileSync(join(folder, name), text);
      return;
    }
    expect(mine.sort()).toEqual([...now.keys()].sort());
    for (const [name, text] of now)
      expect(text, `${fixture}/expected/${name}`).toBe(readFileSync(join(folder, name), "utf8"));
  });
});
