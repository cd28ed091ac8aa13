/** Null pointers: indices that no object has, of the shape that the pointer has elsewhere; tests for null. */
import { binary, conditional, literal, literalValue } from "../../ast/builders.js";
import type { Expr, Place, Variable, VarId } from "../../ast/nodes.js";
import { isPure, walkStatement } from "../../ast/walk.js";
import { sameValue } from "../analysis/float-bounds.js";
import type { Span } from "../../support/span.js";
import { i32, scalar, scalarOf, type PointerType, type Type } from "../../types/types.js";
import {
  inArray,
  integerType,
  isNullIndex,
  NotLowerable,
  nullIndex,
  type Pointer,
  sequence,
  type Shape,
  indices,
  memberStep,
} from "./pointer-values.js";
import { isCast } from "./pointer-casts.js";
import type { FunctionLowering } from "./function-lowering.js";

/** An index that is chosen; `i == none ? none : i` is `i`. */
export const chosenIndex = (condition: Expr, yes: Expr, no: Expr, span: Span): Expr =>
  isSameIndex(condition, yes, no) ? no : conditional(condition, yes, no, span);

function isSameIndex(condition: Expr, yes: Expr, no: Expr): boolean {
  const isTest = condition.kind === "binary" && condition.operator === "eq" && isNullIndex(yes);
  return isTest && sameValue(condition.right, yes) && sameValue(condition.left, no) && isPure(no);
}

export class NullPointers {
  constructor(private readonly body: FunctionLowering) {}

  /** Tests for null that are answered here: what they keep from being evaluated need not be sayable in the target. */
  readonly answers = new Set<Expr>();

  answered(e: Expr): Expr {
    const isTrue = (x: Expr): boolean | undefined =>
      this.answers.has(x) ? x.kind === "literal" && x.value === true : undefined;
    if (e.kind === "unary" && e.operator === "not" && isTrue(e.operand) !== undefined)
      return this.answer(!isTrue(e.operand), e.span);
    if (e.kind === "logical" && isTrue(e.left) !== undefined)
      return isTrue(e.left) === (e.operator === "and") ? e.right : e.left;
    if (e.kind === "conditional" && isTrue(e.condition) !== undefined)
      return isTrue(e.condition) ? e.whenTrue : e.whenFalse;
    return e.kind === "conditional" && isSameIndex(e.condition, e.whenTrue, e.whenFalse) ? e.whenFalse : e;
  }

  answer(value: boolean, span: Span): Expr {
    const made = literal("bool", value, span);
    this.answers.add(made);
    return made;
  }

  /** The index that tells whether it is null, where it may be. */
  mayBeNull(p: Pointer, e: Expr): Expr | undefined {
    const index = p.steps.at(-1)?.kind === "index" ? p.holes.at(-1) : undefined;
    if (!index || index.kind === "literal" || this.isAddress(e)) return undefined;
    return index;
  }

  /** `p == 0`, `p != 0`: its last index is the one no object has. */
  nullTest(e: Expr & { kind: "binary" }, tested: Expr): Expr {
    if (this.isNull(tested)) return this.answer(e.operator === "eq", e.span);
    const p = this.body.pointer(tested);
    const index = p.steps.at(-1)?.kind === "index" ? p.holes.at(-1) : undefined;
    this.assumeGiven(p, index, e.span);
    const answer = (isNull: boolean): Expr => {
      const value = this.answer(isNull === (e.operator === "eq"), e.span);
      const effects = p.holes.filter((h) => !isPure(h));
      return effects.length === 0 ? value : sequence([...effects, value])!;
    };
    // The address of an object is none.
    if (index === undefined || this.isAddress(tested)) return answer(false);
    const nothing = nullIndex(index.type, e.span);
    if (index.kind === "literal") return answer(Number(literalValue(index)) === Number(literalValue(nothing)));
    const effects = p.holes.slice(0, -1).filter((h) => !isPure(h));
    return sequence([...effects, binary(e.operator, this.body.offsetAs(index, nothing.type), nothing, e.span)])!;
  }

  /** What a launch may leave out where there are pointers. An element of it is none that could be null. */
  private assumeGiven(p: Pointer, index: Expr | undefined, span: Span): void {
    const root = this.body.whole.variable(p.root);
    if (root?.role !== "resource" || (index && Number(literalValue(index) ?? 0) !== 0)) return;
    this.body.whole.context.note("assumed", "buffer-given", `buffer ${root.name} is not null`, span);
  }

  /** `&x[i]`, `x`, `x + i`: of an object, not of what a pointer leads to. */
  private isAddress(e: Expr): boolean {
    if (e.kind === "pointer-offset") return this.isAddress(e.pointer);
    if (isCast(e)) return this.isAddress(e.operand);
    if (e.kind !== "address-of") return false;
    let place = e.place;
    while (place.kind !== "variable" && place.kind !== "deref") place = place.base;
    return place.kind === "variable";
  }

  /** The pointer to nothing, for a place where otherwise one of this shape stands. */
  nullLike(like: Pointer, type: Type, span: Span): Pointer {
    const p = inArray(like, type);
    return {
      ...p,
      holes: [
        ...p.holes.slice(0, -1).map((h) => literal(scalarOf(h.type) ?? "i32", 0, span)),
        nullIndex(integerType(p.holes.at(-1)!.type), span),
      ],
    };
  }

  /** A pointer to nothing at all: past an array that nobody has, declared where it is accessed all the same. */
  private nothing(v: Variable, span: Span): Pointer {
    const { pointee } = v.type as PointerType;
    const element = pointee.kind === "void" ? scalar("u8") : pointee;
    let root = this.nowhere.get(v.id);
    if (!root) {
      root = this.body.editor.addLocal(`${v.name}_none`, { kind: "array", element, length: 1 });
      this.nowhere.set(v.id, root);
    }
    return {
      root: root.id,
      steps: [{ kind: "index", type: element }],
      holes: [nullIndex(i32, span)],
    };
  }

  readonly isNothing = (p: Pointer): boolean => [...this.nowhere.values()].some((v) => v.id === p.root);

  /** Whether it is null by name, as the way of a choice that is meant may be. */
  isNull(e: Expr): boolean {
    if (e.kind === "null-pointer") return true;
    if (isCast(e)) return this.isNull(e.operand);
    const decided = e.kind === "conditional" ? this.body.choices.decided.get(e) : undefined;
    return e.kind === "conditional" && decided?.of === 2 && this.isNull(decided.at === 0 ? e.whenTrue : e.whenFalse);
  }

  /** Undefined where it is null. */
  maybe(e: Expr): Pointer | undefined {
    const p = this.isNull(e) ? undefined : this.body.pointer(e);
    return p && this.isNothing(p) ? undefined : p;
  }

  valueOf(v: Variable, e: Expr): Pointer {
    return this.maybe(e) ?? this.nullOf(v, e.span);
  }

  /** Kept from attempt to attempt: what variables that lead into several objects are known by has it among those. */
  readonly nowhere = new Map<VarId, Variable>();

  /** The null pointer that `v` is given: of the shape it has elsewhere. */
  nullOf(v: Variable, span: Span): Pointer {
    const shape =
      this.body.bindings.get(v.id) ?? this.body.variables.learned.get(v.id) ?? this.shapeOf(v.id, new Set());
    if (!shape) return this.nothing(v, span);
    const known = inArray<Shape>({ root: shape.root, steps: shape.steps }, (v.type as PointerType).pointee);
    const count = indices(known.steps);
    return {
      root: known.root,
      steps: known.steps,
      holes: known.steps
        .filter((s) => s.kind !== "member")
        .map((_, i) =>
          i + 1 < count ? literal("i32", 0, span) : nullIndex(this.body.variables.offsetType(v.id), span),
        ),
    };
  }

  /** Where a pointer variable, or the pointers of an array, point by the first of the values that is not null. */
  private shapeOf(id: VarId, seen: Set<VarId>): Shape | undefined {
    const known = this.body.bindings.get(id);
    if (known) return known;
    if (seen.has(id)) return undefined;
    seen.add(id);
    let found: Shape | undefined;
    walkStatement(this.body.f.body, {
      statement: (s) => {
        if (s.kind === "declare" && s.variable === id && s.initializer)
          found ??= this.shapeOfValue(s.initializer, seen);
        return !found;
      },
      expr: (e) => {
        if (e.kind === "assign" && !e.operator && holderOf(e.target) === id) found ??= this.shapeOfValue(e.value, seen);
        return !found;
      },
    });
    return found;
  }

  private shapeOfValue(e: Expr, seen: Set<VarId>): Shape | undefined {
    switch (e.kind) {
      case "load": {
        const holder = holderOf(e.place);
        return holder === undefined ? undefined : this.shapeOf(holder, seen);
      }
      // A list for an array of pointers.
      case "construct": {
        let found: Shape | undefined;
        for (const a of e.arguments) found ??= this.shapeOfValue(a, seen);
        return found;
      }
      case "pointer-offset":
        return this.shapeOfValue(e.pointer, seen);
      case "conditional":
        return this.shapeOfValue(e.whenTrue, seen) ?? this.shapeOfValue(e.whenFalse, seen);
      case "assign":
        return this.shapeOfValue(e.value, seen);
      case "address-of":
        return this.shapeOfAddress(e, this.shapeOfPlace(e.place, seen));
      case "bitcast": {
        const shape = this.shapeOfValue(e.operand, seen);
        return shape && this.body.casts.castShape(shape, (e.type as PointerType).pointee);
      }
      // What a call gives is known when it has been lowered.
      case "null-pointer":
      case "call":
        return undefined;
      default:
        throw new NotLowerable(
          "XL4006",
          "a pointer that may be null gets a value whose object is not known here",
          e.span,
        );
    }
  }

  private shapeOfAddress(e: Expr, shape: Shape | undefined): Shape | undefined {
    return shape && this.body.casts.addressShape(shape, e);
  }

  private shapeOfPlace(p: Place, seen: Set<VarId>): Shape | undefined {
    switch (p.kind) {
      case "variable": {
        const b = this.body.bindings.get(p.variable);
        return b && this.body.whole.variable(p.variable).type.kind !== "pointer" ? b : { root: p.variable, steps: [] };
      }
      case "deref":
        return this.shapeOfValue(p.pointer, seen);
      case "element": {
        const base = this.shapeOfPlace(p.base, seen);
        return base && { root: base.root, steps: [...base.steps, { kind: "index", type: p.type }] };
      }
      case "member": {
        const base = this.shapeOfPlace(p.base, seen);
        return base && { root: base.root, steps: [...base.steps, memberStep(p)] };
      }
      case "swizzle":
      case "view":
        return undefined;
    }
  }
}

/** The variable that is a pointer, or the array that it is an element of. */
function holderOf(p: Place): VarId | undefined {
  return p.kind === "element" ? holderOf(p.base) : p.kind === "variable" ? p.variable : undefined;
}
