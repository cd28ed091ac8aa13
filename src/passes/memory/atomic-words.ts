/**
 * Objects with atomics that the target has on words alone: floats that are compared where it compares integers, halves and bools,
 * which are parts of words, and where it has pointers, components of vectors, whose address cannot be taken. Such buffers and arrays are
 * words (raw-buffers.ts).
 */
import { isOwnText } from "../../ast/lookup.js";
import { familyOf, opId } from "../../ast/op-ids.js";
import { rootVariable } from "../../ast/builders.js";
import type { Module, OpCall, OpId, Place, VarId } from "../../ast/nodes.js";
import { walkModule } from "../../ast/walk.js";
import { decide } from "../../caps/decide.js";
import type { Dialect, TargetDialect } from "../../dialects/ids.js";
import { languageFacts } from "../../dialects/languages.js";
import type { Profile } from "../../ast/profile.js";
import type { OpUse } from "../../ops/row.js";
import { useOf } from "../../ops/use-of.js";
import { bufferDifference, castDifference, unionDifference } from "../interface/layout-differences.js";
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

/** Asked for each buffer; a module never changes. */
function remembered<T>(ask: (module: Module, context: PassContext) => T): typeof ask {
  const known = new WeakMap<Module, Map<Profile | undefined, T>>();
  return (module, context) => {
    const byProfile = known.get(module) ?? new Map<Profile | undefined, T>();
    known.set(module, byProfile);
    if (!byProfile.has(context.profile)) byProfile.set(context.profile, ask(module, context));
    return byProfile.get(context.profile)!;
  };
}

/** The variables of such objects; pointers lead to none. */
export const atomicWords = remembered((module, context): ReadonlySet<VarId> => {
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
  return roots;
});

/**
 * Whether an atomic acts on the words of an object, or what is at an address differs: `asTypes` where types are written that the target
 * could lay out in another way than the source.
 */
function actsOtherwise(module: Module, context: PassContext, asTypes: boolean): boolean {
  const target = context.target as Dialect;
  let found =
    asTypes &&
    (unionDifference(module, target) !== undefined ||
      module.resources.some((r) => r.kind === "buffer" && bufferDifference(r, module, target)));
  walkModule(module, {
    expr: (e) => {
      if (found) return;
      found =
        e.kind === "op" && familyOf(e.op) === "atomic"
          ? actsOnWords(useOf(e, false, false, module.variables), context)
          : asTypes && castDifference(e, module, target) !== undefined;
    },
  });
  return found;
}

/** Pointers that were led back to objects are views of them. */
function hasViews(module: Module): boolean {
  let found = false;
  walkModule(module, { place: (p) => void (found ||= p.kind === "view") });
  return found;
}

/**
 * Pointers of the source stay pointers: the target has them as well, it lays out what they lead to as the source does, and no atomic
 * acts on a part of a word, either of which takes an object that is declared as words.
 */
export const keepsPointers = remembered((module, context): boolean => {
  const { pointers } = languageFacts[context.target as Dialect];
  if (!pointers || !languageFacts[module.dialect].pointers) return false;
  if (isOwnText(module, context.target)) return keepsObjects(module, context);
  return !actsOtherwise(module, context, true) && !hasViews(module);
});

/**
 * The source's own text has its objects as they are, but where an atomic acts on words alone (OpenCL C reads those on halves, which few
 * devices have), where types as they are written lie elsewhere (a vector of OpenCL C that begins at any of its components), and where
 * pointers into two memories were led back to objects that they look at as something else.
 */
export const keepsObjects = remembered(
  (module, context): boolean =>
    isOwnText(module, context.target) &&
    !actsOtherwise(module, context, languageFacts[context.target as Dialect].pointers) &&
    !hasViews(module),
);
