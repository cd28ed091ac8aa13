/**
 * What a build sees of the disk: each file is read once, and what was looked at is remembered with its state, also where there
 * was nothing. A result is right as long as every state is what it was.
 */
import { hash } from "node:crypto";
import { readFileSync, realpathSync, statSync } from "node:fs";
import type { Stats } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";

/** One file as it was when the view first looked. */
export interface FileLook {
  readonly path: string;
  /**
   * Equal states are equal contents under equal real paths: `-` no file there, `!CODE` a file that cannot be read, else the hash
   * of its bytes, and its real path below the view's folder where links lead to it.
   */
  readonly state: string;
  /** Absent where it was not read. */
  readonly bytes?: Buffer;
  /** Why it cannot be read: a code of the system, or `LARGE`. */
  readonly problem?: string;
  /** With links followed. */
  readonly real: string;
  /** Equal where the file was not touched since; absent where that cannot be told. */
  readonly signature?: string;
}

/** A file changed so shortly before it was read may change again without its times telling. */
const shortly = 100;
/** To be asked before the file is read. */
export const isSettled = ({ mtimeMs, ctimeMs }: Stats): boolean => Math.max(mtimeMs, ctimeMs) < Date.now() - shortly;

/** Equal for a file that is settled, and that nothing touched since. */
export const signatureOf = ({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string =>
  [dev, ino, size, mtimeMs, ctimeMs].join();

/** Beyond this a file is not even read; the front end's own limit is lower and says so with a place. */
export const largestSource = 64 * 2 ** 20;

export const hashOf = (bytes: string | Uint8Array): string => hash("sha256", bytes, "hex");

export class FileView {
  private readonly seen = new Map<string, FileLook>();
  private readonly reals = new Map<string, string>();
  private readonly paths = new Map<string, string>();

  /**
   * Real paths in states are relative to `folder`, so that states mean the same after it was moved. What `before` read is taken
   * from there where the file was not touched.
   */
  constructor(
    readonly folder: string,
    private before?: FileView,
  ) {}

  /** Forgets the view before this one, which else would keep all views before it. */
  settle(): void {
    this.before = undefined;
  }

  /** Looks again at files that may have changed; those that are not what they were. Others are taken for what they were. */
  lookAgain(paths: Iterable<string>): Set<string> {
    const changed = new Set<string>();
    for (const path of paths) {
      const was = this.seen.get(path);
      this.reals.delete(path);
      this.seen.delete(path);
      const is = this.read(path, was);
      this.seen.set(path, is);
      if (was?.state !== is.state) changed.add(path);
    }
    return changed;
  }

  /** The path of a name that is relative to the folder. */
  pathOf(name: string): string {
    let path = this.paths.get(name);
    if (path === undefined) this.paths.set(name, (path = resolve(this.folder, name)));
    return path;
  }

  look(path: string): FileLook {
    const known = this.seen.get(path);
    if (known) return known;
    const look = this.read(path);
    this.seen.set(path, look);
    return look;
  }

  /** The path with links followed; itself where there is nothing. */
  real(path: string): string {
    const known = this.reals.get(path) ?? this.seen.get(path)?.real;
    if (known !== undefined) return known;
    let real = path;
    try {
      real = realpathSync.native(path);
    } catch {
      // What is not there has its own name only.
    }
    this.reals.set(path, real);
    return real;
  }

  private read(path: string, known = this.before?.seen.get(path)): FileLook {
    const absent = { path, state: "-", problem: "ENOENT", real: path };
    try {
      const stat = statSync(path, { throwIfNoEntry: false });
      if (stat === undefined) return absent;
      if (!stat.isFile()) return { ...absent, problem: stat.isDirectory() ? "EISDIR" : "ENOENT" };
      const signature = signatureOf(stat);
      if (known?.signature === signature) return known;
      const real = this.real(path);
      const trusted = isSettled(stat) ? { signature } : {};
      if (stat.size > largestSource) return { path, state: "!LARGE", problem: "LARGE", real, ...trusted };
      const bytes = readFileSync(path);
      const led = real === path ? "" : `>${portable(this.folder, real)}`;
      return { path, state: hashOf(bytes) + led, bytes, real, ...trusted };
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : "EIO";
      return code === "ENOENT" || code === "ENOTDIR" ? absent : { ...absent, state: `!${code}`, problem: code };
    }
  }
}

/** The files one result depends on, by absolute path, with their states. */
export class Reads {
  readonly states = new Map<string, string>();

  /** `texts` gets what was read, by the names messages use, for code frames. */
  constructor(
    readonly view: FileView,
    readonly texts = new Map<string, string>(),
  ) {}

  look(path: string): FileLook {
    const look = this.view.look(path);
    this.states.set(path, look.state);
    return look;
  }
}

/** A path below a folder as one writes it there, with `/`; others whole. */
export function portable(folder: string, path: string): string {
  const near = relative(folder, path);
  return (isAbsolute(near) ? path : near).split(sep).join("/");
}
