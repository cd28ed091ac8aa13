/** GLSL 4.60, as glslang compiles it. */
import { shadingFamily } from "../shared.js";
import type { EvaluationOrder, Language } from "../language.js";
import { macros } from "./macros.js";
import { reserved } from "./reserved.js";
import { words } from "./words.js";

const inText: EvaluationOrder = {
  operands: "left to right",
  arguments: "left to right",
  argumentsRead: "with the call",
  assignment: "place first",
  indices: "left to right",
  placesOnce: true,
};

export const glsl: Language = {
  facts: {
    ...shadingFamily,
    name: "GLSL",
    matrixOperators: "linear, scalars meet components",
    flatLists: false,
    distinctEnumerations: false,
    vectorConditions: "none",
    builtins: "anywhere",
    extension: "comp",
    openLiterals: false,
    order: inText,
    characters: undefined,
    buffers: "std430",
    uniformBlocks: "std140",
    arithmetic: {
      signedOverflow: "wraps",
      shiftCount: "undefined",
      signedShiftLeft: "bits",
      negativeRemainder: "undefined",
      unsignedDivisionByZero: "undefined",
    },
    conversions: {
      promotes: "nothing",
      scalars: "to wider",
      vectors: "as scalars",
      shapes: "fixed",
      splats: "operands",
      common: "implicit conversions",
      ranksScalars: false,
    },
    subgroupSize: {
      cannot: "GLSL cannot ask for it: the pipeline does (VkPipelineShaderStageRequiredSubgroupSizeCreateInfo)",
    },
    versions: "vulkan",
    scalars: {
      f16: "glsl.EXT_shader_explicit_arithmetic_types_float16",
      i16: "glsl.EXT_shader_explicit_arithmetic_types_int16",
      i8: "glsl.EXT_shader_explicit_arithmetic_types_int8",
      i64: "glsl.EXT_shader_explicit_arithmetic_types_int64",
      f64: "glsl.float64",
    },
  },
  words,
  reserved,
  reading: {
    macros,
    nullNames: [],
    floatsByDouble: true,
    floatSuffixes: new Map([
      ["", "f32"],
      ["f", "f32"],
      ["hf", "f16"],
      ["lf", "f64"],
    ]),
  },
};
