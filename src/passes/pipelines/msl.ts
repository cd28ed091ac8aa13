/** What MSL takes, in order, with the reason for each place. */
import { atomicStructs } from "../memory/atomic-structs.js";
import { atomicTypes } from "../memory/atomic-types.js";
import { asyncCopies } from "../ops/async-copies.js";
import { expectedApart } from "../memory/expected-apart.js";
import { returnedZeros } from "../control-flow/returned-zeros.js";
import { placeBuiltins } from "../interface/builtins.js";
import { caseBlocks } from "../control-flow/case-blocks.js";
import { referencesToPointers } from "../pointers/references-to-pointers.js";
import { volatilePointers } from "../pointers/volatile-pointers.js";
import { volatileStructs } from "../pointers/volatile-structs.js";
import { gatherArguments } from "../interface/gather-arguments.js";
import { globalsToParameters } from "../interface/globals.js";
import { settleSizes } from "../interface/resources.js";
import { shapeBuffers } from "../interface/buffer-layouts.js";
import { assignSlots } from "../interface/assign-slots.js";
import { declareBeforeUse } from "../interface/declare-before-use.js";
import { contractionScopes } from "../values/contraction-scopes.js";
import { preciseTexts } from "../values/precise.js";
import { helperReassociation, reassociation } from "../values/reassociation.js";
import { rawBuffers } from "../memory/raw-buffers.js";
import { arrayCopies } from "../values/types.js";
import { wordAddresses } from "../memory/word-addresses.js";
import { subgroupMatrices } from "../ops/subgroup-matrices.js";
import { pointersGivenAnew } from "../pointers/pointers-given-anew.js";
import { prints } from "../ops/prints.js";
import type { TextPass } from "../pass.js";
import { bounds, chosen, first } from "./shared.js";
import {
  aggregates,
  matrices,
  operations,
  resourceValues,
  shortVectors,
  subgroups,
  withReferences,
} from "./shared-texts.js";

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
  // While pointers are as in the source.
  pointersGivenAnew,
  resourceValues,
  ...withReferences,
  settleSizes,
  // When elements are numbered, guards see the numbers.
  wordAddresses,
  ...bounds,
  rawBuffers,
  shapeBuffers,
  ...subgroups,
  ...operations,
  // When ops are lowered.
  helperReassociation,
  ...aggregates,
  // C copies no arrays; after aggregates, which leave copies of lists.
  arrayCopies,
  gatherArguments,
  // Ids are placed after ops: lowerings read lane ids and sizes. Helpers they made are threaded like the source's.
  placeBuiltins,
  globalsToParameters,
  // After globals became parameters, arrays among them.
  referencesToPointers,
  // When all that points to volatile objects is there.
  volatilePointers,
  volatileStructs,
  // After globals became parameters, which carry the atomic types on.
  atomicStructs,
  atomicTypes,
  preciseTexts,
  contractionScopes,
  declareBeforeUse,
  // When all temporaries are there.
  caseBlocks,
  // Last, when all arguments are known.
  assignSlots,
];

export const msl = (): readonly TextPass[] => passes;
