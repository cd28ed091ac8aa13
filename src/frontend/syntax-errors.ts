/**
 * Finds the independent errors of a text that does not parse: declarations are tried one by one, and in a failing one the
 * statement with the error is taken out and the rest tried again. Runs only when there is an error to find.
 */
import type { Unsupported } from "../ast/syntax-builders.js";
import type { TokenTable } from "../ast/syntax-tokens.js";
import type { Declaration } from "../ast/syntax.js";
import { append } from "../support/append.js";
import type { Problem } from "../support/diagnostics.js";
import type { Span } from "../support/span.js";
import { keywords } from "./alphabet-names.js";
import { signs } from "./generated/alphabet.js";
import type { Prescan } from "./prescan.js";
import { keywordCode, shorten } from "./tokens.js";

/** One parse: whether it succeeded, else where it got to and what could have followed there. */
export interface Attempt {
  readonly accepted: boolean;
  /** Index of a token in the codes that were tried. */
  readonly failedAt: number;
  readonly expected: readonly {
    readonly type: string;
    readonly text?: string;
    readonly description?: string;
    readonly parts?: readonly unknown[];
  }[];
  readonly tooDeep?: boolean;
  /** Of an accepted text. */
  readonly declarations: readonly Declaration[];
  readonly unsupported: readonly Unsupported[];
}

/** What can still be said about a text that does not parse. */
export interface Recovered {
  /** Declarations that parse, some of them without the statements that do not. */
  readonly declarations: readonly Declaration[];
  /** Declarations in which something did not parse: further problems there are echoes. */
  readonly damaged: readonly Span[];
  /** Words of declarations that are gone: that they are unknown is an echo. */
  readonly lostWords: ReadonlySet<string>;
}

const maxErrors = 12;
const maxErrorsPerDeclaration = 6;

const elseCode = String.fromCharCode(keywordCode("else"));
const scopeCode = signs["::"];
const returnCode = String.fromCharCode(keywordCode("return"));
const enumCodes = String.fromCharCode(keywordCode("enum"));
const tagCodes = String.fromCharCode(keywordCode("struct"), keywordCode("union"), keywordCode("class"));
const whileCode = String.fromCharCode(keywordCode("while"));

export function findSyntaxErrors(
  table: TokenTable,
  scan: Prescan,
  attempt: (codes: string, base: number) => Attempt,
): {
  readonly problems: readonly Problem[];
  readonly recovered: Recovered;
  readonly unsupported: readonly Unsupported[];
} {
  const problems: Problem[] = [];
  const declarations: Declaration[] = [];
  const unsupported: Unsupported[] = [];
  const damaged: Span[] = [];
  const lostWords = new Set<string>();
  for (const { from, to } of splitDeclarations(table, scan)) {
    if (problems.length >= maxErrors) break;
    const isUnbalanced = scan.unbalanced.some((token) => token >= from && token < to);
    const outcome = isUnbalanced ? undefined : recover(table, scan, attempt, from, to, problems);
    if (outcome?.accepted) {
      append(declarations, outcome.declarations);
      append(unsupported, outcome.unsupported);
    } else {
      for (let token = from; token < to; token++)
        if ("itgh".includes(table.codes[token]!)) lostWords.add(table.spelling(token));
    }
    if (!outcome?.accepted || outcome.rounds > 0)
      damaged.push({ start: table.starts[from]!, end: table.ends[to - 1]! });
  }
  return { problems, unsupported, recovered: { declarations, damaged, lostWords } };
}

/** Tries a declaration, and again without each statement that has an error. */
function recover(
  table: TokenTable,
  scan: Prescan,
  attempt: (codes: string, base: number) => Attempt,
  from: number,
  to: number,
  problems: Problem[],
): Attempt & { readonly rounds: number } {
  let codes = table.codes.slice(from, to);
  for (let round = 0; ; round++) {
    const outcome = { ...attempt(codes, from), rounds: round };
    if (outcome.accepted) return outcome;
    const at = from + outcome.failedAt;
    const problem = describe(table, outcome, at);
    // The same error again means that taking the statement out did not help.
    if (round > 0 && problems.at(-1)!.span!.start === problem.span!.start) return outcome;
    problems.push(problem);
    if (outcome.tooDeep || problems.length >= maxErrors || round >= maxErrorsPerDeclaration) return outcome;
    const segment = enclosingStatement(table, scan, Math.min(at, to - 1), from, to);
    if (!segment) return outcome;
    const next =
      codes.slice(0, segment.from - from) + ";".repeat(segment.to - segment.from) + codes.slice(segment.to - from);
    if (next === codes) return outcome;
    codes = next;
  }
}

export interface Piece {
  readonly from: number;
  readonly to: number;
}

/**
 * The declarations at file scope, or in a namespace: up to a `;`, or up to the `}` of a function body, a namespace or a constant buffer. A
 * brace after `)` or after a word that no declarator follows closes a declaration of its own.
 */
export function splitDeclarations(
  table: TokenTable,
  scan: Prescan,
  { from, to }: Piece = { from: 0, to: table.count },
): Piece[] {
  const { codes } = table;
  const pieces: Piece[] = [];
  for (let at = from; at < to; at++) {
    const code = codes[at]!;
    let end = -1;
    if (code === ";") end = at + 1;
    else if (code === "(" || code === "[" || code === "{") {
      const partner = scan.partners[at]!;
      if (partner > at) {
        at = partner;
        if (code === "{") {
          const isBody = bodyBrace(codes, from, scan.partners[partner]!);
          if (isBody || partner + 1 >= to) end = partner + 1;
        }
      }
    }
    if (end > 0) {
      pieces.push({ from, to: end });
      from = end;
      at = end - 1;
    }
  }
  if (from < to) pieces.push({ from, to });
  return pieces;
}

const bodyCodes = ["namespace", "cbuffer", "tbuffer"].map((word) => String.fromCharCode(keywordCode(word)));

/** What may stand between the parameters of a function and its body: qualifiers, a semantic, attributes. */
const functionHeader = /\)(?:q|:i(?:\([^()]*\))?|\[\[[^{}]*\]\])*$/;

/** Whether the brace at `brace` opens the body of a function, namespace or constant buffer. */
function bodyBrace(codes: string, from: number, brace: number): boolean {
  const header = codes.slice(from, brace);
  if (bodyCodes.some((code) => header.includes(code))) return true;
  return !header.includes("=") && functionHeader.test(header);
}

/** Whether a brace begins statements or members, not a braced list or enumerators. */
function opensBlock(codes: string, brace: number): boolean {
  const before = codes[brace - 1] ?? "";
  if ("=,([".includes(before) || before === returnCode) return false;
  if ("th".includes(before))
    return !enumCodes.includes(codes[brace - 2] ?? "") && tagCodes.includes(codes[brace - 2] ?? "");
  return !enumCodes.includes(before);
}

/** The statement (or member) that holds the token, by the innermost brace around it. */
function enclosingStatement(
  table: TokenTable,
  scan: Prescan,
  token: number,
  from: number,
  to: number,
): Piece | undefined {
  const { codes } = table;
  let brace = -1;
  for (let at = from; at < token && at < to; at++) {
    if (codes[at] !== "{" || scan.partners[at]! < token) continue;
    // Inside a braced list nothing can be taken out.
    if (!opensBlock(codes, at)) break;
    brace = at;
  }
  if (brace < 0) return undefined;
  const end = scan.partners[brace]!;
  let start = brace + 1;
  for (let at = start; at < end; at++) {
    const code = codes[at]!;
    let closes = code === ";";
    if (code === "(" || code === "[" || code === "{") {
      const before = codes[at - 1] ?? "";
      at = Math.max(at, scan.partners[at]!);
      const follower = codes[at + 1] ?? "";
      if (code === "{")
        closes =
          follower !== elseCode && follower !== whileCode && !"=,(".includes(before) && !",;.".includes(follower);
    }
    if (closes) {
      if (token <= at) return { from: start, to: at + 1 };
      start = at + 1;
    }
  }
  return start < end ? { from: start, to: end } : undefined;
}

// ------------------------------------------------------------------ messages

export function describe(table: TokenTable, outcome: Attempt, at: number): Problem {
  const span = tokenSpan(table, at);
  if (outcome.tooDeep) {
    return {
      severity: "error",
      code: "XL1006",
      message: "statements or expressions are nested too deeply",
      span,
    };
  }
  const found = at < table.count ? `found '${shorten(table.spelling(at))}'` : "the text ends";
  if (outcome.expected.length > 0 && at > 0 && outcome.expected.every(({ text }) => text === scopeCode)) {
    // A lone name where a declaration should begin: the name itself is what is wrong.
    const name = shorten(table.spelling(at - 1));
    return {
      severity: "error",
      code: "XL1001",
      message: `expected a declaration but found '${name}'`,
      span: tokenSpan(table, at - 1),
    };
  }
  const wanted = describeExpected(outcome.expected);
  if (
    wanted === "';'" &&
    at > 0 &&
    (at >= table.count || table.text.slice(table.ends[at - 1], table.starts[at]).includes("\n"))
  ) {
    // What is missing is missing at the end of the line before.
    const message = `expected ';' after '${shorten(table.spelling(at - 1))}'`;
    return { severity: "error", code: "XL1001", message, span: tokenSpan(table, at - 1) };
  }
  const message =
    wanted === "" ? `${found.replace(/^found /, "")} cannot stand here` : `expected ${wanted} but ${found}`;
  return { severity: "error", code: "XL1001", message, span };
}

function tokenSpan(table: TokenTable, token: number): Span {
  if (token < table.count) return { start: table.starts[token]!, end: table.ends[token]! };
  const end = table.count > 0 ? table.ends[table.count - 1]! : 0;
  return { start: Math.max(0, end - 1), end };
}

/** The one thing a person would name out of everything the grammar could have gone on with. */
function describeExpected(expected: Attempt["expected"]): string {
  const names = new Set<string>();
  for (const expectation of expected) {
    if (expectation.type === "other") names.add(expectation.description!);
    else if (expectation.type === "literal") names.add(nameOfCode(expectation.text!));
    else if (expectation.type === "class")
      for (const part of expectation.parts ?? []) if (typeof part === "string") names.add(nameOfCode(part));
  }
  const has = (name: string): boolean => names.has(name);
  if (has("'if'") && has("a literal")) return has("'}'") ? "a statement or '}'" : "a statement";
  if (has("a literal") && has("'('")) return has("')'") ? "an expression or ')'" : "an expression";
  for (const closer of ["';'", "')'", "']'", "'>'", "'}'", "':'", "'('", "'{'", "'='", "a name", "a type"]) {
    if (!has(closer)) continue;
    if (closer === "')'" && has("','")) return "',' or ')'";
    if (closer === "'}'" && has("','")) return "',' or '}'";
    if (closer === "'}'" && has("a type")) return "a declaration or '}'";
    if (closer === "a name" && has("a type")) return "a declaration";
    return closer;
  }
  return [...names].slice(0, 3).join(" or ");
}

function nameOfCode(code: string): string {
  switch (code[0]) {
    case "i":
    case "g":
      return "a name";
    case "t":
    case "w":
    case "h":
      return "a type";
    case "q":
      return "a qualifier";
    case "n":
    case "f":
    case "b":
    case "c":
      return "a literal";
    case "s":
      return "a string";
    default:
      return keywords.get(code[0]!) ?? `'${code}'`;
  }
}
