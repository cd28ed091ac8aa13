/**
 * Private memory handed to helpers by pointer, for targets that copy what they hand over. Of which object is copied follows
 * from what the helper does: nothing is read or written that the source does not (a pointer may point past the end), and
 * pointers that may meet stand for indices into one copy.
 */
import { literalValue } from "../../ast/builders.js";
import type { Expr, FunctionDeclaration, Variable, VarId } from "../../ast/nodes.js";
import type { Type } from "../../types/types.js";
import type { PointerUses } from "./pointer-uses.js";
import { apart, indices, sameIndex, sameRows, writesFirst, type Binder, type Pointer } from "./pointer-values.js";

export interface PrivatePointer {
  readonly parameter: Variable;
  readonly pointer: Pointer;
  /** The helper moves it, or hands it to one that does. */
  readonly moves: boolean;
  /** The helper takes it for a pointer to something else, or hands it to one that does: it may reach all of the object. */
  readonly casts: boolean;
  /** It does so to write what is const as the parameter has it. */
  readonly writes: boolean;
}

interface Part extends PrivatePointer {
  /** So many steps of the pointer lead to the object that is handed over. */
  readonly cut: number;
  readonly accessed: boolean;
}

const isReadOnly = ({ parameter: v, writes }: PrivatePointer): boolean =>
  !writes && (v.type.kind === "pointer" ? v.type.readOnly === true || v.type.space === "constant" : v.constant);

/** `typeAt(pointer, n)`: the type of what the first n steps lead to. */
export function objectBinders(
  callee: FunctionDeclaration,
  list: readonly PrivatePointer[],
  uses: PointerUses,
  typeAt: (pointer: Pointer, steps: number) => Type,
): Map<VarId, Binder> {
  const meet = uses.meet(callee);
  const parts = list.map((x): Part => {
    const isPointer = x.parameter.type.kind === "pointer";
    // A reference is of an object that is there.
    const access = isPointer ? uses.access(callee, x.parameter.id) : "always";
    const { steps } = x.pointer;
    let cut = steps.length;
    if (access !== "always") cut = Math.min(cut, firstUnsure(x.pointer, typeAt));
    if (x.casts) cut = 0;
    if (isPointer && (x.moves || meet) && steps.at(-1)?.kind === "index") cut = Math.min(cut, steps.length - 1);
    // What is seen as an array of something else has no length as that: the object is handed over as what it is.
    if (steps[cut - 1]?.kind === "view") cut--;
    return { ...x, cut, accessed: access !== "never" };
  });
  const binders = new Map<VarId, Binder>();
  for (const group of groups(parts, meet)) {
    const [first] = group;
    const cut = Math.min(...group.map((p) => p.cut), commonSteps(group));
    const written = group.some((p) => p.accessed && !isReadOnly(p));
    const whole = group.length === 1 && cut === first!.pointer.steps.length;
    const mode = !group.some((p) => p.accessed)
      ? "none"
      : !written
        ? "value"
        : whole && writesFirst(callee, first!.parameter.id)
          ? "out"
          : "inout";
    for (const { parameter, pointer } of group)
      binders.set(parameter.id, {
        kind: "object",
        leader: first!.parameter.id,
        mode,
        type: typeAt(pointer, cut),
        steps: pointer.steps.slice(cut),
      });
  }
  return binders;
}

/** The first index that may be outside its array. */
function firstUnsure(pointer: Pointer, typeAt: (pointer: Pointer, steps: number) => Type): number {
  let hole = 0;
  const at = pointer.steps.findIndex((s, i) => {
    if (s.kind === "view") return true;
    if (s.kind !== "index") return false;
    if (s.rows) return true;
    const index = literalValue(pointer.holes[hole++]!);
    if (s.single) return index === undefined || Number(index) !== 0;
    const array = typeAt(pointer, i);
    return !(
      array.kind === "array" &&
      array.length !== undefined &&
      index !== undefined &&
      Number(index) >= 0 &&
      Number(index) < array.length
    );
  });
  return at < 0 ? pointer.steps.length : at;
}

/** Those that stand for one object: of one root, and told apart by nothing that is known here. */
function groups(parts: readonly Part[], meet: boolean): readonly (readonly Part[])[] {
  const made: Part[][] = [];
  for (const part of parts) {
    const together = made.filter((g) =>
      g.some((q) => q.pointer.root === part.pointer.root && (meet || overlap(q, part))),
    );
    for (const g of together) made.splice(made.indexOf(g), 1);
    made.push([...together.flat(), part]);
  }
  const position = (p: Part): number => parts.indexOf(p);
  return made.map((g) => g.sort((a, b) => position(a) - position(b)));
}

function overlap(a: Part, b: Part): boolean {
  if (!a.accessed || !b.accessed || (isReadOnly(a) && isReadOnly(b))) return false;
  return !apart(upTo(a), upTo(b));
}

const upTo = ({ pointer, cut }: Part): Pointer => ({
  root: pointer.root,
  steps: pointer.steps.slice(0, cut),
  holes: pointer.holes.slice(0, indices(pointer.steps.slice(0, cut))),
});

/** How many steps all of them have in common. */
function commonSteps(group: readonly Part[]): number {
  const [first, ...rest] = group;
  return Math.min(first!.pointer.steps.length, ...rest.map(({ pointer }) => common(first!.pointer, pointer)));
}

function common(a: Pointer, b: Pointer): number {
  let hole = 0;
  let n = 0;
  for (; n < Math.min(a.steps.length, b.steps.length); n++) {
    const [x, y] = [a.steps[n]!, b.steps[n]!];
    if (x.kind === "view" || !sameRows(x, y)) break;
    if (x.kind === "index") {
      if (!sameIndex(a.holes[hole]!, b.holes[hole]!)) break;
      hole++;
    }
  }
  return n;
}

/** The holes of what an object binder hands over beside the object. */
export const restOf = (pointer: Pointer, binder: Binder & { kind: "object" }): readonly Expr[] =>
  pointer.holes.slice(pointer.holes.length - indices(binder.steps));
