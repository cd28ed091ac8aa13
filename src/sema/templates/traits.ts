/** Traits of the language's library (src/dialects/traits.ts) as names of types, constants and functions. */
import type * as syntax from "../../ast/syntax.js";
import { literal } from "../../ast/builders.js";
import { choiceTrait, limitsTemplate, sequenceNames } from "../../dialects/traits.js";
import { sizeType } from "../../dialects/type-names.js";
import type { Constant, TraitAnswer, TraitArgument } from "../../dialects/traits.js";
import type { Span } from "../../support/span.js";
import { enumerationOf, scalar, type Type, voidType } from "../../types/types.js";
import { convertConstant } from "../constants.js";
import { error, exprValue, notYet, type Sema, type Symbol, type Value } from "../context.js";
import { lookup } from "../scopes.js";

import { implicitConversion } from "../../dialects/conversions.js";
import { userConversion } from "../constructors.js";
import { namedInfo, resolveTypeName, typeNamed } from "../declared-types.js";
import { constantValue } from "../expressions.js";
import { inLibrary } from "../type-names.js";
import { boundTo } from "./bind.js";
import { integralConstantTemplate } from "./integral-constant.js";
import { boundOf, structInstance } from "./struct-templates.js";
import { integerSequenceTemplate, sizeName } from "./integer-sequence.js";
import { expanded } from "./packs.js";
import type { StructTemplate } from "./template.js";

type Name = syntax.Identifier | syntax.NamedType;

const constantSymbol = (c: Constant, span: Span): Symbol => ({
  kind: "value",
  make: (at) => ({ ...exprValue(literal(c.kind, c.value, at)), readOnly: "it is a constant" }),
  span,
});

/** Traits of traits: of each argument its `::value` counts (C++17 23.15.8). */
const ofTruths: ReadonlySet<string> = new Set(
  ["conjunction", "disjunction", "negation"].flatMap((name) => [name, `_${name}`]),
);

/** `T::value`. */
function truthOf(s: Sema, a: syntax.TemplateArgument): TraitArgument | undefined {
  const type = a.kind === "type-name" ? a.specifier : a;
  if (type.kind !== "named-type" && type.kind !== "identifier")
    return notYet(s, "such an argument of a trait is", a.span);
  const { path, name, templateArguments, pathArguments, span } = type;
  const value = constantValue(
    s,
    {
      kind: "identifier",
      path: [...path, name],
      pathArguments: [...(pathArguments ?? path.map(() => undefined)), templateArguments],
      name: "value",
      span,
    },
    "the argument",
  );
  return value === undefined ? undefined : { value };
}

/** What a trait is given; the type an expression names is a type. */
function argumentsOf(s: Sema, name: string, list: readonly syntax.TemplateArgument[]): TraitArgument[] | undefined {
  const out: TraitArgument[] = [];
  for (const [i, a] of list.entries()) {
    const [condition] = out;
    if (name === choiceTrait && condition && "value" in condition && i === (condition.value ? 2 : 1)) {
      // To name an instance of a template does not make it (C++14 14.7.1), and nobody asks for this one.
      out.push({ type: voidType });
      continue;
    }
    if (ofTruths.has(name)) {
      const truth = truthOf(s, a);
      if (!truth) return undefined;
      out.push(truth);
      continue;
    }
    if (a.kind === "type-name") {
      const t = resolveTypeName(s, a);
      if (!t) return undefined;
      out.push(namedInfo(t));
      continue;
    }
    const named = typeNamed(s, a);
    if (named) {
      out.push({ type: named });
      continue;
    }
    const value = constantValue(s, a, "the argument");
    if (value === undefined) return undefined;
    out.push({ value });
  }
  return out;
}

/** The trait of this name that no declaration of the source hides; `alone`: it is written without the library's namespace. */
function isTrait(s: Sema, name: string, alone: boolean): boolean {
  return s.reading.types.traits?.names.has(name) === true && !(alone && lookup(s, name));
}

/** C++14 20.10.6: as an argument would be converted, by the language or by what a struct declares. */
function isConvertible(s: Sema, from: Type, to: Type): boolean {
  if (implicitConversion(s.form, from, to, "argument") !== undefined) return true;
  const { templates } = s;
  const { converting } = templates;
  // A question of its own, wherever it is asked.
  templates.converting = false;
  const found = userConversion(s, { type: from }, to);
  templates.converting = converting;
  return found !== undefined;
}

function answer(
  s: Sema,
  name: string,
  list: readonly syntax.TemplateArgument[],
  span: Span,
): Exclude<TraitAnswer, undefined> | undefined {
  const args = argumentsOf(s, name, list);
  if (!args) return undefined;
  const made = s.reading.types.traits!.trait(name, args, (from, to) => isConvertible(s, from, to));
  return made ?? notYet(s, `'${name}' of these arguments is`, span);
}

/** `is_same<T, U>::value`, `enable_if<c, T>::type`, `numeric_limits<T>::digits`; undefined with a problem where it fails. */
export function traitMember(s: Sema, e: Name): Symbol | undefined | "none" {
  const path = inLibrary(s, e.path);
  const [scope] = path;
  if (path.length !== 1 || scope === undefined || (e.path.length === 1 && lookup(s, scope))) return "none";
  const list = e.pathArguments?.at(-1);
  if (scope === "true_type" || scope === "false_type") {
    const known = s.reading.types.traits && e.name === "value";
    return known ? constantSymbol({ kind: "bool", value: scope === "true_type" }, e.span) : "none";
  }
  if (!list) return "none";
  if (scope === "numeric_limits" && s.reading.types.traits) {
    const limit = limitOf(s, e, list);
    if (!limit) return undefined;
    return limit.called
      ? error(s, "XL2017", `'${e.name}' is a function, it must be called`, e.span)
      : constantSymbol(limit, e.span);
  }
  if (!isTrait(s, scope, e.path.length === 1) || (e.name !== "value" && e.name !== "type")) return "none";
  const made = answer(s, scope, list, e.span);
  if (!made) return undefined;
  if (e.name === "value" && "value" in made) return constantSymbol(made, e.span);
  if (e.name === "type" && "type" in made) return { kind: "type", info: made, span: e.span };
  return error(s, "XL2001", `'${scope}' has no member '${e.name}' for these arguments`, e.span);
}

/** `numeric_limits<T>::max`, where the source has a specialisation for T: the same of the template that it specialises. */
export function limitsOfSource<N extends Name>(s: Sema, e: N): N {
  const path = inLibrary(s, e.path);
  const list = e.pathArguments?.at(-1);
  if (path.length !== 1 || path[0] !== limitsTemplate.named || !list || list.length !== 1) return e;
  const symbol = lookup(s, limitsTemplate.specialized);
  if (symbol?.kind !== "template" || lookup(s, limitsTemplate.named)) return e;
  const [only] = argumentsOf(s, e.name, list) ?? [];
  if (!only || !("type" in only) || (only.type.kind === "scalar" && !enumerationOf(only.type))) return e;
  return { ...e, path: [limitsTemplate.specialized], pathArguments: [list] };
}

function limitOf(s: Sema, e: Name, list: readonly syntax.TemplateArgument[]) {
  const args = argumentsOf(s, e.name, list);
  const [only] = args ?? [];
  if (!args) return undefined;
  const type = only && "type" in only && args.length === 1 ? only.type : undefined;
  const limit =
    type?.kind === "scalar" && !enumerationOf(type) ? s.reading.types.traits!.limits(type.scalar, e.name) : undefined;
  return limit ?? notYet(s, `'${e.name}' of the limits of such a type is`, e.span);
}

/** `numeric_limits<T>::max()`; "none" where the callee is no such function. */
export function limitCall(s: Sema, callee: syntax.Identifier, span: Span): Value | undefined | "none" {
  const path = inLibrary(s, callee.path);
  const list = callee.pathArguments?.at(-1);
  if (path.length !== 1 || path[0] !== "numeric_limits" || !list) return "none";
  if (!s.reading.types.traits || lookup(s, "numeric_limits")) return "none";
  const limit = limitOf(s, callee, list);
  if (!limit) return undefined;
  if (!limit.called) return error(s, "XL2017", `'${callee.name}' is not a function`, callee.span);
  return exprValue(literal(limit.kind, limit.value, span));
}

/** `is_same_v<T, U>`; "none" where the name is no trait. */
export function traitValue(s: Sema, e: syntax.Identifier): Symbol | undefined | "none" {
  const name = /^(\w+)_v$/.exec(e.name)?.[1];
  if (!name || !e.templateArguments || inLibrary(s, e.path).length > 0 || !isTrait(s, name, e.path.length === 0))
    return "none";
  const made = answer(s, name, e.templateArguments, e.span);
  if (!made) return undefined;
  return "value" in made
    ? constantSymbol(made, e.span)
    : error(s, "XL2001", `name '${e.name}' is not declared`, e.span);
}

/** `conditional_t<c, T, U>`; "none" where the name is no trait. */
export function traitType(s: Sema, t: Name): Symbol | undefined | "none" {
  const name = /^(\w+)_t$/.exec(t.name)?.[1];
  if (!name || !t.templateArguments || inLibrary(s, t.path).length > 0 || !isTrait(s, name, t.path.length === 0))
    return "none";
  const made = answer(s, name, t.templateArguments, t.span);
  if (!made) return undefined;
  return "type" in made
    ? { kind: "type", info: made, span: t.span }
    : error(s, "XL2001", `'${name}' has no member 'type' for these arguments`, t.span);
}

/**
 * `integral_constant<int, 3>`, `true_type`, and `is_same<T, U>` for the one of those that it is made of, as types of values;
 * "none" where the name is none of them.
 */
export function traitStruct(s: Sema, t: Name): Symbol | undefined | "none" {
  if (!s.reading.types.traits || inLibrary(s, t.path).length > 0 || (t.path.length === 0 && lookup(s, t.name)))
    return "none";
  if (t.templateArguments && sequenceNames.includes(t.name)) return sequence(s, t, t.templateArguments);
  let made: TraitAnswer;
  if (t.name === "true_type" || t.name === "false_type") made = { kind: "bool", value: t.name === "true_type" };
  else if (t.templateArguments && isTrait(s, t.name, t.path.length === 0))
    made = answer(s, t.name, t.templateArguments, t.span);
  else return "none";
  if (!made || !("value" in made)) return made ? "none" : undefined;
  const value = typeof made.value === "number" ? convertConstant(made.value, made.kind) : made.value;
  if (value === undefined) return undefined;
  const template = (s.templates.integralConstant ??= integralConstantTemplate(s.globalScope));
  const type = scalar(made.kind);
  const list = [
    { kind: "type", info: { type } },
    { kind: "constant", value, type },
  ] as const;
  const info = structInstance(s, template, boundTo(template.scope, template.parameters, list), t.span);
  return info && { kind: "type", info, span: t.span };
}

/** More of them help nobody. */
const longest = 1024;

/** `integer_sequence<T, v...>`, also as what has a length for its arguments: `make_integer_sequence<T, n>`. */
function sequence(s: Sema, t: Name, list: readonly syntax.TemplateArgument[]): Symbol | undefined {
  const template = (s.templates.integerSequence ??= integerSequenceTemplate(s.globalScope));
  const written = t.name === "integer_sequence" ? list : t.name === "index_sequence" ? [sizeName, ...list] : undefined;
  const bound = written ? boundOf(s, template, written, t.span) : numbered(s, template, t, list);
  const info = bound && structInstance(s, template, bound, t.span);
  return info && { kind: "type", info, span: t.span };
}

function numbered(s: Sema, template: StructTemplate, t: Name, list: readonly syntax.TemplateArgument[]) {
  const all = expanded(s, list);
  const args = t.name === "index_sequence_for" ? [] : all && argumentsOf(s, t.name, list);
  if (!all || !args) return undefined;
  const [first] = args;
  const type: Type = first && "type" in first ? first.type : sizeType;
  const last = args.at(-1);
  const length =
    t.name === "index_sequence_for" ? all.length : last && "value" in last ? Number(last.value) : undefined;
  const isOther = args.length > 0 && args.length !== (t.name === "make_integer_sequence" ? 2 : 1);
  if (length === undefined || isOther || type.kind !== "scalar" || !Number.isInteger(length) || length < 0)
    return error(
      s,
      "XL2005",
      `'${t.name}' takes ${t.name === "make_integer_sequence" ? "a type and a" : "a"} length`,
      t.span,
    );
  if (length > longest) return notYet(s, `a sequence of more than ${longest} numbers is`, t.span);
  const elements = Array.from({ length }, (_, i) => ({ kind: "constant", value: BigInt(i), type }) as const);
  return boundTo(template.scope, template.parameters, [
    { kind: "type", info: { type } },
    { kind: "pack", elements },
  ]);
}

/** What a struct gets of `true_type`, `false_type` and `integral_constant<T, v>`; "none" where the base is another. */
export function traitBase(s: Sema, t: syntax.NamedType): ReadonlyMap<string, Symbol> | undefined | "none" {
  if (!s.reading.types.traits || inLibrary(s, t.path).length > 0 || (t.path.length === 0 && lookup(s, t.name)))
    return "none";
  if (t.name === "true_type" || t.name === "false_type")
    return new Map([["value", constantSymbol({ kind: "bool", value: t.name === "true_type" }, t.span)]]);
  if (!t.templateArguments || !isTrait(s, t.name, t.path.length === 0)) return "none";
  const made = answer(s, t.name, t.templateArguments, t.span);
  if (!made) return undefined;
  if ("value" in made) return new Map([["value", constantSymbol(made, t.span)]]);
  if ("type" in made) return new Map([["type", { kind: "type", info: made, span: t.span }]]);
  return new Map();
}
