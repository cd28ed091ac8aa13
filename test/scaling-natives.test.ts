/**
 * What the engine itself does (copies of maps, searches in texts) grows with the text, too. It is counted at two sizes of a shape,
 * each part of the work by itself; `node bench/scaling.mjs` shows time.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { watchNatives, type NativeWork } from "./support/native-work.js";
import { printedDeep, scalingParts } from "./support/scaling-parts.js";
import { scalingShapes, type ScalingShape } from "./support/scaling-shapes.js";

let natives: ReturnType<typeof watchNatives>;
beforeAll(() => {
  natives = watchNatives();
});
afterAll(() => natives.restore());

const sum = (work: NativeWork): number => [...work.values()].reduce((a, b) => a + b, 0);

async function worked(shape: ScalingShape, n: number): Promise<ReadonlyMap<string, NativeWork>> {
  const parts = new Map<string, NativeWork>();
  await scalingParts(shape, n, async (name, run) => {
    natives.take();
    const result = await run();
    parts.set(name, natives.take());
    return result;
  });
  return parts;
}

/** Four times the text is 4 times the work where it grows with it, 16 times where it grows with its square. */
const most = 6;
/** A square begins small: one function's work counts where there is this much of it. */
const noticeable = 20_000;

/** What grew too much from one size to another, each with the words for it. */
function grown(small: NativeWork | undefined, large: NativeWork): ReadonlyMap<string, string> {
  // What is refused sooner is no measure of it.
  if (!small) return new Map();
  const pairs = [["all", sum(small), sum(large)], ...[...large].map(([f, n]) => [f, small.get(f) ?? 0, n])] as const;
  return new Map(
    (pairs as readonly (readonly [string, number, number])[])
      .filter(([, before, after]) => after > noticeable && after > most * before)
      .map(([name, before, after]) => [name, `${name}: ${String(before)}, then ${String(after)}`]),
  );
}

/** Every call looks at every function of its name: n calls of n functions. */
const flat = scalingShapes
  .filter((s) => !s.nested && s.name !== "overloads")
  .map((s) => [`${s.name} (${s.from})`, s] as const);

test.each(flat)("four times the text is about four times the engine's work: %s", async (_, shape) => {
  // What is loaded at first use is no work of the text.
  await worked(shape, 2);
  const n = Math.max(2 * shape.small, Math.round(shape.large / 50));
  const once = await worked(shape, n);
  const four = await worked(shape, 4 * n);
  const suspects = [...four].filter(
    ([part, work]) => !printedDeep(shape, part) && grown(once.get(part), work).size > 0,
  );
  if (suspects.length === 0) return;
  // Lines that became too long for a line grow once; a square grows again.
  const sixteen = await worked(shape, 16 * n);
  const wrong = suspects.flatMap(([part, work]) => {
    const again = grown(work, sixteen.get(part) ?? new Map<string, number>());
    return [...grown(once.get(part), work)].flatMap(([name, words]) =>
      again.has(name) ? [`${part}: ${words}; ${again.get(name)!}`] : [],
    );
  });
  expect(wrong).toEqual([]);
});

describe("what is counted, by hand", () => {
  test.each<[string, () => unknown, string, number]>([
    [
      "a map that is copied",
      () =>
        new Map(
          [
            [1, 1],
            [2, 2],
            [3, 3],
          ].map(([a, b]) => [a, b]),
        ),
      "array iterator next",
      4 + 3 * 2,
    ],
    ["a set made of an array", () => new Set([1, 2, 3, 4]), "array iterator next", 5],
    ["an array that is spread", () => [...[1, 2, 3]], "array iterator next", 4],
    ["a search that finds", () => [7, 8, 9].includes(8), "array includes", 2],
    ["a search that does not", () => [7, 8, 9].indexOf(1), "array indexOf", 3],
    ["a text searched from a place", () => "abcabc".indexOf("c", 3), "text indexOf", 3],
    ["a text searched backwards from a place", () => "abcabc".lastIndexOf("a", 4), "text lastIndexOf", 1],
    ["a pattern", () => /c/.test("abcabc"), "pattern exec", 3],
    ["a pattern that holds at the start alone", () => /^c/.test("abcabc"), "pattern exec", 1],
    ["what comes first in a list", () => [1, 2, 3].unshift(0), "array unshift", 3],
  ])("%s", (_, run, name, count) => {
    natives.take();
    run();
    expect(natives.take().get(name)).toBe(count);
  });
});
