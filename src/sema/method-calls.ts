/**
 * Calls of functions of structs (C++14 13.3): which of those of a name an object's type has, in it and in what it inherits from, takes the
 * object and the arguments.
 */
import { declare, variablePlace } from "../ast/builders.js";
import type { Expr } from "../ast/nodes.js";
import type * as syntax from "../ast/syntax.js";
import { noSpan, type Span } from "../support/span.js";
import { type StructType, type Type, sameType } from "../types/types.js";
import { callFunction } from "./calls.js";
import { chooseOverload } from "./overloads.js";
import {
  asPlace,
  error,
  isLvalue,
  newVariable,
  placeSpace,
  shown,
  type FunctionInfo,
  type Sema,
  type Symbol,
  type Value,
} from "./context.js";
import { inScopeOf } from "./scopes.js";
import { intoLocal } from "./held-values.js";
import { read } from "./convert.js";
import { declaredSignature } from "./functions.js";
import { conversionInstance, functionsFor } from "./templates/function-templates.js";
import { baseObject, onTheWayTo, upcast } from "./constructors.js";
import { callClosure } from "./lambdas.js";
import { argumentValues, type Callees } from "./list-arguments.js";
import { withFirst } from "./value-after.js";
import { objectUnevaluated, variableValue } from "./variable-value.js";
import { plainDeclaration } from "./method-names.js";
import { functionOf, type Method, type Methods } from "./methods.js";

/** A list in braces is read as the parameter of the struct's functions of this name. */
function readArguments(
  s: Sema,
  e: syntax.Call,
  struct: string | undefined,
  name: string,
  given: readonly syntax.TemplateArgument[] | undefined,
): Value[] | undefined {
  return argumentValues(s, e.arguments, () => {
    const means = struct === undefined ? undefined : s.closures.get(struct)?.means;
    if (means && "function" in means) return { overloads: [means.function], templates: [] };
    if (means) return { overloads: [], templates: [means.template] };
    const named = struct === undefined ? undefined : calleesNamed(s, struct, name);
    return named && { ...named, given };
  });
}

/** The functions of a struct, or of its bases, that a call of this name may be of. */
export function calleesNamed(s: Sema, struct: string, name: string): Callees | undefined {
  const methods = s.methods.get(struct);
  if (!methods) return undefined;
  const list = methods.functions.get(name) ?? [];
  if (list.length === 0 && !methods.brought.has(name))
    return methods.bases.map((b) => calleesNamed(s, b.type.name, name)).find((x) => x !== undefined);
  const overloads = list.flatMap((m) => {
    if (m.template) return [];
    const signature = inScopeOf(s, methods.scope, () => declaredSignature(s, plainDeclaration(s, m.declaration)));
    return signature ? [signature] : [];
  });
  const brought = (methods.brought.get(name) ?? []).filter((b) => b.name !== struct);
  const others = brought.flatMap((b) => calleesNamed(s, b.name, name) ?? []);
  return {
    overloads: [...overloads, ...others.flatMap((o) => o.overloads)],
    templates: [
      ...list.flatMap((m) => m.template?.(m.space ?? "private") ?? []),
      ...others.flatMap((o) => o.templates),
    ],
  };
}

/** `object.name(...)`, and `object(...)` as a call of `operator()`. */
export function structMethodCall(
  s: Sema,
  object: Value,
  name: string,
  e: syntax.Call,
  nameSpan: Span,
  given?: readonly syntax.TemplateArgument[],
): Value | undefined {
  const args = readArguments(s, e, object.type.kind === "struct" ? object.type.name : undefined, name, given);
  if (!args) return undefined;
  if (object.captured && name === "operator()") return callClosure(s, object, args, e.span);
  const made =
    object.type.kind === "struct" ? callMethod(s, object.type.name, object, name, args, e.span, given) : "none";
  if (made !== "none") return made;
  return name === "operator()"
    ? error(s, "XL2017", "this is no function, and has no operator() either", e.span)
    : error(s, "XL2012", `the struct has no function '${name}'`, nameSpan);
}

/** `name(...)` in a method, and `S::name(...)`. */
export function ownMethodCall(
  s: Sema,
  symbol: Symbol & { kind: "methods" },
  name: string,
  e: syntax.Call,
): Value | undefined {
  const given = e.callee.kind === "identifier" ? e.callee.templateArguments : undefined;
  const args = readArguments(s, e, symbol.struct, name, given);
  if (!args) return undefined;
  // `Base::f()` in a method is about the object, too.
  const own = symbol.object ?? s.fn?.object;
  const type: StructType = { kind: "struct", name: symbol.struct };
  const found = own && upcast(s, variableValue(s, own.id, e.span), type, e.span);
  const object = found ?? (s.scratch && variableValue(s, objectUnevaluated(s, type).id, e.span));
  const made = callMethod(s, symbol.struct, object, name, args, e.span, given);
  return made === "none" ? undefined : made;
}

/** A function of the struct for these arguments; "none" where it has none of that name, nor anything it inherits from. */
export function callMethod(
  s: Sema,
  struct: string,
  object: Value | undefined,
  name: string,
  args: readonly Value[],
  span: Span,
  given?: readonly syntax.TemplateArgument[],
  beside?: CalledBeside,
): Value | undefined | "none" {
  const methods = s.methods.get(struct);
  const list = methods?.functions.get(name) ?? [];
  if (!methods) return "none";
  if (list.length === 0 && !methods.brought.has(name)) {
    const having = methods.bases.filter((b) => !s.interfaces.has(b.type.name) && hasMethod(s, b.type.name, name));
    if (having.length > 1)
      return error(
        s,
        "XL2005",
        `'${name}' is a function of several bases of ${shown(s, { kind: "struct", name: struct })}`,
        span,
        {
          help: "say which by using Base::f;",
        },
      );
    for (const b of methods.bases) {
      const base = object && baseObject(s, object, b, span);
      const made = object && !base ? undefined : callMethod(s, b.type.name, base, name, args, span, given, beside);
      if (made !== "none") return made;
    }
    return "none";
  }
  const whole = object?.derived ?? object;
  const held = whole && placed(s, asPlace(whole), span);
  if (object && !held) return undefined;
  const derived = object?.derived?.type.kind === "struct" ? object.derived.type.name : undefined;
  const space = held?.value.place ? placeSpace(s, held.value.place) : "private";
  const readOnly = (held?.value.readOnly ?? whole?.readOnly) !== undefined;
  const asConst = readOnly && !s.reading.expressions.constMethodsOnly;
  const all = [{ methods, list, derived }, ...broughtFunctions(s, methods, name, object, span)];
  const functions = (fits: (m: Method) => boolean): FunctionInfo[] =>
    all.flatMap((of) =>
      of.list.filter(fits).flatMap((m) => {
        const at = m.isStatic ? "private" : space;
        const as = m.isStatic ? undefined : of.derived;
        if (m.template) return functionsFor(s, [m.template(at, as)], given, args);
        return given ? [] : (functionOf(s, of.methods, m, at, m.isConst || (asConst && !m.isStatic), as) ?? []);
      }),
    );
  // The space that is written says where the object has to lie; of what is only read, const functions are called.
  const isNamed = whole !== undefined && isLvalue(whole);
  const callable = (m: Method): boolean =>
    (m.isConst || !readOnly || (asConst && !m.template)) &&
    (m.objects === undefined || (m.objects === "&" ? isNamed || m.isConst : !isNamed));
  const own = held ? functions((m) => !m.isStatic && (m.space ?? space) === space && callable(m)) : [];
  // A method refers to its object whatever that is (C++14 13.3.1 p5), and one of a base to that part (7.3.3 p16).
  const others = beside?.functions ?? [];
  const partFor = (f: FunctionInfo): Value =>
    (all.length > 1 && upcast(s, named(held!.value), f.parameters[0]!.type, span)) || named(held!.value);
  const onObject = (f: FunctionInfo): readonly Value[] =>
    others.includes(f) ? beside!.args : [asPart(partFor(f), named(held!.value)), ...args];
  const mine = all.length > 1 ? notHidden(own, struct) : own;
  const chosen = held ? chooseOverload(s, [...mine, ...others], onObject) : [];
  const declared = all.flatMap((of) => of.list);
  const other = chosen.find((f) => isAmong(others, f));
  if (other && chosen.length === 1) return callFunction(s, other, beside!.args, span);
  const best = chosen.length > 1 && !other ? closest(chosen, declared) : chosen;
  if (best.length === 1) {
    const part = placed(s, partFor(best[0]!), span);
    const made = part && callFunction(s, best[0]!, [part.value, ...args], span);
    return made && withFirst(made, [...held!.first, ...part.first], span);
  }
  const statics = chooseOverload(
    s,
    functions((m) => m.isStatic),
    args,
  );
  if (statics.length === 1) {
    const first = whole ? onTheWayTo(s, whole, span) : [];
    const made = callFunction(s, statics[0]!, args, span);
    return made && first && withFirst(made, first, span);
  }
  if (beside?.isEnough && best.length === 0) return "none";
  const message =
    best.length > 1 || statics.length > 1
      ? `the call of '${struct}::${name}' fits several functions equally well`
      : !object && declared.every((m) => !m.isStatic)
        ? `'${struct}::${name}' needs an object`
        : `no function '${struct}::${name}' takes these arguments`;
  return error(s, "XL2005", message, span, {
    notes: declared.slice(0, 4).map((m) => ({ message: "declared here", span: m.declaration.name.span })),
  });
}

/** Functions that an operator means as well as those of its left operand (C++14 13.3.1.2 (3)). */
export interface CalledBeside {
  readonly functions: readonly FunctionInfo[];
  readonly args: readonly Value[];
  /** Where no function takes the operands, they may be something else. */
  readonly isEnough?: boolean;
}

const hasMethod = (s: Sema, struct: string, name: string): boolean => {
  const methods = s.methods.get(struct);
  return (
    methods !== undefined &&
    (methods.functions.has(name) ||
      methods.brought.has(name) ||
      methods.bases.some((b) => hasMethod(s, b.type.name, name)))
  );
};

/** What `x->m` is of: of an object what its operator-> gives, until that is a pointer (C++14 13.5.6). */
export function arrowOperand(s: Sema, base: Value, span: Span): Value | undefined {
  let v = base;
  for (let calls = 0; v.type.kind === "struct" && hasMethod(s, v.type.name, "operator->"); calls++) {
    if (calls === mostArrows)
      return error(s, "XL1006", `more than ${mostArrows} functions 'operator->' are called`, span);
    const made = callMethod(s, v.type.name, v, "operator->", [], span);
    if (made === "none") return v;
    if (!made) return undefined;
    v = made;
  }
  return v;
}

const mostArrows = 64;

interface OfPart {
  readonly methods: Methods;
  readonly list: readonly Method[];
  readonly derived: string | undefined;
}

/** A base without data is no part of the object's memory, but as good as one where functions are chosen. */
function asPart(base: Value, whole: Value): Value {
  const { place } = whole;
  return base.place || !place ? base : { ...whole, type: base.type, place: { ...place, type: base.type } };
}

/** The functions of bases that `using Base::f;` puts beside the struct's own. */
function broughtFunctions(
  s: Sema,
  { struct, brought }: Methods,
  name: string,
  object: Value | undefined,
  span: Span,
): OfPart[] {
  const found = (type: StructType): OfPart[] => {
    const methods = s.methods.get(type.name);
    const list = methods?.functions.get(name);
    if (!methods) return [];
    if (!list && methods.brought.has(name)) return broughtFunctions(s, methods, name, object, span);
    if (!list) return methods.bases.flatMap((b) => found(b.type));
    const whole = object && upcast(s, object, type, span)?.derived?.type;
    const derived = whole?.kind === "struct" ? whole.name : undefined;
    return [{ methods, list, derived }, ...broughtFunctions(s, methods, name, object, span)];
  };
  return (brought.get(name) ?? []).filter((b) => b.name !== struct).flatMap(found);
}

/** A function of the struct hides one of a base that takes the same (C++14 7.3.3 p15). */
function notHidden(all: readonly FunctionInfo[], struct: string): FunctionInfo[] {
  const isOwn = ({ parameters: [first] }: FunctionInfo): boolean =>
    first?.type.kind === "struct" && first.type.name === struct;
  const takesSame = (a: FunctionInfo, b: FunctionInfo): boolean =>
    a.parameters.length === b.parameters.length &&
    a.parameters[0]!.constant === b.parameters[0]!.constant &&
    a.parameters.slice(1).every((p, i) => sameType(p.type, b.parameters[i + 1]!.type));
  const own = all.filter(isOwn);
  return all.filter((f) => isOwn(f) || !own.some((o) => takesSame(o, f)));
}

const named = ({ xvalue: _, ...place }: Value): Value => place;

/** Whether a function is one of these, or of what they are for other spaces. */
const isAmong = (all: Iterable<FunctionInfo | undefined>, f: FunctionInfo): boolean =>
  [...all].some((x) => x === f || (x?.copies !== undefined && isAmong(x.copies.values(), f)));

/** One that says where the object lies comes before one that does not, then one that may write it before one that may not. */
function closest(chosen: readonly FunctionInfo[], list: readonly Method[]): readonly FunctionInfo[] {
  const made = (f: FunctionInfo, of: (m: Method) => boolean): boolean =>
    list.some((m) => of(m) && isAmong(m.made.values(), f));
  // A reference to what has no name comes first (C++14 13.3.3.2 p3).
  const rvalue = chosen.filter((f) => made(f, (m) => m.objects === "&&"));
  const fitting = rvalue.length > 0 ? rvalue : chosen;
  if (fitting.length === 1) return fitting;
  const placed = fitting.filter((f) => made(f, (m) => m.space !== undefined));
  const near = placed.length > 0 ? placed : fitting;
  const writing = near.filter((f) => !f.parameters[0]!.constant);
  return near.length > 1 ? writing : near;
}

/** The conversions of an object, its own before those of what it inherits from. */
export function conversionFunctions(s: Sema, v: Value, explicit: boolean, type?: Type): FunctionInfo[] {
  const methods = v.type.kind === "struct" ? s.methods.get(v.type.name) : undefined;
  if (!methods) return [];
  const space = v.place ? placeSpace(s, v.place) : "private";
  return methods.conversions
    .filter((m) => explicit || !m.declaration.qualifiers.some((q) => q.name === "explicit"))
    .filter((m) => (m.space ?? space) === space && (m.isConst || v.readOnly === undefined))
    .flatMap((m) => {
      if (!m.template) return functionOf(s, methods, m, space) ?? [];
      return (type && conversionInstance(s, m.template(space), type)) ?? [];
    });
}

export interface Placed {
  readonly value: Value;
  readonly first: readonly Expr[];
}

/** The object as a place: a value goes into a local first. */
export function placed(s: Sema, object: Value, span: Span): Placed | undefined {
  if (object.place || object.onWrite) return { value: object, first: [] };
  const e = read(s, object, span);
  if (!e) return undefined;
  // What the host sets is the same wherever it is read.
  if (object.whole && s.fn) {
    const local = newVariable(s, {
      name: "t",
      type: e.type,
      space: "private",
      role: "local",
      constant: false,
      span: noSpan,
    });
    s.fn.locals.push(declare(local.id, e, span));
    return { value: { type: e.type, place: variablePlace(local, span) }, first: [] };
  }
  const { first, value } = intoLocal(s, e, span);
  return value.kind === "load" ? { value: { type: e.type, place: value.place }, first: [first] } : undefined;
}
