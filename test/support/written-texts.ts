/**
 * The texts of every fixture for every target, on disk by content: what is written hangs on crosslane's own code, the source
 * and the launch files, and as long as those are the same it is not written again, whichever test asks. Trees are not kept:
 * who needs one asks `translated`.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Target } from "../../src/dialects/ids.js";
import { fixturesFolder, launchFilesOf, readSource } from "./expectations.js";
import type { TwoWayDialect } from "./expectations.js";
import { repositoryRoot } from "./judges/judge.js";
import { compiled, explain, kernelsOf, translated } from "./translations.js";

/** One kernel for one target. */
export interface WrittenText {
  readonly entry: string;
  /** Absent where it is refused. */
  readonly code?: string;
  /** The source's own text, laid out. */
  readonly formatted: boolean;
  /** The ops that the target lacks. */
  readonly emulated: readonly string[];
  /** What was said, as it is shown. */
  readonly said: string;
}

export interface WrittenTexts {
  /** Of the source, as they are shown; empty where there is none. */
  readonly errors: string;
  readonly texts: readonly WrittenText[];
}

/** What texts hang on beside the source. */
const ownCode = [
  "src",
  "emitters",
  "test/support/translations.ts",
  "test/support/written-texts.ts",
  "package-lock.json",
];

/** States of the code of which texts are kept: going back to one is fast. */
const mostStates = 4;

/** By source and target, in this process. */
const known = new Map<string, Promise<WrittenTexts>>();
let folderOfCode: string | undefined;

export function writtenTexts(fixture: string, dialect: TwoWayDialect, target: Target): Promise<WrittenTexts> {
  const key = `${fixture}/${dialect}/${target}`;
  let found = known.get(key);
  if (!found) known.set(key, (found = readOrWrite(fixture, dialect, target)));
  return found;
}

async function readOrWrite(fixture: string, dialect: TwoWayDialect, target: Target): Promise<WrittenTexts> {
  folderOfCode ??= makeFolder();
  const content = createHash("sha256").update(`${fixture}\0${dialect}\0${target}\0${readSource(fixture, dialect)}`);
  for (const file of launchFilesOf(fixture))
    content.update(`\0${file}\0`).update(readFileSync(join(fixturesFolder, fixture, file)));
  const path = join(folderOfCode, content.digest("hex"));
  try {
    return JSON.parse(readFileSync(path, "utf8")) as WrittenTexts;
  } catch {
    const written = await write(fixture, dialect, target);
    // Renamed into place: test files run in several processes.
    writeFileSync(`${path}.${process.pid}`, JSON.stringify(written));
    renameSync(`${path}.${process.pid}`, path);
    return written;
  }
}

async function write(fixture: string, dialect: TwoWayDialect, target: Target): Promise<WrittenTexts> {
  const { diagnostics } = await compiled(fixture, dialect);
  const errors = diagnostics.filter((d) => d.severity === "error");
  const texts: WrittenText[] = [];
  for (const kernel of await kernelsOf(fixture, dialect)) {
    const { output, emulations, diagnostics } = await translated(kernel, target);
    texts.push({
      entry: kernel.entry,
      ...(output ? { code: output.code } : {}),
      formatted: output?.formatted === true,
      emulated: emulations.map((e) => e.op),
      said: explain(fixture, dialect, diagnostics),
    });
  }
  return { errors: explain(fixture, dialect, errors), texts };
}

/** The folder for the code as it is. Those of other states go when there are too many. */
function makeFolder(): string {
  const code = createHash("sha256").update(process.version);
  for (const path of ownCode.flatMap(filesIn))
    code.update(`\0${path}\0`).update(readFileSync(join(repositoryRoot, path)));
  const all = join(repositoryRoot, ".cache", "translations");
  const folder = join(all, code.digest("hex"));
  mkdirSync(folder, { recursive: true });
  const states = readdirSync(all).map((name) => join(all, name));
  const byAge = states.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  for (const old of byAge.slice(mostStates)) if (old !== folder) rmSync(old, { recursive: true, force: true });
  return folder;
}

function filesIn(path: string): string[] {
  if (!statSync(join(repositoryRoot, path)).isDirectory()) return [path];
  return readdirSync(join(repositoryRoot, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(repositoryRoot.length + 1))
    .sort();
}
