/**
 * Buffers the target cannot bind as they are (`isBoundAsWords`). The buffer is words, addressed in bytes, laid out as
 * the source lays it out; parts of words as word-parts.ts has them. A buffer whose bytes are no whole number of words is
 * bound with its last word filled up.
 */
import { type Resource, type Variable, type VarId } from "../../ast/nodes.js";
import { isBoundAsWords } from "../interface/buffer-layouts.js";
import type { TextPass } from "../pass.js";
import { keepsObjects, keepsPointers } from "./atomic-words.js";
import { hasOwnUnions, viewedObjects, preparedForWords } from "./viewed-objects.js";
import { RawBuffers } from "./words-of-buffers.js";

export const rawBuffers: TextPass = {
  name: "raw-buffers",
  requires: ["sizes-settled"],
  run(module, context) {
    const raw = new Map<VarId, Resource>();
    for (const r of module.resources) {
      if (isBoundAsWords(r, module, context)) raw.set(r.variable, r);
    }
    const own = keepsObjects(module, context);
    const viewed = own || keepsPointers(module, context) ? new Map<VarId, Variable>() : viewedObjects(module, context);
    const none = raw.size + viewed.size === 0 && (own || !hasOwnUnions(module));
    if (none || context.problems.hasErrors) return module;
    const prepared = preparedForWords(module, viewed);
    return new RawBuffers(prepared.module, context, raw, prepared.objects).run();
  },
};
