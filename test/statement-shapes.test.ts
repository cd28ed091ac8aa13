/**
 * Statements as people write them and as generators do: every text is taken by its own dialect's compiler, goes to every
 * dialect, is taken by that one's compiler, and computes the same there.
 */
import { describe, expect, test } from "vitest";
import { simulate, translate, type TwoWayDialect } from "../src/index.js";
import { judgeable, judgeOutputs, judges, refusals, type Judgeable } from "./support/judges/outputs.js";
import { judgeTest } from "./support/tool-test.js";
import { shapes, shapeText } from "./support/statement-shapes.js";

const all: readonly TwoWayDialect[] = ["msl", "glsl", "opencl", "hlsl"];
const src = Uint32Array.from({ length: 64 }, (_, i) => [0, 1, 2, 5, 7, 100, 0xffffffff, 0x80000000][i & 7]! + (i >> 3));

async function run(text: string, from: TwoWayDialect): Promise<Uint32Array> {
  const { buffers, findings, diagnostics } = await simulate(text, {
    from,
    workgroups: [2],
    workgroupSize: [16],
    seed: 1,
    args: { src: src.slice(), dst: new Uint32Array(64) },
  });
  expect(
    [...findings, ...diagnostics.filter((d) => d.severity === "error")].map((d) => d.message),
    text,
  ).toEqual([]);
  return buffers["dst"] as Uint32Array;
}

const texts: Judgeable[] = [];
describe("statement shapes", () => {
  for (const shape of shapes) {
    for (const from of shape.dialects) {
      test(`${shape.name}, from ${from}`, async () => {
        const source = shapeText(shape, from);
        if (!shape.extension && !shape.later) texts.push(judgeable(from, `${shape.name} in ${from}`, source));
        const expected = await run(source, from);
        if (shape.first) expect([...expected.slice(0, shape.first.length)], source).toEqual(shape.first);
        for (const to of all) {
          const { code, diagnostics } = await translate(source, { from, to, workgroupSize: [16, 1, 1] });
          expect(
            diagnostics.filter((d) => d.severity === "error"),
            source,
          ).toEqual([]);
          if (to !== from || shape.extension) texts.push(judgeable(to, `${shape.name}, ${from} to ${to}`, code!));
          expect(await run(code!, to), `${source}\n${code!}`).toEqual(expected);
        }
      });
    }
  }

  for (const dialect of all) {
    judgeTest(judges[dialect], `the ${dialect} compiler takes them all`, async () => {
      const mine = texts.filter((t) => t.dialect === dialect);
      expect(mine.length).toBeGreaterThan(shapes.length);
      expect(refusals(await judgeOutputs(mine))).toBe("");
    });
  }
});
