/**
 * Unions, where the target has none: words, and members that are views of them. `u.f` is what lies at the first byte of
 * `u.words`, as a float. Values are structs that hold the words, and go wherever structs go.
 */
import type { Pass } from "../pass.js";
import { Unions } from "./union-words.js";

export const lowerUnions: Pass = {
  name: "lower-unions",
  requires: ["no-pointers"],
  run(module, context) {
    const structs = [...module.structs.values()];
    if (!structs.some((s) => s.union || s.anonymous)) return module;
    return new Unions(module, context).run();
  },
};
