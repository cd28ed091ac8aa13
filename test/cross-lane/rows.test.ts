/** The matrix has no silent hole: each op has a reference, each native spelling a case, each listed refusal a place. */
import { expect, test } from "vitest";
import { twoWayDialects } from "../../src/dialects/ids.js";
import { allRows } from "../../src/ops/index.js";
import { casesOf } from "../support/cross-lane/cases.js";
import { references } from "../support/cross-lane/reference.js";
import { entries } from "../support/cross-lane/refusals.js";

const families = ["subgroup", "quad", "workgroup"];
// Copies that go on meanwhile move memory, not values of lanes: test/async-copies.test.ts has them.
const crossLane = allRows.filter((row) => families.includes(row.family) && row.goesOn !== true);
const isOp = (op: string): boolean => families.includes(op.slice(0, op.indexOf(".")));

/** HLSL has no such types. */
const bytes: readonly string[] = ["i8", "u8"];

test("every cross-lane op has a reference", () => {
  expect(crossLane.map((row) => row.id).filter((id) => !Object.hasOwn(references, id))).toEqual([]);
});

test("every reference is of an op", () => {
  const ids = new Set<string>(crossLane.map((row) => row.id));
  expect(Object.keys(references).filter((op) => isOp(op) && !ids.has(op))).toEqual([]);
});

test.each(twoWayDialects)("every spelling that %s has of a cross-lane op is called", (dialect) => {
  const missing = crossLane.flatMap((row) =>
    row.cells[dialect].flatMap((cell) => {
      // A cell that only writes is read as the op it names.
      if (cell.kind !== "native" || cell.readsAs !== undefined) return [];
      return cell.names
        .filter((name) => !casesOf[dialect].some((c) => c.op === row.id && new RegExp(`\\b${name}\\b`).test(c.call)))
        .map((name) => `${row.id} ${name}`);
    }),
  );
  expect(missing).toEqual([]);
});

test.each(twoWayDialects)("every type that %s carries natively is in the matrix", (dialect) => {
  const missing = crossLane.flatMap((row) =>
    row.cells[dialect].flatMap((cell) => {
      if (cell.kind !== "native" || cell.readsAs !== undefined || !/\bT\b/.test(row.signature)) return [];
      const { scalars, sizes } = cell.on ?? row.on;
      const cases = casesOf[dialect].filter((c) => c.op === row.id);
      return [
        ...scalars.filter(
          (kind) =>
            row.on.scalars.includes(kind) &&
            !(dialect === "hlsl" && bytes.includes(kind)) &&
            !cases.some((c) => c.on?.some((k) => k === kind)),
        ),
        ...sizes.filter((size) => !cases.some((c) => c.sizes?.includes(size) ?? true)),
      ].map((what) => `${row.id} on ${what}`);
    }),
  );
  expect([...new Set(missing)]).toEqual([]);
});

test("refusals are listed for ops that some dialect has", () => {
  const called = new Set(twoWayDialects.flatMap((d) => casesOf[d].map((c) => c.op)));
  expect(entries.flatMap((e) => (e.ops ?? []).filter((op) => !called.has(op)))).toEqual([]);
});
