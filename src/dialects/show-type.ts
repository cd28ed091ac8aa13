/** Types in messages, by the words of the language that the text is in. */
import { isNumeric, showType, type Type } from "../types/types.js";
import type { SourceDialect } from "./ids.js";
import { readingFacts } from "./languages.js";
import type { TypeNames } from "./type-names.js";

export function showTypeIn(language: Pick<TypeNames, "spelled" | "spaces">, type: Type): string {
  const { spelled, spaces } = language;
  if (type.kind === "scalar" && type.size) return type.scalar === "u64" ? "size_t" : "ptrdiff_t";
  if (isNumeric(type)) return spelled(type);
  if (type.kind === "array") return `${showTypeIn(language, type.element)}[${type.length ?? ""}]`;
  if (type.kind !== "pointer") return showType(type);
  const words = [spaces?.[type.space] ?? "", type.readOnly ? "const" : "", showTypeIn(language, type.pointee)];
  return `${words.filter((w) => w !== "").join(" ")} *`;
}

export const typeIn = (dialect: SourceDialect, type: Type): string => showTypeIn(readingFacts(dialect).types, type);
