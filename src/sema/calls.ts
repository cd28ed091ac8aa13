/** Calls: constructors, casts written as calls, functions of the source, builtins by way of the capability table. */
import { append } from "../support/append.js";
import { addressOf, functionCall, rootVariable } from "../ast/builders.js";
import type { Argument, Expr, Place } from "../ast/nodes.js";
import type { PrintFunction } from "../dialects/language.js";
import type * as syntax from "../ast/syntax.js";
import { commonType, implicitConversion } from "../dialects/conversions.js";
import { opReads } from "../ops/effects.js";
import { isBuiltin } from "../dialects/builtins.js";
import { isBuiltinName, keepsPrecision, resolveBuiltin } from "../ops/index.js";
import { row } from "../ops/table.js";
import { conversionScore } from "../dialects/hlsl-overloads.js";
import type { BuiltinArgument, ResolvedBuiltin } from "../ops/row.js";
import type { Span } from "../support/span.js";
import {
  componentCount,
  enumerationOf,
  isEvent,
  isAtLeast,
  isNumeric,
  named,
  sameType,
  scalar,
  scalarOf,
  type Numeric,
  type Type,
  pointer,
} from "../types/types.js";
import { deref } from "../ast/builders.js";
import { dereferenced, partOf, reinterpreted } from "./access.js";
import { evaluate } from "./constants.js";
import { convertedPlace, isConverted, isOtherType, standApart, thenBack } from "./converted-places.js";
import { argumentValues } from "./list-arguments.js";
import { castTo, constructorCall, refusesSeveral } from "./construct.js";
import { initializerList } from "./initializer-lists.js";
import {
  addressedSpace,
  hasValue,
  after,
  asPlace,
  error,
  exprValue,
  inScope,
  inScopeOf,
  kept,
  lookup,
  notYet,
  placeSpace,
  refusedBuiltin,
  undeclared,
  type FunctionInfo,
  type ParameterInfo,
  type Scope,
  type Sema,
  type Symbol,
  type Value,
  shown,
} from "./context.js";
import { calledKernel } from "./called-kernels.js";
import { convertedVector } from "./converted-vector.js";
import { offsetOf } from "./offset-of.js";
import { builtinArguments, callArguments } from "./order-matters.js";
import { conditionOf, convertTo, isLooselyPointer, isNullConstant, read } from "./convert.js";
import { resolveTemplateArguments, resolveTypeName, typeNamed } from "./declared-types.js";
import { bitsOf, constantInteger, expression, expressionReader, spaceOf, unevaluated } from "./expressions.js";
import { valueSpan, writablePlace } from "./assignments.js";
import { concreteKind, openAs, showGiven } from "./open-literals.js";
import { givenPrecision, isMinimum } from "./minimum-precision.js";
import { inLibrary, predeclaredType } from "./type-names.js";
import { downcast, upcast, userConversion } from "./constructors.js";
import { withArguments } from "./namespaces.js";
import { printCall } from "./prints.js";
import { withCaptures } from "./closures.js";
import { ownMethodCall, structMethodCall } from "./methods.js";
import { memberOfType } from "./struct-members.js";
import type { StructTemplate } from "./templates/template.js";
import { limitCall, limitsOfSource } from "./templates/traits.js";
import { expanded } from "./templates/packs.js";
import { forArraysOf } from "./buffer-array-parameters.js";
import { inSpacesOf } from "./generic-pointers.js";
import { deducedStruct, functionsFor, mostSpecial } from "./templates/function-templates.js";
import { define } from "./templates/define.js";

/** The grammar takes a name for a type that is one anywhere in the file: `F(x)`, where F is a function here. */
function namedValue(s: Sema, callee: syntax.Expression): syntax.Identifier | undefined {
  if (callee.kind !== "type-expression" || callee.type.derivations.length > 0) return undefined;
  const { specifier } = callee.type;
  if (specifier.kind !== "named-type" || specifier.path.length > 0 || specifier.templateArguments) return undefined;
  const symbol = lookup(s, specifier.name);
  if (symbol?.kind !== "functions" && symbol?.kind !== "value" && symbol?.kind !== "variable") return undefined;
  return { kind: "identifier", name: specifier.name, path: [], span: specifier.span };
}

export function call(s: Sema, given: syntax.Call): Value | undefined {
  const all = expanded(s, given.arguments);
  if (!all) return undefined;
  const e: syntax.Call = all === given.arguments ? given : { ...given, arguments: all };
  const written = e.callee.kind === "parenthesized" ? e.callee.expression : e.callee;
  const named = namedValue(s, written) ?? written;
  const callee = named.kind === "identifier" ? limitsOfSource(s, named) : named;
  if (callee.kind === "member") return methodCall(s, e, callee);
  if (callee.kind === "call" || callee.kind === "brace-construct" || callee.kind === "lambda") {
    const object = expression(s, callee);
    return object && structMethodCall(s, object, "operator()", e, callee.span);
  }
  if (callee.kind === "index" && s.methods.size > 0) {
    const object = expression(s, callee);
    if (!object) return undefined;
    if (object.type.kind === "struct") return structMethodCall(s, object, "operator()", e, callee.span);
  }
  if (callee.kind === "type-expression") {
    const type = typeMade(s, callee.type, e.arguments);
    return type && constructed(s, type, e);
  }
  if (callee.kind !== "identifier") return notYet(s, "calling something that is not a name is", e.span);
  const special = castCall(s, callee, e);
  if (special !== "none") return special;
  const offset = offsetOf(s, callee, e, {
    type: (x) => typeNamed(s, x),
    index: (x) => constantInteger(s, x, "the index of the member"),
  });
  if (offset !== "none") return offset;
  if (isConvertVector(s, callee))
    return convertedVector(s, e, { value: (x) => valueOf(s, x), type: (x) => typeNamed(s, x) });
  const limit = e.arguments.length === 0 ? limitCall(s, callee, e.span) : "none";
  if (limit !== "none") return limit;
  let symbol = callee.path.length === 0 ? lookup(s, callee.name) : memberOfType(s, callee);
  if (symbol?.kind === "methods") return ownMethodCall(s, symbol, callee.name, e);
  if (symbol?.kind === "variable" || symbol?.kind === "value") {
    const object = expression(s, callee);
    if (!object) return undefined;
    if (object.type.kind === "struct") return structMethodCall(s, object, "operator()", e, callee.span);
  }
  const outer = symbol ?? lookup(s, callee.path[0] ?? "");
  if (outer?.kind === "error") return undefined;
  if (symbol?.kind !== "functions") {
    const deduced = classDeduced(s, callee, e.arguments);
    const named = deduced === "none" ? typeNamed(s, callee) : deduced;
    if (deduced === undefined) return undefined;
    if (named) return constructed(s, named, e);
    if (symbol) return error(s, "XL2017", `'${callee.name}' is not a function`, callee.span);
  }
  const prints = symbol || callee.path.length > 0 ? undefined : s.reading.expressions.prints?.get(callee.name);
  if (prints !== undefined) return printed(s, e, prints);
  const before = s.problems.list.length;
  const values = argumentValues(s, e, () => (symbol?.kind === "functions" ? symbol : undefined));
  if (!values) {
    if (!symbol && isUnknown(s, callee))
      s.problems.inFront(before, () => undeclared(s, "function", whole(callee), callee.span));
    return undefined;
  }
  // A name in parentheses is not looked for with the arguments (C++14 3.4.2).
  if (callee === e.callee && callee.path.length === 0 && (!symbol || symbol.kind === "functions"))
    symbol = withArguments(s, callee.name, symbol, values);
  if (symbol?.kind === "functions") {
    const taken = s.reader.callBeforeSource ? s.reader.callBeforeSource(s, callee, values, e) : "none";
    if (taken !== "none") return taken;
    const visible = visibleHere(s, symbol, values);
    if (visible.overloads.some((f) => f.kernel) && !s.reading.entryPoint.called)
      return error(
        s,
        "XL2010",
        `the kernel '${callee.name}' is called, which ${s.language.name} does not allow`,
        e.span,
      );
    const overloads = visible.overloads.map((f) => (f.kernel ? calledKernel(s, f) : f));
    const candidates = [
      ...(callee.templateArguments ? [] : overloads.filter((f) => f !== undefined)),
      ...(visible.templates.length > 0 ? functionsFor(s, visible.templates, callee.templateArguments, values) : []),
    ];
    const chosen = chooseOverload(s, candidates, values);
    // The library's functions are no templates, so that one comes before an instance that fits no better.
    const [first] = values;
    const alike = first && values.every((v) => sameType(v.type, first.type));
    const beside =
      chosen[0]?.instance && alike && !callee.templateArguments && seesLibrary(s, callee)
        ? builtinCall(s, callee, values, e, true)
        : "none";
    if (beside !== "none") return beside;
    if (besideLibrary(s, callee) && libraryFitsBetter(s, callee.name, chosen, values, e.span)) {
      const better = builtinCall(s, callee, values, e, true);
      if (better !== "none") return better;
    }
    if (chosen.length === 1) return callFunction(s, chosen[0]!, values, e.span);
    const asBuiltin = chosen.length === 0 ? builtinCall(s, callee, values, e, true) : "none";
    if (asBuiltin !== "none") return asBuiltin;
    return noOverload(s, callee.name, symbol, chosen, values, e.span);
  }
  const made = builtinCall(s, callee, values, e, false);
  if (made !== "none") return made;
  return undeclared(s, "function", whole(callee), callee.span);
}

const valueOf = (s: Sema, x: syntax.Expression): Expr | undefined => {
  const v = expression(s, x);
  return v && read(s, v, x.span);
};

const isConvertVector = (s: Sema, callee: syntax.Identifier): boolean =>
  s.language.memory === "natural" && callee.name === "__builtin_convertvector" && !lookup(s, callee.name);

/** No function whatever its arguments are, so that these are not what is wrong first. */
const isUnknown = (s: Sema, callee: syntax.Identifier): boolean =>
  !isBuiltinName(s.dialect, whole(callee)) &&
  !isBuiltin(s.form, callee.name) &&
  ![...s.declaredIn.values()].some((scope) => scope.symbols.has(callee.name));

const whole = (callee: syntax.Identifier): string => [...callee.path, callee.name].join("::");

/** The type of `T(a, b)` and `T{a, b}`. */
export function typeMade(
  s: Sema,
  type: syntax.TypeName,
  args: readonly (syntax.Expression | syntax.InitializerList)[],
): Type | undefined {
  const { specifier, derivations } = type;
  const named = specifier.kind === "named-type" && derivations.length === 0 ? specifier : undefined;
  const deduced = named ? classDeduced(s, named, args) : "none";
  return deduced === "none" ? resolveTypeName(s, type)?.type : deduced;
}

type ClassName = Pick<syntax.NamedType, "name" | "path" | "templateArguments" | "span">;

/** The class template that stands without arguments, which what an object is made of says. */
export function classNamedAlone(s: Sema, named: ClassName): StructTemplate | undefined {
  if (!s.reading.declarations.deducesClassArguments || named.path.length > 0 || named.templateArguments)
    return undefined;
  const symbol = lookup(s, named.name);
  return symbol?.kind === "template" && symbol.template.kind === "struct" ? symbol.template : undefined;
}

/** That where a class template is named alone. */
export function classDeduced(
  s: Sema,
  named: ClassName,
  args: readonly (syntax.Expression | syntax.InitializerList)[],
): Type | undefined | "none" {
  const template = classNamedAlone(s, named);
  if (!template) return "none";
  const [first] = args;
  const list = first?.kind === "initializer-list" && args.length === 1 ? first.elements.map((x) => x.value) : args;
  const values = list.map((x) => (x.kind === "initializer-list" ? undefined : unevaluated(s, () => expression(s, x))));
  if (!values.every((v) => v !== undefined)) return undefined;
  return deducedStruct(s, template, values, named.span)?.type;
}

function constructed(s: Sema, type: Type, e: syntax.Call): Value | undefined {
  if (!s.reading.expressions.constructors) {
    const help = type.kind === "struct" ? "write the type in parentheses and a list in braces" : "write a cast";
    return error(s, "XL2013", `${s.language.name} makes no values by calling a type`, e.span, { help });
  }
  if (e.arguments.length === 1 && e.arguments[0]!.kind === "initializer-list") {
    const value = initializerList(s, expressionReader(s), type, e.arguments[0]);
    return value && exprValue(value);
  }
  const args = e.arguments.map((a) => expression(s, a));
  if (!args.every((a) => a !== undefined) || refusesSeveral(s, type, args.length, e.span)) return undefined;
  return constructorCall(s, type, args, e.span);
}

/** `const_cast<thread T&>(x)`: the place of x, to write (C++14 5.2.11). */
function withoutConst(s: Sema, v: Value, span: Span): Value | undefined {
  const { place } = asPlace(v);
  if (!place) return v;
  const space = placeSpace(s, place);
  const at = addressOf(place, space, span, v.readOnly !== undefined);
  const to = castTo(s, exprValue(at), pointer(place.type, space), span, false);
  return to?.expr ? { type: v.type, place: deref(to.expr, span) } : undefined;
}

/** `static_cast<T>(x)`, `as_type<T>(x)`, `as_float4(x)`, `convert_int4(x)`: a type in the name or angle brackets. */
function castCall(s: Sema, callee: syntax.Identifier, e: syntax.Call): Value | undefined | "none" {
  const { name } = callee;
  const word =
    inLibrary(s, callee.path).length === 0 &&
    callee.templateArguments?.length === 1 &&
    /^(static_cast|as_type|reinterpret_cast|const_cast|dynamic_cast|addrspace_cast)$/.test(name);
  if (word) {
    const argument = callee.templateArguments[0]!;
    const types = resolveTemplateArguments(s, [argument]);
    const type = types?.[0];
    if (!types) return undefined;
    if (typeof type !== "object") return error(s, "XL2013", `${name} needs a type`, argument.span);
    const v = singleArgument(s, name, e);
    if (!v) return undefined;
    const info = argument.kind === "type-name" ? resolveTypeName(s, argument) : undefined;
    const down = info && name === "static_cast" ? downcast(s, v, info, e.span) : "none";
    if (down !== "none") return down;
    // `reinterpret_cast<thread T&>(x)` of a T is x.
    const isReference = argument.kind === "type-name" && argument.derivations.at(-1)?.kind === "reference";
    if (name === "reinterpret_cast" && isReference && sameType(v.type, type) && (v.place ?? v.firstOf)) return v;
    const isAddress = name === "reinterpret_cast" && v.type.kind === "pointer" && type.kind === "scalar";
    if (name === "const_cast" && isReference && sameType(v.type, type)) return withoutConst(s, v, e.span);
    if (name === "static_cast" || type.kind === "pointer" || isAddress)
      return castTo(s, v, info ? spaceOf(s, info, v, e.span) : type, e.span, false);
    if (name === "as_type") return reinterpreted(s, v, type, bitsOf, e.span);
    return notYet(s, `${name} to ${shown(s, type)} is`, e.span);
  }
  if (!s.reading.expressions.conversionFunctions || callee.path.length > 0) return "none";
  const m = /^(as|convert)_([a-z]+[0-9]*)$/.exec(name);
  if (!m || lookup(s, name)) return "none";
  const named = predeclaredType(s, m[2]!);
  if (!named) return "none";
  if ("notYet" in named) return notYet(s, named.notYet, e.span);
  if (!("type" in named) || componentCount(named.type) === undefined) return "none";
  const v = singleArgument(s, name, e);
  if (!v) return undefined;
  if (m[1] === "as") return reinterpreted(s, v, named.type, bitsOf, e.span);
  const operand = read(s, v, e.span);
  if (!operand) return undefined;
  if (componentCount(operand.type) !== componentCount(named.type)) {
    return error(s, "XL2005", `${name} does not take ${showGiven(s, operand)}`, e.span);
  }
  if (sameType(operand.type, named.type)) return exprValue(operand);
  return exprValue({ kind: "convert", operand, type: named.type, explicit: true, span: e.span });
}

function singleArgument(s: Sema, name: string, e: syntax.Call): Value | undefined {
  if (e.arguments.length !== 1)
    return error(s, "XL2005", `${name} takes one argument, not ${e.arguments.length}`, e.span);
  return expression(s, e.arguments[0]!);
}

// ------------------------------------------------------------------ functions of the source

/** In a template, what was declared before it, and the functions of types of the source that are given (C++14 14.6.4.2). */
function visibleHere(
  s: Sema,
  symbol: Symbol & { kind: "functions" },
  values: readonly Value[],
): Pick<typeof symbol, "overloads" | "templates"> {
  const { visibleBefore, untemplated } = s.templates;
  const ofSource = (type: Type): boolean =>
    type.kind === "struct" ||
    enumerationOf(type) !== undefined ||
    (type.kind === "pointer" && ofSource(type.pointee)) ||
    (type.kind === "array" && ofSource(type.element));
  if (visibleBefore === undefined || symbol.argument) return symbol;
  if (!untemplated && values.some((v) => ofSource(v.type))) return symbol;
  const before = (x: { readonly span: Span }): boolean => x.span.start <= visibleBefore;
  return { overloads: symbol.overloads.filter(before), templates: symbol.templates.filter(before) };
}

const byReference = (p: ParameterInfo): boolean => p.mode === "out" || p.mode === "inout" || p.mode === "ref";

function argumentRank(s: Sema, p: ParameterInfo, v: Value): number | undefined {
  let type = v.type;
  if (type.kind === "array" && p.type.kind === "pointer" && v.place && s.language.arrays === "decay") {
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
      const made = holdsValues(p) ? implicitConversion(s.form, type, p.type, "argument") : undefined;
      if (made !== undefined) return made;
      return asReferred(s, p, v) ? userRank : undefined;
    }
    return p.mode !== "ref" || !v.place || placeSpace(s, v.place) === p.space ? 0 : undefined;
  }
  if ((p.type.kind === "pointer" || isEvent(p.type)) && v.expr && isNullConstant(v.expr)) return 2;
  const implicit = implicitConversion(s.form, type, p.type, "argument");
  if (implicit === undefined && isLooselyPointer(s, type, p.type)) return looseRank;
  return implicit ?? (userConversion(s, v, p.type) ? userRank : undefined);
}

/** One that names the address space comes before one that takes any, and last what is no place for a reference. */
function rankInSpace(s: Sema, p: ParameterInfo, v: Value): number | undefined {
  const rank = argumentRank(s, p, v);
  if (rank === undefined || s.reading.expressions.bestOverload === "all together") return rank;
  const written =
    v.readOnly === undefined && (v.place ?? v.row ?? v.field ?? v.firstOf ?? v.onWrite ?? v.lvalue) !== undefined;
  return rank + (p.moved ? 0.25 : 0) + (p.mode === "ref" && !p.constant && !written ? notWritten : 0);
}

/** Of two references one that may be written through comes before one to const (C++14 13.3.3.2). */
const closer = (a: ParameterInfo, b: ParameterInfo): number =>
  a.mode === "ref" && b.mode === "ref" ? Number(a.constant) - Number(b.constant) : 0;

/** Of one type, and one enumeration if of any. */
const isSame = (a: Type, b: Type): boolean =>
  sameType(a, b) && enumerationOf(a)?.enumeration === enumerationOf(b)?.enumeration;

/** A reference to const refers to values, too, and to what an object of another type becomes (C++14 8.5.3). */
const holdsValues = (p: ParameterInfo): boolean => p.mode === "ref" && p.constant && p.space === "private";

/** What a compiler warns of comes last. */
const looseRank = 20;

/** Behind all of these: it is chosen only to be refused. */
const notWritten = 50;

/** Conversions that the source declares come after those of the language. */
const userRank = 10;

/** What a reference to another type refers to: the base of an object, or, where it may not be written, what is made of it. */
function asReferred(s: Sema, p: ParameterInfo, v: Value): ((span: Span) => Value | undefined) | undefined {
  const convert = userConversion(s, v, p.type);
  if (!convert) return undefined;
  const isBase = v.type.kind === "struct" && upcast(s, v, p.type, p.span) !== undefined;
  if (isBase) return !v.place || placeSpace(s, v.place) === p.space ? convert : undefined;
  return p.constant && p.space === "private" ? convert : undefined;
}

/** Whether the functions of the source that the name means here do not hide the library's. */
function besideLibrary(s: Sema, callee: syntax.Identifier): boolean {
  const { libraryOverloads } = s.reading.expressions;
  if (libraryOverloads === "hidden" || callee.templateArguments || callee.path.length > 0) return false;
  return libraryOverloads === "exact first" || seesLibrary(s, callee);
}

/** Whether a name also means the library's functions: those of a namespace of the source hide them (C++14 3.4.1). */
function seesLibrary(s: Sema, callee: syntax.Identifier): boolean {
  let scope: Scope | undefined = s.scope;
  while (scope && !scope.symbols.has(callee.name) && !scope.object?.names.has(callee.name)) scope = scope.parent;
  const hidden = scope?.namespace !== undefined && scope.namespace !== s.reading.namespace;
  return s.libraryInScope && callee.path.length === 0 && !hidden;
}

/** Whether the library has a function that the arguments fit better than each of those of the source. */
function libraryFitsBetter(
  s: Sema,
  name: string,
  chosen: readonly FunctionInfo[],
  values: readonly Value[],
  span: Span,
): boolean {
  // A lambda is none of the library's arguments.
  if (chosen.length === 0 || !values.every(hasValue)) return false;
  const ranks = chosen.map((f) => values.map((v, i) => argumentRank(s, f.parameters[i]!, v) ?? userRank));
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

/** The best viable overloads: one where there is an answer, none or several where not. */
export function chooseOverload(s: Sema, overloads: readonly FunctionInfo[], args: readonly Value[]): FunctionInfo[] {
  const viable: { f: FunctionInfo; ranks: number[] }[] = [];
  for (const f of overloads.map((o) => inSpacesOf(s, forArraysOf(s, o, args), args))) {
    const required = f.parameters.filter((p) => !p.default).length;
    if (args.length < required || args.length > f.parameters.length) continue;
    const ranks = args.map((a, i) => rankInSpace(s, f.parameters[i]!, a));
    if (ranks.every((r) => r !== undefined)) viable.push({ f, ranks: ranks });
  }
  if (viable.length <= 1) return viable.map((v) => v.f);
  if (s.reading.expressions.bestOverload === "all together")
    return leastConverting(
      s,
      viable.map((v) => v.f),
      args,
    );
  type Viable = (typeof viable)[number];
  const better = (a: Viable, b: Viable): boolean => {
    const apart = a.ranks.map((r, i) => r - b.ranks[i]! || closer(a.f.parameters[i]!, b.f.parameters[i]!));
    return apart.every((x) => x <= 0) && apart.some((x) => x < 0);
  };
  const undominated = viable.filter((v) => !viable.some((o) => o !== v && better(o, v)));
  const equal = undominated.every((v) => v.ranks.every((r, i) => r === undominated[0]!.ranks[i]));
  const best = equal
    ? mostSpecial(
        s,
        undominated.map((v) => v.f),
      )
    : undominated.map((v) => v.f);
  return best.length === 1 ? [...best] : viable.map((v) => v.f);
}

/** DXC takes the function whose conversions, all arguments together, are the least. */
function leastConverting(s: Sema, viable: readonly FunctionInfo[], args: readonly Value[]): FunctionInfo[] {
  const scores = viable.map((f) => args.reduce((sum, a, i) => sum + argumentScore(f.parameters[i]!, a), 0n));
  const least = scores.reduce((a, b) => (b < a ? b : a));
  return viable.filter((_, i) => scores[i] === least);
}

function argumentScore(p: ParameterInfo, a: Value): bigint {
  const read = p.mode === "out" ? 0n : conversionScore(a.type, p.type, a.expr?.open === true);
  return p.mode === "out" || p.mode === "inout" ? read + conversionScore(p.type, a.type) : read;
}

const showArguments = (s: Sema, values: readonly Value[]): string =>
  `(${values.map((v) => showGiven(s, v)).join(", ")})`;

function noOverload(
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

export function callFunction(s: Sema, f: FunctionInfo, given: readonly Value[], span: Span): Value | undefined {
  define(s, f, span);
  if (f.unread) return undefined;
  if (s.fn && !s.fn.calls.has(f.id)) s.fn.calls.set(f.id, span);
  const { parameters, values, late } = withCaptures(s, f, given);
  const args: Argument[] = [];
  const first: Expr[] = [];
  const last: Expr[] = [];
  for (const [i, p] of parameters.entries()) {
    const value = values[i] ?? defaultArgument(s, p, f.later?.scope ?? s.globalScope, span);
    if (!value) return undefined;
    const v = p.mode === "ref" ? asPlace(value) : value;
    const at = valueSpan(v, span);
    const what = `argument ${i + 1}${p.name ? ` ('${p.name}')` : ""}`;
    if (p.buffers)
      return notYet(
        s,
        "an array of buffers as an argument that is not one of the file is",
        at,
        "hand over its buffers one by one",
      );
    if (!byReference(p)) {
      const converted = convertTo(s, v, p.type, "argument", at, what);
      if (!converted) return undefined;
      args.push({ mode: "value", value: converted });
      continue;
    }
    if (p.mode !== "ref" && isConverted(v, p.type)) {
      const through = convertedPlace(s, v, p.type, p.mode === "inout", at, what);
      if (!through) return undefined;
      append(first, through.first);
      last.push(through.last);
      args.push({ mode: p.mode as "out" | "inout", place: through.place });
      continue;
    }
    const referred = isSame(v.type, p.type) ? v : (asReferred(s, p, v)?.(at) ?? v);
    const place = referenceArgument(s, p, referred, at, what, first);
    if (!place) return undefined;
    args.push({ mode: p.mode as "out" | "inout" | "ref", place });
  }
  const converted = parameters.map((p, i) => byReference(p) && i < values.length && isConverted(values[i]!, p.type));
  if (last.length > 0 && !standApart(s, values, args, converted, span)) return undefined;
  const referring = parameters.map((p, i) => late[i] === true || (p.mode === "ref" && p.constant));
  const ordered = callArguments(s, args, referring, span);
  if (!ordered) return undefined;
  const call = functionCall(f.id, ordered.args, f.returnType, span);
  const made = last.length > 0 ? thenBack(s, call, last, span) : call;
  const whole = after([...first, ...ordered.first], made, span);
  return f.returnsReference ? dereferenced(s, exprValue(whole), span) : { type: f.returnType, expr: whole };
}

/** `first` fills what a reference to a value refers to. */
function referenceArgument(
  s: Sema,
  p: ParameterInfo,
  v: Value,
  span: Span,
  what: string,
  first: Expr[],
): Place | undefined {
  if (holdsValues(p) && (!isSame(v.type, p.type) || (!v.place && !v.onWrite))) {
    const value = convertTo(s, v, p.type, "argument", span, what);
    const held = value && kept(s, value, first, span);
    return held?.kind === "load" ? held.place : undefined;
  }
  if (!sameType(v.type, p.type) || isMinimum(v.type) !== isMinimum(p.type)) {
    return notYet(s, `passing ${showGiven(s, v)} for ${p.mode} ${shown(s, p.type)} is`, span);
  }
  if (p.constant && p.mode === "ref") {
    if (v.onWrite) v.onWrite();
    else if (!v.place)
      return notYet(s, `binding a value to a reference (${what}) is`, span, "store it in a variable first");
  }
  const place =
    p.constant && p.mode === "ref"
      ? (v.place ?? { kind: "deref", pointer: v.expr!, type: v.type, span })
      : writablePlace(s, v, span, "passed to be written");
  if (!place) return undefined;
  if (p.mode === "ref") {
    if (v.place && placeSpace(s, v.place) !== p.space) {
      return error(
        s,
        "XL2009",
        `${what} lies in ${placeSpace(s, v.place)} memory, the reference is to ${p.space} memory`,
        span,
      );
    }
    if (partOf(place) === "component")
      return error(s, "XL2006", "a vector component cannot be bound to a reference", span);
  }
  return place;
}

/** Default arguments are read at the call, in the scope of the function's declaration. */
function defaultArgument(s: Sema, p: ParameterInfo, scope: Scope, span: Span): Value | undefined {
  const given = p.default;
  if (!given) return error(s, "XL2005", `argument '${p.name}' is missing`, span);
  return inScopeOf(s, scope, () =>
    inScope(s, () => {
      if (given.kind !== "initializer-list") return expression(s, given);
      const value = initializerList(s, expressionReader(s), p.type, given);
      return value && exprValue(value);
    }),
  );
}

// ------------------------------------------------------------------ builtins

/** "none" where the name is no builtin (or, when asked quietly, takes no such arguments). */
export function builtinCall(
  s: Sema,
  callee: syntax.Identifier,
  values: readonly Value[],
  e: syntax.Call,
  quiet: boolean,
): Value | undefined | "none" {
  const templates = callee.templateArguments ? resolveTemplateArguments(s, callee.templateArguments) : [];
  if (!templates) return undefined;
  // DXC cuts the others to the vector of one component.
  if (values.some((v) => v.single) && values.some((v) => (componentCount(v.type) ?? 1) > 1))
    return notYet(s, "a row of one component beside vectors is", e.span, "write .x behind it");
  return callBuiltin(
    s,
    [...inLibrary(s, callee.path), callee.name].join("::"),
    values,
    templates,
    e.span,
    callee.span,
    quiet,
  );
}

export function callBuiltin(
  s: Sema,
  name: string,
  values: readonly Value[],
  templates: readonly (Type | number)[],
  span: Span,
  nameSpan: Span,
  quiet: boolean,
): Value | undefined | "none" {
  const { internals } = s.reading;
  const internal = internals?.form.exec(name)?.[1];
  if (internals && internal !== undefined) {
    const mode = internals.modes.get(values.at(-1)?.word ?? "");
    const given = mode === undefined ? values : values.slice(0, -1);
    const meant = `${mode ?? ""}${internal}`;
    const called = isBuiltinName(s.dialect, meant) ? meant : internal;
    return callBuiltin(s, called, given, templates, span, nameSpan, quiet);
  }
  if (name === "printf") return notYet(s, "printf is", nameSpan, "write what is to be seen to a buffer");
  if (name === "is_function_constant_defined")
    return notYet(s, `${name} is`, nameSpan, "give the constant a value with --spec");
  // A lambda is none of the library's arguments.
  if (quiet && values.some((v) => v.captured)) return "none";
  const own = s.reader.libraryCall
    ? s.reader.libraryCall(s, { name, values, templates, span, nameSpan, quiet })
    : "none";
  if (own !== "none") return own;
  const scoped = values.findIndex((v) => enumerationOf(v.type)?.scoped);
  if (scoped >= 0)
    return quiet
      ? "none"
      : error(
          s,
          "XL2005",
          `argument ${scoped + 1} of '${name}' is an enumerator with a scope, which becomes no number by itself`,
          span,
        );
  const exprs = values.map((v) => argumentFor(s, v, span));
  if (!exprs.every((x) => x !== undefined)) return undefined;
  const types = templates.filter((t) => typeof t === "object");
  const resolved = resolveBuiltin(s.dialect, name, exprs, types, (from, to) =>
    implicitConversion(s.form, from, to, "argument"),
  );
  if (!resolved) return "none";
  if ("error" in resolved) {
    if (quiet) return "none";
    if (resolved.refusal) return refusedBuiltin(s, name, resolved.refusal, span);
    return error(s, resolved.notYet ? "XL1900" : "XL2005", resolved.error, span, {
      notes: resolved.candidates.slice(0, 4).map((c) => ({ message: `it takes ${c}` })),
      ...(typeof resolved.notYet === "string" ? { help: resolved.notYet } : {}),
    });
  }
  if ("barrier" in resolved) return { type: { kind: "void" }, barrier: resolved };
  const isAtomic = resolved.op !== undefined && row(resolved.op).effect === "atomic";
  const operands = builtinOperands(s, name, resolved, values, isAtomic, span);
  if (!operands) return undefined;
  const { args, places, first, last } = operands;
  const built = resolved.build(args, places, span);
  if (resolved.open) return exprValue({ ...built, open: true });
  const like = namedAs(s, name, resolved, values);
  // GLSL's mix has the condition last, which the tree evaluates first.
  const numbers = built.kind === "op" ? built.arguments.map((a) => args.indexOf(a)).filter((i) => i >= 0) : [];
  const moved = numbers.some((i, at) => numbers.slice(at + 1).some((j) => j < i));
  const ordered = builtinArguments(s, args, places, isAtomic ? 1 : 0, moved, span);
  if (!ordered) return undefined;
  const made = ordered.first.length === 0 ? built : resolved.build(ordered.values, places, span);
  const result = like && isNumeric(made.type) ? named(made.type, like) : made.type;
  const value = like ? givenPrecision({ ...made, type: result } as Expr) : made;
  // HLSL's atomics give nothing to their callers.
  const whole = last.length > 0 ? thenBack(s, value, last, span, resolved.result.kind === "void") : value;
  return { type: like ? value.type : resolved.result, expr: after([...first, ...ordered.first], whole, span) };
}

/** Whether a place for a result of the type has another kind: one told apart by name alone takes it as it is. */
const isWrittenAsOther = (given: Type, wanted: Type): boolean =>
  isOtherType(given, wanted) && (!sameType(given, wanted) || isMinimum(given));

/** What a builtin is given: values converted, and places. */
function builtinOperands(
  s: Sema,
  name: string,
  { parameters, op, open }: ResolvedBuiltin,
  values: readonly Value[],
  isAtomic: boolean,
  span: Span,
): { readonly args: Expr[]; readonly places: Place[]; readonly first: Expr[]; readonly last: Expr[] } | undefined {
  const args: Expr[] = [];
  const places: Place[] = [];
  const first: Expr[] = [];
  const last: Expr[] = [];
  const converted = parameters.map((p, i) => p.mode === "place" && isWrittenAsOther(values[i]!.type, p.type));
  for (const [i, p] of parameters.entries()) {
    if (p.mode === "skip") continue;
    const v = values[i]!;
    const at = valueSpan(v, span);
    const what = `argument ${i + 1} of '${name}'`;
    if (p.mode === "value") {
      const value = open && v.expr ? openAs(s, v.expr, p.type) : convertTo(s, v, p.type, "argument", at, what);
      if (!value) return undefined;
      args.push(value);
      continue;
    }
    if (converted[i]) {
      const through = convertedPlace(s, v, p.type, false, at, what);
      if (!through) return undefined;
      append(first, through.first);
      last.push(through.last);
      places.push(through.place);
      continue;
    }
    const place = placeArgument(s, v, p.type, at, what, op !== undefined && opReads(op));
    if (!place) return undefined;
    if (places.length === 0 && isAtomic && placeSpace(s, place) === "private")
      return error(s, "XL2009", `'${name}' needs a place in a buffer or in workgroup memory`, at);
    places.push(place);
  }
  if (last.length > 0) {
    const [given, rest] = [[...args], [...places]];
    const all = parameters.map((p): Argument =>
      p.mode === "place" ? { mode: "out", place: rest.shift()! } : { mode: "value", value: given.shift()! },
    );
    if (!standApart(s, values, all, converted, span)) return undefined;
  }
  return { args, places, first, last };
}

/** The type whose name the result of a function of HLSL has: of minimum precision, or half, where all arguments are that have a type. */
function namedAs(
  s: Sema,
  name: string,
  { op, result }: ResolvedBuiltin,
  values: readonly Value[],
): Numeric | undefined {
  const kind = scalarOf(result);
  const types = values.flatMap((v) => (isNumeric(v.type) && !v.expr?.open ? [v.type] : []));
  const counting = types.filter((t) => t.scalar === kind && !enumerationOf(t));
  const [first] = counting;
  if (!first || kind === "bool" || !keepsPrecision(name)) return undefined;
  if (op === undefined || row(op).effect !== "crosslane") {
    const whole = combinedInOrder(s, values);
    // Functions of vectors of half give vectors of float.
    const widened = whole?.distinct === "half" && componentCount(result) !== 1;
    return whole && whole.scalar === kind && (whole.minimum || whole.distinct) && !widened ? whole : undefined;
  }
  if (counting.every(isAtLeast)) return counting.find((t) => !t.distinct) ?? first;
  const numbers = types.filter((t) => t.scalar !== "bool" && !enumerationOf(t));
  return numbers.every((t) => t.distinct === "half") ? first : undefined;
}

/** DXC brings the first two together, then that and the third: a number without a type beside a bool is a float before it meets a half. */
export function combinedInOrder(s: Sema, values: readonly Value[]): Numeric | undefined {
  const operands = values.flatMap((v) =>
    isNumeric(v.type) ? [{ type: named(scalar(v.type.scalar), v.type), literal: v.expr?.open === true }] : [],
  );
  const [first, ...rest] = operands;
  if (!first || operands.length < values.length) return undefined;
  let whole: { readonly type: Type; readonly literal: boolean } = first;
  for (const next of rest) {
    const common = commonType(s.form, whole, next);
    if ("error" in common) return undefined;
    whole = { type: common.type, literal: whole.literal && next.literal };
  }
  return isNumeric(whole.type) && !enumerationOf(whole.type) ? whole.type : undefined;
}

/** A builtin's out operand or memory object: a place of the argument itself, or what its pointer points to. */
function placeArgument(s: Sema, v: Value, type: Type, span: Span, what: string, readOnly: boolean): Place | undefined {
  if (v.type.kind === "pointer" || (v.type.kind === "array" && type.kind !== "array")) {
    const p = read(s, v, span);
    if (!p || p.type.kind !== "pointer") return undefined;
    if (p.type.readOnly && !readOnly) return error(s, "XL2006", `${what} points to const and would be written`, span);
    if (!sameType(p.type.pointee, type))
      return error(s, "XL2003", `${what} points to ${shown(s, p.type.pointee)}, not ${shown(s, type)}`, span);
    return deref(p, span);
  }
  if (!sameType(v.type, type))
    return error(s, "XL2003", `${what} must be ${shown(s, type)} exactly, it is ${showGiven(s, v)}`, span);
  if (readOnly && v.place) return v.place;
  return writablePlace(s, v, span, "passed to be written");
}

function argumentFor(s: Sema, v: Value, span: Span): BuiltinArgument | undefined {
  let type = v.type;
  if (type.kind === "array" && v.place && s.language.arrays === "decay") {
    type = {
      kind: "pointer",
      pointee: type.element,
      space: addressedSpace(s, v, v.place),
      ...(v.readOnly ? { readOnly: true } : {}),
    };
  }
  if (!hasValue(v)) {
    read(s, v, span);
    return undefined;
  }
  const constant = v.expr
    ? evaluate(s, v.expr)
    : v.place
      ? evaluate(s, { kind: "load", place: v.place, type: v.type, span })
      : undefined;
  return {
    type,
    ...(v.literal ? { literal: true } : {}),
    ...(v.expr?.open ? { open: concreteKind(v.expr) } : {}),
    ...(enumerationOf(v.type) ? { enumerated: true } : {}),
    ...(v.place ? { place: true } : {}),
    ...(constant !== undefined ? { constant: typeof constant === "bigint" ? Number(constant) : constant } : {}),
    ...(v.word !== undefined ? { word: v.word } : {}),
    ...bufferArgument(s, v),
  };
}

function bufferArgument(s: Sema, v: Value): Pick<BuiltinArgument, "buffer"> {
  const variable = v.place && rootVariable(v.place);
  const named = variable === undefined ? {} : { variable };
  if (!v.object) {
    const held = v.type.kind === "pointer" && v.type.object !== undefined ? v.type : undefined;
    // A member or an element that holds a buffer is no variable.
    const which = v.place?.kind === "variable" ? named : {};
    return held ? { buffer: { writable: held.readOnly !== true, ...which } } : {};
  }
  const resource = s.resources.find((r) => r.variable === variable);
  const coherent = resource ? { coherent: resource.coherent ?? false } : {};
  return { buffer: { writable: v.object.writable, ...named, ...coherent } };
}

// ------------------------------------------------------------------ methods

const printed = (s: Sema, e: syntax.Call, prints: PrintFunction): Value | undefined =>
  printCall(s, e, prints, {
    value: (x) => valueOf(s, x),
    condition: (value) => conditionOf(s, exprValue(value), value.span),
  });

function methodCall(s: Sema, e: syntax.Call, callee: syntax.Member): Value | undefined {
  const base = expression(s, callee.base);
  if (!base) return undefined;
  const prints = base.word === undefined ? undefined : s.reading.expressions.prints;
  const method = prints?.get(`${base.word}.${callee.name.name}`);
  if (method && !callee.arrow) return printed(s, e, method);
  const object = callee.arrow && base.type.kind === "pointer" ? dereferenced(s, base, e.span) : base;
  if (!object) return undefined;
  if (object.type.kind === "struct" && s.methods.has(object.type.name))
    return structMethodCall(s, object, callee.name.name, e, callee.name.span, callee.name.templateArguments);
  const made = s.reader.method ? s.reader.method(s, base, callee, e) : "none";
  return made === "none" ? notYet(s, `calling '.${callee.name.name}()' is`, callee.name.span) : made;
}
