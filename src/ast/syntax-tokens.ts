import type { TemplateArgument } from "./syntax.js";
import type { Span } from "../support/span.js";

/** The tokens of one expanded text. */
export interface TokenTable {
  readonly count: number;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** One character per token, in the alphabet of the grammars. */
  readonly codes: string;
  readonly text: string;
  /** The spelling of a token. */
  spelling(token: number): string;
}

/** A range of tokens as Peggy's `range()` gives it. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

const operatorSigns: ReadonlySet<string> = new Set("*/%+-«<>≤≥≡≠&^|∧⊻∨,");

/** From token positions of a parse to spans and spellings. */
export class TokenReader {
  protected readonly starts: Int32Array;
  protected readonly ends: Int32Array;

  /** `base` is the index of the first token the parser sees: declarations may be parsed one by one. */
  constructor(
    protected readonly tokens: TokenTable,
    protected readonly base = 0,
  ) {
    this.starts = tokens.starts;
    this.ends = tokens.ends;
  }

  // ---------------------------------------------------------------- tokens

  protected span(range: Range): Span {
    const first = range.start + this.base;
    const last = range.end + this.base - 1;
    if (first < this.starts.length && last >= first) return { start: this.starts[first]!, end: this.ends[last]! };
    const at = first < this.tokens.count ? this.starts[first]! : this.tokens.text.length;
    return { start: at, end: at };
  }

  protected tokenSpan(token: number): Span {
    return { start: this.starts[token + this.base]!, end: this.ends[token + this.base]! };
  }

  protected word(token: number): string {
    return this.tokens.spelling(token + this.base);
  }

  protected code(token: number): string {
    return this.tokens.codes[token + this.base] ?? "";
  }

  /** Token spellings of a range without white space, `numeric_limits<float>`. */
  protected joined(range: Range): string {
    let text = "";
    for (let token = range.start; token < range.end; token++) text += this.word(token);
    return text;
  }

  isWord(token: number, word: string): boolean {
    return this.word(token) === word;
  }

  isTemplate(token: number): boolean {
    const code = this.code(token);
    return code === "g" || code === "h";
  }

  /** Whether dots stand beside an operator between the bracket before `token` and its partner. */
  isFold(token: number): boolean {
    const { codes } = this.tokens;
    if (!(this.dots ??= codes.includes("…"))) return false;
    let depth = 0;
    for (let at = token + this.base; at < codes.length; at++) {
      const code = codes[at]!;
      if ("([{".includes(code)) depth++;
      else if (")]}".includes(code) && depth-- === 0) return false;
      else if (code === "…" && depth === 0) return at === token + this.base || operatorSigns.has(codes[at - 1]!);
    }
    return false;
  }

  private dots: boolean | undefined;
  private readonly deadEnds = new Set<number>();

  isDeadEnd(token: number): boolean {
    return this.deadEnds.has(token);
  }

  private readonly lists = new Map<number, { readonly end: number; readonly list: readonly TemplateArgument[] }>();
  private listEnd = 0;

  /** Whether arguments of a template that begin there have been read. */
  isKnownList(token: number): boolean {
    const known = this.lists.get(token);
    if (known) this.listEnd = known.end;
    return known !== undefined;
  }

  isInKnownList(token: number): boolean {
    return token < this.listEnd;
  }

  knownList({ start }: Range): readonly TemplateArgument[] {
    return this.lists.get(start)!.list;
  }

  keptList({ start, end }: Range, list: readonly TemplateArgument[]): readonly TemplateArgument[] {
    this.lists.set(start, { end, list });
    return list;
  }

  /** Always false: the place is a dead end from now on. */
  deadEnd(token: number): boolean {
    this.deadEnds.add(token);
    return false;
  }
}
