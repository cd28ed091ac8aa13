import { defineConfig } from "vitest/config";
import { NotRunReporter } from "./test/support/not-run.js";

/** What runs on the drivers of a newer Debian: see .ci/newer-drivers. */
export default defineConfig({
  test: {
    include: [
      "test/device/suites-{vulkan,opencl}.test.ts",
      "test/device/suites-dxil.newer.ts",
      "test/device/newer-drivers.newer.ts",
    ],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    reporters: ["default", new NotRunReporter()],
  },
});
