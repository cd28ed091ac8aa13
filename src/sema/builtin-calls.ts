/** Calls of builtins by way of the capability table: what they are given, as values and as places, and what they give. */
import { isPlainNumber } from "./one-component.js";
import { append } from "../support/append.js";
import { rootVariable } from "../ast/builders.js";
import type { Argument, Expr, Place } from "../ast/nodes.js";
import { isPure } from "../ast/walk.js";
import { refusedBuiltin } from "./undeclared.js";
import type * as syntax from "../ast/syntax.js";
import { commonType, implicitConversion } from "../dialects/conversions.js";
import { opReads } from "../ops/effects.js";
import { isBuiltinName, keepsPrecision, resolveBuiltin } from "../ops/index.js";
import { row } from "../ops/table.js";
import type { BuiltinArgument, ResolvedBuiltin } from "../ops/row.js";
import type { Span } from "../support/span.js";
import {
  componentCount,
  enumerationOf,
  isAtLeast,
  isNumeric,
  named,
  sameType,
  scalar,
  scalarOf,
  type Numeric,
  type Type,
} from "../types/types.js";
import { deref } from "../ast/builders.js";
import { constantNumbers, evaluate } from "./constants.js";
import { convertedPlace, isOtherType, standApart, thenBack } from "./converted-places.js";
import {
  addressedSpace,
  hasValue,
  error,
  exprValue,
  notYet,
  placeSpace,
  resourceFor,
  type Sema,
  type Value,
  shown,
} from "./context.js";
import { after } from "./held-values.js";
import { builtinArguments } from "./order-matters.js";
import { convertTo, read } from "./convert.js";
import { resolveTemplateArguments } from "./declared-types.js";
import { valueSpan, writablePlace } from "./assignments.js";
import { concreteKind, openAs, showGiven } from "./open-literals.js";
import { givenPrecision, isMinimum } from "./minimum-precision.js";
import { inLibrary } from "./type-names.js";

/** "none" where the name is no builtin (or, when asked quietly, takes no such arguments). */
export function builtinCall(
  s: Sema,
  callee: syntax.Identifier,
  values: readonly Value[],
  e: syntax.Call,
  quiet: boolean,
): Value | undefined | "none" {
  // The library takes no lists, and no names of several functions.
  if (quiet && values.some((v) => v.listed)) return "none";
  const templates = callee.templateArguments ? resolveTemplateArguments(s, callee.templateArguments) : [];
  if (!templates) return undefined;
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

/** Internal functions take pointers where those of the library take references. */
function pointedTo(v: Value, span: Span): Value {
  const pointer = v.expr;
  if (!pointer || v.type.kind !== "pointer") return v;
  return { type: v.type.pointee, place: deref(pointer, span) };
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
    const all = mode === undefined ? values : values.slice(0, -1);
    const given = internals.pointers.has(internal) ? all.map((v) => pointedTo(v, span)) : all;
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
  if ("barrier" in resolved) {
    const effects = values.find((v) => v.expr && !isPure(v.expr));
    if (effects) return notYet(s, `an argument of ${name} with effects is`, span, "compute it before");
    return { type: { kind: "void" }, barrier: resolved };
  }
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
  const called = ordered.first.length === 0 ? built : resolved.build(ordered.values, places, span);
  const made = asKnown(s, called);
  const result = like && isNumeric(made.type) ? named(made.type, like) : made.type;
  const value = like ? givenPrecision({ ...made, type: result } as Expr) : made;
  // HLSL's atomics give nothing to their callers.
  const whole = last.length > 0 ? thenBack(s, value, last, span, resolved.result.kind === "void") : value;
  return { type: like ? value.type : resolved.result, expr: after([...first, ...ordered.first], whole, span) };
}

/** A call of an op whose operands say as constants that it is computed in another way. */
function asKnown(s: Sema, e: Expr): Expr {
  if (e.kind !== "op") return e;
  const meant = row(e.op).whereKnown?.(e.arguments, (x) => constantNumbers(s, x));
  return meant ? { ...meant, span: e.span } : e;
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
    if (isAtomic && !isPlainNumber(s, v.type, what, at, "write .x behind it")) return undefined;
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

export function argumentFor(s: Sema, v: Value, span: Span): BuiltinArgument | undefined {
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
  const resource = variable === undefined ? undefined : resourceFor(s, variable);
  const coherent = resource ? { coherent: resource.coherent ?? false } : {};
  return { buffer: { writable: v.object.writable, ...named, ...coherent } };
}
