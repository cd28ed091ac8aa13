/** The command line as it is shipped, joined to one file from the sources as they are, and run as a process of its own. */
import { spawn, spawnSync } from "node:child_process";
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { joinCommandLine } from "../../scripts/join.mjs";
import { repositoryRoot } from "../support/judges/judge.js";

let made: Promise<string> | undefined;
const folders: string[] = [];
const children: ChildProcessWithoutNullStreams[] = [];

// Files of tests share a process and what it has loaded: all of it is put away with the process.
process.once("exit", () => {
  for (const child of children) child.kill("SIGKILL");
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Beside the repository's own packages, which the file needs. */
export function commandFile(): Promise<string> {
  made ??= (async () => {
    const cache = join(repositoryRoot, ".cache");
    mkdirSync(cache, { recursive: true });
    // A process that is ended from outside puts nothing away.
    for (const name of readdirSync(cache).filter((n) => n.startsWith("command-")))
      if (Date.now() - statSync(join(cache, name)).mtimeMs > 3_600_000)
        rmSync(join(cache, name), { recursive: true, force: true });
    const folder = mkdtempSync(join(cache, "command-"));
    folders.push(folder);
    mkdirSync(join(folder, "dist/cli"), { recursive: true });
    await joinCommandLine(join(repositoryRoot, "src/cli/main.ts"), join(folder, "dist/cli/main.cjs"));
    cpSync(join(repositoryRoot, "bin"), join(folder, "bin"), { recursive: true });
    cpSync(join(repositoryRoot, "package.json"), join(folder, "package.json"));
    return join(folder, "bin/crosslane.js");
  })();
  return made;
}

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export async function crosslane(cwd: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const { status, stdout, stderr } = spawnSync(process.execPath, [await commandFile(), ...args], {
    cwd,
    encoding: "utf8",
    env: { ...process.env, ...env },
  });
  return { code: status, out: stdout, err: stderr };
}

/** A command that goes on, with what it has said so far. */
export interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  readonly said: () => string;
  readonly ended: Promise<number | null>;
}

export async function start(cwd: string, args: readonly string[]): Promise<Running> {
  const child = spawn(process.execPath, [await commandFile(), ...args], { cwd });
  children.push(child);
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
  const ended = new Promise<number | null>((resolve) => child.on("close", (code) => resolve(code)));
  return { child, said: () => said, ended };
}

/** Waits until it holds; machines are slow at times. */
export async function until(holds: () => boolean, what: () => string): Promise<void> {
  for (let i = 0; i < 3000; i++) {
    if (holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect.fail(what());
}

export function project(files: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "crosslane-build-"));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) put(join(folder, name), text);
  return folder;
}

export function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** As editors do: to a temporary name, then renamed over the file. */
export function putByRename(file: string, text: string): void {
  put(`${file}.new~`, text);
  renameSync(`${file}.new~`, file);
}

/** A kernel that adds a number, which shows in every translation of it. */
export const adding = (n: number | string, name = "add"): string =>
  `kernel void ${name}(device uint *x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = x[i] + ${n}; }\n`;

export const config = (more: object = {}): string =>
  JSON.stringify({ inputs: "kernels/**/*.metal", targets: ["opencl", "hlsl"], workgroupSize: [64], ...more });

/** The texts below a folder by their paths; what is there but a text of a build, too. Files that a build renames meanwhile are gone. */
export function textsBelow(folder: string): Record<string, string> {
  if (!existsSync(folder)) return {};
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  return Object.fromEntries(
    names.flatMap((n) => {
      const file = join(folder, n);
      if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return [];
      try {
        return [[n, readFileSync(file, "utf8")]];
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
        throw error;
      }
    }),
  );
}
