import picocolors from "picocolors";
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
}

/** Colour where the stream is a terminal and NO_COLOR is not set to something. */
function paintFor(stream: { readonly isTTY?: boolean }): Paint {
  const wanted = stream.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== "dumb";
  if (!wanted) return plain;
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

export function processTerminal(): Terminal {
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
  };
}
