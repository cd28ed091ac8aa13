/** The modules for browsers, as they are written. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

test("chunks of an earlier build go", { timeout: 60_000 }, async () => {
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
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
