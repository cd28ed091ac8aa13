import { testSuitesOn } from "./suite-tests.js";

await testSuitesOn("opencl");
