/** The lines before everything else: a pragma for each extension that the module uses, and whether operations are contracted. */
import type { Module } from "../shared/tree.js";
import { requiredFeatures, usedScalars } from "../shared/used-scalars.js";
import type { Contraction } from "../../src/ast/contraction.js";
import { enablingLines, storageNeeds, typeNeeds } from "../../src/ops/features.js";
import { scalar } from "../../src/types/types.js";

export const contractionLine = (state: Contraction): string =>
  `#pragma OPENCL FP_CONTRACT ${state === "off" ? "OFF" : "ON"}`;

export function preamble(module: Module): string[] {
  // A half is loaded by vload_half, and stored, without the extension; computing with halves needs it.
  const { used, stored } = usedScalars(module, (e) => e.type.kind === "struct" || e.type.kind === "array");
  const atoms = requiredFeatures(module);
  for (const k of used) {
    for (const atom of typeNeeds("opencl", scalar(k)).split(" ")) atoms.add(atom);
  }
  for (const k of stored) atoms.add(storageNeeds("opencl", k));
  const contraction = module.contraction === "off" ? [contractionLine("off")] : [];
  return [...enablingLines("opencl", atoms), ...contraction];
}
