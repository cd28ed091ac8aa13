/** The modules for browsers, as they are written. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

test(
  "chunks of an earlier build go, and none calls what is not loaded while it is loaded itself",
  { timeout: 60_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "crosslane-browser-"));
    try {
      const stale = join(folder, "chunk-OLD.js");
      writeFileSync(stale, "");
      const script = pathToFileURL(join(root, "scripts/browser-bundle.mjs")).href;
      const { bundleForBrowsers } = (await import(script)) as {
        bundleForBrowsers: (outdir: string, how: { readonly smallest: boolean }) => Promise<void>;
      };
      await bundleForBrowsers(folder, { smallest: false });
      expect(existsSync(stale)).toBe(false);
      expect(existsSync(join(folder, "index.js"))).toBe(true);
      // What a module cannot have when it is loaded it cannot have later either.
      writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
      const chunks = readdirSync(folder).filter((name) => name.endsWith(".js"));
      expect(chunks.length).toBeGreaterThan(100);
      const all = chunks.map((name) => `await import("./${name}");`).join("\n");
      writeFileSync(join(folder, "all.js"), all);
      const { status, stderr } = spawnSync(process.execPath, [join(folder, "all.js")], { encoding: "utf8" });
      expect(stderr).toBe("");
      expect(status).toBe(0);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
