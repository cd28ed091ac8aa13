/** Overloads: which functions of the source a call sees, which of them take its arguments, and which of those is the best. */
import type * as syntax from "../ast/syntax.js";
import { implicitConversion } from "../dialects/conversions.js";
import { resolveBuiltin } from "../ops/index.js";
import { conversionScore } from "../dialects/hlsl-overloads.js";
import type { Span } from "../support/span.js";
import { becomesFunctionPointer, functionPointersOf } from "./function-pointers.js";
import { enumerationOf, isEvent, sameType, type Type } from "../types/types.js";
import {
  isLvalue,
  addressedSpace,
  hasValue,
  error,
  placeSpace,
  type FunctionInfo,
  type ParameterInfo,
  type Scope,
  type Sema,
  type Symbol,
  type Value,
  shown,
} from "./context.js";
import { isLooselyPointer, isNullConstant } from "./convert.js";
import { showGiven } from "./open-literals.js";
import { becomesBase, betterConverted, upcast, userConversion } from "./constructors.js";
import { forArraysOf } from "./buffer-array-parameters.js";
import { inSpacesOf, mayMeet } from "./generic-pointers.js";
import { mostSpecial } from "./templates/function-templates.js";
import { argumentFor } from "./builtin-calls.js";

type Functions = Pick<Symbol & { kind: "functions" }, "overloads" | "templates">;

interface Visible extends Functions {
  /** What is meant instead if no argument depends on a parameter of the template, where types do not tell. */
  readonly ifIndependent?: Functions;
}

/**
 * In a template, what was declared before it, and the functions of types of the source that are given where they depend on its parameters
 * (C++14 14.6.4.2): those that stand for a parameter, and instances of templates. Another struct may be what a parameter leads to, or may not.
 */
export function visibleHere(s: Sema, symbol: Symbol & { kind: "functions" }, values: readonly Value[]): Visible {
  const { visibleBefore, untemplated } = s.templates;
  if (visibleBefore === undefined || symbol.argument) return symbol;
  const isBefore = (x: { readonly span: Span }): boolean => x.span.start <= visibleBefore;
  const before = { overloads: symbol.overloads.filter(isBefore), templates: symbol.templates.filter(isBefore) };
  const given = untemplated ? [] : values.map((v) => ofSource(v.type)).filter((t) => t !== undefined);
  if (given.length === 0) return before;
  const { overloads, templates } = symbol;
  return given.some((t) => standsForParameter(s, t)) ? symbol : { overloads, templates, ifIndependent: before };
}

/** The struct or enumeration of the source that a type is, or is made of. */
function ofSource(type: Type): Type | undefined {
  if (type.kind === "struct" || enumerationOf(type) !== undefined) return type;
  if (type.kind === "pointer") return ofSource(type.pointee);
  return type.kind === "array" ? ofSource(type.element) : undefined;
}

/** A type that is an instance of a template, or that a parameter of the template that is read stands for. */
function standsForParameter(s: Sema, type: Type): boolean {
  if (type.kind === "struct" && s.templates.structs.has(type.name)) return true;
  const isOf = (x: Symbol): boolean => {
    if (x.kind === "pack") return x.elements.some((e) => e !== undefined && isOf(e));
    const given = x.kind === "type" ? ofSource(x.info.type) : undefined;
    return given !== undefined && isSame(given, type);
  };
  for (let scope: Scope | undefined = s.scope; scope; scope = scope.parent)
    if (scope.ofTemplate && [...scope.symbols.values()].some(isOf)) return true;
  return false;
}

export const byReference = (p: ParameterInfo): boolean => p.mode === "out" || p.mode === "inout" || p.mode === "ref";

function argumentRank(s: Sema, p: ParameterInfo, v: Value): number | undefined {
  if (v.listed) return byReference(p) && !holdsValues(p) ? undefined : v.listed.rank(p.type);
  let type = v.type;
  const isBool = p.type.kind === "scalar" && p.type.scalar === "bool";
  const convertsTo = (from: Type): number | undefined =>
    from.kind === "pointer" && isBool ? pointerAsBool : implicitConversion(s.form, from, p.type, "argument");
  if (type.kind === "array" && (p.type.kind === "pointer" || isBool) && v.place && s.language.arrays === "decay") {
    type = {
      kind: "pointer",
      pointee: type.element,
      space: addressedSpace(s, v, v.place),
      ...(v.readOnly ? { readOnly: true } : {}),
    };
  }
  if (s.reading.expressions.bestOverload === "all together") {
    // What is written is a place.
    if (byReference(p) && !v.place && !v.row && !v.field && !v.onWrite) return undefined;
    const into = (from: Type, to: Type): boolean => implicitConversion(s.form, from, to, "argument") !== undefined;
    const [from, to] = p.mode === "out" ? [p.type, type] : [type, p.type];
    return into(from, to) && (p.mode !== "inout" || into(to, from)) ? 0 : undefined;
  }
  if (byReference(p)) {
    if (!isSame(type, p.type)) {
      if (p.mode !== "ref") return implicitConversion(s.form, type, p.type, "argument");
      const made = holdsValues(p) ? convertsTo(type) : undefined;
      if (made !== undefined) return made;
      return asReferred(s, p, v) ? convertedRank(s, v, p.type) : undefined;
    }
    if (p.mode !== "ref") return 0;
    // What is no place is given one in private memory.
    if (!v.place) return p.space === "private" ? 0 : notWritten;
    return placeSpace(s, v.place) === p.space ? 0 : undefined;
  }
  const pointers = functionPointersOf(s, p.type);
  if (pointers && v.captured) return becomesFunctionPointer(s, v, pointers) ? 0 : undefined;
  if ((p.type.kind === "pointer" || isEvent(p.type) || pointers) && v.expr && isNullConstant(v.expr)) return 2;
  if (mayMeet(type, p.type)) return 0;
  const implicit = convertsTo(type);
  if (implicit === undefined && isLooselyPointer(s, type, p.type)) return looseRank;
  return implicit ?? (userConversion(s, v, p.type) ? convertedRank(s, v, p.type) : undefined);
}

const convertedRank = (s: Sema, v: Value, type: Type): number => (becomesBase(s, v.type, type) ? baseRank : userRank);

/** Whether the parameter is a reference to the one element of a list, which is then as good as without braces. */
export function refersToElement(s: Sema, p: ParameterInfo, { listed }: Value): boolean {
  const element = listed?.element;
  if (!element || p.mode !== "ref" || !isReferenceTo(s, p, element)) return false;
  return !element.place || placeSpace(s, element.place) === p.space;
}

const isReferenceTo = (s: Sema, p: ParameterInfo, { type }: Value): boolean =>
  isSame(type, p.type) || becomesBase(s, type, p.type);

/** One that names the address space comes before one that takes any, and last what is no place for a reference. */
function rankInSpace(s: Sema, p: ParameterInfo, given: Value): number | undefined {
  const v = refersToElement(s, p, given) ? given.listed!.element! : given;
  const rank = argumentRank(s, p, v);
  if (rank === undefined || s.reading.expressions.bestOverload === "all together") return rank;
  if (p.rvalue) {
    // To what is made of an object of another type it may refer.
    const moves = !isLvalue(v) && (v.readOnly === undefined || p.constant);
    return moves || !isReferenceTo(s, p, v) ? rank : undefined;
  }
  const written = v.readOnly === undefined && isLvalue(v);
  return rank + (p.moved ? 0.25 : 0) + (p.mode === "ref" && !p.constant && !written ? notWritten : 0);
}

/** What `...` takes is worse than what any conversion makes (C++14 13.3.3.1.3). */
const rankFor = (p: ParameterInfo | undefined, rank: (p: ParameterInfo) => number | undefined): number | undefined =>
  p ? rank(p) : ellipsisRank;

/**
 * Of two bases the one that inherits from the other comes first; of two references `&&` does, and one that may be written through before one
 * to const (C++14 13.3.3.2).
 */
function closer(s: Sema, v: Value, a: ParameterInfo | undefined, b: ParameterInfo | undefined): number {
  const { type } = v;
  const converted = a && b ? betterConverted(s, v, a.type, b.type) : 0;
  if (converted !== 0) return converted;
  if (a && b && becomesBase(s, type, a.type) && becomesBase(s, type, b.type)) {
    const nearer = Number(becomesBase(s, b.type, a.type)) - Number(becomesBase(s, a.type, b.type));
    if (nearer !== 0) return nearer;
  }
  if (a?.mode !== "ref" || b?.mode !== "ref") return 0;
  return Number(b.rvalue === true) - Number(a.rvalue === true) || Number(a.constant) - Number(b.constant);
}

/** Of one type, and one enumeration if of any. */
export const isSame = (a: Type, b: Type): boolean =>
  sameType(a, b) && enumerationOf(a)?.enumeration === enumerationOf(b)?.enumeration;

/** References to const and `&&` refer to values, too, and to what an object of another type becomes (C++14 8.5.3). */
export const holdsValues = (p: ParameterInfo): boolean =>
  p.mode === "ref" && (p.constant || p.rvalue === true) && p.space === "private";

/** What a compiler warns of comes last. */
const looseRank = 20;

const ellipsisRank = 30;

/** Behind all of these: a reference that what is given is no place for is chosen only to be refused. */
const notWritten = 50;

/** A conversion of the language (C++14 13.3.3.1.4 (1)), which no other of them competes with. */
export const baseRank = 5;

/** After all other conversions of the language (C++14 13.3.3.2 (4)). */
const pointerAsBool = 4;

/** Conversions that the source declares come after those of the language. */
export const userRank = 10;

/** What a reference to another type refers to: the base of an object, or, where it may not be written, what is made of it. */
export function asReferred(s: Sema, p: ParameterInfo, v: Value): ((span: Span) => Value | undefined) | undefined {
  const convert = userConversion(s, v, p.type);
  if (!convert) return undefined;
  const isBase = v.type.kind === "struct" && upcast(s, v, p.type, p.span) !== undefined;
  if (isBase) return !v.place || placeSpace(s, v.place) === p.space ? convert : undefined;
  return holdsValues(p) ? convert : undefined;
}

/** Whether the functions of the source that the name means here do not hide the library's. */
export function besideLibrary(s: Sema, callee: syntax.Identifier): boolean {
  const { libraryOverloads } = s.reading.expressions;
  if (libraryOverloads === "hidden" || callee.templateArguments || callee.path.length > 0) return false;
  return libraryOverloads === "exact first" || seesLibrary(s, callee);
}

/** Whether a name also means the library's functions: those of a namespace of the source hide them (C++14 3.4.1). */
export function seesLibrary(s: Sema, callee: syntax.Identifier): boolean {
  let scope: Scope | undefined = s.scope;
  while (scope && !scope.symbols.has(callee.name) && !scope.object?.names.has(callee.name)) scope = scope.parent;
  const hidden = scope?.namespace !== undefined && scope.namespace !== s.reading.namespace;
  return s.libraryInScope && callee.path.length === 0 && !hidden;
}

/** Whether the library has a function that the arguments fit better than each of those of the source. */
export function libraryFitsBetter(
  s: Sema,
  name: string,
  chosen: readonly FunctionInfo[],
  values: readonly Value[],
  span: Span,
): boolean {
  // A lambda is none of the library's arguments.
  if (chosen.length === 0 || !values.every(hasValue)) return false;
  const ranks = chosen.map((f) =>
    values.map((v, i) => rankFor(f.parameters[i], (p) => argumentRank(s, p, v)) ?? userRank),
  );
  if (ranks.some((list) => list.every((rank) => rank === 0))) return false;
  const exprs = values.map((v) => argumentFor(s, v, span));
  if (!exprs.every((x) => x !== undefined)) return false;
  const convert = (from: Type, to: Type): number | undefined => implicitConversion(s.form, from, to, "argument");
  const library = resolveBuiltin(s.dialect, name, exprs, [], convert);
  if (!library || !("parameters" in library)) return false;
  const own = library.parameters.map((p, i) =>
    p.mode === "skip" ? 0 : ((p.mode === "value" ? convert(exprs[i]!.type, p.type) : 0) ?? userRank),
  );
  if (s.reading.expressions.libraryOverloads === "exact first") return own.every((rank) => rank === 0);
  return ranks.every((list) => own.every((rank, i) => rank <= list[i]!) && own.some((rank, i) => rank < list[i]!));
}

/** The best viable overloads: one where there is an answer, none or several where not. `given`: the arguments, or those of each. */
export function chooseOverload(
  s: Sema,
  overloads: readonly FunctionInfo[],
  given: readonly Value[] | ((f: FunctionInfo) => readonly Value[]),
): FunctionInfo[] {
  const fitting: { f: FunctionInfo; ranks: number[]; args: readonly Value[] }[] = [];
  for (const o of overloads) {
    const args = typeof given === "function" ? given(o) : given;
    const f = inSpacesOf(s, forArraysOf(s, o, args), args);
    const required = f.parameters.filter((p) => !p.default).length;
    if (args.length < required || (args.length > f.parameters.length && !f.variadic)) continue;
    const ranks = args.map((a, i) => rankFor(f.parameters[i], (p) => rankInSpace(s, p, a)));
    if (ranks.every((r) => r !== undefined)) fitting.push({ f, ranks, args });
  }
  // What would be refused is chosen where there is nothing else.
  const viable = leastOf(fitting, ({ ranks }) => Number(ranks.some((r) => r >= notWritten)));
  if (viable.length <= 1) return viable.map((v) => v.f);
  if (s.reading.expressions.bestOverload === "all together") return leastConverting(viable);
  type Viable = (typeof viable)[number];
  // C++14 13.3.3 (1): by the conversions of the arguments, and where none is better or worse by what the functions are.
  const better = (a: Viable, b: Viable): boolean => {
    const apart = a.ranks.map((r, i) => r - b.ranks[i]! || closer(s, a.args[i]!, a.f.parameters[i], b.f.parameters[i]));
    if (apart.some((x) => x > 0)) return false;
    if (apart.some((x) => x < 0)) return true;
    const [best, ...others] = mostSpecial(s, [a.f, b.f]);
    return best === a.f && others.length === 0;
  };
  const best = viable.find((v) => viable.every((o) => o === v || better(v, o)));
  return best ? [best.f] : viable.map((v) => v.f);
}

function leastOf<T>(all: readonly T[], by: (x: T) => number): T[] {
  const least = Math.min(...all.map(by));
  return all.filter((x) => by(x) === least);
}

/** DXC takes the function whose conversions, all arguments together, are the least. */
function leastConverting(
  viable: readonly { readonly f: FunctionInfo; readonly args: readonly Value[] }[],
): FunctionInfo[] {
  const scores = viable.map(({ f, args }) => args.reduce((sum, a, i) => sum + argumentScore(f.parameters[i]!, a), 0n));
  const least = scores.reduce((a, b) => (b < a ? b : a));
  return viable.flatMap(({ f }, i) => (scores[i] === least ? f : []));
}

function argumentScore(p: ParameterInfo, a: Value): bigint {
  const read = p.mode === "out" ? 0n : conversionScore(a.type, p.type, a.expr?.open === true);
  return p.mode === "out" || p.mode === "inout" ? read + conversionScore(p.type, a.type) : read;
}

const showArguments = (s: Sema, values: readonly Value[]): string =>
  `(${values.map((v) => v.listed?.shown ?? showGiven(s, v)).join(", ")})`;

export function noOverload(
  s: Sema,
  name: string,
  { overloads: all, templates }: Symbol & { kind: "functions" },
  chosen: readonly FunctionInfo[],
  values: readonly Value[],
  span: Span,
): undefined {
  if (chosen.length > 1) {
    return error(
      s,
      "XL2005",
      `the call of '${name}' with ${showArguments(s, values)} fits several functions equally well`,
      span,
      {
        notes: chosen.map((f) => ({ message: "this one", span: f.span })),
      },
    );
  }
  return error(s, "XL2005", `no function '${name}' takes ${showArguments(s, values)}`, span, {
    notes: [
      ...all
        .slice(0, 4)
        .map((f) => f.called ?? f)
        .map((f) => ({
          message: `it takes (${f.parameters.map((p) => shown(s, p.type)).join(", ")})`,
          span: f.span,
        })),
      ...templates.slice(0, 4).map((t) => ({ message: "this template does not fit", span: t.span })),
    ],
  });
}
