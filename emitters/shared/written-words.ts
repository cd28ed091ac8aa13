/**
 * The words a printed text is made of beside the names of the module: what a name of the source may not be, or the text
 * would mean something else. Asked of the text itself, printed once with names that are marked, and of no table.
 */
import { Kind, Scanner } from "../../src/support/scan.js";

/** Marks names in the first print; no word of a language begins so. */
export const nameMark = "CROSSLANE_name_";

export interface WrittenWords {
  /** Every word of the code: a macro of that name would change it, and a type be read as one. */
  readonly all: ReadonlySet<string>;
  /** Words that are looked up like names, such as the functions that are called: a declaration of that name would hide them. */
  readonly lookedUp: ReadonlySet<string>;
}

/** `layout(...)` and the like: what stands in their parentheses is looked up by nobody. */
const closedWords: ReadonlySet<string> = new Set(["layout", "register", "__attribute__"]);

export function writtenWords(text: string): WrittenWords {
  const all = new Set<string>();
  const lookedUp = new Set<string>();
  const scanner = new Scanner(text);
  let before = "";
  let directive = false;
  /** Open brackets of an attribute or of the parentheses after a closed word. */
  let closed = 0;
  for (let kind = scanner.next(); kind !== Kind.end; kind = scanner.next()) {
    if (kind === Kind.lineComment || kind === Kind.blockComment) continue;
    const token = text.slice(scanner.start, scanner.position);
    const startsLine = scanner.lineBreak;
    if (startsLine) directive = token === "#";
    // Macros do not reach into directives, but for what a `#define` puts elsewhere.
    if (directive && startsLine && !/^#[ \t]*define\b/.test(text.slice(scanner.start, scanner.start + 12))) {
      const end = text.indexOf("\n", scanner.position);
      scanner.position = end < 0 ? text.length : end;
      continue;
    }
    if (closed > 0) {
      if (token === "(" || token === "[") closed++;
      else if (token === ")" || token === "]") closed--;
    } else if ((token === "(" && closedWords.has(before)) || (token === "[" && (startsLine || before === "[")))
      closed = 1;
    if (kind === Kind.word && !token.startsWith(nameMark)) {
      all.add(token);
      const isMember = before === "." || before === "->";
      const isSemantic = before === ":" && token.startsWith("SV_");
      if (closed === 0 && !isMember && !isSemantic) lookedUp.add(token);
    }
    before = token;
  }
  return { all, lookedUp };
}
