/** Vectors of 8 and 16 components in languages whose vectors have four. */
import { againstPocl } from "./against-pocl.js";
import { foldsOfVectors, wideVectorProgram, wideWords } from "./wide-vector-programs.js";

export const wideVectors = againstPocl({
  name: "wide-vectors",
  about: "OpenCL C vectors of 8 and 16: PoCL, the simulator and the translations agree, and compilers take the texts",
  words: wideWords,
  cases: 8,
  make: wideVectorProgram,
  shared: foldsOfVectors,
});
