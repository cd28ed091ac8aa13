import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Finished {
  /** Null: it did not end in time, or was ended. */
  readonly status: number | null;
  readonly stdout: string;
  /** Says so too where it did not end in time. */
  readonly stderr: string;
}

export interface RunOptions {
  readonly input?: string;
  /** Beside this process's own. */
  readonly env?: Readonly<Record<string, string>>;
  readonly mostTime?: number;
}

/** With all that it has started: a compiler is often a script around a compiler, which would go on without it. */
function endTree(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(process.platform === "win32" ? child.pid : -child.pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

/** Runs a program by its arguments, without a shell, and ends it where it takes too long or this process ends. */
export function runProgram(
  program: string,
  args: readonly string[],
  cwd: string,
  { input, env, mostTime = 60_000 }: RunOptions = {},
): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      ...(env ? { env: { ...process.env, ...env } } : {}),
      stdio: ["pipe", "pipe", "pipe"],
      // A group of its own, so that it can be ended as a whole.
      detached: process.platform !== "win32",
    });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
    // A compiler that stops early closes its input; its exit status tells the rest.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input ?? "");

    // A group of its own does not hear what the terminal tells this one.
    const ended = (): void => endTree(child);
    const signalled = (signal: NodeJS.Signals): void => {
      done();
      endTree(child);
      process.kill(process.pid, signal);
    };
    const timer = setTimeout(() => {
      stderr.push(Buffer.from(`${program} did not end within ${String(mostTime / 1000)} seconds\n`));
      endTree(child);
      // What has left the group may hold them open.
      child.stdout.destroy();
      child.stderr.destroy();
    }, mostTime);
    const done = (): void => {
      clearTimeout(timer);
      process.off("exit", ended);
      for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.off(signal, signalled);
    };
    process.once("exit", ended);
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, signalled);
    child.on("error", (error) => {
      done();
      reject(error);
    });
    child.on("close", (status) => {
      done();
      resolve({ status, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() });
    });
  });
}

/** A folder of its own, removed afterwards. */
export async function inScratchFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "crosslane-judge-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
