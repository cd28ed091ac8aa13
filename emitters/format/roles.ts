/**
 * What each token is in its place: `-` before an operand or between two, `<` of a template or of a comparison, `{` of a
 * block or of a list. Decided from the tokens alone; where they do not say, the role is "unclear" and the author's
 * blanks stay.
 */
import type { Names } from "./names.js";
import { isCode } from "./tokens.js";
import type { Token } from "./tokens.js";

export type Role =
  | "operand"
  /** A type or a word that is part of one. */
  | "type"
  /** `if`, `for`, `while`, `switch`: parentheses follow. */
  | "control"
  /** A word after which an operand or a statement begins: `return`, `else`, `case`. */
  | "keyword"
  | "open"
  | "close"
  | "templateOpen"
  | "templateClose"
  | "binary"
  | "unary"
  | "postfix"
  | "declarator"
  | "comma"
  | "semicolon"
  | "ternary"
  /** Of `case`, `default`, labels and access words. */
  | "labelColon"
  /** Of base classes, bit-fields, semantics and registers. */
  | "colon"
  | "access"
  | "scope"
  | "unclear";

/** What a bracket encloses. */
export type BracketKind =
  /** `(` of `if`, `while`, and of macros with `;` inside. */
  | "control"
  /** `(` of a call, a macro or a constructor. */
  | "call"
  | "parameters"
  /** `(` after no name. */
  | "group"
  /** `__attribute__((`, `[[`, `[numthreads(`, `layout(`. */
  | "attribute"
  | "index"
  | "template"
  | "block"
  | "switch"
  /** Of a struct, class, union, interface block. */
  | "struct"
  | "namespace"
  | "enumerators"
  /** Initialisers. */
  | "list";

export interface Facts {
  readonly role: Role;
  /** Of brackets, opening and closing. */
  readonly bracket?: BracketKind;
  /** Index of the bracket that opens it, for closing ones. */
  readonly opener?: number;
  /** A closing parenthesis around nothing but a type. */
  readonly cast?: boolean;
  /** Blanks around it are the author's, since a macro makes text of them. */
  readonly kept?: boolean;
}

interface Level {
  readonly kind: BracketKind;
  readonly open: string;
  readonly index: number;
  /** The word before `(`. */
  readonly word: string;
  /** Tokens of the statement or the item so far. */
  count: number;
  firstWord: string;
  onlyWords: boolean;
  /** It has operators of expressions, or `return`. */
  expression: boolean;
  hasParentheses: boolean;
  head: "" | "struct" | "enum" | "namespace";
  questions: number;
  inCase: boolean;
  /** Words of a possible cast. */
  castWords: number;
  castKnown: boolean;
  castLike: boolean;
  keepBlanks: boolean;
}

interface State {
  readonly levels: Level[];
  previous: { readonly token: Token; readonly facts: Facts } | undefined;
  beforeThat: { readonly token: Token; readonly facts: Facts } | undefined;
}

const control = new Set(["if", "for", "while", "switch", "catch"]);
const keywords = new Set([
  "return",
  "else",
  "do",
  "case",
  "default",
  "goto",
  "try",
  "discard",
  "throw",
  "new",
  "delete",
  "co_return",
  "precision",
]);
const attributeWords = new Set([
  "__attribute__",
  "__attribute",
  "alignas",
  "_Alignas",
  "layout",
  "decltype",
  "typeof",
  "__typeof__",
  "__declspec",
]);
const structWords = new Set(["struct", "class", "union", "cbuffer", "tbuffer", "interface"]);
const assignments = new Set(["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="]);
const alwaysBinary = new Set([
  ...assignments,
  "/",
  "%",
  "|",
  "^",
  "||",
  "^^",
  "==",
  "!=",
  "<=",
  ">=",
  "<<",
  ">>",
  "<",
  ">",
]);

function newLevel(kind: BracketKind, open: string, index: number, word: string, keepBlanks: boolean): Level {
  return {
    kind,
    open,
    index,
    word,
    keepBlanks,
    count: 0,
    firstWord: "",
    onlyWords: true,
    expression: false,
    hasParentheses: false,
    head: "",
    questions: 0,
    inCase: false,
    castWords: 0,
    castKnown: false,
    castLike: true,
  };
}

const copyOf = (state: State): State => ({ ...state, levels: state.levels.map((level) => ({ ...level })) });

/** The facts of every token; of comments and directives, `undefined`. */
export function rolesOf(tokens: readonly Token[], names: Names): readonly (Facts | undefined)[] {
  return new Roles(tokens, names).run();
}

class Roles {
  private readonly facts: (Facts | undefined)[] = [];
  private readonly angles = new Map<number, Role>();
  /** Index of the next code token. */
  private readonly nextCode: Int32Array;
  private state: State = {
    levels: [newLevel("namespace", "", -1, "", false)],
    previous: undefined,
    beforeThat: undefined,
  };

  constructor(
    private readonly tokens: readonly Token[],
    private readonly names: Names,
  ) {
    this.nextCode = new Int32Array(tokens.length + 1).fill(tokens.length);
    for (let i = tokens.length - 1; i >= 0; i--) this.nextCode[i] = isCode(tokens[i]!) ? i : this.nextCode[i + 1]!;
  }

  run(): readonly (Facts | undefined)[] {
    const conditionals = new Conditionals<State>(copyOf);
    for (const [i, token] of this.tokens.entries()) {
      if (token.class === "directive") this.state = conditionals.pass(token.text, this.state);
      if (!isCode(token)) {
        this.facts.push(undefined);
        continue;
      }
      if (this.endsMacro(token)) restart(this.level);
      const level = this.level;
      const facts = this.factsOf(token, i);
      this.facts.push(level.keepBlanks || this.level.keepBlanks ? { ...facts, kept: true } : facts);
      this.note(token, i, facts, level);
      this.state.beforeThat = this.state.previous;
      this.state.previous = { token, facts };
    }
    return this.facts;
  }

  private get level(): Level {
    return this.state.levels.at(-1)!;
  }

  private after(index: number): Token | undefined {
    return this.tokens[this.nextCode[index + 1]!];
  }

  private get inBody(): boolean {
    return this.state.levels.some(({ kind }) => kind === "block" || kind === "switch");
  }

  /** A macro that stands for statements has no semicolon: a word on the next line begins something else. */
  private endsMacro(token: Token): boolean {
    const { level } = this;
    const { previous } = this.state;
    const inStatements = level.open === "" || (level.open === "{" && !isList(level));
    return (
      inStatements &&
      level.count === 3 &&
      token.class === "word" &&
      token.newlines > 0 &&
      previous?.token.text === ")" &&
      previous.facts.bracket === "call" &&
      level.firstWord !== ""
    );
  }

  /** Updates the level that the token stands in (for a closing bracket, the level around it). */
  private note(token: Token, index: number, facts: Facts, before: Level): void {
    const level = facts.role === "open" || facts.role === "templateOpen" ? before : this.level;
    const { text } = token;
    switch (facts.role) {
      case "semicolon":
        return restart(level);
      case "comma":
        if (level.open !== "" && level.open !== "{") restart(level);
        else if (isList(level)) restart(level);
        return;
      case "labelColon":
        return restart(level);
      case "open":
        if (facts.bracket === "attribute") return;
        break;
      case "close":
        if (facts.bracket === "block" || facts.bracket === "switch" || facts.bracket === "namespace")
          return restart(level);
        if (facts.bracket === "control") return restart(level);
        if (facts.bracket === "struct" && this.after(index)?.text !== ";" && (this.after(index)?.newlines ?? 1) > 0)
          return restart(level);
        // `[numthreads(8, 8, 1)]` stands before the statement proper.
        if (facts.bracket === "attribute") return;
        if (text === ")") level.hasParentheses = true;
        break;
      case "templateClose":
        if (
          this.tokens[facts.opener!] &&
          this.facts[facts.opener!]?.bracket === "template" &&
          level.firstWord === "template" &&
          level.count <= 2
        ) {
          return restart(level);
        }
        break;
      case "binary":
      case "unary":
      case "postfix":
      case "ternary":
      case "keyword":
        level.expression = true;
        break;
      default:
        break;
    }
    level.count++;
    if (token.class === "word") {
      if (level.firstWord === "") level.firstWord = text;
      if (text === "enum") level.head = "enum";
      else if (structWords.has(text)) level.head ||= "struct";
      else if (text === "namespace" || (text === "extern" && level.count === 1)) level.head = "namespace";
      if (level.open === "(") {
        level.castWords++;
        if (facts.role === "type") level.castKnown = true;
        else if (facts.role !== "operand") level.castLike = false;
      }
    } else if (facts.role === "declarator") level.castKnown = true;
    else if (facts.role !== "scope" && facts.bracket !== "template") level.castLike = false;
    if (token.class !== "word" && facts.role !== "scope" && facts.role !== "declarator" && facts.bracket !== "template")
      level.onlyWords = false;
    if (text === "case" || text === "default") level.inCase = true;
  }

  private factsOf(token: Token, index: number): Facts {
    switch (token.class) {
      case "word":
        return { role: this.wordRole(token.text) };
      case "number":
      case "string":
        return { role: "operand" };
      case "sign":
        return this.sign(token.text, index);
      default:
        return { role: "unclear" };
    }
  }

  private wordRole(word: string): Role {
    const before = this.state.previous?.facts.role;
    if (before === "access") return "operand";
    if (control.has(word)) return "control";
    if (keywords.has(word)) return "keyword";
    if (word === "operator") return "unclear";
    if (word === "constexpr" && before === "control") return "control";
    if (this.names.isType(word) || this.names.precedesType(word)) return "type";
    // An unknown word behind `const` or `device`, where a declared name would have no type before it.
    const previous = this.state.previous?.token.text ?? "";
    if (before === "type" && this.names.precedesType(previous) && !this.typeBefore()) return "type";
    return "operand";
  }

  /** Whether the words directly before already name a type: the next word is what is declared. */
  private typeBefore(): boolean {
    const { previous, beforeThat } = this.state;
    if (previous?.facts.role !== "type") return false;
    if (this.names.isType(previous.token.text)) return true;
    return beforeThat?.facts.role === "type" && !this.names.precedesType(beforeThat.token.text);
  }

  private sign(text: string, index: number): Facts {
    switch (text) {
      case "(":
      case "[":
      case "{":
        return this.open(text, index);
      case ")":
      case "]":
      case "}":
        return this.close(text);
      case ",":
        return { role: "comma" };
      case ";":
        return this.semicolon();
      case "?":
        this.level.questions++;
        return { role: "ternary" };
      case ":":
        return this.colon();
      case ".":
      case "->": {
        // Behind a number it may belong to the number.
        const before = this.state.previous?.token;
        return { role: before?.class === "number" || before?.text === "." ? "unclear" : "access" };
      }
      case "::":
        return { role: "scope" };
      case "<":
      case ">":
      case ">>": {
        const facts = this.angle(text, index);
        if (facts) return facts;
        break;
      }
      case "#":
      case "##":
      case "@":
      case "...":
        return { role: "unclear" };
      default:
        break;
    }
    if (this.continuesNumber(text, index)) return { role: "unclear" };
    if (this.state.previous?.token.text === "operator" || this.outsideCode(text)) return { role: "unclear" };
    if (alwaysBinary.has(text)) return { role: "binary" };
    if (text === "!" || text === "~") return { role: "unary" };
    const operand = this.afterOperand();
    if (text === "++" || text === "--") {
      const next = this.after(index);
      const beforeOperand = next !== undefined && (next.class === "word" || next.text === "(") && next.newlines === 0;
      return { role: operand !== "no" && !beforeOperand ? "postfix" : "unary" };
    }
    if (operand === "no") return { role: "unary" };
    if (text === "+" || text === "-" || !this.names.hasPointers)
      return { role: operand === "yes" ? "binary" : "unclear" };
    return { role: this.starRole(text, index, operand) };
  }

  /** `0xe-1`, which C reads as one wrong number. */
  private continuesNumber(text: string, index: number): boolean {
    const before = this.state.previous?.token;
    return (
      before?.class === "number" &&
      !this.tokens[index]!.spaced &&
      "+-".includes(text[0]!) &&
      /[eEpP]$/.test(before.text)
    );
  }

  /** An operator behind the first word of a declaration: what some tool will replace, like `__embed_some-file.h__`. */
  private outsideCode(text: string): boolean {
    const level = this.level;
    const declares = level.open === "" || level.kind === "namespace" || level.kind === "struct";
    return (
      declares &&
      level.count === 1 &&
      level.onlyWords &&
      this.state.previous?.facts.role === "operand" &&
      !"*&=~".includes(text[0]!)
    );
  }

  /** `>` and others also end statements of macros that hold one: `FOR(int i = 0; i < n; ++i)`. */
  private semicolon(): Facts {
    const level = this.level;
    if (level.open === "(" && level.kind === "call") {
      this.state.levels[this.state.levels.length - 1] = { ...level, kind: "control" };
    }
    return { role: "semicolon" };
  }

  /** Whether an operand has just ended, so that an operator between two follows. */
  private afterOperand(): "yes" | "no" | "unclear" {
    const { previous } = this.state;
    if (!previous) return "no";
    const { role, bracket, cast } = previous.facts;
    switch (role) {
      case "operand":
      case "type":
      case "postfix":
      case "templateClose":
      case "declarator":
        return "yes";
      case "unclear":
        return "unclear";
      case "close":
        if (
          bracket === "block" ||
          bracket === "switch" ||
          bracket === "namespace" ||
          bracket === "struct" ||
          bracket === "control"
        )
          return "no";
        if (bracket === "attribute") return this.level.count === 0 ? "no" : "yes";
        if (cast === true) return "no";
        return bracket === "group" && cast === undefined && this.names.hasCasts ? "unclear" : "yes";
      default:
        return "no";
    }
  }

  /** `*`, `&`, `&&` behind an operand or a type. */
  private starRole(text: string, index: number, operand: "yes" | "unclear"): Role {
    const { previous, beforeThat } = this.state;
    const { token, facts } = previous!;
    const level = this.level;
    const next = this.after(index);
    if (facts.role === "declarator") return "declarator";
    if (facts.role === "type") return "declarator";
    const ends =
      next === undefined ||
      next.text === ")" ||
      next.text === "," ||
      next.text === ">" ||
      next.text === ">>" ||
      next.text === "*";
    if (facts.role === "templateClose") return this.inBody && level.expression && !ends ? "binary" : "declarator";
    if (facts.role === "close" && facts.bracket === "attribute") return "declarator";
    if (operand === "unclear") return "unclear";
    if (facts.role === "close" || token.class !== "word") return "binary";
    if (next && (next.text === ")" || next.text === "," || next.text === ">" || next.text === ">>"))
      return "declarator";
    if (level.expression || level.kind === "index" || level.kind === "attribute" || level.kind === "template")
      return "binary";
    if (beforeThat?.facts.role === "unclear") return "unclear";
    const opensStatement =
      level.open === "" ||
      level.kind === "block" ||
      level.kind === "switch" ||
      level.kind === "struct" ||
      level.kind === "namespace" ||
      level.word === "for";
    if (opensStatement && level.onlyWords && level.count > 0) {
      return next && (next.class === "word" || next.text === "*" || next.text === "(") ? "declarator" : "binary";
    }
    if (this.inBody) return "binary";
    if (level.kind === "parameters" && level.onlyWords) return "declarator";
    return text === "&&" ? "binary" : "unclear";
  }

  private colon(): Facts {
    const level = this.level;
    if (level.questions > 0) {
      level.questions--;
      return { role: "ternary" };
    }
    if (level.inCase) return { role: "labelColon" };
    const inStatement = level.open === "" || level.open === "{";
    if (inStatement && !isList(level) && level.count === 1 && this.state.previous?.token.class === "word")
      return { role: "labelColon" };
    return { role: "colon" };
  }

  private open(text: "(" | "[" | "{", index: number): Facts {
    const { previous } = this.state;
    const word = previous?.token.class === "word" ? previous.token.text : "";
    const kind = text === "(" ? this.parenthesisKind(word) : text === "[" ? this.squareKind(index) : this.braceKind();
    const outer = this.level;
    this.state.levels.push(
      newLevel(kind, text, index, word, outer.keepBlanks || (text === "(" && this.names.stringMacros.has(word))),
    );
    return { role: "open", bracket: kind };
  }

  private parenthesisKind(word: string): BracketKind {
    const { previous } = this.state;
    const level = this.level;
    if (previous?.facts.role === "control") return "control";
    if (level.kind === "attribute" && word !== "") return "attribute";
    if (attributeWords.has(word)) return "attribute";
    if (
      previous?.facts.role === "keyword" ||
      (word === "" && previous?.facts.role !== "templateClose" && previous?.facts.role !== "unclear")
    )
      return "group";
    if (!this.inBody && level.open !== "(" && !level.expression && level.count >= 2) return "parameters";
    return "call";
  }

  private squareKind(index: number): BracketKind {
    const { previous } = this.state;
    if (previous?.token.text === "[" && this.level.kind === "attribute") return "attribute";
    if (this.after(index)?.text === "[") return "attribute";
    const level = this.level;
    return level.count === 0 && (level.open === "" || (level.open === "{" && !isList(level))) ? "attribute" : "index";
  }

  private braceKind(): BracketKind {
    const { previous } = this.state;
    const level = this.level;
    if (!previous) return "block";
    const { token, facts } = previous;
    if (level.open !== "" && level.open !== "{") return "list";
    if (isList(level)) return "list";
    if (facts.role === "close" && facts.bracket === "control")
      return this.wordOf(facts) === "switch" ? "switch" : "block";
    if (level.head === "enum") return "enumerators";
    if (level.head === "struct" && !level.hasParentheses && !level.expression) return "struct";
    if (level.head === "namespace") return "namespace";
    if (level.count === 0 || facts.role === "keyword") return token.text === "return" ? "list" : "block";
    if (facts.role === "close" && token.text === ")") return facts.bracket === "group" ? "list" : "block";
    if (level.expression) return "list";
    if (this.inBody)
      return level.count === 1 && token.class === "word" && !this.names.isType(token.text) ? "block" : "list";
    if (level.hasParentheses) return "block";
    // `buffer Data { ... }` of GLSL
    return this.names.hasPointers || token.class !== "word" ? "list" : "struct";
  }

  /** The word before the parenthesis that `facts` closes. */
  private wordOf(facts: Facts): string {
    for (let i = facts.opener! - 1; i >= 0; i--) if (isCode(this.tokens[i]!)) return this.tokens[i]!.text;
    return "";
  }

  private close(text: ")" | "]" | "}"): Facts {
    const { levels } = this.state;
    const opening = text === ")" ? "(" : text === "]" ? "[" : "{";
    let at = levels.length - 1;
    while (at > 0 && levels[at]!.open !== opening) at--;
    // Nothing it closes: the brackets around it stay open.
    if (at === 0) return { role: "close", bracket: text === "}" ? "block" : "group" };
    const level = levels[at]!;
    levels.length = at;
    const facts: Facts = { role: "close", bracket: level.kind, opener: level.index };
    if (level.kind !== "group") return facts;
    if (!level.castLike || level.castWords === 0) return { ...facts, cast: false };
    // A single unknown word: `(T)-x` or `(a)-x`.
    return level.castKnown ? { ...facts, cast: true } : level.castWords > 1 ? { ...facts, cast: false } : facts;
  }

  private angle(text: string, index: number): Facts | undefined {
    const { levels, previous } = this.state;
    if (text === "<") {
      if (!this.angles.has(index)) this.matchAngles(index);
      const role = this.angles.get(index);
      if (role === "templateOpen") {
        levels.push(newLevel("template", "<", index, previous?.token.text ?? "", this.level.keepBlanks));
        return { role, bracket: "template" };
      }
      return role === undefined || role === "binary" ? undefined : { role };
    }
    if (this.angles.get(index) === "unclear") return { role: "unclear" };
    if (this.level.open !== "<") return undefined;
    const opener = this.level.index;
    levels.pop();
    if (text === ">>" && this.level.open === "<") {
      const outer = this.level.index;
      levels.pop();
      return { role: "templateClose", bracket: "template", opener: outer };
    }
    return { role: "templateClose", bracket: "template", opener };
  }

  /** Decides whether the `<` at `index` opens template arguments, and notes what it and its `>` are. */
  private matchAngles(index: number): void {
    this.angles.set(index, "binary");
    const { previous, beforeThat } = this.state;
    if (!this.names.hasTemplates || previous?.token.class !== "word" || previous.token.text === "operator") return;
    const word = previous.token.text;
    const known = word === "template" || this.names.isTemplate(word, beforeThat?.facts.role === "access");
    const depths: ("<" | "(" | "[")[] = ["<"];
    let commas = 0;
    let types = false;
    let simple = true;
    let last = "";
    let end = -1;
    for (
      let i = this.nextCode[index + 1]!, seen = 0;
      i < this.tokens.length && seen < 600;
      i = this.nextCode[i + 1]!, seen++
    ) {
      const { text, class: class_ } = this.tokens[i]!;
      const top = depths.at(-1);
      const typeOf = last === "decltype";
      last = text;
      if (text === "<") {
        if (top !== "<") simple = false;
        else depths.push("<");
      } else if (text === ">" || text === ">>") {
        if (top === "<") {
          depths.pop();
          if (text === ">>" && depths.length > 0 && depths.at(-1) === "<") depths.pop();
          if (depths.length === 0) {
            end = i;
            break;
          }
        } else simple = false;
      } else if (text === "(" || text === "[") {
        if (!typeOf) simple = false;
        depths.push(text);
      } else if (text === ")" || text === "]") {
        if (top !== (text === ")" ? "(" : "[")) return;
        depths.pop();
      } else if (text === ";" || text === "{" || text === "}" || text === "&&" || text === "||" || text === "?") return;
      else if (assignments.has(text) && word !== "template") return;
      else if (text === ",") {
        if (depths.length === 1) commas++;
      } else if (class_ === "word") {
        if (this.names.isType(text) || text === "decltype") types = true;
      } else if (text !== "::" && text !== "*" && text !== "&" && class_ !== "number") simple = false;
    }
    if (end === -1) return;
    if (known || (types && simple)) {
      this.angles.set(index, "templateOpen");
      return;
    }
    const next = this.after(end);
    if (!simple || next === undefined || next.class === "number") return;
    const opensStatement = this.level.onlyWords && this.level.open !== "(" && this.level.count === 1;
    if (commas === 0 || opensStatement) {
      if (next.class === "word" || next.text === "(" || next.text === "::" || next.text === "{")
        this.angles.set(index, "templateOpen");
      return;
    }
    this.angles.set(index, "unclear");
    this.angles.set(end, "unclear");
  }
}

const isList = ({ kind }: Level): boolean => kind === "list" || kind === "enumerators";

function restart(level: Level): void {
  Object.assign(level, newLevel(level.kind, level.open, level.index, level.word, level.keepBlanks));
}

/** Keeps a state through `#if`, `#else` and `#endif`: branches start alike, and the first decides what follows. */
export class Conditionals<S> {
  private readonly open: { start: S; first: S | undefined; skipped: boolean }[] = [];

  constructor(private readonly copy: (state: S) => S) {}

  pass(directive: string, state: S): S {
    const word = /#[ \t]*(\w*)(?:[ \t]+0[ \t]*$)?/.exec(directive);
    if (!word) return state;
    const top = this.open.at(-1);
    switch (word[1]) {
      case "if":
      case "ifdef":
      case "ifndef":
        this.open.push({
          start: this.copy(state),
          first: undefined,
          skipped: /^#[ \t]*if[ \t]+0[ \t]*$/.test(directive),
        });
        return state;
      case "else":
      case "elif":
        if (!top) return state;
        if (top.skipped) top.skipped = false;
        else top.first ??= this.copy(state);
        return this.copy(top.start);
      case "endif":
        this.open.pop();
        if (top?.skipped) return this.copy(top.start);
        return top?.first ?? state;
      default:
        return state;
    }
  }
}
