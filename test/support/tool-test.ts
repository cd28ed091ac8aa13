import { appendFileSync } from "node:fs";
import { test } from "vitest";
import type { Judge } from "./judges/judge.js";
import { notRunVariable } from "./not-run.js";
import type { NotRun } from "./not-run.js";

/**
 * A test that needs programs beyond Node. Where one is missing no test is registered; the closing summary of the run
 * says so instead. With CROSSLANE_REQUIRE_TOOLS=1 (as in CI) a missing program is a failing test.
 */
export function toolTest(missing: readonly string[], name: string, body: () => void | Promise<void>): void {
  if (missing.length === 0) {
    test(name, body);
    return;
  }
  if (process.env.CROSSLANE_REQUIRE_TOOLS === "1") {
    test(name, () => {
      throw new Error(`CROSSLANE_REQUIRE_TOOLS is set and ${missing.join(", ")} is missing`);
    });
    return;
  }
  const file = process.env[notRunVariable];
  if (file === undefined) return;
  for (const tool of missing) {
    const record: NotRun = { tool, name };
    appendFileSync(file, `${JSON.stringify(record)}\n`);
  }
}

/** `toolTest` for what a judge needs. */
export function judgeTest(judge: Pick<Judge, "missing">, name: string, body: () => void | Promise<void>): void {
  toolTest(judge.missing(), name, body);
}
