/** Types in messages, by the words of the language that the text is in. */
import { enumerationOf, isNumeric, showType, type Type } from "../types/types.js";
import type { SourceDialect, TargetDialect } from "./ids.js";
import { readingFacts, writingFacts } from "./languages.js";
import type { TypeNames } from "./type-names.js";

export function showTypeIn(
  language: Pick<TypeNames, "spelled" | "spelledInSources" | "spaces">,
  type: Type,
  /** Names of enumerations by their numbers. */
  enumerations?: readonly { readonly name?: string | undefined }[],
): string {
  const { spelled, spelledInSources, spaces } = language;
  const enumeration = enumerationOf(type)?.enumeration;
  const own = enumeration === undefined ? undefined : enumerations?.[enumeration]?.name;
  if (own !== undefined) return own;
  if (type.kind === "scalar" && type.size) return type.scalar === "u64" ? "size_t" : "ptrdiff_t";
  if (isNumeric(type)) return (spelledInSources ?? spelled)(type);
  if (type.kind === "array") return `${showTypeIn(language, type.element, enumerations)}[${type.length ?? ""}]`;
  if (type.kind !== "pointer") return showType(type);
  if (type.block !== undefined) return type.block.name;
  if (type.object !== undefined) {
    const held = type.pointee.kind === "array" ? type.pointee.element : type.pointee;
    return type.object.includes("Address")
      ? type.object
      : `${type.object}<${showTypeIn(language, held, enumerations)}>`;
  }
  const words = [
    spaces?.[type.space] ?? "",
    type.readOnly ? "const" : "",
    showTypeIn(language, type.pointee, enumerations),
  ];
  return `${words.filter((w) => w !== "").join(" ")} *`;
}

/** As part of a name: `uint4`, of what has no name its shape. */
export function typeWord(target: TargetDialect, type: Type): string {
  const text = isNumeric(type) ? writingFacts(target).typeName(type) : showType(type);
  return text.replace(/\W+/g, "_").replace(/_$/, "");
}

export const typeIn = (dialect: SourceDialect, type: Type): string => showTypeIn(readingFacts(dialect).types, type);
