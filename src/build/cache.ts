/**
 * What was translated before, by content. An entry is found by the source, its settings and the program; it has one or more
 * results, each with the files that were looked at and their states: a result holds where all states are as they were. Entries
 * and texts are written whole and carry their own hashes, so that neither a crash nor a second build leaves one that is wrong.
 */
import { createRequire } from "node:module";
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BuildIndex } from "./build-index.js";
import { hashOf } from "./file-view.js";
import type { FileView } from "./file-view.js";
import type { BuiltText, TargetResult } from "./job.js";
import { replaceFile } from "./output-files.js";

/** A text by its hash; the text itself lies beside the entries. */
export interface StoredText extends Omit<BuiltText, "code"> {
  readonly hash?: string;
}
export interface StoredResult extends Omit<TargetResult, "texts"> {
  readonly texts: readonly StoredText[];
}

/** The files that were looked at, with their states (`FileLook.state`). */
export type States = readonly (readonly [path: string, state: string])[];

/** A result, and the files that it is right for. */
export interface Variant {
  readonly reads: States;
  readonly result: StoredResult;
}

/** Results of one source with several states of its includes, so that going back is fast too. */
const mostVariants = 6;
/** Entries that nobody wrote for so long are removed. */
const keptDays = 30;

export class BuildCache {
  private broken = false;

  /** `folder` is made when something is written. The index is asked first. Paths in entries are relative to the view's folder. */
  constructor(
    private readonly folder: string,
    readonly index?: BuildIndex,
  ) {}

  find(key: string, view: FileView): Variant | undefined {
    const holds = ({ reads }: Variant): boolean =>
      reads.every(([path, state]) => view.look(view.pathOf(path)).state === state);
    const indexed = this.index?.result(key);
    return indexed && holds(indexed) ? indexed : this.variants(key).find(holds);
  }

  /** The text of a hash; absent where it is not there or not whole. */
  text(hash: string): string | undefined {
    const bytes = read(this.file("t", hash));
    return bytes !== undefined && hashOf(bytes) === hash ? bytes.toString("utf8") : undefined;
  }

  /** Keeps a result. A cache that cannot be written is one that is not there. */
  store(key: string, reads: States, result: TargetResult): void {
    if (this.broken || result.unverified.length > 0) return;
    try {
      const texts = result.texts.map(({ code, ...text }): StoredText => {
        if (code === undefined) return text;
        const hash = hashOf(code);
        if (this.text(hash) === undefined) this.put(this.file("t", hash), code);
        return { ...text, hash };
      });
      const stored: Variant = { reads, result: { ...result, texts } };
      const same = JSON.stringify(reads);
      const others = this.variants(key).filter((v) => JSON.stringify(v.reads) !== same);
      const variants = [stored, ...others.slice(0, mostVariants - 1)];
      const json = JSON.stringify(variants);
      this.put(this.file("r", key), `${hashOf(json)}\n${json}`);
      this.index?.noteResult(key, stored);
    } catch {
      this.broken = true;
    }
  }

  /** Removes old entries, once a day at most. */
  tidy(now = Date.now()): void {
    const stamp = join(this.folder, "tidied");
    try {
      const last = statSync(stamp, { throwIfNoEntry: false });
      if (last && now - last.mtimeMs < 86_400_000) return;
      mkdirSync(this.folder, { recursive: true });
      writeFileSync(stamp, "");
      utimesSync(stamp, now / 1000, now / 1000);
      if (!last) return;
      for (const name of readdirSync(this.folder, { recursive: true, encoding: "utf8" })) {
        const file = join(this.folder, name);
        const stat = statSync(file, { throwIfNoEntry: false });
        if (stat?.isFile() && now - stat.mtimeMs > keptDays * 86_400_000) rmSync(file, { force: true });
      }
    } catch {
      // Another build may be tidying too; what is left is removed another day.
    }
  }

  private variants(key: string): readonly Variant[] {
    const text = read(this.file("r", key))?.toString("utf8");
    if (text === undefined) return [];
    const end = text.indexOf("\n");
    const json = text.slice(end + 1);
    return end > 0 && text.slice(0, end) === hashOf(json) ? (JSON.parse(json) as Variant[]) : [];
  }

  private file(kind: "r" | "t", hash: string): string {
    return join(this.folder, kind, hash.slice(0, 2), hash.slice(2));
  }

  private put(file: string, content: string): void {
    this.ignored ||= this.ignore();
    mkdirSync(dirname(file), { recursive: true });
    replaceFile(file, content);
  }

  private ignored = false;

  /** Nobody wants a cache under version control. */
  private ignore(): true {
    mkdirSync(this.folder, { recursive: true });
    writeFileSync(join(this.folder, ".gitignore"), "*\n");
    return true;
  }
}

function read(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/**
 * Names this very program: another build of crosslane, of Node or of Prettier may write another text. Where the program is not
 * one file there is no telling, and nothing is found again.
 */
export function programId(version: string): string {
  const own = fileURLToPath(import.meta.url);
  const bytes = own.endsWith("main.cjs") ? read(own) : undefined;
  if (!bytes) return `${version} ${process.pid} ${process.hrtime.bigint()}`;
  const prettier = createRequire(own)("prettier/package.json") as { version: string };
  return `${version} ${hashOf(bytes)} prettier ${prettier.version} node ${process.versions.node}`;
}
