/** The lines that every MSL file has after its own comment. */
import type { Module } from "../shared/tree.js";
import { requiredFeatures } from "../shared/used-scalars.js";
import type { Contraction } from "../../src/ast/contraction.js";
import { enablingLines } from "../../src/ops/features.js";

export const contractionLine = (state: Contraction): string =>
  `#pragma METAL fp contract(${state === "off" ? "off" : "on"})`;

export const preamble = (module: Module): readonly string[] => [
  "#include <metal_stdlib>",
  ...enablingLines("msl", requiredFeatures(module)),
  ...(module.specialNumbers ? ["#pragma METAL fp math_mode(safe)"] : []),
  ...(module.contraction === "off" ? [contractionLine("off")] : []),
  "using namespace metal;",
];
