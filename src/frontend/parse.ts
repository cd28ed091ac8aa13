/** From expanded text to syntax tree: one pass over everything, and only where that fails a search for the errors. */
import { SyntaxBuilder, type Unsupported } from "../ast/syntax-builders.js";
import type { TranslationUnit } from "../ast/syntax.js";
import type { SourceForm } from "../dialects/ids.js";
import { languageFacts, languages } from "../dialects/languages.js";
import { kindOf, wayOut, type ProblemKind } from "../support/problem-kinds.js";
import { Problems, type Problem } from "../support/diagnostics.js";
import type { ExpandedSource } from "../support/expanded-source.js";
import { prescan } from "./prescan.js";
import { readApart, type ReadApart } from "./read-apart.js";
import { ofSuperset } from "./superset.js";
import { findSyntaxErrors, type Attempt, type Recovered } from "./syntax-errors.js";
import { tokenize, tokenTable } from "./tokens.js";

type GeneratedParser = (codes: string, options: { [name: string]: unknown }) => unknown;

/** It is large, and loaded when something is read. */
export const loadParser = (): Promise<{ readonly parse: GeneratedParser }> => import("./generated/languages.js");

export interface ParseResult {
  readonly unit: TranslationUnit;
  readonly problems: readonly Problem[];
  /** Where there are syntax errors: what can still be checked, only to find more errors. */
  readonly recovered?: Recovered & { readonly unit: TranslationUnit };
  /** Where what does not parse are single declarations, to be read with the problems of each. */
  readonly apart?: PartlyRead;
}

/** A file of which some declarations are not read: what needs one of those is wrong (see `analyzeReached`). */
export interface PartlyRead {
  readonly unit: TranslationUnit;
  /** Each lies in its declaration. */
  readonly unread: readonly Problem[];
}

/** What Peggy returns in library mode. */
interface Outcome {
  readonly peg$result: unknown;
  readonly peg$currPos: number;
  readonly peg$FAILED: unknown;
  readonly peg$maxFailPos: number;
  readonly peg$maxFailExpected: Attempt["expected"];
}

export async function parse(expanded: ExpandedSource, form: SourceForm): Promise<ParseResult> {
  return parseWith((await loadParser()).parse, expanded, form);
}

/** With the parser already at hand. */
export function parseWith(parser: GeneratedParser, expanded: ExpandedSource, form: SourceForm): ParseResult {
  const problems = new Problems();
  const words = languages[form].words;
  const raw = tokenize(expanded.text, words, problems, languageFacts[form].continuesLines.blanks);
  const scan = prescan(raw, words, problems);
  const table = tokenTable(raw);
  const empty: TranslationUnit = {
    kind: "translation-unit",
    declarations: [],
    span: { start: 0, end: table.text.length },
  };
  if (scan.fatal) return { unit: empty, problems: problems.list };

  const builder = new SyntaxBuilder(table);
  // Which declaration it is comes out when each is read alone.
  let tooDeep = false;
  if (scan.unbalanced.length === 0) {
    // What was expected is not recorded here: that costs, and most texts have no errors.
    const outcome = run(parser, form, table.codes, builder, true);
    if (outcome === "too deep") tooDeep = true;
    else if (outcome.accepted) {
      reportUnsupported(form, builder.unsupportedConstructs, problems);
      return { unit: outcome.result as TranslationUnit, problems: problems.list };
    }
  }
  const attempt = (codes: string, base: number): Attempt => {
    const own = new SyntaxBuilder(table, base);
    const outcome = run(parser, form, codes, own, false);
    if (outcome === "too deep")
      return { accepted: false, failedAt: 0, expected: [], tooDeep: true, declarations: [], unsupported: [] };
    const declarations = outcome.accepted ? (outcome.result as TranslationUnit).declarations : [];
    return { ...outcome, declarations, unsupported: own.unsupportedConstructs };
  };
  const readable = scan.unbalanced.length === 0 && !tooDeep && !problems.hasErrors;
  const named = (list: readonly Problem[]): readonly Problem[] => ofSuperset(table, scan, form, list);
  const apart = readable ? partlyRead(readApart(table, scan, attempt), empty, form, named) : undefined;
  const found = findSyntaxErrors(table, scan, attempt);
  named(found.problems).forEach((problem) => problems.add(problem));
  if (!problems.hasErrors) {
    // Every declaration parses alone, so the whole must have failed between them.
    if (tooDeep) problems.error("XL1006", "statements or expressions are nested too deeply", { start: 0, end: 0 });
    else problems.error("XL1001", "the text does not follow the grammar", { start: 0, end: 0 });
  }
  reportUnsupported(form, found.unsupported, problems);
  dropEchoes(expanded.text, problems);
  const unit: TranslationUnit = { ...empty, declarations: found.recovered.declarations };
  return {
    unit: empty,
    problems: problems.list,
    recovered: { ...found.recovered, unit },
    ...(apart ? { apart } : {}),
  };
}

function partlyRead(
  found: ReadApart | undefined,
  empty: TranslationUnit,
  form: SourceForm,
  named: (list: readonly Problem[]) => readonly Problem[],
): PartlyRead | undefined {
  if (!found || found.unread.length === 0) return undefined;
  const unread = new Problems();
  named(found.unread).forEach((problem) => unread.add(problem));
  reportUnsupported(form, found.unsupported, unread);
  return { unit: { ...empty, declarations: found.declarations }, unread: unread.list };
}

function run(
  parser: GeneratedParser,
  language: SourceForm,
  codes: string,
  builder: SyntaxBuilder,
  silent: boolean,
): (Pick<Attempt, "accepted" | "failedAt" | "expected"> & { readonly result: unknown }) | "too deep" {
  try {
    const options = { language, builder, peg$library: true, peg$silentFails: silent ? 1 : 0 };
    const outcome = parser(codes, options) as Outcome;
    const accepted = outcome.peg$result !== outcome.peg$FAILED && outcome.peg$currPos === codes.length;
    // Where repetition simply stopped, the next thing to be tried is what failed last.
    const failedAt = Math.max(
      outcome.peg$maxFailPos,
      accepted || outcome.peg$result === outcome.peg$FAILED ? 0 : outcome.peg$currPos,
    );
    return { accepted, failedAt, expected: outcome.peg$maxFailExpected, result: outcome.peg$result };
  } catch (error) {
    if (error instanceof RangeError) return "too deep";
    throw error;
  }
}

/** A broken token breaks what is around it as well: errors after it on its line, and brackets it may have swallowed, are echoes. */
function dropEchoes(text: string, problems: Problems): void {
  const isOf = (kind: ProblemKind): Problem[] => problems.list.filter(({ code }) => kindOf(code) === kind);
  const openQuotes = isOf("open-quote");
  const broken = [...isOf("token"), ...openQuotes];
  const isEcho = ({ code, span }: Problem): boolean => {
    const kind = kindOf(code);
    if (kind === "bracket") return openQuotes.length > 0;
    if (kind !== "syntax" || !span) return false;
    return broken.some(
      (b) => b.span && b.span.start <= span.start && !text.slice(b.span.start, span.start).includes("\n"),
    );
  };
  if (broken.length === 0) return;
  const kept = problems.list.filter((problem) => !isEcho(problem));
  problems.list.splice(0, problems.list.length, ...kept);
}

function reportUnsupported(form: SourceForm, constructs: readonly Unsupported[], problems: Problems): void {
  const seen = new Set<string>();
  for (const { what, span, absent } of constructs) {
    const key = `${span.start}:${what}`;
    if (seen.has(key)) continue;
    seen.add(key);
    if (absent) problems.error("XL2021", `${languageFacts[form].name} has no ${what}`, span);
    else problems.error("XL1900", `${what} is not supported yet`, span, { help: wayOut });
  }
}
