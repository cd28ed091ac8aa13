/** HLSL as DXC compiles it. */
import { shadingFamily } from "../shared.js";
import type { EvaluationOrder, Language } from "../language.js";
import { leastWaveSize } from "../../types/subgroup-width.js";
import { macros } from "./macros.js";
import { reserved } from "./reserved.js";
import { words } from "./words.js";

const asDxc: EvaluationOrder = {
  operands: "left to right",
  arguments: "right to left",
  argumentsRead: "in turn",
  assignment: "value first",
  indices: "right to left",
  placesOnce: false,
};

export const hlsl: Language = {
  facts: {
    ...shadingFamily,
    continuesLines: { blanks: true, trigraph: false },
    name: "HLSL",
    matrixOperators: "componentwise",
    flatLists: true,
    distinctEnumerations: true,
    vectorConditions: "where eager",
    builtins: "parameters",
    extension: "hlsl",
    openLiterals: true,
    byteAddressBuffers: true,
    order: asDxc,
    characters: "i32",
    buffers: "structured",
    arithmetic: {
      signedOverflow: "wraps",
      shiftCount: "modulo",
      signedShiftLeft: "bits",
      negativeRemainder: "truncates",
      unsignedDivisionByZero: "ones",
    },
    conversions: {
      promotes: "bool",
      scalars: "any",
      vectors: "as scalars",
      shapes: "convert",
      splats: "everywhere",
      common: "the wider",
      ranksScalars: false,
    },
    subgroupSize: {
      least: { size: leastWaveSize, message: `[WaveSize] takes ${leastWaveSize} and more` },
      one: { needs: "sm>=6.6", lacks: "[WaveSize(n)], which came with 6.6" },
      range: { needs: "sm>=6.8", lacks: "[WaveSize(min, max)], which came with 6.8" },
    },
    versions: "sm",
    scalars: { f16: "hlsl.native16", i16: "hlsl.native16", i8: "hlsl.no8bit", i64: "sm>=6.0", f64: "sm>=5.0" },
  },
  words,
  reserved,
  reading: {
    macros,
    nullNames: [],
    /** Without 16-bit types `1.0h` is a float. */
    floatSuffixes: new Map([
      ["", "f32"],
      ["f", "f32"],
      ["h", "f32"],
      ["l", "f64"],
    ]),
  },
};
