/**
 * Kernels that are shipped inside of C++: a file that is nothing but raw string literals (`R"CLC(` ... `)CLC"`), one after the other, for a
 * host to `#include`, or such a list that is the value of one variable. Compilers want pieces of at most 64 KiB, so that long
 * kernels have several. What is not kernel becomes blanks, so that every place stays where it is. [C++11 lex.string]
 */

const blanksAndComments = String.raw`(?:\s|//[^\n]*(?:\n|$)|/\*(?:[^*]|\*(?!/))*\*/)*`;
/** `static const char *const source[] =`, if there is one. */
const declaration = String.raw`(?:[A-Za-z_][\w:]*[\s*&]+)+[A-Za-z_]\w*\s*(?:\[\s*\]\s*)?=${blanksAndComments}`;
const start = new RegExp(`^(${blanksAndComments})((?:${declaration})?)(?=R")`);
const opening = /R"([^\s()\\"]{0,16})\(/y;
const between = new RegExp(blanksAndComments, "y");

const blanked = (text: string): string => text.replace(/[^\n]/g, " ");

/** The text with the C++ around its kernel blanked; the text itself where it is no such file. */
export function withoutRawString(text: string): string {
  // Most files are told by looking for what they lack.
  if (!text.includes('R"')) return text;
  const head = start.exec(text);
  if (!head) return text;
  let out = head[1]! + blanked(head[2]!);
  let at = head[0].length;
  for (;;) {
    opening.lastIndex = at;
    const open = opening.exec(text);
    if (!open) break;
    const from = at + open[0].length;
    const closing = `)${open[1]!}"`;
    const to = text.indexOf(closing, from);
    if (to < 0) return text;
    out += blanked(open[0]) + text.slice(from, to) + blanked(closing);
    between.lastIndex = to + closing.length;
    out += between.exec(text)![0];
    at = between.lastIndex;
  }
  const ended = new RegExp(`^;?${blanksAndComments}$`).exec(text.slice(at));
  return ended ? out + ended[0].replace(";", " ") : text;
}
