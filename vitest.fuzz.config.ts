import { defineConfig } from "vitest/config";

/** `npm run fuzz` (scripts/fuzz.mjs): the suites of test/fuzz for as long as wanted. */
export default defineConfig({
  test: {
    include: ["test/fuzz/long.run.ts"],
    pool: "forks",
    maxWorkers: 1,
    testTimeout: 0,
    disableConsoleIntercept: true,
  },
});
