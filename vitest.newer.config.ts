import { defineConfig } from "vitest/config";
import { NotRunReporter } from "./test/support/not-run.js";
import { StillRunningReporter } from "./test/support/still-running.js";

/** Where the counts go, for a script that reads them. */
const report = process.env.CROSSLANE_TEST_REPORT;

/** What runs on the drivers of a newer Debian: see .ci/newer-drivers. */
export default defineConfig({
  test: {
    include: ["test/**/*.newer.ts"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    reporters: [
      "default",
      new NotRunReporter(),
      new StillRunningReporter(),
      ...(report ? [["json", { outputFile: report }] as const] : []),
    ],
  },
});
