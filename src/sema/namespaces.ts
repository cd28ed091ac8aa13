/** Namespaces of the source: scopes with a name, which may be opened again, and whose names `using` brings to others. */
import { sequenceNames } from "../dialects/traits.js";
import type * as syntax from "../ast/syntax.js";
import type { Span } from "../support/span.js";
import { enumerationOf } from "../types/types.js";
import { carryTrivia, error, notYet, type Scope, type Sema, type Symbol, type Value } from "./context.js";
import { declareName, inScopeOf, lookup, lookupIn } from "./scopes.js";
import { freeName } from "./templates/names.js";
import { memberNamed } from "./struct-members.js";
import { namedInfo, resolveTypeName, typeNamed } from "./declared-types.js";
import { templateType } from "./templates/struct-templates.js";

/** Reads what stands in a namespace; one without a name is open to what is around it (C++14 7.3.1.1). */
export function namespaceDeclaration(
  s: Sema,
  d: syntax.NamespaceDeclaration,
  read: (inner: syntax.Declaration) => void,
): void {
  // `} // namespace lib` and `} // lib` say which braces end there, and there are none.
  const name = d.name && [...d.name.path, d.name.name].join("::");
  const named = /^\/[/*]+\s*(end\s+(of\s+)?)?(anonymous\s+|unnamed\s+)?namespace\b/i;
  const label = (text: string): string => text.replace(/^\/[/*]+\s*(end\s+(of\s+)?)?|\s*(\*\/)?\s*$/gi, "");
  carryTrivia(s, d, (c) => !named.test(c.text) && (name === undefined || label(c.text) !== name));
  if (d.qualifier && (d.qualifier.name !== "inline" || !s.reading.declarations.namespaceForms))
    return void error(s, "XL2011", `a namespace cannot be '${d.qualifier.name}'`, d.qualifier.span);
  const scope = d.name ? opened(s, [...d.name.path, d.name.name], d) : s.scope;
  if (d.qualifier && scope) scope.inline = true;
  if (d.qualifier && scope?.parent) inScopeOf(s, scope.parent, () => use(s, scope, d.span));
  if (scope)
    inScopeOf(s, scope, () => {
      for (const inner of d.declarations) read(inner);
    });
}

function opened(s: Sema, names: readonly string[], d: syntax.NamespaceDeclaration): Scope | undefined {
  let scope = s.scope;
  for (const name of names) {
    const before = scope.symbols.get(name);
    if (before?.kind === "namespace") {
      scope = before.scope;
      continue;
    }
    const namespace = scope.namespace === undefined ? name : `${scope.namespace}_${name}`;
    const made: Scope = { parent: scope, symbols: new Map(), namespace };
    const symbol: Symbol = { kind: "namespace", scope: made, span: d.name!.span };
    if (!inScopeOf(s, scope, () => declareName(s, name, symbol))) return undefined;
    scope = made;
    if (s.libraryInScope && namespace === s.reading.namespace) useLibrary(s);
  }
  return scope;
}

/** `using namespace metal;`: also what the source adds to that namespace, before or after. */
export function useLibrary(s: Sema): void {
  s.libraryInScope = true;
  const own = s.globalScope.symbols.get(s.reading.namespace!);
  if (own?.kind !== "namespace") return;
  const used = (s.globalScope.used ??= []);
  if (!used.includes(own.scope)) used.push(own.scope);
}

/** Whether a name says that it is the library's. */
export const isOfLibrary = (s: Sema, { path: [first] }: syntax.Identifier): boolean =>
  first !== undefined && first === s.reading.namespace;

/** The name of a function: where it lies in a namespace, that comes before. */
export const nameInNamespace = (s: Sema, name: string): string =>
  s.scope.namespace === undefined ? name : freeName(s, `${s.scope.namespace}_${name}`);

/** Each name is looked for in all of them. */
const mostUsed = 1024;

function use(s: Sema, namespace: Scope, span: Span): void {
  const used = (s.scope.used ??= []);
  if (used.includes(namespace)) return;
  if (used.length >= mostUsed) notYet(s, `more than ${mostUsed} namespaces used in one scope are`, span);
  else used.push(namespace);
}

function namespaceNamed(s: Sema, given: syntax.Identifier): (Symbol & { kind: "namespace" }) | undefined {
  const { name, path, span } = given;
  const symbol = path.length === 0 ? lookup(s, name) : memberOfPath(s, given);
  if (symbol?.kind === "namespace") return symbol;
  if (symbol?.kind === "error") return undefined;
  return error(s, "XL2001", `namespace '${[...path, name].join("::")}' is not declared`, span);
}

/** `namespace a = b::c;` */
export function otherNamespaceName(s: Sema, d: syntax.UsingDeclaration): void {
  const [name, of] = [d.otherName!, d.namespace!];
  // DXC expects the name's declarations.
  if (!s.reading.declarations.namespaceForms)
    return void error(s, "XL2011", `${s.dialect} has no other names of namespaces`, d.span);
  const whole = [...of.path, of.name];
  if (whole[0] === s.reading.namespace)
    return void notYet(s, `another name for ${whole.join("::")} is`, d.span, "write the namespace's own name");
  const symbol = namespaceNamed(s, of);
  // The same may be said twice (C++14 7.3.2 (3)).
  const before = s.scope.symbols.get(name.name);
  if (before?.kind === "namespace" && before.scope === symbol?.scope) return;
  declareName(s, name.name, symbol ? { ...symbol, span: name.span } : { kind: "error", span: name.span });
}

/** `using namespace a;` and `using a::f;` */
export function usingNames(s: Sema, d: syntax.UsingDeclaration): void {
  if (d.namespace) {
    const symbol = namespaceNamed(s, d.namespace);
    if (symbol) use(s, symbol.scope, d.namespace.span);
    return;
  }
  for (const { name, pack } of d.names ?? []) {
    if (isOfLibrary(s, name)) continue;
    const symbol = pack ? undefined : memberOfPath(s, name);
    if (!symbol) notYet(s, "such a using declaration is", d.span);
    else useName(s, name.name, symbol);
  }
}

function useName(s: Sema, name: string, symbol: Symbol): void {
  const before = s.scope.symbols.get(name);
  if (before === symbol) return;
  const both = before && merged(before, symbol);
  if (both) s.scope.symbols.set(name, both);
  else declareName(s, name, symbol);
}

/** Functions of one name from two places. */
export function merged(a: Symbol, b: Symbol): Symbol | undefined {
  if (a.kind !== "functions" || b.kind !== "functions") return undefined;
  return {
    ...a,
    overloads: [...new Set([...a.overloads, ...b.overloads])],
    templates: [...new Set([...a.templates, ...b.templates])],
  };
}

/** What `a::b::name` is: of a namespace, a struct, an enum or an instance of a template. */
export function memberOfPath(s: Sema, e: syntax.Identifier | syntax.NamedType): Symbol | undefined {
  let at: Symbol | undefined;
  for (const [i, name] of e.path.entries()) {
    if (name === "") {
      at = { kind: "namespace", scope: s.globalScope, span: e.span };
      continue;
    }
    const [of] = name === "decltype" ? (e.pathArguments?.[i] ?? []) : [];
    if (of?.kind === "type-name") {
      const info = resolveTypeName(s, of);
      if (!info) return undefined;
      at = { kind: "type", info: namedInfo(info), span: e.span };
      continue;
    }
    at = i === 0 ? lookup(s, name) : at && memberOfSymbol(s, at, name);
    const list = e.pathArguments?.[i];
    // In an instance its name is the instance, and with arguments the template (C++14 14.6.1).
    const type = at?.kind === "type" ? at.info.type : undefined;
    const around = list && type?.kind === "struct" ? s.templates.structs.get(type.name)?.template : undefined;
    const template = at?.kind === "template" ? at.template : around?.name === name ? around : undefined;
    if (template) {
      const info = templateType(s, template, list ?? [], e.span);
      at = info && { kind: "type", info, span: e.span };
    } else if (i === 0 && !at && list && sequenceNames.includes(name)) {
      const type = typeNamed(s, { kind: "identifier", name, path: [], templateArguments: list, span: e.span });
      at = type && { kind: "type", info: { type }, span: e.span };
    }
    if (!at) return undefined;
  }
  return at && memberOfSymbol(s, at, e.name);
}

export function memberOfSymbol(s: Sema, at: Symbol, name: string): Symbol | undefined {
  if (at.kind === "namespace") return lookupIn(at.scope, name);
  if (at.kind === "enum") {
    const found = s.enums[at.index]!.enumerators.find((x) => x.name === name);
    return found && { kind: "enumerator", enum: at.index, name: found.name, value: found.value, span: at.span };
  }
  return at.kind === "type" && at.info.type.kind === "struct" ? memberNamed(s, at.info.type.name, name) : undefined;
}

/** Functions of the namespaces of the arguments' types (C++14 3.4.2), and those that are found anyway. */
export function withArguments(
  s: Sema,
  name: string,
  found: Symbol | undefined,
  values: readonly Value[],
): Symbol | undefined {
  let all = found;
  for (const { type } of values) {
    const scope = s.declaredIn.get(type.kind === "struct" ? type.name : (enumerationOf(type)?.enumeration ?? ""));
    const own = scope?.symbols.get(name);
    if (own?.kind === "functions" && own !== all) all = all ? (merged(all, own) ?? all) : own;
    // Functions that the struct declares are known of the file, and hidden by those of a namespace that is nearer.
    const friends = type.kind === "struct" ? friendsOf(s, name, type.name) : undefined;
    if (friends && friends !== all) all = all ? (merged(all, friends) ?? all) : friends;
  }
  return all;
}

/** Those of that name that the struct, or what it inherits from, declares as functions of the file (C++14 3.4.2 (4)). */
function friendsOf(s: Sema, name: string, struct: string): Symbol | undefined {
  const all = s.globalScope.symbols.get(name);
  if (all?.kind !== "functions" || all.overloads.every((f) => f.friendOf === undefined)) return undefined;
  const around = new Set<string>();
  const visit = (of: string): void => {
    around.add(of);
    for (const b of s.methods.get(of)?.bases ?? []) visit(b.type.name);
  };
  visit(struct);
  const overloads = all.overloads.filter((f) => f.friendOf !== undefined && around.has(f.friendOf));
  if (overloads.length === 0) return undefined;
  return overloads.length === all.overloads.length ? all : { ...all, overloads, templates: [] };
}
