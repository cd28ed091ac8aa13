/**
 * Pointers that are members of structs become variables of their own, beside the object they lie in: what follows knows
 * pointers as variables and parameters only, and finds out where those point. A function that reads such members gets them
 * as parameters; one that moves them, or returns an object that has some, is put in the place of its calls (inline-calls.ts).
 */
import { type Module, type Variable } from "../ast/nodes.js";
import { type AddressedBuffers } from "./addressed-buffers.js";
import { isPointerToPointer } from "./chosen-pointers.js";
import { isByReference, type Refuse } from "./inline-calls.js";
import { withLinkedObjects } from "./linked-objects.js";
import { Shapes } from "./pointer-shapes.js";
import { isArrayOfPointers } from "../types/types.js";
import { isArrayByValue, withReadArrays } from "./read-arrays.js";
import { withoutUnreadParts } from "./unread-parts.js";
import { withObjects, PointerMembers } from "./split-pointer-members.js";

/**
 * `addressed`: the address of some pointer is taken. What pointers between structs lead to is followed where each step is known; where
 * one is not, such structs lie in arrays (linked-objects.ts).
 */
export function withoutPointerMembers(
  given: Module<"canonical">,
  addressed: boolean,
  refuse: Refuse,
  newBuffers: (refuse: Refuse) => AddressedBuffers,
): Module<"canonical"> {
  const module = withReadArrays(given);
  const refused: Parameters<Refuse>[] = [];
  const note: Refuse = (...said) => void refused.push(said);
  const next = withKnownObjects(module, addressed, note, newBuffers(note));
  if (refused.length === 0) return next;
  const without: Parameters<Refuse>[] = [];
  const linked = withLinkedObjects(module, (...said) => void without.push(said));
  if (linked && without.length === 0) return withKnownObjects(linked, addressed, refuse, newBuffers(refuse));
  // Structs whose pointers lead elsewhere, where one of them is chosen or walked to.
  const still: Parameters<Refuse>[] = [];
  const noteStill: Refuse = (...said) => void still.push(said);
  const pointed = withLinkedObjects(module, noteStill, true);
  const whole = pointed && still.length === 0 && withKnownObjects(pointed, addressed, noteStill, newBuffers(noteStill));
  if (whole && still.length === 0) return whole;
  for (const said of linked ? without : refused) refuse(...said);
  return next;
}

function withKnownObjects(
  module: Module<"canonical">,
  addressed: boolean,
  refuse: Refuse,
  buffers: AddressedBuffers,
): Module<"canonical"> {
  const shapes = new Shapes(module);
  const isMovedReference = (v: Variable): boolean =>
    (isByReference(v) && (v.type.kind === "pointer" || isArrayOfPointers(v.type))) || isPointerToPointer(v.type);
  const concerned =
    addressed ||
    [...module.structs.keys()].some((name) => shapes.holds({ kind: "struct", name })) ||
    [...module.variables.values()].some((v) => isMovedReference(v) || isArrayByValue(v));
  if (!concerned) return module;
  const settled = withObjects(module, shapes, buffers);
  const split = new PointerMembers(settled, shapes, refuse, buffers);
  if (split.refusedPlaces()) return module;
  const made = split.rewritten();
  if (split.failed) return module;
  const followed = split.followed(made);
  const next = withObjects(buffers.withResources(withoutUnreadParts(followed, split.parts)), shapes, buffers);
  split.requireNone(next);
  return next;
}
