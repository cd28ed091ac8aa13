/** Several files verified, in threads where that is worth it: what is said is said as by one thread, in the order of the files. */
import type { JobKind } from "../build/workers.js";
import { makeWorkers } from "../build/workers.js";
import type { SourceInput } from "../build/files.js";
import type { DeviceReport } from "../caps/device-report.js";
import { append } from "../support/append.js";
import { noting, sayNoted, type Said, type TerminalFacts } from "./noted.js";
import { verifyFile, type Run, type VerifiedFile, type VerifyFlags } from "./verify-file.js";

/** A file takes a second, or several. */
export const verifications: JobKind = { name: "verify", worthwhile: 4 };

export interface VerifyJob extends TerminalFacts {
  readonly input: SourceInput;
  readonly flags: VerifyFlags;
  readonly device: DeviceReport | undefined;
}

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
      sayNoted(said, terminal, reporter);
      append(files, done);
    }
    return files;
  } finally {
    workers.close();
  }
}

/** In a thread: verifies one file of several, and notes what it would say. */
export async function runVerifyJob({ input, flags, device, ...facts }: VerifyJob): Promise<VerifiedJob> {
  const { terminal, reporter, said } = noting(facts, "verify", flags);
  const files = await verifyFile(input, { flags, device, terminal, reporter, several: true });
  return { files, said };
}
