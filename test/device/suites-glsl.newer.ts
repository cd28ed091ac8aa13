import { testSuitesOn } from "./suite-tests.js";

// HLSL as glslang has it runs with Debian's own drivers.
await testSuitesOn("vulkan", { language: "glsl", here: false });
