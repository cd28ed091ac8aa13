/** Stretches that the pipelines of all targets have in common, with the reason for each place. */
import { bfloats } from "../values/bfloats.js";
import { bareValues } from "../pointers/bare-values.js";
import { boundsGuards } from "../memory/bounds-guards.js";
import { bufferLengths } from "../interface/buffer-lengths.js";
import { constantInitializers } from "../memory/constant-initializers.js";
import { reachedOnly } from "../interface/reached-only.js";
import { selectEntries } from "../interface/select-entries.js";
import { bindAlways, specializationsToValues } from "../interface/resources.js";
import { preciseFunctions } from "../values/precise.js";
import { minimumPrecision } from "../values/minimum-precision.js";
import { lowerUnions } from "../memory/lower-unions.js";
import { pointersGivenAnew } from "../pointers/pointers-given-anew.js";
import { viewedValues } from "../pointers/viewed-values.js";
import { lowerPointers } from "../pointers/lower-pointers.js";
import { doubleConstants } from "../values/float-constants.js";
import { specialNumbers } from "../values/special-numbers.js";
import { startValues } from "../memory/start-values.js";
import { zeroStatics } from "../memory/zero-statics.js";
import { subgroupWidths } from "../interface/subgroup-widths.js";
import { withoutAddresses } from "../interface/without-addresses.js";
import type { Pass } from "../pass.js";

/** First, for every target: what is translated at all, so that later passes report nothing about dropped kernels, or about bytes that nothing reads. */
export const chosen: readonly Pass[] = [selectEntries, reachedOnly, withoutAddresses];

/**
 * Then, for every target, bfloats of a target without them, before anything asks how wide or of what kind a value is; what the source computes in at least 16 bits, and where it tells NaN and such from others, while values
 * are as it has them. Start values come after specialization constants, which a target without them turns into values of the launch.
 */
export const first: readonly Pass[] = [
  // While variables are precise that the source calls so, not those of lowerings.
  preciseFunctions,
  bfloats,
  doubleConstants,
  specialNumbers,
  bareValues,
  minimumPrecision,
  subgroupWidths,
  zeroStatics,
  bindAlways,
  specializationsToValues,
  constantInitializers,
  startValues,
];

/**
 * While places are as in the source and arrays have their sizes; before buffers lose theirs, and are taken apart. What
 * later passes make is in bounds. Then lengths, those that guards ask for among them, become arguments.
 */
export const bounds: readonly Pass[] = [boundsGuards, bufferLengths];

/** Targets without pointers, and unions, whose members pointers lead to before. Early: what lowerings and other passes then see are places in variables. */
export const withoutPointers: readonly Pass[] = [pointersGivenAnew, viewedValues, lowerPointers, lowerUnions];
