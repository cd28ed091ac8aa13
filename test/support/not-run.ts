import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Reporter } from "vitest/node";

/** Set here for the worker processes: the file that collects what could not be run. */
export const notRunVariable = "CROSSLANE_NOT_RUN_FILE";

export interface NotRun {
  readonly tool: string;
  readonly name: string;
}

/** Vitest reporter that ends the run with one line per missing program. See tool-test.ts. */
export class NotRunReporter implements Reporter {
  private readonly folder = mkdtempSync(join(tmpdir(), "crosslane-not-run-"));
  private readonly file = join(this.folder, "records");

  constructor() {
    process.env[notRunVariable] = this.file;
    // Where no test is run, too.
    process.once("exit", () => rmSync(this.folder, { recursive: true, force: true }));
    writeFileSync(this.file, "");
  }

  onTestRunStart(): void {
    writeFileSync(this.file, "");
  }

  onTestRunEnd(): void {
    const lines = summary(readFileSync(this.file, "utf8"));
    rmSync(this.folder, { recursive: true, force: true });
    if (lines.length > 0) process.stdout.write(`\n${lines.join("\n")}\n`);
  }
}

export function summary(records: string): string[] {
  const counts = new Map<string, number>();
  for (const line of records.split("\n")) {
    if (line === "") continue;
    const { tool } = JSON.parse(line) as NotRun;
    counts.set(tool, (counts.get(tool) ?? 0) + 1);
  }
  return [...counts].map(([tool, count]) => `not run: ${tool} missing (${count} ${count === 1 ? "test" : "tests"})`);
}
