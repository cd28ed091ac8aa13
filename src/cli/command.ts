import type { Command } from "commander";
import type { Terminal } from "./terminal.js";

/** What every command is given. */
export interface CommandContext {
  readonly terminal: Terminal;
  /** Sets the exit code. */
  readonly finish: (code: number) => void;
  /** Ends `--watch`. */
  readonly signal?: AbortSignal;
  /** Every command, for what is said of all of them. */
  readonly allCommands?: () => Promise<readonly Command[]>;
}
