/** Calls: constructors, casts written as calls, functions of the source; those of builtins are in builtin-calls.ts. */
import { append } from "../support/append.js";
import { addressOf, element, functionCall, member, load } from "../ast/builders.js";
import type { Argument, Expr, Place } from "../ast/nodes.js";
import type { PrintFunction } from "../dialects/language.js";
import { undeclared } from "./undeclared.js";
import type * as syntax from "../ast/syntax.js";
import { isBuiltin } from "../dialects/builtins.js";
import { isBuiltinName } from "../ops/index.js";
import type { Span } from "../support/span.js";
import { componentCount, isNumeric, isOfCounters, sameType, type Type, pointer } from "../types/types.js";
import { deref } from "../ast/builders.js";
import { isPure } from "../ast/walk.js";
import { dereferenced, partOf, reinterpreted, basePart } from "./access.js";
import { convertedPlace, isBeforeWhole, isConverted, meetsTwo, standApart, thenBack } from "./converted-places.js";
import { argumentValues, expressionAs } from "./list-arguments.js";
import { castTo, constructorCall, refusesSeveral } from "./construct.js";
import { initializerList } from "./initializer-lists.js";
import {
  asPlace,
  error,
  exprValue,
  notYet,
  placeSpace,
  type FunctionInfo,
  type ParameterInfo,
  type Scope,
  type Sema,
  type Value,
  shown,
  type Symbol,
} from "./context.js";
import { inScope, inScopeOf, lookup } from "./scopes.js";
import { after, kept } from "./held-values.js";
import { calledKernel } from "./called-kernels.js";
import { declaredSignature } from "./functions.js";
import { convertedVector } from "./converted-vector.js";
import { offsetOf } from "./offset-of.js";
import { callArguments } from "./order-matters.js";
import { conditionOf, convertTo, read } from "./convert.js";
import { resolveTemplateArguments, resolveTypeName, typeNamed } from "./declared-types.js";
import {
  behindReference,
  bitsOf,
  constantInteger,
  expression,
  expressionReader,
  spaceOf,
  unevaluated,
} from "./expressions.js";
import { valueSpan, writablePlace } from "./assignments.js";
import { showGiven } from "./open-literals.js";
import { isMinimum } from "./minimum-precision.js";
import { asIdentifier, inLibrary, predeclaredType } from "./type-names.js";
import {
  constructorsOf,
  hasConstructors,
  downcast,
  forWholeObjects,
  holdsCopied,
  referenceCast,
} from "./constructors.js";
import { categoryCall, type CategoryReader } from "./value-categories.js";
import { withArguments } from "./namespaces.js";
import { attempt } from "./templates/state.js";
import { functionPointersOf } from "./function-pointers.js";
import { printCall } from "./prints.js";
import { withCaptures } from "./closures.js";
import { arrowOperand, ownMethodCall, structMethodCall } from "./method-calls.js";
import { memberOfType } from "./struct-members.js";
import type { StructTemplate } from "./templates/template.js";
import { limitCall, limitsOfSource } from "./templates/traits.js";
import { expanded } from "./templates/packs.js";
import { deducedStruct } from "./templates/class-deduction.js";
import { functionsFor } from "./templates/function-templates.js";
import { define } from "./templates/define.js";
import { builtinCall } from "./builtin-calls.js";
import {
  asReferred,
  besideLibrary,
  byReference,
  refersToElement,
  chooseOverload,
  holdsValues,
  isSame,
  libraryFitsBetter,
  noOverload,
  seesLibrary,
  visibleHere,
} from "./overloads.js";

/** The grammar takes a name for a type that is one anywhere in the file: `F(x)`, where F is a function here. */
function namedValue(s: Sema, callee: syntax.Expression): syntax.Identifier | undefined {
  if (callee.kind !== "type-expression" || callee.type.derivations.length > 0) return undefined;
  const { specifier } = callee.type;
  if (specifier.kind !== "named-type") return undefined;
  const { name, path } = specifier;
  const named = asIdentifier(specifier);
  const symbol = path.length === 0 ? lookup(s, name) : memberOfType(s, named);
  if (symbol) return namesCalled.has(symbol.kind) ? named : undefined;
  return inLibrary(s, path).length === 0 && !typeNamed(s, named) && isBuiltin(s.form, name) ? named : undefined;
}

/** A call by a pointer to functions that is told at run time: `table[i](x)`, `(*p)(x)`, `s.f(x)`; "none" where it is none. */
function throughPointer(s: Sema, e: syntax.Call, given: syntax.Expression): Value | undefined | "none" {
  let callee = given;
  while (callee.kind === "parenthesized" || (callee.kind === "unary" && callee.operator === "*"))
    callee = callee.kind === "parenthesized" ? callee.expression : callee.operand;
  if (callee !== given && callee.kind === "identifier" && callee.path.length === 0) {
    const symbol = lookup(s, callee.name);
    if (symbol?.kind === "value" && symbol.make(e.span).captured) return call(s, { ...e, callee });
  }
  if (s.functionPointers.size === 0 || !mayBePointer(s, callee)) return "none";
  const value = attempt(s, () => {
    const v = expression(s, callee);
    return v && functionPointersOf(s, v.type) ? v : undefined;
  });
  const pointers = value && functionPointersOf(s, value.type);
  if (!pointers) return "none";
  const args = e.arguments.map((a) => expression(s, a));
  if (args.some((a) => a === undefined)) return undefined;
  const { dispatch } = pointers;
  if (args.length + 1 !== dispatch.parameters.length)
    return error(s, "XL2005", `this pointer leads to functions of ${dispatch.parameters.length - 1} arguments`, e.span);
  return callFunction(s, dispatch, [value, ...(args as Value[])], e.span);
}

/** A variable, what is chosen, an element or member: no name of a function, type or template. */
function mayBePointer(s: Sema, callee: syntax.Expression): boolean {
  if (callee.kind !== "identifier")
    return (
      callee.kind === "index" || callee.kind === "conditional" || callee.kind === "member" || callee.kind === "call"
    );
  const kind = callee.path.length === 0 && !callee.templateArguments ? lookup(s, callee.name)?.kind : undefined;
  return kind === "variable" || kind === "value";
}

const namesCalled: ReadonlySet<Symbol["kind"]> = new Set(["functions", "methods", "value", "variable"]);

export function call(s: Sema, given: syntax.Call): Value | undefined {
  const all = expanded(s, given.arguments);
  if (!all) return undefined;
  const written = given.callee.kind === "parenthesized" ? given.callee.expression : given.callee;
  const named = namedValue(s, written) ?? written;
  const e: syntax.Call = { ...given, arguments: all, ...(written === given.callee ? { callee: named } : {}) };
  const callee = named.kind === "identifier" ? limitsOfSource(s, named) : named;
  const pointed = throughPointer(s, e, callee);
  if (pointed !== "none") return pointed;
  if (callee.kind === "member") return methodCall(s, e, callee);
  if (callee.kind === "call" || callee.kind === "brace-construct" || callee.kind === "lambda") {
    const object = expression(s, callee);
    return object && structMethodCall(s, object, "operator()", e, callee.span);
  }
  if (callee.kind === "type-expression") {
    const type = typeMade(s, callee.type, e.arguments);
    return type && constructed(s, type, e);
  }
  if (callee.kind !== "identifier" && s.methods.size > 0) {
    const object = expression(s, callee);
    if (!object) return undefined;
    if (object.type.kind === "struct") return structMethodCall(s, object, "operator()", e, callee.span);
  }
  if (callee.kind !== "identifier") return notYet(s, "calling something that is not a name is", e.span);
  const special = specialCall(s, callee, e);
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
  const values = argumentValues(s, e.arguments, () =>
    symbol?.kind === "functions" ? { ...symbol, given: callee.templateArguments } : undefined,
  );
  if (!values) {
    if (!symbol && isUnknown(s, callee))
      s.problems.inFront(before, () => undeclared(s, "function", whole(callee), callee.span));
    return undefined;
  }
  // A name in parentheses is not looked for with the arguments (C++14 3.4.2).
  if (callee === e.callee && callee.path.length === 0 && (!symbol || symbol.kind === "functions"))
    symbol = withArguments(s, callee.name, symbol, values);
  if (symbol?.kind === "functions") return namedCall(s, callee, symbol, values, e);
  const made = builtinCall(s, callee, values, e, false);
  if (made !== "none") return made;
  return undeclared(s, "function", whole(callee), callee.span);
}

/** Calls one of the source's functions of this name, or one of the library's that fits better. */
function namedCall(
  s: Sema,
  callee: syntax.Identifier,
  symbol: Symbol & { kind: "functions" },
  values: readonly Value[],
  e: syntax.Call,
): Value | undefined {
  const taken = s.reader.callBeforeSource ? s.reader.callBeforeSource(s, callee, values, e) : "none";
  if (taken !== "none") return taken;
  const visible = visibleHere(s, symbol, values);
  const { called } = s.reading.entryPoint;
  const candidatesOf = ({ overloads, templates }: typeof visible): FunctionInfo[] => [
    ...(callee.templateArguments ? [] : overloads)
      .filter((f) => called || !f.kernel)
      .map((f) => (f.kernel ? calledKernel(s, f, declaredSignature) : f))
      .filter((f) => f !== undefined),
    ...(templates.length > 0 ? functionsFor(s, templates, callee.templateArguments, values) : []),
  ];
  const candidates = candidatesOf(visible);
  const chosen = chooseOverload(s, candidates, values);
  const [earlier, ...others] = visible.ifIndependent
    ? chooseOverload(s, candidatesOf(visible.ifIndependent), values)
    : [];
  if (earlier && others.length === 0 && earlier.id !== chosen[0]?.id)
    return notYet(
      s,
      `a call in a template of one of the functions '${callee.name}', of which one that is declared behind the template fits better, is`,
      e.span,
      "declare all of them before the template",
    );
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
  if (visible.overloads.some((f) => f.kernel) && !called && candidates.length === 0)
    return error(s, "XL2010", `the kernel '${callee.name}' is called, which ${s.language.name} does not allow`, e.span);
  return noOverload(s, callee.name, symbol, chosen, values, e.span);
}

const valueOf = (s: Sema, x: syntax.Expression): Expr | undefined => {
  const v = expression(s, x);
  return v && read(s, v, x.span);
};

function specialCall(s: Sema, callee: syntax.Identifier, e: syntax.Call): Value | undefined | "none" {
  const cast = castCall(s, callee, e);
  if (cast !== "none" || inLibrary(s, callee.path).length > 0) return cast;
  return categoryCall(s, callee, {
    value: () => singleArgument(s, callee.name, e),
    type: (a) => typeGiven(s, a),
  });
}

/** The type that an argument of a template is. */
function typeGiven(s: Sema, a: syntax.TemplateArgument): ReturnType<CategoryReader["type"]> {
  if (a.kind === "type-name") return resolveTypeName(s, a);
  const type = resolveTemplateArguments(s, [a])?.[0];
  return typeof type === "object" ? { type, reference: false } : undefined;
}

const isConvertVector = (s: Sema, callee: syntax.Identifier): boolean =>
  s.language.memory === "natural" && callee.name === "__builtin_convertvector" && !lookup(s, callee.name);

/** No function whatever its arguments are, so that these are not what is wrong first. */
const isUnknown = (s: Sema, callee: syntax.Identifier): boolean =>
  !isBuiltinName(s.dialect, whole(callee)) &&
  !s.reader.otherFunctions?.has(callee.name) &&
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
  implicit = false,
): Type | undefined | "none" {
  const template = classNamedAlone(s, named);
  if (!template) return "none";
  const [first] = args;
  const given = first?.kind === "initializer-list" && args.length === 1 ? first.elements.map((x) => x.value) : args;
  const list = expanded(s, given);
  const inner = list?.find((x) => x.kind === "initializer-list");
  if (inner)
    return notYet(s, `the arguments of '${named.name}' from a list are`, inner.span, `write ${named.name}<...>`);
  if (!list) return undefined;
  const values = list.map((x) => unevaluated(s, () => expression(s, x)));
  if (!values.every((v) => v !== undefined)) return undefined;
  return deducedStruct(s, template, values, named.span, implicit)?.type;
}

function constructed(s: Sema, type: Type, e: syntax.Call): Value | undefined {
  if (!s.reading.expressions.constructors) {
    const help = type.kind === "struct" ? "write the type in parentheses and a list in braces" : "write a cast";
    return error(s, "XL2013", `${s.language.name} makes no values by calling a type`, e.span, { help });
  }
  if (e.arguments.length === 1 && e.arguments[0]!.kind === "initializer-list" && !hasConstructors(s, type)) {
    const value = initializerList(s, expressionReader(s), type, e.arguments[0]);
    return value && exprValue(value);
  }
  const args = argumentValues(s, e.arguments, () => constructorsOf(s, type, "copied"));
  if (!args || refusesSeveral(s, type, args.length, e.span)) return undefined;
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
    const v = singleArgument(s, name, e, type);
    if (!v) return undefined;
    const info = argument.kind === "type-name" ? resolveTypeName(s, argument) : undefined;
    const down = info && name === "static_cast" ? downcast(s, v, info, e.span) : "none";
    if (down !== "none") return down;
    // `reinterpret_cast<thread T&>(x)` of a T is x.
    const isReference = argument.kind === "type-name" && argument.derivations.at(-1)?.kind === "reference";
    if (name === "reinterpret_cast" && isReference && sameType(v.type, type) && (v.place ?? v.firstOf)) return v;
    const behind =
      name === "reinterpret_cast" && argument.kind === "type-name"
        ? behindReference(s, argument, e.arguments[0]!, e.span)
        : undefined;
    if (behind) return expression(s, behind);
    const isAddress = name === "reinterpret_cast" && v.type.kind === "pointer" && type.kind === "scalar";
    if (name === "const_cast" && isReference && sameType(v.type, type)) return withoutConst(s, v, e.span);
    const same = info && name === "static_cast" ? referenceCast(s, v, info, e.span) : "none";
    if (same !== "none") return same;
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

function singleArgument(s: Sema, name: string, e: syntax.Call, type?: Type): Value | undefined {
  if (e.arguments.length !== 1)
    return error(s, "XL2005", `${name} takes one argument, not ${e.arguments.length}`, e.span);
  return type ? expressionAs(s, e.arguments[0]!, type) : expression(s, e.arguments[0]!);
}

// ------------------------------------------------------------------ functions of the source

export function callFunction(s: Sema, called: FunctionInfo, args: readonly Value[], span: Span): Value | undefined {
  const { f, given } = forWholeObjects(s, called, args, span);
  // What is not evaluated needs the body only where that says what is returned.
  if (!s.scratch || f.deduces) define(s, f, span);
  if (f.unread) return undefined;
  if (s.fn && !s.fn.calls.has(f.id)) s.fn.calls.set(f.id, span);
  const known = given.map((v, i) => {
    const p = f.parameters[i]!;
    return v.listed ? v.listed.as(p.type, refersToElement(s, p, v)) : v;
  });
  if (!known.every((v) => v !== undefined)) return undefined;
  const { parameters, values, late } = withCaptures(s, f, known);
  const handed: Argument[] = [];
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
      // What a lambda refers to and does not write: nothing of the source copies it.
      const captured = v.place && holdsCopied(s, p.type) && !f.parameters.includes(p);
      const isReference = p.type.kind === "pointer" && p.type.block !== undefined;
      if (isReference && s.reader.mayHandOver?.(s, v, p.keepsReadOnly === true, at, what) === false) return undefined;
      const converted = captured ? load(v.place, at) : convertTo(s, v, p.type, "argument", at, what);
      if (!converted) return undefined;
      handed.push({ mode: "value", value: converted });
      continue;
    }
    const written = (j: number): boolean => j < parameters.length && byReference(parameters[j]!);
    if (p.mode !== "ref" && (isConverted(v, p.type) || isBeforeWhole(s, values, written, i))) {
      const through = convertedPlace(s, v, p.type, p.mode === "inout", at, what);
      if (!through) return undefined;
      append(first, through.first);
      last.push(through.last);
      handed.push({ mode: p.mode as "out" | "inout", place: through.place });
      continue;
    }
    const referred = isSame(v.type, p.type) ? v : (asReferred(s, p, v)?.(at) ?? v);
    const place = referenceArgument(s, p, referred, at, what, first);
    if (!place) return undefined;
    handed.push({ mode: p.mode as "out" | "inout" | "ref", place });
  }
  // Nothing reads what `...` takes.
  for (const v of values.slice(parameters.length)) {
    const given = read(s, v, span);
    if (!given) return undefined;
    if (!isPure(given))
      return notYet(s, "an argument of '...' that does something besides giving its value is", given.span);
  }
  const converted = parameters.map((p, i) => byReference(p) && i < values.length && isConverted(values[i]!, p.type));
  if (last.length > 0 && !standApart(s, values, handed, converted, span)) return undefined;
  if (meetsTwo(s, parameters, values, span)) return undefined;
  const referring = parameters.map((p, i) => late[i] === true || (p.mode === "ref" && p.constant));
  const ordered = callArguments(s, handed, referring, span);
  if (!ordered) return undefined;
  const call = functionCall(f.id, ordered.args, f.returnType, span);
  const made = last.length > 0 ? thenBack(s, call, last, span) : call;
  const whole = after([...first, ...ordered.first], made, span);
  if (!f.returnsReference)
    return {
      type: f.returnType,
      expr: whole,
      ...(f.returnsConst ? { readOnly: `'${f.name}' returns it as const` } : {}),
    };
  const referred = dereferenced(s, exprValue(whole), span);
  return referred && f.returnsRvalue ? { ...referred, xvalue: true } : referred;
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
  // No reference is to a component: one to const is to its value.
  const isComponent = v.place !== undefined && partOf(v.place) === "component";
  if (holdsValues(p) && (!isSame(v.type, p.type) || (!v.place && !v.onWrite) || isComponent)) {
    const value = convertTo(s, v, p.type, "argument", span, what);
    return value && keptPlace(s, value, first, span);
  }
  if (!sameType(v.type, p.type) || isMinimum(v.type) !== isMinimum(p.type)) {
    return notYet(s, `passing ${showGiven(s, v)} for ${p.mode} ${shown(s, p.type)} is`, span);
  }
  if (v.xvalue && p.mode === "ref" && !p.constant && !p.rvalue)
    return error(s, "XL2006", `${what} is no place that has a name, which the reference is to`, span);
  if (p.constant && p.mode === "ref") {
    if (v.onWrite) v.onWrite();
    else if (!v.place)
      return notYet(s, `binding a value to a reference (${what}) is`, span, "store it in a variable first");
  }
  const place =
    v.place && isOfCounters(p.type)
      ? v.place
      : p.constant && p.mode === "ref"
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

/** Where a value lies once `first` has been done. Of an array the struct is kept that it is a member of: C assigns no arrays. */
function keptPlace(s: Sema, value: Expr, first: Expr[], span: Span): Place | undefined {
  if (value.type.kind === "array" && (value.kind === "member-value" || value.kind === "element-value")) {
    const whole = keptPlace(s, value.operand, first, span);
    if (!whole) return undefined;
    return value.kind === "member-value"
      ? member(whole, value.member, value.type, span)
      : element(whole, value.index, span);
  }
  const held = kept(s, value, first, span);
  return held.kind === "load" ? held.place : undefined;
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

const printed = (s: Sema, e: syntax.Call, prints: PrintFunction): Value | undefined =>
  printCall(s, e, prints, {
    value: (x) => valueOf(s, x),
    condition: (value) => conditionOf(s, exprValue(value), value.span),
  });

function methodCall(s: Sema, e: syntax.Call, callee: syntax.Member): Value | undefined {
  const given = expression(s, callee.base);
  const base = given && callee.arrow ? arrowOperand(s, given, e.span) : given;
  if (!base) return undefined;
  if (callee.arrow && base.type.kind === "struct")
    return error(s, "XL2004", `'->' takes a pointer, this is ${shown(s, base.type)}`, e.span);
  const prints = base.word === undefined ? undefined : s.reading.expressions.prints;
  const method = prints?.get(`${base.word}.${callee.name.name}`);
  if (method && !callee.arrow) return printed(s, e, method);
  const whole = callee.arrow && base.type.kind === "pointer" ? dereferenced(s, base, e.span) : base;
  const object =
    whole && callee.name.path.length > 0 ? basePart(s, whole, { ...callee, arrow: false, span: e.span }) : whole;
  if (!object) return undefined;
  if (object.type.kind === "struct" && s.methods.has(object.type.name))
    return structMethodCall(s, object, callee.name.name, e, callee.name.span, callee.name.templateArguments);
  const made = s.reader.method ? s.reader.method(s, base, callee, e) : "none";
  if (made !== "none") return made;
  const { name, span } = callee.name;
  if (isOfSource(s, object)) return error(s, "XL2012", `${shown(s, object.type)} has no function '${name}'`, span);
  return notYet(s, `calling '.${name}()' is`, span);
}

/** Whether all functions of its objects are known: they are of no type of the library's. */
function isOfSource(s: Sema, { type, word, object, block }: Value): boolean {
  if (word !== undefined || object || block) return false;
  if (type.kind === "struct")
    return !s.structs.get(type.name)?.subgroupMatrix && ![...s.libraryStructs.values()].includes(type.name);
  return isNumeric(type) || type.kind === "array" || (type.kind === "pointer" && !type.object && !type.block);
}
