/** OpenCL C 3.0 (C99). */
import { cFamily } from "../shared.js";
import type { Language } from "../language.js";
import { macros } from "./macros.js";
import { reserved } from "./reserved.js";
import { words } from "./words.js";

export const opencl: Language = {
  facts: {
    ...cFamily,
    name: "OpenCL C",
    matrixOperators: "linear",
    flatLists: false,
    distinctEnumerations: false,
    vectorConditions: "componentwise",
    builtins: "anywhere",
    extension: "cl",
    relations: "int",
    characters: "i32",
    enumerators: "int",
    arithmetic: {
      signedOverflow: "undefined",
      shiftCount: "modulo",
      signedShiftLeft: "bits",
      negativeRemainder: "truncates",
      unsignedDivisionByZero: "undefined",
    },
    conversions: {
      promotes: "small integers",
      scalars: "any",
      vectors: "never",
      shapes: "fixed",
      splats: "everywhere",
      common: "usual conversions",
      ranksScalars: true,
    },
    subgroupSize: {
      one: { needs: "cl.intel_required_subgroup_size", lacks: "cl_intel_required_subgroup_size" },
      range: { cannot: "intel_reqd_sub_group_size takes one width" },
    },
    versions: "cl",
    scalars: { f16: "cl.khr_fp16", f64: "cl.khr_fp64" },
  },
  words,
  reserved,
  reading: {
    systemHeaders: /^(?:opencl-c(?:-base)?\.h)$/,
    macros,
    nullNames: ["NULL"],
    floatSuffixes: new Map([
      ["", "f64"],
      ["f", "f32"],
      ["h", "f16"],
    ]),
  },
};
