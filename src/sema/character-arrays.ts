/** String literals that initialise arrays of characters (C99 6.7.8 (14)): lists of numbers. */
import type * as syntax from "../ast/syntax.js";
import { scalarOf, type Type } from "../types/types.js";
import { escapedCode } from "./literals.js";

/** Comments, and what stands in quotes. */
const tokens = /\/\*[^]*?\*\/|\/\/[^\n]*|"((?:[^"\\]|\\[^])*)"/g;

/** The characters of a string literal, several of which may follow each other (C99 6.4.5); undefined of anything else. */
export function textOf(e: syntax.Expression | syntax.InitializerList): string | undefined {
  if (e.kind !== "literal" || e.form !== "string") return undefined;
  return [...e.text.matchAll(tokens)].map(([, inside]) => unescaped(inside ?? "")).join("");
}

const unescaped = (text: string): string =>
  text.replace(/\\(?:x[0-9a-fA-F]+|[0-7]{1,3}|[^])/g, (escape) => {
    const code = escapedCode(escape);
    return code === undefined ? escape.slice(1) : String.fromCharCode(code & 255);
  });

const utf8 = new TextEncoder();

/** The bytes of such a literal: what it spells in UTF-8, as clang has it, and escapes as the bytes they name (C99 6.4.4.4, 6.4.3). */
function bytesOf(e: syntax.Expression | syntax.InitializerList): number[] | undefined {
  if (textOf(e) === undefined) return undefined;
  const inside = [...(e as syntax.Literal).text.matchAll(tokens)].map(([, text]) => text ?? "").join("");
  const pieces = /\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|x[0-9a-fA-F]+|[0-7]{1,3}|[^])|[^\\]+/g;
  return [...inside.matchAll(pieces)].flatMap(([piece, short, long]) => {
    const named = short ?? long;
    if (named !== undefined) return [...utf8.encode(String.fromCodePoint(parseInt(named, 16)))];
    const code = piece.startsWith("\\") ? escapedCode(piece) : undefined;
    return code === undefined ? [...utf8.encode(piece.replace(/^\\/, ""))] : [code & 255];
  });
}

const isCharacters = (type: Type): type is Type & { kind: "array" } =>
  type.kind === "array" && type.element.kind === "scalar" && /^[iu]8$/.test(scalarOf(type.element)!);

export const withCharacters = (type: Type, init: syntax.Initializer): syntax.Initializer => {
  if (init.form === "paren" || type.kind !== "array") return init;
  const value = spelled(type, init.value);
  return value === init.value ? init : { form: "assign", value };
};

/** A literal as the list it stands for, alone or in the lists of arrays of such arrays. */
function spelled(
  type: Type,
  value: syntax.Expression | syntax.InitializerList,
): syntax.Expression | syntax.InitializerList {
  if (type.kind !== "array") return value;
  if (!isCharacters(type)) {
    if (value.kind !== "initializer-list") return value;
    const elements = value.elements.map((e) => ({ ...e, value: spelled(type.element, e.value) }));
    return elements.every((e, i) => e.value === value.elements[i]!.value) ? value : { ...value, elements };
  }
  const only = value.kind === "initializer-list" && value.elements.length === 1 ? value.elements[0]! : undefined;
  const bytes = bytesOf(only && only.designators.length === 0 ? only.value : value);
  if (bytes === undefined) return value;
  const signed = scalarOf(type.element) === "i8";
  const codes = bytes.map((c) => (signed && c > 127 ? c - 256 : c));
  // The null at the end may be left out where there is no place for it.
  const all = type.length === codes.length && codes.length > 0 ? codes : [...codes, 0];
  const { span } = value;
  const number = (n: number): syntax.Expression => {
    const literal: syntax.Expression = { kind: "literal", form: "integer", text: String(Math.abs(n)), span };
    return n < 0 ? { kind: "unary", operator: "-", operand: literal, span } : literal;
  };
  return { kind: "initializer-list", elements: all.map((n) => ({ designators: [], value: number(n), span })), span };
}
