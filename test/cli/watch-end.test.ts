/** The end of a watch while something is still being done: nothing is watched afterwards, so that the process ends. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { watchFiles } from "../../src/cli/watch.js";
import type { Terminal } from "../../src/cli/terminal.js";

const folder = mkdtempSync(join(tmpdir(), "crosslane-watch-"));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const watchers = (): number => process.getActiveResourcesInfo().filter((name) => name.startsWith("FSEvent")).length;

test("a run that ends after the watch adds no folders to it", async () => {
  const before = watchers();
  const file = join(folder, "a.txt");
  writeFileSync(file, "1");
  mkdirSync(join(folder, "new"));
  const stop = new AbortController();
  const runs: (() => void)[] = [];
  const watch = watchFiles(
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
  await expect.poll(watchers, { timeout: 20_000 }).toBeGreaterThan(before);
  writeFileSync(file, "2");
  await expect.poll(() => runs.length, { timeout: 20_000 }).toBe(2);
  stop.abort();
  await watch;
  await expect.poll(watchers).toBe(before);
  runs[1]!();
  // The last of the later looks would be after a second.
  await new Promise((resolve) => setTimeout(resolve, 1300));
  expect(watchers()).toBe(before);
  expect(runs.length).toBe(2);
});
