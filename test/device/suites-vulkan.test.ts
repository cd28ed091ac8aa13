import { testSuitesOn } from "./suite-tests.js";

// Debian's lavapipe, without the optimiser that takes most of its time; suites-glsl.newer.ts has the newer one optimise.
process.env["GALLIVM_PERF"] ??= "nopt";
await testSuitesOn("vulkan", { hlslCompiler: "glslang" });
