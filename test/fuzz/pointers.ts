/** OpenCL C pointers, and memory as several types, in languages that have neither. */
import { againstPocl } from "./against-pocl.js";
import { aliasing, castWords, pointerCastProgram } from "./pointer-cast-programs.js";
import { pointerProgram, words } from "./pointer-programs.js";

export const pointers = againstPocl({
  name: "pointers",
  about: "OpenCL C pointers: PoCL, the simulator and the translations agree, and compilers take the texts",
  words,
  cases: 8,
  make: pointerProgram,
});

export const pointerCasts = againstPocl({
  name: "pointer-casts",
  about:
    "One memory as several types in OpenCL C: PoCL, the simulator and the translations agree, and compilers take the texts",
  words: castWords,
  cases: 8,
  make: pointerCastProgram,
  prelude: aliasing,
});
