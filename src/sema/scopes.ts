/** Names and scopes: what a name means, where it is declared, and reading with the names of a scope. */
import { append } from "../support/append.js";
import { error, type Scope, type Sema, type Symbol } from "./context.js";

/**
 * What a name means, in the innermost scope that has it; those that `counts` says no of are passed over. In what is read where it is
 * needed, a name of the file or of a namespace that is declared behind it is none yet (C++14 3.4.1): it is meant where there is no other,
 * as by an argument's type.
 */
export function lookup(s: Sema, name: string, counts: (found: Symbol) => boolean = () => true): Symbol | undefined {
  const { visibleBefore } = s.templates;
  let late: Symbol | undefined;
  for (let scope: Scope | undefined = s.scope; scope; scope = scope.parent) {
    const { parts } = scope;
    const any = lookupIn(scope, name) ?? (s.scratch && parts?.has(name) ? parts.symbol(name) : undefined);
    const found = any && !counts(any) ? scope.hidden?.get(name) : any;
    if (!found || !counts(found)) continue;
    const ofFile = scope.namespace !== undefined || scope === s.globalScope;
    if (visibleBefore === undefined || !ofFile || isBefore(found, visibleBefore)) return found;
    late ??= found;
  }
  if (late) return late;
  const part = s.options.part;
  if (part?.leftOut.has(name)) part.missed.add(name);
  return undefined;
}

function isBefore(symbol: Symbol, at: number): boolean {
  const all = symbol.kind === "functions" ? [...symbol.overloads, ...symbol.templates] : [symbol];
  return all.some((x) => x.span.start <= at);
}

/** A name that is declared in a scope, or in an inline namespace of it. */
export function declaredIn(scope: Scope, name: string): Symbol | undefined {
  const own = scope.symbols.get(name);
  if (own) return own;
  for (const used of scope.used ?? []) {
    const found = used.inline && used.parent === scope ? declaredIn(used, name) : undefined;
    if (found) return found;
  }
  return undefined;
}

/** A name of one scope, or of the namespaces that are used there. */
export function lookupIn(scope: Scope, name: string, seen = new Set<Scope>()): Symbol | undefined {
  const own = scope.symbols.get(name) ?? (scope.object?.names.has(name) ? scope.object.symbol(name) : undefined);
  if (!scope.used || seen.has(scope)) return own;
  seen.add(scope);
  let found = own;
  for (const used of scope.used) {
    const other = lookupIn(used, name, seen);
    if (!other || other === found) continue;
    if (found?.kind === "functions" && other.kind === "functions")
      found = {
        ...found,
        overloads: [...new Set([...found.overloads, ...other.overloads])],
        templates: [...new Set([...found.templates, ...other.templates])],
      };
    else found ??= other;
  }
  return found;
}

export function visibleNames(s: Sema): string[] {
  const names: string[] = [];
  for (let scope: Scope | undefined = s.scope; scope; scope = scope.parent)
    append(names, [...scope.symbols.keys(), ...(scope.object?.names.keys() ?? [])]);
  return names;
}

/**
 * Whether a struct or enumeration may lie hidden behind `other`, which has its name in the same scope (C++14 3.3.10 (2)): where
 * `struct S` leads to it, and names of structs are not apart anyway.
 */
const hides = (s: Sema, other: Symbol, tag: Symbol | undefined): boolean =>
  s.reading.declarations.elaboratedTypes &&
  !s.reading.declarations.tags &&
  (tag?.kind === "enum" || (tag?.kind === "type" && tag.defined === true)) &&
  isNoType(other);

/** What may have a name that a struct has, too. */
export const isNoType = ({ kind }: Symbol): boolean =>
  !["type", "enum", "template", "namespace", "function type", "pack", "error"].includes(kind);

/** Whether the struct or enumeration of this name, if the scope has one, lies hidden from now on behind what `symbol` declares. */
export function hidesStruct(s: Sema, scope: Scope, name: string, symbol: Symbol): boolean {
  const own = scope.symbols.get(name);
  if (!own || !hides(s, symbol, own)) return false;
  (scope.hidden ??= new Map()).set(name, own);
  return true;
}

/** Declares a name in the current scope; a second declaration there is an error. */
export function declareName(s: Sema, name: string, symbol: Symbol): boolean {
  const { symbols, parent, sharesParent } = s.scope;
  const own = symbols.get(name);
  if (own && hides(s, own, symbol)) {
    (s.scope.hidden ??= new Map()).set(name, symbol);
    return true;
  }
  if (hidesStruct(s, s.scope, name, symbol)) {
    symbols.set(name, symbol);
    return true;
  }
  const before = own ?? (sharesParent ? parent?.symbols.get(name) : undefined);
  if (before && before.kind !== "error") {
    error(s, "XL2002", `'${name}' is declared twice in this scope`, symbol.span, {
      notes: [{ message: "first declared here", span: before.span }],
    });
    return false;
  }
  symbols.set(name, symbol);
  return true;
}

/** Reads with the names of `scope`. */
export function inScopeOf<T>(s: Sema, scope: Scope, work: () => T): T {
  const here = s.scope;
  s.scope = scope;
  try {
    return work();
  } finally {
    s.scope = here;
  }
}

export const inScope = <T>(s: Sema, work: () => T): T => inScopeOf(s, { parent: s.scope, symbols: new Map() }, work);

/** A key of `Module.structs` no other struct has. */
export function uniqueStructName(s: Sema, wanted: string): string {
  return s.structNumbers.free(wanted, (n) => s.structs.has(n) || s.openStructs.has(n));
}
