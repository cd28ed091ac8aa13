/** What functions of structs are called as plain functions, and their declarations as such. */
import type * as syntax from "../ast/syntax.js";
import { enumerationOf, type AddressSpace } from "../types/types.js";
import type { ParameterInfo, Sema } from "./context.js";
import { isSpaceWord } from "./space-words.js";
import { freeName } from "./templates/names.js";

/** `operator+`, as the name of a function. */
export const isOperatorName = (name: string): boolean => /^operator\W/.test(name);

const operatorWords: Readonly<Record<string, string>> = {
  "+": "plus",
  "-": "minus",
  "*": "times",
  "/": "over",
  "%": "modulo",
  "==": "equals",
  "!=": "differs",
  "<": "less",
  ">": "greater",
  "<=": "at_most",
  ">=": "at_least",
  "&&": "and",
  "||": "or",
  "!": "not",
  "~": "complement",
  "&": "bit_and",
  "|": "bit_or",
  "^": "bit_xor",
  "<<": "shift_left",
  ">>": "shift_right",
  "()": "call",
  "[]": "at",
  "=": "assign",
  "++": "increment",
  "--": "decrement",
  ",": "comma",
};

function plainWord(name: string): string {
  if (!isOperatorName(name)) return name;
  const sign = name.slice("operator".length);
  const word = operatorWords[sign];
  if (word) return word;
  return `${operatorWords[sign.slice(0, -1)] ?? "operator"}_assign`;
}

/** `operator+` of complex numbers is `complex_plus`. */
export function operatorFunctionName(s: Sema, name: string, parameters: readonly ParameterInfo[]): string {
  const types = parameters.map((p) => p.type);
  const struct = types.find((t) => t.kind === "struct");
  const enumeration = types.map(enumerationOf).find((e) => e !== undefined);
  const of = struct?.name ?? (enumeration && s.enums[enumeration.enumeration]!.name);
  return freeName(s, of ? `${of}_${plainWord(name)}` : plainWord(name));
}

/** The declaration without the words that are about the object. */
export function plainDeclaration(s: Sema, d: syntax.FunctionDeclaration): syntax.FunctionDeclaration {
  const made: syntax.FunctionDeclaration = {
    ...d,
    trailingAttributes: d.trailingAttributes.filter(
      (a) => !/^(const|override|final|&&?)$/.test(a.name) && !isSpaceWord(a.name),
    ),
    qualifiers: d.qualifiers.filter((q) => q.name !== "static" && q.name !== "explicit"),
  };
  s.trivia.standFor(made, d);
  return made;
}

/** Of a template of conversions, what it converts to follows as its argument. */
export function methodName(
  struct: string,
  d: syntax.FunctionDeclaration,
  space: AddressSpace,
  template = false,
): string {
  const { name } = d.name;
  const target = template ? "to" : `to_${name.replace(/\W+/g, "_")}`;
  const own = d.special === "constructor" ? "make" : d.special ? target : plainWord(name);
  return space === "private" ? `${struct}_${own}` : `${struct}_${own}_${space}`;
}
