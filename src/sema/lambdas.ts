/**
 * Lambdas (C++14 5.1.2) that do not escape. A lambda is no object of the tree: its type stands for a function, and its value for
 * what it has captured, which goes along as hidden arguments wherever the lambda is called or handed to. What is captured by
 * reference is a parameter by reference, what is captured by value one by value, of a copy that is made where the lambda is.
 */
import { addressOf, declare, literal, load } from "../ast/builders.js";
import type { Block, Expr, Place, Statement, Variable, VarId } from "../ast/nodes.js";
import type * as syntax from "../ast/syntax.js";
import { rewriteExpr, rewritePlace, walkExpr, walkPlace, walkStatement, type Rewriter } from "../ast/walk.js";
import type { Span } from "../support/span.js";
import { dereferenced, namesBaseOf } from "./access.js";
import { callFunction } from "./calls.js";
import { chooseOverload } from "./overloads.js";
import { evaluate, literalForm } from "./constants.js";
import {
  error,
  exprValue,
  newVariable,
  notYet,
  placeSpace,
  updateVariable,
  type FunctionInfo,
  type ParameterInfo,
  type Scope,
  type Sema,
  type Symbol,
  type Value,
} from "./context.js";
import { declareName, lookup } from "./scopes.js";
import { read } from "./convert.js";
import { expression } from "./expressions.js";
import { functionOf, type Methods } from "./methods.js";
import { memberOfPath } from "./namespaces.js";
import { mentioned } from "./mentioned-names.js";
import { isOperatorName } from "./method-names.js";
import { mentionedBy } from "./reach.js";
import { memberNamed } from "./struct-members.js";
import { freeName } from "./templates/names.js";
import { elementsAround } from "./templates/packs.js";
import { define } from "./templates/define.js";
import { functionNamed, functionsFor, instanceGiven } from "./templates/function-templates.js";
import type { FunctionShape } from "./templates/function-types.js";
import type { FunctionTemplate } from "./templates/template.js";
import { voidType, type Type } from "../types/types.js";
import { variableValue } from "./variable-value.js";
import { type Closure, closureOf, isReference } from "./closures.js";
import { holdsCopied, refusesCopy } from "./constructors.js";

// ------------------------------------------------------------------ where a lambda is written

/** A lambda as a value. `label`: the name it is given. */
export function lambda(s: Sema, e: syntax.Lambda, label = "lambda"): Value | undefined {
  const { call } = e;
  // What stands for a refused expression has been reported.
  if (!call || !s.reading.declarations.lambdas) return notYet(s, "lambdas are", e.span);
  if (!s.fn) return notYet(s, "a lambda outside functions is", e.span);
  for (const a of call.trailingAttributes)
    if (!/^(mutable|constexpr|maybe_unused)$/.test(a.name)) return notYet(s, `'${a.name}' of a lambda is`, a.span);
  const gathered = new Captures(s, e);
  if (!gathered.gather()) return undefined;
  const mutable = call.trailingAttributes.find((a) => a.name === "mutable");
  if (mutable && gathered.captures.some((c) => c.mode === "value"))
    return notYet(s, "a lambda that is mutable and has values of its own is", mutable.span, "refer to variables: [&x]");
  const closure = knownClosure(s, gathered) ?? newClosure(s, gathered, label);
  return { type: { kind: "struct", name: closure.type }, captured: gathered.values };
}

const sameCapture = (a: ParameterInfo, b: ParameterInfo | undefined): boolean =>
  JSON.stringify([a.name, a.type, a.mode, a.space, a.constant]) ===
  JSON.stringify(b && [b.name, b.type, b.mode, b.space, b.constant]);

/** The lambda as it was read before: an expression may be read for its type first. */
const knownClosure = (s: Sema, { lambda: e, captures, elements }: Captures): Closure | undefined =>
  s.fn!.closures.find(
    (c) =>
      c.lambda === e &&
      c.elements === elements &&
      c.captures.length === captures.length &&
      c.captures.every((x, i) => sameCapture(x, captures[i])),
  );

function newClosure(s: Sema, gathered: Captures, label: string): Closure {
  const e = gathered.lambda;
  const name = freeName(s, `${s.fn!.info.name}_${label}`);
  const type = `lambda '${name}'`;
  const { declaration, parameters } = callOperator(e.call!);
  const { elements, captures, names, byVariable, pointersByReference, initialized } = gathered;
  const template: FunctionTemplate = {
    kind: "function",
    name,
    parameters,
    declaration,
    outer: { kind: "template", parameters, declaration, explicit: false, span: e.span },
    span: e.span,
    scope: asItIs(s, s.scope),
    instances: new Map(),
    specializations: new Map(),
    receiver: {
      name: "",
      type: { kind: "struct", name: type },
      mode: "value",
      space: "private",
      constant: true,
      volatile: false,
      restrict: false,
      span: e.span,
    },
    visibleBefore: s.templates.visibleBefore,
    untemplated: s.templates.untemplated && parameters.length === 0,
  };
  const closure = {
    type,
    label: name,
    lambda: e,
    elements,
    captures,
    names,
    byVariable,
    pointersByReference,
    initialized,
    means: { template, alone: (taken: readonly Type[] | undefined) => functionAlone(s, template, taken) },
  };
  s.closures.set(type, closure);
  s.fn!.closures.push(closure);
  s.templates.undo.push(() => {
    s.closures.delete(type);
    s.templates.taken.delete(name);
  });
  return closure;
}

/** The function of a lambda that captures nothing, where no call says what it takes. */
function functionAlone(
  s: Sema,
  template: FunctionTemplate,
  taken: readonly Type[] | undefined,
): FunctionInfo | undefined {
  if (!taken && template.parameters.length > 0) return undefined;
  const types = taken ?? template.declaration.parameters.map(() => voidType);
  const values = types.map((type): Value => ({ type }));
  const [made] = functionsFor(s, [template], undefined, values);
  // What it returns may be said by its body alone.
  if (made?.deduces) define(s, made, template.span);
  return made;
}

/** The scopes of a function with the names that they have so far: the body is read later, and means no others. */
function asItIs(s: Sema, scope: Scope): Scope {
  if (scope === s.globalScope || scope.namespace !== undefined) return scope;
  return {
    ...scope,
    symbols: new Map(scope.symbols),
    ...(scope.used ? { used: [...scope.used] } : {}),
    ...(scope.parent ? { parent: asItIs(s, scope.parent) } : {}),
  };
}

/** The function that a call means. Parameters that are `auto` are of types that a template has parameters for (5.1.2 p5). */
function callOperator(call: syntax.FunctionDeclaration) {
  const parameters: syntax.TemplateParameter[] = [];
  const own = call.parameters.map((p): syntax.Parameter => {
    const { specifier } = p;
    if (specifier.kind !== "named-type" || specifier.name !== "auto" || specifier.path.length > 0) return p;
    // No name of the source.
    const name = `the type of parameter ${parameters.length + 1}`;
    const { pack } = p.declarator;
    parameters.push({
      name: { kind: "identifier", name, path: [], span: p.span },
      ...(pack ? { pack } : {}),
      span: p.span,
    });
    return { ...p, specifier: { ...specifier, name } };
  });
  return { parameters, declaration: { ...call, parameters: own, trailingAttributes: [] } };
}

/** Finds out what a lambda captures, where it is written. */
class Captures {
  readonly captures: ParameterInfo[] = [];
  readonly values: Value[] = [];
  readonly names = new Map<string, Symbol>();
  readonly byVariable = new Map<VarId, number>();
  readonly pointersByReference = new Set<VarId>();
  readonly initialized = new Map<string, { readonly capture: number; readonly byReference: boolean }>();

  readonly elements: string;
  /** What has been captured, and whether by reference. */
  private readonly referred = new Map<VarId, boolean>();

  constructor(
    private readonly s: Sema,
    readonly lambda: syntax.Lambda,
  ) {
    this.elements = elementsAround(s);
  }

  gather(): boolean {
    const { s, lambda: e } = this;
    const explicit = new Map(e.captures.map((c) => [c.name.name, c]));
    for (const c of e.captures) if (c.initializer && !this.initialize(c)) return false;
    const written = mentioned(e.call!.body);
    for (const name of mentionedBy(e.call!)) {
      // What is called anywhere may be an operator's function: of the object around that is one by name alone.
      if (this.initialized.has(name) || (isOperatorName(name) && !written.has(name))) continue;
      const symbol = lookup(s, name);
      if (!symbol) continue;
      const given = explicit.get(name);
      if (!this.capture(name, symbol, given)) return false;
    }
    const self = lookup(s, "this");
    return !self || this.names.has("this") || !namesBaseOf(s, e.call!) || this.capture("this", self, undefined);
  }

  /** `[n = 2 * k]`, `[&r = x[i]]`. */
  private initialize(c: syntax.LambdaCapture): boolean {
    const { s } = this;
    const init = c.initializer!;
    const value =
      init.form === "assign"
        ? init.value
        : init.form === "paren" && init.values.length === 1
          ? init.values[0]!
          : undefined;
    if (!value || value.kind === "initializer-list") return !!notYet(s, "such a capture of a lambda is", c.span);
    const v = expression(s, value);
    if (!v) return false;
    return c.byReference ? this.reference(c.name, v) : this.copy(c.name.name, v, c.name.span);
  }

  /** By value, under a name of its own. */
  private copy(name: string, v: Value, span: Span): boolean {
    const e = read(this.s, v, span);
    if (!e) return false;
    this.initialized.set(name, { capture: this.captures.length, byReference: false });
    this.add({ name, type: e.type, mode: "value", space: "private", constant: false, span }, exprValue(e));
    return true;
  }

  /** By reference, under a name of its own: a pointer that is always dereferenced. */
  private reference(name: syntax.Identifier, v: Value): boolean {
    const { s } = this;
    v.onWrite?.();
    if (!v.place) return !!notYet(s, "a capture by reference of a value is", name.span);
    const space = placeSpace(s, v.place);
    const pointer = addressOf(v.place, space, name.span, v.readOnly !== undefined);
    this.initialized.set(name.name, { capture: this.captures.length, byReference: true });
    this.add(
      { name: name.name, type: pointer.type, mode: "value", space: "private", constant: false, span: name.span },
      exprValue(pointer),
    );
    return true;
  }

  /** A name of the body that is declared outside it. */
  private capture(name: string, symbol: Symbol, given: syntax.LambdaCapture | undefined): boolean {
    const { s, lambda: e } = this;
    if (symbol.kind === "pack") {
      const all = symbol.elements.every((x, i) => this.capture(`${name}_${i}`, x, given));
      this.names.set(name, symbol);
      return all;
    }
    const outer = outerValue(s, symbol, e.span);
    if (!outer) return true;
    const closure = outer.captured && closureOf(s, outer.type);
    const roots = variablesOf(s, outer);
    if (roots.length === 0 && !outer.captured) {
      this.names.set(name, symbol);
      return true;
    }
    // The object is captured as `this`, which refers to it (C++14 5.1.2 p10).
    const ofObject = symbol.kind === "methods" || (symbol.kind === "value" && symbol.ofObject === true);
    const byReference = ofObject || (given ? given.byReference : e.captureDefault === "&");
    const named =
      given !== undefined || e.captureDefault !== undefined || e.captures.some((c) => c.name.name === "this");
    if (!named)
      return !!error(s, "XL2001", `'${name}' is not captured by the lambda`, e.span, {
        notes: [{ message: "declared here", span: symbol.span }],
      });
    // A reference is copied as what it refers to.
    const refers = symbol.kind === "value" && !ofObject && outer.place !== undefined && roots.length > 0;
    if (refers && !byReference) return this.copy(name, outer, e.span);
    const parts = closure
      ? outer.captured.map((v, k) => ({
          roots: variablesOf(s, v),
          byReference: byReference || isReference(closure, k),
        }))
      : [{ roots, byReference }];
    for (const part of parts) for (const id of part.roots) if (!this.variable(id, part.byReference)) return false;
    this.names.set(name, symbol);
    return true;
  }

  private variable(id: VarId, byReference: boolean): boolean {
    const { s, lambda: e } = this;
    const v = s.variables.get(id)!;
    const before = this.referred.get(id);
    this.referred.set(id, byReference);
    if (before === byReference || (before !== undefined && isFixed(v))) return true;
    if (before !== undefined)
      return !!notYet(s, `a lambda that captures '${v.name}' by value, and in another lambda by reference, is`, e.span);
    const value = variableValue(s, id, e.span);
    const { name, type, span } = v;
    // What a reference is to may change all the same.
    const stays = v.space === "constant" || (v.mode !== "ref" && (v.constant || v.space !== "private"));
    if (type.kind === "array" && !byReference && !stays)
      return !!notYet(s, `a lambda that captures an array ('${name}') by value is`, e.span);
    this.byVariable.set(id, this.captures.length);
    if ((byReference && type.kind !== "pointer") || type.kind === "array") {
      this.add({ name, type, mode: "ref", space: v.space, constant: v.constant, span }, value);
      return true;
    }
    // Nothing but the lambda itself could change a pointer while it runs.
    if (byReference) this.pointersByReference.add(id);
    if (!byReference && refusesCopy(s, type, e.span)) return false;
    if (!byReference && holdsCopied(s, type))
      return !!notYet(s, `a lambda that copies '${name}', whose constructor does more, is`, e.span);
    const now = byReference ? value : exprValue(load(value.place!, e.span));
    this.add({ name, type, mode: "value", space: "private", constant: false, span }, now);
    return true;
  }

  private add(p: Omit<ParameterInfo, "volatile" | "restrict">, value: Value): void {
    this.captures.push({ ...p, volatile: false, restrict: false });
    this.values.push(value);
  }
}

/** What a name means as a value, where it may name something of the function around. */
function outerValue(s: Sema, symbol: Symbol, span: Span): Value | undefined {
  switch (symbol.kind) {
    case "variable":
      return variableValue(s, symbol.variable, span);
    case "value":
      return symbol.make(span);
    case "methods":
      return symbol.object && variableValue(s, symbol.object.id, span);
    default:
      return undefined;
  }
}

/** A variable that belongs to a function, and is no constant that its value can stand for. */
const isOfFunction = (s: Sema, id: VarId): boolean => {
  const { role } = s.variables.get(id)!;
  return (role === "local" || role === "parameter") && constantOf(s, id) === undefined;
};

function constantOf(s: Sema, id: VarId): Expr | undefined {
  const { type, constant } = s.variables.get(id)!;
  const known = constant && type.kind === "scalar" ? s.constants.get(id) : undefined;
  const value = known && evaluate(s, known);
  return known && value !== undefined && type.kind === "scalar"
    ? literal(type.scalar, literalForm(value), known.span)
    : undefined;
}

/** Variables of functions that a value names. */
function variablesOf(s: Sema, v: Value): VarId[] {
  const found = new Set<VarId>();
  const place = (p: Place): void => {
    if (p.kind === "variable" && isOfFunction(s, p.variable)) found.add(p.variable);
  };
  if (v.expr) walkExpr(v.expr, { place });
  if (v.place) walkPlace(v.place, { place }, "read");
  for (const x of [...(v.captured ?? []), ...(v.derived ? [v.derived] : [])])
    for (const id of variablesOf(s, x)) found.add(id);
  return [...found];
}

// ------------------------------------------------------------------ functions as values

/** A function that is named and not called: a lambda that captures nothing and means that one. */
export function functionValue(s: Sema, f: FunctionInfo): Value {
  const type = `function '${f.name}' (${f.id})`;
  if (!s.closures.has(type)) {
    const none = {
      elements: "",
      names: new Map(),
      byVariable: new Map(),
      pointersByReference: new Set<VarId>(),
      initialized: new Map(),
    };
    s.closures.set(type, { type, label: f.name, lambda: f, captures: [], ...none, means: { function: f } });
    s.templates.undo.push(() => s.closures.delete(type));
  }
  return { type: { kind: "struct", name: type }, captured: [] };
}

/** The functions that a name stands for where it is no call: of a struct those that are static (C++14 9.4.1). */
export function functionsMeant(
  s: Sema,
  symbol: Symbol | undefined,
  name: string,
): (Symbol & { kind: "functions" }) | undefined {
  if (symbol?.kind === "functions") return symbol;
  if (symbol?.kind !== "methods" || !s.reading.declarations.lambdas) return undefined;
  let methods = s.methods.get(symbol.struct);
  while (methods && !methods.functions.has(name)) {
    const base: Methods["bases"][number] | undefined = methods.bases.find((b) => memberNamed(s, b.type.name, name));
    methods = base && s.methods.get(base.type.name);
  }
  const list = methods?.functions.get(name) ?? [];
  if (!methods || list.some((m) => !m.isStatic)) return undefined;
  const made = methods;
  return {
    kind: "functions",
    overloads: list.flatMap((m) => (m.template ? [] : (functionOf(s, made, m, "private") ?? []))),
    templates: list.flatMap((m) => m.template?.("private") ?? []),
    span: symbol.span,
    argument: true,
  };
}

/** The one function of a name; undefined where there are several. */
export function onlyFunction(s: Sema, named: Symbol | undefined, name: string): FunctionInfo | undefined {
  const symbol = functionsMeant(s, named, name);
  if (!symbol || !s.reading.declarations.lambdas) return undefined;
  const [only] = symbol.overloads;
  return symbol.overloads.length === 1 && symbol.templates.length === 0 && !only!.kernel ? only : undefined;
}

/** The one function that a name with arguments means. */
export const givenFunction = (
  s: Sema,
  symbol: Symbol & { readonly kind: "functions" },
  given: readonly syntax.TemplateArgument[],
): FunctionInfo | undefined => (s.reading.declarations.lambdas ? instanceGiven(s, symbol.templates, given) : undefined);

/** Whether such a pointer is given a function by name, and nothing else behind that. */
export function standsForFunction(s: Sema, x: syntax.Declarator): boolean {
  let e = innerInitializer(x);
  if (e?.kind === "unary" && e.operator === "&") e = e.operand;
  if (!x.name || e?.kind !== "identifier") return false;
  if (!lookup(s, e.name) || lookup(s, e.name)?.kind !== "functions") return false;
  const rest = s.source.text.slice(x.span.end, s.fn?.body?.span.end ?? x.span.end);
  return !new RegExp(String.raw`(?<![\w.])(?:&\s*${x.name.name}\b|${x.name.name}\s*=(?!=))`, "u").test(rest);
}

/** `int (*f)(int) = twice;`: another name for the function, while nothing is assigned to it. */
export function functionPointer(s: Sema, x: syntax.Declarator, shape: FunctionShape): boolean {
  let e = innerInitializer(x);
  if (e?.kind === "unary" && e.operator === "&") e = e.operand;
  const f = e?.kind === "identifier" ? functionNamed(s, e, shape, s.scope) : undefined;
  if (!x.name || !f) return !!notYet(s, "a function pointer whose function is not known here is", x.span);
  const { name, span } = x.name;
  const onWrite = (): void => void notYet(s, `the function pointer '${name}', which is changed, is`, span);
  return declareName(s, name, { kind: "value", make: () => ({ ...functionValue(s, f), onWrite }), span });
}

// ------------------------------------------------------------------ names for lambdas

const innerInitializer = (x: syntax.Declarator): syntax.Expression | undefined => {
  const init = x.initializer;
  let e: syntax.Expression | undefined = init?.form === "assign" ? init.value : undefined;
  while (e?.kind === "parenthesized") e = e.expression;
  return e;
};

/** `auto f = [=](int i) { ... };` and `auto g = f;`: the copies that it keeps; "none" where the initialiser is no lambda. */
export function namedClosure(s: Sema, x: syntax.Declarator): Statement[] | undefined | "none" {
  const e = innerInitializer(x);
  if (!x.name || !e) return "none";
  const { name, span } = x.name;
  const named = e.kind === "unary" && e.operator === "&" ? e.operand : e;
  if (named.kind === "identifier") {
    const symbol = named.path.length === 0 ? lookup(s, named.name) : memberOfPath(s, named);
    const meant = functionsMeant(s, symbol, named.name);
    const only =
      named.templateArguments && meant
        ? givenFunction(s, meant, named.templateArguments)
        : onlyFunction(s, symbol, named.name);
    const value = symbol?.kind === "value" ? symbol.make(e.span) : undefined;
    if (only) return declareName(s, name, { kind: "value", make: () => functionValue(s, only), span }) ? [] : undefined;
    if (!value?.captured || e !== named) return "none";
    return declareName(s, name, symbol!) ? [] : undefined;
  }
  if (e.kind !== "lambda") return "none";
  const made = lambda(s, e, name);
  const closure = made && closureOf(s, made.type);
  if (!closure) return undefined;
  const out: Statement[] = [];
  const captured = made.captured!.map((v, i): Value => {
    const p = closure.captures[i]!;
    if (p.mode === "ref" || !v.expr || staysAsItIs(s, v.expr)) return v;
    const copy = newVariable(s, {
      name: p.name,
      type: p.type,
      space: "private",
      role: "local",
      constant: true,
      span: p.span,
    });
    out.push(declare(copy.id, v.expr, p.span));
    return variableValue(s, copy.id, p.span);
  });
  const make = (at: Span): Value => ({ type: made.type, captured: captured.map((v) => atSpan(v, at)) });
  return declareName(s, name, { kind: "value", make, span }) ? out : undefined;
}

/** Whether an expression means the same wherever the lambda is called. */
const staysAsItIs = (s: Sema, e: Expr): boolean =>
  e.kind === "literal" ||
  (e.kind === "load" && e.place.kind === "variable" && isFixed(s.variables.get(e.place.variable)!));

/** What a reference to const is to may change. */
const isFixed = (v: Variable): boolean => v.constant && v.mode !== "ref";

function atSpan(v: Value, span: Span): Value {
  if (v.place?.kind === "variable") return { ...v, place: { ...v.place, span } };
  return v;
}

// ------------------------------------------------------------------ functions that lambdas are handed to

/** A parameter that is a lambda: its name stands for what was captured. */
export function closureSymbol(p: ParameterInfo, s: Sema, captured: readonly Variable[]): Symbol {
  const make = (span: Span): Value => ({ type: p.type, captured: captured.map((v) => variableValue(s, v.id, span)) });
  return { kind: "value", make, span: p.span };
}

// ------------------------------------------------------------------ the body of a lambda

/** The names of the body that mean something of the function around, where `own` are the parameters that stand for it. */
export function bindCaptures(s: Sema, closure: Closure, own: readonly Variable[]): void {
  const { byVariable, initialized, captures } = closure;
  const byValue = "it is captured by value";
  /** What keeps a capture from being written. */
  const kept = (id: VarId): Pick<Value, "onWrite" | "readOnly"> => {
    const capture = captures[byVariable.get(id) ?? -1];
    if (capture?.mode !== "value") return {};
    if (!closure.pointersByReference.has(id)) return { readOnly: byValue };
    const message = `a lambda that writes the pointer '${capture.name}', which it captures by reference, is`;
    return { onWrite: () => notYet(s, message, capture.span) };
  };
  const inner = (v: Value): Value => insideOf(s, v, (id) => own[byVariable.get(id) ?? -1]?.id);
  const innerSymbol = (symbol: Symbol): Symbol => {
    if (symbol.kind === "pack") return { ...symbol, elements: symbol.elements.map(innerSymbol) };
    if (symbol.kind === "methods" && symbol.object) {
      const object = own[byVariable.get(symbol.object.id)!];
      return object ? { ...symbol, object } : symbol;
    }
    if (symbol.kind === "variable") {
      const id = symbol.variable;
      const make = (span: Span): Value => ({ ...inner(variableValue(s, id, span)), ...kept(id) });
      return { kind: "value", make, span: symbol.span };
    }
    if (symbol.kind === "value") return { ...symbol, make: (span: Span) => inner(symbol.make(span)) };
    return symbol;
  };
  for (const [name, symbol] of closure.names) s.scope.symbols.set(name, innerSymbol(symbol));
  for (const [name, { capture, byReference }] of initialized) {
    const { id, span } = own[capture]!;
    const make = (at: Span): Value => {
      const v = variableValue(s, id, at);
      return byReference ? (dereferenced(s, v, at) ?? v) : { ...v, readOnly: byValue };
    };
    s.scope.symbols.set(name, { kind: "value", make, span });
  }
}

/** A value of the function around, with the parameters in the place of its variables. */
function insideOf(s: Sema, v: Value, parameter: (id: VarId) => VarId | undefined): Value {
  const rewriter: Rewriter = {
    place: (p) => {
      const id = p.kind === "variable" ? parameter(p.variable) : undefined;
      return id === undefined ? p : { ...(p as Place & { kind: "variable" }), variable: id };
    },
    expr: (e) => {
      const known = e.kind === "load" && e.place.kind === "variable" ? constantHere(s, e.place.variable) : undefined;
      return known ? { ...known, span: e.span } : e;
    },
  };
  if (v.place?.kind === "variable") {
    const known = constantHere(s, v.place.variable);
    if (known) return exprValue({ ...known, span: v.place.span });
    const id = parameter(v.place.variable);
    // What is captured by value cannot be written in the body.
    if (id !== undefined) return variableValue(s, id, v.place.span);
  }
  return {
    ...v,
    ...(v.expr ? { expr: rewriteExpr(v.expr, rewriter) } : {}),
    ...(v.place ? { place: rewritePlace(v.place, rewriter) } : {}),
    ...(v.captured ? { captured: v.captured.map((x) => insideOf(s, x, parameter)) } : {}),
    ...(v.derived ? { derived: insideOf(s, v.derived, parameter) } : {}),
  };
}

/** A constant of another function. */
function constantHere(s: Sema, id: VarId): Expr | undefined {
  const { role } = s.variables.get(id)!;
  return role === "local" ? constantOf(s, id) : undefined;
}

/** A parameter that is a lambda, by its place, and what stands for it. */
export interface TakenClosure {
  readonly at: number;
  readonly closure: Closure;
  readonly variables: readonly Variable[];
}

/**
 * What is captured by reference and only read in a body is a parameter by value, where nothing else can change it meanwhile: its
 * memory is the invocation's own, and the body has no other way to it.
 */
export function capturesAsRead(
  s: Sema,
  taken: readonly TakenClosure[],
  parameters: readonly Variable[],
  body: Block,
): ReadonlyMap<number, readonly ParameterInfo[]> {
  const written = new Set<VarId>();
  const place = (p: Place, use: string): void => {
    let root = p;
    while (root.kind === "element" || root.kind === "member" || root.kind === "swizzle" || root.kind === "view")
      root = root.base;
    if (root.kind === "variable" && use !== "read") written.add(root.variable);
  };
  walkStatement(body, { place });
  const captured = new Set(taken.flatMap((t) => t.variables.map((v) => v.id)));
  const mayBeAny = (v: Variable): boolean =>
    (v.type.kind === "pointer" && v.type.space === "private") || (v.mode !== "value" && !captured.has(v.id));
  if (parameters.some(mayBeAny)) return new Map();
  const writes = ({ variables }: TakenClosure): boolean => variables.some((v) => written.has(v.id));
  return new Map(
    taken.map((t) => {
      const alone = taken.every((other) => other === t || !writes(other));
      const as = t.closure.captures.map((p, i): ParameterInfo => {
        const v = t.variables[i]!;
        if (p.mode !== "ref" || p.space !== "private" || !alone || written.has(v.id)) return p;
        const changes = p.type.kind === "array" ? { constant: true } : { mode: "value" as const };
        updateVariable(s, v.id, changes);
        return { ...p, ...changes };
      });
      return [t.at, as];
    }),
  );
}

/** `f(1, 2)`, where `f` is a lambda. */
export function callClosure(s: Sema, object: Value, args: readonly Value[], span: Span): Value | undefined {
  const closure = closureOf(s, object.type)!;
  const before = s.problems.list.length;
  const all = [object, ...args];
  const { means } = closure;
  if ("function" in means) {
    const [f] = chooseOverload(s, [means.function], args);
    if (f) return callFunction(s, f, args, span);
  } else {
    const [f] = chooseOverload(s, functionsFor(s, [means.template], undefined, args), all);
    if (f) return callFunction(s, f, all, span);
  }
  if (s.problems.list.length > before) return undefined;
  const what = "function" in means ? `the function '${means.function.name}'` : "the lambda";
  return error(s, "XL2005", `${what} does not take these arguments`, span, {
    notes: [{ message: "written here", span: closure.lambda.span }],
  });
}
