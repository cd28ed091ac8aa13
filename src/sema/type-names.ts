/** Types by the names the language declares itself: structs and typedefs of the source are symbols, not here. */
import type * as syntax from "../ast/syntax.js";
import type { TypeNameResult } from "../dialects/type-names.js";
import { voidType } from "../types/types.js";
import type { Sema } from "./context.js";

/** `scope`: the names before the last `::`, without the library's namespace. */
export const predeclaredType = (s: Sema, name: string, scope: readonly string[] = []): TypeNameResult =>
  name === "void" && scope.length === 0 ? { type: voidType } : s.reading.types.named(name, scope, s.narrowTypes);

/** The path of a name without the namespace of the library, which may be left out. */
export const inLibrary = (s: Sema, path: readonly string[]): readonly string[] =>
  path.length > 0 && path[0] === s.reading.namespace ? path.slice(1) : path;

/** The name that stands where the grammar takes a type: another declaration may have it, too. */
export const asIdentifier = ({
  name,
  path,
  pathArguments,
  templateArguments,
  span,
}: syntax.NamedType): syntax.Identifier => ({
  kind: "identifier",
  name,
  path,
  span,
  ...(pathArguments ? { pathArguments } : {}),
  ...(templateArguments ? { templateArguments } : {}),
});
