import { testSuitesOn } from "./suite-tests.js";

// Unoptimised, each kernel takes the driver a third of the time; suites-opencl.newer.ts has the newer driver optimise.
await testSuitesOn("opencl", { optimize: false });
