/** What the formatter knows about names, from the dialect's words and from the declarations of the text itself. */
import type { TargetDialect } from "../../src/dialects/ids.js";
import { languageFacts, languages } from "../../src/dialects/languages.js";
import { isCode } from "./tokens.js";
import type { Token } from "./tokens.js";

export interface Names {
  isType(word: string): boolean;
  /** A word that makes the unknown word behind it a type: `const`, `device`, `struct`. */
  precedesType(word: string): boolean;
  isQualifier(word: string): boolean;
  isTemplate(word: string, afterDot: boolean): boolean;
  /** Macros that make text of their arguments, or hand them on to one that does: blanks inside mean something. */
  readonly stringMacros: ReadonlySet<string>;
  readonly hasPointers: boolean;
  readonly hasTemplates: boolean;
  /** `(T)x` */
  readonly hasCasts: boolean;
}

const tags = new Set(["struct", "class", "union", "enum", "typename"]);

export function namesOf(tokens: readonly Token[], dialect: TargetDialect): Names {
  const words = languages[dialect].words;
  const types = new Set<string>();
  const templates = new Set<string>();
  const code = tokens.filter(isCode);
  for (const [i, token] of code.entries()) {
    if (token.class !== "word") continue;
    const next = code[i + 1];
    if (tags.has(token.text) && next?.class === "word") types.add(next.text);
    else if (token.text === "using" && next?.class === "word" && code[i + 2]?.text === "=") types.add(next.text);
    else if (token.text === "typedef") addTypedef(code, i, types);
    else if (token.text === "template" && next?.text === "<") addTemplate(code, i, templates);
  }
  const isType = (word: string): boolean =>
    types.has(word) || words.types.has(word) || words.arithmetic.has(word) || words.typePattern.test(word);
  const isQualifier = (word: string): boolean => words.qualifiers.has(word);
  for (const { text } of tokens.filter((token) => token.class === "directive")) {
    const alias = /^#[ \t]*define[ \t]+(\w+)[ \t]+(\w+(?:[ \t]+\w+)*)[ \t]*$/.exec(text);
    if (alias && alias[2]!.split(/[ \t]+/).every((word) => isType(word) || isQualifier(word))) types.add(alias[1]!);
  }
  return {
    isType,
    isQualifier,
    precedesType: (word) => isQualifier(word) || tags.has(word) || words.softQualifiers.has(word),
    isTemplate: (word, afterDot) =>
      templates.has(word) ||
      (afterDot ? words.memberTemplates : words.typeTemplates).has(word) ||
      words.functionTemplates.has(word),
    stringMacros: stringMacros(tokens),
    hasPointers: languageFacts[dialect].pointers,
    hasTemplates: words.templates,
    hasCasts: words.casts,
  };
}

/** The last name before `;`, `,` or `[` at the outer level, and `(*Name)`. */
function addTypedef(code: readonly Token[], from: number, types: Set<string>): void {
  let depth = 0;
  let last: Token | undefined;
  for (let i = from + 1; i < code.length; i++) {
    const token = code[i]!;
    if (token.text === "(" && code[i + 1]?.text === "*" && code[i + 2]?.class === "word") types.add(code[i + 2]!.text);
    if ("([{".includes(token.text)) {
      if (depth === 0 && token.text === "[" && last) types.add(last.text);
      depth++;
    } else if (")]}".includes(token.text)) depth--;
    else if (depth === 0 && (token.text === ";" || token.text === ",")) {
      if (last) types.add(last.text);
      if (token.text === ";") return;
    } else if (depth === 0 && token.class === "word") last = token;
    if (depth < 0) return;
  }
}

/** The name that `template <...>` at `from` declares. */
function addTemplate(code: readonly Token[], from: number, templates: Set<string>): void {
  let depth = 0;
  let i = from + 1;
  for (; i < code.length; i++) {
    const { text } = code[i]!;
    if (text === "<") depth++;
    else if (text === ">") depth--;
    else if (text === ">>") depth -= 2;
    else if (text === ";" || text === "{") return;
    if (depth <= 0) break;
  }
  for (i++; i < code.length; i++) {
    const { text } = code[i]!;
    const next = code[i + 1];
    if (text === ";" || text === "{") return;
    if ((text === "struct" || text === "class" || text === "using") && next?.class === "word") {
      templates.add(next.text);
      return;
    }
    if (code[i]!.class === "word" && next?.text === "(" && text !== "alignas" && text !== "__attribute__") {
      templates.add(text);
      return;
    }
  }
}

function stringMacros(tokens: readonly Token[]): ReadonlySet<string> {
  const bodies = new Map<string, string>();
  for (const { text } of tokens.filter((token) => token.class === "directive")) {
    const definition = /^#[ \t]*define[ \t]+(\w+)([\s\S]*)$/.exec(text);
    if (definition) bodies.set(definition[1]!, (bodies.get(definition[1]!) ?? "") + definition[2]!);
  }
  const result = new Set<string>();
  for (let size = -1; size !== result.size;) {
    size = result.size;
    for (const [name, body] of bodies) {
      const makesText = /(?<!#)#(?!#)/.test(body);
      if (makesText || (body.match(/\w+/g) ?? []).some((word) => result.has(word))) result.add(name);
    }
  }
  return result;
}
