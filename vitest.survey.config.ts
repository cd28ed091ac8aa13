import { defineConfig } from "vitest/config";

/** `npm run survey`: public kernels from clones on disk; no part of the tests. */
export default defineConfig({
  test: {
    include: ["survey/**/*.test.ts"],
    pool: "forks",
    maxWorkers: 1,
    testTimeout: 600_000,
    disableConsoleIntercept: true,
  },
});
