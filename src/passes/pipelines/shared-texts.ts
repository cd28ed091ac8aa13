/** Stretches that pipelines of texts have in common, with the reason for each place. */
import { twoMemories } from "../pointers/two-memories.js";
import { integerEdges } from "../values/integer-edges.js";
import { arrayResults } from "../memory/array-results.js";
import { coherentBuffers } from "../interface/coherent-buffers.js";
import { computeBuiltins } from "../interface/builtins.js";
import { emulateSubgroups } from "../emulate/index.js";
import { legalizeOps } from "../ops/legalize-ops.js";
import { lowerPointers } from "../pointers/lower-pointers.js";
import { copiesToReferences } from "../pointers/references.js";
import { divideVectors } from "../values/divide-vectors.js";
import { largeAngles } from "../values/large-angles.js";
import { floatVectorSteps } from "../values/float-steps.js";
import { sequenceEffects } from "../control-flow/sequence.js";
import { smallIntegers } from "../values/small-integers.js";
import { matrixOperations } from "../values/matrix-operations.js";
import { matrixStructs } from "../values/matrix-structs.js";
import { viewedValues } from "../pointers/viewed-values.js";
import { unionDifference } from "../interface/layout-differences.js";
import type { Dialect } from "../../dialects/ids.js";
import { keepsPointers } from "../memory/atomic-words.js";
import { lowerUnions } from "../memory/lower-unions.js";
import { plainLoads } from "../memory/plain-loads.js";
import { sequentialOrder } from "../memory/sequential-order.js";
import { scalarSelects } from "../values/scalar-selects.js";
import { repeatablePlaces } from "../values/repeatable-places.js";
import { wideStructs } from "../values/wide-structs.js";
import { aggregateConditionals, aggregateValues, checkTypes, laneNumbers } from "../values/types.js";
import { tidy } from "../control-flow/tidy.js";
import { isOwnText } from "../../ast/lookup.js";
import type { Module } from "../../ast/nodes.js";
import { walkModule } from "../../ast/walk.js";
import { PassContext, type Pass, type TextPass } from "../pass.js";
import { lowerVotes } from "../ops/lower-votes.js";

/** Then matrices that the target does not have, before anything asks what an operation on them is. */
export const matrices: readonly TextPass[] = [matrixOperations, matrixStructs];

/** Targets without long vectors, before anything else: what comes after sees structs, and vectors of four. */
export const shortVectors: readonly TextPass[] = [divideVectors, wideStructs];

/**
 * Sources without pointers have them only where resources are values: each use is then of the resource itself. With pointers it is so where
 * objects have to be words, unions among them that the target would lay out in another way. Under --strict it is where they are followed, as far
 * as they can be led back: of an object it can be asked where it ends.
 */
export const resourceValues: Pass = {
  name: "resource-values",
  requires: ["entries-selected"],
  run(module, context) {
    const led = (by: PassContext): Module => {
      const places = lowerPointers.run(viewedValues.run(module, by), by);
      return unionDifference(module, context.target as Dialect) ? lowerUnions.run(places, by) : places;
    };
    if (!keepsPointers(module, context)) return led(context);
    if (!context.options.strict || isOwnText(module, context.target) || !followsPointers(module)) return module;
    const trial = new PassContext(context.target, context.profile, context.options);
    led(trial);
    return trial.problems.hasErrors ? module : led(context);
  },
};

function followsPointers(module: Module): boolean {
  let found = false;
  walkModule(module, { place: (p) => void (found ||= p.kind === "deref") });
  return found;
}

/**
 * C and C++: what order they leave open is settled first, while calls still show what they copy back; then arrays
 * that are returned and copying parameters become references or pointers.
 */
export const withReferences: readonly TextPass[] = [
  // Before anything asks what pointers point to.
  twoMemories,
  sequenceEffects,
  floatVectorSteps,
  arrayResults,
  copiesToReferences,
];

/**
 * Votes become ballots before types are checked, since there may be no 64-bit integers. Emulated subgroups leave ids and sizes
 * to be computed, and workgroup ops.
 */
export const subgroups: readonly TextPass[] = [lowerVotes, emulateSubgroups];

/**
 * Integer edges come before ops, because lowerings are written for every target and need none of it; computed ids after
 * them, since ids are unsigned, and again after ops, whose lowerings read ids. Places can be repeated before small integers and edges,
 * which write assignments out, and again after ops, whose helpers may stand in indices. Small integers the target lacks become 32-bit ones before types are checked. Angles and selections come before ops, whose lowerings make
 * small ones, and selections of their own.
 */
export const operations: readonly TextPass[] = [
  // While buffers are coherent that the source calls so, not those that fences of the target need.
  coherentBuffers,
  laneNumbers,
  repeatablePlaces,
  smallIntegers,
  checkTypes,
  largeAngles,
  scalarSelects,
  integerEdges,
  computeBuiltins,
  // When places are those of variables, which tell objects apart.
  sequentialOrder,
  plainLoads,
  legalizeOps,
  computeBuiltins,
  repeatablePlaces,
  tidy,
];

/** Values the target has no expression for. After ops, whose lowerings may make such values. */
export const aggregates: readonly TextPass[] = [aggregateConditionals, aggregateValues];
