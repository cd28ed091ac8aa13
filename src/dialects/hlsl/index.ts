/** HLSL as DXC compiles it. */
import { plainExpressions, shadingDeclarations, shadingFamily } from "../shared.js";
import type { EvaluationOrder, ReadLanguage, WrittenLanguage } from "../language.js";
import { leastWaveSize } from "../../types/subgroup-width.js";
import { builtins } from "./builtins.js";
import { macros } from "./macros.js";
import { predeclared } from "./predeclared.js";
import { reserved } from "./reserved.js";
import { types } from "./types.js";
import { words } from "./words.js";

const asDxc: EvaluationOrder = {
  operands: "left to right",
  arguments: "right to left",
  argumentsRead: "in turn",
  assignment: "value first",
  indices: "right to left",
  placesOnce: false,
};

export const hlsl: ReadLanguage & WrittenLanguage = {
  facts: {
    ...shadingFamily,
    continuesLines: { blanks: true, trigraph: false },
    name: "HLSL",
    prefersSpecial: false,
    matricesByRows: true,
    vectorComparisons: "operators",
    matrixOperators: "componentwise",
    flatLists: true,
    enumerations: "kept",
    vectorConditions: "where eager",
    builtins: "parameters",
    looseUniforms: true,
    extension: "hlsl",
    openLiterals: true,
    byteAddressBuffers: true,
    order: asDxc,
    characters: "i32",
    buffers: "structured",
    slots: "registers",
    valueArguments: "constant buffers",
    floatToHalf: "open",
    globalsStart: "zero",
    arithmetic: {
      signedOverflow: "wraps",
      shiftCount: "modulo",
      signedShiftLeft: "bits",
      negativeRemainder: "truncates",
      unsignedDivisionByZero: "ones",
    },
    specialNumbers: {
      keptWith: {},
      widths: 0,
      assumed: "the text is compiled with -Gis, without which NaN, infinities and the signs of zeros may be lost",
    },
    conversions: {
      promotes: "bool",
      scalars: "any",
      vectors: "as scalars",
      shapes: "convert",
      splats: "everywhere",
      common: "the wider",
      ranksScalars: false,
      voidPointers: "none",
    },
    subgroupSize: {
      least: { size: leastWaveSize, message: `[WaveSize] takes ${leastWaveSize} and more` },
      one: { needs: "sm>=6.6", lacks: "[WaveSize(n)], which came with 6.6" },
      range: { needs: "sm>=6.8", lacks: "[WaveSize(min, max)], which came with 6.8" },
    },
    versions: "sm",
    scalars: { f16: "hlsl.native16", i16: "hlsl.native16", i8: "hlsl.no8bit", i64: "sm>=6.0", f64: "sm>=5.0" },
    storage: {},
    subgroupScalars: {},
    deviceFences: "coherent buffers",
    systemFences: false,
    builtinOverloads: "common type",
    widestVector: 4,
    matrices: "any",
  },
  words,
  reserved,
  reading: {
    macros,
    types,
    predeclared,
    nullNames: [],
    /** Without 16-bit types `1.0h` is a float. */
    floatSuffixes: new Map([
      ["", "f32"],
      ["f", "f32"],
      ["h", "f32"],
      ["l", "f64"],
    ]),
    builtins,
    directives: new Set(),
    files: "names",
    truthInConditions: true,
    marks: { maybe: /\[\s*numthreads\s*\(|\bRWStructuredBuffer\b|\bSV_\w+|\bcbuffer\b|\bgroupshared\b/ },
    entryPoint: {
      words: new Set(["numthreads"]),
      help: "the entry point has the attribute [numthreads(x, y, z)]",
      attributes: new Map([
        ["numthreads", "workgroup size"],
        ["WaveSize", "subgroup sizes"],
        ["shader", "stage"],
        ["RootSignature", "root signature"],
      ]),
      called: true,
    },
    declarations: {
      ...shadingDeclarations,
      openDimensions: "outermost",
      classes: "methods",
      staticLocals: "variables",
      loopNamesLivedOn: true,
      storageReachesIn: false,
      storagePragma: /pack_matrix\s*\(\s*(row|column)_major\s*\)/,
      specialization: {
        attribute: "vk::constant_id",
        called: "specialisation constant",
        defaults: "initialiser",
        vectors: false,
      },
      interfaceAttributes: /^vk::/,
    },
    expressions: {
      ...plainExpressions,
      scalarComponents: true,
      matrixElements: true,
      floatRemainder: true,
      shifts: "of the left",
      bestOverload: "all together",
    },
  },
  writing: {
    // A bool of a constant buffer has four bytes.
    specializationConstants: { boolAs: "u32" },
    boundsWorkgroups: false,
    bufferTypes: "rows",
    largestElement: 2048,
    openEnded: "nowhere",
    bufferLengths: "argument",
    checkedBuffers: true,
    packedVectors: false,
    aggregates: "none",
    choosesBy: "any number",
    chosenAggregates: "none",
    widestIndex: 64,
    placeParameters: true,
    outPlaces: "any",
    atomicComponents: true,
    bitcasts: { shapes: "same", packed: [], doubles: "words" },
    constants: "folded",
    refusedIndices: "folded",
    laneMasks: "u32x4",
  },
};
