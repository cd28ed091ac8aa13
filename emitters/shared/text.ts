import { precedence } from "../../src/ast/operators.js";
import type { Type } from "../../src/types/types.js";
import type { Text } from "./syntax.js";

export const primary = (text: string, type: Type): Text => ({ text, precedence: precedence.primary, type });
export const postfix = (text: string, type: Type): Text => ({ text, precedence: precedence.postfix, type });

/** In parentheses where it binds less than `least`. */
export function wrap(t: Text, least: number): string {
  return t.precedence < least ? `(${t.text})` : t.text;
}
