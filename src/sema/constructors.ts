/**
 * Objects of structs that say how they are made: constructors, default values of members, conversions by either, and what is
 * inherited. A constructor is a plain function that returns the object, named after the struct (`Complex_make`).
 */
import {
  assign,
  binary,
  conditional,
  construct,
  declare,
  element,
  expressionStatement,
  i32Literal,
  increment,
  load,
  member,
  memberValue,
  nullPointer,
  returnStatement,
  variablePlace,
} from "../ast/builders.js";
import type { Block, Expr, Place, Statement, StructMember, Variable } from "../ast/nodes.js";
import { noTrivia } from "../ast/nodes.js";
import type * as syntax from "../ast/syntax.js";
import { isPure, placeIsPure, walkExpr } from "../ast/walk.js";
import { implicitConversion } from "../dialects/conversions.js";
import { append } from "../support/append.js";
import type { Span } from "../support/span.js";
import {
  bool,
  enumerationOf,
  sameType,
  scalar,
  scalarOf,
  type PointerType,
  type StructType,
  type Type,
} from "../types/types.js";
import { addressOfValue, dereferenced, partOf } from "./access.js";
import { fieldAssignment } from "./assignments.js";
import { wordFrom, type BitField } from "./bit-fields.js";
import { callFunction } from "./calls.js";
import { chooseOverload, isSame } from "./overloads.js";
import { asReference } from "./value-categories.js";
import { zeroOf } from "./construct.js";
import {
  error,
  exprValue,
  isLvalue,
  notYet,
  shown,
  type FunctionInfo,
  type FunctionState,
  type LaterBody,
  type Scope,
  type Sema,
  type Value,
  placeSpace,
  type Symbol,
} from "./context.js";
import { inScopeOf } from "./scopes.js";
import { after, held, loopIndex } from "./held-values.js";
import { read } from "./convert.js";
import { valueObject } from "./initializer-lists.js";
import { readInitializer } from "./declarations.js";
import { resolveSpecifier, typeNamed, type DeclaredType } from "./declared-types.js";
import { asNamed } from "./minimum-precision.js";
import { conversionFunctions, placed } from "./method-calls.js";
import { functionOf, type Method, type Methods } from "./methods.js";
import type { Callees } from "./list-arguments.js";
import { laterOf, readOnceMore, type ReadAgain } from "./read-again.js";
import { block } from "./statements.js";
import { withFirst } from "./value-after.js";
import { variableValue } from "./variable-value.js";
import { inElement, packLength } from "./templates/packs.js";
import { attempt } from "./templates/state.js";
import { flat } from "./templates/template.js";
import { functionsFor, mostSpecial } from "./templates/function-templates.js";

const methodsOf = (s: Sema, type: Type): Methods | undefined =>
  type.kind === "struct" ? s.methods.get(type.name) : undefined;

/** Whether an object is made by a constructor that the source writes. */
export const hasConstructors = (s: Sema, type: Type): boolean => (methodsOf(s, type)?.constructors.length ?? 0) > 0;

/** Whether a variable without an initialiser is given something: by a constructor, or by default values. */
export function needsMaking(s: Sema, type: Type): boolean {
  if (type.kind === "array") return needsMaking(s, type.element);
  const methods = methodsOf(s, type);
  if (type.kind !== "struct") return false;
  if (methods && (methods.defaults.size > 0 || (methods.constructors.length > 0 && !methods.plainDefault))) return true;
  return s.structs.get(type.name)?.members.some((m) => needsMaking(s, m.type)) ?? false;
}

/** A constructor without parameters that nobody wrote. */
function implicitConstructor(methods: Methods, span: Span): Method {
  if (methods.implicit) return methods.implicit;
  const name = { kind: "identifier", name: methods.struct, path: [], span } as const;
  const declaration: syntax.FunctionDeclaration = {
    kind: "function",
    attributes: [],
    qualifiers: [],
    returnType: { kind: "named-type", name: "void", path: [], span },
    returnDerivations: [],
    name,
    parameters: [],
    trailingAttributes: [],
    body: { kind: "compound", statements: [], span },
    special: "constructor",
    span,
  };
  const implicit: Method = {
    declaration,
    isStatic: false,
    isConst: false,
    space: undefined,
    made: new Map(),
    madeConst: new Map(),
  };
  methods.implicit = implicit;
  return implicit;
}

const isExplicit = (m: Method): boolean => m.declaration.qualifiers.some((q) => q.name === "explicit");

const isExplicitOne = (s: Sema, methods: Methods, f: FunctionInfo): boolean =>
  methods.constructors.some(
    (m) =>
      isExplicit(m) &&
      (m.template ? f.instance?.template === m.template("private") : functionOf(s, methods, m, "private") === f),
  );

/** The constructors that these arguments may mean. */
function candidates(s: Sema, methods: Methods, args: readonly Value[], implicit: boolean): FunctionInfo[] {
  return methods.constructors
    .filter((m) => (m.space ?? "private") === "private" && (!implicit || !isExplicit(m)))
    .flatMap((m) => {
      if (!m.template) return functionOf(s, methods, m, "private") ?? [];
      return functionsFor(s, [m.template("private")], undefined, args);
    });
}

/** What an object may be made by; `copied`: also of another object, which a list in parentheses may be. */
export function constructorsOf(s: Sema, type: Type, as: "copied" | "made"): Callees | undefined {
  const methods = methodsOf(s, type);
  if (!methods || methods.constructors.length === 0) return undefined;
  const all = methods.constructors.filter((m) => (m.space ?? "private") === "private");
  const overloads: Callees["overloads"][number][] = all.flatMap((m) =>
    m.template ? [] : (functionOf(s, methods, m, "private") ?? []),
  );
  if (as === "copied") overloads.push({ parameters: [{ type }] });
  const object = as === "made" ? type : undefined;
  return { overloads, templates: all.flatMap((m) => m.template?.("private") ?? []), object };
}

/** `S(a, b)`, `S{a, b}` and `S v(a, b)`; `copied`: `S v = {a, b}`, which no explicit constructor makes, though one may be chosen (C++14 13.3.1.7). */
export function makeObject(
  s: Sema,
  type: StructType,
  args: readonly Value[],
  span: Span,
  copied = false,
): Value | undefined {
  const [only] = args;
  const methods = s.methods.get(type.name);
  if (only && args.length === 1) {
    const same = upcast(s, only, type, span);
    const e = same && read(s, same, span);
    if (same) return e && exprValue(e);
  }
  if (args.length === 0 && !methods?.constructors.some(takesNone)) {
    if (methods && methods.constructors.length > 0 && !methods.plainDefault)
      return error(s, "XL2005", `${shown(s, type)} is made of nothing, and has no constructor for that`, span);
    const made = valueObject(s, type, span);
    return made && exprValue(made);
  }
  // An object of another struct that says what it becomes, also by what is called explicit (C++14 13.3.1.4).
  const becomes = only && args.length === 1 ? () => explicitConversion(s, only, type, span) : () => "none" as const;
  if (!methods || methods.constructors.length === 0) {
    const made = becomes();
    if (made !== "none") return made;
    return notYet(s, "a struct made of several values without a constructor is", span, "use braces");
  }
  const candidate = chooseOverload(s, candidates(s, methods, args, false), args);
  if (candidate.length === 0) {
    const made = becomes();
    if (made !== "none") return made;
  }
  // A list may as well be an object that is copied.
  const whole = args.length === 1 ? only?.listed?.rank(type) : undefined;
  const isCopy = whole !== undefined && candidate.every((f) => only!.listed!.rank(f.parameters[0]!.type)! >= whole);
  const chosen = isCopy ? [...candidate, ...candidate] : candidate;
  if (isCopy && candidate.length === 0) return only!.listed!.as(type);
  const [constructor] = chosen;
  if (constructor && chosen.length === 1) {
    if (!copied || !isExplicitOne(s, methods, constructor)) return callFunction(s, constructor, args, span);
    return error(
      s,
      "XL2005",
      `the constructor of ${shown(s, type)} that fits is explicit, and this is no call of it`,
      span,
      {
        notes: [{ message: "declared here", span: constructor.span }],
        help: `write ${shown(s, type).replace(/^struct /, "")} before the list`,
      },
    );
  }
  const message =
    chosen.length > 1
      ? `several constructors of ${shown(s, type)} fit equally well`
      : `no constructor of ${shown(s, type)} takes (${args.map((a) => a.listed?.shown ?? shown(s, a.type)).join(", ")})`;
  return error(s, "XL2005", message, span, {
    notes: methods.constructors.slice(0, 4).map((m) => ({ message: "declared here", span: m.declaration.name.span })),
  });
}

/** Whether copying an object runs a constructor of the source, for itself or for an object in it. */
export const holdsCopied = (s: Sema, type: Type): boolean =>
  s.copiedByFunctions.size > 0 &&
  (type.kind === "array"
    ? holdsCopied(s, type.element)
    : type.kind === "struct" &&
      (s.copiedByFunctions.has(type.name) || s.structs.get(type.name)!.members.some((m) => holdsCopied(s, m.type))));

/** A value that is not used, or is read as it lies: no constructor copies it (C++14 5 (11)). */
export function uncopied(s: Sema, v: Value, span: Span): Value {
  if (!holdsCopied(s, v.type)) return v;
  if (v.place) return exprValue(load(v.place, span));
  return v.lvalue && v.expr ? exprValue(v.expr) : v;
}

/** The copy of an object with a name (C++14 12.8 (15)): what has none is the object itself, which nothing copies (C++17 11.6 (17.6.1)). */
export function copyOf(s: Sema, v: Value, span: Span): Expr | undefined {
  if (refusesCopy(s, v.type, span)) return undefined;
  const methods = methodsOf(s, v.type);
  if (!methods || methods.copying.length === 0) return copyOfParts(s, v, span);
  const functions = [...new Set([...methods.copying, ...methods.constructors])].flatMap(
    (m) => (m.template ? [] : functionOf(s, methods, m, "private")) ?? [],
  );
  const chosen = chooseOverload(s, functions, [v]);
  if (chosen.length === 1) return callFunction(s, chosen[0]!, [v], span)?.expr;
  return error(s, "XL2005", `no constructor of ${shown(s, v.type)} copies one that lies there`, span, {
    notes: methods.copying.map((m) => ({ message: "declared here", span: m.declaration.name.span })),
  });
}

/** The copy that nobody writes is one of each member, in their order, and of each element (C++14 12.8 (15)). */
function copyOfParts(s: Sema, v: Value, span: Span): Expr | undefined {
  const { type, place } = v;
  const elements = type.kind === "array" ? (type.length ?? Infinity) : 0;
  const union = type.kind === "struct" && type.union === true;
  if (!place || !isPure(load(place, span)) || elements > mostMade || union)
    return notYet(s, "copying objects with others in them whose constructor does more than copy is", span, copyEach);
  const places =
    type.kind === "array"
      ? Array.from({ length: elements }, (_, k) => element(place, i32Literal(k, span), span))
      : membersOf(s, type).map((m) => member(place, m.name, m.type, span));
  const parts = places.map((p) =>
    holdsCopied(s, p.type) ? copyOf(s, { ...v, type: p.type, place: p }, span) : load(p, span),
  );
  return parts.every((e) => e !== undefined) ? construct(type, parts, span, true) : undefined;
}

const membersOf = (s: Sema, type: Type): readonly StructMember[] =>
  type.kind === "struct" ? s.structs.get(type.name)!.members : [];

/** Whether it, or an object in it, has a constructor that copies and is deleted (C++14 8.4.3, 12.8 (11)): says so. */
export function refusesCopy(s: Sema, type: Type, span: Span): boolean {
  if (s.copiedByFunctions.size === 0) return false;
  const name = uncopiedIn(s, type);
  if (name === undefined) return false;
  const what =
    type.kind === "struct" && type.name !== name ? ` holds ${shown(s, { kind: "struct", name })}, which` : "";
  error(s, "XL2005", `${shown(s, type)}${what} cannot be copied: its constructor for that is deleted`, span, {
    notes: [{ message: "deleted here", span: s.copiedByFunctions.get(name)! }],
  });
  return true;
}

function uncopiedIn(s: Sema, type: Type): string | undefined {
  if (type.kind === "array") return uncopiedIn(s, type.element);
  if (type.kind !== "struct") return undefined;
  if (s.copiedByFunctions.get(type.name)) return type.name;
  for (const m of s.structs.get(type.name)!.members) {
    const found = uncopiedIn(s, m.type);
    if (found !== undefined) return found;
  }
  return undefined;
}

const copyEach = "copy its members one by one";

const takesNone = (m: Method): boolean => m.declaration.parameters.every((p) => p.declarator.initializer);

/** What a variable without an initialiser is given. */
export function defaultObject(s: Sema, type: Type, span: Span): Expr | undefined {
  if (type.kind === "array") {
    if (type.length === undefined || type.length > mostMade)
      return notYet(s, `an array of more than ${mostMade} objects with a constructor is`, span);
    const all = Array.from({ length: type.length }, () => defaultObject(s, type.element, span));
    return all.every((e) => e !== undefined) ? construct(type, all, span, true) : undefined;
  }
  if (type.kind !== "struct") return undefined;
  const methods = s.methods.get(type.name) ?? noMethods(s, type.name);
  if (methods.constructors.some((m) => takesNone(m))) {
    const chosen = chooseOverload(s, candidates(s, methods, [], false), []);
    const made = chosen.length === 1 ? callFunction(s, chosen[0]!, [], span) : undefined;
    return made?.expr ?? error(s, "XL2005", `several constructors of ${shown(s, type)} fit equally well`, span);
  }
  if (methods.constructors.length > 0 && !methods.plainDefault)
    return error(s, "XL2005", `${shown(s, type)} has no constructor that takes nothing`, span);
  const f = functionOf(s, methods, implicitConstructor(methods, span), "private");
  return f && callFunction(s, f, [], span)?.expr;
}

/** Whether an array has more objects than are written out one by one. */
export const isLong = (type: Type, before = 1): boolean =>
  type.kind === "array" &&
  (type.length === undefined ? false : before * type.length > mostMade || isLong(type.element, before * type.length));

/** The objects of a long array are made one after the other (C++14 12.6 (3)): statements for the array that lies there. */
export function madeInLoop(s: Sema, place: Place, span: Span): Statement[] | undefined {
  const { type } = place;
  if (!isLong(type) || type.kind !== "array") {
    const e = defaultObject(s, type, span);
    return e && [expressionStatement(assign(place, e, span), span)];
  }
  const index = loopIndex(s);
  const at = variablePlace(index, span);
  const statements = madeInLoop(s, element(place, load(at, span), span), span);
  return (
    statements && [
      {
        kind: "for",
        initializer: [declare(index.id, i32Literal(0, span), span)],
        condition: binary("lt", load(at, span), i32Literal(type.length!, span), span),
        step: increment(at, 1, false, span),
        body: { kind: "block", statements, innerComments: [], span, trivia: noTrivia },
        span,
        trivia: noTrivia,
      },
    ]
  );
}

/** Of a struct of data alone, whose members are made by theirs. */
function noMethods(s: Sema, struct: string): Methods {
  const methods: Methods = {
    struct,
    functions: new Map(),
    constructors: [],
    copying: [],
    conversions: [],
    scope: { parent: s.globalScope, symbols: new Map() },
    defaults: new Map(),
    bases: [],
    brought: new Map(),
    named: new Map(),
    plainDefault: false,
  };
  s.methods.set(struct, methods);
  return methods;
}

/** More are not written out one by one. */
export const mostMade = 64;

// ------------------------------------------------------------------ the body of a constructor

/** The statements of a constructor, whose object is `made`; the names of parameters are in scope, those of members around them. */
export function constructorBody(
  s: Sema,
  d: syntax.FunctionDeclaration,
  made: Variable,
  aroundParameters: Scope,
  inherits?: InheritedBase,
): Block {
  const span = d.span;
  const type = made.type as StructType;
  const other = otherConstructor(s, type, d);
  if (other) return delegated(s, d, made, other);
  const methods = s.methods.get(type.name)!;
  const members = s.structs.get(type.name)!.members;
  // Parameters that are inherited stand in another struct.
  const around: Scope = inherits ? { ...aroundParameters, parent: methods.scope } : aroundParameters;
  const given = givenMembers(s, methods, d);
  const own = variablePlace(made, span);
  const statements: Statement[] = [];
  const parts: (Expr | undefined)[] = [];
  const before: Statement[][] = [];
  const loops: (Statement[] | undefined)[] = [];
  for (const [i, m] of members.entries()) {
    const written = given.get(m.name);
    const value = methods.defaults.get(m.name);
    let part: Expr | undefined;
    const bits = fieldsOfWord(s, type, m.name);
    if (inherits?.member === m.name) part = inherits.value;
    else if (bits.length > 0 && bits.every(([name]) => given.has(name))) part = wordGiven(s, m, bits, given);
    else if (written) part = initialized(s, m.type, written.initializer, written.span);
    else if (value) part = inScopeOf(s, around, () => initialized(s, m.type, value, m.span));
    else if (needsMaking(s, m.type) && isLong(m.type))
      loops[i] = madeInLoop(s, member(own, m.name, m.type, span), d.name.span);
    else if (needsMaking(s, m.type)) part = defaultObject(s, m.type, d.name.span);
    parts.push(part);
    before.push(s.fn ? [...s.fn.locals.splice(0)] : []);
  }
  const statementsOfBody = (): Block => block(s, d.body!);
  const all = parts.every((p) => p !== undefined) && !parts.some((p) => p && mentions(p, made));
  if (all && before.every((list) => list.length === 0)) {
    const whole = construct(type, parts, span, true);
    if (d.body!.statements.length === 0) return wrap(s, d, [returnStatement(whole, span)]);
    statements.push(declare(made.id, whole, span));
  } else {
    statements.push(declare(made.id, undefined, span));
    parts.forEach((p, i) => {
      append(statements, before[i]!);
      const at = member(own, members[i]!.name, members[i]!.type, span);
      if (p) statements.push(expressionStatement(assign(at, p, span), span));
      else append(statements, loops[i] ?? givenBits(s, type, members[i]!.name, at, given));
    });
  }
  const body = statementsOfBody();
  const rest = body.statements;
  const ended = rest.at(-1)?.kind === "return";
  return { ...body, statements: [...statements, ...rest, ...(ended ? [] : [returnStatement(load(own, span), span)])] };
}

/** What an inherited constructor makes, by the base's own, and which member that is. */
export interface InheritedBase {
  readonly member: string;
  readonly value: Expr | undefined;
}

/** Its parameters are those of the base's constructor (C++17 15.6.3): nothing is copied on the way. */
export function inheritedBase(
  s: Sema,
  { member: name, base }: NonNullable<LaterBody["inherits"]>,
  parameters: readonly Variable[],
  span: Span,
): InheritedBase | undefined {
  if (name === undefined) return notYet(s, "a constructor of a base without data is", span);
  const ofBase = base();
  const handed = parameters.map((v): Value => {
    const own = variableValue(s, v.id, span);
    if (v.mode !== "ref") return exprValue(load(own.place!, span));
    return s.fn?.rvalues.has(v.id) ? { ...own, xvalue: true } : own;
  });
  return { member: name, value: ofBase && callFunction(s, ofBase, handed, span)?.expr };
}

/** `S(int x) : S(x, 0) {}`: what another constructor makes. */
function otherConstructor(
  s: Sema,
  type: StructType,
  d: syntax.FunctionDeclaration,
): syntax.MemberInitializer | undefined {
  const [only] = d.initializers ?? [];
  if (!only || d.initializers!.length > 1 || only.target.kind !== "identifier") return undefined;
  const named = s.structs.get(type.name)!.members.some((m) => m.name === only.target.name)
    ? undefined
    : typeNamed(s, only.target);
  return named && sameType(named, type) ? only : undefined;
}

function delegated(
  s: Sema,
  d: syntax.FunctionDeclaration,
  made: Variable,
  { initializer, span }: syntax.MemberInitializer,
): Block {
  const whole = initialized(s, made.type, initializer, span);
  const before = s.fn ? [...s.fn.locals.splice(0)] : [];
  const body = block(s, d.body!);
  return {
    ...body,
    statements: [
      ...before,
      declare(made.id, whole, span),
      ...body.statements,
      returnStatement(load(variablePlace(made, span), span), span),
    ],
  };
}

const fieldsOfWord = (s: Sema, type: StructType, word: string): readonly (readonly [string, BitField])[] =>
  [...(s.bitFields.get(type.name) ?? [])].filter(([, f]) => f.word === word);

/** A word all of whose bit-fields are given. */
function wordGiven(
  s: Sema,
  m: StructMember,
  fields: readonly (readonly [string, BitField])[],
  given: ReadonlyMap<string, syntax.MemberInitializer>,
): Expr | undefined {
  const values = fields.flatMap(([name, field]) => {
    const { initializer, span } = given.get(name)!;
    const value = initialized(s, field.type, initializer, span);
    return value ? [[field, value] as const] : [];
  });
  return values.length === fields.length ? wordFrom(s, m.type, values, m.span) : undefined;
}

/** What is said of some of the bit-fields in a word. */
function givenBits(
  s: Sema,
  type: StructType,
  word: string,
  place: Place,
  given: ReadonlyMap<string, syntax.MemberInitializer>,
): Statement[] {
  return fieldsOfWord(s, type, word).flatMap(([name, field]) => {
    const written = given.get(name);
    const value = written && initialized(s, field.type, written.initializer, written.span);
    if (!value) return [];
    const target: Value = { type: field.type, field: { word: { type: place.type, place }, field } };
    const set = fieldAssignment(s, "=", target, exprValue(value), written.span)?.field?.effect;
    const before = s.fn ? s.fn.locals.splice(0) : [];
    return set ? [...before, expressionStatement(set, written.span)] : [];
  });
}

const wrap = (s: Sema, d: syntax.FunctionDeclaration, statements: readonly Statement[]): Block => ({
  kind: "block",
  statements,
  span: d.body!.span,
  trivia: noTrivia,
  innerComments: s.trivia.inner(d.body!),
});

function initialized(s: Sema, type: Type, init: syntax.Initializer, span: Span): Expr | undefined {
  if (init.form === "paren" && init.values.length === 0) return valueObject(s, type, span);
  return readInitializer(s, type, init, span)?.value;
}

export function mentions(e: Expr, v: Variable): boolean {
  let found = false;
  walkExpr(e, {
    place: (p) => {
      if (p.kind === "variable" && p.variable === v.id) found = true;
    },
  });
  return found;
}

/** What a constructor says of members and bases, by the member that each lies in. */
function givenMembers(s: Sema, methods: Methods, d: syntax.FunctionDeclaration): Map<string, syntax.MemberInitializer> {
  const out = new Map<string, syntax.MemberInitializer>();
  const members = s.structs.get(methods.struct)!.members;
  for (const { init, inPlace } of (d.initializers ?? []).flatMap((x) => initializersOf(s, x))) {
    const { target } = init;
    const isMember =
      target.kind === "identifier" &&
      (s.bitFields.get(methods.struct)?.has(target.name) ||
        members.some((m) => m.name === target.name && !isBaseMember(methods, m.name)));
    let name = isMember ? target.name : undefined;
    if (name === undefined) {
      const type = inPlace(() =>
        target.kind === "identifier" ? typeNamed(s, target) : resolveSpecifier(s, target)?.type,
      );
      const base = methods.bases.find((b) => type && sameType(b.type, type));
      if (!base) error(s, "XL2012", `the struct has no member '${target.name}'`, init.span);
      else if (base.member === undefined && valuesOf(init) > 0 && !isPlainCopy(s, base.type, init))
        notYet(s, "a constructor of a base without data is", init.span);
      name = base?.member;
    }
    if (name === undefined) continue;
    if (out.has(name)) error(s, "XL2002", `member '${name}' is initialised twice`, init.span);
    out.set(name, init);
  }
  return out;
}

interface GivenMember {
  readonly init: syntax.MemberInitializer;
  /** Reads what it is of where packs stand for their elements. */
  readonly inPlace: <T>(read: () => T) => T;
}

/** An initialiser, or as many as the packs in it have elements: `F(f)...`. */
function initializersOf(s: Sema, init: syntax.MemberInitializer): GivenMember[] {
  if (!init.pack) return [{ init, inPlace: (read) => read() }];
  const { target, initializer, span } = init;
  const values: readonly syntax.Expression[] = initializer.form === "paren" ? initializer.values : [initializer.value];
  const named: syntax.Identifier = target.kind === "identifier" ? target : { ...target, kind: "identifier" };
  const pattern: syntax.Call = { kind: "call", callee: named, arguments: values, span };
  const inside = (v: syntax.Expression, index: number): syntax.Expression =>
    v.kind === "pack-expansion" || v.kind === "initializer-list"
      ? v
      : { kind: "pack-element", pattern: v, index, span: v.span };
  return Array.from({ length: packLength(s, pattern, span) ?? 0 }, (_, index) => ({
    init: {
      ...init,
      initializer:
        initializer.form === "paren"
          ? { form: "paren", values: values.map((v) => inside(v, index)) }
          : initializer.form === "brace"
            ? {
                form: "brace",
                value: {
                  ...initializer.value,
                  elements: initializer.value.elements.map((e) => ({ ...e, value: inside(e.value, index) })),
                },
              }
            : initializer,
    },
    inPlace: (read) => inElement(s, pattern, index, read),
  }));
}

/** A base without data is given another object of its type: nothing is done. */
function isPlainCopy(s: Sema, type: StructType, { initializer, span }: syntax.MemberInitializer): boolean {
  if (hasConstructors(s, type) || holdsCopied(s, type)) return false;
  const value = attempt(s, () => initialized(s, type, initializer, span));
  return value !== undefined && isPure(value);
}

const isBaseMember = (methods: Methods, name: string): boolean => methods.bases.some((b) => b.member === name);

const valuesOf = ({ initializer: i }: syntax.MemberInitializer): number =>
  i.form === "paren" ? i.values.length : i.form === "brace" ? i.value.elements.length : 1;

// ------------------------------------------------------------------ conversions

/** The object as what it inherits from, or itself; undefined where it is neither. */
export function upcast(s: Sema, v: Value, type: Type, span: Span): Value | undefined {
  if (sameType(v.type, type)) return v;
  if (type.kind !== "struct") return undefined;
  for (const b of methodsOf(s, v.type)?.bases ?? []) {
    const base = baseObject(s, v, b, span);
    const found = base && upcast(s, base, type, span);
    if (found) return found;
  }
  return undefined;
}

/** What is done on the way to an object of which nothing is read. */
export function onTheWayTo(s: Sema, v: Value, span: Span): readonly Expr[] | undefined {
  if (v.place ? placeIsPure(v.place) : !v.expr || isPure(v.expr)) return [];
  const e = read(s, uncopied(s, v, span), span);
  return e && [e];
}

/** The part of an object that is a base. */
export function baseObject(s: Sema, v: Value, b: Methods["bases"][number], span: Span): Value | undefined {
  const whole = v.derived ?? v;
  const derived = isMadeFor(s, b.type, whole.type) ? { derived: whole } : {};
  if (b.member === undefined) {
    const [e, first] = [zeroOf(s, b.type, span), onTheWayTo(s, v, span)];
    return e && first && { ...exprValue(after(first, e, span)), ...derived };
  }
  if (v.place)
    return {
      type: b.type,
      place: member(v.place, b.member, b.type, span),
      ...(v.readOnly ? { readOnly: v.readOnly } : {}),
      ...derived,
    };
  const e = read(s, v, span);
  const { lvalue, readOnly } = v;
  const { member: name, type } = b;
  return (
    e && {
      ...exprValue(memberValue(e, name, type, span)),
      ...(readOnly ? { readOnly } : {}),
      ...(lvalue ? { lvalue: { ...lvalue, place: () => member(lvalue.place(), name, type, span) } } : {}),
      ...derived,
    }
  );
}

/** Whether a base is one for what inherits it: `struct X : Base<X>`. Its functions may then see the whole object. */
const isMadeFor = (s: Sema, base: StructType, type: Type): boolean =>
  flat(s.templates.structs.get(base.name)?.arguments ?? []).some(
    (a) => a.kind === "type" && sameType(a.info.type, type),
  );

/** `static_cast<thread const X&>(*this)` and `static_cast<thread const X*>(this)` in a base that is made for X; "none" for other casts. */
export function downcast(s: Sema, v: Value, to: DeclaredType, span: Span): Value | undefined | "none" {
  const [from, target] = [v.type, to.type].map((t) => (t.kind === "pointer" ? t.pointee : t));
  const isPointer = to.type.kind === "pointer";
  if (from?.kind !== "struct" || target?.kind !== "struct" || isPointer !== (v.type.kind === "pointer")) return "none";
  if ((!isPointer && !to.reference) || sameType(from, target) || !inherits(s, target, from)) return "none";
  const whole = v.derived && upcast(s, v.derived, target, span);
  if (!whole)
    return notYet(
      s,
      `a cast of ${shown(s, from)} to ${shown(s, target)}, which inherits it, where not all of the object is known, is`,
      span,
    );
  return isPointer ? addressOfValue(s, whole, span) : whole;
}

/**
 * A reference to a base that is made for what inherits it (`run(thread Base<D>& b)`) may be cast to that: the function is read once more for
 * objects of the type, which it is given whole.
 */
export function forWholeObjects(
  s: Sema,
  f: FunctionInfo,
  given: readonly Value[],
  span: Span,
): { readonly f: FunctionInfo; readonly given: readonly Value[] } {
  const later = s.templates.structs.size > 0 ? laterOf(f) : undefined;
  const receivers = later?.method === undefined ? 0 : 1;
  const wholes = given.map((v, i): Value | undefined => {
    const p = f.parameters[i];
    const isBase = i >= receivers && p?.mode === "ref" && !p.rvalue && !p.part && p.type.kind === "struct";
    const whole = isBase && later && !v.listed ? upcast(s, v, p.type, span)?.derived : undefined;
    return whole?.place && placeSpace(s, whole.place) === p!.space ? whole : undefined;
  });
  if (!later || wholes.every((v) => v === undefined)) return { f, given };
  const names = wholes.map((v) => (v?.type.kind === "struct" ? v.type.name : ""));
  const own = (): ReadAgain => ({
    name: !f.copies?.size ? f.name : `${f.name}_${[...new Set(names)].filter((x) => x !== "").join("_")}`,
    parameters: f.parameters.map((p, i) =>
      wholes[i] ? { ...p, type: wholes[i].type, part: p.type as StructType } : p,
    ),
    returnType: f.returnType,
    ...(f.inSpaces === undefined ? {} : { inSpaces: f.inSpaces }),
  });
  const made = readOnceMore(s, f, later, `whole ${names.join()}`, own);
  return { f: made, given: given.map((v, i) => wholes[i] ?? v) };
}

/** What a parameter means that refers to a base of the object it is given. */
export const partOfObject = (s: Sema, v: Variable, part: StructType): Symbol => ({
  kind: "value",
  make: (span) => upcast(s, variableValue(s, v.id, span), part, span) ?? variableValue(s, v.id, span),
  span: v.span,
});

/** A cast to a reference to the type of an object, or to what it inherits from, is the object (C++14 5.2.9 (4), 8.5.3); "none": another cast. */
export function referenceCast(s: Sema, v: Value, to: DeclaredType, span: Span): Value | undefined | "none" {
  if (!to.reference) return "none";
  const isComponent = v.place !== undefined && partOf(v.place) === "component";
  // To const it may be to a copy: of a value, a bit-field, a component of a vector.
  if (to.constant && (!isLvalue(v) || v.field || isComponent)) return "none";
  if (isSame(v.type, to.type)) return asReference(s, v, to, span);
  const base = v.type.kind === "struct" && isLvalue(v) ? upcast(s, v, to.type, span) : undefined;
  return base ? asReference(s, base, to, span) : "none";
}

/** A conversion that the source declares, by a constructor or from the struct: one, where there is one. */
export function userConversion(s: Sema, v: Value, type: Type): ((span: Span) => Value | undefined) | undefined {
  const { templates } = s;
  // One at a time (C++14 12.3).
  if (templates.converting || sameType(v.type, type)) return undefined;
  const toBase = pointerToBase(s, v, type);
  if (toBase) return toBase;
  if (v.type.kind !== "struct" && type.kind !== "struct") return undefined;
  const up = type.kind === "struct" && inherits(s, v.type, type);
  if (up) return (span) => upcast(s, v, type, span);
  templates.converting = true;
  try {
    const to = methodsOf(s, type);
    const made = to ? chooseOverload(s, candidates(s, to, [v], true), [v]) : [];
    const from = v.type.kind === "struct" ? conversionsTo(s, v, type, false) : [];
    if (made.length + from.length !== 1) return undefined;
    const [f] = made;
    return f ? (span) => callFunction(s, f, [v], span) : (span) => converted(s, v, from[0]!, span);
  } finally {
    templates.converting = false;
  }
}

/** A pointer to an object is one to what that inherits from, where it is in the same memory (C++14 4.10 (3)). */
function pointerToBase(s: Sema, v: Value, type: Type): ((span: Span) => Value | undefined) | undefined {
  const { type: from } = v;
  if (from.kind !== "pointer" || type.kind !== "pointer" || from.space !== type.space) return undefined;
  if ((from.readOnly === true && type.readOnly !== true) || type.pointee.kind !== "struct") return undefined;
  if (!inherits(s, from.pointee, type.pointee)) return undefined;
  return (span) => {
    const e = read(s, v, span);
    if (!e) return undefined;
    if (e.kind === "null-pointer") return exprValue(nullPointer(type, span));
    const { first, values } = mayBeNull(s, e) ? held(s, [e], span) : { first: [], values: [e] };
    const object = dereferenced(s, exprValue(values[0]!), span);
    const part = object && upcast(s, object, type.pointee, span);
    if (part && !part.place)
      return notYet(s, "a pointer to a base without data is", span, "hand over the object by reference");
    const made = part && addressOfValue(s, part, span);
    if (!made?.expr || !mayBeNull(s, e)) return made;
    const nothing = nullPointer(made.type, span);
    const isThere = binary("ne", values[0]!, nullPointer(from, span), span);
    return exprValue(after(first, conditional(isThere, made.expr, nothing, span), span));
  };
}

/** Whether a pointer may lead nowhere, which one to a base does then, too (C++14 4.10 (3)): the address of an object does not, nor where nothing is null. */
function mayBeNull(s: Sema, e: Expr): boolean {
  if (e.kind === "address-of" || e.kind === "pointer-offset") return false;
  const said = s.nulls.size > 0 || ["nullptr", "NULL"].some((word) => s.templates.words.has(word));
  // It may be written as 0, or come of a list that leaves it out, which the end of the reading says.
  s.takenForObjects ||= !said;
  return said;
}

/** Two pointers to objects of which one inherits from the other, as pointers to what it inherits (C++14 5 (13)); "none" for others. */
export function asPointersToBase(
  s: Sema,
  a: Value,
  b: Value,
  span: Span,
): readonly [Value, Value] | undefined | "none" {
  const [x, y] = [a.type, b.type];
  if (x.kind !== "pointer" || y.kind !== "pointer" || x.space !== y.space || sameType(x, y)) return "none";
  const readOnly = (x.readOnly ?? y.readOnly) ? { readOnly: true as const } : {};
  const to = (v: Value, base: PointerType): Value | undefined =>
    pointerToBase(s, v, { kind: "pointer", pointee: base.pointee, space: base.space, ...readOnly })?.(span);
  const first = to(a, y);
  if (first) return [first, b];
  const second = to(b, x);
  return second ? [a, second] : "none";
}

/** Whether objects, or pointers to them, become those of a base. */
export function becomesBase(s: Sema, from: Type, to: Type): boolean {
  if (from.kind === "pointer" && to.kind === "pointer") return inherits(s, from.pointee, to.pointee);
  return inherits(s, from, to);
}

function inherits(s: Sema, type: Type, from: Type): boolean {
  return (methodsOf(s, type)?.bases ?? []).some((b) => sameType(b.type, from) || inherits(s, b.type, from));
}

/** The best of the functions that make a type of an object; those that are explicit make the type itself only (C++14 13.3.1.5, 13.3.3.2 (4)). */
function conversionsTo(s: Sema, v: Value, type: Type, explicit: boolean): readonly FunctionInfo[] {
  const { enumeration } = enumerationOf(type) ?? {};
  const isOne = (t: Type): boolean => sameType(t, type) && enumerationOf(t)?.enumeration === enumeration;
  const same = conversionFunctions(s, v, explicit, type).filter((f) => isOne(f.returnType));
  if (same.length > 0) return same.length > 1 ? mostSpecial(s, same) : same;
  const others = conversionFunctions(s, v, false, type).flatMap((f) => {
    const rank = implicitConversion(s.form, f.returnType, type, "argument");
    return rank === undefined ? [] : [{ f, rank: Math.floor(rank) }];
  });
  const least = Math.min(...others.map(({ rank }) => rank));
  return others.filter(({ rank }) => rank === least).map(({ f }) => f);
}

/** Of two types, neither an object's, which suits better that an object has one function to convert to (C++14 13.3.3.2 (3.3)): below 0 the first. */
export function betterConverted(s: Sema, v: Value, a: Type, b: Type): number {
  if (v.type.kind !== "struct" || a.kind === "struct" || b.kind === "struct") return 0;
  const [only, ...others] = conversionFunctions(s, v, false);
  if (!only || others.length > 0) return 0;
  const rank = (to: Type): number => implicitConversion(s.form, only.returnType, to, "argument") ?? 0;
  return rank(a) - rank(b);
}

function converted(s: Sema, v: Value, f: FunctionInfo, span: Span): Value | undefined {
  const object = placed(s, v, span);
  const made = object && callFunction(s, f, [object.value], span);
  return made && withFirst(made, object.first, span);
}

/** `T(object)`, which may be a conversion that is called explicit. */
export function explicitConversion(s: Sema, v: Value, type: Type, span: Span): Value | undefined | "none" {
  if (v.type.kind !== "struct") return "none";
  const found = conversionsTo(s, v, type, true);
  return found.length === 1 ? converted(s, v, found[0]!, span) : "none";
}

/** The number that a struct or an enumeration becomes where an operator of the language needs one; the value itself where there is none. */
export function asNumber(s: Sema, v: Value, span: Span): Value {
  const enumeration = s.language.enumerations === "promoted" ? enumerationOf(v.type) : undefined;
  if (enumeration && !enumeration.scoped) {
    const e = read(s, v, span);
    return e ? exprValue(asNamed(e, scalar(scalarOf(e.type)!))) : v;
  }
  if (v.type.kind !== "struct") return v;
  const found = conversionFunctions(s, v, false).filter(
    (f) => f.returnType.kind === "scalar" || f.returnType.kind === "vector",
  );
  return found.length === 1 ? (converted(s, v, found[0]!, span) ?? v) : v;
}

/** What an operator of the language takes of a struct: a condition is asked for a bool, also by what is called explicit (C++14 4 (3)). */
export function asOperand(s: Sema, operator: string, v: Value, span: Span): Value {
  const asked =
    operator === "!" || operator === "&&" || operator === "||" ? explicitConversion(s, v, bool, span) : "none";
  return asked === "none" ? asNumber(s, v, span) : (asked ?? v);
}

/** The object that a constructor makes, where it ends early. */
export function madeObject({ made }: FunctionState, span: Span): Expr | undefined {
  return made && load(variablePlace(made, span), span);
}
