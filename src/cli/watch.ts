/** Doing something again whenever files change. What the watcher says is a hint; what is on disk decides. */
import { existsSync, readlinkSync } from "node:fs";
import { dirname, resolve, sep } from "node:path";
import { watch } from "chokidar";
import { FileView } from "../build/file-view.js";
import type { Terminal } from "./terminal.js";

/** What a run looked at. */
export interface Watched {
  /** Files that were read, and paths where a file would have been. */
  readonly files: Iterable<string>;
  /** Folders below which files may appear that matter. */
  readonly roots: readonly string[];
  /** Files that were written: they are no reason to run again. */
  readonly outputs: ReadonlySet<string>;
}

/** Why it is to run. */
export interface Change {
  readonly view: FileView;
  /** Files of the last run that are not what they were; absent for the first run. */
  readonly changed?: ReadonlySet<string>;
}

/** What ends it, besides signals: nothing, or the end of standard input. */
export type WatchMode = true | "stdin";

export interface WatchOptions {
  readonly folder: string;
  readonly terminal: Terminal;
  readonly mode: WatchMode;
  readonly signal?: AbortSignal;
}

/** Events that come together are one change: long enough for an editor's, short enough not to be felt. */
const coalesced = 8;
/** When the disk is looked at again without an event, after one: the last of many may have been lost. */
const later = [60, 250, 1000];

/** Runs once, then again whenever something changed; ends with the signal, SIGINT, SIGTERM or standard input. */
export async function watchFiles(
  run: (change: Change) => Promise<Watched>,
  { folder, ...how }: WatchOptions,
): Promise<void> {
  const scope = new Scope();
  const watcher = watch([], { ignoreInitial: true, atomic: false, ignored: (path) => !scope.wants(path) });
  let view = new FileView(folder);
  let looked: Watched | undefined;
  let busy = false;
  let over = false;
  let hinted = false;
  /** Files of the last run that the system named since. */
  let named = new Set<string>();
  let timers: NodeJS.Timeout[] = [];
  const lookLater = (): void => {
    for (const timer of timers) clearTimeout(timer);
    if (over) return;
    timers = later.map((time) => setTimeout(() => void lookAtEverything(), time));
  };
  const { ended, fail, close } = endOf(how);
  /** Everything is looked at. */
  const lookAtAll = (): Set<string> => {
    const now = new FileView(folder, view);
    const files = [...(looked?.files ?? [])];
    const changed = new Set(files.filter((f) => now.look(f).state !== view.look(f).state));
    now.settle();
    view = now;
    return changed;
  };
  const step = async (changed: ReadonlySet<string>): Promise<void> => {
    // It may have ended in the step before.
    if (over) return;
    looked = await run(looked ? { view, changed } : { view });
    // What is added to a closed watcher opens it again, and the process would not end.
    if (over) return;
    // What was read in the meantime is compared next time; what was not is looked at now.
    for (const file of looked.files) view.look(file);
    watcher.add(scope.take(looked, view));
    if (changed.size > 0) lookLater();
  };
  const look = async (): Promise<void> => {
    if (busy) return;
    busy = true;
    try {
      while (!over && (hinted || named.size > 0)) {
        // What takes time with the number of files waits for what was named: a later look finds what else there is.
        const changed = view.lookAgain(named);
        named = new Set();
        if (changed.size > 0) await step(changed);
        if (!hinted) continue;
        hinted = false;
        await step(lookAtAll());
      }
    } catch (error) {
      fail(error);
    }
    busy = false;
  };
  const lookAtEverything = (): Promise<void> => {
    hinted = true;
    return look();
  };
  let settling = false;
  const settle = (): void => {
    if (settling) return;
    settling = true;
    setTimeout(() => {
      settling = false;
      lookLater();
      void look();
    }, coalesced);
  };
  // The watcher reads all of a folder before it says what changed there; the system has named the file by then.
  watcher.on("raw", (_, name, of) => {
    const known = pathsNamed(name, of).flatMap((path) => scope.filesAt(path));
    for (const path of known) named.add(path);
    if (known.length > 0) settle();
  });
  watcher.on("all", (event) => {
    if (event !== "change") hinted = true;
    settle();
  });
  watcher.on("error", lookLater);
  // A file may have changed while the first run read it, or before its folder was watched.
  watcher.on("ready", lookLater);
  const first = lookAtEverything();
  try {
    await Promise.race([ended, first.then(() => ended)]);
  } finally {
    over = true;
    close();
    for (const timer of timers) clearTimeout(timer);
    await watcher.close();
  }
}

/** When a watch ends: with the signal, SIGINT, SIGTERM or standard input, or where `fail` says that it cannot go on. */
function endOf({ terminal, mode, signal }: Omit<WatchOptions, "folder">): {
  readonly ended: Promise<void>;
  readonly fail: (error: unknown) => void;
  readonly close: () => void;
} {
  let fail: (error: unknown) => void = () => {};
  let stop = (): void => {};
  const ended = new Promise<void>((resolve, reject) => {
    [stop, fail] = [resolve, reject];
  });
  const signals = ["SIGINT", "SIGTERM"] as const;
  for (const name of signals) process.on(name, stop);
  signal?.addEventListener("abort", stop, { once: true });
  if (mode === "stdin") terminal.onInputEnd?.(stop);
  if (signal?.aborted) stop();
  return { ended, fail, close: () => signals.forEach((name) => process.off(name, stop)) };
}

/** What an event of the system may be about: what is watched, or a file in it. */
function pathsNamed(name: string | null, of: unknown): string[] {
  const { watchedPath } = of as { readonly watchedPath?: string };
  return watchedPath === undefined ? [] : [watchedPath, ...(name ? [resolve(watchedPath, name)] : [])];
}

interface Way {
  /** Of the file, when it was followed. */
  readonly state: string;
  readonly paths: readonly string[];
}

/** Links may lead in circles. */
const mostLinks = 40;

/** What a link leads to, and what that leads to; nothing where the file is none. */
function wayOf(file: string): string[] {
  const paths: string[] = [];
  for (let at = file; paths.length < mostLinks; paths.push(at)) {
    try {
      at = resolve(dirname(at), readlinkSync(at));
    } catch {
      // It is none.
      break;
    }
  }
  return paths;
}

/** Which paths the watcher is to look at. */
class Scope {
  private readonly files = new Set<string>();
  private readonly folders = new Set<string>();
  /** Of files that are links: what leads to what they lead to, by file, and the files by that. */
  private ways = new Map<string, Way>();
  private readonly linked = new Map<string, string[]>();
  private roots: readonly string[] = [];
  private outputs: ReadonlySet<string> = new Set();

  /** The folders to watch: those of the files, or what there is of the way to them. */
  take({ files, roots, outputs }: Watched, view: FileView): string[] {
    const before = new Set(this.folders);
    const ways = new Map<string, Way>();
    this.files.clear();
    this.folders.clear();
    this.linked.clear();
    this.roots = roots;
    this.outputs = outputs;
    for (const root of roots) this.wait(root);
    for (const file of files) {
      this.files.add(file);
      this.wait(dirname(file));
      const { state } = view.look(file);
      const known = this.ways.get(file);
      const way = known?.state === state ? known : { state, paths: wayOf(file) };
      ways.set(file, way);
      for (const path of way.paths) {
        this.linked.set(path, [...(this.linked.get(path) ?? []), file]);
        this.wait(dirname(path));
      }
    }
    this.ways = ways;
    return [...this.folders].filter((f) => !before.has(f));
  }

  /** Watches a folder; the way to one that is not there yet is waited for. */
  private wait(folder: string): void {
    let at = folder;
    for (; !this.folders.has(at) && !existsSync(at) && dirname(at) !== at; at = dirname(at)) this.files.add(at);
    this.folders.add(at);
  }

  /** What changes where a path does: the file, and those that are links to it. */
  filesAt(path: string): string[] {
    return [...(this.files.has(path) ? [path] : []), ...(this.linked.get(path) ?? [])];
  }

  wants(path: string): boolean {
    if (this.files.has(path) || this.folders.has(path) || this.linked.has(path)) return true;
    if (
      this.outputs.has(path) ||
      /(?:^|[\\/])(?:node_modules|\.git|\.crosslane)(?:[\\/]|$)|\.crosslane-tmp$/.test(path)
    )
      return false;
    return this.roots.some((root) => path === root || path.startsWith(root + sep));
  }
}
