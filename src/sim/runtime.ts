/**
 * What generated code runs on: `crosslane/runtime`. Everything here is deterministic: the same results on every machine.
 */
import { collectiveRoutines } from "./collectives/index.js";
import * as lanes from "./lane-routines.js";
import * as masks from "./operations.js";
import * as scalars from "./scalar-functions.js";
import * as values from "./values.js";

export { defineKernel, type Kernel, type KernelDescription, type ModuleLaunch as Launch } from "./kernel.js";
export type { Machine } from "./machine.js";
export * from "./lane-routines.js";
export * from "./operations.js";
export * from "./scalar-functions.js";
export * from "./values.js";

const names: Readonly<Record<string, unknown>> = { ...values, ...scalars, ...masks, ...lanes, ...collectiveRoutines };

/** The names generated code may use, with their values. */
export const runtimeNames = (): Readonly<Record<string, unknown>> => names;
