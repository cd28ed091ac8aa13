import { testSuitesOn } from "./suite-tests.js";

await testSuitesOn("vulkan", { language: "hlsl", hlslCompiler: "dxil", here: false });
