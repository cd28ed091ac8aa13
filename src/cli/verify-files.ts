/** Several files verified, in threads where that is worth it: what is said is said as by one thread, in the order of the files. */
import type { JobKind } from "../build/workers.js";
import { makeWorkers } from "../build/workers.js";
import type { SourceInput } from "../build/files.js";
import type { DeviceReport } from "../caps/device-report.js";
import { append } from "../support/append.js";
import { plain } from "../support/render.js";
import type { Diagnostic } from "../support/diagnostics.js";
import { Reporter } from "./report.js";
import type { Level, Terminal } from "./terminal.js";
import { verifyFile, type Run, type VerifiedFile, type VerifyFlags } from "./verify-file.js";

/** A file takes a second, or several. */
export const verifications: JobKind = { name: "verify", worthwhile: 4 };

export interface VerifyJob {
  readonly input: SourceInput;
  readonly flags: VerifyFlags;
  readonly device: DeviceReport | undefined;
  readonly cwd: string;
  readonly level: Level | undefined;
}

/** What a file's verification told the reporter and the terminal, in order. */
type Said =
  | { readonly texts: readonly (readonly [file: string, text: string])[]; readonly show: readonly Diagnostic[] }
  | { readonly out: string };

export interface VerifiedJob {
  readonly files: readonly VerifiedFile[];
  readonly said: readonly Said[];
}

export async function verifyFiles(inputs: readonly SourceInput[], run: Run): Promise<VerifiedFile[]> {
  const { flags, device, terminal, reporter } = run;
  const named = inputs.every((i) => i.path !== undefined);
  const workers = named ? makeWorkers<VerifyJob, VerifiedJob>(verifications, inputs.length, flags.jobs) : undefined;
  const files: VerifiedFile[] = [];
  if (!workers) {
    for (const input of inputs) append(files, await verifyFile(input, run));
    return files;
  }
  try {
    const { cwd, level } = terminal;
    const jobs = inputs.map((input) => workers.run({ input, flags, device, cwd, level }));
    // One that fails is met in its turn.
    for (const job of jobs) job.catch(() => undefined);
    for (const job of jobs) {
      const { files: done, said } = await job;
      for (const s of said) {
        if ("out" in s) {
          terminal.out(s.out);
          continue;
        }
        for (const [name, text] of s.texts) reporter.sources.set(name, text);
        reporter.show(s.show);
      }
      append(files, done);
    }
    return files;
  } finally {
    workers.close();
  }
}

/** In a thread: verifies one file of several, and notes what it would say. */
export async function runVerifyJob({ input, flags, device, cwd, level }: VerifyJob): Promise<VerifiedJob> {
  const said: Said[] = [];
  const terminal: Terminal = {
    cwd,
    out: (out) => void said.push({ out }),
    err: () => undefined,
    readStandardInput: () => Promise.reject(new Error("a thread has no standard input")),
    errPaint: plain,
    outPaint: plain,
    interactive: false,
    ...(level === undefined ? {} : { level }),
  };
  const reporter = new Noting({ ...terminal, out: () => undefined }, flags, said);
  const files = await verifyFile(input, { flags, device, terminal, reporter, several: true });
  return { files, said };
}

/** Counts as the command's own reporter does, and notes what it is shown. */
class Noting extends Reporter {
  private readonly noted = new Set<string>();

  constructor(
    terminal: Terminal,
    flags: VerifyFlags,
    private readonly notes: Said[],
  ) {
    super(terminal, "verify", flags);
  }

  override show(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
    const texts = [...this.sources].filter(([file]) => !this.noted.has(file));
    for (const [file] of texts) this.noted.add(file);
    if (texts.length > 0 || diagnostics.length > 0) this.notes.push({ texts, show: diagnostics });
    return super.show(diagnostics);
  }
}
