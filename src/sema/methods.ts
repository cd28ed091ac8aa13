/**
 * Functions of structs (C++14 clause 9.3; HLSL): methods, static functions, operators. Each is a plain function named after the
 * struct, whose first parameter is the object by reference, made for the address spaces it is called for. Static members and
 * types lie in a scope of the struct.
 */
import { freeName } from "./templates/names.js";
import { addressOf, load } from "../ast/builders.js";
import type { Expr, Variable } from "../ast/nodes.js";
import type * as syntax from "../ast/syntax.js";
import type { Span } from "../support/span.js";
import type { AddressSpace, StructType } from "../types/types.js";
import { plainName } from "./attributes.js";
import { memberOf } from "./access.js";
import { callFunction, chooseOverload } from "./calls.js";
import {
  after,
  error,
  intoLocal,
  lookup,
  notYet,
  placeSpace,
  variableValue,
  type FunctionInfo,
  type ParameterInfo,
  type Scope,
  type Sema,
  type Symbol,
  type Value,
  inScopeOf,
} from "./context.js";
import { read } from "./convert.js";
import { fileVariables, typedef, using } from "./declarations.js";
import { sortQualifiers } from "./declared-types.js";
import { expression } from "./expressions.js";
import { declaredSignature } from "./functions.js";
import { declareTemplate } from "./templates/declare.js";
import { templateType } from "./templates/struct-templates.js";
import { traitMember } from "./templates/traits.js";

/** What a struct has besides data. */
export interface Methods {
  readonly struct: string;
  readonly functions: ReadonlyMap<string, readonly Method[]>;
  /** Static members, types, and the names around the struct. */
  readonly scope: Scope;
}

interface Method {
  readonly declaration: syntax.FunctionDeclaration;
  readonly isStatic: boolean;
  readonly isConst: boolean;
  /** The one that the source names behind the parameters; without one, whichever the object lies in. */
  readonly space: AddressSpace | undefined;
  /** By the space of the object. */
  readonly made: Map<AddressSpace, FunctionInfo | undefined>;
}

/** A struct without data has no bytes that a target could declare: it has this member. */
export const emptyMember = "unused";

/** The members that are data, and the others. */
export function partsOf(members: readonly syntax.Declaration[]): {
  readonly data: readonly syntax.Declaration[];
  readonly others: readonly syntax.Declaration[];
} {
  const isData = (d: syntax.Declaration): boolean =>
    d.kind === "empty-declaration" || (d.kind === "variable" && !d.qualifiers.some((q) => q.name === "static"));
  return { data: members.filter(isData), others: members.filter((d) => !isData(d)) };
}

/** Declares what a struct has besides data. `label`: its name within itself. */
export function declareMethods(
  s: Sema,
  struct: string,
  others: readonly syntax.Declaration[],
  label: string | undefined,
): void {
  const scope: Scope = { parent: s.scope, symbols: new Map() };
  const functions = new Map<string, Method[]>();
  s.methods.set(struct, { struct, functions, scope });
  if (label)
    scope.symbols.set(label, { kind: "type", info: { type: { kind: "struct", name: struct } }, span: others[0]!.span });
  inScopeOf(s, scope, () => {
    for (const d of others) {
      if (d.kind === "function") addMethod(s, struct, functions, d);
      else if (d.kind === "typedef") typedef(s, d);
      else if (d.kind === "using" && d.alias) using(s, d);
      else if (d.kind === "variable") staticMember(s, struct, d);
      else if (d.kind === "template" && d.declaration.kind === "using") declareTemplate(s, d);
      else notYet(s, d.kind === "template" ? "templates in structs are" : "such a member is", d.span);
    }
  });
}

function addMethod(s: Sema, struct: string, functions: Map<string, Method[]>, d: syntax.FunctionDeclaration): void {
  if (d.name.path.length > 0 || !d.body) return void notYet(s, "a method that is defined elsewhere is", d.name.span);
  const { name, span } = d.name;
  const words = d.trailingAttributes.map((a): syntax.Qualifier => ({ kind: "qualifier", name: a.name, span: a.span }));
  const q = sortQualifiers(s, words);
  const method: Method = {
    declaration: d,
    isStatic: d.qualifiers.some((x) => x.name === "static"),
    isConst: q.constant,
    space: q.space,
    made: new Map(),
  };
  const list = functions.get(name);
  if (list) return void list.push(method);
  functions.set(name, [method]);
  s.scope.symbols.set(name, { kind: "methods", struct, span });
}

/** A constant of the struct is one of the file, named after the struct. */
function staticMember(s: Sema, struct: string, d: syntax.VariableDeclaration): void {
  const declared = d.declarators.length === 1 ? d.declarators[0]!.name : undefined;
  if (!declared) return void notYet(s, "such a member is", d.span);
  const name = `${struct}_${declared.name}`;
  fileVariables(s, d, name);
  const symbol = s.scope.symbols.get(name);
  if (!symbol) return;
  s.scope.symbols.delete(name);
  s.scope.symbols.set(declared.name, symbol);
}

// ------------------------------------------------------------------ names

const operatorWords: Readonly<Record<string, string>> = {
  "+": "plus",
  "-": "minus",
  "*": "times",
  "/": "over",
  "%": "modulo",
  "==": "equals",
  "!=": "differs",
  "<": "less",
  ">": "greater",
  "<=": "at_most",
  ">=": "at_least",
  "&&": "and",
  "||": "or",
  "!": "not",
  "~": "complement",
  "&": "bit_and",
  "|": "bit_or",
  "^": "bit_xor",
  "<<": "shift_left",
  ">>": "shift_right",
  "()": "call",
  "[]": "at",
  "=": "assign",
  "++": "increment",
  "--": "decrement",
};

export const isOperatorName = (name: string): boolean => /^operator\W/.test(name);

function plainWord(name: string): string {
  if (!isOperatorName(name)) return name;
  const sign = name.slice("operator".length);
  const word = operatorWords[sign];
  if (word) return word;
  return `${operatorWords[sign.slice(0, -1)] ?? "operator"}_assign`;
}

/** `operator+` of complex numbers is `complex_plus`. */
export function operatorFunctionName(s: Sema, name: string, parameters: readonly ParameterInfo[]): string {
  const of = parameters.map((p) => p.type).find((t) => t.kind === "struct");
  return freeName(s, of ? `${of.name}_${plainWord(name)}` : plainWord(name));
}

// ------------------------------------------------------------------ methods as functions

function functionOf(s: Sema, methods: Methods, m: Method, space: AddressSpace): FunctionInfo | undefined {
  if (m.made.has(space)) return m.made.get(space);
  m.made.set(space, undefined);
  const { declaration } = m;
  const { name, span } = declaration.name;
  const signature = inScopeOf(s, methods.scope, () =>
    declaredSignature(s, {
      ...declaration,
      trailingAttributes: declaration.trailingAttributes.filter((a) => plainName(a) !== "const" && !isSpace(a.name)),
      qualifiers: declaration.qualifiers.filter((q) => q.name !== "static"),
    }),
  );
  if (!signature) return undefined;
  const object: ParameterInfo = {
    name: "self",
    type: { kind: "struct", name: methods.struct },
    mode: "ref",
    space,
    constant: m.isConst || space === "constant",
    volatile: false,
    restrict: false,
    span,
  };
  const word = `${methods.struct}_${plainWord(name)}`;
  const info: FunctionInfo = {
    id: s.functions.length,
    name: freeName(s, space === "private" ? word : `${word}_${space}`),
    ...signature,
    parameters: m.isStatic ? signature.parameters : [object, ...signature.parameters],
    span,
    defined: false,
    calls: new Map(),
    later: {
      declaration,
      outer: declaration,
      scope: methods.scope,
      shown: `${methods.struct}::${name}`,
      visibleBefore: s.templates.structs.get(methods.struct)?.template.span.start,
      ...(m.isStatic ? {} : { method: true as const }),
    },
  };
  s.functions.push(info);
  m.made.set(space, info);
  s.templates.undo.push(() => {
    m.made.delete(space);
    s.templates.taken.delete(info.name);
  });
  return info;
}

const isSpace = (name: string): boolean => /^(device|constant|thread|threadgroup)$/.test(name);

/** The names of a method's body: the members of its object, and `this`. */
export function bindObject(s: Sema, object: Variable): void {
  const struct = (object.type as StructType).name;
  const whole = (span: Span): Value => ({
    ...variableValue(s, object.id, span),
    ...(object.constant ? { readOnly: "the method is const" } : {}),
  });
  for (const m of s.structs.get(struct)?.members ?? []) {
    const make = (span: Span): Value =>
      memberOf(s, whole(span), m.name, false, span, span, () => undefined) ?? { type: m.type };
    s.scope.symbols.set(m.name, { kind: "value", make, span: m.span });
  }
  for (const name of s.methods.get(struct)?.functions.keys() ?? [])
    s.scope.symbols.set(name, { kind: "methods", struct, object, span: object.span });
  // A pointer in C++, the object itself in HLSL.
  const self = (span: Span): Value => {
    const v = whole(span);
    if (!s.language.pointers || !v.place) return v;
    const e = addressOf(v.place, object.space, span, object.constant);
    return { type: e.type, expr: e };
  };
  s.scope.symbols.set("this", { kind: "value", make: self, span: object.span });
}

// ------------------------------------------------------------------ calls

function argumentsOf(s: Sema, e: syntax.Call): Value[] | undefined {
  const args = e.arguments.map((a) => expression(s, a));
  return args.every((a) => a !== undefined) ? args : undefined;
}

/** `object.name(...)`, and `object(...)` as a call of `operator()`. */
export function structMethodCall(
  s: Sema,
  object: Value,
  name: string,
  e: syntax.Call,
  nameSpan: Span,
): Value | undefined {
  const args = argumentsOf(s, e);
  if (!args) return undefined;
  const made = object.type.kind === "struct" ? callMethod(s, object.type.name, object, name, args, e.span) : "none";
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
  const args = argumentsOf(s, e);
  if (!args) return undefined;
  const object = symbol.object && variableValue(s, symbol.object.id, e.span);
  const made = callMethod(s, symbol.struct, object, name, args, e.span);
  return made === "none" ? undefined : made;
}

/** A function of the struct for these arguments; "none" where it has none of that name. */
function callMethod(
  s: Sema,
  struct: string,
  object: Value | undefined,
  name: string,
  args: readonly Value[],
  span: Span,
): Value | undefined | "none" {
  const methods = s.methods.get(struct);
  const list = methods?.functions.get(name);
  if (!methods || !list) return "none";
  const held = object && placed(s, object, span);
  if (object && !held) return undefined;
  const space = held?.value.place ? placeSpace(s, held.value.place) : "private";
  const readOnly = held?.value.readOnly !== undefined;
  const functions = (fits: (m: Method) => boolean): FunctionInfo[] =>
    list.filter(fits).flatMap((m) => functionOf(s, methods, m, m.isStatic ? "private" : space) ?? []);
  // The space that is written says where the object has to lie; of what is only read, const functions are called.
  const own = functions((m) => !m.isStatic && (m.space ?? space) === space && (m.isConst || !readOnly));
  const onObject = held ? [held.value, ...args] : args;
  const chosen = held ? chooseOverload(s, own, onObject) : [];
  // One that may write the object comes before one that may not.
  const best = chosen.length > 1 ? chosen.filter((f) => !f.parameters[0]!.constant) : chosen;
  if (best.length === 1) {
    const made = callFunction(s, best[0]!, onObject, span);
    return made && withFirst(made, held!.first, span);
  }
  const statics = chooseOverload(
    s,
    functions((m) => m.isStatic),
    args,
  );
  if (statics.length === 1) return callFunction(s, statics[0]!, args, span);
  const message =
    best.length > 1 || statics.length > 1
      ? `the call of '${struct}::${name}' fits several functions equally well`
      : !object && list.every((m) => !m.isStatic)
        ? `'${struct}::${name}' needs an object`
        : `no function '${struct}::${name}' takes these arguments`;
  return error(s, "XL2005", message, span, {
    notes: list.slice(0, 4).map((m) => ({ message: "declared here", span: m.declaration.name.span })),
  });
}

interface Placed {
  readonly value: Value;
  readonly first: readonly Expr[];
}

/** The object as a place: a value goes into a local first. */
function placed(s: Sema, object: Value, span: Span): Placed | undefined {
  if (object.place || object.onWrite) return { value: object, first: [] };
  const e = read(s, object, span);
  if (!e) return undefined;
  const { first, value } = intoLocal(s, e, span);
  return value.kind === "load" ? { value: { type: e.type, place: value.place }, first: [first] } : undefined;
}

function withFirst(made: Value, first: readonly Expr[], span: Span): Value {
  if (first.length === 0) return made;
  if (made.expr) return { ...made, expr: after(first, made.expr, span) };
  return made.place ? { type: made.type, expr: after(first, load(made.place, span), span) } : made;
}

/** An operator of the source for these operands; "none" where no operand is a struct or none is declared. */
export function operatorCall(
  s: Sema,
  sign: string,
  operands: readonly Value[],
  span: Span,
): Value | undefined | "none" {
  const [left] = operands;
  if (!operands.some((v) => v.type.kind === "struct")) return "none";
  const name = `operator${sign}`;
  if (left?.type.kind === "struct") {
    const own = callMethod(s, left.type.name, left, name, operands.slice(1), span);
    if (own !== "none") return own;
  }
  const symbol = lookup(s, name);
  if (symbol?.kind !== "functions") return "none";
  const chosen = chooseOverload(s, symbol.overloads, operands);
  if (chosen.length === 1) return callFunction(s, chosen[0]!, operands, span);
  if (chosen.length === 0) return "none";
  return error(s, "XL2005", `several functions '${name}' fit equally well`, span, {
    notes: chosen.map((f) => ({ message: "this one", span: f.span })),
  });
}

/** What `S::name` is: a static member, a function or a type of a struct. */
export function memberOfType(s: Sema, e: syntax.Identifier | syntax.NamedType): Symbol | undefined {
  const trait = traitMember(s, e);
  if (trait !== "none") return trait;
  const [scope] = e.path;
  if (e.path.length !== 1 || scope === undefined) return undefined;
  const symbol = lookup(s, scope);
  const info =
    symbol?.kind === "template"
      ? templateType(s, symbol.template, e.pathArguments?.[0] ?? [], e.span)
      : symbol?.kind === "type"
        ? symbol.info
        : undefined;
  return info?.type.kind === "struct" ? s.methods.get(info.type.name)?.scope.symbols.get(e.name) : undefined;
}
