/** The text of a legal module. */
import { printers, type Printed } from "../../emitters/index.js";
import type { Module } from "../ast/nodes.js";
import type { TargetDialect } from "../dialects/ids.js";
import { select } from "../passes/index.js";

export function printLegal(module: Module, target: TargetDialect): Printed {
  return printers[target](select(module));
}
