/** Errors of a text in a form of the dialect that has the plain one's texts and more: they name what is the other's. */
import type { TokenTable } from "../ast/syntax-tokens.js";
import type { SourceForm } from "../dialects/ids.js";
import { languageFacts, readingFacts } from "../dialects/languages.js";
import type { Problem } from "../support/diagnostics.js";
import { kindOf } from "../support/problem-kinds.js";
import type { Prescan } from "./prescan.js";
import { splitDeclarations, type Piece } from "./syntax-errors.js";

/** So far from a word, where it does not begin the declaration, an error is about something else: such words are names, too. */
const nearby = 3;

/** Syntax errors beside a word of the superset become one that names the first such word of the declaration. */
export function ofSuperset(
  table: TokenTable,
  scan: Prescan,
  form: SourceForm,
  problems: readonly Problem[],
): readonly Problem[] {
  const { superset } = readingFacts(form);
  if (!superset || !problems.some(({ code }) => kindOf(code) === "syntax")) return problems;
  const pieces = splitDeclarations(table, scan);
  const said = new Set<number>();
  return problems.flatMap((problem) => {
    const at = kindOf(problem.code) === "syntax" && problem.span ? tokenAt(table, problem.span.start) : undefined;
    const piece = at === undefined ? undefined : pieces.find(({ from, to }) => from <= at && at < to);
    const word = piece && wordNear(table, piece, at!, superset.words);
    if (word === undefined) return [problem];
    if (said.has(piece!.from)) return [];
    said.add(piece!.from);
    return [
      {
        severity: "error" as const,
        code: "XL2021" as const,
        message: `${languageFacts[form].name} has no '${table.spelling(word)}', which ${languageFacts[superset.form].name} has`,
        span: { start: table.starts[word]!, end: table.ends[word]! },
      },
    ];
  });
}

function wordNear(table: TokenTable, piece: Piece, at: number, words: ReadonlySet<string>): number | undefined {
  if (words.has(table.spelling(piece.from))) return piece.from;
  for (let token = Math.max(piece.from, at - nearby); token < Math.min(piece.to, at + nearby + 1); token++)
    if (words.has(table.spelling(token))) return token;
  return undefined;
}

function tokenAt(table: TokenTable, start: number): number | undefined {
  for (let token = 0; token < table.count; token++) if (table.ends[token]! > start) return token;
  return undefined;
}
