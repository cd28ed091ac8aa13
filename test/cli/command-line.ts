import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { main } from "../../src/cli/main.js";
import { plain } from "../../src/support/render.js";
import { fixturesFolder } from "../support/expectations.js";

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command line in this process, in `cwd`, with everything it prints. */
export async function crosslane(cwd: string, args: readonly string[], input = ""): Promise<Ran> {
  let out = "";
  let err = "";
  const code = await main(args, {
    cwd,
    out: (text) => void (out += text),
    err: (text) => void (err += text),
    readStandardInput: () => Promise.resolve(new TextEncoder().encode(input)),
    errPaint: plain,
    outPaint: plain,
    interactive: false,
  });
  return { code, out, err };
}

const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** A folder of its own with copies of fixture files: `reduce/kernel.metal` becomes `kernel.metal`. */
export function workspace(files: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "crosslane-cli-"));
  folders.push(folder);
  for (const [name, fixture] of Object.entries(files)) cpSync(join(fixturesFolder, fixture), join(folder, name));
  return folder;
}
