/** Printed modules import routines over lanes by name: `crosslane/runtime` has one for every op that is carried out by one. */
import { expect, test } from "vitest";
import { allRows } from "../../src/ops/table.js";
import { collectiveRoutines } from "../../src/sim/collectives/index.js";
import * as runtime from "../../src/sim/runtime.js";

test("every op over lanes has its routine", () => {
  const wanted = allRows.flatMap((row) => {
    if (row.expand.kind !== "collective") return [];
    const name = `${row.family === "workgroup" ? "workgroup" : "subgroup"}_${row.expand.routine}`;
    // Masks and what counts their bits are worked out lane by lane, without a routine.
    return name in collectiveRoutines ? [name] : [];
  });
  expect(wanted.length).toBeGreaterThan(100);
  expect(wanted.filter((name) => typeof (runtime as Record<string, unknown>)[name] !== "function")).toEqual([]);
});
