/** Indices and offsets of 64 bits become 32-bit. */
import { addsVolatile } from "../ast/volatile-casts.js";
import { convert } from "../ast/builders.js";
import { within } from "../ast/interval.js";
import type { Module, Expr } from "../ast/nodes.js";
import { familyOf } from "../ast/op-ids.js";
import { walkModule, type Rewriter, rewriteExpr, rewritePlace, rewriteModule } from "../ast/walk.js";
import { isInteger, bitWidth, i32, u32, type Type, type PointerType } from "../types/types.js";
import { mayBeNegative, i32Range, rangeOfExpr, u32Range } from "./size-types.js";

function hasPointerCasts(module: Module<"canonical">): boolean {
  let found = false;
  walkModule(module, {
    expr: (e) => !(found ||= e.kind === "bitcast" && e.type.kind === "pointer" && !addsVolatile(e)),
  });
  return found;
}

/**
 * Elements are counted by 32 bits: an index in bounds is the same modulo 2^32. A run on which it is not has a finding. `moves`: what a pointer
 * is moved by may be 2^64 less something, which leads back, and no object of a run has more than 2^31 elements.
 */
export function narrowIndices(module: Module<"canonical">): Module<"canonical"> {
  const wide = (e: Expr): boolean =>
    e.type.kind === "scalar" && isInteger(e.type.scalar) && bitWidth(e.type.scalar) === 64;
  const index = (e: Expr, moves = false): Expr => {
    if (!wide(e)) return e;
    const type = moves || mayBeNegative(e) ? i32 : u32;
    return within(rangeOfExpr(e), moves ? i32Range : u32Range)
      ? convert(e, type, false, e.span)
      : { kind: "convert", operand: e, type, explicit: false, span: e.span, relies: "value" };
  };
  const rewriter: Rewriter = {
    enterExpr: (e) => (casts ? ofBytes(e) : undefined),
    place: (p) => (p.kind === "element" && wide(p.index) ? { ...p, index: index(p.index) } : p),
    expr(e) {
      switch (e.kind) {
        case "element-value":
          return wide(e.index) ? { ...e, index: index(e.index) } : e;
        case "pointer-offset":
          return wide(e.offset) ? { ...e, offset: index(e.offset, true) } : e;
        case "op": {
          // The offset of a wide load or store stands last.
          const last = e.arguments.at(-1);
          return familyOf(e.op) === "memory" && last && wide(last)
            ? { ...e, arguments: [...e.arguments.slice(0, -1), index(last, true)] }
            : e;
        }
        default:
          return e;
      }
    },
  };
  const visit = (e: Expr): Expr => rewriteExpr(e, rewriter);
  // Where bytes are counted and pointers cast, memory may be larger than 2^31 of them: where there are pointers, it stays as wide.
  const casts = hasPointerCasts(module);
  const isByte = (t: Type): boolean => t.kind === "scalar" && bitWidth(t.scalar) === 8;
  const ofBytes = (e: Expr): Expr | undefined => {
    if (e.kind === "pointer-offset" && isByte((e.type as PointerType).pointee) && wide(e.offset))
      return { ...e, pointer: visit(e.pointer), offset: visit(e.offset) };
    if (e.kind !== "address-of" || e.place.kind !== "element" || !isByte(e.place.type) || !wide(e.place.index))
      return undefined;
    return {
      ...e,
      place: { ...e.place, base: rewritePlace(e.place.base, rewriter), index: visit(e.place.index) },
    };
  };
  return rewriteModule(module, rewriter);
}
