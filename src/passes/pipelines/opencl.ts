/** What OpenCL C takes, in order, with the reason for each place. */
import { atomicAccess } from "../memory/atomic-access.js";
import { placeBuiltins } from "../interface/builtins.js";
import { caseBlocks } from "../control-flow/case-blocks.js";
import { deviceLimits } from "../interface/device-limits.js";
import { referencesToPointers } from "../pointers/references-to-pointers.js";
import { volatilePointers } from "../pointers/volatile-pointers.js";
import { globalsToParameters } from "../interface/globals.js";
import { arraysInConstantMemory, settleSizes } from "../interface/resources.js";
import { shapeBuffers } from "../interface/buffer-layouts.js";
import { assignSlots } from "../interface/assign-slots.js";
import { declareBeforeUse } from "../interface/declare-before-use.js";
import { contractionScopes } from "../values/contraction-scopes.js";
import { preciseTexts } from "../values/precise.js";
import { packedVectors } from "../memory/packed-vectors.js";
import { rawBuffers } from "../memory/raw-buffers.js";
import { valuesArePrivate } from "../pointers/references.js";
import { valuesElsewhere } from "../pointers/viewed-values.js";
import { valuePointers } from "../pointers/value-pointers.js";
import { arrayCopies } from "../values/types.js";
import { workgroupScope } from "../memory/workgroup-scope.js";
import { wordAddresses } from "../memory/word-addresses.js";
import { subgroupMatrices } from "../ops/subgroup-matrices.js";
import { pointersGivenAnew } from "../pointers/pointers-given-anew.js";
import { prints } from "../ops/prints.js";
import { plainVectors } from "../values/plain-vectors.js";
import type { TextPass } from "../pass.js";
import { bounds, chosen, first } from "./shared.js";
import { aggregates, matrices, operations, resourceValues, subgroups, withReferences } from "./shared-texts.js";

const passes: readonly TextPass[] = [
  ...chosen,
  // While expressions are as in the source.
  prints,
  subgroupMatrices,
  ...matrices,
  ...first,
  // While pointers are as in the source.
  pointersGivenAnew,
  // Before numbers that pointers lead to are put into constant memory.
  valuePointers,
  // What of those leads elsewhere, too.
  valuesElsewhere,
  arraysInConstantMemory,
  preciseTexts,
  valuesArePrivate,
  // Before it is asked whether pointers stay: they do where packed vectors are scalars.
  packedVectors,
  resourceValues,
  ...withReferences,
  settleSizes,
  // When elements are numbered, guards see the numbers.
  wordAddresses,
  ...bounds,
  rawBuffers,
  plainVectors,
  shapeBuffers,
  ...subgroups,
  ...operations,
  atomicAccess,
  deviceLimits,
  ...aggregates,
  arrayCopies,
  placeBuiltins,
  globalsToParameters,
  referencesToPointers,
  // When all that points to volatile objects is there.
  volatilePointers,
  // Again: lowerings, too, make what must not be contracted.
  preciseTexts,
  contractionScopes,
  declareBeforeUse,
  // Inlined kernels' and helpers' declarations are there.
  workgroupScope,
  caseBlocks,
  assignSlots,
];

export const opencl = (): readonly TextPass[] => passes;
