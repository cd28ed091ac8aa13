import { writeSync } from "node:fs";
import picocolors from "picocolors";
import { reasonOf } from "../build/files.js";
import { exitCodes } from "./exit-codes.js";
import type { Paint } from "../support/render.js";
import { plain } from "../support/render.js";

/** What a command may touch of the world outside, besides files. Tests give their own. */
export interface Terminal {
  readonly cwd: string;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly readStandardInput: () => Promise<Uint8Array>;
  /** Colours of standard error and of standard output. */
  readonly errPaint: Paint;
  readonly outPaint: Paint;
  /** Progress is shown on a terminal only. */
  readonly interactive: boolean;
  /** How much is said besides results; `normal` where it is left out. */
  readonly level?: Level;
  /** Calls back when standard input ends. */
  readonly onInputEnd?: (ended: () => void) => void;
}

/** `quiet`: errors alone. `verbose`: also what is usually summed up. */
export type Level = "quiet" | "normal" | "verbose";

type Environment = Readonly<Record<string, string | undefined>>;

/** FORCE_COLOR decides where it is set, as for Node itself; else there is colour on a terminal where NO_COLOR is not set to something. */
export function wantsColor(
  isTerminal: boolean,
  { FORCE_COLOR: force, NO_COLOR: no, TERM: term }: Environment,
): boolean {
  if (force !== undefined) return force !== "0" && force !== "false";
  return isTerminal && !no && term !== "dumb";
}

function paintFor(stream: { readonly isTTY?: boolean }): Paint {
  if (!wantsColor(stream.isTTY === true, process.env)) return plain;
  const c = picocolors.createColors(true);
  return {
    error: (t) => c.bold(c.red(t)),
    warning: (t) => c.bold(c.yellow(t)),
    note: (t) => c.bold(c.cyan(t)),
    strong: c.bold,
    faint: c.dim,
    added: c.green,
    removed: c.red,
  };
}

/** A reader that went away wants no more; a disk that is full is said in one line. */
function onBrokenOutput(error: Error): never {
  const code = "code" in error ? String(error.code) : "";
  if (code === "EPIPE") process.exit(exitCodes.done);
  writeSync(2, `error[XL8002]: standard output cannot be written: ${reasonOf(error)}\n`);
  process.exit(exitCodes.errors);
}

export function processTerminal(): Terminal {
  process.stdout.once("error", onBrokenOutput);
  return {
    cwd: process.cwd(),
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    readStandardInput: async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks);
    },
    errPaint: paintFor(process.stderr),
    outPaint: paintFor(process.stdout),
    interactive: process.stderr.isTTY === true,
    onInputEnd: (ended) => void process.stdin.once("end", ended).once("error", ended).resume(),
  };
}
