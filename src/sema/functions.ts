/** Functions: signatures, overloads, bodies, entry points. */
import { wordSet } from "../dialects/words.js";
import { refuseJumpsOver } from "./jumped-over.js";
import { append } from "../support/append.js";
import { hasReturn, mayEnd } from "../ast/ends.js";
import type { Block, Expr, FunctionDeclaration, ParameterMode, Statement, Trivia, Variable } from "../ast/nodes.js";
import { variablePlace } from "../ast/builders.js";
import { rewriteStatement, walkStatement } from "../ast/walk.js";
import type * as syntax from "../ast/syntax.js";
import { NumberedNames } from "../support/numbered-names.js";
import { isSingle, identityOf, isOfCounters, isSameName, sameType, type Type } from "../types/types.js";
import { isOpenPointer, openAs } from "./generic-pointers.js";
import {
  absentHere,
  carryTrivia,
  error,
  newVariable,
  leaveOut,
  notYet,
  takeTrivia,
  type FunctionInfo,
  type FunctionState,
  type ParameterInfo,
  type Scope,
  type Sema,
  type Symbol,
  shown,
  type Value,
} from "./context.js";
import { declareName, hidesStruct, inScope, inScopeOf } from "./scopes.js";
import { withoutCalls } from "./constants.js";
import { harmless } from "./alignments.js";
import { hostName, isAllowed, isForeign, plainName } from "./attributes.js";
import type { Span } from "../support/span.js";
import {
  derive,
  isOpenArray,
  parameterDerivations,
  resolveSpecifier,
  sortQualifiers,
  type DeclaredType,
  asSeen,
  deducedType,
} from "./declared-types.js";
import { entryAttributes, entryParameters, type EntryAttributes } from "./entries.js";
import { block } from "./statements.js";
import { nameInNamespace } from "./namespaces.js";
import { constructorBody, inheritedBase, partOfObject } from "./constructors.js";
import { bindCaptures, closureSymbol, capturesAsRead, type TakenClosure } from "./lambdas.js";
import { isBufferArray } from "./buffer-array-parameters.js";
import { type Closure, closureOf } from "./closures.js";
import { isOperatorName, operatorFunctionName } from "./method-names.js";
import { bindObject } from "./methods.js";
import { isIncomplete } from "./struct-members.js";
import { define } from "./templates/define.js";
import { showInstance } from "./templates/names.js";
import { eachElement } from "./templates/packs.js";
import { elsewhere, instancesSoFar } from "./templates/state.js";
import { idOfAttribute } from "../ops/ids.js";
import type { Arguments, FunctionTemplate } from "./templates/template.js";

export function isKernel(s: Pick<Sema, "reading">, d: syntax.FunctionDeclaration): boolean {
  const { words, name, returnsNothing } = s.reading.entryPoint;
  if (returnsNothing && !(d.returnType.kind === "named-type" && d.returnType.name === "void")) return false;
  return (
    d.name.name === name ||
    d.qualifiers.some((q) => words.has(q.name)) ||
    [...d.attributes, ...d.trailingAttributes].some((a) => words.has(plainName(a)))
  );
}

/** Vertex, fragment and other stages beside the kernels of a file: said to be left out. */
function isOfOtherStage(s: Sema, d: syntax.FunctionDeclaration): boolean {
  const stage = [...d.qualifiers, ...d.attributes].find((x) => s.reading.entryPoint.otherStages?.has(x.name));
  if (!stage) return false;
  carryTrivia(s, d);
  s.problems.warning(
    "XL2010",
    `the ${stage.name} function '${d.name.name}' is left out: only kernels are translated`,
    d.name.span,
  );
  return true;
}

/** Qualifiers of functions that change nothing we keep. */
/** How a matrix is stored says nothing of one that is handed over. */
const orientations = ["row_major", "column_major"];
const functionWords = new Set(["kernel", "__kernel", "export", "__attribute__", ...orientations]);

export function functionDeclaration(s: Sema, d: syntax.FunctionDeclaration): void {
  if (isOfOtherStage(s, d)) return;
  if (d.name.templateArguments)
    return void error(s, "XL2005", `there is no template '${d.name.name}' that this is an instance of`, d.name.span);
  const poison = (): void => {
    if (!s.scope.symbols.has(d.name.name)) s.scope.symbols.set(d.name.name, { kind: "error", span: d.name.span });
  };
  if (isKernel(s, d)) {
    const returned = returnTypeOf(s, d);
    if (!returned) return poison();
    const marks = [...d.attributes, ...d.trailingAttributes];
    if (d.variadic) return void error(s, "XL2010", "an entry point has as many parameters as it names", d.name.span);
    if (d.body) return entryPoint(s, d, returned.type, hostName(marks) ?? d.name.name, marks, d);
    return carryTrivia(s, d);
  }
  const signature = declaredSignature(s, d);
  if (!signature) return poison();
  const info = declareFunction(s, d, signature);
  if (!info) return;
  const ofArrays = signature.parameters.some((p) => p.buffers);
  const generic = ofArrays || (infersSpaces(s) && signature.parameters.some((p) => p.openSpace));
  if (!d.body) {
    if (generic) info.generic ??= { declaration: d, scope: s.scope };
    return carryTrivia(s, d);
  }
  const unread = s.options.part?.unread.get(d);
  if (unread) info.unread = unread;
  else if (ofArrays) info.defined = true;
  else helper(s, d, info);
  if (!generic) return;
  info.generic = { declaration: d, scope: s.scope };
  // Those that were called before.
  for (const f of info.copies?.values() ?? []) {
    f.later = { ...f.later!, declaration: d, outer: d };
    define(s, f, d.name.span);
  }
}

const infersSpaces = (s: Sema): boolean => s.reading.declarations.pointerSpaces !== "written";

/** A pointer or reference that names no address space. */
const returnsOpen = (s: Sema, d: syntax.FunctionDeclaration): boolean =>
  infersSpaces(s) &&
  d.returnDerivations.length === 1 &&
  sortQualifiers(s, d.qualifiers, preciseFor(d)).space === undefined;

/** The kernel that a template and its arguments, bound in `scope`, make. */
export function kernelInstance(
  s: Sema,
  template: FunctionTemplate,
  list: Arguments,
  scope: Scope,
  name: string,
  attributes: readonly syntax.Attribute[],
  d: syntax.TemplateDeclaration,
): void {
  const { declaration } = template;
  if (!declaration.body) return void error(s, "XL2001", `the kernel '${template.name}' is never defined`, d.span);
  const own = [...declaration.attributes, ...declaration.trailingAttributes, ...attributes];
  elsewhere(s, scope, template.span.start, { shown: showInstance(s, template.name, list), span: d.span }, () => {
    const returned = returnTypeOf(s, declaration);
    if (returned) entryPoint(s, declaration, returned.type, name, own, d);
  });
}

/** What a function takes and returns. */
export type Signature = Pick<
  FunctionInfo,
  | "parameters"
  | "returnType"
  | "returnsReference"
  | "returnsConst"
  | "returnsOpen"
  | "returnsRvalue"
  | "deduces"
  | "constexpr"
  | "variadic"
>;

export function declaredSignature(s: Sema, d: syntax.FunctionDeclaration): Signature | undefined {
  const named = d.returnsLater ? parameterList(s, d) : [];
  const returned = named && namingParameters(s, named, () => returnTypeOf(s, d));
  if (!returned) return undefined;
  for (const a of [...d.attributes, ...d.trailingAttributes]) {
    // Semantics say something about entry points only.
    if (a.form === "semantic") continue;
    if (s.reading.entryPoint.returnsNothing && s.reading.entryPoint.attributes.has(plainName(a))) continue;
    if (
      /^(gnu::|clang::)?(always_inline|noinline|overloadable|unused|maybe_unused|nodiscard|deprecated|flatten|pure|const|convergent)$/.test(
        plainName(a),
      )
    )
      continue;
    if (isForeign(s, a) || isAllowed(s, a)) continue;
    notYet(s, `attribute '${a.name}' of a function is`, a.span, leaveOut);
  }
  const parameters = parameterList(s, d);
  const deduces = deduction(s, d);
  return (
    parameters && {
      parameters,
      returnType:
        returned.reference || !isOpenPointer(returned.type)
          ? returned.type
          : openAs(s, returned.type, `${signatureOf(d, parameters)} result`),
      ...(returned.reference ? { returnsReference: true } : {}),
      ...(returned.rvalue ? { returnsRvalue: true } : {}),
      ...(returned.constant ? { returnsConst: true } : {}),
      ...(returnsOpen(s, d) ? { returnsOpen: true } : {}),
      ...(deduces ? { deduces } : {}),
      ...(d.variadic ? { variadic: true } : {}),
      ...(sortQualifiers(s, d.qualifiers, preciseFor(d)).constexpr ? { constexpr: true } : {}),
    }
  );
}

/** What is read where the parameters have names, but no values. */
function namingParameters<T>(s: Sema, parameters: readonly ParameterInfo[], read: () => T): T {
  if (parameters.length === 0) return read();
  const symbols = new Map<string, Symbol>();
  const packs = new Map<string, Symbol[]>();
  const made: Variable[] = [];
  const add = ({ name, type, mode, constant, space, span }: ParameterInfo): Variable => {
    const v = newVariable(s, {
      name,
      type,
      role: "parameter",
      space: mode === "ref" ? space : "private",
      constant,
      span,
    });
    made.push(v);
    return v;
  };
  const name = ({ name, pack }: ParameterInfo, symbol: Symbol): void => {
    symbols.set(name, symbol);
    if (pack !== undefined) packs.set(pack, [...(packs.get(pack) ?? []), symbol]);
  };
  for (const p of parameters) {
    const { type, span } = p;
    const closure = closureOf(s, type);
    if (closure) {
      name(p, closureSymbol(p, s, closure.captures.map(add)));
      continue;
    }
    const v = add(p);
    const readOnly = p.constant ? { readOnly: `'${p.name}' is const` } : {};
    const make = (at: Span): Value => ({ type, place: variablePlace(v, at), ...readOnly });
    const rvalue = p.rvalue ? { rvalue: true as const } : {};
    const reference = p.mode === "ref" ? { reference: { space: p.space, ...rvalue } } : {};
    name(p, { kind: "value", make, ...reference, span });
  }
  for (const [pack, elements] of packs) symbols.set(pack, { kind: "pack", elements, span: elements[0]!.span });
  const result = inScopeOf(s, { parent: s.scope, symbols }, read);
  for (const v of made) s.variables.delete(v.id);
  return result;
}

/** Its definition may leave out the word. */
const preciseFor = (d: syntax.FunctionDeclaration): Span | "for the text" => (d.body ? d.span : "for the text");

/** Whether what a function returns says its type (C++14 7.1.6.4), and which. */
function deduction(s: Sema, d: syntax.FunctionDeclaration): FunctionInfo["deduces"] {
  const way = s.reading.declarations.references ? deducedType(s, d.returnType) : undefined;
  const [only, ...more] = d.returnDerivations;
  if (!only || !way) return way;
  if (way === "declared" || more.length > 0 || only.kind !== "reference") return undefined;
  const constant = d.qualifiers.some((q) => q.name === "const");
  if (only.rvalue) return constant ? undefined : "forwarding reference";
  return constant ? "const reference" : "reference";
}

function returnTypeOf(
  s: Sema,
  d: syntax.FunctionDeclaration,
): { readonly type: Type; readonly reference: boolean; readonly rvalue?: true; readonly constant?: true } | undefined {
  // `constexpr` in front of a function is not of what it returns.
  const said = sortQualifiers(s, d.qualifiers, preciseFor(d));
  const q = { ...said, constant: d.qualifiers.some((x) => x.name === "const") };
  for (const [word, at] of q.words) if (!functionWords.has(word)) notYet(s, `'${word}' of a function is`, at.span);
  if (deduction(s, d)) return { type: { kind: "void" }, reference: false };
  const base = resolveSpecifier(s, d.returnType);
  const points = d.returnDerivations.length > 0;
  const returned =
    base && asSeen(derive(s, base, points ? q : { ...q, constant: false }, d.returnDerivations, d.name.span, true));
  if (!returned) return undefined;
  if (returned.type.kind === "pointer" && returned.openSpace && s.reading.declarations.pointerSpaces === "written")
    return error(s, "XL2009", "a pointer needs an address space", d.name.span);
  const constant = q.constant && !points && returned.type.kind === "struct";
  if (!returned.reference) return { type: returned.type, reference: false, ...(constant ? { constant } : {}) };
  const { rvalue } = returned;
  if (returned.space === undefined && !rvalue && !infersSpaces(s))
    return error(s, "XL2009", "a reference needs an address space", d.name.span);
  if (returned.type.kind === "array" || returned.type.kind === "pointer")
    return notYet(s, "returning a reference of this kind is", d.name.span);
  const type: Type = {
    kind: "pointer",
    pointee: returned.type,
    space: returned.space ?? "private",
    ...(returned.constant ? { readOnly: true } : {}),
  };
  return { type, reference: true, ...(rvalue ? { rvalue } : {}) };
}

function parameterList(s: Sema, d: syntax.FunctionDeclaration): ParameterInfo[] | undefined {
  const out: ParameterInfo[] = [];
  let fine = true;
  for (const p of d.parameters) {
    const { name, pack } = p.declarator;
    const whole = namingParameters(s, namedBy(p, out), () => eachElement(s, [p], (x) => parameter(s, d, x)));
    for (const [i, made] of whole.entries()) {
      if (made === "void") continue;
      if (!made) fine = false;
      else out.push(pack && name ? { ...made, name: `${name.name}_${i}`, pack: name.name } : made);
    }
  }
  if (!fine || !out.some((p) => isOpenPointer(p.type))) return fine ? out : undefined;
  const signature = signatureOf(d, out);
  return out.map((p, i) => ({ ...p, type: openAs(s, p.type, `${signature} ${i}`) }));
}

/** Those before it that the type of a parameter names: `decltype(a) b` (C++14 3.3.2). */
function namedBy(p: syntax.Parameter, before: readonly ParameterInfo[]): readonly ParameterInfo[] {
  if (before.length === 0) return before;
  const names = new Set<string>();
  const derivations = p.declarator.derivations.filter((x) => x.kind === "array");
  for (const part of [p.specifier, ...derivations])
    if (part.kind !== "named-type" || part.templateArguments) addNames(part, names);
  return names.size === 0 ? [] : before.filter((x) => names.has(x.name) || (x.pack !== undefined && names.has(x.pack)));
}

function addNames(part: unknown, names: Set<string>): void {
  if (typeof part !== "object" || part === null) return;
  const { kind, name } = part as { readonly kind?: unknown; readonly name?: unknown };
  if (kind === "identifier" && typeof name === "string") names.add(name);
  for (const x of Object.values(part)) addNames(x, names);
}

/** What a function and its prototype have in common. */
const signatureOf = (d: syntax.FunctionDeclaration, parameters: readonly ParameterInfo[]): string =>
  `${d.name.name}(${parameters.map((p) => identityOf(p.type)).join()})`;

const ofKernelParameter = (s: Sema, attribute: string): boolean =>
  idOfAttribute(attribute) !== undefined || s.reading.entryPoint.parameterAttributes?.has(attribute) === true;

/** A parameter of a type that is a name for an array is a pointer as well (C99 6.7.5.3 (7)). */
function withDecayed(t: DeclaredType): DeclaredType {
  if (t.type.kind !== "array" || t.reference) return t;
  const { space = "private", ...rest } = t;
  const readOnly = t.constant ? { readOnly: true } : {};
  return { ...rest, type: { kind: "pointer", pointee: t.type.element, space, ...readOnly }, constant: false };
}

function parameter(s: Sema, d: syntax.FunctionDeclaration, p: syntax.Parameter): ParameterInfo | undefined | "void" {
  const q = sortQualifiers(s, p.qualifiers, preciseFor(d));
  const base = resolveSpecifier(s, p.specifier);
  if (!base) return undefined;
  if (base.type.kind === "void" && p.declarator.derivations.length === 0 && !p.declarator.name) return "void";
  const decays = s.language.arrays === "decay";
  const { derivations, decayed } = parameterDerivations(s, p.declarator);
  // `float v[2]` without an address space is the caller's own array.
  const declared = asSeen(derive(s, base, q, derivations, p.span, decayed || isBuffer(base.type)));
  if (!declared) return undefined;
  const t = decays ? withDecayed(declared) : declared;
  for (const a of [...p.attributes, ...p.declarator.attributes])
    // Some say something about the parameters of kernels only.
    if (a.form !== "semantic" && !ofKernelParameter(s, a.name) && !harmless(s, a))
      return notYet(s, `attribute '${a.name}' of a parameter is`, a.span, leaveOut);
  if (t.type.kind === "void") return error(s, "XL2013", "a parameter cannot be void", p.span);
  const buffers = isBufferArray(s, t.type);
  if (isOpenArray(t.type) && !buffers) return error(s, "XL2020", "an array parameter needs a size", p.span);
  let mode: ParameterMode = t.reference ? "ref" : "value";
  const isReference = t.type.kind === "pointer" && t.type.block !== undefined;
  for (const [word, at] of q.words) {
    if ((word === "in" || word === "out" || word === "inout") && !decays) {
      if (word === "out" || word === "inout") mode = q.words.has("in") && word === "out" ? "inout" : word;
    } else if (word !== "uniform" && !orientations.includes(word) && !(isReference && ofMemory.has(word)))
      return notYet(s, `'${word}' of a parameter is`, at.span);
  }
  const shared = !t.reference && t.space === "workgroup" && s.reading.declarations.sharedParameters && mode === "value";
  // Counters are objects of the file, which nothing copies.
  const counted = isOfCounters(t.type);
  if (counted && mode !== "value") return error(s, "XL2009", "a parameter of counters is not written", p.span);
  if (shared || counted) mode = "ref";
  if (!t.reference && !shared && t.space !== undefined && t.type.kind !== "pointer" && t.space !== "private") {
    return error(s, "XL2009", `a parameter by value cannot be in ${t.space} memory`, p.span);
  }
  const value = p.declarator.initializer;
  if (value && !s.reading.declarations.defaultArguments)
    return absentHere(s, "default arguments", p.span, "say the argument where the function is called");
  const given = value?.form === "assign" ? value.value : value?.form === "brace" ? value.value : undefined;
  if (value && !given) return notYet(s, "such a default argument is", p.span);
  return {
    name: p.declarator.name?.name ?? "",
    type: t.type,
    mode,
    space: counted ? "global" : t.reference || shared ? (t.space ?? "private") : "private",
    constant: t.constant || (t.reference && t.space === "constant"),
    volatile: t.volatile,
    restrict: t.restrict,
    span: p.declarator.name?.span ?? p.span,
    ...(t.rvalue ? { rvalue: true } : {}),
    ...(given ? { default: given } : {}),
    ...(isOpen(s, t) ? { openSpace: true } : {}),
    ...(buffers ? { buffers: "open" } : {}),
    ...(isReference && q.words.has("readonly") ? { keepsReadOnly: true } : {}),
  };
}

/** What a reference that is handed over may keep of the memory it lies in; it says nothing of what it leads to. */
const ofMemory = wordSet("readonly writeonly");

const isBuffer = (type: Type): boolean => type.kind === "pointer" && type.object !== undefined;

function isOpen(s: Sema, { type, reference, space }: DeclaredType): boolean {
  if (reference) return infersSpaces(s) && space === undefined && type.kind !== "pointer";
  return type.kind === "pointer" && isOpenPointer(type);
}

export const sameSignature = (a: readonly ParameterInfo[], b: readonly ParameterInfo[]): boolean =>
  a.length === b.length &&
  a.every((p, i) => {
    const o = b[i]!;
    const readOnly = (t: Type): boolean => t.kind === "pointer" && t.readOnly === true;
    return (
      sameType(p.type, o.type) &&
      isSameName(p.type, o.type) &&
      readOnly(p.type) === readOnly(o.type) &&
      (p.mode === "ref") === (o.mode === "ref") &&
      (p.mode !== "ref" || (p.space === o.space && p.constant === o.constant && p.rvalue === o.rvalue))
    );
  });

const functionsNamed = (span: Span): Symbol & { kind: "functions" } => ({
  kind: "functions",
  overloads: [],
  templates: [],
  span,
});

/** The function with this signature: a new one, or the one a prototype announced. */
function declareFunction(s: Sema, d: syntax.FunctionDeclaration, signature: Signature): FunctionInfo | undefined {
  const { parameters, returnType } = signature;
  const symbol = s.scope.symbols.get(d.name.name);
  const named = functionsNamed(d.name.span);
  const another = symbol && symbol.kind !== "functions" && symbol.kind !== "error";
  if (another && !hidesStruct(s, s.scope, d.name.name, named)) {
    return error(s, "XL2002", `'${d.name.name}' is declared twice in this scope`, d.name.span, {
      notes: [{ message: "first declared here", span: symbol.span }],
    });
  }
  const { overloads } = symbol?.kind === "functions" ? symbol : named;
  const before = overloads.find(
    (f) => !f.kernel && sameSignature(f.parameters, parameters) && f.variadic === signature.variadic,
  );
  if (before) {
    if (!sameType(before.returnType, returnType)) {
      return error(s, "XL2002", `'${d.name.name}' was declared to return ${shown(s, before.returnType)}`, d.name.span, {
        notes: [{ message: "declared here", span: before.span }],
      });
    }
    if (before.parameters.some((p, i) => isSingle(p.type) !== isSingle(parameters[i]!.type)))
      return notYet(
        s,
        `'${d.name.name}' of a number beside one of a vector of one component, between which DXC finds every call ambiguous, is`,
        d.name.span,
        "give one of the two another name",
      );
    if (before.defined && d.body) {
      return error(s, "XL2002", `'${d.name.name}' is defined twice`, d.name.span, {
        notes: [{ message: "first defined here", span: before.span }],
      });
    }
    return before;
  }
  if (
    !s.reading.declarations.overloads &&
    overloads.length > 0 &&
    !d.attributes.concat(d.trailingAttributes).some((a) => plainName(a) === "overloadable")
  ) {
    return error(s, "XL2002", `'${d.name.name}' is declared with other parameters before`, d.name.span, {
      notes: [{ message: "declared here", span: overloads[0]!.span }],
    });
  }
  const info: FunctionInfo = {
    id: s.functions.length,
    name: isOperatorName(d.name.name)
      ? operatorFunctionName(s, d.name.name, signature.parameters)
      : nameInNamespace(s, d.name.name),
    ...signature,
    span: d.name.span,
    defined: false,
    calls: new Map(),
  };
  s.functions.push(info);
  overloads.push(info);
  if (symbol?.kind !== "functions") s.scope.symbols.set(d.name.name, named);
  return info;
}

function newState(info: FunctionInfo, entry: boolean, d: syntax.FunctionDeclaration): FunctionState {
  return {
    info,
    ...(d.body ? { body: d.body } : {}),
    entry,
    calls: new Map(),
    materialize: new Set(),
    madeAtOnce: new Set(),
    builtinNames: new Map(),
    builtinTypes: new Map(),
    loops: 0,
    loopNames: new Set(),
    livedOn: new Set(),
    locals: [],
    leading: new Set(),
    switches: [],
    rvalues: new Set(),
    closures: [],
  };
}

/** What a parameter of a helper is in its body. */
export const parameterVariable = (s: Sema, p: ParameterInfo, at: number): Variable =>
  newVariable(s, {
    name: p.name || `unused${at}`,
    type: p.type,
    space: p.mode === "ref" ? p.space : "private",
    role: "parameter",
    constant: p.constant,
    mode: p.mode,
    span: p.span,
    ...(p.volatile ? { volatile: true } : {}),
    ...(p.restrict ? { restrict: true } : {}),
  });

/** Reads the body of a function. `outer`: the declaration that `d` stands in, whose comments come first. */
export function helper(s: Sema, d: syntax.FunctionDeclaration, info: FunctionInfo, outer: object = d): void {
  info.defined = true;
  // What is only declared may take and return what is not complete yet (C++14 8.3.5 (9)).
  const whole = [info.returnType, ...info.parameters.flatMap((p) => (p.mode === "ref" ? [] : p.type))];
  if (whole.some((type) => isIncomplete(s, type)))
    error(s, "XL2013", "a type that the function takes or returns is not complete here", d.name.span);
  const trivia = helperTrivia(s, d, outer);
  const state = newState(info, false, d);
  s.fn = state;
  const parameters: Variable[] = [];
  const add = (p: ParameterInfo, i: number): Variable => {
    const v = parameterVariable(s, p, i);
    if (p.rvalue) state.rvalues.add(v.id);
    parameters.push(v);
    return v;
  };
  const closure = info.later?.closure;
  const taken: TakenClosure[] = [];
  /** The parameters that stand for a lambda: what it has captured. */
  const addCaptures = (of: Closure, at: number): readonly Variable[] => {
    taken.push({ at, closure: of, variables: of.captures.map(add) });
    return taken.at(-1)!.variables;
  };
  const body = inScope(s, () => {
    if (closure) bindCaptures(s, closure, addCaptures(closure, 0));
    if (info.later?.method !== undefined) bindObject(s, add(info.parameters[0]!, 0), info.later.method);
    const made = info.later?.constructs === undefined ? undefined : objectMade(s, info);
    if (made) {
      state.made = made;
      s.madeObjects.add(made.id);
      bindObject(s, made);
    }
    const around = s.scope;
    return inScope(s, () => {
      // Names of the definition, which may differ from a prototype's.
      const named = parameterList(s, d) ?? info.parameters;
      const before = info.parameters.length - named.length;
      const own = info.inSpaces ? named.map((p, i) => inSpacesAs(p, info.parameters[i + before]!)) : named;
      const packs = new Map(d.parameters.flatMap((p) => packName(p)).map((name) => [name, [] as Symbol[]]));
      for (const [i, p] of own.entries()) {
        const given = closureOf(s, p.type);
        const array = info.parameters[i + before]?.buffers;
        const { part, type } = info.parameters[i + before] ?? p;
        const symbol: Symbol = part
          ? partOfObject(s, add({ ...p, type }, i), part)
          : array && array !== "open"
            ? array
            : given
              ? closureSymbol(p, s, addCaptures(given, i + before))
              : { kind: "variable", variable: add(p, i).id, span: p.span };
        if (p.pack !== undefined) packs.get(p.pack)?.push(symbol);
        else if (p.name) declareName(s, p.name, symbol);
      }
      for (const [name, elements] of packs) declareName(s, name, { kind: "pack", elements, span: d.name.span });
      const inherits = info.later?.inherits && inheritedBase(s, info.later.inherits, parameters, d.name.span);
      const body = made ? constructorBody(s, d, made, around, inherits) : block(s, d.body!);
      refuseJumpsOver(s, state, d.body!);
      return body;
    });
  });
  s.fn = undefined;
  checkLoopNames(s, state);
  for (const [id, span] of state.calls) info.calls.set(id, span);
  checkReturns(s, info, body, d);
  if (taken.length > 0) info.captures = capturesAsRead(s, taken, parameters, body);
  info.declaration = declarationOf(info, parameters, body, false, d, trivia);
  s.order.push({ kind: "function", function: info.id });
}

const inSpacesAs = (p: ParameterInfo, { type, space }: ParameterInfo): ParameterInfo => ({ ...p, type, space });

const packName = ({ declarator }: syntax.Parameter): string[] =>
  declarator.pack && declarator.name ? [declarator.name.name] : [];

/** The object of a constructor, a local that it returns. */
const objectMade = (s: Sema, info: FunctionInfo): Variable =>
  newVariable(s, {
    name: "self",
    type: info.returnType,
    space: "private",
    role: "local",
    constant: false,
    span: info.span,
  });

/** The comments of a function, of the declaration it stands in and of its parameters. */
function helperTrivia(s: Sema, d: syntax.FunctionDeclaration, outer: object): Trivia {
  const trivia = functionTrivia(s, d, outer);
  const ofParameters = d.parameters.map((p) => s.trivia.of(p)).flatMap((t) => [...t.leading, ...t.trailing]);
  return ofParameters.length === 0 ? trivia : { ...trivia, leading: [...trivia.leading, ...ofParameters] };
}

/** The comments of a function and of the declaration it stands in. */
function functionTrivia(s: Sema, d: syntax.FunctionDeclaration, outer: object): Trivia {
  const whole = takeTrivia(s, outer);
  if (outer === d) return whole;
  const own = s.trivia.of(d);
  return {
    ...whole,
    leading: [...whole.leading, ...own.leading],
    trailing: [...own.trailing, ...whole.trailing],
  };
}

function declarationOf(
  info: FunctionInfo,
  parameters: readonly Variable[],
  body: Block,
  entry: boolean,
  d: syntax.FunctionDeclaration,
  trivia: Trivia,
): FunctionDeclaration {
  return {
    id: info.id,
    name: info.name,
    parameters: parameters.map((v) => v.id),
    returnType: info.returnType,
    ...(info.returnsReference ? { returnsReference: true } : {}),
    body,
    isEntry: entry,
    span: d.span,
    nameSpan: d.name.span,
    trivia,
  };
}

/** What a statement list could not declare before its loop: a loop that stands directly in a `switch`. */
function checkLoopNames(s: Sema, { livedOn }: FunctionState): void {
  for (const id of livedOn) {
    const { name, span } = s.variables.get(id)!;
    notYet(s, `naming '${name}' behind a loop that stands in a switch is`, span);
  }
}

/** Of a function whose end can be reached without its value: a warning, or an error where that is never given and the language has no such thing. */
function checkReturns(s: Sema, info: FunctionInfo, body: Block, d: syntax.FunctionDeclaration): void {
  if (info.returnType.kind === "void" || s.problems.hasErrors || !mayEnd(body)) return;
  const { span } = d.name;
  const returns = hasReturn(body);
  if (!returns && !s.reading.declarations.unreturnedValues)
    return void error(s, "XL2018", `'${info.name}' returns no value`, span);
  s.problems.warning("XL2018", `'${info.name}' ${returns ? "may end without returning a" : "returns no"} value`, span);
}

/**
 * An entry is read again when a parameter that was taken for a constant value turns out to be written: it then becomes a
 * local variable. Everything the first reading added is taken back.
 */
function entryPoint(
  s: Sema,
  d: syntax.FunctionDeclaration,
  returnType: Type,
  name: string,
  marks: readonly syntax.Attribute[],
  outer: object,
): void {
  if (returnType.kind !== "void")
    return void error(s, "XL2010", `an entry point returns nothing, this returns ${shown(s, returnType)}`, d.name.span);
  const before = s.globalScope.symbols.get(name);
  // The host may know an instance by the name of its template, which is one function fewer in the source.
  const ofTemplate =
    before?.kind === "functions" &&
    before.templates.some((t) => t.declaration === d) &&
    !before.overloads.some((f) => f.kernel !== undefined);
  const overloaded =
    s.reading.declarations.overloads && before?.kind === "functions" && before.overloads.every((f) => !f.kernel);
  const named = functionsNamed(d.name.span);
  if (before && !ofTemplate && !overloaded && !hidesStruct(s, s.globalScope, name, named)) {
    return void error(s, "XL2002", `'${name}' is declared twice in this scope`, d.name.span, {
      notes: [{ message: "first declared here", span: before.span }],
    });
  }
  const attributes = entryAttributes(s, marks);
  const info: FunctionInfo = {
    id: s.functions.length,
    name,
    parameters: [],
    returnType,
    span: d.name.span,
    defined: true,
    calls: new Map(),
    kernel: d,
  };
  s.functions.push(info);
  (ofTemplate || overloaded ? before : named).overloads.push(info);
  if (!ofTemplate && !overloaded) s.globalScope.symbols.set(name, named);
  let materialize = new Set<string>();
  const restore = checkpoint(s);
  for (;;) {
    const state: FunctionState = { ...newState(info, true, d), materialize: new Set(materialize) };
    const made = readEntry(s, d, state, attributes, outer);
    if (state.materialize.size === materialize.size) {
      if (made) s.order.push({ kind: "function", function: info.id });
      return;
    }
    materialize = new Set(state.materialize);
    restore();
    info.calls.clear();
  }
}

function readEntry(
  s: Sema,
  d: syntax.FunctionDeclaration,
  state: FunctionState,
  attributes: EntryAttributes,
  outer: object,
): boolean {
  const { info } = state;
  const trivia = functionTrivia(s, d, outer);
  s.fn = state;
  const made = inScope(s, () => {
    const parameters = entryParameters(s, state, d.parameters);
    const declares: readonly Statement[] = parameters?.declares ?? [];
    const body = block(s, d.body!, undefined, declares);
    refuseJumpsOver(s, state, d.body!);
    return parameters && { parameters, body };
  });
  s.fn = undefined;
  checkLoopNames(s, state);
  for (const [id, span] of state.calls) info.calls.set(id, span);
  if (!made) return false;
  const leading = [...trivia.leading, ...made.parameters.comments];
  info.declaration = declarationOf(info, [], made.body, true, d, { ...trivia, leading });
  s.entries.push({
    function: info.id,
    name: info.name,
    resources: made.parameters.resources,
    builtinNames: state.builtinNames,
    builtinTypes: state.builtinTypes,
    ...attributes,
  });
  return true;
}

/** Remembers what reading a function adds; the result takes it back. */
function checkpoint(s: Sema): () => void {
  const problems = s.problems.list.length;
  const resources = s.resources.length;
  const entries = s.entries.length;
  const order = s.order.length;
  const enums = s.enums.length;
  const functions = s.functions.length;
  const withoutLaterInstances = instancesSoFar(s);
  const structs = s.structs.size;
  const { nextVariable, nextGroup } = s;
  const comments = [...s.pendingComments];
  return () => {
    s.problems.truncate(problems);
    s.resources.length = resources;
    s.entries.length = entries;
    s.order.length = order;
    s.enums.length = enums;
    withoutLaterInstances();
    s.functions.length = functions;
    [...s.structs.keys()].slice(structs).forEach((name) => s.structs.delete(name));
    s.structNumbers = new NumberedNames();
    for (const id of s.variables.keys()) {
      if (id >= nextVariable) {
        s.variables.delete(id);
        s.constants.delete(id);
      }
    }
    s.nextVariable = nextVariable;
    s.nextGroup = nextGroup;
    s.pendingComments.splice(0, s.pendingComments.length, ...comments);
  };
}

/** Calls within calls: no compiler for GPUs takes more, and passes walk along them. */
const deepestCalls = 512;

/** `constexpr` functions that call themselves, by way of others perhaps: what they give to constants is computed here, and nothing of them is left. */
function leaveOutConstantRecursion(s: Sema): void {
  const reached = (f: FunctionInfo, of: (f: FunctionInfo) => Iterable<number>): Set<number> => {
    const found = new Set<number>();
    const visit = (id: number): void => {
      if (found.has(id)) return;
      found.add(id);
      for (const next of of(s.functions[id]!)) visit(next);
    };
    for (const id of of(f)) visit(id);
    return found;
  };
  const recursive = new Set(
    s.functions.filter((f) => f.constexpr && reached(f, (x) => x.calls.keys()).has(f.id)).map((f) => f.id),
  );
  if (recursive.size === 0) return;
  const called = (f: FunctionInfo): number[] => {
    const found: number[] = [];
    const expr = (e: Expr): void => {
      if (e.kind === "call") found.push(e.function);
    };
    if (f.declaration) walkStatement(f.declaration.body, { expr });
    return found;
  };
  const outside = s.functions.filter((f) => !recursive.has(f.id));
  for (const f of outside) {
    const { declaration } = f;
    if (!declaration || !called(f).some((id) => recursive.has(id))) continue;
    const expr = (e: Expr): Expr => (e.kind === "call" && recursive.has(e.function) ? withoutCalls(s, e) : e);
    f.declaration = { ...declaration, body: rewriteStatement(declaration.body, { expr }) as Block };
  }
  // What others of the file call is theirs, and what they call in turn.
  const kept = new Set(outside.flatMap((f) => called(f)).flatMap((id) => [id, ...reached(s.functions[id]!, called)]));
  const left = new Set([...recursive].filter((id) => !kept.has(id)));
  for (const id of left) {
    delete s.functions[id]!.declaration;
    for (const other of s.functions) other.calls.delete(id);
    s.functions[id]!.calls.clear();
  }
  const order = s.order.filter((x) => x.kind !== "function" || !left.has(x.function));
  s.order.length = 0;
  append(s.order, order);
}

/** The first cycle of calls, if there is one, and calls nested too deeply. */
export function refuseRecursion(s: Sema): void {
  leaveOutConstantRecursion(s);
  const state = new Map<number, "open" | "done">();
  const heights = new Map<number, number>();
  let tooDeep = false;
  const visit = (f: FunctionInfo, depth: number): void => {
    state.set(f.id, "open");
    let height = 0;
    for (const [id, span] of f.calls) {
      const callee = s.functions[id]!;
      if (!tooDeep && (depth >= deepestCalls || (heights.get(id) ?? 0) >= deepestCalls)) {
        tooDeep = true;
        error(s, "XL1006", `calls are nested deeper than ${deepestCalls}`, span);
      }
      if (tooDeep) return;
      if (state.get(id) === "open") {
        error(
          s,
          "XL2008",
          `'${callee.name}' ${id === f.id ? "calls itself" : `is called again by '${f.name}', which it calls`}`,
          span,
          {
            notes: [{ message: "kernels have no recursion; the function is declared here", span: callee.span }],
          },
        );
      } else if (!state.has(id)) visit(callee, depth + 1);
      height = Math.max(height, (heights.get(id) ?? 0) + 1);
    }
    heights.set(f.id, height);
    state.set(f.id, "done");
  };
  for (const f of s.functions) if (!state.has(f.id)) visit(f, 0);
}

export function refuseUndefined(s: Sema): void {
  const called = new Map<number, FunctionInfo>();
  for (const f of s.functions) for (const id of f.calls.keys()) called.set(id, f);
  for (const id of called.keys()) {
    const f = s.functions[id]!;
    if (!f.defined && !f.unread)
      error(
        s,
        "XL2001",
        `function '${f.inSpaces ? f.later!.declaration.name.name : f.name}' is called and never defined`,
        f.span,
      );
  }
}
