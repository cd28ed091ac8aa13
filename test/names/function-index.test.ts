/**
 * Every function that a language has for numbers, for every type it takes, is read: each signature of its index is called by a function of
 * its own. Where the index comes from says the list in test/support/function-index. Without CROSSLANE_WHOLE_INDEX=1 every eighth signature
 * is tried, and the first of each name.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { inScratchFolder } from "../../src/judges/run-program.js";
import { analyzed } from "../sema/support.js";
import { hlslIndex } from "../support/function-index/hlsl.js";
import { clangIndex, glslangIndex, indexes, type Index } from "../support/function-index/indexes.js";
import { nameOf, type IndexedCall } from "../support/function-index/indexed-call.js";
import { mslIndex } from "../support/function-index/msl.js";
import { askDxcPastFaults } from "../support/judges/dxc.js";
import { judges } from "../support/judges/outputs.js";
import { judgeTest } from "../support/tool-test.js";

const whole = process.env.CROSSLANE_WHOLE_INDEX === "1";

/** Errors, and what is dropped silently but for a warning: operands cut to what a function takes. */
async function complaints(index: Index, calls: readonly IndexedCall[]): Promise<string[]> {
  const { problems } = await analyzed(index.dialect, index.text(calls));
  return problems.filter((p) => p.severity === "error" || p.code === "XL2016").map((p) => `${p.code} ${p.message}`);
}

const together = 60;

async function refusedOf(index: Index, calls: readonly IndexedCall[]): Promise<string[]> {
  const refused: string[] = [];
  for (let i = 0; i < calls.length; i += together) {
    const some = calls.slice(i, i + together);
    if ((await complaints(index, some)).length === 0) continue;
    for (const call of some)
      for (const said of (await complaints(index, [call])).slice(0, 1)) refused.push(`${call.signature}: ${said}`);
  }
  return refused;
}

/** All that is named in no exception is read, and what an exception names is not. */
async function holds(index: Index, all: readonly IndexedCall[]): Promise<void> {
  const exception = (call: IndexedCall): boolean => index.exceptions.some(([names]) => names.test(nameOf(call)));
  const seen = new Set<string>();
  const tried = all.filter((call, i) => {
    const first = !seen.has(nameOf(call));
    seen.add(nameOf(call));
    return whole || first || i % 8 === 0;
  });
  expect(
    await refusedOf(
      index,
      tried.filter((c) => !exception(c)),
    ),
  ).toEqual([]);
  for (const [names, why] of index.exceptions) {
    const of = all.filter((c) => names.test(nameOf(c)));
    const read = await Promise.all(of.slice(0, 24).map(async (c) => (await complaints(index, [c])).length === 0));
    expect(read.includes(false), `${String(names)} (${why}) is an exception no longer`).toBe(true);
  }
}

describe("the function index", () => {
  test("MSL 3.1", async () => {
    const all = mslIndex();
    expect(all.length).toBeGreaterThan(3000);
    await holds(indexes.msl, all);
  }, 60_000);

  judgeTest(judges.glsl, "GLSL, as glslang declares it", async () => {
    const all = await glslangIndex();
    expect(all.length).toBeGreaterThan(4000);
    await holds(indexes.glsl, all);
  });

  judgeTest(judges.opencl, "OpenCL C, as clang's header declares it", async () => {
    const all = clangIndex();
    expect(all.length).toBeGreaterThan(11000);
    await holds(indexes.opencl, all);
  });

  test("HLSL, of compute shaders", async () => {
    const all = hlslIndex();
    expect(all.length).toBeGreaterThan(6000);
    await holds(indexes.hlsl, all);
  }, 60_000);

  judgeTest(judges.hlsl, "DXC takes these calls of HLSL", () =>
    inScratchFolder(async (folder) => {
      const all = hlslIndex().filter((_, i) => whole || i % 24 === 0);
      const requests = [];
      for (let i = 0; i < all.length; i += 200) {
        const path = join(folder, `${String(i)}.hlsl`);
        writeFileSync(path, indexes.hlsl.text(all.slice(i, i + 200)));
        requests.push({ profile: "cs_6_6", entry: "k", path, args: ["-enable-16bit-types"] });
      }
      expect((await askDxcPastFaults(requests)).filter((answer) => answer !== "ok")).toEqual([]);
    }),
  );
});
