/** OpenCL C 3.0 (C99). */
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
    conversions: {
      promotes: "small integers",
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
    systemFences: true,
    builtinOverloads: "ranks",
    widestVector: 16,
    matrices: "nothing",
  },
  words,
  reserved,
  reading: {
    contractionPragmas: wordSet("OPENCL STDC clang"),
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
      rangeFor: false,
      pointerSpaces: "inferred",
      openDimensions: "outermost",
      tags: true,
      overloads: false,
      staticLocals: "constants",
      constantLocals: "all",
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
    boundsWorkgroups: false,
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
  },
};
