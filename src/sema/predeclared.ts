/** Names the language declares without the source doing so, as values. */
import { literal, nullPointer } from "../ast/builders.js";
import type { Span } from "../support/span.js";
import { voidType } from "../types/types.js";
import { exprValue, type Sema, type Value } from "./context.js";

export function predeclaredValue(s: Sema, path: readonly string[], name: string, span: Span): Value | undefined {
  const { predeclared, nullNames } = s.reading;
  if (path.length > 0 && !predeclared.scopes?.has(path.join("::"))) return undefined;
  if (nullNames.includes(name))
    return exprValue(nullPointer({ kind: "pointer", pointee: voidType, space: "private" }, span));
  const found = predeclared.words.get(name);
  if (!found) return undefined;
  const expr = literal(found.kind, found.kind === "bool" ? found.value === 1 : found.value, span);
  return found.word ? { type: expr.type, expr, word: name } : { type: expr.type, expr };
}

export const predeclaredNames = (s: Sema): Iterable<string> => s.reading.predeclared.words.keys();
