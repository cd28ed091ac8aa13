/** The passes of each target, in order, with the reason for each place. */
import type { TargetDialect } from "../dialects/ids.js";
import { integerEdges } from "./values/integer-edges.js";
import { arrayResults } from "./memory/array-results.js";
import { atomicTypes } from "./memory/atomic-types.js";
import { atomicAccess } from "./memory/atomic-access.js";
import { bareValues } from "./pointers/bare-values.js";
import { boundsGuards } from "./memory/bounds-guards.js";
import { bufferLengths } from "./interface/buffer-lengths.js";
import { computeBuiltins, placeBuiltins } from "./interface/builtins.js";
import { caseBlocks } from "./control-flow/case-blocks.js";
import { constantInitializers } from "./memory/constant-initializers.js";
import { distinctCopies } from "./memory/distinct-copies.js";
import { deviceLimits } from "./interface/device-limits.js";
import { referencesToPointers } from "./pointers/references-to-pointers.js";
import { gatherArguments } from "./interface/gather-arguments.js";
import { selectEntries } from "./interface/select-entries.js";
import { globalsToFileScope, globalsToParameters } from "./interface/globals.js";
import {
  arraysInConstantMemory,
  assignSlots,
  checkLayouts,
  settleSizes,
  shapeBuffers,
  specializationsToValues,
} from "./interface/resources.js";
import { endlessLoops } from "./control-flow/endless-loops.js";
import { emulateSubgroups } from "./emulate/index.js";
import { legalizeOps } from "./ops/legalize-ops.js";
import { outsideIndices } from "./memory/outside-indices.js";
import { overflowChecks } from "./values/overflow-checks.js";
import { minimumPrecision } from "./values/minimum-precision.js";
import { matrixElements } from "./memory/matrix-elements.js";
import { lowerPointers } from "./pointers/lower-pointers.js";
import { declareBeforeUse } from "./interface/declare-before-use.js";
import { preciseSums, preciseTexts } from "./values/precise.js";
import { rawBuffers } from "./memory/raw-buffers.js";
import { copiesToReferences, valuesArePrivate } from "./pointers/references.js";
import { floatConstants } from "./values/float-constants.js";
import { largeAngles } from "./values/large-angles.js";
import { floatVectorSteps } from "./values/float-steps.js";
import { lazyEffects, sequenceChoices, sequenceEffects } from "./control-flow/sequence.js";
import { smallIntegers } from "./values/small-integers.js";
import { smallOperands } from "./values/small-operands.js";
import { startValues } from "./memory/start-values.js";
import { zeroStatics } from "./memory/zero-statics.js";
import { steadyPlaces } from "./values/repeatable-places.js";
import {
  aggregateConditionals,
  aggregateValues,
  arrayCopies,
  boolOperators,
  checkTypes,
  laneNumbers,
} from "./values/types.js";
import { subgroupWidths } from "./interface/subgroup-widths.js";
import { tidy } from "./control-flow/tidy.js";
import { strictWaveIds } from "./ops/wave-ids.js";
import type { Pass, TextPass } from "./pass.js";
import { unrollHints } from "./control-flow/unroll-hints.js";
import { lowerVotes } from "./ops/lower-votes.js";
import { wideSwitches } from "./control-flow/wide-switches.js";

/**
 * First, for every target: what is translated at all, so that later passes report nothing about dropped kernels. Then what the
 * source computes in at least 16 bits, while values are as it has them. Start
 * values come after specialization constants, which a target without them turns into values of the launch.
 */
const first: readonly Pass[] = [
  selectEntries,
  bareValues,
  minimumPrecision,
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

/** Targets without pointers. Early: what lowerings and other passes then see are places in variables. */
const withoutPointers: readonly Pass[] = [lowerPointers];

/**
 * C and C++: what order they leave open is settled first, while calls still show what they copy back; then arrays
 * that are returned and copying parameters become references or pointers.
 */
const withReferences: readonly TextPass[] = [sequenceEffects, floatVectorSteps, arrayResults, copiesToReferences];

/**
 * Integer edges come before ops, because lowerings are written for every target and need none of it; computed ids after
 * them, since ids are unsigned, and again after ops, whose lowerings read ids. Places are steady before edges, which write
 * assignments out, and after ops, whose helpers may stand in indices. Votes become ballots before types are
 * checked, since there may be no 64-bit integers; so do small integers the target lacks become 32-bit ones.
 * Angles come before ops, whose lowerings make small ones. Emulated subgroups leave ids and sizes to be computed, and workgroup ops. With strict, ids of waves are counted.
 */
export const operations: readonly TextPass[] = [
  lowerVotes,
  emulateSubgroups,
  strictWaveIds,
  laneNumbers,
  smallIntegers,
  checkTypes,
  largeAngles,
  steadyPlaces,
  integerEdges,
  computeBuiltins,
  legalizeOps,
  computeBuiltins,
  steadyPlaces,
  tidy,
];

/** Values the target has no expression for. After ops, whose lowerings may make such values. */
const aggregates: readonly TextPass[] = [aggregateConditionals, aggregateValues];

export const pipelines: Readonly<Record<TargetDialect, readonly TextPass[]>> & { readonly ts: readonly Pass[] } = {
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
    // Ids are placed after ops: lowerings read lane ids and sizes. Helpers they made are threaded like the source's.
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
    // Again: lowerings, too, make what must not be contracted.
    preciseTexts,
    declareBeforeUse,
    caseBlocks,
    assignSlots,
  ],
  glsl: [
    ...first,
    ...withoutPointers,
    outsideIndices,
    // Calls read their arguments late.
    sequenceEffects,
    sequenceChoices,
    settleSizes,
    ...bounds,
    rawBuffers,
    shapeBuffers,
    ...operations,
    atomicAccess,
    wideSwitches,
    // When sizes are settled and lowerings have made what workgroup memory they need.
    deviceLimits,
    // After ops: lowerings combine bools by `&` and `|`.
    boolOperators,
    // When lowerings have made what they make.
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
