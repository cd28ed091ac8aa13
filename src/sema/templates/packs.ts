/**
 * Parameter packs (C++14 14.5.3). A pack is a name for several; where it is expanded, the pattern is read once for each of them, in
 * a scope in which the pack's name stands for that one.
 */
import type * as syntax from "../../ast/syntax.js";
import { literal } from "../../ast/builders.js";
import { sizeType } from "../../dialects/type-names.js";
import type { Span } from "../../support/span.js";
import { error, exprValue, notYet, type Scope, type Sema, type Symbol, type Value } from "../context.js";
import { inScopeOf, lookupIn } from "../scopes.js";
import { expression } from "../expressions.js";

type Pack = Symbol & { readonly kind: "pack" };
export type Pattern = syntax.Expression | syntax.TypeName | syntax.Parameter;

/** What a name means. Within an element of one expansion, the pattern of another names the pack all the same. */
function lookupPack(s: Sema, name: string): Symbol | undefined {
  for (let scope: Scope | undefined = s.scope; scope; scope = scope.parent) {
    const found = scope.element === undefined ? lookupIn(scope, name) : undefined;
    if (found) return found;
  }
  return undefined;
}

/** Whether the packs in it are expanded there. */
const expands = (kind: string | undefined, word: unknown): boolean =>
  kind === "pack-expansion" || kind === "fold" || word === "sizeof...";

/** The packs that a pattern names, those of expansions within it apart. */
function packsOf(s: Sema, pattern: unknown, found = new Map<string, Pack>()): Map<string, Pack> {
  if (Array.isArray(pattern)) for (const part of pattern) packsOf(s, part, found);
  else if (typeof pattern === "object" && pattern !== null) {
    const node = pattern as {
      readonly kind?: string;
      readonly name?: unknown;
      readonly path?: readonly string[];
      readonly word?: unknown;
    };
    if (expands(node.kind, node.word)) return found;
    if (node.kind === "identifier" || node.kind === "named-type") {
      const name = node.path?.[0] ?? (node.name as string);
      const symbol = found.has(name) ? undefined : lookupPack(s, name);
      if (symbol?.kind === "pack") found.set(name, symbol);
    }
    for (const [key, part] of Object.entries(pattern)) if (key !== "span") packsOf(s, part, found);
  }
  return found;
}

/** How many a pattern stands for; undefined with a problem where it names no pack, or packs of several lengths. */
export function packLength(s: Sema, pattern: Pattern, span: Span): number | undefined {
  const packs = [...packsOf(s, pattern).values()];
  const [first] = packs;
  if (!first) return error(s, "XL2011", "nothing in what is expanded is a parameter pack", span);
  if (packs.some((p) => p.elements.length !== first.elements.length))
    return error(s, "XL2005", "the packs that are expanded together have different lengths", span);
  return first.elements.length;
}

/** Reads a pattern for one element. */
export function inElement<T>(s: Sema, pattern: Pattern, index: number, work: () => T): T {
  const symbols = new Map<string, Symbol>();
  for (const [name, pack] of packsOf(s, pattern)) if (pack.elements[index]) symbols.set(name, pack.elements[index]);
  const scope: Scope = { parent: s.scope, symbols, element: index };
  return inScopeOf(s, scope, work);
}

/** The elements of expansions that a scope lies in: what is written once means another thing in each. */
export function elementsAround(s: Sema): string {
  const found: number[] = [];
  for (let scope: Scope | undefined = s.scope; scope; scope = scope.parent)
    if (scope.element !== undefined) found.push(scope.element);
  return found.join(" ");
}

const isExpansion = (part: unknown): part is syntax.PackExpansion =>
  typeof part === "object" && part !== null && "kind" in part && part.kind === "pack-expansion";

/** A list in which each expansion is what it stands for; undefined with a problem where one stands for nothing that is known. */
export function expanded<T>(s: Sema, list: readonly T[]): readonly (T | syntax.PackElement)[] | undefined {
  if (!list.some(isExpansion)) return list;
  const out: (T | syntax.PackElement)[] = [];
  for (const part of list) {
    if (!isExpansion(part)) {
      out.push(part);
      continue;
    }
    const { pattern, span } = part;
    const length = packLength(s, pattern, span);
    if (length === undefined) return undefined;
    for (let index = 0; index < length; index++) out.push({ kind: "pack-element", pattern, index, span });
  }
  return out;
}

/** Parameters one by one, those of packs too. */
export const eachElement = <T>(s: Sema, list: readonly syntax.Parameter[], read: (p: syntax.Parameter) => T): T[] =>
  list.flatMap((p) => {
    const { pack, derivations } = p.declarator;
    if (!pack) return [read(p)];
    const pattern = { ...p, declarator: { derivations, attributes: [], span: p.span } };
    const length = packLength(s, pattern, p.span) ?? 0;
    return Array.from({ length }, (_, index) => inElement(s, pattern, index, () => read(p)));
  });

/** A list of initialisers, with those in it. */
export function expandedList(s: Sema, list: syntax.InitializerList): syntax.InitializerList | undefined {
  const has = (l: syntax.InitializerList): boolean =>
    l.elements.some(({ value }) => isExpansion(value) || (value.kind === "initializer-list" && has(value)));
  if (!has(list)) return list;
  const elements: syntax.InitializerList["elements"][number][] = [];
  for (const element of list.elements) {
    const { value } = element;
    const inner = value.kind === "initializer-list" ? expandedList(s, value) : undefined;
    if (value.kind === "initializer-list" && !inner) return undefined;
    const values = inner ? [inner] : expanded(s, [value]);
    if (!values) return undefined;
    for (const v of values) elements.push({ ...element, value: v });
  }
  return { ...list, elements };
}

/** `sizeof...(Ts)`. */
export function sizeOfPack(s: Sema, name: syntax.Identifier, span: Span): Value | undefined {
  const symbol = lookupPack(s, name.name);
  if (symbol?.kind !== "pack") return error(s, "XL2011", `'${name.name}' is no parameter pack`, name.span);
  return exprValue({ kind: "literal", type: sizeType, value: symbol.elements.length, span });
}

/** What an empty fold gives (C++17 8.1.6). */
const empty: Readonly<Record<string, boolean>> = { "&&": true, "||": false };

/** `(... + args)`: the operator between all of them, from the side on which the dots are. */
export function fold(s: Sema, e: syntax.Fold): Value | undefined {
  const { first, last, operator, operatorSpan, span } = e;
  const both = first && last;
  const ofFirst = first !== undefined && packsOf(s, first).size > 0;
  const pattern = both ? (ofFirst ? first : last) : (first ?? last)!;
  const start = both ? (ofFirst ? last : first) : undefined;
  const length = packLength(s, pattern, span);
  if (length === undefined) return undefined;
  if (both && packsOf(s, start).size > 0)
    return error(s, "XL2011", "one of the operands of a fold is a parameter pack, not both", span);
  const elements = Array.from({ length }, (_, index): syntax.Expression => ({
    kind: "pack-element",
    pattern,
    index,
    span: pattern.span,
  }));
  // The dots stand on the left: `((a + b) + c)`; on the right: `(a + (b + c))`.
  const fromLeft = both ? !ofFirst : first === undefined;
  if (start) elements.splice(fromLeft ? 0 : length, 0, start);
  const join = (left: syntax.Expression, right: syntax.Expression): syntax.Expression =>
    operator === ","
      ? { kind: "comma", left, right, span }
      : { kind: "binary", operator, operatorSpan, left: grouped(left), right: grouped(right), span };
  const grouped = (part: syntax.Expression): syntax.Expression =>
    part.kind === "binary" || part.kind === "comma" ? { kind: "parenthesized", expression: part, span } : part;
  if (elements.length === 0) {
    const value = empty[operator];
    if (value !== undefined) return exprValue(literal("bool", value, span));
    return operator === ","
      ? notYet(s, "a fold of nothing by a comma is", span)
      : error(s, "XL2005", `nothing is folded by '${operator}'`, span);
  }
  const whole = fromLeft
    ? elements.reduce((left, right) => join(left, right))
    : elements.reduceRight((right, left) => join(left, right));
  return expression(s, whole);
}

/** An element of an expansion where a value stands. */
export function elementValue(s: Sema, e: syntax.PackElement): Value | undefined {
  const { pattern } = e;
  if (pattern.kind === "type-name") return error(s, "XL2017", "a type stands where a value is needed", e.span);
  return inElement(s, pattern, e.index, () => expression(s, pattern));
}
