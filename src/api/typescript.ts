import type { Printed } from "../../emitters/index.js";
import type { Module } from "../ast/nodes.js";
export function printTypescript(module: Module<"legal">): Printed { throw new Error("not yet " + module.stage); }
