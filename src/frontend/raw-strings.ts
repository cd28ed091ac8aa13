/**
 * Kernels that are shipped inside of C++: a file that is nothing but raw string literals (`R"CLC(` ... `)CLC"`), one after the other, for a
 * host to `#include`, or such a list that is the value of one variable. Compilers want pieces of at most 64 KiB, so that long
 * kernels have several. Lines of the host stand between them as ordinary literals (`"#define TILE 16\n"`), each a line of the kernel.
 * What is not kernel becomes blanks, so that every place stays where it is. [C++11 lex.string]
 */

/** `static const char *const source[] =`. */
const declaration = /(?:[A-Za-z_][\w:]*[\s*&]+){1,8}[A-Za-z_]\w*\s*(?:\[\s*\]\s*)?=/y;
const opening = /R"([^\s()\\"]{0,16})\(/y;
/** One line, with its end; a backslash before that leads on. Other escapes would leave blanks inside of what is quoted there. */
const line = /"([^"\\\n]*(?:\\\\)?)\\n"/y;
const notBlank = /\S/g;

const blanked = (text: string): string => text.replace(/[^\n]/g, " ");

/** Where what is neither white space nor comment begins, from `at` on; the text's end where there is nothing. */
export function afterBlanksAndComments(text: string, at: number): number {
  for (;;) {
    notBlank.lastIndex = at;
    const next = notBlank.exec(text)?.index ?? text.length;
    const ending = text.startsWith("//", next) ? "\n" : text.startsWith("/*", next) ? "*/" : undefined;
    if (ending === undefined) return next;
    const end = text.indexOf(ending, next + 2);
    if (end < 0) return text.length;
    at = end + ending.length;
  }
}

/** The text with the C++ around its kernel blanked; the text itself where it is no such file. */
export function withoutRawString(text: string): string {
  // Most files are told by looking for what they lack.
  if (!text.includes('R"')) return text;
  let at = afterBlanksAndComments(text, 0);
  let out = text.slice(0, at);
  declaration.lastIndex = at;
  const declared = declaration.exec(text)?.[0];
  if (declared !== undefined) {
    const next = afterBlanksAndComments(text, at + declared.length);
    out += blanked(declared) + text.slice(at + declared.length, next);
    at = next;
  }
  const first = at;
  let begins = true;
  for (;;) {
    opening.lastIndex = at;
    const open = opening.exec(text);
    if (!open) {
      const next = begins ? afterLine(text, at) : undefined;
      if (!next) break;
      out += next.text;
      at = next.at;
      continue;
    }
    const from = at + open[0].length;
    const closing = `)${open[1]!}"`;
    const to = text.indexOf(closing, from);
    if (to < 0) return text;
    const end = to + closing.length;
    begins = /\n[ \t]*$/.test(text.slice(from, to));
    at = afterBlanksAndComments(text, end);
    out += blanked(open[0]) + text.slice(from, to) + blanked(closing) + text.slice(end, at);
  }
  if (at === first) return text;
  const semicolon = text[at] === ";" ? 1 : 0;
  if (afterBlanksAndComments(text, at + semicolon) < text.length) return text;
  return out + " ".repeat(semicolon) + text.slice(at + semicolon);
}

/** An ordinary literal that is one line, up to what follows it, which has to stand on a line of its own. */
function afterLine(text: string, from: number): { readonly text: string; readonly at: number } | undefined {
  line.lastIndex = from;
  const found = line.exec(text);
  if (!found) return undefined;
  const end = from + found[0].length;
  const at = afterBlanksAndComments(text, end);
  const between = text.slice(end, at);
  if (at < text.length && !between.includes("\n")) return undefined;
  const goesOn = found[1]!.endsWith("\\");
  if (goesOn && !/^\r?\n/.test(between)) return undefined;
  const shown = goesOn ? ` ${found[1]!.slice(0, -2)}    \\` : ` ${found[1]!}   `;
  return { text: shown + between, at };
}
