/** GLSL 4.60, as glslang compiles it. */
import { debugPrintArgument } from "../print-arguments.js";
import { plainExpressions, shadingDeclarations, shadingFamily } from "../shared.js";
import type { EvaluationOrder, ReadLanguage, WrittenLanguage } from "../language.js";
import { builtins } from "./builtins.js";
import { macros } from "./macros.js";
import { predeclared } from "./predeclared.js";
import { reserved } from "./reserved.js";
import { counters, types } from "./types.js";
import { words } from "./words.js";

const inText: EvaluationOrder = {
  operands: "left to right",
  arguments: "left to right",
  argumentsRead: "with the call",
  assignment: "place first",
  indices: "left to right",
  placesOnce: true,
};

const soleEntry = "main";

export const glsl: ReadLanguage & WrittenLanguage = {
  facts: {
    ...shadingFamily,
    name: "GLSL",
    addressesInBuffers: true,
    preciseReachesFunctions: false,
    prefersSpecial: false,
    matricesByRows: false,
    vectorComparisons: "functions",
    matrixOperators: "linear, scalars meet components",
    ownWritesContinue: false,
    flatLists: false,
    enumerations: "integers",
    vectorConditions: "none",
    builtins: "anywhere",
    extension: "comp",
    openLiterals: false,
    looseUniforms: false,
    order: inText,
    characters: undefined,
    buffers: "std430",
    uniformBlocks: "std140",
    slots: "bindings",
    valueArguments: "blocks",
    floatToHalf: "open",
    globalsStart: "anything",
    arithmetic: {
      signedOverflow: "wraps",
      shiftCount: "undefined",
      signedShiftLeft: "bits",
      negativeRemainder: "undefined",
      unsignedDivisionByZero: "undefined",
    },
    specialNumbers: {
      keptWith: {
        f16: "glsl.signed_zero_inf_nan_preserve_float16",
        f32: "glsl.signed_zero_inf_nan_preserve_float32",
        f64: "glsl.signed_zero_inf_nan_preserve_float64",
      },
      // glslang (12 and 16) writes one execution mode of a number, the last.
      widths: 1,
      assumed: "the device keeps NaN, infinities and the signs of zeros, which Vulkan leaves open",
    },
    floatOrder: { keptBy: "precise" },
    conversions: {
      promotes: "nothing",
      choices: "kept",
      scalars: "to wider",
      vectors: "as scalars",
      shapes: "fixed",
      splats: "operands",
      common: "implicit conversions",
      ranksScalars: false,
      voidPointers: "none",
    },
    subgroupSize: {
      cannot: "GLSL cannot ask for it: the pipeline does (VkPipelineShaderStageRequiredSubgroupSizeCreateInfo)",
    },
    versions: "vulkan",
    scalars: {
      f16: "glsl.EXT_shader_explicit_arithmetic_types_float16",
      bf16: "no_bfloat",
      i16: "glsl.EXT_shader_explicit_arithmetic_types_int16",
      i8: "glsl.EXT_shader_explicit_arithmetic_types_int8",
      i64: "glsl.EXT_shader_explicit_arithmetic_types_int64",
      f64: "glsl.float64",
    },
    storage: { 8: "glsl.EXT_shader_8bit_storage", 16: "glsl.EXT_shader_16bit_storage" },
    subgroupScalars: {
      f16: "glsl.EXT_shader_subgroup_extended_types_float16",
      i16: "glsl.EXT_shader_subgroup_extended_types_int16",
      i8: "glsl.EXT_shader_subgroup_extended_types_int8",
      i64: "glsl.EXT_shader_subgroup_extended_types_int64",
    },
    deviceFences: "any buffer",
    acrossWorkgroups: "coherent buffers",
    systemFences: false,
    builtinOverloads: "ranks, then float",
    widestVector: 4,
    matrices: "floats",
  },
  words,
  reserved,
  reading: {
    macros,
    types,
    predeclared,
    counters,
    nullNames: [],
    floatsByDouble: true,
    foldsInDouble: true,
    cutsHalves: true,
    floatSuffixes: new Map([
      ["", "f32"],
      ["f", "f32"],
      ["hf", "f16"],
      ["lf", "f64"],
    ]),
    // GLSL 4.60 section 4.1.3: the literal is a bit pattern, 0xFFFFFFFF is -1.
    integerSuffixes: new Map([
      ["", "i32"],
      ["u", "u32"],
      ["s", "i16"],
      ["us", "u16"],
      ["l", "i64"],
      ["ul", "u64"],
    ]),
    builtins,
    directives: new Set(["version", "extension"]),
    files: "numbers",
    truthInConditions: false,
    marks: {
      maybe: /\blayout\s*\(|\bgl_[A-Z]\w+|\bvoid\s+main\s*\(\s*\)/,
      surely: /^[ \t]*#[ \t]*version[ \t]+\d/m,
    },
    entryPoint: {
      words: new Set(),
      name: soleEntry,
      help: "the entry point is 'void main()'",
      // What the simulator does, and every target is taken to do.
      attributes: new Map([
        ["subgroup_uniform_control_flow", "nothing"],
        ["maximally_reconverges", "nothing"],
      ]),
    },
    declarations: {
      ...shadingDeclarations,
      parenthesizedNames: false,
      namesReachInitializers: false,
      elaboratedTypes: false,
      openDimensions: "all",
      staticLocals: "constants",
      // GL_EXT_null_initializer
      zeroedWorkgroup: true,
      headsShareScope: true,
      labelledDeclarations: true,
      casesComeFirst: true,
      loopNamesLivedOn: false,
      unions: false,
      storageReachesIn: true,
      specialization: {
        layout: "constant_id",
        called: "specialisation constant",
        needs: "const",
        defaults: "initialiser",
        vectors: false,
      },
    },
    expressions: {
      ...plainExpressions,
      components: ["xyzw", "rgba", "stpq"],
      scalarComponents: true,
      constructorsTakeParts: true,
      storedOnly: new Set(["bf16"]),
      structConstructors: true,
      elidedBraces: false,
      bitsOfBools: false,
      libraryOverloads: "exact first",
      prints: new Map([["debugPrintfEXT", { result: "void", messages: true }]]),
    },
  },
  writing: {
    typeName: types.spelled,
    soleEntry,
    specializationConstants: "native",
    mostConstantNumber: 2046,
    sharedBindings: true,
    mostBinding: { number: 65534, set: 62 },
    enablingLine(atom) {
      const name = atom.match(/^glsl\.((?:KHR|EXT|NV|ARB)_\w+)$/)?.[1];
      return name === undefined ? undefined : `#extension GL_${name} : require`;
    },
    volatileBuffers: true,
    boundsWorkgroups: false,
    sizeConstants: true,
    bufferTypes: "any",
    anonymousMembers: false,
    openEnded: "blocks",
    bufferLengths: "asked",
    checkedBuffers: false,
    packedVectors: false,
    aggregates: "all",
    choosesBy: "any number",
    chosenAggregates: "all outside of buffers",
    widestIndex: 32,
    placeParameters: true,
    outPlaces: "any",
    atomicComponents: true,
    // The side of 32 and 64 bits is unsigned.
    bitcasts: {
      shapes: "same",
      packed: ["u32x2 u64", "u64 u32x2", "f16x2 u32", "u32 f16x2", "u16x2 u32", "u32 u16x2"],
      doubles: "whole",
    },
    constants: "no bits",
    constantFunctions: new Set(
      `radians degrees sin cos tan asin acos atan pow exp log exp2 log2 sqrt inversesqrt abs sign floor trunc round
      roundEven ceil fract mod min max clamp mix step smoothstep isnan isinf length distance dot cross normalize
      faceforward reflect refract outerProduct lessThan lessThanEqual greaterThan greaterThanEqual equal notEqual any
      all not`.split(/\s+/),
    ),
    refusedIndices: "written",
    laneMasks: "u32x4",
    prints: { name: "debugPrintfEXT", needs: "glsl.EXT_debug_printf", messages: true, argument: debugPrintArgument },
  },
};
