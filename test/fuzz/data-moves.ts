/** Loads, stores and conversions of OpenCL C, all of them. */
import { againstPocl } from "./against-pocl.js";
import { dataMoveKernels, dataMoveProgram, dataMoveWords } from "./data-move-programs.js";

export const dataMoves = againstPocl({
  name: "data-moves",
  about:
    "every vload, vstore, half and convert of OpenCL C: PoCL, lavapipe, the simulator and the translations agree, compilers take the texts",
  words: dataMoveWords,
  // Of all; `npm run fuzz -- data-moves --cases 59` makes every one.
  cases: Math.floor(dataMoveKernels / 7),
  make: dataMoveProgram,
  onVulkan: 4000,
  prelude: "#pragma OPENCL EXTENSION cl_khr_fp64 : enable",
});
