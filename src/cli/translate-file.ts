/** One input of `translate`: read, translated and, where that is asked for, verified; its files are written by the command. */
import { basename, dirname, join, resolve } from "node:path";
import { hasErrors } from "../api/compile.js";
import type { Layouts } from "../api/typescript-layout.js";
import { writtenOutput } from "../api/written.js";
import type { WriteOptions, Written } from "../api/written.js";
import type { Reads } from "../build/file-view.js";
import { extensionOf } from "../build/files.js";
import type { SourceInput } from "../build/files.js";
import { markerLine } from "../build/marker.js";
import { placedAt, sourcesFrom, translateTarget } from "../build/translate-input.js";
import type { TargetText } from "../build/translate-input.js";
import type { DeviceReport } from "../caps/device-report.js";
import type { Target } from "../dialects/ids.js";
import type { DepfileFlags } from "./depfile.js";
import { exitCodes } from "./exit-codes.js";
import type { SourceFlags, TargetFlags } from "./options.js";
import type { Reporter, ReportFlags } from "./report.js";
import { compileSession, open, openLaunch, withLaunch } from "./session.js";
import { showEverywhere, showRemarks, type TextRemarks } from "./show.js";
import type { Terminal } from "./terminal.js";
import type { WatchMode } from "./watch.js";

export interface TranslateFlags extends SourceFlags, TargetFlags, ReportFlags, DepfileFlags {
  readonly output?: string;
  readonly outDir?: string;
  readonly launch?: string;
  readonly verify: boolean;
  readonly jobs?: number;
  readonly watch?: WatchMode;
  readonly clear: boolean;
  readonly force: boolean;
  readonly sourceMap?: boolean;
  readonly inlineSourceMap?: boolean;
  readonly lineDirectives?: boolean;
}

/** A text with the file it is for. */
export interface Output {
  readonly input: string;
  readonly file?: string;
  /** Absent where the text was refused. */
  readonly written?: Written;
  /** As `--format json` has it. */
  readonly described: object;
}

/** What translations of one command have in common. */
export interface Translating {
  readonly flags: TranslateFlags;
  readonly device: DeviceReport | undefined;
  readonly terminal: Terminal;
  readonly reporter: Reporter;
  /** Remarks that were shown last, by output. */
  readonly said: Map<string, string>;
  readonly layouts: Layouts;
  readonly worsen: (code: number) => void;
}

export async function translateInput(input: SourceInput, run: Translating, reads: Reads): Promise<Output[]> {
  const { flags, device, terminal, reporter, worsen } = run;
  const opened = await open(input, flags, terminal, reporter, reads);
  if (opened === undefined) return [];
  const launch = openLaunch(input, flags.launch, terminal, reporter, reads);
  if (launch === "wrong" && flags.launch !== undefined) return [];
  // A launch file that only lies beside the kernel settles nothing of it, unless what is written is what is run.
  const meant = flags.launch !== undefined || flags.verify;
  const session = meant && launch !== "wrong" ? withLaunch(opened, launch) : opened;
  const compilation = await compileSession(session);
  if (hasErrors(reporter.show(compilation.diagnostics)) || !compilation.module) return [];
  const settled = typeof launch === "object" ? launch.launch : undefined;
  const outputs: Output[] = [];
  const texts: TextRemarks[] = [];
  const isNew =
    (about: string) =>
    (lines: string): boolean =>
      run.said.get(about) !== lines && !!run.said.set(about, lines);
  if (compilation.refused.length > 0) worsen(exitCodes.errors);
  for (const target of flags.to) {
    const request = {
      target,
      settings: flags,
      split: flags.outDir !== undefined,
      ...(flags.entry !== undefined ? { entry: flags.entry } : {}),
      ...(settled ? { launch: settled } : {}),
      ...(device ? { device } : {}),
      layouts: run.layouts,
    };
    for (const text of await translateTarget(compilation, request)) {
      const { missing } = text;
      const diagnostics = reporter.show(text.translation.diagnostics);
      // A warning that counts as an error refuses the text.
      const refused = hasErrors(diagnostics) ? { output: undefined } : {};
      const translation = { ...text.translation, diagnostics, ...refused };
      if (text.incomplete || hasErrors(diagnostics)) worsen(exitCodes.errors);
      if (!reporter.machine && translation.output) {
        const about = `${input.name} ${target} ${text.part ?? ""}`;
        showRemarks(terminal, target, translation, missing.leftOut, isNew(about));
        texts.push({ target, assumptions: translation.assumptions });
      }
      if (flags.verify && translation.output) {
        const { verifyInput } = await import("./verify-file.js");
        const result = await verifyInput(compilation, text, flags, launch, device, terminal, reporter);
        worsen(result);
        if (result !== exitCodes.done) continue;
      }
      const file = outputFile(input, target, text.part, flags, terminal);
      const how = writing(file, input, flags, terminal);
      const written = translation.output && writtenOutput(compilation, target, translation.output, how);
      outputs.push({
        input: input.name,
        ...(file ? { file } : {}),
        ...(written ? { written } : {}),
        described: describe(input, { ...text, translation }, file, written, flags),
      });
    }
  }
  showEverywhere(terminal, texts, isNew(input.name));
  return outputs;
}

/** Maps name sources as seen from the folder they are written to. */
function writing(file: string | undefined, input: SourceInput, flags: TranslateFlags, { cwd }: Terminal): WriteOptions {
  return {
    lineDirectives: flags.lineDirectives ?? false,
    sourceMap: flags.inlineSourceMap ? "inline" : (flags.sourceMap ?? false),
    ...(file !== undefined && (flags.inlineSourceMap || flags.sourceMap)
      ? { heading: markerLine(basename(input.name)) }
      : {}),
    ...(file === undefined ? { sourceName: sourcesFrom(cwd, cwd) } : placedAt(file, cwd)),
  };
}

function outputFile(
  input: SourceInput,
  target: Target,
  entry: string | undefined,
  flags: TranslateFlags,
  terminal: Terminal,
): string | undefined {
  if (flags.output) return resolve(terminal.cwd, flags.output);
  if (!flags.outDir) return undefined;
  return resolve(
    terminal.cwd,
    flags.outDir,
    input.folder,
    `${input.stem}${entry ? `.${entry}` : ""}.${extensionOf(target)}`,
  );
}

function describe(
  { name, folder }: SourceInput,
  { target, entry, translation, missing }: TargetText,
  file: string | undefined,
  written: Written | undefined,
  flags: TranslateFlags,
): object {
  return {
    input: name,
    target,
    ...(entry ? { entry } : {}),
    ...(file ? { file: join(flags.outDir ?? dirname(flags.output ?? "."), folder, basename(file)) } : {}),
    ...(!file && written ? { code: written.code } : {}),
    refused: translation.output === undefined,
    refusedEntries: missing.refused,
    leftOut: missing.leftOut,
    emulations: translation.emulations,
    assumptions: translation.assumptions,
    barriers: translation.barriers,
  };
}
