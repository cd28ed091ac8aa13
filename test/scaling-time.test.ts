/**
 * Time grows with the text. What engines do themselves (copies of maps, searches in texts) no count of ours shows: the
 * processor's time of two sizes of a shape, each part of the work by itself, the least of a few tries, so that load does not tell.
 */
import { expect, test } from "vitest";
import { scalingParts } from "./support/scaling-parts.js";
import { scalingShapes, type ScalingShape } from "./support/scaling-shapes.js";

/** A part of the larger size; the smaller is a fourth of it. */
const shares: readonly (readonly [name: string, share: number])[] = [
  ["statements", 0.4],
  ["variables", 0.4],
  ["switch cases", 0.4],
  ["constant array", 1],
  ["functions", 0.4],
  ["functions that are called", 0.5],
  ["functions by pointer", 0.4],
  ["functions that name a buffer", 0.4],
  ["global variables", 1],
  ["members", 1],
  ["macros", 0.4],
  ["condition terms", 1],
  ["unknown names", 3],
  ["unknown functions", 4],
];
const timed = shares.flatMap(([name, share]) =>
  scalingShapes
    .filter((s) => s.name === name)
    .map((s) => [`${name} (${s.from})`, s, 4 * Math.round((s.large * share) / 4)] as const),
);

async function times(shape: ScalingShape, n: number): Promise<ReadonlyMap<string, number>> {
  const parts = new Map<string, number>();
  await scalingParts(shape, n, async (name, run) => {
    const before = process.cpuUsage();
    const result = await run();
    const { user, system } = process.cpuUsage(before);
    parts.set(name, (user + system) / 1000);
    return result;
  });
  return parts;
}

/** What is over so soon tells nothing. */
const noticeable = 150;
/** Four times the text: 4 where time grows with it, 16 where it grows with its square. */
const most = 9;

test.each(timed)("four times the text is no more than nine times the time: %s", async (_, shape, n) => {
  await times(shape, n / 16);
  const least = { once: new Map<string, number>(), four: new Map<string, number>() };
  const wrong = (): string[] =>
    [...least.four].flatMap(([name, four]) => {
      const once = least.once.get(name) ?? 0;
      return four > noticeable && four > most * once
        ? [`${name}: ${once.toFixed()} ms, then ${four.toFixed()} ms`]
        : [];
    });
  for (let tries = 0; tries === 0 || (tries < 4 && wrong().length > 0); tries++)
    for (const [found, size] of [
      [least.once, n / 4],
      [least.four, n],
    ] as const)
      for (const [name, t] of await times(shape, size)) found.set(name, Math.min(t, found.get(name) ?? Infinity));
  expect(wrong()).toEqual([]);
});
