import { testSuitesOn } from "./suite-tests.js";

await testSuitesOn("vulkan", { hlslCompiler: "glslang" });
