/**
 * Functions of structs (C++14 clause 9.3; HLSL): methods, static functions, operators. Each is a plain function named after the
 * struct, whose first parameter is the object by reference, made for the address spaces it is called for. Static members and
 * types lie in a scope of the struct.
 */
import { freeName } from "./templates/names.js";
import { addressOf, bitcast } from "../ast/builders.js";
import type { Variable } from "../ast/nodes.js";
import type * as syntax from "../ast/syntax.js";
import { type Span } from "../support/span.js";
import { type AddressSpace, type PointerType, type StructType, type Type, sameType } from "../types/types.js";
import { memberOf, structOfPath } from "./access.js";
import { fieldOf } from "./bit-fields.js";
import {
  error,
  notYet,
  shown,
  structMember,
  type FunctionInfo,
  type ParameterInfo,
  type Scope,
  type Sema,
  type Symbol,
  type Value,
} from "./context.js";
import { inScopeOf } from "./scopes.js";
import { sortQualifiers } from "./declared-types.js";
import { inSpaceUnlessLed } from "./generic-pointers.js";
import { declaredSignature } from "./functions.js";
import { noTemplate, specialize } from "./templates/declare.js";
import { bodyOf, type Definition } from "./templates/definition.js";
import { argumentsOf, mostSpecialTemplate, typesOf } from "./templates/function-templates.js";
import { attempt } from "./templates/state.js";
import { type FunctionTemplate } from "./templates/template.js";
import { needsMaking, upcast } from "./constructors.js";
import { objectUnevaluated, variableValue } from "./variable-value.js";
import { isOperatorName, methodName, operatorFunctionName, plainDeclaration } from "./method-names.js";
import { inElement, packLength } from "./templates/packs.js";
import { type Base, inherited, memberNamed } from "./struct-members.js";

/** What a struct has besides data. */
export interface Methods {
  readonly struct: string;
  readonly functions: ReadonlyMap<string, readonly Method[]>;
  /** Static members, types, and the names around the struct. */
  readonly scope: Scope;
  readonly constructors: Method[];
  /** Those of another object of the struct, where they do more than copy its members. */
  readonly copying: readonly Method[];
  /** There is one without parameters that does nothing: `S() = default;`. */
  readonly plainDefault: boolean;
  /** The constructor without parameters that nobody wrote. */
  implicit?: Method;
  readonly conversions: readonly Method[];
  /** Values of members that are given none. */
  readonly defaults: ReadonlyMap<string, syntax.Initializer>;
  readonly bases: readonly Base[];
  /** `using Base::f;`: by the name, the bases whose functions are called beside the struct's own. */
  readonly brought: ReadonlyMap<string, readonly StructType[]>;
  /** `using Base::v;`: data of bases whose names are not seen. */
  readonly named: ReadonlyMap<string, Span>;
  /** Once a method has been read. */
  names?: ReadonlyMap<string, Span | "methods">;
}

export interface Method {
  readonly declaration: syntax.FunctionDeclaration;
  /** Where the body stands behind the struct. */
  definition?: Definition;
  readonly isStatic: boolean;
  readonly isConst: boolean;
  /** `f() &` is of objects that have a name, `f() &&` of others. */
  readonly objects?: "&" | "&&" | undefined;
  /** The one that the source names behind the parameters; without one, whichever the object lies in. */
  readonly space: AddressSpace | undefined;
  /** By the space of the object, and its type where that is derived from this one (`keyOfObject`). */
  readonly made: Map<string, FunctionInfo | undefined>;
  /** As if it were const, for constant objects (`constMethodsOnly`). */
  readonly madeConst: Map<string, FunctionInfo | undefined>;
  /** Of templates, likewise. */
  readonly template?: (space: AddressSpace, derived?: string) => FunctionTemplate;
  readonly templates?: ReadonlyMap<string, FunctionTemplate>;
  readonly outer?: syntax.TemplateDeclaration;
  /** Of a constructor that is inherited. */
  readonly inherits?: InheritedMethod;
}

interface InheritedMethod {
  readonly from: Methods;
  readonly method: Method;
  readonly base: Base;
}

const keyOfObject = (space: AddressSpace, derived: string | undefined): string =>
  derived === undefined ? space : `${space} ${derived}`;

/** The scope of a struct's members, inside the names of what it inherits from. */
export function memberScope(
  s: Sema,
  { bases, constants }: { readonly bases: readonly Base[]; readonly constants: ReadonlyMap<string, Symbol> },
): Scope {
  return { parent: inherited(s, bases), symbols: new Map(constants) };
}

/** Declares the functions of a struct. `label`: its name within itself. */
export function declareMethods(
  s: Sema,
  struct: string,
  others: readonly syntax.Declaration[],
  label: syntax.Identifier | undefined,
  bases: readonly Base[],
  defaults: ReadonlyMap<string, syntax.Initializer>,
  around: Scope,
): void {
  const scope: Scope = around === s.scope ? { parent: s.scope, symbols: new Map() } : around;
  const made: Gathered = noMembers(struct);
  const { functions, constructors, copying, conversions, brought, named } = made;
  const methods: Methods = {
    struct,
    functions,
    constructors,
    copying,
    conversions,
    scope,
    defaults,
    bases,
    brought,
    named,
    plainDefault: false,
  };
  s.methods.set(struct, methods);
  if (label)
    scope.symbols.set(label.name, {
      kind: "type",
      info: { type: { kind: "struct", name: struct } },
      span: label.span,
    });
  inScopeOf(s, scope, () => {
    for (const d of others) functionMember(s, made, d, label?.name);
  });
  // One that takes nothing is not inherited (C++17 10.3.3 (4)): the struct has that of its own which nobody wrote.
  const written = constructors.length + copying.length;
  for (const of of made.inherited) inheritConstructors(s, methods, of.type, of.span);
  if (made.plainDefault || (made.inherited.length > 0 && written === 0))
    s.methods.set(struct, { ...methods, plainDefault: true });
  bindParts(s, scope, struct, false);
  // What may be moved is, where it is returned.
  if (made.uncopied && !made.moves) {
    s.copiedByFunctions.set(struct, made.uncopied);
  }
  if (copying.length === 0) return;
  s.copiedByFunctions.set(struct, undefined);
  if (made.moves)
    notYet(s, "a constructor that moves, beside one that does more than copy each member, is", made.moves);
}

/** Types and constants of a struct ask for what its static functions return, and for nothing else of them: `decltype(test<T>(0))`. */
export function asking(
  s: Sema,
  of:
    | {
        readonly struct: string;
        readonly others: readonly syntax.Declaration[];
        readonly bases: readonly Base[];
        readonly scope: Scope;
      }
    | undefined,
  read: () => void,
): void {
  const isStatic = (d: syntax.Declaration): boolean =>
    d.kind === "function" && !d.given && d.name.path.length === 0 && d.qualifiers.some((q) => q.name === "static");
  const asked = of?.others.filter(
    (d) => isStatic(d) || (d.kind === "template" && !d.explicit && isStatic(d.declaration)),
  );
  if (!of || !asked?.length || of.scope === s.scope) return read();
  const { struct, bases, scope } = of;
  const made: Gathered = noMembers(struct);
  s.methods.set(struct, { ...made, scope, defaults: new Map(), bases });
  inScopeOf(s, scope, () => {
    for (const d of asked) functionMember(s, made, d, undefined);
  });
  read();
  s.methods.delete(struct);
  for (const name of made.functions.keys()) scope.symbols.delete(name);
}

interface Gathered {
  readonly struct: string;
  readonly functions: Map<string, Method[]>;
  readonly constructors: Method[];
  readonly copying: Method[];
  readonly conversions: Method[];
  readonly brought: Map<string, StructType[]>;
  readonly named: Map<string, Span>;
  /** `using Base::Base;` */
  readonly inherited: { readonly type: StructType; readonly span: Span }[];
  plainDefault: boolean;
  /** `S(thread S&& o)`, which a returned variable is given to. */
  moves?: Span;
  /** A constructor that copies and is deleted. */
  uncopied?: Span;
}

const noMembers = (struct: string): Gathered => ({
  struct,
  functions: new Map(),
  constructors: [],
  copying: [],
  conversions: [],
  brought: new Map(),
  named: new Map(),
  inherited: [],
  plainDefault: false,
});

function functionMember(s: Sema, made: Gathered, d: syntax.Declaration, label: string | undefined): void {
  if (d.kind === "function") {
    if (d.friend) return friend(s, d, made.struct);
    if (d.special === "constructor") return addConstructor(s, made, d, label);
    if (d.special === "conversion") return void made.conversions.push(methodOf(s, made.struct, d));
    return addMethod(s, made, d);
  }
  if (d.kind === "template" && !d.explicit) {
    const inner = d.declaration;
    if (inner.kind !== "function") return;
    if (inner.special === "constructor" && d.parameters.length > 0) return addConstructor(s, made, inner, label, d);
    if (inner.special === "conversion" && d.parameters.length > 0)
      return void made.conversions.push(methodOf(s, made.struct, inner, d));
    if (!inner.special && d.parameters.length > 0) return addMethod(s, made, inner, d);
    if (!inner.special) return specialization(s, made, inner, d);
    return void notYet(s, "such a template in a struct is", d.span);
  }
  if (d.kind === "using") for (const x of d.names ?? []) usedMember(s, made, x, d.span);
  const known = d.kind === "typedef" || d.kind === "variable" || d.kind === "static-assert" || d.kind === "using";
  if (!known) notYet(s, "such a member is", d.span);
}

/** `using Base::f;`. The names of the bases are there without, but for functions: of several bases, and where the struct has some of the name. */
function usedMember(s: Sema, made: Gathered, { name, pack }: syntax.UsedName, span: Span): void {
  if (name.path.length === 0) return;
  const pattern: syntax.Identifier = { ...name, name: name.path.at(-1)!, path: name.path.slice(0, -1) };
  const length = pack ? packLength(s, pattern, name.span) : 1;
  for (let i = 0; i < (length ?? 0); i++) {
    const read = (): StructType | undefined => structOfPath(s, name);
    const type = pack ? inElement(s, pattern, i, read) : read();
    if (type) bring(s, made, name, type, span);
  }
}

function bring(s: Sema, made: Gathered, { path, name, span }: syntax.Identifier, type: StructType, at: Span): void {
  const symbol = memberNamed(s, type.name, name);
  const isOwnName = symbol?.kind === "type" && sameType(symbol.info.type, type);
  if (name === path.at(-1) || isOwnName) return void made.inherited.push({ type, span: at });
  if (!symbol) return void made.named.set(name, span);
  if (symbol.kind !== "methods") return void s.scope.symbols.set(name, symbol);
  made.brought.set(name, [...(made.brought.get(name) ?? []), type]);
  s.scope.symbols.set(name, { kind: "methods", struct: made.struct, span });
}

/** A function of the file that a struct declares; without a body it says who may look inside. */
function friend(s: Sema, d: syntax.FunctionDeclaration, of: string): void {
  if (!d.body) return;
  const signature = declaredSignature(s, d);
  if (!signature) return;
  const { name, span } = d.name;
  const info: FunctionInfo = {
    id: s.functions.length,
    name: isOperatorName(name) ? operatorFunctionName(s, name, signature.parameters) : name,
    ...signature,
    span,
    defined: false,
    calls: new Map(),
    later: { declaration: d, outer: d, scope: s.scope, shown: name, visibleBefore: undefined },
    friendOf: of,
  };
  s.functions.push(info);
  const symbol = s.globalScope.symbols.get(name);
  if (symbol?.kind === "functions") {
    symbol.overloads.push(info);
    s.templates.undo.push(() => void symbol.overloads.splice(symbol.overloads.indexOf(info), 1));
  } else s.globalScope.symbols.set(name, { kind: "functions", overloads: [info], templates: [], span });
}

/** Takes back the functions of the file that a struct declares. */
export function forgetFriends(s: Sema, of: string): void {
  for (const [name, symbol] of s.globalScope.symbols) {
    if (symbol.kind !== "functions") continue;
    const others = symbol.overloads.filter((f) => f.friendOf !== of);
    symbol.overloads.splice(0, symbol.overloads.length, ...others);
    if (others.length + symbol.templates.length === 0) s.globalScope.symbols.delete(name);
  }
}

function methodOf(s: Sema, struct: string, d: syntax.FunctionDeclaration, outer?: syntax.TemplateDeclaration): Method {
  const words = d.trailingAttributes.map((a): syntax.Qualifier => ({ kind: "qualifier", name: a.name, span: a.span }));
  const objects = words.map((x) => x.name).find((x) => x === "&" || x === "&&");
  const q = sortQualifiers(
    s,
    words.filter((x) => x.name !== objects),
  );
  const method: Method = {
    declaration: d,
    isStatic: d.qualifiers.some((x) => x.name === "static"),
    isConst: q.constant,
    objects,
    space: q.space,
    made: new Map(),
    madeConst: new Map(),
  };
  if (!outer) return method;
  const scope = s.scope;
  const templates = new Map<string, FunctionTemplate>();
  const specializations: FunctionTemplate["specializations"] = new Map();
  const template = (space: AddressSpace, derived?: string): FunctionTemplate => {
    const before = templates.get(keyOfObject(space, derived));
    if (before) return before;
    const { definition } = whole;
    const made: FunctionTemplate = {
      ...(definition ? { definition } : {}),
      kind: "function",
      name: methodName(struct, d, space, true),
      parameters: outer.parameters,
      declaration: plainDeclaration(s, d),
      outer,
      span: d.name.span,
      scope,
      instances: new Map(),
      specializations,
      ...(d.special === "constructor"
        ? { constructs: struct }
        : method.isStatic
          ? {}
          : { receiver: receiver(derived ?? struct, method, space), method: struct }),
    };
    templates.set(keyOfObject(space, derived), made);
    return made;
  };
  const whole: Method = { ...method, template, templates, outer };
  return whole;
}

function addMethod(s: Sema, made: Gathered, d: syntax.FunctionDeclaration, outer?: syntax.TemplateDeclaration): void {
  if (d.name.path.length > 0) return void notYet(s, "a method that is defined elsewhere is", d.name.span);
  if (d.given) return;
  if (d.qualifiers.some((q) => q.name === "virtual")) return void notYet(s, "a virtual function is", d.name.span);
  const { name, span } = d.name;
  const method = methodOf(s, made.struct, d, outer);
  const list = made.functions.get(name);
  if (list) return void list.push(method);
  made.functions.set(name, [method]);
  s.scope.symbols.set(name, { kind: "methods", struct: made.struct, span });
}

/** `template <> float f(float x)`: what the template of the struct is for these arguments, in it or behind it (C++17 17.8.3). */
export function specialization(
  s: Sema,
  made: Pick<Methods, "struct" | "functions">,
  d: syntax.FunctionDeclaration,
  outer: syntax.TemplateDeclaration,
): void {
  const { isConst, space, objects } = methodOf(s, made.struct, d);
  // Nothing can be called with what cannot be read.
  if (!attempt(s, () => typesOf(s, d.parameters, s.scope))) return;
  const fitting = (made.functions.get(d.name.name) ?? []).flatMap((m) => {
    if (!m.template || m.isConst !== isConst || m.space !== space || m.objects !== objects) return [];
    const template = m.template(space ?? "private");
    const list = argumentsOf(s, template, d);
    return list ? [{ template, list }] : [];
  });
  const only = mostSpecialTemplate(s, fitting);
  if (only) specialize(s, only.template, only.list, { declaration: plainDeclaration(s, d), outer });
  else if (fitting.length > 1) notYet(s, "a specialisation that several templates fit is", d.name.span);
  else noTemplate(s, d.name);
}

function addConstructor(
  s: Sema,
  made: Gathered,
  d: syntax.FunctionDeclaration,
  label: string | undefined,
  outer?: syntax.TemplateDeclaration,
): void {
  if (d.name.name !== label) return void error(s, "XL2011", `the function '${d.name.name}' needs a type`, d.name.span);
  const [only, ...further] = d.parameters;
  // A template is none that copies (C++14 12.8 (2)); one whose other parameters have defaults is.
  const copies =
    !outer &&
    only !== undefined &&
    further.every((p) => p.declarator.initializer) &&
    only.declarator.derivations.at(-1)?.kind === "reference" &&
    only.specifier.kind === "named-type" &&
    only.specifier.name === label;
  if (copies) {
    const { derivations } = only.declarator;
    const moves = derivations.some((x) => x.kind === "reference" && x.rvalue);
    if (moves && d.given !== "delete") made.moves = d.name.span;
    if (!moves && d.given === "delete") made.uncopied = d.name.span;
    const plain = d.given !== undefined || copiesMembers(s, made.struct, d);
    if (plain && (further.length === 0 || d.given)) return;
    const method = methodOf(s, made.struct, d);
    // With more arguments it is called as any other.
    if (further.length > 0) made.constructors.push(method);
    if (plain) return;
    if (d.body && !moves) made.copying.push(method);
    else
      notYet(
        s,
        moves
          ? "a constructor that moves, and does more than move each member, is"
          : "a constructor that copies, and has its body behind the struct, is",
        d.name.span,
        moves ? "leave it out" : "write its body in the struct",
      );
    return;
  }
  if (d.given === "delete") return;
  if (d.given === "default") {
    if (d.parameters.length === 0) made.plainDefault = true;
    return;
  }
  made.constructors.push(methodOf(s, made.struct, d, outer));
}

/**
 * `S(const thread S& o) : a(o.a), b(o.b) {}` is what a copy is anyway, and so it is by assignments in the body. What is left out has
 * the value that objects begin with; where that is anything, it may be what is copied.
 */
function copiesMembers(s: Sema, struct: string, d: syntax.FunctionDeclaration): boolean {
  const from = d.parameters[0]!.declarator.name?.name;
  if (!d.body || from === undefined) return false;
  const methods = s.methods.get(struct)!;
  const type: StructType = { kind: "struct", name: struct };
  const named = new Set<string>();
  /** The member that is given its own value of the other object. */
  const copied = (target: string, value: syntax.Expression | undefined): boolean => {
    const own = value?.kind === "member" && !value.arrow && value.base.kind === "identifier";
    if (!own || value.base.name !== from || value.name.name !== target || value.name.path.length > 0) return false;
    named.add(fieldOf(s, type, target)?.word ?? target);
    return true;
  };
  const initialised = (d.initializers ?? []).every(({ target, initializer: i }) => {
    const value = i.form === "paren" && i.values.length === 1 ? i.values[0] : undefined;
    const base = methods.bases.find((b) => b.member && b.type.name === target.name);
    if (base && value?.kind === "identifier" && value.name === from) {
      named.add(base.member!);
      return true;
    }
    return copied(target.name, value);
  });
  const assigned = d.body.statements.every((st) => {
    const e = st.kind === "expression-statement" ? st.expression : undefined;
    if (e?.kind !== "assignment" || e.operator !== "=") return false;
    const { target } = e;
    const ofThis = target.kind === "member" && target.arrow && target.base.kind === "identifier";
    const own = ofThis && target.base.name === "this" && target.name.path.length === 0 ? target.name.name : undefined;
    const name = target.kind === "identifier" && target.path.length === 0 ? target.name : own;
    if (name === undefined || name === from || !copied(name, e.value)) return false;
    // An object of a struct may say what assigning is.
    const field = fieldOf(s, type, name);
    const member = structMember(s, type, name);
    return field !== undefined || (member !== undefined && member.kind !== "struct");
  });
  if (!initialised || !assigned) return false;
  return s.structs
    .get(struct)!
    .members.every((m) => named.has(m.name) || !(methods.defaults.has(m.name) || needsMaking(s, m.type)));
}

/**
 * `using Base::Base;`: the constructors of a base, but for those without parameters and those that copy, which this has itself (C++17
 * 10.3.3). Each is a constructor with the same parameters.
 */
function inheritConstructors(s: Sema, methods: Methods, type: StructType, span: Span): void {
  const base = methods.bases.find((b) => sameType(b.type, type));
  if (!base) return void error(s, "XL2012", `${shown(s, type)} is no base whose constructors could be inherited`, span);
  const from = s.methods.get(type.name);
  const own = methods.constructors.map((m) => parametersOf(s, methods, m));
  for (const method of from?.constructors ?? []) {
    const parameters = parametersOf(s, from!, method);
    if (parameters?.length === 0) continue;
    const isHidden = own.some(
      (o) => o && parameters && o.length === parameters.length && o.every((t, i) => sameType(t, parameters[i]!)),
    );
    if (!isHidden) methods.constructors.push(inheritedConstructor(methods.struct, { from: from!, method, base }));
  }
}

/** Types of the parameters of what is no template. */
const parametersOf = (s: Sema, methods: Methods, m: Method): readonly Type[] | undefined =>
  m.template ? undefined : attempt(s, () => typesOf(s, m.declaration.parameters, scopeOf(methods, m)));

function inheritedConstructor(struct: string, inherits: InheritedMethod): Method {
  const { method, base } = inherits;
  const { template } = method;
  const made: Method = {
    ...method,
    declaration: inheritedDeclaration(method.declaration),
    made: new Map(),
    madeConst: new Map(),
    inherits,
  };
  delete made.definition;
  if (!template) return made;
  const templates = new Map<string, FunctionTemplate>();
  return {
    ...made,
    templates,
    template: (space) => {
      const before = templates.get(space);
      if (before) return before;
      const of = template(space);
      const { definition: _, ...rest } = of;
      const own: FunctionTemplate = {
        ...rest,
        declaration: inheritedDeclaration(of.declaration),
        instances: new Map(),
        specializations: new Map(),
        constructs: struct,
        inherits: { member: base.member, template: of },
      };
      templates.set(space, own);
      return own;
    },
  };
}

/** What the constructor of the base does is done there. */
function inheritedDeclaration(d: syntax.FunctionDeclaration): syntax.FunctionDeclaration {
  const { initializers: _, ...rest } = d;
  return { ...rest, body: { kind: "compound", statements: [], span: d.span } };
}

// ------------------------------------------------------------------ methods as functions

const receiver = (struct: string, m: Pick<Method, "declaration" | "isConst">, space: AddressSpace): ParameterInfo => ({
  name: "self",
  type: { kind: "struct", name: struct },
  mode: "ref",
  space,
  constant: m.isConst || space === "constant",
  volatile: false,
  restrict: false,
  span: m.declaration.name.span,
});

export function functionOf(
  s: Sema,
  methods: Methods,
  m: Method,
  space: AddressSpace,
  isConst = m.isConst,
  derived?: string,
): FunctionInfo | undefined {
  const made = isConst === m.isConst ? m.made : m.madeConst;
  const key = keyOfObject(space, derived);
  if (made.has(key)) return made.get(key);
  made.set(key, undefined);
  const declaration = plainDeclaration(s, m.declaration);
  const constructs = declaration.special === "constructor";
  const { inherits } = m;
  const scope = scopeOf(methods, m);
  const head: Scope = { parent: scope, symbols: new Map() };
  if (m.isConst && declaration.returnsLater && !inherits) bindParts(s, head, methods.struct, true);
  const signature = inScopeOf(s, head.parts ? head : scope, () => declaredSignature(s, declaration));
  if (!signature) return undefined;
  const info: FunctionInfo = {
    id: s.functions.length,
    name: freeName(s, methodName(methods.struct, declaration, space)),
    ...signature,
    ...(constructs ? { returnType: { kind: "struct", name: methods.struct } as const } : {}),
    ...(signature.returnsOpen && !m.isStatic ? { returnType: inSpaceUnlessLed(s, signature.returnType, space) } : {}),
    parameters:
      m.isStatic || constructs
        ? signature.parameters
        : [receiver(derived ?? methods.struct, { ...m, isConst }, space), ...signature.parameters],
    span: declaration.name.span,
    defined: false,
    calls: new Map(),
    readFrom: m,
    ...(m.definition?.unread ? { unread: m.definition.unread } : {}),
    later: {
      ...bodyOf(m.definition, declaration, scope, namesSeenIn(s, methods.struct)),
      // What all arguments are given for is no template (C++14 14.7.3).
      untemplated: (s.templates.structs.get(methods.struct)?.parameters.length ?? 0) === 0,
      shown: `${methods.struct}::${declaration.name.name}`,
      ...(constructs ? { constructs: methods.struct } : m.isStatic ? {} : { method: methods.struct }),
      ...(inherits
        ? {
            inherits: {
              member: inherits.base.member,
              base: () => functionOf(s, inherits.from, inherits.method, space),
            },
          }
        : {}),
    },
  };
  s.functions.push(info);
  made.set(key, info);
  s.templates.undo.push(() => {
    made.delete(key);
    s.templates.taken.delete(info.name);
  });
  return info;
}

/** Where the names of its parameters are looked up. */
function scopeOf(methods: Methods, { inherits }: Method): Scope {
  return inherits ? scopeOf(inherits.from, inherits.method) : methods.scope;
}

/** Functions that are declared behind a template, or behind a struct, are not meant by its names (C++14 3.4.1). */
const namesSeenIn = (s: Sema, struct: string): number | undefined =>
  s.templates.structs.get(struct)?.seenBefore ?? s.structs.get(struct)?.span.end;

/** What the names of a struct's members and functions are, with those of the bases; its own come before theirs. */
function namesIn(s: Sema, struct: string): ReadonlyMap<string, Span | "methods"> {
  const methods = s.methods.get(struct);
  if (methods?.names) return methods.names;
  const seen = (methods?.bases ?? []).filter((b) => !b.dependent);
  const names = new Map([...seen.flatMap((b) => [...allNamesIn(s, b.type.name)]), ...(methods?.named ?? [])]);
  addOwnNames(s, struct, names);
  if (methods) methods.names = names;
  return names;
}

/** Seen from another struct. */
function allNamesIn(s: Sema, struct: string): ReadonlyMap<string, Span | "methods"> {
  const names = new Map((s.methods.get(struct)?.bases ?? []).flatMap((b) => [...allNamesIn(s, b.type.name)]));
  addOwnNames(s, struct, names);
  return names;
}

function addOwnNames(s: Sema, struct: string, names: Map<string, Span | "methods">): void {
  const methods = s.methods.get(struct);
  const isBase = (name: string): boolean => methods?.bases.some((b) => b.member === name) === true;
  // Of a base's, what the struct declares itself hides all.
  for (const name of methods?.scope.symbols.keys() ?? []) names.delete(name);
  for (const m of s.structs.get(struct)?.members ?? []) if (!isBase(m.name)) names.set(m.name, m.span);
  for (const [name, field] of s.bitFields.get(struct) ?? []) names.set(name, field.span);
  for (const name of methods?.functions.keys() ?? []) names.set(name, "methods");
  for (const name of methods?.brought.keys() ?? []) names.set(name, "methods");
}

/** The names of a method's body: the members of its object, and `this`. `struct`: whose method it is, a base of the object's type perhaps. */
export function bindObject(s: Sema, object: Variable, struct = (object.type as StructType).name): void {
  if (s.fn) s.fn.object = object;
  s.scope.object = { names: namesIn(s, struct), symbol: (name) => symbolOf(s, object, struct, name) };
  s.scope.symbols.set("this", selfOf(s, object, struct));
}

/** Those of a struct where no object is there, and nothing is evaluated: `decltype(member)` in the head of a method. */
function bindParts(s: Sema, scope: Scope, struct: string, constant: boolean): void {
  const object = (): Variable => objectUnevaluated(s, { kind: "struct", name: struct }, constant);
  scope.parts = {
    has: (name) => name === "this" || namesIn(s, struct).has(name),
    symbol: (name) => (name === "this" ? selfOf(s, object(), struct) : symbolOf(s, object(), struct, name)),
  };
}

/** The object, or the part of it that is the struct. */
function wholeOf(s: Sema, object: Variable, struct: string, span: Span): Value {
  const v: Value = {
    ...variableValue(s, object.id, span),
    ...(object.constant ? { readOnly: "the method is const" } : {}),
  };
  return upcast(s, v, { kind: "struct", name: struct }, span) ?? v;
}

function symbolOf(s: Sema, object: Variable, struct: string, name: string): Symbol {
  const span = namesIn(s, struct).get(name)!;
  if (span === "methods") return { kind: "methods", struct, object, span: object.span };
  const make = (at: Span): Value =>
    memberOf(s, wholeOf(s, object, struct, at), name, false, at, at, () => undefined) ?? { type: { kind: "void" } };
  return { kind: "value", make, span, ofObject: true };
}

/** `this`: a pointer in C++, the object itself in HLSL. */
function selfOf(s: Sema, object: Variable, struct: string): Symbol {
  const self = (span: Span): Value => {
    const v = wholeOf(s, object, struct, span);
    // A base without data is no part of the object, but lies where that does.
    const place = v.place ?? v.derived?.place;
    if (!s.language.pointers || !place) return v;
    const e = addressOf(place, object.space, span, object.constant);
    if (!v.derived) return { type: e.type, expr: e };
    const type = { ...(e.type as PointerType), pointee: v.type };
    return { type, expr: v.place ? e : bitcast(e, type, span), derived: v.derived };
  };
  return { kind: "value", make: self, span: object.span, ofObject: true };
}
