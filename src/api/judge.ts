/** What the compiler of a target says about a text that was written for it. Node only: compilers are programs. */
import type { Target } from "../dialects/ids.js";
import type { HlslOptions } from "../dialects/language.js";
import { languageFacts } from "../dialects/languages.js";
import type { Diagnostic, Location } from "../support/diagnostics.js";
import type { Triple } from "../launch/triple.js";
import type { JudgedText } from "../verify/result.js";
import { locate, offsetAt, preprocessedText, type ExpandedSource } from "../support/expanded-source.js";
import { compile, filesAndMacros } from "./compile.js";
import type { Compilation } from "./compile.js";
import type { Output, Translation } from "./translate.js";

export interface TextJudgement {
  readonly judged: JudgedText;
  readonly diagnostics: readonly Diagnostic[];
}

/** Undefined where there is nothing to compile. */
export async function judgeTranslation(
  compilation: Compilation,
  { target, output }: Translation,
  size?: Triple,
): Promise<TextJudgement | undefined> {
  const profile = output?.module.legal?.profile;
  if (!output || target === "ts" || !profile) return undefined;
  const { installedJudges, isJudged, judgeAs } = await import("../judges/index.js");
  if (!isJudged(target)) return undefined;
  const { tool, missing } = installedJudges[target];
  const absent = missing();
  const file = textName(compilation, target, size);
  const { name } = languageFacts[target];
  const notJudged = (why: string): TextJudgement => ({
    judged: { verdict: "not-judged", tool, missing: absent },
    diagnostics: [
      { severity: "note", code: "XL6019", message: `the ${name} text was put before no compiler: ${why}`, notes: [] },
    ],
  });
  if (absent.length > 0)
    return notJudged(`${absent.join(" and ")} ${absent.length === 1 ? "is" : "are"} not on the path`);
  // Compilers are given no folders and no macros.
  const expanded = needsFilesOrMacros(compilation, output) ? await expandedOf(compilation, output, file) : undefined;
  const text = expanded ? preprocessedText(expanded) : output.code;
  const { ok, complaints, log } = await judgeAs(profile, text, hlslOptionsOf(compilation));
  if (ok) return { judged: { verdict: "accepted", tool, missing: [] }, diagnostics: [] };
  const errors = complaints.filter((c) => c.severity === "error");
  const at = (line: number, column = 1): Location => {
    if (!expanded) return { file, line, column, endLine: line, endColumn: column + 1 };
    const start = offsetAt(expanded.text, line, column);
    return locate(expanded, { start, end: start + 1 });
  };
  const [first, ...rest] = errors;
  const said = first?.message ?? log.split("\n").find((l) => l.trim() !== "") ?? "it does not say why";
  const refused: Diagnostic = {
    severity: "error",
    code: "XL6018",
    message: `${tool} refuses the ${name} text: ${said}`,
    ...(first?.line === undefined ? {} : { location: at(first.line, first.column) }),
    notes: rest
      .slice(0, 9)
      .map((c) => ({ message: c.message, ...(c.line === undefined ? {} : { location: at(c.line, c.column) }) })),
    ...(output.formatted ? {} : { help: "this is a bug of crosslane: please report it with the kernel" }),
  };
  return { judged: { verdict: "refused", tool, missing: [], file, text: output.code }, diagnostics: [refused] };
}

/** To its own dialect a text keeps its includes and conditionals. */
const needsFilesOrMacros = ({ expanded, options }: Compilation, { formatted }: Output): boolean =>
  formatted && (expanded.files.length > 1 || Object.keys(options.defines ?? {}).length > 0);

async function expandedOf(compilation: Compilation, { code }: Output, fileName: string): Promise<ExpandedSource> {
  const { dialect } = compilation;
  return (
    await compile(code, { ...filesAndMacros(compilation), ...hlslOptionsOf(compilation), from: dialect, fileName })
  ).expanded;
}

/** As what HLSL texts are written: as the source is read, where it is HLSL. */
export const hlslOptionsOf = ({ dialect, options }: Compilation): HlslOptions =>
  dialect === "hlsl"
    ? {
        ...(options.hlslVersion ? { hlslVersion: options.hlslVersion } : {}),
        ...(options.enable16bitTypes ? { enable16bitTypes: true } : {}),
      }
    : {};

/** As the text that is read again is called; with a size one of several, each written for workgroups of another size. */
export const textName = (compilation: Compilation, target: Target, size?: Triple): string =>
  `${compilation.fileName}, as ${target}${size ? ` for ${size.join(" x ")}` : ""}`;
