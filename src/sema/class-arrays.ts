/**
 * `metal::array<T, N>` (MSL 3.1 2.12.1): a struct whose only member is a built-in array, since it is passed, returned and
 * assigned by value as built-in arrays of C are not. `a[i]` and `a.size()` look through the struct.
 */
import type { Span } from "../support/span.js";
import { noTrivia } from "../ast/nodes.js";
import { array, type Type } from "../types/types.js";
import { error, exprValue, structMember, type Sema, type Value, shown } from "./context.js";
import { uniqueStructName } from "./scopes.js";
import { sizeType } from "../dialects/type-names.js";

const elements = "elements";

/** The struct for `array<element, length>`, declared where it is first named. */
export function classArray(s: Sema, element: Type, length: number, span: Span): Type {
  const key = `${shown(s, element)} ${length}`;
  let name = s.classArrays.get(key);
  if (name === undefined) {
    name = uniqueStructName(s, `array_${shown(s, element).replace(/\W+/g, "_")}_${length}`);
    const members = [{ name: elements, type: array(element, length), trivia: noTrivia, span }];
    s.structs.set(name, { name, members, span, trivia: noTrivia, innerComments: [] });
    s.order.push({ kind: "struct", name });
    s.classArrays.set(key, name);
  }
  return { kind: "struct", name };
}

/** The built-in array inside, for the struct of an `array<T, N>`. */
export function insideClassArray(s: Sema, type: Type): (Type & { kind: "array" }) | undefined {
  if (type.kind !== "struct" || ![...s.classArrays.values()].includes(type.name)) return undefined;
  return structMember(s, type, elements) as Type & { kind: "array" };
}

export const classArrayMember = elements;

/** `a.size()`; the other members give pointers, or take whole arrays. */
export function classArrayMethod(
  s: Sema,
  inner: Type & { kind: "array" },
  name: string,
  span: Span,
  nameSpan: Span,
): Value | undefined {
  if (name === "size" || name === "max_size")
    return exprValue({ kind: "literal", type: sizeType, value: BigInt(inner.length!), span });
  return error(s, "XL1900", `calling '.${name}()' is not supported yet`, nameSpan, {
    help: "use the elements themselves: a[0] is the first, and &a[0] a pointer to it",
  });
}
