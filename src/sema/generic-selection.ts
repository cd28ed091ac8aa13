/** `_Generic` (C11 6.5.1.1): the expression beside the type of the operand, which is not evaluated. The others are not read. */
import type * as syntax from "../ast/syntax.js";
import { pointer, sameType, scalar, type Type } from "../types/types.js";
import { error, notYet, placeSpace, shown, type Sema, type Value } from "./context.js";
import type { DeclaredType } from "./declared-types.js";

/** How its parts are read. */
interface Reading {
  readonly unevaluated: (operand: syntax.Expression) => Value | undefined;
  readonly typeName: (name: syntax.TypeName) => DeclaredType | undefined;
}

export function genericSelection(
  s: Sema,
  e: syntax.GenericSelection,
  { unevaluated, typeName }: Reading,
): syntax.Expression | undefined {
  const operand = unevaluated(e.operand);
  const type = operand && converted(s, operand, e.operand);
  if (!type) return undefined;
  let otherwise: syntax.Expression | undefined;
  let chosen: { readonly value: syntax.Expression; readonly type: Type } | undefined;
  for (const { type: of, value } of e.associations) {
    if (!of) {
      if (otherwise) return error(s, "XL2014", "'_Generic' has two expressions for what no other type is", value.span);
      otherwise = value;
      continue;
    }
    // A type of its own beside char, which is signed, too.
    if (of.specifier.kind === "named-type" && /\bsigned char|\bchar signed/.test(of.specifier.name))
      return notYet(s, "'signed char' in '_Generic' is", of.span);
    const t = typeName(of);
    if (!t) return undefined;
    // The operand is a value, which is neither const nor an array.
    if (t.constant || t.volatile || !isSame(t.type, type, t.openSpace)) continue;
    // Private memory, or the generic address space: the version of OpenCL C says which.
    if (t.openSpace) return notYet(s, "a pointer without an address space in '_Generic' is", of.span);
    // What lies in constant memory is taken for const wherever it is read.
    if (t.type.kind === "pointer" && t.type.space === "constant" && t.type.readOnly)
      return notYet(s, "a pointer to const in constant memory in '_Generic' is", of.span);
    if (chosen) return error(s, "XL2014", `'_Generic' has two expressions for ${shown(s, type)}`, value.span);
    chosen = { value, type: t.type };
  }
  return chosen?.value ?? otherwise ?? error(s, "XL2014", `'_Generic' has no expression for ${shown(s, type)}`, e.span);
}

/** What is read of the operand: an array is a pointer, what C compares is an int. */
function converted(s: Sema, v: Value, e: syntax.Expression): Type | undefined {
  if (e.kind === "parenthesized") return converted(s, v, e.expression);
  const { type } = v;
  if (type.kind === "array" && e.kind === "literal") return pointer(type.element, "constant");
  if (type.kind === "array")
    return v.place
      ? pointer(type.element, placeSpace(s, v.place), v.readOnly !== undefined)
      : notYet(s, "'_Generic' of such an array is", e.span);
  // It keeps its address space with clang, so that its own type does not fit.
  if (type.kind === "vector" && e.kind === "member" && /^(?!even$)s?.*(.).*\1/i.test(e.name.name))
    return notYet(s, "a component that is taken twice in the operand of '_Generic' is", e.span);
  const isInt = e.kind === "binary" || e.kind === "unary" || e.kind === "conditional";
  if (isInt && type.kind === "scalar" && type.scalar === "bool") return scalar("i32");
  return type;
}

/** Also in what pointers lead to: whether it is const. `anywhere`: whatever memory a pointer leads into. */
const isSame = (a: Type, b: Type, anywhere = false): boolean =>
  a.kind === "pointer" && b.kind === "pointer"
    ? sameType(anywhere ? { ...a, space: b.space } : a, b) &&
      !!a.readOnly === !!b.readOnly &&
      isSame(a.pointee, b.pointee)
    : sameType(a, b);
