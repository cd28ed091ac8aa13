/** The end of a watch while something is still being done: nothing is watched afterwards, so that the process ends. */
import fs, { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { watchFiles } from "../../src/cli/watch.js";
import type { Terminal } from "../../src/cli/terminal.js";

const folder = mkdtempSync(join(tmpdir(), "crosslane-watch-"));
/** What is watched in the folder; other files of this process may watch elsewhere. */
const open = new Set<fs.FSWatcher>();
const watch = fs.watch;
beforeAll(() => {
  fs.watch = ((path: string, ...rest: []): fs.FSWatcher => {
    const watcher = watch(path, ...rest);
    if (path.startsWith(folder)) {
      open.add(watcher);
      watcher.once("close", () => open.delete(watcher));
    }
    return watcher;
  }) as typeof fs.watch;
  syncBuiltinESMExports();
});
afterAll(() => {
  fs.watch = watch;
  syncBuiltinESMExports();
  rmSync(folder, { recursive: true, force: true });
});

test("a run that ends after the watch adds no folders to it, and is the last", async () => {
  const file = join(folder, "a.txt");
  writeFileSync(file, "1");
  mkdirSync(join(folder, "new"));
  const stop = new AbortController();
  const runs: (() => void)[] = [];
  const ended = watchFiles(
    async () => {
      const first = runs.length === 0;
      await new Promise<void>((resolve) => {
        runs.push(resolve);
        if (first) resolve();
      });
      const files = first ? [file] : [file, join(folder, "new/b.txt")];
      return { files, roots: [], outputs: new Set<string>() };
    },
    { folder, terminal: {} as Terminal, mode: true, signal: stop.signal },
  );
  await expect.poll(() => runs.length, { timeout: 20_000 }).toBe(1);
  await expect.poll(() => open.size, { timeout: 20_000 }).toBeGreaterThan(0);
  writeFileSync(file, "2");
  await expect.poll(() => runs.length, { timeout: 20_000 }).toBe(2);
  // Something to look at when the run has ended.
  writeFileSync(join(folder, "other.txt"), "");
  await new Promise((resolve) => setTimeout(resolve, 500));
  stop.abort();
  await ended;
  await expect.poll(() => open.size).toBe(0);
  runs[1]!();
  // The last of the later looks would be after a second.
  await new Promise((resolve) => setTimeout(resolve, 1300));
  expect(open.size).toBe(0);
  expect(runs.length).toBe(2);
});
