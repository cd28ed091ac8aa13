import type { Terminal } from "./terminal.js";

/** What every command is given. */
export interface CommandContext {
  readonly terminal: Terminal;
  /** Sets the exit code. */
  readonly finish: (code: number) => void;
  /** Ends `--watch`. */
  readonly signal?: AbortSignal;
}
