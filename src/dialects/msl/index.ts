/** MSL: specification 1 to 5 (C++14). */
import { cFamily, plainExpressions } from "../shared.js";
import type { ReadLanguage, WrittenLanguage } from "../language.js";
import { builtins } from "./builtins.js";
import { macros } from "./macros.js";
import { logArgument } from "../print-arguments.js";
import { internals, logWord, predeclared } from "./predeclared.js";
import { reserved } from "./reserved.js";
import { types } from "./types.js";
import { wordSet } from "../words.js";
import { words } from "./words.js";

export const msl: ReadLanguage & WrittenLanguage = {
  facts: {
    ...cFamily,
    name: "MSL",
    addressesInBuffers: true,
    preciseReachesFunctions: false,
    prefersSpecial: true,
    matricesByRows: false,
    vectorComparisons: "operators",
    matrixOperators: "linear",
    ownWritesContinue: true,
    flatLists: false,
    enumerations: "promoted",
    vectorConditions: "componentwise",
    builtins: "parameters",
    extension: "metal",
    relations: "bool",
    discardedObjects: "read if volatile",
    characters: "i8",
    enumerators: "typed",
    slots: "kinds",
    valueArguments: "references",
    floatToHalf: "nearest",
    globalsStart: "anything",
    arithmetic: {
      signedOverflow: "undefined",
      shiftCount: "undefined",
      signedShiftLeft: "undefined",
      negativeRemainder: "truncates",
      unsignedDivisionByZero: "undefined",
    },
    specialNumbers: {
      keptWith: { f16: "msl>=3.2", f32: "msl>=3.2" },
      widths: 2,
      assumed:
        "the text is compiled without fast math (-fno-fast-math, MTLMathMode.safe), which may lose NaN, infinities and the signs of zeros",
    },
    floatOrder: {
      keptBy: "math mode",
      needs: "msl>=3.2",
      assumed:
        "the text is compiled without fast math (-fno-fast-math, MTLMathMode.safe), which may compute sums and products of floats in another order",
    },
    conversions: {
      promotes: "small integers",
      choices: "kept",
      scalars: "any",
      vectors: "never",
      shapes: "fixed",
      splats: "everywhere",
      common: "usual conversions",
      ranksScalars: false,
      voidPointers: "to",
    },
    subgroupSize: {
      cannot: "MSL cannot ask for it",
      most: { size: 64, message: "a simd_vote of MSL has 64 lanes" },
    },
    versions: "msl",
    scalars: { bf16: "msl>=3.1", i64: "msl>=2.2", f64: "msl.no_double" },
    storage: {},
    subgroupScalars: {},
    deviceFences: "any buffer",
    acrossWorkgroups: "coherent buffers",
    systemFences: false,
    builtinOverloads: "ranks",
    widestVector: 4,
    matrices: "floats",
  },
  words,
  reserved,
  reading: {
    contractionPragmas: wordSet("METAL clang STDC"),
    systemHeaders:
      /^(?:metal_(?:stdlib|types|common|math|integer|relational|geometric|matrix|compute|graphics|atomic|simdgroup|simdgroup_matrix|texture|pack|array|uniform|quadgroup|command_buffer|raytracing|tessellation|limits|extended_vector|packed_vector|imageblocks|function_groups|visible_function_table|interpolate|mesh|numeric|type_traits|logging|config|assert)|simd\/\w+\.h|TargetConditionals\.h)$/,
    macros,
    types,
    predeclared,
    internals,
    nullNames: ["nullptr", "NULL"],
    floatSuffixes: new Map([
      ["", "f32"],
      ["f", "f32"],
      ["h", "f16"],
      ["bf", "bf16"],
    ]),
    namespace: "metal",
    builtins,
    directives: new Set(),
    files: "names",
    truthInConditions: true,
    marks: {
      maybe: /\busing\s+namespace\s+metal\b|\[\[\s*(?:kernel|buffer|thread_position_in_grid)|\bthreadgroup\b|\bmetal::/,
    },
    entryPoint: {
      words: new Set(["kernel"]),
      help: "kernels are declared 'kernel void name(...)'",
      templates: true,
      otherStages: wordSet("vertex fragment mesh object"),
      attributes: new Map([
        ["max_total_threads_per_threadgroup", "most invocations"],
        ["kernel", "nothing"],
        ["host_name", "name"],
      ]),
      parameterAttributes: wordSet("buffer threadgroup function_constant"),
    },
    declarations: {
      parenthesizedNames: true,
      references: true,
      deducesTypes: "auto",
      // MSL 4 is C++17.
      deducesClassArguments: true,
      lambdas: true,
      classes: "with constructors",
      keepsValues: true,
      namesReachInitializers: true,
      directInitializers: true,
      defaultArguments: true,
      rangeFor: true,
      pointerSpaces: "written",
      elaboratedTypes: true,
      openDimensions: "outermost",
      tags: false,
      overloads: true,
      staticLocals: "constants",
      workgroupZeros: "ignored",
      constantLocals: "lasting",
      headsShareScope: true,
      labelledDeclarations: true,
      casesInBlocks: true,
      jumpsOverInitializers: "never",
      loopNamesLivedOn: false,
      unions: true,
      bitFields: "C++",
      namespaceForms: true,
      storageReachesIn: false,
      specialization: {
        attribute: "function_constant",
        called: "function constant",
        needs: "constant memory",
        defaults: "elsewhere",
        vectors: true,
      },
      // MSL 3.2 section 5.1 and 5.10, 4 section 5.1.3; the last are clang's and C++'s.
      functionAttributes: wordSet(`kernel vertex fragment visible stitchable intersection object mesh host_name patch
        max_total_threads_per_threadgroup required_threads_per_threadgroup max_total_threadgroups_per_mesh_grid early_fragment_tests
        primitive_culling user function_groups triangle_data instancing world_space_data curve_data max_levels
        noreturn carries_dependency`),
      // MSL 3.2 section 5.2.1 and 5.2.3.
      bufferAttributes:
        wordSet(`buffer texture sampler threadgroup imageblock_data stage_in payload function_constant user id
        raster_order_group primitive_data mesh_grid_properties aligned alignas`),
      // MSL 3.1 section 5.2.3.
      stageAttributes: wordSet(`position user color attribute point_size point_coord clip_distance flat invariant
        center_perspective center_no_perspective centroid_perspective centroid_no_perspective sample_perspective
        sample_no_perspective viewport_array_index render_target_array_index depth id`),
    },
    expressions: {
      ...plainExpressions,
      assertions: true,
      assignsLists: true,
      // MSL 4 is C++17; C++14, which it was before, leaves it open.
      assignsValueFirst: true,
      objectOfType: "declval",
      movers: wordSet("move forward"),
      libraryOverloads: "beside",
      // MSL 3.2, metal_logging: each is a message of its own, whatever its level.
      prints: new Map(
        ["log", "log_debug", "log_info", "log_error", "log_fault"].map((method) => [
          `${logWord}.${method}`,
          { result: "void", messages: true },
        ]),
      ),
    },
  },
  writing: {
    typeName: types.spelled,
    specializationConstants: "native",
    conditionalBuffers: true,
    coherentBuffers: "msl>=3.2",
    volatileBuffers: true,
    boundsWorkgroups: true,
    sizeConstants: false,
    mostBuffers: 31,
    bufferTypes: "objects and rows",
    anonymousMembers: true,
    openEnded: "structs",
    bufferLengths: "argument",
    checkedBuffers: false,
    packedVectors: true,
    aggregates: "structs",
    choosesBy: "any number",
    chosenAggregates: "none, and matrices of one space",
    widestIndex: 64,
    placeParameters: true,
    outPlaces: "private",
    atomicComponents: true,
    atomicTypes: true,
    bitcasts: { shapes: "any", packed: [], doubles: "whole" },
    constants: "C++",
    refusedIndices: "written",
    laneMasks: "u64",
    subgroupMatrices: { f16: "msl>=2.3", f32: "msl>=2.3", bf16: "msl>=3.1" },
    enablingLine: (atom) => (atom === "msl.logging" ? "#include <metal_logging>" : undefined),
    // Formats are those of OpenCL C.
    prints: { name: `${logWord}.log`, needs: "msl.logging", messages: true, argument: logArgument },
  },
};
