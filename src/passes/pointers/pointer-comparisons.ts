/** Pointers compared and subtracted: by their indices, or by the objects they point into. */
import { assign, binary, comma, literal, literalValue, load, logical, variablePlace } from "../../ast/builders.js";
import type { Expr } from "../../ast/nodes.js";
import { isPure } from "../../ast/walk.js";
import type { Span } from "../../support/span.js";
import { bool, i32 } from "../../types/types.js";
import {
  asType,
  integerType,
  keyOf,
  NotLowerable,
  nullIndex,
  type Pointer,
  sameIndex,
  sequence,
  pointeeOf,
  alike,
  cutAt,
} from "./pointer-values.js";
import type { FunctionLowering } from "./function-lowering.js";

type Comparison = Expr & { kind: "binary" };

export class Comparisons {
  constructor(private readonly body: FunctionLowering) {}

  comparison(e: Expr & { kind: "binary" }): Expr {
    const asks = e.operator !== "sub";
    if (asks && this.body.nulls.isNull(e.right)) return this.body.nulls.nullTest(e, e.left);
    if (asks && this.body.nulls.isNull(e.left)) return this.body.nulls.nullTest(e, e.right);
    const [a, b] = alike(this.body.pointer(e.left), this.body.pointer(e.right), pointeeOf(e.left));
    if (this.body.nulls.isNothing(b) && (e.operator === "eq" || e.operator === "ne"))
      return this.body.nulls.nullTest(e, e.left);
    if (this.body.nulls.isNothing(a) && (e.operator === "eq" || e.operator === "ne"))
      return this.body.nulls.nullTest(e, e.right);
    if (keyOf(a) !== keyOf(b) && this.areApart(a, b, e)) return this.comparisonApart(a, b, e);
    const viewed = [a, b].some((p) => p.steps[0]?.kind === "view");
    if (a.root === b.root && (viewed || keyOf(a) !== keyOf(b))) return this.inBytes(a, b, e);
    this.body.sameShape(a, b, e.left.span, e.right.span);
    const [first, second] = [this.linear(a, b, e.span), this.linear(b, a, e.span)];
    if (!first || !second) return this.inBytes(a, b, e);
    if (e.operator === "sub") {
      const [from, to] = [literalValue(second), literalValue(first)];
      if (from === 0 || from === 0n) return asType(first, i32);
      // Modulo 2^32 the difference of indices is right, whatever their sign.
      const type = to === undefined ? integerType(first.type) : integerType(second.type);
      return asType(binary("sub", this.body.offsetAs(first, type), this.body.offsetAs(second, type), e.span), i32);
    }
    // A pointer may have stepped below the first element: which comes first is asked of signed indices.
    const type = e.operator === "eq" || e.operator === "ne" ? first.type : i32;
    return binary(e.operator, this.body.offsetAs(first, type), this.body.offsetAs(second, type), e.span);
  }

  /**
   * Of one object that is looked at as something else, or into members that may be of one element or another: by where they are in it. Only equality
   * is asked of null.
   */
  private inBytes(a: Pointer, b: Pointer, e: Comparison): Expr {
    const tested = [this.body.nulls.mayBeNull(a, e.left), this.body.nulls.mayBeNull(b, e.right)];
    const asks = e.operator === "eq" || e.operator === "ne";
    if (asks && this.body.whole.hasNull && tested.some((t) => t !== undefined)) {
      const views = [a, b].every((p) => p.steps[0]?.kind === "view") && keyOf(a) === keyOf(b);
      // The index alone tells it from null.
      if (!views || !sameIndex(a.holes[0]!, b.holes[0]!))
        throw new NotLowerable(
          "XL4006",
          "pointers that were cast, or lead to members of an array, and may be null, are compared",
          e.span,
        );
    }
    const [first, second] = [this.body.casts.bytes(a, e.left), this.body.casts.bytes(b, e.right)];
    const viewed = [a, b].some((p) => p.steps[0]?.kind === "view");
    if (e.operator === "eq" || e.operator === "ne" || (viewed && e.operator !== "sub"))
      return binary(e.operator, asType(first, i32), asType(second, i32), e.span);
    const bytes = asType(binary("sub", first, second, e.span), i32);
    // Far behind the start of a large object, too.
    if (e.operator !== "sub") return binary(e.operator, bytes, literal("i32", 0, e.span), e.span);
    const size = this.body.casts.sizeOf(pointeeOf(e.left), a);
    return size === 1 ? bytes : binary("div", bytes, literal("i32", size), e.span);
  }

  /**
   * Of two objects. What a helper that compares was handed is one object only where its parameters have one root
   * (`objectBinders`). Two buffers may be one: that they differ is assumed, and their distance not told, but where one of several is meant,
   * of which C takes the one that the other pointer leads into (C99 6.5.6 (9)).
   */
  private areApart(a: Pointer, b: Pointer, e: Comparison): boolean {
    if (a.root === b.root) return false;
    const [one, other] = [a, b].map((p) => this.body.whole.variable(p.root));
    if ([one, other].some((v) => ["private", "workgroup"].includes(v!.space))) return true;
    if (e.operator === "sub" && ![e.left, e.right].some((p) => this.body.choices.hasChoice(p))) return false;
    this.body.whole.context.note("assumed", "buffers-apart", `${one!.name} and ${other!.name} are two buffers`, e.span);
    return true;
  }

  private comparisonApart(a: Pointer, b: Pointer, e: Comparison): Expr {
    const tested = [this.body.nulls.mayBeNull(a, e.left), this.body.nulls.mayBeNull(b, e.right)];
    const [left, right] = tested;
    const asks = (e.operator === "eq" || e.operator === "ne") && left && right;
    const effects = [...a.holes, ...b.holes].filter((h) => !isPure(h) && !(asks && tested.includes(h)));
    const after = (x: Expr): Expr => (effects.length === 0 ? x : sequence([...effects, x])!);
    // Which comes first, and by how much, is open in C.
    if (e.operator === "sub") return after(literal("i32", 0, e.span));
    if (e.operator !== "eq" && e.operator !== "ne") return after(this.body.nulls.answer(false, e.span));
    if (!asks) return after(this.body.nulls.answer(e.operator === "ne", e.span));
    // Both may be null.
    const isNull = (index: Expr): Expr => {
      const nothing = nullIndex(index.type, e.span);
      return binary(e.operator, asType(index, nothing.type), nothing, e.span);
    };
    const operator = e.operator === "eq" ? "and" : "or";
    if (isPure(right)) return after(logical(operator, isNull(left), isNull(right), e.span));
    if (isPure(left)) return after(logical(operator, isNull(right), isNull(left), e.span));
    const first = variablePlace(this.body.lateLocal("is_null", bool));
    return after(
      comma(assign(first, isNull(left), e.span), logical(operator, isNull(right), load(first), e.span), e.span),
    );
  }

  /** The index that tells `p` from `other`: of several, rows of rows count as one array. None of members of elements that may be two. */
  private linear(p: Pointer, other: Pointer, span: Span): Expr | undefined {
    let from = 0;
    while (from < p.holes.length - 1 && sameIndex(p.holes[from]!, other.holes[from]!)) from++;
    const [first, ...rest] = p.holes.slice(from);
    // One object: the pointers are equal.
    if (!first) return literal("i32", 0, span);
    if (rest.length === 0) return first;
    const at = p.steps.length - 1 - rest.length;
    if (p.steps.slice(at).some((s) => s.kind !== "index")) return undefined;
    return rest.reduce((sum, h, i) => {
      const row = this.body.build(cutAt(p, at + 1 + i), span).type;
      if (row.kind !== "array" || row.length === undefined)
        throw new NotLowerable("XL4006", "pointers with more than one index are compared", span);
      return binary("add", binary("mul", asType(sum, i32), literal("i32", row.length), span), asType(h, i32), span);
    }, first);
  }
}
