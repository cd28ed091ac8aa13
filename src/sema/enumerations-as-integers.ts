/** A checked module whose values of enumerations are integers: what tells them apart has decided what it decides. */
import type { Module } from "../ast/nodes.js";
import { withPlainTypes } from "../ast/plain-types.js";
import { enumerationOf } from "../types/types.js";

export const withoutEnumerations = (module: Module<"canonical">): Module<"canonical"> =>
  withPlainTypes(module, (type) => enumerationOf(type) !== undefined);
