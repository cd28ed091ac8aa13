/** The front end: from the text of a file to its syntax tree. */
import type { TranslationUnit } from "../ast/syntax.js";
import type { SourceDialect, SourceForm } from "../dialects/ids.js";
import { languageFacts, languages, readingFacts } from "../dialects/languages.js";
import { kindOf } from "../support/problem-kinds.js";
import type { Problem } from "../support/diagnostics.js";
import type { ExpandedSource } from "../support/expanded-source.js";
import { isBuiltin } from "../dialects/builtins.js";
import { undefinedMacros } from "../support/host-macros.js";
import { withCounterBlocks } from "./atomic-counters.js";
import { withDialectHint } from "./likely-dialect.js";
import { parse, type ParseResult } from "./parse.js";
import { preprocess, type FoundInclude, type Preprocessed } from "./preprocess.js";

export { parse, type ParseResult } from "./parse.js";
export {
  preprocess,
  type IncludedFile,
  type Preprocessed,
  type PreprocessOptions,
  type FoundInclude,
} from "./preprocess.js";

/** Finds an included file; `from` is the name of the file that includes it, and no file includes a prelude. */
export type IncludeResolver = (
  path: string,
  from: string | undefined,
) => Promise<FoundInclude | undefined> | FoundInclude | undefined;

export interface FrontEndOptions {
  readonly from: SourceDialect;
  /** Where the text is in another form of the dialect than its plain one. */
  readonly form?: SourceForm;
  readonly fileName: string;
  readonly defines?: Readonly<Record<string, string>>;
  readonly include?: IncludeResolver;
  /** Files that are read before the source. */
  readonly prelude?: readonly string[];
  /** Macros of the profile, instead of the dialect's default ones. */
  readonly profilePredefined?: Readonly<Record<string, string>>;
}

export interface FrontEndResult {
  readonly expanded: ExpandedSource;
  /** Without declarations where there are errors. */
  readonly unit: TranslationUnit;
  readonly problems: readonly Problem[];
  /** With syntax errors: what did parse. Only for finding more errors, see `isIndependent`. */
  readonly recovered?: NonNullable<ParseResult["recovered"]>;
  /** With syntax errors that single declarations end with: the others, see `PartlyRead`. */
  readonly apart?: NonNullable<ParseResult["apart"]>;
}

export async function frontEnd(source: string, options: FrontEndOptions): Promise<FrontEndResult> {
  const { form = options.from } = options;
  const { expanded, problems } = await preprocessWithIncludes(source, options);
  const empty: TranslationUnit = {
    kind: "translation-unit",
    declarations: [],
    span: { start: 0, end: expanded.text.length },
  };
  if (hasErrors(problems)) {
    return { expanded, unit: empty, problems: withDialectHint(source, options.from, problems) ?? problems };
  }
  const parsed = await parse(expanded, form);
  const { counters } = readingFacts(form);
  const read = (unit: TranslationUnit): TranslationUnit => (counters ? withCounterBlocks(unit, counters) : unit);
  const all = [...problems, ...parsed.problems];
  if (!hasErrors(all)) return { expanded, unit: read(parsed.unit), problems: all };
  const hinted = withDialectHint(source, options.from, all);
  if (hinted) return { expanded, unit: empty, problems: hinted };
  const hint = (p: Problem): Problem => withMacroHint(ofAbsentWord(p, expanded.text, form), expanded.text, form);
  const { recovered, apart } = parsed;
  return {
    expanded,
    unit: parsed.unit,
    problems: all.map(hint),
    ...(recovered ? { recovered: { ...recovered, unit: read(recovered.unit) } } : {}),
    // A counter that is not read may lie before others of its binding, which then are none that is known.
    ...(apart ? { apart: { ...apart, unread: apart.unread.map(hint) } } : {}),
  };
}

/** A macro that is missing makes most texts unreadable before anything looks at its name. */
function withMacroHint(problem: Problem, text: string, form: SourceForm): Problem {
  if (kindOf(problem.code) !== "syntax" || problem.help !== undefined || !problem.span) return problem;
  const { start, end } = problem.span;
  const names = undefinedMacros(text, start, end, (name) => isBuiltin(form, name));
  if (names.length === 0) return problem;
  const given = names.map((name) => `'${name}'`).join(" and ");
  const are = names.length > 1 ? "are not defined; macros" : "is not defined; a macro";
  const help = `${given} ${are} of the host ${names.length > 1 ? "are" : "is"} given with -D or --prelude`;
  return { ...problem, help };
}

/** What does not parse behind a word that other languages have: that word is what is wrong. */
function ofAbsentWord(problem: Problem, text: string, form: SourceForm): Problem {
  if (kindOf(problem.code) !== "syntax" || !problem.span) return problem;
  const before = text
    .slice(0, problem.span.start)
    .replace(/\/\*[^]*?\*\/|\/\/[^\n]*/g, (comment) => " ".repeat(comment.length));
  const from = Math.max(...[";", "{", "}"].map((end) => before.lastIndexOf(end))) + 1;
  const { absent } = languages[form].words;
  const [found] = [...before.slice(from).matchAll(/\b([A-Za-z_]\w*)\s*\(/g)].filter((m) => absent.has(m[1]!));
  if (!found) return problem;
  const word = found[1]!;
  const start = from + found.index;
  return {
    severity: "error",
    code: "XL2021",
    message: `${languageFacts[form].name} has no '${word}'`,
    span: { start, end: start + word.length },
    help: `write ${absent.get(word)!}`,
  };
}

const hasErrors = (problems: readonly Problem[]): boolean => problems.some((problem) => problem.severity === "error");

/**
 * Whether a problem that the checker found in the recovered part of a text with syntax errors is news, and not an echo of
 * them: it lies in a declaration that did parse, and is not about a name that they may declare.
 */
export function isIndependent(
  problem: Problem,
  recovered: NonNullable<FrontEndResult["recovered"]>,
  text: string,
): boolean {
  const { span } = problem;
  if (problem.severity !== "error" || !span) return false;
  if (recovered.damaged.some(({ start, end }) => span.start < end && start < span.end)) return false;
  // Problems of the file as a whole (no entry point) may be due to what is missing.
  if (!recovered.declarations.some((d) => d.span.start <= span.start && span.end <= d.span.end)) return false;
  const words = text.slice(span.start, span.end).match(/[A-Za-z_]\w*/g) ?? [];
  return !words.some((word) => recovered.lostWords.has(word));
}

/** A file may have more includes than rounds only by including one at a time; the preprocessor's own limits come first. */
const maxRounds = 300;

/** The preprocessor itself never waits: it is run again when the files it asked for are there. */
async function preprocessWithIncludes(source: string, options: FrontEndOptions): Promise<Preprocessed> {
  const { from, form = from, fileName, defines, include, prelude } = options;
  const known = new Map<string, FoundInclude | undefined>();
  for (let round = 0; ; round++) {
    const asked = new Map<string, readonly [string, string | undefined]>();
    const result = preprocess(source, {
      fileName,
      form,
      ...(defines ? { defines } : {}),
      ...(prelude ? { prelude } : {}),
      predefined: options.profilePredefined ?? readingFacts(form).macros,
      include: (path, from) => {
        if (!include) return undefined;
        const key = JSON.stringify([from ?? null, path]);
        if (known.has(key)) return known.get(key);
        asked.set(key, [path, from]);
        return round < maxRounds ? "pending" : undefined;
      },
    });
    if (asked.size === 0 || round >= maxRounds) return result;
    const found = await Promise.all(
      [...asked].map(async ([key, [path, from]]) => [key, await include!(path, from)] as const),
    );
    for (const [key, file] of found) known.set(key, file);
  }
}
