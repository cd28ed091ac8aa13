/**
 * `size_t` values become 32-bit. Where only the value modulo 2^32 matters (conversions to 32 bits or less, indices that
 * are in bounds, sums and products of such) nothing is assumed. Where the value itself matters (comparisons, division,
 * shifts to the right, conversion to float) it must fit: ranges show that, or it is an assumption with its places. The
 * arithmetic that may break it says so (`relies`), so that a run that does has a finding.
 * A 64-bit integer the source declared as such keeps its width; where a `size_t` cannot be 32-bit (it holds a larger
 * number, such an integer's value, or lies in bytes that others read), all of them are 64-bit integers. Indices are 32-bit in any case.
 * Whether an index is in bounds only a run can tell, and not in 32 bits: for runs there are two other readings
 * (`SizeReading`), which `sim/counted-sizes.ts` chooses from.
 */
import type { Module } from "../ast/nodes.js";
import { isLaidOut, mentionsSize } from "./size-types.js";
import { narrowIndices } from "./narrow-indices.js";
import { type SizeReading, widened, narrowedSizes } from "./size-values.js";

export function narrowSizes(module: Module<"canonical">, reading: SizeReading = "narrow"): Module<"canonical"> {
  if (!mentionsSize(module)) return narrowIndices(module);
  const wide = reading === "wide" || isLaidOut(module);
  return narrowIndices(wide ? widened(module) : narrowedSizes(module, reading === "counted"));
}
