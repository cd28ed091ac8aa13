import type { Scope, Sema } from "./context.js";

/** The namespace that a struct or function is declared in. */
export function namespaceAround(s: Sema): Scope | undefined {
  for (let scope: Scope | undefined = s.scope; scope; scope = scope.parent)
    if (scope.namespace !== undefined) return scope;
  return undefined;
}
