import {
  addressSpaces,
  atomicTypes,
  builtinTemplates,
  builtinTypes,
  foreignComponents,
  foreignWords,
  headers,
  refusedWords,
  typeQualifiers,
  sharedVectorTypes,
  vectorTypes,
} from "./msl-language.js";
import { checkKernel, isKernelHead, readAttributes } from "./msl-kernel.js";
import { closing, tokenize } from "./msl-tokens.js";
import type { Token } from "./msl-tokens.js";

export interface Problem {
  readonly offset: number;
  readonly message: string;
}

export interface Checked {
  /** The text for clang, line for line that of the source. Meaningless where there are problems. */
  readonly text: string;
  readonly problems: readonly Problem[];
}

/** Collects problems and the changes to the text, both by offset. */
export class Draft {
  readonly problems: Problem[] = [];
  private readonly edits: { start: number; end: number; text: string }[] = [];

  constructor(readonly source: string) {}

  refuse(token: Token, message: string): void {
    this.problems.push({ offset: token.start, message });
  }

  replace(start: number, end: number, text: string): void {
    // Line breaks stay, so that clang's line numbers are those of the source.
    const lines = this.source.slice(start, end).replace(/[^\n]/g, "");
    this.edits.push({ start, end, text: text + lines });
  }

  replaceToken(token: Token, text: string): void {
    this.replace(token.start, token.start + token.text.length, text);
  }

  insert(offset: number, text: string): void {
    this.edits.push({ start: offset, end: offset, text });
  }

  result(): string {
    let text = "";
    let at = 0;
    const sorted = this.edits.map((edit, order) => ({ ...edit, order }));
    sorted.sort((a, b) => a.start - b.start || a.end - b.end || a.order - b.order);
    for (const edit of sorted) {
      if (edit.start < at) continue;
      text += this.source.slice(at, edit.start) + edit.text;
      at = edit.end;
    }
    return text + this.source.slice(at);
  }
}

/** What the text itself declares, as far as reading needs to know it before clang does. */
interface Names {
  readonly types: Set<string>;
  readonly vectors: Set<string>;
  readonly templates: Set<string>;
  readonly members: Set<string>;
  /** Function constants and what is computed from them: constant, but not known when the text is compiled. */
  readonly functionConstants: Set<string>;
}

/**
 * First half of the Metal judge: what a C++ compiler cannot know (see metal-shim/README.md), and the rewriting into
 * the OpenCL C++ that clang is then asked about.
 */
export function checkMsl(source: string): Checked {
  const draft = new Draft(source);
  const tokens = tokenize(source);
  const bodies = readDirectives(draft, tokens);
  const code = tokens.filter(({ kind }) => kind !== "directive");
  const names = collectNames([code, ...bodies]);
  for (const body of [code, ...bodies]) {
    refuseTokens(draft, body);
    const angles = findAngles(body, names.templates);
    checkPointers(draft, body, angles, names);
    rewriteExpressions(draft, body, angles, names);
    rewriteMethodSpaces(draft, body);
  }
  checkTopLevel(draft, code, names);
  return { text: draft.result(), problems: draft.problems };
}

function readDirectives(draft: Draft, tokens: readonly Token[]): Token[][] {
  const bodies: Token[][] = [];
  let standard = false;
  for (const token of tokens) {
    if (token.kind !== "directive") continue;
    const line = token.text.replace(/\\\r?\n/g, " ").trim();
    const include = /^#\s*include\s*(.*)$/.exec(line);
    const pragma = /^#\s*pragma\s+(.*)$/.exec(line);
    const define = /^[ \t]*#\s*define\s+[A-Za-z_]\w*(?:\([^)]*\))?/.exec(token.text);
    if (include !== null) {
      const name = /^<([^>]+)>$/.exec(include[1]!)?.[1];
      if (name === undefined || !headers.has(name)) draft.refuse(token, `no header ${include[1]}`);
      if (name === "metal_stdlib") standard = true;
      else draft.replaceToken(token, "");
    } else if (pragma !== null) {
      const known =
        /^METAL\s+fp\s+(?:contract\s*\(\s*(?:off|on|fast)\s*\)|math_mode\s*\(\s*(?:safe|relaxed|fast)\s*\))$/.test(
          pragma[1]!,
        ) ||
        /^(?:unroll(?:\s*\(?\s*\d+\s*\)?)?|nounroll|once|clang\s+(?:loop\s+\w+\(\w+\)|diagnostic\s+(?:push|pop|ignored\s+"-W[\w-]+")))$/.test(
          pragma[1]!,
        );
      // How structs lie is the compiler's matter.
      const packs = /^pack\s*\(.*\)$/.test(pragma[1]!);
      if (!known && !packs) draft.refuse(token, `unknown pragma ${pragma[1]}`);
      if (!packs) draft.replaceToken(token, "");
    } else if (define !== null) {
      const start = token.start + define[0].length;
      renameForeign(draft, tokenize(draft.source, token.start + define[0].indexOf("define"), start));
      bodies.push(
        tokenize(draft.source, start, token.start + token.text.length).filter(
          ({ text }) => text !== "\\" && text !== "#",
        ),
      );
    } else if (/^#\s*(?:undef|ifdef|ifndef|if|elif)\b/.test(line)) {
      renameForeign(
        draft,
        tokenize(draft.source, token.start + token.text.indexOf("#") + 1, token.start + token.text.length),
      );
    }
  }
  if (!standard) draft.problems.push({ offset: 0, message: "#include <metal_stdlib> is missing" });
  return bodies;
}

function collectNames(lists: readonly (readonly Token[])[]): Names {
  const types = new Set(builtinTypes);
  const vectors = new Set([...vectorTypes, ...sharedVectorTypes]);
  const templates = new Set(builtinTemplates);
  const members = new Set<string>();
  for (const tokens of lists) {
    tokens.forEach(({ text }, i) => {
      const next = tokens[i + 1];
      if (/^(?:struct|class|union|enum|typename)$/.test(text)) {
        const name = text === "enum" && next?.text === "class" ? tokens[i + 2] : next;
        if (name?.kind === "word") types.add(name.text);
        const open = tokens.findIndex(({ text: t }, j) => j > i && (t === "{" || t === ";" || t === ")"));
        if (open >= 0 && tokens[open]!.text === "{" && text !== "enum") {
          const close = closing(tokens, open);
          for (let j = open + 1; j < close; j++) {
            const after = tokens[j + 1]!.text;
            if (tokens[j]!.kind === "word" && (after === ";" || after === "," || after === "[" || after === "="))
              members.add(tokens[j]!.text);
          }
        }
      } else if (text === "using" && tokens[i + 2]?.text === "=") {
        types.add(next!.text);
        const target = tokens[i + 3]?.text === "metal" ? tokens[i + 5] : tokens[i + 3];
        if (target !== undefined && (vectors.has(target.text) || target.text === "vec")) vectors.add(next!.text);
      } else if (text === "typedef") {
        const end = tokens.findIndex(({ text: t }, j) => j > i && t === ";");
        let name = end - 1;
        while (tokens[name]?.text === "]") while (name > i && tokens[name--]!.text !== "[");
        const declared = tokens[name]?.text;
        if (declared !== undefined) {
          types.add(declared);
          if (name === i + 2 && vectors.has(next!.text)) vectors.add(declared);
        }
      } else if (text === "template" && next?.text === "<") {
        let depth = 0;
        let j = i + 1;
        for (; j < tokens.length; j++) {
          const t = tokens[j]!.text;
          if (t === "<") depth++;
          else if (t === ">") depth--;
          else if (t === ">>") depth -= 2;
          if (depth <= 0) break;
        }
        const name = tokens.findIndex(({ text: t }, k) => k > j && (t === "(" || t === "{" || t === "=" || t === ";"));
        const tagged = /^(?:struct|class|union)$/.test(tokens[j + 1]?.text ?? "") ? tokens[j + 2] : undefined;
        const named = tagged ?? tokens[name - 1];
        if (named) templates.add(named.text);
      }
    });
  }
  // A macro that stands for a type is read as one.
  for (const tokens of lists.slice(1)) {
    const [only] = tokens;
    if (tokens.length === 1 && only !== undefined && types.has(only.text)) types.add(only.text);
  }
  return { types, vectors, templates, members, functionConstants: new Set() };
}

function refuseTokens(draft: Draft, tokens: readonly Token[]): void {
  tokens.forEach((token, i) => {
    const { kind, text } = token;
    const before = tokens[i - 1]?.text;
    const next = tokens[i + 1]?.text;
    if (kind === "unknown") draft.refuse(token, `stray character ${JSON.stringify(text)}`);
    const isFormat = before === "(" && tokens[i - 4]?.text === "os_log_default";
    if (kind === "literal" && text.startsWith('"') && !(before === "," && next === ")") && !isFormat)
      draft.refuse(token, "Metal kernels have no strings");
    if (kind === "number") refuseNumber(draft, token);
    if (kind === "punctuator" && text === "[" && next !== "[" && before !== "[") {
      const operand =
        before === ")" || before === "]" || before === ">" || before === "operator" || tokens[i - 1]?.kind === "word";
      if (!operand || before === "return") draft.refuse(token, "Metal has no lambda expressions");
    }
    if (text === "." || text === "->") {
      const member = tokens[i + 1];
      if (text === "->" && member?.kind !== "word") draft.refuse(token, "a member name is expected");
    }
    if (kind !== "word") return;
    const why = refusedWords.get(text);
    if (why !== undefined && !(text === "delete" && before === "=")) draft.refuse(token, why);
    if (text === "long" && next === "long") draft.refuse(token, "Metal has no long long");
    if (text === "if" && next === "constexpr") draft.refuse(token, "if constexpr is not C++14");
    if (
      text.startsWith("__") &&
      !/^__(?:METAL_VERSION__|METAL_\w+__|LINE__|FILE__|restrict|VA_ARGS__)$/.test(text) &&
      !isGnuAttribute(tokens, i)
    ) {
      draft.refuse(token, `${text} is reserved`);
    }
    if (/^(?:metal_shim|shim_|SHIM_|mslid_)/.test(text)) draft.refuse(token, `${text} is a name of the shim`);
    renameForeign(draft, [token]);
    if (atomicTypes.includes(text)) draft.replaceToken(token, `shim_${text}`);
  });
}

function renameForeign(draft: Draft, tokens: readonly Token[]): void {
  for (const token of tokens)
    if (token.kind === "word" && foreignWords.test(token.text)) draft.replaceToken(token, `mslid_${token.text}`);
}

/** `__attribute__((always_inline))` or `noinline`, `packed` and `aligned(n)`: the attributes of this spelling that Metal code uses. */
function isGnuAttribute(tokens: readonly Token[], i: number): boolean {
  const spelled = tokens.slice(i, i + 12).map(({ text }) => text);
  return /^__attribute__ \( \( (?:always_inline|noinline|(?:packed|aligned \( \d+ \))(?: , aligned \( \d+ \))?) \) \)/.test(
    spelled.join(" "),
  );
}

function refuseNumber(draft: Draft, token: Token): void {
  const text = token.text.replace(/'/g, "");
  const integer = /^(?:0[xX][\da-fA-F]+|0[bB][01]+|\d+)(?:[uU][lL]?|[lL][uU]?)?$/;
  const floating =
    /^(?:\d+\.\d*|\.\d+|\d+(?=[eE]))(?:[eE][+-]?\d+)?(?:[fFhH]|bf|BF)?$|^0[xX][\da-fA-F]*\.?[\da-fA-F]*[pP][+-]?\d+[fFhH]?$/;
  if (!integer.test(text) && !floating.test(text)) draft.refuse(token, `${token.text} is no Metal literal`);
  // See metal-shim/types.h.
  if (/bf$/i.test(text) && floating.test(text))
    draft.replace(token.start, token.start + token.text.length, text.replace(/bf$/i, "f16"));
}

/** Which `<`, `>` and `>>` are brackets: token index of each bracket to that of its partner. */
function findAngles(tokens: readonly Token[], templates: ReadonlySet<string>): Map<number, number> {
  const partner = new Map<number, number>();
  tokens.forEach((token, i) => {
    if (token.text !== "<" || partner.has(i)) return;
    const name = tokens[i - 1];
    if (name === undefined || !(name.text === "template" || templates.has(name.text))) return;
    const open = [i];
    let round = 0;
    for (let j = i + 1; j < tokens.length && open.length > 0; j++) {
      const { text } = tokens[j]!;
      if (text === "(") round++;
      else if (text === ")") round--;
      else if (text === ";" || text === "{") return;
      else if (round === 0 && text === "<") open.push(j);
      else if (round === 0 && (text === ">" || text === ">>")) {
        for (let k = 0; k < text.length; k++) {
          const opened = open.pop();
          if (opened === undefined) return;
          partner.set(opened, j);
          partner.set(j, opened);
        }
      }
    }
  });
  return partner;
}

/** The address space behind the parameters of a method: OpenCL C++ takes only keywords there. */
function rewriteMethodSpaces(draft: Draft, tokens: readonly Token[]): void {
  const keywords = new Map([
    ["thread", "__private"],
    ["threadgroup", "__local"],
    ["device", "__global"],
    ["constant", "__constant"],
  ]);
  tokens.forEach((token, i) => {
    const keyword = keywords.get(token.text);
    const before = tokens[i - 1]?.text === "const" ? tokens[i - 2] : tokens[i - 1];
    if (keyword && before?.text === ")" && /^(?:\{|;|const|noexcept)$/.test(tokens[i + 1]?.text ?? ""))
      draft.replaceToken(token, keyword);
  });
}

/** Every pointer and reference names the address space it points into. */
function checkPointers(
  draft: Draft,
  tokens: readonly Token[],
  angles: ReadonlyMap<number, number>,
  names: Names,
): void {
  function isTypeEnd(i: number): boolean {
    const token = tokens[i];
    if (token === undefined) return false;
    if (token.kind === "word")
      return names.types.has(token.text) || typeQualifiers.has(token.text) || addressSpaces.has(token.text);
    if (token.text !== ">" && token.text !== ">>") return false;
    const open = angles.get(i);
    return open !== undefined && !/^(?:template|as_type|\w+_cast)$/.test(tokens[open - 1]?.text ?? "");
  }
  /** Address-space words among the specifiers that end at `i`. */
  function spacesBefore(i: number): Token[] {
    const spaces: Token[] = [];
    for (let j = i; j >= 0; j--) {
      const token = tokens[j]!;
      if (token.text === ">" || token.text === ">>") {
        const open = angles.get(j);
        if (open === undefined) break;
        j = open;
      } else if (token.kind === "word") {
        if (/^(?:return|else|case|sizeof|typedef|using)$/.test(token.text)) break;
        if (addressSpaces.has(token.text)) spaces.push(token);
      } else if (token.text !== "::") break;
    }
    return spaces;
  }
  function require(i: number, typeEnd: number): void {
    const spaces = spacesBefore(typeEnd);
    const what = tokens[i]!.text === "*" ? "pointer" : "reference";
    if (spaces.length === 0) draft.refuse(tokens[i]!, `a ${what} without an address space`);
    else if (spaces.length > 1) draft.refuse(tokens[i]!, `a ${what} with ${spaces.length} address spaces`);
  }
  tokens.forEach((token, i) => {
    if (token.text === "&&" && isTypeEnd(i - 1)) {
      draft.refuse(token, "rvalue references are not checked");
      return;
    }
    if (token.text !== "*" && token.text !== "&") return;
    const before = tokens[i - 1]?.text;
    if (before === "operator") return;
    if (isTypeEnd(i - 1)) {
      require(i, i - 1);
    } else if (before === "(" && isTypeEnd(i - 2) && tokens[i + 2]?.text === ")" && tokens[i + 3]?.text === "[") {
      require(i, i - 2);
    } else if (before === "*" && isTypeEnd(i - 2)) {
      draft.refuse(token, "pointers to pointers are not checked");
    } else if (before === ",") {
      const start = declarationStart(tokens, i);
      if (start !== undefined && isTypeEnd(start)) {
        const comma = tokens.findIndex((t, j) => j > start && (t.text === "," || t.text === "="));
        const spaced = tokens.slice(start, comma).some(({ text }) => addressSpaces.has(text));
        if (!spaced) draft.refuse(token, "a pointer without an address space");
      }
    }
  });
}

/** First token of the statement that `i` stands in at depth 0; undefined inside brackets. */
function declarationStart(tokens: readonly Token[], i: number): number | undefined {
  let depth = 0;
  for (let j = i - 1; j >= 0; j--) {
    const { text } = tokens[j]!;
    if (text === ")" || text === "]") depth++;
    else if (text === "(" || text === "[") {
      if (depth === 0) return undefined;
      depth--;
    } else if (depth === 0 && (text === ";" || text === "{" || text === "}")) return j + 1;
  }
  return 0;
}

/** The operators and constructions that OpenCL C++ would take differently: see metal_shim's operators in types.h. */
function rewriteExpressions(
  draft: Draft,
  tokens: readonly Token[],
  angles: ReadonlyMap<number, number>,
  names: Names,
): void {
  tokens.forEach((token, i) => {
    const { text } = token;
    const end = token.start + text.length;
    const before = tokens[i - 1];
    if (token.kind === "punctuator" && before?.text !== "operator") {
      switch (text) {
        case "<":
        case ">":
          if (!angles.has(i)) draft.insert(end, ` metal_shim::cmp ${text} `);
          break;
        case "<=":
        case ">=":
        case "==":
        case "!=":
          draft.insert(end, ` metal_shim::cmp ${text} `);
          break;
        case "&&":
        case "||":
          draft.insert(end, ` metal_shim::lgc ${text} `);
          break;
        case "?":
          draft.insert(token.start, " || metal_shim::cnd ");
          break;
        case "!": {
          const last = operandEnd(tokens, i + 1, angles);
          if (last === undefined) draft.refuse(token, "the operand of ! is not understood");
          else {
            draft.replaceToken(token, " metal_shim::negate(");
            const { start, text: lastText } = tokens[last]!;
            draft.insert(start + lastText.length, ")");
          }
          break;
        }
      }
    }
    if (
      (text === "." || text === "->") &&
      foreignComponents.test(tokens[i + 1]?.text ?? "") &&
      !names.members.has(tokens[i + 1]!.text)
    ) {
      draft.refuse(tokens[i + 1]!, `Metal vectors have no component ${tokens[i + 1]!.text}`);
    }
    if (token.kind !== "word" || (!names.vectors.has(text) && text !== "vec")) return;
    const typeStart = before?.text === "::" && tokens[i - 2]?.text === "metal" ? tokens[i - 2]!.start : token.start;
    const typeEnd = tokens[i + 1]?.text === "<" ? angles.get(i + 1) : i;
    if (typeEnd === undefined) return;
    const after = tokens[typeEnd + 1];
    if (after?.text === "(" && before?.text !== "operator") {
      const isDeclarator =
        /^[*&]$/.test(tokens[typeEnd + 2]?.text ?? "") &&
        tokens[typeEnd + 4]?.text === ")" &&
        tokens[typeEnd + 5]?.text === "[";
      if (!isDeclarator) {
        draft.insert(typeStart, "metal_shim::construct<");
        draft.insert(tokens[typeEnd]!.start + tokens[typeEnd]!.text.length, ">");
      }
    }
    if (before?.text === "<" && tokens[i - 2]?.text === "static_cast")
      draft.replaceToken(tokens[i - 2]!, "metal_shim::construct");
    if (before?.text === "(" && after?.text === ")" && isCast(tokens, i - 1)) {
      if (tokens[typeEnd + 2]?.text === "(" && hasTopLevelComma(tokens, typeEnd + 2, closing(tokens, typeEnd + 2))) {
        // A vector in OpenCL C; in Metal a cast of the last operand of a comma.
        draft.refuse(token, "a vector is constructed with T(a, b), not (T)(a, b)");
      }
      // `(T)x` means `T(x)`; between vectors clang would take the bits.
      const last = operandEnd(tokens, typeEnd + 2, angles);
      if (last === undefined) draft.refuse(token, "the operand of the cast is not understood");
      else {
        draft.replaceToken(before, " metal_shim::construct<");
        draft.replaceToken(after, ">(");
        draft.insert(tokens[last]!.start + tokens[last]!.text.length, ")");
      }
    }
  });
}

/** Whether `(T)` with its parenthesis at `open` is followed by what it converts, and is not a parameter list. */
function isCast(tokens: readonly Token[], open: number): boolean {
  const before = tokens[open - 1];
  if (before === undefined) return true;
  if (before.kind === "word") return /^(?:return|case|else|do)$/.test(before.text);
  return before.text !== ")" && before.text !== "]" && before.text !== ">";
}

function hasTopLevelComma(tokens: readonly Token[], open: number, close: number): boolean {
  for (let i = open + 1; i < close; i++) {
    if (/^[([{]$/.test(tokens[i]!.text)) i = closing(tokens, i);
    else if (tokens[i]!.text === ",") return true;
    if (i < 0) return false;
  }
  return false;
}

/** Last token of the unary expression that begins at `i`. */
function operandEnd(tokens: readonly Token[], i: number, angles: ReadonlyMap<number, number>): number | undefined {
  const token = tokens[i];
  if (token === undefined) return undefined;
  if (/^(?:[-+!~*&]|\+\+|--)$/.test(token.text)) return operandEnd(tokens, i + 1, angles);
  let at = i;
  if (token.text === "(") {
    at = closing(tokens, i);
    if (at < 0) return undefined;
    const after = tokens[at + 1];
    // A cast goes on with its operand.
    if (after !== undefined && (after.kind === "word" || after.kind === "number"))
      return operandEnd(tokens, at + 1, angles);
  } else if (token.kind === "punctuator") {
    return undefined;
  }
  for (;;) {
    const next = tokens[at + 1];
    if (next === undefined) return at;
    if (next.text === "(" || next.text === "[" || (next.text === "{" && token.kind === "word" && at === i)) {
      at = closing(tokens, at + 1);
      if (at < 0) return undefined;
    } else if (next.text === "." || next.text === "->" || next.text === "::") {
      at += 2;
    } else if (next.text === "<" && angles.has(at + 1)) {
      at = angles.get(at + 1)!;
    } else if (next.text === "++" || next.text === "--") {
      at += 1;
    } else return at;
  }
}

/** Declarations at program scope: kernels, and variables only as constants. */
function checkTopLevel(draft: Draft, tokens: readonly Token[], names: Names): void {
  let i = 0;
  while (i < tokens.length) {
    const { text } = tokens[i]!;
    if (text === ";" || text === "}") {
      i++;
    } else if (text === "namespace") {
      const open = tokens.findIndex((t, j) => j > i && (t.text === "{" || t.text === ";"));
      i = open < 0 ? tokens.length : open + 1;
    } else {
      i = checkDeclaration(draft, tokens, i, names);
    }
  }
}

/** Returns the index after the declaration that begins at `start`. */
function checkDeclaration(draft: Draft, tokens: readonly Token[], start: number, names: Names): number {
  let i = start;
  let round = -1;
  let equals = -1;
  let body = -1;
  let isTemplate = false;
  for (; i < tokens.length; i++) {
    const { text } = tokens[i]!;
    if (text === ";") break;
    if (text === "=" && equals < 0) equals = i;
    if (text === "[" && tokens[i + 1]?.text === "[") {
      i = closing(tokens, i);
    } else if (text === "template") {
      isTemplate = true;
      const open = i + 1;
      let depth = 0;
      for (i = open; i < tokens.length; i++) {
        const t = tokens[i]!.text;
        depth += t === "<" ? 1 : t === ">" ? -1 : t === ">>" ? -2 : 0;
        if (depth <= 0) break;
      }
    } else if (text === "(" || text === "[" || text === "{") {
      if (text === "(" && round < 0 && equals < 0 && body < 0) round = i;
      if (text === "{" && body < 0) body = i;
      const close = closing(tokens, i);
      if (close < 0) {
        draft.refuse(tokens[i]!, `${text} is not closed`);
        return tokens.length;
      }
      const wasBody = text === "{" && equals < 0 && round >= 0;
      i = close;
      if (wasBody) break;
    }
    if (i < 0) return tokens.length;
  }
  const end = Math.min(i, tokens.length - 1);
  const declaration = tokens.slice(start, end + 1);
  const head = declaration[0]!.text;
  if (round >= 0 && isKernelHead(tokens.slice(start, round))) {
    if (isTemplate) draft.refuse(tokens[start]!, "template kernels are not checked");
    checkKernel(draft, tokens, start, round);
  } else if (round >= 0) {
    readAttributes(draft, tokens, start, end, () => "no attribute of Metal's belongs on a function that is no kernel");
  } else {
    const isType = /^(?:struct|class|union|enum|using|typedef|static_assert|template)$/.test(head);
    if (!isType) checkConstant(draft, tokens, start, end, equals, names);
    else {
      // Numbers of members of argument buffers (MSL 2.13), each once.
      const isArguments = (name: string): boolean => name === "id" && head === "struct";
      const ids = readAttributes(draft, tokens, start, end, (name) =>
        isArguments(name) ? undefined : `[[${name}]] is not checked here`,
      ).map((a) => a.argument);
      if (ids.some((n) => !/^\d+$/.test(n)) || new Set(ids).size < ids.length)
        draft.refuse(tokens[start]!, "[[id]] takes numbers, each once");
      const after = body < 0 ? undefined : tokens[closing(tokens, body) + 1];
      if (/^(?:struct|class|union|enum)$/.test(head) && after?.kind === "word")
        draft.refuse(after, "a variable beside a type at program scope is not checked");
    }
  }
  return end + 1;
}

/** A variable at program scope: in the constant address space, with a constant value or as a function constant. */
function checkConstant(
  draft: Draft,
  tokens: readonly Token[],
  start: number,
  end: number,
  equals: number,
  names: Names,
): void {
  const declarator = tokens.slice(start, equals < 0 ? end : equals);
  const space = declarator.find(({ text }) => text === "constant");
  if (space === undefined) {
    draft.refuse(tokens[start]!, "a variable at program scope that is not in the constant address space");
    return;
  }
  // In a length it multiplies.
  const length = declarator.findIndex(({ text }) => text === "[");
  if (declarator.slice(0, length < 0 ? undefined : length).some(({ text }) => text === "*" || text === "&")) {
    draft.refuse(tokens[start]!, "a pointer at program scope is not checked");
    return;
  }
  const attributes = readAttributes(draft, tokens, start, end, (name) =>
    name === "function_constant" ? undefined : `unknown attribute ${name}`,
  );
  for (const token of declarator) {
    if (token.text === "static" || token.text === "constexpr" || token.text === "const") draft.replaceToken(token, "");
  }
  if (attributes.length > 0) {
    if (equals >= 0) draft.refuse(tokens[equals]!, "a function constant has no initialiser");
    if (attributes.length > 1 || !/^\d+$/.test(attributes[0]!.argument))
      draft.refuse(tokens[start]!, "a function constant has one index");
    draft.replaceToken(space, "extern const ");
    const bracket = declarator.findIndex(({ text }) => text === "[");
    names.functionConstants.add(declarator[bracket - 1]!.text);
    return;
  }
  const hasBraces = declarator.some(({ text }) => text === "{");
  if (equals < 0 && !hasBraces) {
    draft.refuse(tokens[start]!, "a constant without a value");
    return;
  }
  const isFunctionConstant = ({ text }: Token) => names.functionConstants.has(text);
  const derived = equals >= 0 && tokens.slice(equals, end).some(isFunctionConstant);
  draft.replaceToken(space, derived ? "const " : "constexpr ");
  if (derived) names.functionConstants.add(tokens[equals - 1]!.text);
  const bracket = declarator.findIndex(({ text }) => text === "[");
  const types = declarator.filter(({ kind, text }) => kind === "word" && names.types.has(text));
  const isPlain = bracket < 0 && types.every(({ text }) => builtinTypes.has(text));
  if (isPlain) return;
  // Not a scalar or vector: passed on by address, so it has to be seen through the constant address space.
  const at =
    bracket >= 0
      ? bracket - 1
      : hasBraces
        ? declarator.findIndex(({ text }) => text === "{") - 1
        : declarator.length - 1;
  const name = declarator[at]!;
  draft.replaceToken(name, `shim_object_${name.text}`);
  const stop = tokens[end]!;
  draft.insert(
    stop.start + stop.text.length,
    ` auto& ${name.text} = metal_shim::as_constant(shim_object_${name.text});`,
  );
}
