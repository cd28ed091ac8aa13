/** Buffers and objects by how the target lays them out: as they are, or as words. */
import { element, i32Literal } from "../../ast/builders.js";
import { variableOf } from "../../ast/lookup.js";
import type { Resource, Module, VarId, Variable } from "../../ast/nodes.js";
import { rewriteModule } from "../../ast/walk.js";
import { decideType } from "../../caps/decide.js";
import { writingFacts, languageFacts, bufferLayout } from "../../dialects/languages.js";
import { hasRuntimeTail, scalarsOf, scalarSize, layoutOf } from "../../types/layout.js";
import { type ScalarKind, scalar, bitWidth, array, type Type } from "../../types/types.js";
import { copiedByElements } from "../memory/array-loops.js";
import { atomicWords, keepsObjects, keepsPointers } from "../memory/atomic-words.js";
import { viewedTypes } from "../memory/viewed-objects.js";
import type { PassContext, TextPass } from "../pass.js";
import { bufferDifference } from "./layout-differences.js";

/**
 * Whether a buffer is words in the target, addressed in bytes and laid out as in the source: one the target would lay out
 * in another way (vectors of three components, matrices, doubles among smaller members); one that holds 8- or 16-bit
 * values the profile has no type for in memory, or bools of one byte; one that pointers to something else point into; one with matrices of
 * 16-bit components where compilers misplace their parts; one with atomics that act on words alone (atomic-words.ts); in HLSL one whose elements follow other members, or are larger than it takes. Between dialects with pointers none is
 * where all pointers are kept (`keepsPointers`).
 */

export function isBoundAsWords(r: Resource, module: Module, context: PassContext): boolean {
  const { target, profile } = context;
  if (target === "ts" || r.kind !== "buffer" || r.block?.kind === "uniform") return false;
  // Printed anew, a typed access to a raw buffer is one to its words.
  if (keepsObjects(module, context)) return !languageFacts[target].pointers && viewedTypes(module).has(r.variable);
  const { type } = variableOf(module, r.variable);
  const { openEnded, largestElement = Infinity } = writingFacts(target);
  if (openEnded === "nowhere" && hasRuntimeTail(type, module.structs)) return true;
  const one = type.kind === "array" ? type.element : type;
  if (largestElement < Infinity && layoutOf(one, bufferLayout(target), module.structs).size > largestElement)
    return true;
  const { pointers, misplacesNarrowMatrices } = languageFacts[target];
  if (misplacesNarrowMatrices && holdsNarrowMatrix(type, module.structs)) return true;
  if (keepsPointers(module, context)) return false;
  if (bufferDifference(r, module, target) !== undefined || viewedTypes(module).has(r.variable)) return true;
  if (atomicWords(module, context).has(r.variable)) return true;
  if (pointers) return false;
  const lacking = (k: ScalarKind, ...stored: ["stored"?]): boolean =>
    "refused" in decideType(scalar(k), target, profile, ...stored);
  return scalarsOf(type, module.structs).some((k) => {
    if (k === "bool") return scalarSize(k, bufferLayout(module.dialect)) !== scalarSize(k, bufferLayout(target));
    return bitWidth(k) < 32 && (lacking(k) || lacking(k, "stored"));
  });
}

const holdsNarrowMatrix = (type: Type, structs: Module["structs"]): boolean =>
  type.kind === "array"
    ? holdsNarrowMatrix(type.element, structs)
    : type.kind === "struct"
      ? structs.get(type.name)!.members.some((m) => holdsNarrowMatrix(m.type, structs))
      : type.kind === "matrix" && bitWidth(type.scalar) === 16;

/**
 * Buffers that hold one object or an array of fixed size become runtime-sized arrays where the target binds pointers or
 * structured buffers: `count` is then `count[0]`.
 */

export const shapeBuffers: TextPass = {
  name: "shape-buffers",
  requires: ["sizes-settled"],
  ensures: ["buffers-shaped"],
  run(module, context) {
    const { target, problems } = context;
    const { bufferTypes, largestElement = Infinity } = writingFacts(target);
    if (bufferTypes === "any") return module;
    const changed = new Map<VarId, Variable>();
    const wrapped = new Set<VarId>();
    for (const r of module.resources) {
      if (r.kind !== "buffer") continue;
      const v = variableOf(module, r.variable);
      if (v.type.kind === "array") {
        if (v.type.length !== undefined) changed.set(v.id, { ...v, type: array(v.type.element, undefined) });
        continue;
      }
      if (bufferTypes === "objects and rows") continue;
      const bytes = layoutOf(v.type, bufferLayout(target), module.structs).size;
      if (bytes > largestElement)
        problems.error(
          "XL4008",
          `the elements of a structured buffer have at most ${largestElement} bytes, ${v.name} would have ${bytes}`,
          v.span,
        );
      changed.set(v.id, { ...v, type: array(v.type, undefined) });
      wrapped.add(v.id);
    }
    if (changed.size === 0) return module;
    const lists = new Set([...changed.keys()].filter((id) => !wrapped.has(id)));
    const next = rewriteModule(copiedByElements(module, lists), {
      place(p) {
        if (p.kind !== "variable") return p;
        const v = changed.get(p.variable);
        if (!v) return p;
        const whole = { ...p, type: v.type };
        return wrapped.has(v.id) ? element(whole, i32Literal(0, p.span), p.span) : whole;
      },
    });
    return { ...next, variables: new Map([...next.variables, ...changed]) };
  },
};
