/** Random kernels on newer drivers: HLSL as DXC means it, and subgroups of the width that is asked for. */
import { testPrograms } from "./program-runs.js";

await testPrograms("glsl");
await testPrograms("hlsl", "dxil");
