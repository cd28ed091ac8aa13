/** The passes of each target, in order, with the reason for each place. */
import type { Target } from "../dialects/ids.js";
import { atomicTypes } from "./atomic-types.js";
import { computeBuiltins, placeBuiltins } from "./builtins.js";
import { selectEntries } from "./entries.js";
import { globalsToFileScope, globalsToParameters } from "./globals.js";
import { assignSlots, checkLayouts, settleSizes, shapeBuffers } from "./interface.js";
import { legalizeOps } from "./legalize-ops.js";
import { lowerPointers } from "./pointers.js";
import { copiesToReferences } from "./references.js";
import type { Pass } from "./pass.js";

/** First, for every target: what is translated at all, so that later passes report nothing about dropped kernels. */
const first: readonly Pass[] = [selectEntries, checkLayouts];

/** Targets without pointers. Early: what recipes and other passes then see are places in variables. */
const withoutPointers: readonly Pass[] = [lowerPointers];

/** Targets with references or pointers, where copying parameters become those. */
const withReferences: readonly Pass[] = [copiesToReferences];

export const pipelines: Readonly<Record<Target, readonly Pass[]>> = {
  msl: [
    ...first,
    ...withReferences,
    settleSizes,
    shapeBuffers,
    // Ids become values before globals are threaded: a computed id may read a derived argument.
    computeBuiltins,
    // Ops before builtins are placed: recipes read lane ids and sizes. Helpers they make are threaded like the source's.
    legalizeOps,
    computeBuiltins,
    placeBuiltins,
    globalsToParameters,
    // After globals became parameters, which carry the atomic types on.
    atomicTypes,
    // Last, when all arguments are known.
    assignSlots,
  ],
  opencl: [...first, ...withReferences, settleSizes, shapeBuffers, computeBuiltins, legalizeOps, computeBuiltins, placeBuiltins, globalsToParameters, assignSlots],
  glsl: [...first, ...withoutPointers, settleSizes, shapeBuffers, computeBuiltins, legalizeOps, computeBuiltins, placeBuiltins, globalsToFileScope, assignSlots],
  hlsl: [...first, ...withoutPointers, settleSizes, shapeBuffers, computeBuiltins, legalizeOps, computeBuiltins, placeBuiltins, globalsToFileScope, assignSlots],
  ts: [...first, ...withoutPointers],
};
