/** The printers of the C-like targets, functions of one type. */
import type { Module } from "./shared/tree.js";
import type { TargetDialect } from "../src/dialects/ids.js";
import { printGlsl } from "./glsl/printer.js";
import { printHlsl } from "./hlsl/printer.js";
import { printMsl } from "./msl/printer.js";
import { printOpencl } from "./opencl/printer.js";
import type { Printed } from "./shared/line-writer.js";

export type { OutputRange, Printed } from "./shared/line-writer.js";

export type Printer = (module: Module) => Printed;

export const printers: Readonly<Record<TargetDialect, Printer>> = {
  msl: printMsl,
  glsl: printGlsl,
  opencl: printOpencl,
  hlsl: printHlsl,
};
