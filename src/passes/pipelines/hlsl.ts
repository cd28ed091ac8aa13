/** What HLSL takes, in order, with the reason for each place. */
import { arrayResults } from "../memory/array-results.js";
import { atomicAccess } from "../memory/atomic-access.js";
import { asyncCopies } from "../ops/async-copies.js";
import { expectedApart } from "../memory/expected-apart.js";
import { returnedZeros } from "../control-flow/returned-zeros.js";
import { placeBuiltins } from "../interface/builtins.js";
import { caseBlocks } from "../control-flow/case-blocks.js";
import { distinctCopies } from "../memory/distinct-copies.js";
import { deviceLimits } from "../interface/device-limits.js";
import { globalsToFileScope } from "../interface/globals.js";
import { settleSizes } from "../interface/resources.js";
import { shapeBuffers } from "../interface/buffer-layouts.js";
import { assignSlots } from "../interface/assign-slots.js";
import { endlessLoops } from "../control-flow/endless-loops.js";
import { forwardedValues } from "../values/forwarded-values.js";
import { outsideIndices } from "../memory/outside-indices.js";
import { matrixElements } from "../memory/matrix-elements.js";
import { declareBeforeUse } from "../interface/declare-before-use.js";
import { preciseSums } from "../values/precise.js";
import { unsetParts } from "../memory/unset-parts.js";
import { rawBuffers } from "../memory/raw-buffers.js";
import { lazyEffects, sequenceEffects } from "../control-flow/sequence.js";
import { subgroupMatrices } from "../ops/subgroup-matrices.js";
import { volatileObjects } from "../pointers/volatile-objects.js";
import { prints } from "../ops/prints.js";
import { plainVectors } from "../values/plain-vectors.js";
import { reassociation } from "../values/reassociation.js";
import type { TextPass } from "../pass.js";
import { unrollHints } from "../control-flow/unroll-hints.js";
import { strictWaveIds } from "../ops/wave-ids.js";
import { bounds, chosen, first, withoutPointers } from "./shared.js";
import { aggregates, operations, shortVectors, subgroups } from "./shared-texts.js";

const passes: readonly TextPass[] = [
  ...chosen,
  // While expressions are as in the source.
  prints,
  // While elements are as wide as in the source.
  asyncCopies,
  // While pointers are as in the source, before anything asks which objects atomics act on.
  expectedApart,
  returnedZeros,
  subgroupMatrices,
  ...shortVectors,
  // Before what the source says of special numbers is dropped.
  reassociation,
  ...first,
  unrollHints,
  endlessLoops,
  // While there are pointers: what those to volatile lead to need not be.
  volatileObjects,
  ...withoutPointers,
  // When objects that nothing writes are passed by value.
  forwardedValues,
  outsideIndices,
  // While calls still show what they copy back, and operators are those of the source.
  sequenceEffects,
  lazyEffects,
  arrayResults,
  settleSizes,
  ...bounds,
  rawBuffers,
  // Then again, of objects that have become words.
  outsideIndices,
  plainVectors,
  shapeBuffers,
  matrixElements,
  ...subgroups,
  // With strict, ids of waves are counted: those that emulation leaves.
  strictWaveIds,
  ...operations,
  atomicAccess,
  deviceLimits,
  ...aggregates,
  // When all copies are there; then again the results, of functions that copy arrays.
  distinctCopies,
  arrayResults,
  unsetParts,
  preciseSums,
  placeBuiltins,
  globalsToFileScope,
  declareBeforeUse,
  caseBlocks,
  assignSlots,
];

export const hlsl = (): readonly TextPass[] => passes;
