/** OpenCL C 3.0 (C99). */
import { printArgument } from "../print-arguments.js";
import { cFamily, plainExpressions } from "../shared.js";
import type { ReadLanguage, WrittenLanguage } from "../language.js";
import { builtins } from "./builtins.js";
import { macros } from "./macros.js";
import { predeclared } from "./predeclared.js";
import { reserved } from "./reserved.js";
import { types } from "./types.js";
import { wordSet } from "../words.js";
import { words } from "./words.js";

export const opencl: ReadLanguage & WrittenLanguage = {
  facts: {
    ...cFamily,
    name: "OpenCL C",
    preciseReachesFunctions: false,
    prefersSpecial: false,
    matricesByRows: false,
    vectorComparisons: "operators",
    matrixOperators: "linear",
    ownWritesContinue: true,
    flatLists: false,
    enumerations: "integers",
    vectorConditions: "componentwise",
    builtins: "anywhere",
    extension: "cl",
    relations: "int",
    characters: "i32",
    enumerators: "int",
    slots: "positions",
    valueArguments: "parameters",
    floatToHalf: "nearest",
    globalsStart: "anything",
    arithmetic: {
      signedOverflow: "undefined",
      shiftCount: "modulo",
      signedShiftLeft: "bits",
      negativeRemainder: "truncates",
      unsignedDivisionByZero: "undefined",
    },
    specialNumbers: "kept",
    floatOrder: "kept",
    conversions: {
      promotes: "small integers",
      choices: "promoted",
      scalars: "any",
      vectors: "never",
      shapes: "fixed",
      splats: "everywhere",
      common: "usual conversions",
      ranksScalars: true,
      voidPointers: "to and from",
    },
    subgroupSize: {
      one: { needs: "cl.intel_required_subgroup_size", lacks: "cl_intel_required_subgroup_size" },
      range: { cannot: "intel_reqd_sub_group_size takes one width" },
    },
    versions: "cl",
    scalars: { f16: "cl.khr_fp16", bf16: "no_bfloat", f64: "cl.khr_fp64" },
    storage: {},
    subgroupScalars: { i16: "cl.khr_subgroup_extended_types", i8: "cl.khr_subgroup_extended_types" },
    deviceFences: "any buffer",
    acrossWorkgroups: "any buffer",
    systemFences: true,
    builtinOverloads: "ranks",
    widestVector: 16,
    matrices: "nothing",
  },
  words,
  reserved,
  reading: {
    contractionPragmas: wordSet("OPENCL STDC clang"),
    superset: {
      name: "C++ for OpenCL",
      words: wordSet(
        "template typename class namespace operator constexpr using public protected virtual friend explicit noexcept decltype new " +
          "delete static_cast const_cast reinterpret_cast dynamic_cast addrspace_cast ::",
      ),
    },
    systemHeaders: /^(?:opencl-c(?:-base)?\.h)$/,
    macros,
    types,
    predeclared,
    nullNames: ["NULL"],
    floatSuffixes: new Map([
      ["", "f64"],
      ["f", "f32"],
      ["h", "f16"],
    ]),
    builtins,
    directives: new Set(),
    files: "names",
    truthInConditions: false,
    marks: {
      maybe: /\b__kernel\b|\b__global\b|\bget_global_id\s*\(|\bkernel\s+void\b(?![^{]*\[\[)[^{]*\bglobal\b/,
    },
    entryPoint: {
      words: new Set(["kernel", "__kernel"]),
      help: "kernels are declared '__kernel void name(...)'",
      attributes: new Map([
        ["reqd_work_group_size", "workgroup size"],
        ["work_group_size_hint", "workgroup size hint"],
        ["intel_reqd_sub_group_size", "subgroup sizes"],
        ["vec_type_hint", "nothing"],
      ]),
      called: true,
    },
    declarations: {
      references: false,
      deducesTypes: "__auto_type",
      lambdas: false,
      classes: "nothing",
      directInitializers: false,
      defaultArguments: false,
      rangeFor: false,
      pointerSpaces: "inferred",
      elaboratedTypes: true,
      openDimensions: "outermost",
      tags: true,
      overloads: false,
      staticLocals: "constants",
      noBitFields: true,
      constantLocals: "all",
      headsShareScope: false,
      labelledDeclarations: false,
      casesInBlocks: true,
      loopNamesLivedOn: false,
      unions: true,
      storageReachesIn: false,
    },
    expressions: {
      ...plainExpressions,
      numberedComponents: true,
      constructors: false,
      vectorLiterals: true,
      vectorCasts: false,
      conversionFunctions: true,
      // OpenCL C 3.0 section 6.15.14.1: 0 where it was executed, and -1 otherwise.
      prints: new Map([["printf", { result: 0, messages: false }]]),
    },
  },
  writing: {
    typeName: types.spelled,
    // A kernel takes no bool (OpenCL C 3.0 section 6.11).
    specializationConstants: { boolAs: "u8" },
    enablingLine(atom) {
      const name = atom === "cl.subgroups" ? "khr_subgroups" : atom.match(/^cl\.(khr_\w+)$/)?.[1];
      return name === undefined ? undefined : `#pragma OPENCL EXTENSION cl_${name} : enable`;
    },
    coherentBuffers: "cl.coherent_buffers",
    volatileBuffers: true,
    boundsWorkgroups: false,
    sizeConstants: false,
    bufferTypes: "rows",
    anonymousMembers: false,
    openEnded: "structs",
    bufferLengths: "argument",
    checkedBuffers: false,
    packedVectors: false,
    aggregates: "structs",
    choosesBy: "no float",
    chosenAggregates: "structs",
    widestIndex: 64,
    placeParameters: false,
    outPlaces: "any",
    atomicComponents: false,
    bitcasts: { shapes: "any", packed: [], doubles: "whole" },
    constants: "C",
    refusedIndices: "written",
    laneMasks: "u32x4",
    prints: { name: "printf", messages: false, argument: printArgument },
  },
};
