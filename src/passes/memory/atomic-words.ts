/**
 * Objects with atomics that the target has on words alone: floats that are compared where it compares integers, halves and bools,
 * which are parts of words, and where it has pointers, components of vectors, whose address cannot be taken. Such buffers and arrays are
 * words (raw-buffers.ts).
 */
import { isOwnText } from "../../ast/lookup.js";
import { familyOf, opId } from "../../ast/op-ids.js";
import { rootVariable } from "../../ast/builders.js";
import type { Module, OpCall, OpId, Place, Resource, VarId } from "../../ast/nodes.js";
import { walkModule } from "../../ast/walk.js";
import { decide } from "../../caps/decide.js";
import type { Dialect, TargetDialect } from "../../dialects/ids.js";
import { languageFacts } from "../../dialects/languages.js";
import type { Profile } from "../../ast/profile.js";
import type { OpUse } from "../../ops/row.js";
import { useOf } from "../../ops/use-of.js";
import { bufferDifference, castDifference } from "../interface/layout-differences.js";
import type { PassContext } from "../pass.js";

/** What lowerings put in the place of an atomic, as far as it asks for more of the target. */
const inside: Readonly<Record<string, readonly OpId[]>> = {
  "expected-by-compare": [opId("atomic.compare_exchange")],
  "exchange-loop": [opId("atomic.load"), opId("atomic.compare_exchange")],
  "atomic-sub": [opId("atomic.add")],
};

/** Whether the target acts on the words of such an object, and not on the object. */
function actsOnWords(use: OpUse, context: PassContext): boolean {
  const decision = decide(use, context.target as TargetDialect, context.profile);
  if (decision.kind !== "lowering") return false;
  if (decision.lowering === "object-in-words") return true;
  const { order: _order, failureOrder: _failure, ...relaxed } = use;
  if (decision.lowering === "order-by-fences") return actsOnWords(relaxed, context);
  return (inside[decision.lowering] ?? []).some((op) => actsOnWords(operandsOf(op, use), context));
}

function operandsOf(op: OpId, use: OpUse): OpUse {
  const type = use.placeTypes[0]!;
  const count = op === "atomic.load" ? 0 : op === "atomic.compare_exchange" ? 2 : 1;
  const operandTypes = Array.from({ length: count }, () => type);
  return { ...use, op, operandTypes, constants: operandTypes.map(() => undefined), placeTypes: [type], result: type };
}

export const isComponent = (p: Place): boolean =>
  p.kind === "swizzle" || (p.kind === "element" && p.base.type.kind === "vector");

/** The variables of such objects; pointers lead to none. */
export function atomicWords(module: Module, context: PassContext): ReadonlySet<VarId> {
  const byProfile = known.get(module) ?? new Map<Profile | undefined, ReadonlySet<VarId>>();
  known.set(module, byProfile);
  let found = byProfile.get(context.profile);
  if (!found) {
    const { pointers } = languageFacts[context.target as Dialect];
    const roots = new Set<VarId>();
    const act = (e: OpCall, p: Place): boolean =>
      (pointers && isComponent(p)) || actsOnWords(useOf(e, false, false, module.variables), context);
    walkModule(module, {
      expr: (e) => {
        if (e.kind !== "op" || familyOf(e.op) !== "atomic") return;
        const root = e.places[0] && rootVariable(e.places[0]);
        if (root !== undefined && !roots.has(root) && act(e, e.places[0]!)) roots.add(root);
      },
    });
    byProfile.set(context.profile, (found = roots));
  }
  return found;
}

/**
 * Pointers of the source stay pointers: the target has them as well, it lays out what they lead to as the source does, and no atomic
 * acts on a part of a word, either of which takes an object that is declared as words.
 */
export function keepsPointers(module: Module, context: PassContext): boolean {
  const { pointers } = languageFacts[context.target as Dialect];
  if (!pointers || !languageFacts[module.dialect].pointers) return false;
  if (isOwnText(module, context.target)) return keepsObjects(module, context);
  const byProfile = keeping.get(module) ?? new Map<Profile | undefined, boolean>();
  keeping.set(module, byProfile);
  let keeps = byProfile.get(context.profile);
  if (keeps === undefined) {
    const target = context.target as Dialect;
    const differs = (r: Resource): boolean => bufferDifference(r, module, target) !== undefined;
    let found = module.resources.some((r) => r.kind === "buffer" && differs(r));
    walkModule(module, {
      expr: (e) => {
        if (found) return;
        found =
          e.kind === "op" && familyOf(e.op) === "atomic"
            ? actsOnWords(useOf(e, false, false, module.variables), context)
            : castDifference(e, module, target) !== undefined;
      },
      // What is left of pointers that were led back to objects.
      place: (p) => void (found ||= p.kind === "view"),
    });
    byProfile.set(context.profile, (keeps = !found));
  }
  return keeps;
}

/**
 * The source's own text has its objects as they are, but where an atomic acts on words alone (OpenCL C reads those on halves, which few
 * devices have), and where types as they are written lie elsewhere (a vector of OpenCL C that begins at any of its components).
 */
export function keepsObjects(module: Module, context: PassContext): boolean {
  if (!isOwnText(module, context.target)) return false;
  const byProfile = ownObjects.get(module) ?? new Map<Profile | undefined, boolean>();
  ownObjects.set(module, byProfile);
  let keeps = byProfile.get(context.profile);
  if (keeps === undefined) {
    const target = context.target as Dialect;
    const { pointers } = languageFacts[target];
    let found = pointers && module.resources.some((r) => r.kind === "buffer" && bufferDifference(r, module, target));
    walkModule(module, {
      expr: (e) => {
        if (found) return;
        found =
          e.kind === "op" && familyOf(e.op) === "atomic"
            ? actsOnWords(useOf(e, false, false, module.variables), context)
            : pointers && castDifference(e, module, target) !== undefined;
      },
    });
    byProfile.set(context.profile, (keeps = !found));
  }
  return keeps;
}
const ownObjects = new WeakMap<Module, Map<Profile | undefined, boolean>>();
const keeping = new WeakMap<Module, Map<Profile | undefined, boolean>>();

/** Asked for each buffer; a module never changes. */
const known = new WeakMap<Module, Map<Profile | undefined, ReadonlySet<VarId>>>();
