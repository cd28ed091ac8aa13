/**
 * Writing generated files: whole or not at all, only where they change, never over an input, over another output of the same
 * command or over a file of somebody's own.
 */
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import type { Stats } from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import type { Diagnostic } from "../support/diagnostics.js";
import type { BuildIndex } from "./build-index.js";
import { hashOf, isSettled, signatureOf } from "./file-view.js";
import type { FileView } from "./file-view.js";
import { fileProblem, reasonOf, shownName } from "./files.js";
import { isGenerated } from "./marker.js";

/** What became of an output. */
export type Settled =
  | { readonly state: "written" | "unchanged" | "stale" | "absent" }
  | { readonly state: "refused" | "failed"; readonly diagnostic: Diagnostic };

/** The text of an output, which may not be at hand yet. */
export interface OutputText {
  readonly hash: string;
  readonly text: () => string | undefined;
}

export const textOutput = (text: string): OutputText => ({ hash: hashOf(text), text: () => text });

export class OutputFiles {
  private readonly taken = new Map<string, string>();
  /** Files that were read and are their outputs, with these hashes. */
  private readonly found = new Map<string, string>();
  private readonly inputs: ReadonlySet<string>;
  /** Folders that are there, and those without what ended processes left. */
  private readonly made = new Set<string>();
  private readonly cleaned: Set<string>;
  /** What was looked at, until `forget`. */
  private readonly looked = new Map<string, Stats | undefined>();

  /** `inputs` are paths that no output may replace; `folder` is what names in messages are relative to. */
  constructor(
    private readonly folder: string,
    private readonly view: FileView,
    inputs: Iterable<string>,
    private readonly how: {
      readonly force?: boolean;
      /** Outputs of inputs that are not among those of this run, with their inputs' names. */
      readonly taken?: ((file: string) => string | undefined) | undefined;
      /** Folders that were cleaned before by this process: one that goes on writes to them again and again. */
      readonly cleaned?: Set<string> | undefined;
      /** Asked about outputs before they are read, and told of them. */
      readonly index?: BuildIndex | undefined;
    } = {},
  ) {
    this.inputs = new Set([...inputs].map((path) => view.real(path)));
    this.cleaned = how.cleaned ?? new Set();
  }

  /** Why `file` cannot be the output of `input`: it is an input, or another's output. */
  claim(file: string, input: string): Diagnostic | undefined {
    const real = this.realOf(file);
    if (this.inputs.has(real))
      return fileProblem(
        "XL8003",
        `the output '${this.nameOf(file)}' would replace an input`,
        "write into another folder with --out-dir",
      );
    const earlier = this.taken.get(real) ?? this.how.taken?.(file);
    if (earlier !== undefined)
      return fileProblem("XL8003", `'${earlier}' and '${input}' would both be written to '${this.nameOf(file)}'`);
    this.taken.set(real, input);
    return undefined;
  }

  /** Whether the index knows, without reading it, that the file is this output. */
  isKnown(file: string, hash: string, there = this.look(file)): boolean {
    return there?.isFile() === true && this.how.index?.output(file, signatureOf(there)) === hash;
  }

  /** Whether the file is this output, by what it holds. */
  isFound(file: string, hash: string): boolean {
    const there = this.look(file);
    // What a link leads to may be a pipe, as a file may be: neither is read.
    const bytes = there?.isFile() ? readBytes(file) : undefined;
    if (bytes === undefined || hashOf(bytes) !== hash) return false;
    this.found.set(file, hash);
    return true;
  }

  /** Time has passed, or will: files are looked at again. */
  forget(): void {
    this.looked.clear();
    this.found.clear();
  }

  private look(file: string): Stats | undefined {
    if (this.looked.has(file)) return this.looked.get(file);
    const there = linkOrFile(file);
    this.looked.set(file, there);
    return there;
  }

  /** Whether the file on disk is the output; writes nothing. */
  compare(file: string, output: OutputText): Settled {
    const bytes = readBytes(file);
    if (bytes === undefined) return { state: "absent" };
    return { state: hashOf(bytes) === output.hash ? "unchanged" : "stale" };
  }

  /** Makes the file what it should be. Where it is not yet, and the text is no longer at hand, that is said. */
  write(file: string, output: OutputText): Settled {
    try {
      const there = this.look(file);
      // It is about to become another.
      this.looked.delete(file);
      if (this.isKnown(file, output.hash, there)) return this.unchanged(file, there!, output);
      const settled = there !== undefined && isSettled(there);
      // A link stays one: what it leads to is written.
      const real = there?.isSymbolicLink() ? this.view.real(file) : file;
      const stat = there?.isSymbolicLink() ? statSync(file, { throwIfNoEntry: false }) : there;
      const isOutput = this.found.get(file) === output.hash;
      this.found.delete(file);
      const onDisk = stat?.isFile() && !isOutput ? readBytes(file) : undefined;
      if (isOutput || (onDisk && hashOf(onDisk) === output.hash))
        return settled && there.isFile() ? this.unchanged(file, there, output) : { state: "unchanged" };
      if (onDisk && !this.how.force && !isGenerated(onDisk))
        return { state: "refused", diagnostic: notOurs(this.nameOf(file)) };
      const text = output.text();
      if (text === undefined) return { state: "failed", diagnostic: noLongerKept(this.nameOf(file)) };
      // A device or pipe is written to; it must not be replaced.
      if (stat && !stat.isFile() && !stat.isDirectory()) writeFileSync(file, text);
      else this.replace(real, text, stat);
      return { state: "written" };
    } catch (error) {
      return {
        state: "failed",
        diagnostic: fileProblem("XL8002", `'${this.nameOf(file)}' cannot be written: ${reasonOf(error)}`),
      };
    }
  }

  private unchanged(file: string, there: Stats, { hash }: OutputText): Settled {
    this.how.index?.noteOutput(file, signatureOf(there), hash);
    return { state: "unchanged" };
  }

  private replace(file: string, text: string, before: Stats | undefined): void {
    const folder = dirname(file);
    if (!this.made.has(folder)) makeFolder(folder);
    if (!this.cleaned.has(folder)) removeLeftovers(folder);
    this.made.add(folder);
    this.cleaned.add(folder);
    replaceFile(file, text, before && before.mode & 0o777);
  }

  private nameOf(file: string): string {
    return shownName(file, this.folder);
  }

  private realOf(file: string): string {
    const there = this.look(file);
    return there?.isSymbolicLink() ? this.view.real(file) : join(this.view.real(dirname(file)), basename(file));
  }
}

const notOurs = (name: string): Diagnostic =>
  fileProblem(
    "XL8010",
    `'${name}' was not written by crosslane, and is left as it is`,
    "--force replaces it; or write somewhere else",
  );

/** Another process removed or damaged it after it was looked for. */
const noLongerKept = (name: string): Diagnostic =>
  fileProblem("XL8002", `'${name}' cannot be written: its text has just gone from the cache`, "build again");

/** Absent, too, where part of the path is no folder: writing says so. */
function linkOrFile(file: string): Stats | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function readBytes(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/** Says who writes a temporary file, so that what a killed process left can be told from what another is about to rename. */
const temporaryName = (file: string): string =>
  `.${basename(file).slice(0, 60)}.${machine()}-${process.pid}-${randomBytes(4).toString("hex")}.crosslane-tmp`;
let machineName: string | undefined;
const machine = (): string => (machineName ??= hashOf(hostname()).slice(0, 8));

/** With those it lies in. Node's own way does not come back where the system says of a folder that is there that it is not, as in /proc. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (isFolder(folder)) return;
    const above = dirname(folder);
    if (above === folder || isFolder(above)) throw error;
    makeFolder(above);
    makeFolder(folder);
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** Writes a file whole, and the folders it lies in. */
export function writeWhole(file: string, content: string | Uint8Array): void {
  makeFolder(dirname(file));
  replaceFile(file, content);
}

/** To a temporary name beside it, then renamed: a reader sees the old file or the new one. Its folder has to be there. */
export function replaceFile(file: string, content: string | Uint8Array, mode?: number): void {
  const temporary = join(dirname(file), temporaryName(file));
  try {
    writeFileSync(temporary, content);
    if (mode !== undefined) chmodSync(temporary, mode);
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Temporary files of processes of this machine that are no more. */
export function removeLeftovers(folder: string): void {
  for (const name of readdirSync(folder)) {
    const [, host, pid] = /\.([0-9a-f]{8})-(\d+)-[0-9a-f]{8}\.crosslane-tmp$/.exec(name) ?? [];
    // What this process writes is renamed before anything else happens; the rest was left by one that had its number.
    if (host !== machine() || (Number(pid) !== process.pid && isRunning(Number(pid)))) continue;
    rmSync(join(folder, name), { force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
