/** Texts that were written, read again by the front end of their language and made ready to run. */
import type { EntryPoint } from "../ast/nodes.js";
import { isSourceDialect } from "../dialects/ids.js";
import { languageFacts } from "../dialects/languages.js";
import type { Triple } from "../launch/triple.js";
import { shapeOf } from "../launch/reflection.js";
import type { Diagnostic } from "../support/diagnostics.js";
import { matchTranslation } from "../verify/arguments-of-translation.js";
import type { TranslatedArgument } from "../verify/arguments-of-translation.js";
import type { Runner } from "../verify/verify.js";
import { compile, fileDiagnostic, filesAndMacros } from "./compile.js";
import type { Compilation } from "./compile.js";
import { hlslOptionsOf, textName } from "./judge.js";
import { simulatorRunner, type RunnerOptions } from "./runners.js";
import { writtenEntry } from "./translate.js";
import type { Translation } from "./translate.js";
import { loadTypescript, typescriptRunner } from "./load-typescript.js";

export interface TranslationRunner {
  readonly runner: Runner;
  /** What a fault is planted in; TypeScript is not read again, so that its faults are those of its source's tree. */
  readonly of: ReadTranslation;
  readonly readAgain: boolean;
}

/**
 * The text that was written, read again and run: as the kernel of its dialect, or as the module it is. With a size
 * it is one of several texts.
 */
export async function translationRunner(
  {
    compilation,
    entry,
    threads,
    ahead,
  }: Pick<ReadTranslation, "compilation" | "entry"> & Pick<RunnerOptions, "threads" | "ahead">,
  translation: Translation,
  size?: Triple,
): Promise<TranslationRunner | { diagnostics: Diagnostic[] }> {
  const { target, output } = translation;
  if (!output) throw new Error("a refused translation is not run");
  if (target === "ts") {
    const kernels = [...loadTypescript(output.module, compilation.expanded).values()];
    const kernel = kernels[output.module.entries.indexOf(writtenEntry(compilation, entry, translation))];
    return { runner: typescriptRunner(kernel!), of: { compilation, entry }, readAgain: false };
  }
  const read = await readTranslation(compilation, translation, size, entry);
  if ("diagnostics" in read) return read;
  const made = await simulatorRunner(read.compilation, read.entry, { translated: read.translated, threads, ahead });
  return "diagnostics" in made ? made : { runner: made.runner, of: read, readAgain: true };
}

/** A text that was written, compiled like any source, with its arguments matched to those of its source. */
export interface ReadTranslation {
  readonly compilation: Compilation;
  readonly entry: EntryPoint;
  /** Absent where the text is the source's own. */
  readonly translated?: readonly TranslatedArgument[];
}

/** Of arrays that have no length in the source, and none in its own dialect. */
const lengthsOf = ({ options }: Compilation): Readonly<Record<string, number>> => ({
  ...options.listedArrays,
  ...options.arrayLength,
});

/** As the kernel that `entry` of the source is there; the first without it. */
export async function readTranslation(
  compilation: Compilation,
  translation: Translation,
  size?: Triple,
  entry?: EntryPoint,
): Promise<ReadTranslation | { diagnostics: Diagnostic[] }> {
  const { target, output } = translation;
  if (!output || target === "ts") throw new Error("there is no text to read again");
  const { name: language } = languageFacts[target];
  if (!isSourceDialect(target)) {
    const message = `crosslane does not read ${language}, so that its text cannot be run`;
    return { diagnostics: [fileDiagnostic(compilation, "XL6020", message)] };
  }
  const fileName = textName(compilation, target, size);
  const kept = output.formatted ? { ...filesAndMacros(compilation), listedArrays: lengthsOf(compilation) } : {};
  const version = target === "hlsl" ? hlslOptionsOf(compilation) : {};
  const read = await compile(output.code, { ...kept, ...version, from: target, fileName });
  const bug = (message: string, notes: Diagnostic["notes"]): { diagnostics: Diagnostic[] } => ({
    diagnostics: [
      {
        ...fileDiagnostic(
          compilation,
          "XL9001",
          message,
          "this is a bug of crosslane: please report it with the kernel",
        ),
        notes,
      },
    ],
  });
  const wanted = entry ? writtenEntry(compilation, entry, translation) : output.module.entries[0]!;
  const entries = read.module?.entries ?? [];
  const again = entries.length === 1 ? entries[0] : entries.find((e) => e.name === wanted.name);
  if (!read.module || !again) {
    const notes = read.diagnostics.map((d) => ({
      message: `${d.code} ${d.message}`,
      ...(d.location ? { location: d.location } : {}),
    }));
    return bug(`the ${target} text that was written cannot be read again`, notes);
  }
  if (output.formatted) return { compilation: read, entry: again };
  const matched = matchTranslation(
    shapeOf(read.module, again),
    output.slots.filter((s) => s.entry === wanted.name),
  );
  if ("problem" in matched)
    return bug(`the interface of the ${target} text is not the one that was meant`, [{ message: matched.problem }]);
  return { compilation: read, entry: again, translated: matched.arguments };
}
