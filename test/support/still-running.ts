import type { Reporter, TestModule } from "vitest/node";

/** Names the files that had begun and not ended when the run was stopped from outside, as a limit on its time does. */
export class StillRunningReporter implements Reporter {
  private readonly running = new Set<string>();

  constructor() {
    process.once("SIGTERM", () => {
      process.stdout.write(`\nstopped while running: ${[...this.running].sort().join(", ") || "nothing"}\n`);
      process.exit(1);
    });
  }

  onTestModuleStart({ relativeModuleId }: TestModule): void {
    this.running.add(relativeModuleId);
  }

  onTestModuleEnd({ relativeModuleId }: TestModule): void {
    this.running.delete(relativeModuleId);
  }
}
