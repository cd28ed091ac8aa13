/** Arguments of templates: given, found out from a call, or by default; and the scope in which parameters stand for them. */
import { asIdentifier } from "../type-names.js";
import type * as syntax from "../../ast/syntax.js";
import { implicitConversion } from "../../dialects/conversions.js";
import type { Span } from "../../support/span.js";
import { enumerationOf, isInteger, sameType, type Type } from "../../types/types.js";
import { convertConstant, literalForm } from "../constants.js";
import { error, exprValue, type NamedTypeInfo, type Scope, type Sema, type Symbol, shown } from "../context.js";
import { inScopeOf, lookup } from "../scopes.js";
import { derive, namedInfo, resolveTypeName, sortQualifiers, resolveSpecifier, typeNamed } from "../declared-types.js";
import { typedConstant } from "../expressions.js";
import { memberOfPath } from "../namespaces.js";
import { onlyFunction } from "../lambdas.js";
import { closureOf } from "../closures.js";
import { functionNamed } from "./function-templates.js";
import { define } from "./define.js";
import { functionShape, type FunctionShape } from "./function-types.js";
import { expanded, inElement } from "./packs.js";
import { sameArgument, type Arguments, type NamedTemplate, type TemplateArgument } from "./template.js";

const symbolOf = (a: TemplateArgument, span: Span): Symbol => {
  switch (a.kind) {
    case "type":
      return { kind: "type", info: a.info, span };
    case "constant": {
      const type = a.type as Type & { kind: "scalar" };
      const make = (at: Span) => exprValue({ kind: "literal", type, value: literalForm(a.value), span: at });
      return { kind: "value", make, span };
    }
    case "function":
      return { kind: "functions", overloads: [a.function], templates: [], span, argument: true };
    case "template":
      return { kind: "template", template: a.template, span };
    case "pack":
      return { kind: "pack", elements: a.elements.map((x) => symbolOf(x, span)), span };
  }
};

/** The scope of an instance: inside the template's, with its parameters. */
export function boundScope(parent: Scope): Scope {
  return { parent, symbols: new Map(), ofTemplate: true };
}

export function bind(scope: Scope, parameter: syntax.TemplateParameter, a: TemplateArgument): void {
  if (parameter.name) scope.symbols.set(parameter.name.name, symbolOf(a, parameter.name.span));
}

/** The parameters of a template stand for these arguments. */
export function boundTo(parent: Scope, parameters: readonly syntax.TemplateParameter[], list: Arguments): Bound {
  const scope = boundScope(parent);
  parameters.forEach((p, i) => bind(scope, p, list[i]!));
  return { arguments: list, scope };
}

/** What a parameter that is no type is: a number of this type, or a function of this shape. */
function kindOfParameter(s: Sema, p: syntax.TemplateParameter, bindings: Scope): Type | FunctionShape | undefined {
  const type = p.type!;
  const shape = inScopeOf(s, bindings, () => functionShape(s, type.specifier, type.derivations));
  if (shape) return shape;
  return inScopeOf(s, bindings, () => {
    const base = resolveSpecifier(s, type.specifier);
    const made = base && derive(s, base, sortQualifiers(s, type.qualifiers), type.derivations, type.span);
    if (!made) return undefined;
    const closure = closureOf(s, made.type);
    if (closure && "function" in closure.means) {
      const types = closure.means.function.parameters.map((x) => x.type);
      return { parameterTypes: () => types };
    }
    if (made.type.kind === "scalar" && (isInteger(made.type.scalar) || made.type.scalar === "bool")) return made.type;
    return error(
      s,
      "XL1900",
      `a parameter of a template that is a ${shown(s, made.type)} is not supported yet`,
      p.span,
    );
  });
}

/** `template <auto n>`: of the type of its argument (C++17). */
const isAuto = (s: Sema, p: syntax.TemplateParameter): boolean =>
  p.type?.specifier.kind === "named-type" &&
  p.type.specifier.name === s.reading.declarations.deducesTypes &&
  p.type.specifier.path.length === 0 &&
  p.type.derivations.length === 0;

/** An argument as it is written, in the scope it is written in. */
function givenArgument(
  s: Sema,
  p: syntax.TemplateParameter,
  a: syntax.TemplateArgument,
  bindings: Scope,
): TemplateArgument | undefined {
  if (a.kind === "pack-element")
    return inElement(s, a.pattern, a.index, () => givenArgument(s, p, a.pattern, bindings));
  if (p.template) {
    const template = writtenTemplate(s, a);
    if (template && fitsParameters(template.parameters, p.template)) return { kind: "template", template };
    const wanted = template ? "a template with the parameters that it says" : "the name of a template";
    return error(s, "XL2013", `the argument for '${p.name?.name ?? "a parameter"}' has to be ${wanted}`, a.span);
  }
  if (!p.type) {
    const info = writtenType(s, a);
    if (info) return { kind: "type", info };
    return error(s, "XL2013", `the argument for '${p.name?.name ?? "a parameter"}' has to be a type`, a.span);
  }
  const wanted = isAuto(s, p) ? "any" : kindOfParameter(s, p, bindings);
  if (!wanted) return undefined;
  const written: syntax.Expression | undefined =
    a.kind !== "type-name" ? a : a.derivations.length === 0 ? asName(a) : undefined;
  if (!written)
    return error(s, "XL2013", `the argument for '${p.name?.name ?? "a parameter"}' has to be a value`, a.span);
  if (wanted !== "any" && "parameterTypes" in wanted) {
    const name = written.kind === "unary" && written.operator === "&" ? written.operand : written;
    const found = name.kind === "identifier" ? functionNamed(s, name, wanted, bindings) : undefined;
    if (found) return { kind: "function", function: found };
    return error(s, "XL2005", "the argument names no function of the parameter's type", a.span);
  }
  const bare = written.kind === "unary" && written.operator === "&" ? written.operand : written;
  const only = wanted === "any" && bare.kind === "identifier" ? symbolNamed(s, bare) : undefined;
  const f = only && onlyFunction(s, only, (bare as syntax.Identifier).name);
  if (f) {
    define(s, f, a.span);
    return { kind: "function", function: f };
  }
  const given = typedConstant(s, written, `the argument for '${p.name?.name ?? "a parameter"}'`);
  if (given === undefined) return undefined;
  const { value } = given;
  const type = wanted === "any" ? given.type : wanted;
  const converted = type.kind === "scalar" ? convertConstant(value, type.scalar) : undefined;
  const fits = implicitConversion(s.form, given.type, type, "initializer") !== undefined;
  if (!fits || converted === undefined || typeof value === "number")
    return error(s, "XL2007", `the argument has to be a constant of type ${shown(s, type)}`, a.span);
  if (s.reading.declarations.keepsValues && BigInt(converted) !== BigInt(value))
    return error(s, "XL2007", `${value} is no value of ${shown(s, type)}, which the argument has`, a.span);
  const symbol =
    written.kind === "identifier"
      ? written.path.length === 0
        ? lookup(s, written.name)
        : // To read lists of arguments once more would double the work of each that lies in another.
          written.pathArguments?.some((list) => list !== undefined) && !enumerationOf(given.type)
          ? undefined
          : memberOfPath(s, written)
      : undefined;
  const label = symbol?.kind === "enumerator" ? symbol.name : undefined;
  return { kind: "constant", value: converted, type, ...(label ? { label } : {}) };
}

const symbolNamed = (s: Sema, name: syntax.Identifier): Symbol | undefined =>
  name.path.length === 0 ? lookup(s, name.name) : memberOfPath(s, name);

/** `(int)`-like arguments that the grammar takes for types, since a type may have the name. */
function asName(a: syntax.TypeName): syntax.Identifier | undefined {
  const { specifier } = a;
  if (specifier.kind !== "named-type" || a.qualifiers.length > 0) return undefined;
  return asIdentifier(specifier);
}

/** The struct or alias template that a name without arguments means. */
function writtenTemplate(s: Sema, a: syntax.TemplateArgument): NamedTemplate | undefined {
  const name = a.kind === "type-name" ? (a.derivations.length === 0 ? asName(a) : undefined) : a;
  if (name?.kind !== "identifier" || name.templateArguments) return undefined;
  const symbol = name.path.length === 0 ? lookup(s, name.name) : memberOfPath(s, name);
  if (symbol?.kind === "template" && symbol.template.kind !== "variable") return symbol.template;
  // In its own body the name of an instance is that of its template, too (C++14 14.6.1).
  const own = symbol?.kind === "type" && symbol.info.type.kind === "struct" ? symbol.info.type.name : undefined;
  const instance = own === undefined ? undefined : s.templates.structs.get(own);
  return instance?.template.name === name.name ? instance.template : undefined;
}

/** Types for types, templates for templates; what has a default may be more (C++17 17.3.3). */
function fitsParameters(
  given: readonly syntax.TemplateParameter[],
  wanted: readonly syntax.TemplateParameter[],
): boolean {
  if (wanted.some((p) => p.pack) || given.some((p) => p.pack)) return true;
  const kind = (p: syntax.TemplateParameter | undefined): string =>
    p?.template ? "template" : p?.type ? "value" : "type";
  return (
    given.every((p, i) => (i < wanted.length ? kind(p) === kind(wanted[i]) : p.default !== undefined)) &&
    wanted.length <= given.length
  );
}

function writtenType(s: Sema, a: syntax.TemplateArgument): NamedTypeInfo | undefined {
  if (a.kind === "type-name") {
    const made = resolveTypeName(s, a);
    return made && namedInfo(made);
  }
  const type = typeNamed(s, a);
  return type && { type };
}

/** Arguments found out from a call, by the parameter's name. */
export type Deduced = ReadonlyMap<string, TemplateArgument>;

export interface Bound {
  readonly arguments: Arguments;
  readonly scope: Scope;
}

/** The arguments of all parameters, in order: those given first, then what was found out, then defaults. */
export function boundArguments(
  s: Sema,
  parameters: readonly syntax.TemplateParameter[],
  given: Arguments,
  deduced: Deduced,
  parent: Scope,
  missing: (p: syntax.TemplateParameter) => void,
): Bound | undefined {
  const scope = boundScope(parent);
  const out: TemplateArgument[] = [];
  for (const [i, p] of parameters.entries()) {
    let a = given[i] ?? (p.name && deduced.get(p.name.name));
    if (p.pack) a = wholePack(given[i], p.name && deduced.get(p.name.name));
    if (!a && p.default) a = inScopeOf(s, scope, () => givenArgument(s, p, p.default!, scope));
    else if (!a) missing(p);
    if (!a) return undefined;
    // A number that was found out has the type of its parameter.
    if (a.kind === "constant" && p.type && !isAuto(s, p)) {
      const wanted = kindOfParameter(s, p, scope);
      if (!wanted || "parameterTypes" in wanted || wanted.kind !== "scalar") return undefined;
      const value = convertConstant(a.value, wanted.scalar);
      if (value === undefined) return undefined;
      if (!sameType(a.type, wanted)) a = { ...a, value, type: wanted };
    }
    out.push(a);
    bind(scope, p, a);
  }
  return { arguments: out, scope };
}

/** A pack: what was given of it comes first of what was found out (C++14 14.8.1 p9). */
function wholePack(
  given: TemplateArgument | undefined,
  found: TemplateArgument | undefined,
): TemplateArgument | undefined {
  const [first, all] = [given, found].map((a) => (a?.kind === "pack" ? a.elements : []));
  if (all!.length === 0) return { kind: "pack", elements: first! };
  return first!.every((a, i) => all![i] && sameArgument(a, all![i])) ? { kind: "pack", elements: all! } : undefined;
}

/** Arguments in angle brackets for the first parameters of a list. */
export function givenArguments(
  s: Sema,
  parameters: readonly syntax.TemplateParameter[],
  list: readonly syntax.TemplateArgument[],
  parent: Scope,
): Arguments | undefined {
  const all = expanded(s, list);
  if (!all) return undefined;
  const pack = parameters.findIndex((p) => p.pack);
  if (all.length > parameters.length && pack < 0) {
    const span = { start: list[0]!.span.start, end: list.at(-1)!.span.end };
    return error(s, "XL2005", `the template has ${parameters.length} parameters, not ${all.length}`, span);
  }
  const scope = boundScope(parent);
  const out: TemplateArgument[] = [];
  const elements: TemplateArgument[] = [];
  for (const [i, a] of all.entries()) {
    const inPack = pack >= 0 && i >= pack;
    const p = parameters[inPack ? pack : i]!;
    const made = givenArgument(s, p, a, scope);
    if (!made) return undefined;
    (inPack ? elements : out).push(made);
    if (!inPack) bind(scope, p, made);
  }
  return elements.length > 0 ? [...out, { kind: "pack", elements }] : out;
}
