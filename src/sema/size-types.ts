/** Types and values of `size_t`: what they are in 32 bits, and what is known of their bounds. */
import { intervalOfKind, type Interval, intervalOf } from "../ast/interval.js";
import type { Module, Expr } from "../ast/nodes.js";
import { walkModule, walkExpr } from "../ast/walk.js";
import { type Type, u32, i32, type ScalarType, sameType, scalar, isFloat } from "../types/types.js";

export const isSize = (t: Type): boolean => t.kind === "scalar" && t.size === true;

/** The type without `size_t`: u32 or i32 in its place. */
export function narrowType(t: Type): Type {
  switch (t.kind) {
    case "scalar":
      return t.size ? (t.scalar === "u64" ? u32 : i32) : t;
    case "array": {
      const element = narrowType(t.element);
      return element === t.element ? t : { ...t, element };
    }
    case "pointer": {
      const pointee = narrowType(t.pointee);
      return pointee === t.pointee ? t : { ...t, pointee };
    }
    default:
      return t;
  }
}

export const u32Range = intervalOfKind("u32");
export const i32Range = intervalOfKind("i32");
export const typeMentionsSize = (t: Type): boolean => narrowType(t) !== t;

export function mentionsSize(module: Module): boolean {
  let found = false;
  const has = typeMentionsSize;
  for (const v of module.variables.values()) if (has(v.type)) return true;
  for (const s of module.structs.values()) if (s.members.some((m) => has(m.type))) return true;
  for (const f of module.functions) if (has(f.returnType)) return true;
  walkModule(module, {
    expr: (e) => {
      if (has(e.type)) found = true;
      return !found;
    },
  });
  return found;
}

/**
 * A `size_t` has its place in bytes that others read: the host, in buffers and by-value arguments, or the kernel itself, in a
 * union or through a pointer, which may be one to an integer of 64 bits or to bytes elsewhere.
 */
export function isLaidOut(module: Module): boolean {
  const holding = new Map<string, boolean>();
  const holdsSize = (t: Type): boolean => {
    if (t.kind === "array") return holdsSize(t.element);
    if (t.kind !== "struct") return typeMentionsSize(t);
    const known = holding.get(t.name);
    if (known !== undefined) return known;
    // One that points to itself is asked again on the way.
    holding.set(t.name, false);
    const holds = module.structs.get(t.name)!.members.some((m) => holdsSize(m.type));
    holding.set(t.name, holds);
    return holds;
  };
  const isPointer = (t: Type): boolean =>
    t.kind === "array" ? isPointer(t.element) : t.kind === "pointer" && typeMentionsSize(t);
  const variables = [...module.variables.values()];
  const members = [...module.structs.values()].flatMap((s) => s.members.map(({ type }) => ({ type, union: s.union })));
  let found =
    module.resources.some(({ variable }) => {
      const { space, type } = module.variables.get(variable)!;
      return space !== "workgroup" && holdsSize(type);
    }) ||
    members.some((m) => isPointer(m.type) || (m.union && holdsSize(m.type))) ||
    variables.some((v) => isPointer(v.type));
  walkModule(module, {
    expr: (e) => {
      found ||= isPointer(e.type);
      if (e.kind !== "bitcast" || found) return !found;
      // The number itself, or a struct of such through a pointer to its bytes.
      const of = (t: Type): Type => (t.kind === "pointer" ? t.pointee : t);
      const [to, from] = [of(e.type), of(e.operand.type)];
      found = (holdsSize(to) || holdsSize(from)) && !sameType(to, from);
      return !found;
    },
  });
  return found;
}

export const rangeOf = (type: ScalarType): Interval => (type.scalar === "u32" ? u32Range : i32Range);
export const wideOf = (type: ScalarType): ScalarType => scalar(type.scalar === "u32" ? "u64" : "i64");
export const sameKind = (e: Expr, type: Type): boolean =>
  e.type.kind === "scalar" && type.kind === "scalar" && e.type.scalar === type.scalar;

export function rangeOfExpr(e: Expr): Interval {
  if (e.kind === "literal" && typeof e.value !== "boolean" && e.type.scalar[0] !== "f") {
    return intervalOf(BigInt(e.value));
  }
  const kind = e.type.kind === "scalar" ? e.type.scalar : "u32";
  return isFloat(kind) ? { low: -1n, high: 1n << 64n } : intervalOfKind(kind);
}

/** A subtraction or negation somewhere, or such a number: an offset that may count backwards. */
export function mayBeNegative(e: Expr): boolean {
  let found = e.type.kind === "scalar" && e.type.scalar === "i64";
  walkExpr(e, {
    expr: (x) => {
      if (x.kind === "literal" && x.type.scalar === "u64" && BigInt(x.value) >= 1n << 63n) found = true;
      if (x.kind === "binary" && x.operator === "sub") found = true;
      if (x.kind === "unary" && x.operator !== "plus") found = true;
      if (
        x.kind === "convert" &&
        x.operand.type.kind === "scalar" &&
        x.operand.type.scalar[0] === "i" &&
        x.operand.kind !== "literal"
      )
        found = true;
    },
  });
  return found;
}
