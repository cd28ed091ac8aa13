/** The suites that run kernels, each run done by both engines and compared (test/support/both-engines.ts). */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: [
      "test/simulate.test.ts",
      "test/differential/**/*.test.ts",
      "test/ops/*meaning.test.ts",
      "test/sim/**/*.test.ts",
      "test/cross-lane/**/*.test.ts",
      "test/random/**/*.test.ts",
      "test/mutants/**/*.test.ts",
      "test/verify/**/*.test.ts",
    ],
    // Asks which engine did what, by runs of its own of both.
    exclude: ["test/sim/race-screen.test.ts"],
    setupFiles: ["test/support/both-engines.ts"],
    testTimeout: 300_000,
  },
});
