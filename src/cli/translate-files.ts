/** Several files translated, in threads where that is worth it: what is said and written is as by one thread, in the order of the files. */
import type { Layouts } from "../api/typescript-layout.js";
import type { FileView } from "../build/file-view.js";
import { Reads } from "../build/file-view.js";
import type { SourceInput } from "../build/files.js";
import { makeWorkers, translations } from "../build/workers.js";
import type { JobKind } from "../build/workers.js";
import type { DeviceReport } from "../caps/device-report.js";
import { exitCodes } from "./exit-codes.js";
import { noting, sayNoted, type Said, type TerminalFacts } from "./noted.js";
import { translateInput, type Output, type TranslateFlags, type Translating } from "./translate-file.js";

/** Counted by texts. */
export const translatedFiles: JobKind = { name: "translate", worthwhile: translations.worthwhile };

export interface TranslateJob extends TerminalFacts {
  readonly input: SourceInput;
  readonly flags: TranslateFlags;
  readonly device: DeviceReport | undefined;
}

/** What a thread gives: with what it would have said. */
export interface TranslatedJob {
  readonly outputs: readonly Output[];
  readonly reads: ReadonlyMap<string, string>;
  readonly said: readonly Said[];
  readonly code: number;
}

/** A file in its turn. */
export interface TranslatedFile {
  readonly input: SourceInput;
  /** Gives, or throws, what became of it. */
  readonly outputs: () => Promise<readonly Output[]>;
  /** Every file that was looked at, with its state, once there are outputs. */
  readonly reads: ReadonlyMap<string, string>;
}

export async function translateFiles(
  inputs: readonly SourceInput[],
  run: Translating,
  view: FileView,
  done: (file: TranslatedFile) => Promise<void>,
): Promise<void> {
  const { flags, device, terminal, reporter } = run;
  // A watch keeps what it has read.
  const apart = flags.watch === undefined && inputs.every((i) => i.path !== undefined);
  const texts = inputs.length * flags.to.length;
  const workers = apart ? makeWorkers<TranslateJob, TranslatedJob>(translatedFiles, texts, flags.jobs) : undefined;
  if (!workers) {
    for (const input of inputs) {
      const own = new Reads(view, reporter.sources);
      await done({ input, outputs: () => translateInput(input, run, own), reads: own.states });
    }
    return;
  }
  try {
    const { cwd, level } = terminal;
    const jobs = inputs.map((input) => workers.run({ input, flags, device, cwd, level }));
    // One that fails is met in its turn.
    for (const job of jobs) job.catch(() => undefined);
    for (const [i, job] of jobs.entries()) {
      const reads = new Map<string, string>();
      const outputs = async (): Promise<readonly Output[]> => {
        const given = await job;
        sayNoted(given.said, terminal, reporter);
        run.worsen(given.code);
        for (const [path, state] of given.reads) reads.set(path, state);
        return given.outputs;
      };
      await done({ input: inputs[i]!, outputs, reads });
    }
  } finally {
    workers.close();
  }
}

/** In a thread: translates one file of several, and notes what it would say. */
export async function runTranslateJob(
  { input, flags, device, ...facts }: TranslateJob,
  view: FileView,
  layouts: Layouts,
): Promise<TranslatedJob> {
  const { terminal, reporter, said } = noting(facts, "translate", flags);
  let code: number = exitCodes.done;
  const worsen = (to: number): void => void (code = Math.max(code, to));
  const own = new Reads(view, reporter.sources);
  const run = { flags, device, terminal, reporter, said: new Map<string, string>(), layouts, worsen };
  const outputs = await translateInput(input, run, own);
  return { outputs, reads: own.states, said, code };
}
