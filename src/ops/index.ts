/** The capability table: rows, recognition, spelling. */
export { rows, row, allRows } from "./table.js";
export { keepsPrecision } from "./resolve-hlsl.js";
export { builtinNames, isBuiltinName, resolveBuiltin, type Resolution } from "./resolve.js";
export { matchCell, requirements, signatureOf, spell, spellCell, variableOf, type Matched } from "./spell.js";
export { enablingLine, satisfied, subgroupTypeNeeds, typeNeeds } from "./features.js";
export { fuseBarriers, globalInstructions, withoutCoherentViews } from "./barriers.js";
export { isBarrierName, resolveBarrier, type ResolvedBarrier } from "./read-barriers.js";
export { instructionsOf, writeBarrier, type WrittenBarrier } from "./write-barriers.js";
export {
  idOfAttribute,
  idOfGlslVariable,
  idOfHlslFunction,
  idOfOpenclFunction,
  idOfSemantic,
  idRow,
  idRows,
  type IdFallback,
  type IdRow,
} from "./ids.js";
export { predeclaredVariable } from "./variables.js";
export { coerce, maskOf, truthOf } from "./coerce.js";
