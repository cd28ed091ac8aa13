/** The text of a legal module. */
import { printers, type Printed } from "../../emitters/index.js";
import { requiredFeatures, usedScalars } from "../../emitters/shared/used-scalars.js";
import type { Module } from "../ast/nodes.js";
import type { TargetDialect } from "../dialects/ids.js";
import { select } from "../passes/index.js";
import type { ScalarKind } from "../types/types.js";

export function printLegal(module: Module, target: TargetDialect): Printed {
  return printers[target](select(module));
}

/** Extensions, and types that some languages or profiles lack, that the text of a legal module uses. */
export function optionalParts(module: Module): string[] {
  const tree = select(module);
  const { used, stored } = usedScalars(tree, () => true);
  return [...requiredFeatures(tree), ...[...used, ...stored].filter((kind) => !plainKinds.has(kind))];
}

const plainKinds: ReadonlySet<ScalarKind> = new Set(["bool", "i32", "u32", "f32"]);
