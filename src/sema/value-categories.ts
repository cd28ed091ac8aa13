/** What makes another kind of value of one (C++14 3.10): casts to references, `move`, `forward` and `declval`. */
import { variablePlace } from "../ast/builders.js";
import type { Place } from "../ast/nodes.js";
import type * as syntax from "../ast/syntax.js";
import { noSpan, type Span } from "../support/span.js";
import type { Type } from "../types/types.js";
import { closureOf } from "./closures.js";
import { asPlace, error, isLvalue, newVariable, type Sema, type Value } from "./context.js";
import { lookup } from "./scopes.js";
import type { DeclaredType } from "./declared-types.js";

/** Reads what the functions are given. */
export interface CategoryReader {
  readonly value: () => Value | undefined;
  readonly type: (
    a: syntax.TemplateArgument,
  ) => Pick<DeclaredType, "type" | "space" | "reference" | "rvalue"> | undefined;
}

/** The library's function of that kind; "none" where the callee is another. */
export function categoryCall(
  s: Sema,
  { name, templateArguments = [], span }: syntax.Identifier,
  reader: CategoryReader,
): Value | undefined | "none" {
  const { movers, objectOfType } = s.reading.expressions;
  if ((!movers?.has(name) && name !== objectOfType) || lookup(s, name)) return "none";
  const [argument] = templateArguments;
  if (!argument && name !== "move") return error(s, "XL2005", `'${name}' takes a type in angle brackets`, span);
  const info = argument && reader.type(argument);
  if (argument && !info) return undefined;
  const rvalue = !info?.reference || info.rvalue ? { rvalue: true as const } : {};
  if (name === objectOfType) return ofType(s, info!, rvalue, span);
  const v = reader.value();
  return v && asReference(s, v, { ...rvalue, constant: false }, span);
}

/** `declval<T>()` (C++14 20.2.4): an object of the type, of which only types are asked. */
function ofType(
  s: Sema,
  { type, space = "private" }: Pick<DeclaredType, "type" | "space">,
  { rvalue }: { readonly rvalue?: true },
  span: Span,
): Value | undefined {
  if (!s.scratch) return error(s, "XL2017", "'declval' stands only in what is not evaluated", span);
  const { scratch } = s;
  const object = (of: Type): Place => {
    const v = newVariable(s, { name: "object", type: of, space, role: "local", constant: false, span: noSpan });
    scratch.push(v.id);
    return variablePlace(v, span);
  };
  const closure = closureOf(s, type);
  if (closure) return { type, captured: closure.captures.map((c) => ({ type: c.type, place: object(c.type) })) };
  return { type, place: object(type), ...(rvalue ? { xvalue: true } : {}) };
}

/** The place itself, as an lvalue or an xvalue; a value stays what it is. */
export function asReference(
  s: Sema,
  v: Value,
  { rvalue, constant }: { readonly rvalue?: true; readonly constant: boolean },
  span: Span,
): Value | undefined {
  const place = asPlace(v);
  if (!rvalue && !isLvalue(v)) return error(s, "XL2006", "a value is no place that is referred to", span);
  const { xvalue: _, ...named } = place;
  const readOnly = constant && !place.readOnly ? { readOnly: "it is cast to const" } : {};
  return rvalue && isLvalue(place)
    ? { ...named, ...readOnly, xvalue: true }
    : { ...(rvalue ? place : named), ...readOnly };
}
