import { availableParallelism, totalmem } from "node:os";
import { defineConfig } from "vitest/config";
import { projects } from "./test/projects.js";
import { LongestFirst } from "./test/support/longest-first.js";
import { NotRunReporter } from "./test/support/not-run.js";
import { StillRunningReporter } from "./test/support/still-running.js";

/** Their files leave nothing behind in a process, and share what it has loaded and compiled. */
const sharing = new Set(["unit", "meaning", "compilers"]);

/** A process that compiles and simulates many kernels may come to so many bytes. */
const bytesPerWorker = 4 * 2 ** 30;

/** Where the counts go, for a script that reads them. */
const report = process.env.CROSSLANE_TEST_REPORT;

export default defineConfig({
  test: {
    projects: Object.entries(projects).map(([name, include], at, all) => ({
      extends: true as const,
      // A file belongs to the first that names it.
      test: {
        name,
        include: [...include],
        exclude: all.slice(0, at).flatMap(([, before]) => [...before]),
        isolate: !sharing.has(name),
      },
    })),
    // Forked processes: the simulator is bound by the processor and the judges start compilers.
    pool: "forks",
    // As the command (bin/load.js): most code runs a few times, and to optimise it takes 5 % of the processor time of the cross-lane matrix.
    execArgv: process.versions.v8.startsWith("11.") ? ["--interrupt-budget=250000"] : [],
    maxWorkers: Math.max(2, Math.min(16, availableParallelism(), Math.floor(totalmem() / bytesPerWorker))),
    sequence: { sequencer: LongestFirst },
    // The real compilers start cold on slow shared machines; wine's first start alone takes many seconds.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // A suite whose tests all need a tool that is missing is empty here; never so in CI.
    passWithNoTests: process.env.CROSSLANE_REQUIRE_TOOLS !== "1",
    reporters: [
      "default",
      new NotRunReporter(),
      new StillRunningReporter(),
      ...(report ? [["json", { outputFile: report }] as const] : []),
    ],
  },
});
