/** A fixed sample of every fuzz suite. */
import { describe, expect, test } from "vitest";
import { toolTest } from "../support/tool-test.js";
import { describeFailure } from "./suite.js";
import { suites } from "./suites.js";

describe("fuzz suites", () => {
  for (const suite of suites) {
    const { seed, cases } = suite.sample;
    toolTest(suite.missing(), `${suite.name}: ${suite.about}`, async () => {
      const outcome = await suite.run(seed, cases);
      expect(outcome.failures.map((f) => describeFailure(suite, f))).toEqual([]);
      // A generator whose cases nobody could decide proves nothing.
      expect(outcome.cases).toBeGreaterThanOrEqual(cases / 2);
    });
  }

  test("have names of their own", () => {
    expect(new Set(suites.map((s) => s.name)).size).toBe(suites.length);
  });
});
