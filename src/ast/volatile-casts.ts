/**
 * Casts that only make a pointer one to volatile: `*(volatile global int *)flag`. It is the pointer an object is accessed through
 * that counts (C99 6.7.3 (6)), so such a cast stays where something is read or written through it. A pointer variable or parameter
 * says itself what it points to, and an atomic is carried out whatever the object is (in OpenCL C 1.x they all take volatile).
 */
import { sameType, type PointerType } from "../types/types.js";
import { deref, pointerOffset, rootVariable } from "./builders.js";
import type { Bitcast, Expr, Module, Place } from "./nodes.js";
import { rewriteExpr, rewriteModule, walkModule, type Rewriter } from "./walk.js";

/** Of a pointer to the same: volatile is all it adds. */
export const addsVolatile = (e: Expr): e is Bitcast =>
  e.kind === "bitcast" &&
  e.volatile === true &&
  e.operand.type.kind === "pointer" &&
  sameType(e.operand.type.pointee, (e.type as PointerType).pointee);

/** Without the casts that nothing is read or written through, or whose operand is declared as a pointer to volatile. */
export function withoutIdleVolatileCasts(module: Module): Module {
  const through = new Set<Expr>();
  const follow = (e: Expr): void => {
    switch (e.kind) {
      case "bitcast":
        if (e.operand.type.kind !== "pointer" || isVolatile(e.operand)) return;
        through.add(e);
        return follow(e.operand);
      case "pointer-offset":
        return follow(e.pointer);
      case "conditional":
        follow(e.whenTrue);
        return follow(e.whenFalse);
      case "comma":
        return follow(e.right);
      default:
        return undefined;
    }
  };
  const isVolatile = (e: Expr): boolean => {
    const root = e.kind === "load" || e.kind === "address-of" ? rootVariable(e.place) : undefined;
    return root !== undefined && module.variables.get(root)?.volatile === true;
  };
  const accessed = (p: Place): void => {
    let object = p;
    while (object.kind !== "variable" && object.kind !== "deref") object = object.base;
    if (object.kind === "deref") follow(object.pointer);
  };
  walkModule(module, {
    expr(e) {
      if (e.kind === "load" || e.kind === "increment") accessed(e.place);
      if (e.kind === "assign") accessed(e.target);
    },
  });
  return withoutVolatileCasts(module, (e) => through.has(e));
}

/** Without those casts but for the ones that stay. */
export function withoutVolatileCasts(module: Module, stays: (cast: Expr) => boolean = () => false): Module {
  let any = false;
  walkModule(module, { expr: (e) => !(any ||= addsVolatile(e) && !stays(e)) });
  if (!any) return module;
  const rewriter: Rewriter = {
    enterExpr: (e) => (addsVolatile(e) && !stays(e) ? rewriteExpr(e.operand, rewriter) : undefined),
    expr: (e) => (e.kind === "pointer-offset" ? pointerOffset(e.pointer, e.offset, e.span) : e),
    place: (p) => (p.kind === "deref" ? deref(p.pointer, p.span) : p),
  };
  return rewriteModule(module, rewriter);
}
