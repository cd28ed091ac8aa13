/** Quads and clusters, in the dialect that has the op and in every translation, against their reference semantics. */
import { describe, expect, test } from "vitest";
import { simulate } from "../../src/api/simulate.js";
import { translate } from "../../src/api/translate.js";
import { twoWayDialects, type TwoWayDialect } from "../../src/dialects/ids.js";
import { cases, data, expected, kernelOf, launches, size, type Case } from "../support/quad-cases.js";

async function outcome(text: string, dialect: TwoWayDialect, c: Case): Promise<string[]> {
  const wrong: string[] = [];
  for (const [S, name, rounds] of launches) {
    if (S < (c.width ?? 4)) continue;
    const pm = Uint32Array.from({ length: size }, (_, i) => rounds(i));
    const result = await simulate(text, {
      from: dialect,
      workgroups: [1],
      workgroupSize: [size],
      subgroupSize: S,
      args: { pv: data, pm, r: new Uint32Array(size) },
      findings: "none",
    });
    const got = result.buffers["r"] as Uint32Array | undefined;
    if (!got) return [`${dialect}: ${result.diagnostics.map((d) => d.message).join("; ")}`];
    for (let i = 0; i < size; i++) {
      const wanted = expected(c, S, rounds, i);
      if (wanted === undefined || got[i] === wanted) continue;
      wrong.push(
        `${dialect}: ${c.expression}, width ${S}, ${name}: lane ${i % S} of subgroup ${Math.floor(i / S)} is ${got[i]}, not ${wanted}`,
      );
      break;
    }
  }
  return wrong;
}

describe.each(twoWayDialects)("%s", (dialect) => {
  test.each(cases.filter((c) => c.dialect === dialect).map((c) => [c.expression, c] as const))("%s", async (_, c) => {
    const source = kernelOf([c]);
    const wrong = await outcome(source, dialect, c);
    for (const to of twoWayDialects) {
      if (to === dialect) continue;
      const translated = await translate(source, { from: dialect, to, workgroupSize: [size, 1, 1] });
      const messages = translated.diagnostics.map((d) => d.message).join("; ");
      // A fact about the target.
      if (/^hlsl has no [iu]8/.test(messages)) continue;
      if (translated.code === undefined) wrong.push(`to ${to}: ${messages}`);
      else {
        const off = await outcome(translated.code, to, c);
        if (off.length > 0) wrong.push(...off, translated.code);
      }
    }
    expect(wrong).toEqual([]);
  });
});
