/** Unions: what a member reads is what another one wrote. */
import { againstPocl } from "./against-pocl.js";
import { unionProgram, unionWords } from "./union-programs.js";

export const unions = againstPocl({
  name: "unions",
  about:
    "unions of OpenCL C in all memories: PoCL, the simulator and the translations agree, and compilers take the texts",
  words: unionWords,
  cases: 6,
  make: unionProgram,
});
