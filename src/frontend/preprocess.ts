/**
 * The preprocessor of all dialects: from a file to the text the parser reads. Lines, and offsets where no macro is used,
 * stay what they were; comments and directives are blank. Included files are put in where their `#include` stands.
 */
import type { SourceForm } from "../dialects/ids.js";
import type { ReadingFacts } from "../dialects/language.js";
import { languageFacts, readingFacts } from "../dialects/languages.js";
import type { Code } from "../support/codes.js";
import { Problems, type Problem } from "../support/diagnostics.js";
import type { ExpandedSource } from "../support/expanded-source.js";
import { missingMacrosHelp } from "../support/host-macros.js";
import { Kind } from "../support/scan.js";
import { heapLimit } from "../support/heap-limit.js";
import type { Span } from "../support/span.js";
import { ConditionError, evaluateCondition } from "./condition.js";
import { ExpandedText } from "./expanded-text.js";
import { FileReader, type FoundInclude, type IncludedFile } from "./file-reader.js";
import { afterBlanksAndComments, withoutRawString } from "./raw-strings.js";
import {
  defineMacro,
  Expander,
  ExpansionError,
  ExpansionLimit,
  sameMacro,
  spell,
  tokensOf,
  type Macro,
  type PpToken,
} from "./macros.js";

export type { FoundInclude, IncludedFile };

export interface PreprocessOptions {
  readonly fileName: string;
  readonly form: SourceForm;
  /** Macros of the command line, `NAME` or `NAME(x)` to replacement. */
  readonly defines?: Readonly<Record<string, string>>;
  /** Macros the dialect's compiler defines. */
  readonly predefined?: Readonly<Record<string, string>>;
  /** `undefined`: there is no such file. `"pending"`: not known yet, the result is to be thrown away. */
  readonly include?: (path: string, from: string | undefined) => FoundInclude | undefined | "pending";
  /** Files that are read before the source, or after its `#version`. */
  readonly prelude?: readonly string[];
}

export interface Preprocessed {
  readonly expanded: ExpandedSource;
  readonly problems: readonly Problem[];
}

/** Limits against hostile input. Files that are read again, as headers that guard themselves are, count once; all of what is read is in the expanded text, as blanks where it does not count. */
const maxSourceLength = 4 * 1024 * 1024;
const maxExpandedLength = 16 * 1024 * 1024;
/** Of heap, for each character that is parsed: translation needed 110 to 150 at a time where it was measured (test/small-heap.test.ts). */
const heapPerCharacter = 200;
const maxIncludeDepth = 200;
const maxConditionDepth = 256;
const maxProblems = 50;

const moreHeap = "give Node more memory: NODE_OPTIONS=--max-old-space-size=4096";

/** Whether the text begins with the directive that says its version. */
const beginsWithVersion = (text: string): boolean =>
  /^#[ \t]*version\b/.test(text.slice(afterBlanksAndComments(text, 0)));

/** Ends the run: what follows would only repeat the problem. */
class Stop extends Error {}

interface Conditional {
  readonly directive: Span;
  /** The arm being read counts. */
  active: boolean;
  /** An arm has counted already. */
  taken: boolean;
  sawElse: boolean;
  /** Macros that its conditions asked for and that are not defined. */
  readonly missing: Set<string>;
  /** Where the skipped text begins in the file, and in the output. */
  dropped: number;
}

export function preprocess(source: string, options: PreprocessOptions): Preprocessed {
  return new Preprocessor(options).run(source);
}

class Preprocessor {
  private readonly output = new ExpandedText();
  private readonly problems = new Problems();
  private readonly macros = new Map<string, Macro>();
  /** Replacement texts that have not been looked at yet: most predefined macros never are. */
  private readonly lazy = new Map<string, string>();
  private readonly expander = new Expander((name) => this.macro(name));
  private readonly once = new Set<string>();
  private total = 0;
  /** Files that were read. */
  private readonly known = new Set<string>();
  private readonly heap = heapLimit() ?? Infinity;
  /** Characters of source that this heap is enough for. */
  private readonly mostForHeap = this.heap / heapPerCharacter;
  private includeCount = 0;
  /** Macros that the condition being read asks for in vain. */
  private missing = new Set<string>();
  /** Place of the token being looked at, for __LINE__ and __FILE__. */
  private current: FileReader | undefined;

  private readonly reading: ReadingFacts;

  constructor(private readonly options: PreprocessOptions) {
    this.reading = readingFacts(options.form);
    for (const [name, value] of Object.entries(options.predefined ?? {})) this.lazy.set(name, value);
  }

  run(source: string): Preprocessed {
    try {
      for (const [name, value] of Object.entries(this.options.defines ?? {})) {
        const macro = defineMacro(tokensOf(`${name} ${value}`), false);
        if ("error" in macro) this.problems.error("XL0002", `${macro.error} (given as '${name}')`);
        else this.macros.set(macro.name, macro);
      }
      this.file({ name: this.options.fileName, text: source }, 0);
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
    }
    return { expanded: this.output.finish(), problems: this.problems.list };
  }

  // ---------------------------------------------------------------- macros

  private macro(name: string): Macro | undefined {
    const macro = this.macros.get(name);
    if (macro) return macro;
    const text = this.lazy.get(name);
    if (text !== undefined) {
      const defined = defineMacro([{ kind: Kind.word, text: name, spaced: false }, ...spacedTokens(text)], false);
      this.lazy.delete(name);
      if ("error" in defined) throw new Error(`predefined macro '${name}': ${defined.error}`);
      this.macros.set(name, defined);
      return defined;
    }
    if (name === "__LINE__" || name === "__FILE__") {
      const reader = this.current!;
      const isLine = name === "__LINE__";
      const shown = isLine
        ? String(reader.presumedLine())
        : this.reading.files === "numbers"
          ? "0"
          : JSON.stringify(reader.presumedFile);
      const body: PpToken = {
        kind: isLine || shown === "0" ? Kind.integer : Kind.string,
        text: shown,
        spaced: false,
      };
      return { name, variadic: false, body: [body], ofSource: false };
    }
    return undefined;
  }

  private isDefined(name: string): boolean {
    const defined = this.macros.has(name) || this.lazy.has(name) || name === "__LINE__" || name === "__FILE__";
    if (!defined) this.missing.add(name);
    return defined;
  }

  private report(
    code: Code,
    message: string,
    span?: Span,
    severity: "error" | "warning" = "error",
    help?: string,
  ): void {
    if (severity === "error") this.problems.error(code, message, span, help === undefined ? {} : { help });
    else this.problems.warning(code, message, span);
    if (this.problems.list.length >= maxProblems) throw new Stop();
  }

  // ---------------------------------------------------------------- files

  private file(given: IncludedFile, depth: number): void {
    const source = { ...given, text: withoutRawString(given.text) };
    const index = this.output.files.push(source) - 1;
    this.checkText(source, index === 0);
    // Before its comments, which belong to what follows them.
    let waits = index === 0 && this.reading.directives.has("version") && beginsWithVersion(source.text);
    if (index === 0 && !waits) this.prelude();
    const reader = new FileReader(index, source, this.output, this.options.form, (code, message, span) =>
      this.report(code, message, span),
    );
    const outer = this.current;
    this.current = reader;
    const conditionals: Conditional[] = [];
    for (;;) {
      const kind = reader.next();
      if (kind === Kind.end) break;
      if (kind === Kind.sign && reader.atLineStart && reader.text() === "#") {
        this.directive(reader, conditionals, depth);
        if (waits) this.prelude();
        waits = false;
        const top = conditionals.at(-1);
        if (top && !top.active) this.skip(reader, conditionals);
      } else if (kind === Kind.word) this.word(reader);
      if (this.output.length > maxExpandedLength) {
        this.stop("XL0012", `the expanded text is longer than ${maxExpandedLength >> 20} MB`);
      }
      if (this.output.length > this.mostForHeap) {
        this.stop("XL0011", `the expanded text is longer than ${this.shownForHeap}`, moreHeap);
      }
    }
    reader.finish();
    for (const open of conditionals)
      this.report("XL0005", "the conditional is never closed with #endif", open.directive);
    this.current = outer;
  }

  private prelude(): void {
    for (const path of this.options.prelude ?? []) {
      const found = this.options.include?.(path, undefined);
      if (found === "pending") continue;
      if (found === undefined || "refused" in found || "missing" in found) {
        this.report("XL0006", `the prelude '${path}' is not found`);
        continue;
      }
      this.file({ ...found, text: found.text.endsWith("\n") ? found.text : `${found.text}\n` }, 1);
    }
  }

  private checkText(source: IncludedFile, isMain: boolean): void {
    if (!this.known.has(source.name)) this.total += source.text.length;
    this.known.add(source.name);
    const shown = isMain ? "the file" : `'${source.name}'`;
    const whole = isMain ? "the file is" : "the source with its includes is";
    if (this.total > maxSourceLength) this.stop("XL0011", `${whole} larger than ${maxSourceLength >> 20} MB`);
    if (this.total > this.mostForHeap) this.stop("XL0011", `${whole} larger than ${this.shownForHeap}`, moreHeap);
    const nul = source.text.indexOf("\0");
    if (nul >= 0 || looksBinary(source.text)) this.stop("XL0010", `${shown} is not a text file`);
    if (isMain && source.text.trim() === "") this.stop("XL0010", "the file is empty");
    const lost = source.text.indexOf("\ufffd");
    if (lost < 0) return;
    // In comments it harms nothing but them; elsewhere no token has such a character.
    const line = source.text.slice(0, lost).split("\n").length;
    const here = { start: this.output.length, end: this.output.length };
    this.problems.warning("XL0016", `${shown} has bytes that are no UTF-8, the first in line ${line}`, here, {
      help: "name the file's encoding: --encoding shift_jis, or windows-1252",
    });
  }

  /** Reports at the place that is reached, and ends the run. */
  private stop(code: Code, message: string, help?: string): never {
    const here = { start: this.output.length, end: this.output.length };
    this.problems.error(code, message, here, help === undefined ? {} : { help });
    throw new Stop();
  }

  /** Where memory ends, the process ends without a word: what does not fit is refused before. */
  private get shownForHeap(): string {
    const megabytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(1);
    return `${megabytes(this.mostForHeap)} MB, which is what ${megabytes(this.heap)} MB of memory are enough for`;
  }

  // ---------------------------------------------------------------- words

  private word(reader: FileReader): void {
    const name = reader.text();
    if (name === "_Pragma") {
      this.pragmaOperator(reader);
      return;
    }
    const macro = this.macro(name);
    if (!macro) return;
    const { start } = reader;
    const usePosition = reader.position;
    reader.beginUse();
    let tokens: readonly PpToken[] | undefined;
    try {
      tokens = this.expander.expandUse({ kind: Kind.word, text: name, spaced: false }, reader);
    } catch (error) {
      if (!(error instanceof ExpansionError || error instanceof ExpansionLimit)) throw error;
      reader.abandonUse({ start, end: usePosition });
      const at = reader.spanOf(start, usePosition);
      this.report(error instanceof ExpansionLimit ? "XL0012" : "XL0003", error.message, at);
      if (error instanceof ExpansionLimit) throw new Stop();
      return;
    }
    if (!tokens) {
      reader.abandonUse({ start, end: usePosition });
      return;
    }
    reader.endUse(name, start, spell(this.takePragmas(tokens, reader)));
  }

  /** `_Pragma("x")` that came out of a macro becomes a directive at the place of the use. */
  private takePragmas(tokens: readonly PpToken[], reader: FileReader): readonly PpToken[] {
    if (!tokens.some((token) => token.text === "_Pragma")) return tokens;
    const rest: PpToken[] = [];
    for (let at = 0; at < tokens.length; at++) {
      const [word, open, string, close] = tokens.slice(at, at + 4);
      if (word!.text === "_Pragma" && open?.text === "(" && string?.kind === Kind.string && close?.text === ")") {
        reader.pragma(string.text);
        at += 3;
      } else rest.push(word!);
    }
    return rest;
  }

  private pragmaOperator(reader: FileReader): void {
    const { start } = reader;
    const end = reader.position;
    reader.beginUse();
    const tokens = this.afterPragma(reader);
    if (tokens[0]?.text !== "(" || tokens[1]?.kind !== Kind.string || tokens[2]?.text !== ")") {
      reader.abandonUse({ start, end });
      this.report("XL0001", "_Pragma needs one string in parentheses", reader.spanOf(start, end));
      return;
    }
    reader.pragma(tokens[1].text);
    reader.endUse("_Pragma", start, "");
  }

  /** The three tokens of `("...")`, as far as there are any before the next directive. */
  private afterPragma(reader: FileReader): (PpToken | undefined)[] {
    try {
      return [reader.read(), reader.read(), reader.read()];
    } catch (error) {
      if (error instanceof ExpansionError) return [];
      throw error;
    }
  }

  // ---------------------------------------------------------------- directives

  private directive(reader: FileReader, conditionals: Conditional[], depth: number): void {
    const line = reader.directiveLine();
    const [word, ...rest] = line.tokens;
    const { span } = line;
    const name = word?.text ?? "";
    switch (name) {
      case "":
        return;
      case "define": {
        const macro = defineMacro(rest, true);
        if ("error" in macro) return this.report("XL0002", macro.error, span);
        const old = this.macro(macro.name);
        if (old && !sameMacro(old, macro)) this.report("XL0002", `macro '${macro.name}' is redefined`, span, "warning");
        this.macros.set(macro.name, macro);
        const { parameters, variadic } = macro;
        this.output.macros.delete(macro.name);
        this.output.macros.set(macro.name, {
          name: macro.name,
          ...(parameters ? { parameters } : {}),
          ...(variadic ? { variadic } : {}),
          body: spell(macro.body),
          offset: span.start,
        });
        return;
      }
      case "undef":
        if (rest.length !== 1 || rest[0]!.kind !== Kind.word)
          return this.report("XL0001", "#undef needs the name of one macro", span);
        this.macros.delete(rest[0]!.text);
        this.lazy.delete(rest[0]!.text);
        return;
      case "if":
      case "ifdef":
      case "ifndef": {
        if (conditionals.length >= maxConditionDepth) {
          this.report("XL0011", `conditionals are nested deeper than ${maxConditionDepth}`, span);
          throw new Stop();
        }
        this.missing = new Set();
        const active = this.condition(name, rest, span);
        conditionals.push({
          directive: span,
          active,
          taken: active,
          sawElse: false,
          missing: this.missing,
          dropped: reader.position,
        });
        return;
      }
      case "elif":
      case "elifdef":
      case "elifndef":
      case "else":
      case "endif":
        return this.otherArm(reader, conditionals, name, rest, span);
      case "include":
      case "import":
        return this.include(reader, line.text, rest, span, depth, name === "import");
      case "error":
        return this.errorDirective(line.text, span, conditionals.at(-1));
      case "warning":
        return this.report("XL0008", `#warning ${messageText(line.text)}`.trim(), span, "warning");
      case "pragma":
        if (rest[0]?.text === "once") this.once.add(reader.source.name);
        else this.output.directives.push({ kind: "pragma", text: line.text, span });
        return;
      case "line":
        return this.line(reader, rest, span, line.text);
      case "version":
        if (!this.reading.directives.has(name)) break;
        if (rest[0]?.kind !== Kind.integer) return this.report("XL0001", "#version needs a number", span);
        this.lazy.delete("__VERSION__");
        this.macros.set("__VERSION__", {
          name: "__VERSION__",
          variadic: false,
          body: [{ ...rest[0], spaced: false }],
          ofSource: false,
        });
        this.output.directives.push({ kind: "version", text: line.text, span });
        return;
      case "extension":
        if (!this.reading.directives.has(name)) break;
        if (
          rest[0]?.kind !== Kind.word ||
          rest[1]?.text !== ":" ||
          !/^(?:enable|require|warn|disable)$/.test(rest[2]?.text ?? "")
        ) {
          return this.report("XL0001", "#extension needs a name, a colon and require, enable, warn or disable", span);
        }
        this.output.directives.push({ kind: "extension", text: line.text, span });
        return;
    }
    if (word?.kind === Kind.integer) return this.line(reader, line.tokens, span, line.text);
    this.report("XL0001", `'#${name}' is no directive of ${languageFacts[this.options.form].name}`, span);
  }

  private errorDirective(text: string, span: Span, around: Conditional | undefined): void {
    const help = missingMacrosHelp([...(around?.missing ?? [])]);
    this.report("XL0007", `#error ${messageText(text)}`.trim(), span, "error", help);
  }

  private otherArm(
    reader: FileReader,
    conditionals: Conditional[],
    name: string,
    rest: readonly PpToken[],
    span: Span,
  ): void {
    const top = conditionals.at(-1);
    if (!top) return this.report("XL0005", `#${name} without #if`, span);
    if (name === "endif") {
      conditionals.pop();
      return;
    }
    if (top.sawElse) return this.report("XL0005", `#${name} after #else`, span);
    if (name === "else") {
      top.sawElse = true;
      top.active = !top.taken;
    } else {
      this.missing = top.missing;
      top.active = !top.taken && this.condition(name.slice(2), rest, span);
    }
    top.taken ||= top.active;
    top.dropped = reader.position;
  }

  private condition(name: string, rest: readonly PpToken[], span: Span): boolean {
    if (name !== "if") {
      if (rest.length < 1 || rest[0]!.kind !== Kind.word) {
        this.report("XL0001", `#${name} needs the name of a macro`, span);
        return false;
      }
      if (rest.length > 1)
        this.report("XL0001", `'${rest[1]!.text}' after the name in #${name} means nothing`, span, "warning");
      return this.isDefined(rest[0]!.text) === (name === "ifdef");
    }
    try {
      const expanded = this.expander.expandList(this.replaceQueries(rest, span));
      const { truthInConditions } = this.reading;
      return evaluateCondition(spell(this.replaceQueries(expanded, span)), (word) => {
        if (truthInConditions && word === "true") return 1n;
        this.missing.add(word);
        return undefined;
      });
    } catch (error) {
      if (error instanceof ConditionError || error instanceof ExpansionError)
        this.report("XL0004", error.message, span);
      else if (error instanceof ExpansionLimit) {
        this.report("XL0012", error.message, span);
        throw new Stop();
      } else throw error;
      return false;
    }
  }

  /** `defined X`, `__has_include(...)` and its like become 0 or 1 before macros are expanded. */
  private replaceQueries(tokens: readonly PpToken[], span: Span): readonly PpToken[] {
    if (!tokens.some((token) => token.text === "defined" || token.text.startsWith("__has_"))) return tokens;
    const result: PpToken[] = [];
    const put = (at: number, value: boolean): void => {
      result.push({ kind: Kind.integer, text: value ? "1" : "0", spaced: tokens[at]!.spaced });
    };
    for (let at = 0; at < tokens.length; at++) {
      const token = tokens[at]!;
      const next = tokens[at + 1];
      if (token.text === "defined") {
        if (next?.kind === Kind.word) put(at++, this.isDefined(next.text));
        else if (next?.text === "(" && tokens[at + 2]?.kind === Kind.word && tokens[at + 3]?.text === ")") {
          put(at, this.isDefined(tokens[at + 2]!.text));
          at += 3;
        } else throw new ConditionError("'defined' needs the name of a macro");
      } else if (
        /^__has_(?:include|attribute|builtin|feature|extension|cpp_attribute)$/.test(token.text) &&
        next?.text === "("
      ) {
        const close = tokens.findIndex((t, i) => i > at && t.text === ")");
        if (close < 0) throw new ConditionError(`'${token.text}' needs one argument in parentheses`);
        const argument = tokens
          .slice(at + 2, close)
          .map((t) => t.text)
          .join("");
        const isHeader = token.text === "__has_include" && this.hasInclude(argument, span);
        put(at, isHeader);
        at = close;
      } else result.push(token);
    }
    return result;
  }

  private hasInclude(argument: string, _span: Span): boolean {
    const path = argument.slice(1, -1);
    if (argument.startsWith("<") && this.reading.systemHeaders?.test(path) === true) return true;
    return this.options.include?.(path, this.current!.source.name) !== undefined;
  }

  /** What a directive says once its macros are expanded; undefined where they cannot be, which is reported. */
  private expandedRest(rest: readonly PpToken[], span: Span): readonly PpToken[] | undefined {
    try {
      return this.expander.expandList(rest);
    } catch (error) {
      if (!(error instanceof ExpansionError || error instanceof ExpansionLimit)) throw error;
      this.report(error instanceof ExpansionLimit ? "XL0012" : "XL0003", error.message, span);
      if (error instanceof ExpansionLimit) throw new Stop();
      return undefined;
    }
  }

  private line(reader: FileReader, rest: readonly PpToken[], span: Span, text: string): void {
    const tokens = this.expandedRest(rest, span);
    if (!tokens) return;
    const number = tokens[0];
    if (number?.kind !== Kind.integer || !/^[0-9]+$/.test(number.text))
      return this.report("XL0001", "#line needs a number", span);
    reader.presumeLine(Number(number.text), tokens[1]?.kind === Kind.string ? tokens[1].text.slice(1, -1) : undefined);
    this.output.directives.push({ kind: "line", text, span });
  }

  private include(
    reader: FileReader,
    text: string,
    rest: readonly PpToken[],
    span: Span,
    depth: number,
    isImport: boolean,
  ): void {
    let operand = /^#\s*\w+\s*([\s\S]*)$/.exec(text)![1]!.trim();
    if (!/^["<]/.test(operand)) {
      const expanded = this.expandedRest(rest, span);
      if (!expanded) return;
      operand = spell(expanded);
    }
    const match = /^"([^"\n]+)"$|^<([^>\n]+)>$/.exec(operand);
    if (!match) return this.report("XL0001", '#include needs "file" or <file>', span);
    const system = match[2] !== undefined;
    const path = (match[1] ?? match[2]!).trim();
    this.output.directives.push({ kind: "include", text, span });
    if (this.reading.systemHeaders?.test(path) === true) return;
    const found = this.options.include?.(path, reader.source.name);
    if (found === "pending") return;
    const shown = system ? `<${path}>` : `"${path}"`;
    if (found === undefined) return this.report("XL0006", `${shown} is not found`, span);
    if ("missing" in found)
      return this.problems.error("XL0006", `${shown} is not found`, span, { help: found.missing });
    if ("refused" in found) return this.problems.error("XL0006", `${shown} is not read`, span, { help: found.refused });
    if (this.once.has(found.name)) return;
    if (isImport) this.once.add(found.name);
    if (depth + 1 > maxIncludeDepth || ++this.includeCount > 10_000) {
      this.report("XL0011", `includes are nested deeper than ${maxIncludeDepth}, or there are too many`, span);
      throw new Stop();
    }
    this.file(found, depth + 1);
  }

  /** Passes over text that does not count, up to the directive that ends it. */
  private skip(reader: FileReader, conditionals: Conditional[]): void {
    const top = conditionals.at(-1)!;
    let from = reader.position;
    let nested = 0;
    for (let kind = reader.nextSkipped(); kind !== Kind.end; kind = reader.nextSkipped()) {
      if (kind !== Kind.sign || !reader.atLineStart || reader.text() !== "#") continue;
      const { start } = reader;
      const word = reader.peekWord();
      if (word.startsWith("if")) nested++;
      else if (word === "endif" && nested > 0) nested--;
      else if (nested === 0 && (word === "endif" || word.startsWith("el"))) {
        reader.dropTo(start, from);
        this.directive(reader, conditionals, 0);
        const now = conditionals.at(-1);
        if (now !== top || top.active) return;
        // The next arm is left out, too.
        from = reader.position;
      }
    }
    reader.dropTo(reader.source.text.length, from);
  }
}

/** The text of a message without the directive's name. */
const messageText = (text: string): string => text.replace(/^#\s*\w+\s*/, "");

function spacedTokens(text: string): PpToken[] {
  // `(x) ...` of a function-like predefined macro follows its name directly.
  const tokens = tokensOf(text);
  return tokens.map((token, i) => (i === 0 && !text.startsWith("(") ? { ...token, spaced: true } : token));
}

/** Control characters that no text holds. What decoding leaves of bytes that are no UTF-8 may be comments in another encoding. */
function looksBinary(text: string): boolean {
  let odd = 0;
  const end = Math.min(text.length, 4096);
  for (let at = 0; at < end; at++) {
    const c = text.charCodeAt(at);
    if (c < 32 && c !== 9 && c !== 10 && c !== 11 && c !== 12 && c !== 13) odd++;
  }
  return odd > 8 && odd * 20 > end;
}
