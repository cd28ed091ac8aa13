/** What GLSL takes, in order, with the reason for each place. */
import { atomicAccess } from "../memory/atomic-access.js";
import { asyncCopies } from "../ops/async-copies.js";
import { expectedApart } from "../memory/expected-apart.js";
import { returnedZeros } from "../control-flow/returned-zeros.js";
import { placeBuiltins } from "../interface/builtins.js";
import { caseBlocks } from "../control-flow/case-blocks.js";
import { deviceLimits } from "../interface/device-limits.js";
import { globalsToFileScope } from "../interface/globals.js";
import { settleSizes } from "../interface/resources.js";
import { shapeBuffers } from "../interface/buffer-layouts.js";
import { assignSlots } from "../interface/assign-slots.js";
import { forwardedValues } from "../values/forwarded-values.js";
import { outsideIndices } from "../memory/outside-indices.js";
import { declareBeforeUse } from "../interface/declare-before-use.js";
import { preciseSums } from "../values/precise.js";
import { rawBuffers } from "../memory/raw-buffers.js";
import { floatConstants } from "../values/float-constants.js";
import { sequenceChoices, sequenceEffects } from "../control-flow/sequence.js";
import { smallOperands } from "../values/small-operands.js";
import { aggregateConditionals, boolOperators } from "../values/types.js";
import { wordAddresses } from "../memory/word-addresses.js";
import { subgroupMatrices } from "../ops/subgroup-matrices.js";
import { volatileObjects } from "../pointers/volatile-objects.js";
import { prints } from "../ops/prints.js";
import { plainVectors } from "../values/plain-vectors.js";
import { reassociation } from "../values/reassociation.js";
import type { TextPass } from "../pass.js";
import { wideSwitches } from "../control-flow/wide-switches.js";
import { bounds, chosen, first, withoutPointers } from "./shared.js";
import { matrices, operations, shortVectors, subgroups } from "./shared-texts.js";

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
  ...matrices,
  ...shortVectors,
  // Before what the source says of special numbers is dropped.
  reassociation,
  ...first,
  // While there are pointers: what those to volatile lead to need not be.
  volatileObjects,
  ...withoutPointers,
  // When objects that nothing writes are passed by value.
  forwardedValues,
  outsideIndices,
  // Calls read their arguments late.
  sequenceEffects,
  sequenceChoices,
  settleSizes,
  // When elements are numbered, guards see the numbers.
  wordAddresses,
  ...bounds,
  rawBuffers,
  // Then again, of objects that have become words.
  outsideIndices,
  plainVectors,
  shapeBuffers,
  ...subgroups,
  ...operations,
  atomicAccess,
  wideSwitches,
  // When sizes are settled and lowerings have made what workgroup memory they need.
  deviceLimits,
  aggregateConditionals,
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
];

export const glsl = (): readonly TextPass[] => passes;
