/** The passes of each target, in order, with the reason for each place. */
import type { Dialect } from "../dialects/ids.js";
import { integerEdges } from "./arithmetic.js";
import { arrayResults } from "./array-results.js";
import { atomicTypes } from "./atomic-types.js";
import { atomicAccess } from "./atomic-access.js";
import { bareValues } from "./bare-values.js";
import { boundsGuards } from "./bounds-guards.js";
import { bufferLengths } from "./buffer-lengths.js";
import { computeBuiltins, placeBuiltins } from "./builtins.js";
import { caseBlocks } from "./case-blocks.js";
import { constantInitializers } from "./constant-initializers.js";
import { distinctCopies } from "./distinct-copies.js";
import { deviceLimits } from "./device-limits.js";
import { referencesToPointers } from "./decay.js";
import { gatherArguments } from "./gather-arguments.js";
import { selectEntries } from "./entries.js";
import { globalsToFileScope, globalsToParameters } from "./globals.js";
import {
  arraysInConstantMemory,
  assignSlots,
  checkLayouts,
  settleSizes,
  shapeBuffers,
  specializationsToValues,
} from "./interface.js";
import { endlessLoops } from "./endless-loops.js";
import { emulateSubgroups } from "./emulate/index.js";
import { legalizeOps } from "./legalize-ops.js";
import { outsideIndices } from "./outside-indices.js";
import { overflowChecks } from "./overflow-checks.js";
import { matrixElements } from "./matrix-elements.js";
import { lowerPointers } from "./pointers.js";
import { declareBeforeUse } from "./order.js";
import { preciseSums, preciseTexts } from "./precise.js";
import { rawBuffers } from "./raw-buffers.js";
import { copiesToReferences, valuesArePrivate } from "./references.js";
import { floatConstants } from "./float-constants.js";
import { floatVectorSteps } from "./float-steps.js";
import { lazyEffects, sequenceChoices, sequenceEffects } from "./sequence.js";
import { smallIntegers } from "./small-ints.js";
import { smallOperands } from "./small-operands.js";
import { startValues } from "./start-values.js";
import { zeroStatics } from "./statics.js";
import { steadyPlaces } from "./steady.js";
import {
  aggregateConditionals,
  aggregateValues,
  arrayCopies,
  boolOperators,
  checkTypes,
  laneNumbers,
} from "./types.js";
import { subgroupWidths } from "./subgroup-widths.js";
import { tidy } from "./tidy.js";
import { strictWaveIds } from "./wave-ids.js";
import type { Pass, TextPass } from "./pass.js";
import { unrollHints } from "./unroll.js";
import { lowerVotes } from "./votes.js";
import { wideSwitches } from "./wide-switches.js";

/**
 * First, for every target: what is translated at all, so that later passes report nothing about dropped kernels. Start
 * values come after specialization constants, which a target without them turns into values of the launch.
 */
const first: readonly Pass[] = [
  selectEntries,
  bareValues,
  subgroupWidths,
  zeroStatics,
  checkLayouts,
  specializationsToValues,
  constantInitializers,
  startValues,
  arraysInConstantMemory,
];

/**
 * While places are as in the source and arrays have their sizes; before buffers lose theirs, and are taken apart. What
 * later passes make is in bounds. Then lengths, those that guards ask for among them, become arguments.
 */
const bounds: readonly Pass[] = [boundsGuards, bufferLengths];

/** Targets without pointers. Early: what recipes and other passes then see are places in variables. */
const withoutPointers: readonly Pass[] = [lowerPointers];

/**
 * C and C++: what order they leave open is settled first, while calls still show what they copy back; then arrays
 * that are returned and copying parameters become references or pointers.
 */
const withReferences: readonly TextPass[] = [sequenceEffects, floatVectorSteps, arrayResults, copiesToReferences];

/**
 * Integer edges come before ops, because recipes are written for every target and need none of it; computed ids after
 * them, since ids are unsigned, and again after ops, whose recipes read ids. Places are steady before edges, which write
 * assignments out, and after ops, whose helpers may stand in indices. Votes become ballots before types are
 * checked, since there may be no 64-bit integers; so do small integers the target lacks become 32-bit ones.
 * Emulated subgroups leave ids and sizes to be computed, and workgroup ops. With strict, ids of waves are counted.
 */
export const operations: readonly TextPass[] = [
  lowerVotes,
  emulateSubgroups,
  strictWaveIds,
  laneNumbers,
  smallIntegers,
  checkTypes,
  steadyPlaces,
  integerEdges,
  computeBuiltins,
  legalizeOps,
  computeBuiltins,
  steadyPlaces,
  tidy,
];

/** Values the target has no expression for. After ops, whose recipes may make such values. */
const aggregates: readonly TextPass[] = [aggregateConditionals, aggregateValues];

export const pipelines: Readonly<Record<Dialect, readonly TextPass[]>> & { readonly ts: readonly Pass[] } = {
  msl: [
    ...first,
    ...withReferences,
    settleSizes,
    ...bounds,
    rawBuffers,
    shapeBuffers,
    ...operations,
    ...aggregates,
    // C copies no arrays; after aggregates, which leave copies of lists.
    arrayCopies,
    gatherArguments,
    // Ids are placed after ops: recipes read lane ids and sizes. Helpers they made are threaded like the source's.
    placeBuiltins,
    globalsToParameters,
    // After globals became parameters, arrays among them.
    referencesToPointers,
    // After globals became parameters, which carry the atomic types on.
    atomicTypes,
    preciseTexts,
    declareBeforeUse,
    // When all temporaries are there.
    caseBlocks,
    // Last, when all arguments are known.
    assignSlots,
  ],
  opencl: [
    ...first,
    preciseTexts,
    valuesArePrivate,
    ...withReferences,
    settleSizes,
    ...bounds,
    rawBuffers,
    shapeBuffers,
    ...operations,
    atomicAccess,
    deviceLimits,
    ...aggregates,
    arrayCopies,
    placeBuiltins,
    globalsToParameters,
    referencesToPointers,
    // Again: recipes, too, make what must not be contracted.
    preciseTexts,
    declareBeforeUse,
    caseBlocks,
    assignSlots,
  ],
  glsl: [
    ...first,
    ...withoutPointers,
    outsideIndices,
    sequenceChoices,
    settleSizes,
    ...bounds,
    rawBuffers,
    shapeBuffers,
    ...operations,
    atomicAccess,
    wideSwitches,
    // When sizes are settled and recipes have made what workgroup memory they need.
    deviceLimits,
    // After ops: recipes combine bools by `&` and `|`.
    boolOperators,
    // When recipes have made what they make.
    floatConstants,
    preciseSums,
    // When ops are as they are written.
    smallOperands,
    placeBuiltins,
    globalsToFileScope,
    declareBeforeUse,
    caseBlocks,
    assignSlots,
  ],
  hlsl: [
    ...first,
    unrollHints,
    endlessLoops,
    ...withoutPointers,
    outsideIndices,
    // While calls still show what they copy back, and operators are those of the source.
    sequenceEffects,
    lazyEffects,
    arrayResults,
    settleSizes,
    ...bounds,
    rawBuffers,
    shapeBuffers,
    matrixElements,
    ...operations,
    atomicAccess,
    deviceLimits,
    ...aggregates,
    // When all copies are there; then again the results, of functions that copy arrays.
    distinctCopies,
    arrayResults,
    preciseSums,
    placeBuiltins,
    globalsToFileScope,
    declareBeforeUse,
    caseBlocks,
    assignSlots,
  ],
  ts: [...first, ...withoutPointers, ...bounds, overflowChecks],
};
