/**
 * Global memory of the program (OpenCL C 3.0 6.7.1): variables at file scope that begin as their initialisers say, or as zeros, and last
 * from launch to launch. Those that no kernel of the file changes are constants. Whether one does is asked of the whole text, since
 * kernels are read one by one and what one writes another would read in a later launch.
 */
import type { Span } from "../support/span.js";

/** Whether `name` may be written, or its address taken, anywhere but at its declaration: too often rather than too seldom. */
export function mayChange(text: string, name: string, declared: Span, isArray: boolean): boolean {
  for (const { index } of text.matchAll(new RegExp(`\\b${name}\\b`, "g"))) {
    if (index === declared.start) continue;
    const { at, indexed } = behind(text, index + name.length);
    const rest = text.slice(at, at + 4);
    if (/^(?:=(?!=)|\+\+|--|(?:[-+*/%&|^]|<<|>>)=)/.test(rest)) return true;
    // The array itself is the address of its first element.
    if (isArray && !indexed) return true;
    if (isChangedBy(text.slice(Math.max(0, index - 200), index))) return true;
  }
  return false;
}

/** The end of what is named: behind indices, members and parentheses that close. */
function behind(text: string, from: number): { readonly at: number; readonly indexed: boolean } {
  let at = from;
  let indexed = false;
  for (;;) {
    at += /^\s*/.exec(text.slice(at))![0].length;
    const member = /^\.\s*\w+/.exec(text.slice(at, at + 200));
    if (text[at] === "[") {
      indexed = true;
      at = closing(text, at) + 1;
    } else if (member) at += member[0].length;
    else if (text[at] === ")") at++;
    else return { at, indexed };
  }
}

function closing(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if (text[at] === "[") depth++;
    else if (text[at] === "]" && --depth === 0) return at;
  }
  return text.length;
}

/** `&x`, `++x`, `--(x)`: a `&` behind a name, a number or an index joins two values. */
function isChangedBy(before: string): boolean {
  const plain = before.replace(/[\s(]+$/, "");
  if (/(?:\+\+|--)$/.test(plain)) return true;
  if (!/&$/.test(plain) || /&&$/.test(plain)) return false;
  const left = plain.slice(0, -1).trimEnd();
  return !/[\w\]]$/.test(left) || /\b(?:return|case|sizeof)$/.test(left);
}
