/** How far the lines of a text are indented: bracket depth, statements and what continues them. */
import type { Facts } from "./roles.js";
import type { Token } from "./tokens.js";

const step = 2;
const continuation = 4;

interface Frame {
  readonly kind: "if" | "else" | "loop" | "do";
  readonly indent: number;
}

interface Level {
  readonly kind: "statements" | "declarations" | "switch" | "items";
  /** Indentation of what it holds, and of the bracket that closes it. */
  readonly content: number;
  readonly close: number;
  /** Index of that bracket's partner. */
  readonly opener: number;
  /** Heads of control statements whose bodies have not ended. */
  frames: readonly Frame[];
  /** The body of the innermost frame has ended: `else` may follow. */
  ended: boolean;
  inStatement: boolean;
  /** Indentation of the statement's first line. */
  statement: number;
  /** The statement is nothing but words and attributes so far, which may have lines of their own. */
  specifiers: boolean;
  /** `while` behind the body of `do`. */
  doTail: boolean;
  /**
   * The statement is `NAME(...)` so far: 1 after the name, 3 inside and 2 after the parentheses. Negative in the parameters
   * of `template <...>`, by their depth.
   */
  macro: number;
  firstWord: string;
}

export interface LayoutState {
  readonly levels: Level[];
  /** Indentation of the current line. */
  line: number;
  caseLabel: boolean;
}

function newLevel(kind: Level["kind"], content: number, close: number, opener: number): Level {
  return {
    kind,
    content,
    close,
    opener,
    frames: [],
    ended: false,
    inStatement: false,
    statement: content,
    specifiers: true,
    doTail: false,
    macro: 0,
    firstWord: "",
  };
}

export const firstLayout = (): LayoutState => ({
  levels: [newLevel("declarations", 0, 0, -1)],
  line: 0,
  caseLabel: false,
});

export const copyLayout = (state: LayoutState): LayoutState => ({
  ...state,
  levels: state.levels.map((level) => ({ ...level })),
});

const topOf = (state: LayoutState): Level => state.levels.at(-1)!;

/** The frames that are left when `token` begins a statement, and the indentation of what it continues. */
function resolve(level: Level, token: Token): { frames: readonly Frame[]; continues: Frame | undefined } {
  if (!level.ended) return { frames: level.frames, continues: undefined };
  const wanted = token.text === "else" ? "if" : token.text === "while" ? "do" : undefined;
  if (wanted === undefined) return { frames: [], continues: undefined };
  let at = level.frames.length - 1;
  while (at >= 0 && level.frames[at]!.kind !== wanted) at--;
  return at < 0
    ? { frames: [], continues: undefined }
    : { frames: level.frames.slice(0, at), continues: level.frames[at] };
}

/** Indentation of a line that begins with this token; nothing changes. */
export function indentOf(state: LayoutState, token: Token, facts: Facts): number {
  const level = topOf(state);
  if (facts.role === "close") {
    const index = closing(state, facts);
    return index === undefined ? level.content : state.levels[index]!.close;
  }
  if (level.kind === "items") return level.content;
  if (level.inStatement && !endsMacro(level, token)) {
    if (token.text === "{" || specifiersOnly(level)) return level.statement;
    return level.statement + continuation;
  }
  const { frames, continues } = resolve(level, token);
  if (continues) return continues.indent;
  const frame = frames.at(-1);
  if (frame) return token.text === "{" ? frame.indent : frame.indent + step;
  if (level.kind === "switch")
    return token.text === "case" || token.text === "default" ? level.content : level.content + step;
  return level.content;
}

/** A line that begins with this token goes on with a list or a statement, behind where that is indented. */
export function isContinuation(state: LayoutState, token: Token, facts: Facts): boolean {
  const level = topOf(state);
  if (facts.role === "close" || token.text === "{") return false;
  return level.kind === "items" || (level.inStatement && !endsMacro(level, token) && !specifiersOnly(level));
}

/** Indentation of a comment, or anything, before a directive, a closing bracket or the end. */
export function indentOfRest(state: LayoutState): number {
  const level = topOf(state);
  if (level.kind === "items") return level.content;
  if (level.inStatement) return specifiersOnly(level) ? level.statement : level.statement + continuation;
  const frame = level.ended ? undefined : level.frames.at(-1);
  if (frame) return frame.indent + step;
  return level.kind === "switch" ? level.content + step : level.content;
}

/** The level that a closing bracket ends; undefined where it closes nothing. */
function closing({ levels }: LayoutState, facts: Facts): number | undefined {
  if (facts.opener === undefined) return undefined;
  const index = levels.findLastIndex(({ opener }) => opener === facts.opener);
  return index > 0 ? index : undefined;
}

/** Nothing but attributes stands before, or outside of functions words of a declaration: they may have lines of their own. */
const specifiersOnly = (level: Level): boolean =>
  level.specifiers && (level.kind === "declarations" || level.firstWord === "");

/** A macro that stands for statements has no semicolon: a word cannot follow `NAME(...)` otherwise. */
const endsMacro = (level: Level, token: Token): boolean =>
  level.macro === 2 && token.newlines > 0 && token.class === "word";

/** Takes the token into account. `startsLine`: nothing but comments stands before it on its line, which is at `state.line`. */
export function advance(state: LayoutState, token: Token, facts: Facts, index: number, startsLine: boolean): void {
  let level = topOf(state);
  if (facts.role === "close") {
    const index = closing(state, facts);
    if (index !== undefined) {
      state.levels.length = index;
      level = topOf(state);
    }
    if (level.kind === "items") return;
    afterClosing(level, token, facts);
    return;
  }
  if (level.kind === "items") {
    if (facts.role === "open") open(state, token, facts, index, state.line);
    return;
  }
  if (level.inStatement && startsLine && endsMacro(level, token)) endStatement(level);
  if (!level.inStatement) begin(state, level, token, startsLine);
  const { text } = token;
  switch (facts.role) {
    case "open":
      if (text === "{") open(state, token, facts, index, level.statement);
      else {
        if (facts.bracket === "attribute") {
          // `__attribute__` is no first word of a statement.
          if (level.macro === 1) level.firstWord = "";
        } else level.specifiers = false;
        if (level.macro >= 0) level.macro = level.macro === 1 && text === "(" && facts.bracket === "call" ? 3 : 0;
        open(state, token, facts, index, state.line);
      }
      return;
    case "semicolon":
      return endStatement(level);
    case "labelColon":
      level.inStatement = false;
      return;
    case "keyword":
      if (text === "else" || text === "do") pushFrame(level, text);
      break;
    case "templateClose":
      // `template <...>` has a line of its own.
      if (level.macro < 0) {
        level.macro += text.length;
        if (level.macro >= 0) {
          level.macro = 0;
          level.inStatement = false;
        }
      }
      return;
    case "templateOpen":
      if (level.macro < 0) level.macro--;
      else level.macro = level.firstWord === "template" && level.macro === 1 ? -1 : 0;
      return;
    case "scope":
    case "declarator":
      if (level.macro > 0) level.macro = 0;
      return;
    case "type":
    case "operand":
    case "control":
      break;
    default:
      level.specifiers = false;
  }
  if (token.class !== "word") level.specifiers = false;
  if (level.macro === 0 && level.firstWord === "" && facts.role === "operand" && token.class === "word")
    level.macro = 1;
  else if (level.macro > 0) level.macro = 0;
  if (level.firstWord === "") level.firstWord = text;
}

function begin(state: LayoutState, level: Level, token: Token, startsLine: boolean): void {
  const { frames, continues } = resolve(level, token);
  const frame = frames.at(-1);
  if (continues) level.statement = startsLine ? continues.indent : state.line;
  else if (startsLine) level.statement = state.line;
  else level.statement = frame ? frame.indent : state.line;
  level.frames = frames;
  level.ended = false;
  level.inStatement = true;
  level.specifiers = true;
  level.doTail = continues?.kind === "do";
  level.macro = 0;
  level.firstWord = "";
}

function endStatement(level: Level): void {
  level.inStatement = false;
  level.ended = true;
}

/** `else if` is one frame: the next `else` belongs to it, and a long chain stays flat. */
function pushFrame(level: Level, kind: Frame["kind"]): void {
  const last = level.frames.at(-1);
  level.frames =
    kind === "if" && last?.kind === "else" && last.indent === level.statement
      ? [...level.frames.slice(0, -1), { kind, indent: last.indent }]
      : [...level.frames, { kind, indent: level.statement }];
  level.inStatement = false;
  level.ended = false;
}

function open(state: LayoutState, token: Token, facts: Facts, index: number, base: number): void {
  switch (facts.bracket) {
    case "block":
      state.levels.push(newLevel("statements", base + step, base, index));
      return;
    case "switch":
      state.levels.push(newLevel("switch", base + step, base, index));
      return;
    case "struct":
    case "namespace":
      state.levels.push(newLevel("declarations", base + step, base, index));
      return;
    default:
      state.levels.push(newLevel("items", base + (token.text === "{" ? step : continuation), base, index));
  }
}

/** What a closing bracket means for the statement in `level`, the level around it. */
function afterClosing(level: Level, token: Token, facts: Facts): void {
  if (token.text === "}") {
    if (facts.bracket === "block" || facts.bracket === "switch" || facts.bracket === "namespace") endStatement(level);
    // A block of constants needs no semicolon.
    level.macro = facts.bracket === "struct" ? 2 : 0;
    return;
  }
  if (facts.bracket === "control" && level.inStatement) {
    if (level.doTail) return;
    pushFrame(level, level.firstWord === "if" ? "if" : "loop");
    return;
  }
  if (level.macro === 3) level.macro = 2;
}
