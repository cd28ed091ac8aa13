/** Members of structs by name: what every struct is asked about, with methods or without. */
import type { StructMember } from "../ast/nodes.js";
import type * as syntax from "../ast/syntax.js";
import { noSpan, type Span } from "../support/span.js";
import { layoutOf } from "../types/layout.js";
import { voidType, type StructType, type Type } from "../types/types.js";
import { notYet, type Scope, type Sema, type Symbol, type Value } from "./context.js";
import { inScopeOf, lookup, lookupIn } from "./scopes.js";
import { staticAssert, typedef, using } from "./declarations.js";
import { derive, resolveSpecifier, sortQualifiers } from "./declared-types.js";
import { symbolValue } from "./expressions.js";
import { undeclared } from "./undeclared.js";
import { objectUnevaluated, variableValue } from "./variable-value.js";
import { fileVariables } from "./file-variables.js";
import { declareTemplate } from "./templates/declare.js";
import { memberOfPath } from "./namespaces.js";
import { limitsOfSource, traitMember } from "./templates/traits.js";
import { attempt } from "./templates/state.js";
import { boundOf } from "./templates/struct-templates.js";
import { keyOfAll } from "./templates/template.js";
import { valueOutside } from "./static-members.js";
import { inLibrary } from "./type-names.js";

/** What a struct inherits from: a member without a name of the source, or nothing where the base has no data. */
export interface Base {
  readonly type: StructType;
  readonly member: string | undefined;
  /** It names parameters of the templates around: its names are no names of the struct's own text (C++14 14.6.2 (3)). */
  readonly dependent: boolean;
}

/** The members that are data, and the others. */
export function partsOf(members: readonly syntax.Declaration[]): {
  readonly data: readonly syntax.Declaration[];
  readonly others: readonly syntax.Declaration[];
} {
  const isData = (d: syntax.Declaration): boolean =>
    d.kind === "empty-declaration" ||
    (d.kind === "variable" && !isTypeOnly(d) && !d.qualifiers.some((q) => q.name === "static"));
  return { data: members.filter(isData), others: members.filter((d) => !isData(d)) };
}

/**
 * Static members that are of the struct's own type come when it is complete. Their values stand behind it: within, it is not
 * (C++14 9.4.2).
 */
export function constantsOfItself(
  others: readonly syntax.Declaration[],
  label: string | undefined,
): { readonly early: readonly syntax.Declaration[]; readonly late: readonly syntax.Declaration[] } {
  const isLate = (d: syntax.Declaration): boolean =>
    d.kind === "variable" &&
    label !== undefined &&
    d.specifier?.kind === "named-type" &&
    d.specifier.name === label &&
    d.specifier.path.length === 0 &&
    d.declarators.every((x) => x.initializer === undefined && !x.derivations.some((f) => f.kind !== "array"));
  return { early: others.filter((d) => !isLate(d)), late: others.filter(isLate) };
}

/**
 * Reads what names members of the struct that is being declared, for their type alone: `decltype(m) n;`, `sizeof(m)` (C++14 5 p13). What is
 * declared behind the name is none of it yet (3.3.7).
 */
export function amongMembers<T>(
  s: Sema,
  data: readonly syntax.Declaration[],
  bases: readonly Base[],
  read: () => T,
): T {
  const { scope } = s;
  const declared = new Map<string, () => { readonly type: Type | undefined; readonly span: Span }>();
  for (const { type } of bases)
    for (const m of s.structs.get(type.name)?.members ?? [])
      declared.set(m.name, () => ({ type: m.type, span: { start: -1, end: -1 } }));
  for (const d of data) {
    if (d.kind !== "variable" || d.specifier?.kind === "struct-specifier" || d.specifier?.kind === "enum-specifier")
      continue;
    for (const x of d.declarators)
      if (x.name)
        declared.set(x.name.name, () => {
          const base = d.specifier && resolveSpecifier(s, d.specifier);
          const made = base && derive(s, base, sortQualifiers(s, d.qualifiers), x.derivations, x.span, "member");
          return { type: made?.type, span: x.span };
        });
  }
  if (declared.size === 0) return read();
  const around = (name: string, at: Span): Value => {
    const found = inScopeOf(s, scope.parent!, () => lookup(s, name));
    return (found && symbolValue(s, found, name, at)) ?? undeclared(s, "name", name, at) ?? { type: voidType };
  };
  const make = (name: string, at: Span): Value => {
    const { type, span } = inScopeOf(s, scope, declared.get(name)!);
    if (span.start > at.start) return around(name, at);
    return type ? variableValue(s, objectUnevaluated(s, type).id, at) : { type: voidType };
  };
  scope.parts = {
    has: (name) => declared.has(name),
    symbol: (name) => ({ kind: "value", make: (at) => make(name, at), span: noSpan, ofObject: true }),
  };
  const made = read();
  delete scope.parts;
  return made;
}

/** Whether a type names a parameter of a template, as it is written. */
export function namesParameter(s: Sema, part: unknown): boolean {
  if (typeof part !== "object" || part === null) return false;
  const { kind, name, path } = part as {
    readonly kind?: unknown;
    readonly name?: unknown;
    readonly path?: readonly string[];
  };
  const first = kind === "named-type" || kind === "identifier" ? (path?.[0] ?? name) : undefined;
  if (typeof first === "string" && isParameter(s, first)) return true;
  return Object.values(part).some((x) => namesParameter(s, x));
}

function isParameter(s: Sema, name: string): boolean {
  for (let scope: Scope | undefined = s.scope; scope; scope = scope.parent)
    if (lookupIn(scope, name)) return scope.ofTemplate === true;
  return false;
}

/** The names of the bases, around those of the struct. */
export function inherited(s: Sema, bases: readonly Base[]): Scope {
  if (bases.length === 0) return s.scope;
  const scope: Scope = { parent: s.scope, symbols: new Map() };
  for (const b of bases) if (!b.dependent) addMembers(s, b, scope.symbols);
  return scope;
}

/** What a base and its bases declare: nothing of what those stand in, be it the parameters of their templates. */
function addMembers(s: Sema, { type }: Base, symbols: Map<string, Symbol>): void {
  const methods = s.methods.get(type.name);
  for (const [name, symbol] of methods?.scope.symbols ?? []) if (!symbols.has(name)) symbols.set(name, symbol);
  for (const b of methods?.bases ?? []) addMembers(s, b, symbols);
}

/** Declares what a struct has besides data and functions. `label`: its name in the source. */
export function typesAndConstants(
  s: Sema,
  struct: string,
  label: string | undefined,
  others: readonly syntax.Declaration[],
): void {
  for (const d of others) {
    if (d.kind === "typedef")
      asUsed(
        s,
        d.specifier,
        d.declarators.flatMap((x) => x.name ?? []),
        () => typedef(s, d),
      );
    else if (d.kind === "using" && d.alias) asUsed(s, d.alias.type.specifier, [d.alias.name], () => using(s, d));
    else if (d.kind === "static-assert") staticAssert(s, d);
    else if (d.kind === "variable" && isTypeOnly(d)) fileVariables(s, d);
    else if (d.kind === "variable") staticMember(s, struct, label, d);
    else if (d.kind === "template" && !d.explicit && d.declaration.kind !== "function") declareTemplate(s, d);
  }
}

/**
 * The name of an instance of the library's templates makes none (C++14 14.7.1): what is wrong with it, `vec<T, 1>`, is wrong where
 * the names that are declared for it are used.
 */
function asUsed(s: Sema, of: syntax.TypeSpecifier, names: readonly syntax.Identifier[], declares: () => void): void {
  const before = s.problems.list.length;
  declares();
  if (of.kind !== "named-type" || !of.templateArguments || inLibrary(s, of.path).length > 0 || lookup(s, of.name))
    return;
  const problems = s.problems.list.slice(before);
  if (!problems.some((p) => p.severity === "error")) return;
  s.problems.truncate(before);
  for (const { name, span } of names) s.scope.symbols.set(name, { kind: "error", span, problems });
}

/** A variable of the file, named after the struct. */
function staticMember(s: Sema, struct: string, label: string | undefined, d: syntax.VariableDeclaration): void {
  if (d.declarators.length > 1) {
    for (const x of d.declarators) staticMember(s, struct, label, { ...d, declarators: [x] });
    return;
  }
  const [x] = d.declarators;
  const declared = x?.name;
  if (!declared) return void notYet(s, "such a member is", d.span);
  const name = `${struct}_${declared.name}`;
  const outside = valueOutside(s, struct, label, declared, x.initializer !== undefined, (list) => {
    const own = s.templates.structs.get(struct);
    const bound = own && attempt(s, () => boundOf(s, own.template, list, declared.span));
    return bound !== undefined && keyOfAll(bound.arguments) === keyOfAll(own!.arguments);
  });
  fileVariables(s, outside ? { ...d, declarators: [{ ...x, initializer: outside }] } : d, name);
  const symbol = s.scope.symbols.get(name);
  if (!symbol) return;
  s.scope.symbols.delete(name);
  s.scope.symbols.set(declared.name, symbol);
}

/** `enum E { ... };` and `struct Inner { ... };` in a struct. */
const isTypeOnly = (d: syntax.VariableDeclaration): boolean =>
  d.declarators.length === 0 &&
  (d.specifier?.kind === "enum-specifier" ||
    (d.specifier?.kind === "struct-specifier" && d.specifier.name !== undefined));

/** What `S::name` is: a static member, a function or a type of a struct, or of a namespace. */
export function memberOfType(s: Sema, e: syntax.Identifier | syntax.NamedType): Symbol | undefined {
  const named = limitsOfSource(s, e);
  const trait = traitMember(s, named);
  return trait === "none" ? memberOfPath(s, named) : trait;
}

/** Whether the struct itself has data of this name, bit-fields and what is in structs without a name among it. */
function declaresData(s: Sema, struct: string, name: string): boolean {
  const isBase = s.methods.get(struct)?.bases.some((b) => b.member === name) === true;
  return (
    s.bitFields.get(struct)?.has(name) === true ||
    (s.structs.get(struct)?.members ?? []).some((m) =>
      m.anonymous ? m.type.kind === "struct" && declaresData(s, m.type.name, name) : m.name === name && !isBase,
    )
  );
}

/** A member of a struct that is no data: its own, or what it inherits and has no data of that name. While it is read, those so far. */
export function memberNamed(s: Sema, struct: string, name: string): Symbol | undefined {
  const methods = s.methods.get(struct) ?? s.openStructs.get(struct);
  const own = methods?.scope.symbols.get(name);
  if (own || !methods || declaresData(s, struct, name)) return own;
  for (const b of methods.bases) {
    const found = memberNamed(s, b.type.name, name);
    if (found) return found;
  }
  return undefined;
}

/** Of a struct that leaves a function of an interface open there are no objects either. */
export function implementsAll(s: Sema, struct: string, bases: readonly Base[], span: Span): void {
  for (const { type } of bases.filter((b) => s.interfaces.has(b.type.name)))
    for (const name of s.methods.get(type.name)?.functions.keys() ?? [])
      if (!isDefined(s, struct, name))
        notYet(s, `a struct that leaves '${name}' of the interface '${type.name}' open is`, span);
}

const isDefined = (s: Sema, struct: string, name: string): boolean =>
  !s.interfaces.has(struct) &&
  (s.methods.get(struct)?.functions.has(name) === true ||
    (s.methods.get(struct)?.bases ?? []).some((b) => isDefined(s, b.type.name, name)));

/** Whether the last member ends before the struct does. */
export function endsWithPadding(s: Sema, type: StructType): boolean {
  let end = 0;
  for (const m of s.structs.get(type.name)!.members) {
    const { size, align } = layoutOf(m.type, "natural", s.structs);
    end = Math.ceil(end / (m.align ?? align)) * (m.align ?? align) + size;
  }
  return end !== layoutOf(type, "natural", s.structs).size;
}

/**
 * Whether a struct is plain data by C++03 and by C++11: what inherits it then puts nothing into its padding, whichever of the two the
 * platform goes by (Itanium C++ ABI 2.2, 2.4; clang for x86-64 and for arm64 of Apple).
 */
export function isPlainData(s: Sema, t: syntax.StructSpecifier, members: readonly StructMember[]): boolean {
  const isPlain = (d: syntax.Declaration): boolean => {
    switch (d.kind) {
      case "variable":
        return d.declarators.every((x) => !x.initializer) || d.qualifiers.some((q) => q.name === "static");
      case "function":
        return d.special !== "constructor" && d.name.name !== "operator=";
      case "template":
        return isPlain(d.declaration);
      // `private:`
      case "empty-declaration":
        return false;
      default:
        return true;
    }
  };
  const holdsPlain = (type: Type): boolean =>
    type.kind === "array" ? holdsPlain(type.element) : type.kind !== "struct" || s.plainData.has(type.name);
  return !t.bases && t.members.every(isPlain) && members.every((m) => holdsPlain(m.type));
}

/** Whether nothing is known yet of a type, which is being declared, or of what it is an array of. */
export const isIncomplete = (s: Sema, type: Type): boolean =>
  type.kind === "array"
    ? isIncomplete(s, type.element)
    : type.kind === "struct" && !s.structs.has(type.name) && s.openStructs.has(type.name);
