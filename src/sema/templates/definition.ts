/** Bodies that stand behind the declaration of their function: `T S<T>::f() const { ... }`, and of templates that were announced. */
import type * as syntax from "../../ast/syntax.js";
import type { Problem } from "../../support/diagnostics.js";
import { type LaterBody, type Scope, type Sema, type Symbol } from "../context.js";
import { inScopeOf, lookup } from "../scopes.js";

export interface Definition {
  readonly declaration: syntax.FunctionDeclaration;
  /** What it stands in, whose comments come first. */
  readonly outer: object;
  /** Inside the scope of the declaration, the names that the definition has for parameters of templates. */
  readonly scopeIn: (scope: Scope) => Scope;
  /** Why its body is not read. */
  readonly unread?: readonly Problem[];
}

/** The body of a function whose declaration is `d`, in `scope`. */
export const bodyOf = (
  definition: Definition | undefined,
  d: syntax.FunctionDeclaration,
  scope: Scope,
  visibleBefore: number | undefined,
  outer: object = d,
): Pick<LaterBody, "declaration" | "outer" | "scope" | "visibleBefore"> =>
  definition
    ? {
        declaration: definition.declaration,
        outer: definition.outer,
        scope: definition.scopeIn(scope),
        visibleBefore: definition.declaration.name.span.start,
      }
    : { declaration: d, outer, scope, visibleBefore };

/** What the definition calls parameters, by what the declaration calls them, where that is something else. */
export function renamed(
  declared: readonly syntax.TemplateParameter[],
  defined: readonly syntax.TemplateParameter[],
): Map<string, string> {
  const pairs = defined.map((p, i) => [p.name?.name, declared[i]?.name?.name] as const);
  return new Map(pairs.filter((x): x is readonly [string, string] => x[0] !== x[1] && x.every((n) => n !== undefined)));
}

/** The scope with other names for parameters of templates that it has. */
export function scopeWith(s: Sema, parent: Scope, names: ReadonlyMap<string, string>): Scope {
  if (names.size === 0) return parent;
  const found = inScopeOf(s, parent, () => [...names].map(([name, declared]) => [name, lookup(s, declared)] as const));
  return { parent, symbols: new Map(found.filter((x): x is readonly [string, Symbol] => x[1] !== undefined)) };
}

/** A part of the tree with the parameters of a template by their places: equal for two texts that say the same. */
export function inPlaces(part: unknown, parameters: readonly syntax.TemplateParameter[]): string {
  const places = new Map(parameters.map((p, i) => [p.name?.name, `#${i}`]));
  return JSON.stringify(part, (key, value: unknown) =>
    key === "span" ? undefined : key === "name" && typeof value === "string" ? (places.get(value) ?? value) : value,
  );
}
