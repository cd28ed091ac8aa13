/** From text to a canonical module: where the front end and the checker meet. */
import type { Note } from "../ast/legal.js";
import type { EntryPoint, Module } from "../ast/nodes.js";
import type { TranslationUnit } from "../ast/syntax.js";
import type { SourceDialect, SourceForm } from "../dialects/ids.js";
import { cxxVersion, defaultHlslVersion, isCxx } from "../dialects/language.js";
import { languageFacts, readingFacts } from "../dialects/languages.js";
import { withoutRawString } from "../frontend/raw-strings.js";
import { frontEnd, isIndependent } from "../frontend/index.js";
import { analyzeReached } from "../sema/analyze-reached.js";
import type { LeftOut, ReachedAnalysis } from "../sema/analyze-reached.js";
import { analyze } from "../sema/index.js";
import { append } from "../support/append.js";
import { isOfSource, kindOf } from "../support/problem-kinds.js";
import type { Code } from "../support/codes.js";
import type { Diagnostic, Problem } from "../support/diagnostics.js";
import { didYouMean } from "../support/did-you-mean.js";
import { locate } from "../support/expanded-source.js";
import type { ExpandedSource } from "../support/expanded-source.js";
import type { Span } from "../support/span.js";
import { definesOf, includeFunction } from "./options.js";
import type { LeftOutDeclaration, RefusedEntry, Remark, SourceOptions, TargetOptions } from "./types.js";

/** The size of workgroups counts where the text leaves it to specialisation. */
export type CompileOptions = SourceOptions &
  Pick<TargetOptions, "workgroupSize"> & {
    /** So many elements of arrays of buffers has a launch, by the arrays' names. */
    readonly listedArrays?: Readonly<Record<string, number>>;
  };

/** One source text, compiled as far as its errors allow. */
export interface Compilation {
  readonly dialect: SourceDialect;
  /** What the text was read as. */
  readonly form: SourceForm;
  readonly fileName: string;
  readonly source: string;
  /** What it was compiled with, for a text of the same dialect that is read again. */
  readonly options: CompileOptions;
  readonly expanded: ExpandedSource;
  readonly unit: TranslationUnit;
  /** Absent where there are errors. */
  readonly module?: Module<"canonical">;
  /** The same by another reading of its `size_t`, where it has any. */
  readonly sized?: NonNullable<ReachedAnalysis["sized"]>;
  readonly diagnostics: readonly Diagnostic[];
  /** Entries that cannot be translated, though `module` has others. */
  readonly refused: readonly RefusedEntry[];
  /** What `module` lacks since no entry needs it. */
  readonly leftOut: readonly LeftOutDeclaration[];
}

export async function compile(given: string, options: CompileOptions): Promise<Compilation> {
  const { from, clStd, fileName } = options;
  const { superset } = readingFacts(from);
  if (!superset) return compileAs(from, given, options);
  if (clStd !== undefined) return compileAs(isCxx(clStd) ? superset.form : from, given, options);
  if (fileName !== undefined && superset.files.test(fileName)) return compileAs(superset.form, given, options);
  const plain = await compileAs(from, given, options);
  if (isWhole(plain) || !namesWord(plain.expanded.text, superset.words)) return plain;
  const other = await compileAs(superset.form, given, options);
  // What is wrong in both is said as of the one whose words it has.
  if (!isWhole(other) && plain.diagnostics.every((d) => kindOf(d.code) !== "absent")) return plain;
  const [asked, plainly] = [superset.form, from].map((form) => languageFacts[form].name);
  const note: Diagnostic = {
    ...fileDiagnostic(other, "XL1007", `the text is no ${plainly!}, and is read as ${asked!}`, formHelp),
    severity: "note",
  };
  return { ...other, diagnostics: [note, ...other.diagnostics] };
}

const formHelp = "'--cl-std clc++2021', the option 'clStd', or a file named .clcpp says so";

const isWhole = ({ module, refused }: Compilation): boolean => module !== undefined && refused.length === 0;

/** Whether one of the words, or signs, stands in a text beside comments and strings. */
function namesWord(text: string, words: ReadonlySet<string>): boolean {
  const tokens = /\/\*[^]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|[A-Za-z_]\w*|::/g;
  for (const [token] of text.matchAll(tokens)) if (words.has(token)) return true;
  return false;
}

/** Macros and grammar are those of a form. */
async function compileAs(form: SourceForm, given: string, options: CompileOptions): Promise<Compilation> {
  const source = withoutRawString(given);
  const { from, fileName = `kernel.${languageFacts[from].extension}` } = options;
  const { expanded, unit, problems, recovered, apart } = await frontEnd(source, {
    from,
    form,
    fileName,
    defines: { ...definesOf(options.defines), ...dxcMacros(options), ...(form === from ? {} : cxxMacros(options)) },
    include: includeFunction(options.include),
    prelude: options.prelude,
  });
  const settings = {
    dialect: options.from,
    form,
    fileName,
    ...(options.hlslVersion ? { hlslVersion: options.hlslVersion } : {}),
    ...(options.enable16bitTypes ? { enable16bitTypes: true } : {}),
    ...(options.spec ? { spec: options.spec } : {}),
    ...(options.arrayLength ? { arrayLength: options.arrayLength } : {}),
    ...(options.listedArrays ? { listedArrays: options.listedArrays } : {}),
    ...(options.workgroupSize ? { workgroupSize: options.workgroupSize } : {}),
  };
  // What parses and is not supported is an error of the declaration it stands in.
  const unsupported = recovered ? [] : problems.filter((p) => p.severity === "error" && kindOf(p.code) === "not-yet");
  const diagnostics = problems.filter((p) => !unsupported.includes(p)).map((p) => resolve(p, expanded));
  const common = { dialect: options.from, form, fileName, source, options, expanded, unit, refused: [], leftOut: [] };
  const reaching = {
    ...settings,
    ...(options.entry !== undefined ? { entry: options.entry } : {}),
    ...(options.keepUnused ? { keepUnused: true } : {}),
  };
  if (apart) {
    // Some declarations do not parse: kernels that need none of them are read all the same.
    const checked = analyzeReached(apart.unit, expanded, { ...reaching, unsupported: apart.unread });
    const broken = new Set(problems.filter((p) => p.severity === "error"));
    const said = problems.filter((p) => !broken.has(p)).map((p) => resolve(p, expanded));
    if (checked.module && checked.problems.every((p) => p.severity !== "error"))
      return whole({ ...common, unit: apart.unit }, checked, said);
  }
  if (recovered) {
    // What parses is checked only to find the other errors of the file.
    const { problems: more } = analyze(recovered.unit, expanded, { ...settings, unparsed: problems });
    append(
      diagnostics,
      more.filter((p) => isIndependent(p, recovered, expanded.text)).map((p) => resolve(p, expanded)),
    );
  }
  if (hasErrors(diagnostics)) return { ...common, diagnostics: firstErrors(diagnostics) };
  const checked = analyzeReached(unit, expanded, {
    ...reaching,
    unsupported,
  });
  return whole(common, checked, diagnostics);
}

/** What the analysis of a file gives, behind `diagnostics` of what came before. */
function whole(
  common: Omit<Compilation, "diagnostics" | "module">,
  checked: ReachedAnalysis,
  diagnostics: Diagnostic[],
): Compilation {
  const { expanded } = common;
  append(
    diagnostics,
    checked.problems.map((p) => resolve(p, expanded)),
  );
  const module = hasErrors(diagnostics) ? undefined : checked.module;
  if (!module) return { ...common, diagnostics: firstErrors(diagnostics) };
  const refused = checked.refused.map(({ name, problems }) => ({
    entry: name,
    diagnostics: problems.map((p) => resolve(p, expanded)),
  }));
  append(diagnostics, entriesRefused(refused));
  const leftOut = checked.leftOut.map((d) => describeLeftOut(d, expanded));
  const sized = checked.sized ? { sized: checked.sized } : {};
  return { ...common, module, ...sized, diagnostics: firstErrors(diagnostics), refused, leftOut };
}

/** What a text in the source's own dialect still needs: it keeps its includes and conditionals, and comes after the same prelude. */
export const filesAndMacros = ({
  options: { defines, include, prelude },
}: Compilation): Pick<CompileOptions, "defines" | "include" | "prelude"> => ({ defines, include, prelude });

/** So many entries with one reason are named one by one. */
const mostNamed = 3;

/** Entries by what they are refused for. */
export function byReason(refused: readonly RefusedEntry[]): readonly (readonly RefusedEntry[])[] {
  const groups = new Map<string, RefusedEntry[]>();
  for (const r of refused) {
    const [first] = r.diagnostics;
    const reason = first ? `${first.code} ${first.message}` : "";
    groups.set(reason, [...(groups.get(reason) ?? []), r]);
  }
  return [...groups.values()].flatMap((all) => (all.length > mostNamed ? [all] : all.map((r) => [r])));
}

/** Says that entries are missing, and why: those with one reason, if they are many, at once. */
export const entriesRefused = (refused: readonly RefusedEntry[], target?: string): readonly Diagnostic[] =>
  byReason(refused).map((group) => groupRefused(group, target));

function groupRefused(group: readonly RefusedEntry[], target: string | undefined): Diagnostic {
  const where = target === undefined ? "" : ` to ${target}`;
  const [first] = group[0]!.diagnostics;
  const note = first && {
    message: `${first.code} ${first.message}`,
    ...(first.location ? { location: first.location } : {}),
  };
  const names = group.slice(0, mostNamed).map(({ entry }) => `'${entry}'`);
  const more = group.length - names.length;
  const subject =
    group.length === 1 ? `kernel ${names[0]!}` : `kernels ${names.join(", ")} and ${more} other${more > 1 ? "s" : ""}`;
  return {
    severity: "warning",
    code: "XL4011",
    message: `${subject} cannot be translated${where}, and ${group.length === 1 ? "is" : "are"} left out`,
    notes: note ? [note] : [],
  };
}

function describeLeftOut({ names, kind, declaration, problem }: LeftOut, expanded: ExpandedSource): LeftOutDeclaration {
  const location = locate(expanded, declaration.span);
  const { file, line } = location;
  return { names, kind, file, line, ...(problem ? { diagnostic: resolve(problem, expanded) } : {}) };
}

/** Errors that are shown: nobody reads more of them. */
const mostErrors = 100;

/** The diagnostics up to the last error that is shown, which says how many there are besides. */
function firstErrors(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const errors = diagnostics.filter((d) => d.severity === "error").length;
  if (errors <= mostErrors) return diagnostics;
  let shown = 0;
  const end = diagnostics.findIndex((d) => d.severity === "error" && ++shown === mostErrors);
  const last = diagnostics[end]!;
  const more = { message: `the source has ${errors - mostErrors} more errors` };
  return [...diagnostics.slice(0, end), { ...last, notes: [...last.notes, more] }];
}

/** What DXC predefines for a version other than its default, and for 16-bit types. */
function dxcMacros({ from, hlslVersion, enable16bitTypes }: SourceOptions): Record<string, string> {
  if (from !== "hlsl") return {};
  const other = hlslVersion !== undefined && hlslVersion !== defaultHlslVersion;
  return {
    ...(other ? { __HLSL_VERSION: hlslVersion === "202x" ? "2029" : hlslVersion } : {}),
    ...(enable16bitTypes ? { __HLSL_ENABLE_16_BIT: "1" } : {}),
  };
}

/** What clang predefines for another version of C++ for OpenCL than the last. */
const cxxMacros = ({ clStd }: SourceOptions): Record<string, string> =>
  cxxVersion(clStd) === "1.0" ? { __OPENCL_CPP_VERSION__: "100" } : {};

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((d) => d.severity === "error");
}

/** Leads a problem's spans back to the original files. */
export function resolve(problem: Problem, expanded: ExpandedSource): Diagnostic {
  // What a pass made stands nowhere in the source.
  const at = (span: Span | undefined): Pick<Diagnostic, "location"> =>
    span && (span.end > span.start || span.start > 0 || isOfSource(problem.code))
      ? { location: locate(expanded, span) }
      : {};
  return {
    severity: problem.severity,
    code: problem.code,
    message: problem.message,
    ...at(problem.span),
    notes: (problem.notes ?? []).map((note) => ({ message: note.message, ...at(note.span) })),
    ...(problem.help ? { help: problem.help } : {}),
  };
}

/** A diagnostic about a file as a whole. */
export function fileDiagnostic(
  compilation: Pick<Compilation, "fileName">,
  code: Code,
  message: string,
  help?: string,
): Diagnostic {
  const location = { file: compilation.fileName, line: 1, column: 1, endLine: 1, endColumn: 1 };
  return { severity: "error", code, message, location, notes: [], ...(help ? { help } : {}) };
}

export function remark(note: Pick<Note, "op" | "message" | "spans" | "how">, expanded: ExpandedSource): Remark {
  const places = note.spans.filter((span) => span.end > span.start).map((span) => locate(expanded, span));
  const seen = new Set<string>();
  const locations = places.filter((l) => {
    const key = `${l.file}:${l.line}`;
    return seen.has(key) ? false : seen.add(key);
  });
  return { op: note.op, message: note.message, ...(note.how ? { cost: note.how.cost } : {}), locations };
}

/** The entry point asked for, or the only one. */
export function chooseEntry(
  compilation: Compilation,
  asked: string | undefined,
): { entry: EntryPoint } | { diagnostic: Diagnostic } {
  const entries = compilation.module?.entries ?? [];
  // One that cannot be translated may have been meant all the same.
  const names = [...entries.map((e) => e.name), ...compilation.refused.map((r) => r.entry)];
  if (asked !== undefined) {
    const entry = entries.find((e) => e.name === asked);
    if (entry) return { entry };
    const why = compilation.refused.find((r) => r.entry === asked)?.diagnostics[0];
    if (why) return { diagnostic: why };
    const help =
      didYouMean(asked, names) ??
      (names.length > 0 ? `its entry points are ${names.map((n) => `'${n}'`).join(", ")}` : undefined);
    return { diagnostic: fileDiagnostic(compilation, "XL6012", `there is no entry point '${asked}'`, help) };
  }
  const [only] = entries;
  if (only === undefined) return { diagnostic: fileDiagnostic(compilation, "XL6012", "the file has no entry point") };
  if (names.length > 1) {
    return {
      diagnostic: fileDiagnostic(
        compilation,
        "XL6012",
        `the file has ${names.length} entry points: ${names.map((n) => `'${n}'`).join(", ")}`,
        "choose one with --entry, 'entry' in the launch file, or the option 'entry'",
      ),
    };
  }
  return { entry: only };
}

/** The text is the preprocessed one: its lines are those of `expanded.text`. */
export function isPreprocessed({ expanded }: Compilation): boolean {
  return expanded.directives.some((d) => d.kind === "include");
}
