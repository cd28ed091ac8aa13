/** Vectors that are longer than the target's. */
import type { Module } from "../../ast/nodes.js";
import type { TargetDialect } from "../../dialects/ids.js";
import { languageFacts } from "../../dialects/languages.js";
import { mentionsType } from "../analysis/mentions-type.js";

/** The components of a part. */
export const partSize = 4;

/** Whether a module has vectors that a target has only in parts. */
export const hasLongVectors = (module: Module, target: TargetDialect): boolean =>
  languageFacts[target].widestVector <= partSize &&
  mentionsType(module, (type) => type.kind === "vector" && type.size > partSize);
