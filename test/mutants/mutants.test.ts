/**
 * Fixtures with small changes, through passes and printers: what still type-checks is translated to every target without
 * an exception, in time, and into texts that can be read again. MUTANTS and MUTANT_SEED make a longer or another run.
 */
import { describe, expect, test } from "vitest";
import { readSource, twoWayDialects } from "../support/expectations.js";
import { kernelsOf, sources } from "../support/translations.js";
import { throughTheChain } from "./chain.js";
import { mutant, random } from "./mutate.js";

const runs = Number(process.env["MUTANTS"] ?? 60);
const first = Number(process.env["MUTANT_SEED"] ?? 1);

describe.each(twoWayDialects)("mutants of %s", (dialect) => {
  test("are refused or translated", { timeout: 3_600_000 }, async () => {
    const bases = sources.filter((s) => s.dialect === dialect);
    let checked = 0;
    for (let seed = first; seed < first + runs; seed++) {
      const next = random(seed);
      const { fixture } = bases[Math.floor(next() * bases.length)]!;
      const text = mutant(readSource(fixture, dialect), next);
      const [kernel] = await kernelsOf(fixture, dialect);
      const result = await throughTheChain(text, dialect, kernel?.launch);
      if (result.checked) checked++;
      expect(result.wrong, `${fixture}, seed ${String(seed)}\n${text}`).toEqual([]);
    }
    // Else the changes are too coarse to get past the checker.
    expect(checked).toBeGreaterThan(runs / 60);
  });
});
