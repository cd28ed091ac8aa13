/**
 * What the grammars must know beforehand, read off the tokens: which names the source declares as types and templates, and
 * which brackets belong together. Nothing here depends on the order of declarations, so no parse can corrupt it.
 */
import type { DialectWords } from "../dialects/words.js";
import type { Problems } from "../support/diagnostics.js";
import { signs } from "./generated/alphabet.js";
import { codes, keywordCode, type RawTokens } from "./tokens.js";

const sign = (character: string): number => character.charCodeAt(0);
const open = { paren: sign("("), bracket: sign("["), brace: sign("{"), angle: sign("<") } as const;
const close = { paren: sign(")"), bracket: sign("]"), brace: sign("}"), angle: sign(">") } as const;
const semicolon = sign(";");
const comma = sign(",");
const star = sign("*");
const equals = sign("=");
const ellipsis = sign(signs["..."]!);

const keyword = {
  struct: keywordCode("struct"),
  union: keywordCode("union"),
  class: keywordCode("class"),
  enum: keywordCode("enum"),
  interface: keywordCode("interface"),
  typedef: keywordCode("typedef"),
  using: keywordCode("using"),
  template: keywordCode("template"),
  typename: keywordCode("typename"),
  attribute: keywordCode("__attribute__"),
  alignas: keywordCode("alignas"),
  layout: keywordCode("layout"),
  coherent: keywordCode("coherent"),
  decltype: keywordCode("decltype"),
  typeof: keywordCode("typeof"),
  concept: keywordCode("concept"),
  requires: keywordCode("requires"),
} as const;

/** What the name of a type follows. */
const tags = new Set<number>([keyword.struct, keyword.union, keyword.class, keyword.enum, keyword.interface]);

/** Deepest nesting of brackets, and of template arguments. */
const maxNesting = 256;

export interface Prescan {
  /** For every bracket token its partner's index, or -1. */
  readonly partners: Int32Array;
  /** Tokens at which the brackets do not balance. */
  readonly unbalanced: readonly number[];
  /** Too deep for any parser: nothing further should be tried. */
  readonly fatal: boolean;
}

/** Marks declared types and templates in the codes, and checks the brackets. */
export function prescan(tokens: RawTokens, dialect: DialectWords, problems: Problems): Prescan {
  if (dialect.softKeywords) markConstraints(tokens, dialect.softKeywords);
  markNames(tokens, dialect, collectNames(tokens));
  return checkBrackets(tokens, problems);
}

// ------------------------------------------------------------------ names

interface DeclaredNames {
  /** Indices into `RawTokens.words`. */
  readonly types: Set<number>;
  readonly typeTemplates: Set<number>;
  readonly functionTemplates: Set<number>;
}

function collectNames(tokens: RawTokens): DeclaredNames {
  const names: DeclaredNames = { types: new Set(), typeTemplates: new Set(), functionTemplates: new Set() };
  for (let at = 0; at < tokens.count; at++) {
    const code = tokens.codes[at]!;
    if (code < 0xe000) continue;
    if (tags.has(code)) {
      const name = nameAfterTag(tokens, at);
      if (name >= 0) names.types.add(tokens.wordIds[name]!);
    } else if (code === keyword.typedef) {
      collectTypedef(tokens, at, names);
    } else if (code === keyword.using) {
      if (tokens.codes[at + 1] === codes.name && tokens.codes[at + 2] === equals)
        names.types.add(tokens.wordIds[at + 1]!);
    } else if (code === keyword.template) {
      collectTemplate(tokens, at, names);
    } else if (code === keyword.layout) {
      collectBufferReference(tokens, at, names);
    }
  }
  return names;
}

/** The name token of `struct [[attributes]] Name`, `struct path::Name`, or -1. */
function nameAfterTag(tokens: RawTokens, tag: number): number {
  let at = tag + 1;
  for (; at < tokens.count; at++) {
    const code = tokens.codes[at]!;
    if (code === keyword.class || code === keyword.struct) continue;
    if (code === keyword.attribute || code === keyword.alignas) at = groupEnd(tokens, at + 1);
    else if (code === open.bracket) at = groupEnd(tokens, at);
    else break;
  }
  while (tokens.codes[at] === codes.name && tokens.codes[at + 1] === codes.scope) at += 2;
  return tokens.codes[at] === codes.name ? at : -1;
}

/** The last token of the bracket group that begins at `at` (or `at` where no group begins). */
function groupEnd(tokens: RawTokens, at: number): number {
  let depth = 0;
  for (let token = at; token < tokens.count; token++) {
    const code = tokens.codes[token]!;
    if (code === open.paren || code === open.bracket || code === open.brace) depth++;
    else if (code === close.paren || code === close.bracket || code === close.brace) depth--;
    if (depth <= 0) return token;
  }
  return tokens.count;
}

/** The name in `(*Name`, `((Name)`, `(Name[`, or -1; a type that is a parameter has no name. */
function nameInside(tokens: RawTokens, from: number): number {
  let at = from + 1;
  while (tokens.codes[at] === star || tokens.codes[at] === open.paren) at++;
  if (tokens.codes[at] !== codes.name) return -1;
  const next = tokens.codes[at + 1];
  return tokens.codes[at - 1] === star || next === close.paren || next === open.bracket ? at : -1;
}

/** Every name before `;`, `,`, `[` or an attribute at the outer level, and one in parentheses. */
function collectTypedef(tokens: RawTokens, from: number, names: DeclaredNames): void {
  let last = -1;
  const commit = (): void => {
    if (last >= 0) names.types.add(tokens.wordIds[last]!);
    last = -1;
  };
  for (let at = from + 1; at < tokens.count; at++) {
    const code = tokens.codes[at]!;
    if (code === semicolon) return commit();
    if (code === comma) commit();
    else if (code === codes.name) last = at;
    else if (code === open.paren && nameInside(tokens, at) >= 0) {
      last = nameInside(tokens, at);
      commit();
      at = groupEnd(tokens, at);
    } else if (code === open.bracket || code === keyword.attribute) {
      commit();
      at = groupEnd(tokens, code === open.bracket ? at : at + 1);
    } else if (code === keyword.decltype || code === keyword.typeof) {
      at = groupEnd(tokens, at + 1);
    } else if (code === open.paren || code === open.brace) at = groupEnd(tokens, at);
    else if (code === open.angle) {
      at = angleEnd(tokens, at);
      last = -1;
    } else if (code === close.brace) return;
  }
}

/** The `>` that closes the `<` at `from`. */
function angleEnd(tokens: RawTokens, from: number): number {
  let depth = 0;
  for (let at = from; at < tokens.count; at++) {
    const code = tokens.codes[at]!;
    if (code === open.angle) {
      // Behind a number or what stands in parentheses it compares.
      if (!isOperand(tokens.codes[at - 1]!)) depth++;
    } else if (code === close.angle || code === codes.joinedGreater) {
      if (--depth === 0) return at;
    } else if (code === open.paren) at = groupEnd(tokens, at);
    else if (code === semicolon || code === open.brace || code === close.brace) return at;
  }
  return tokens.count;
}

const isOperand = (code: number): boolean => code === close.paren || code === codes.integer || code === codes.float;

function collectTemplate(tokens: RawTokens, from: number, names: DeclaredNames): void {
  if (tokens.codes[from + 1] !== open.angle) return;
  const end = angleEnd(tokens, from + 1);
  for (let at = from + 2; at < end; at++) {
    const code = tokens.codes[at]!;
    // `template <typename> class T`: its own parameters have no names that count.
    const isTemplate = code === keyword.template && tokens.codes[at + 1] === open.angle;
    if (isTemplate) at = angleEnd(tokens, at + 1) + 1;
    else if (code !== keyword.typename && code !== keyword.class) continue;
    const name = tokens.codes[at + 1] === ellipsis ? at + 2 : at + 1;
    if (isTemplate && tokens.codes[name] === codes.name) names.typeTemplates.add(tokens.wordIds[name]!);
    // `typename T`, but not the `typename T::x` or `typename S<T>::x` of a default or of a value
    const after = tokens.codes[name + 1];
    if (tokens.codes[name] === codes.name && after !== codes.scope && after !== open.angle)
      names.types.add(tokens.wordIds[name]!);
  }
  for (let at = end + 1; at < tokens.count; at++) {
    const code = tokens.codes[at]!;
    const next = tokens.codes[at + 1];
    if (code === keyword.struct || code === keyword.class || code === keyword.union) {
      const name = nameAfterTag(tokens, at);
      if (name >= 0) names.typeTemplates.add(tokens.wordIds[name]!);
      return;
    }
    if (code === keyword.using) {
      if (next === codes.name) names.typeTemplates.add(tokens.wordIds[at + 1]!);
      return;
    }
    if (code === keyword.template || code === semicolon || code === open.brace) return;
    if (code === keyword.attribute) at = groupEnd(tokens, at + 1);
    else if (code === open.bracket) at = groupEnd(tokens, at);
    else if (code === codes.name && (next === open.paren || next === equals)) {
      const id = tokens.wordIds[at]!;
      // Without a type in front `W(T a) : ..` is a constructor, and `W(T) -> W<T>;` a guide.
      const isTyped = at > end + 1 && tokens.codes[at - 1] !== codes.qualifier;
      if (isTyped || !names.typeTemplates.has(id)) names.functionTemplates.add(id);
      return;
    }
  }
}

/** `template <typename T> concept C = ..`, `template <..> requires ..`, `f() requires C<T> {`, `= requires(T v) {`. */
function markConstraints(tokens: RawTokens, soft: ReadonlySet<string>): void {
  const ids = wordIdsOf(tokens.words, soft);
  if (!tokens.words.some((word) => soft.has(word))) return;
  const heads = new Set<number>();
  for (let at = 0; at < tokens.count; at++) {
    const code = tokens.codes[at]!;
    if (code === keyword.template && tokens.codes[at + 1] === open.angle) heads.add(angleEnd(tokens, at + 1) + 1);
    if (code !== codes.name || !ids.has(tokens.wordIds[at]!)) continue;
    const next = tokens.codes[at + 1]!;
    const inHead = heads.has(at);
    if (tokens.words[tokens.wordIds[at]!] === "concept") {
      if (inHead && next === codes.name) tokens.codes[at] = keyword.concept;
      continue;
    }
    const before = tokens.codes[at - 1]!;
    const behindParameters = before === close.paren || before === codes.qualifier;
    const list = next === open.paren ? groupEnd(tokens, at + 1) + 1 : at + 1;
    if (inHead || tokens.codes[list] === open.brace || (behindParameters && next !== open.paren && next !== semicolon))
      tokens.codes[at] = keyword.requires;
  }
}

/** `layout(buffer_reference) buffer Name { ... };` declares a type. */
function collectBufferReference(tokens: RawTokens, from: number, names: DeclaredNames): void {
  const end = groupEnd(tokens, from + 1);
  let references = false;
  for (let at = from + 2; at < end; at++) {
    const id = tokens.wordIds[at]!;
    if (id >= 0 && tokens.words[id] === "buffer_reference") references = true;
  }
  if (!references) return;
  for (let at = end + 1; at < tokens.count; at++) {
    const code = tokens.codes[at]!;
    if (code === codes.name) names.types.add(tokens.wordIds[at]!);
    if (code !== codes.qualifier) return;
  }
}

function wordIdsOf(words: readonly string[], wanted: ReadonlySet<string>): Set<number> {
  const ids = new Set<number>();
  if (wanted.size > 0) words.forEach((word, id) => wanted.has(word) && ids.add(id));
  return ids;
}

function markNames(tokens: RawTokens, dialect: DialectWords, declared: DeclaredNames): void {
  const typeTemplates = wordIdsOf(tokens.words, dialect.typeTemplates);
  const functionTemplates = wordIdsOf(tokens.words, dialect.functionTemplates);
  const memberTemplates = wordIdsOf(tokens.words, dialect.memberTemplates);
  const soft = wordIdsOf(tokens.words, dialect.softQualifiers);
  const otherwise = usedWithoutArguments(tokens);
  for (const id of declared.typeTemplates) typeTemplates.add(id);
  for (const id of declared.functionTemplates) {
    functionTemplates.add(id);
    memberTemplates.add(id);
  }
  const ownTemplate = (id: number): boolean => declared.typeTemplates.has(id) || declared.functionTemplates.has(id);
  const qualifiers = wordIdsOf(tokens.words, dialect.qualifiers);
  let before = 0;
  // `typename a::`: a name in there that `<` follows is a template, known or not.
  let inTypename = false;
  for (let at = 0; at < tokens.count; at++) {
    const code = tokens.codes[at]!;
    if (code === keyword.typename) inTypename = true;
    else if (code !== codes.name && code !== codes.type && code !== codes.scope) inTypename = false;
    if (code === codes.name || code === codes.type) {
      const id = tokens.wordIds[at]!;
      const next = tokens.codes[at + 1]!;
      if (next === open.angle && (inTypename || isSaidTemplate(tokens, at))) {
        const ofPath = inTypename || tokens.codes[angleEnd(tokens, at + 1) + 1] === codes.scope;
        tokens.codes[at] = ofPath ? codes.typeTemplate : codes.functionTemplate;
      } else if (before === 46 || before === codes.arrow) {
        // `x.Base<int>::v`
        const ofPath =
          next === open.angle && typeTemplates.has(id) && tokens.codes[angleEnd(tokens, at + 1) + 1] === codes.scope;
        if (ofPath) tokens.codes[at] = codes.typeTemplate;
        else if (next === open.angle && memberTemplates.has(id)) tokens.codes[at] = codes.functionTemplate;
        // `auto f(..) -> thread int &`, `-> vec<T, 2>`: no member is followed by a word, and what is called has no template for a name.
        else if (before === codes.arrow && qualifiers.has(id) && isWordOfDeclaration(next))
          tokens.codes[at] = codes.qualifier;
        else if (next === open.angle && endsParameters(tokens.codes[at - 2]!) && typeTemplates.has(id))
          tokens.codes[at] = codes.typeTemplate;
      } else if (
        next === open.angle &&
        otherwise.has(id) &&
        !ownTemplate(id) &&
        !beginsArguments(tokens, at + 2, declared, typeTemplates)
      ) {
        // A comparison.
      } else if (next === open.angle && typeTemplates.has(id)) tokens.codes[at] = codes.typeTemplate;
      else if (next === open.angle && functionTemplates.has(id)) tokens.codes[at] = codes.functionTemplate;
      else if (code === codes.name) {
        if (declared.types.has(id)) tokens.codes[at] = codes.type;
        else if (soft.has(id) && isWordOfDeclaration(next)) tokens.codes[at] = codes.qualifier;
        else if (soft.has(id) && isQualifierInBrackets(tokens, at + 1)) tokens.codes[at] = keyword.coherent;
      }
    }
    before = code;
  }
}

/** `f() -> ..`, `f() const -> ..` */
const endsParameters = (code: number): boolean => code === close.paren || code === codes.qualifier;

/** `T::template f<int>`, `x.template f<int>`: the name of a template, whatever T is. */
const isSaidTemplate = ({ codes: all }: RawTokens, at: number): boolean =>
  all[at - 1] === keyword.template &&
  (all[at - 2] === codes.scope || all[at - 2] === codes.arrow || all[at - 2] === 46);

/** Names that stand without `<` somewhere, which a template's never does: a variable, say, that is called `array`. */
function usedWithoutArguments(tokens: RawTokens): Set<number> {
  const ids = new Set<number>();
  let before = 0;
  for (let at = 0; at < tokens.count; at++) {
    const code = tokens.codes[at]!;
    const next = tokens.codes[at + 1]!;
    if (
      code === codes.name &&
      next !== open.angle &&
      next !== codes.scope &&
      before !== codes.scope &&
      before !== 46 &&
      before !== codes.arrow
    )
      ids.add(tokens.wordIds[at]!);
    before = code;
  }
  return ids;
}

/** What follows a `<` is a type, and no conversion to it: `array<float, 4>`, not `array < float(n)`. */
function beginsArguments(
  tokens: RawTokens,
  at: number,
  declared: DeclaredNames,
  templates: ReadonlySet<number>,
): boolean {
  const code = tokens.codes[at]!;
  const id = tokens.wordIds[at]!;
  const next = tokens.codes[at + 1]!;
  if (code === codes.name && next === open.angle) return templates.has(id);
  if (code === codes.name && next === codes.scope) return true;
  const type = code === codes.name ? declared.types.has(id) : isWordOfDeclaration(code);
  return type && next !== open.paren && next !== open.brace;
}

const isWordOfDeclaration = (code: number): boolean =>
  code === codes.name ||
  code === codes.type ||
  code === codes.arithmetic ||
  code === codes.qualifier ||
  code === codes.typeTemplate;

/** `(device)` and `(system)` behind `coherent`: no call, whose arguments are no address spaces. */
const isQualifierInBrackets = ({ codes: all, count, wordIds, words }: RawTokens, at: number): boolean =>
  at + 2 < count &&
  all[at] === open.paren &&
  all[at + 2] === close.paren &&
  (all[at + 1] === codes.qualifier || (words[wordIds[at + 1]!] === "system" && isWordOfDeclaration(all[at + 3]!)));

// ------------------------------------------------------------------ brackets

function checkBrackets(tokens: RawTokens, problems: Problems): Prescan {
  const partners = new Int32Array(tokens.count).fill(-1);
  const unbalanced: number[] = [];
  const stack: number[] = [];
  const span = (token: number) => ({ start: tokens.starts[token]!, end: tokens.ends[token]! });
  const shown = (token: number): string => `'${String.fromCharCode(tokens.codes[token]!)}'`;
  let angles = 0;
  for (let at = 0; at < tokens.count; at++) {
    const code = tokens.codes[at]!;
    switch (code) {
      case open.paren:
      case open.bracket:
      case open.brace:
        angles = code === open.brace ? 0 : angles;
        stack.push(at);
        if (stack.length > maxNesting) {
          problems.error("XL1006", `brackets are nested deeper than ${maxNesting}`, span(at));
          return { partners, unbalanced: [at], fatal: true };
        }
        break;
      case close.paren:
      case close.bracket:
      case close.brace: {
        const opener = code === close.paren ? open.paren : code === close.bracket ? open.bracket : open.brace;
        let depth = stack.length - 1;
        while (depth >= 0 && tokens.codes[stack[depth]!] !== opener) depth--;
        // A closing parenthesis or bracket does not reach over a brace.
        const crossed = stack.slice(depth + 1);
        if (depth < 0 || (opener !== open.brace && crossed.some((token) => tokens.codes[token] === open.brace))) {
          unbalanced.push(at);
          problems.error("XL1005", `${shown(at)} closes nothing`, span(at));
          break;
        }
        if (crossed.length > 0) {
          const innermost = crossed.at(-1)!;
          unbalanced.push(innermost);
          problems.error("XL1005", `${shown(innermost)} is never closed`, span(innermost), {
            notes: [{ message: `${shown(at)} closes the one before it`, span: span(at) }],
          });
        }
        partners[stack[depth]!] = at;
        partners[at] = stack[depth]!;
        stack.length = depth;
        break;
      }
      case codes.typeTemplate:
      case codes.functionTemplate:
        if (++angles > maxNesting) {
          problems.error("XL1006", `template arguments are nested deeper than ${maxNesting}`, span(at));
          return { partners, unbalanced: [at], fatal: true };
        }
        break;
      case close.angle:
      case codes.joinedGreater:
        if (angles > 0) angles--;
        break;
      case semicolon:
        angles = 0;
        break;
    }
  }
  for (const token of stack.slice(-3)) {
    unbalanced.push(token);
    problems.error("XL1005", `${shown(token)} is never closed`, span(token));
  }
  return { partners, unbalanced, fatal: false };
}
