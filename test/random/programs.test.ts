/** Random kernels said in several dialects: simulators, drivers and translations read back agree on what they compute. */
import { describe, expect, test } from "vitest";
import { translate } from "../../src/index.js";
import { random } from "../mutants/mutate.js";
import { twoWayDialects } from "../../src/dialects/ids.js";
import { hasOwnOrder, kinds } from "./kinds.js";
import { isRefused, seeds, simulated, testPrograms } from "./program-runs.js";
import { LANES, randomProgram } from "./programs.js";

describe.each(kinds)("random programs: $name", ({ dialects, features }) => {
  test.each(seeds)("seed %i", { timeout: 600_000 }, async (seed) => {
    const texts = dialects.map((d) => [d, randomProgram(random(seed), d, features)] as const);
    const first = await simulated(texts[0]![1], texts[0]![0], features);
    for (const [from, text] of texts) {
      const ownOrder = hasOwnOrder(from, features);
      if (ownOrder && (await isRefused(text, from))) continue;
      const expected = ownOrder ? await simulated(text, from, features) : first;
      if (!ownOrder) expect(await simulated(text, from, features), text).toEqual(expected);
      for (const to of twoWayDialects.filter((d) => d !== from)) {
        const { code, diagnostics } = await translate(text, { from, to, workgroupSize: [LANES, 1, 1] });
        expect(
          diagnostics.filter((d) => d.severity === "error"),
          text,
        ).toEqual([]);
        expect(await simulated(code!, to, features), `${text}\n${code!}`).toEqual(expected);
      }
    }
  });
});

await testPrograms("glsl");
