/** The lines that every MSL file has after its own comment. */
import type { Module } from "../shared/tree.js";

export const preamble = (module: Module): readonly string[] => [
  "#include <metal_stdlib>",
  ...(module.specialNumbers ? ["#pragma METAL fp math_mode(safe)"] : []),
  ...(module.contraction === "off" ? ["#pragma METAL fp contract(off)"] : []),
  "using namespace metal;",
];
