import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { globSync } from "tinyglobby";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");

/**
 * A folder with the package as a user installs it, made from the sources as they are: `node_modules/crosslane` has
 * package.json and `dist` without types. It lies below the project, so that dependencies are found. `smallest`: what browsers load is as
 * small as it is for users.
 */
export async function packedPackage(
  how: { readonly smallest?: boolean } = {},
): Promise<{ readonly folder: string; readonly remove: () => void }> {
  const cache = join(root, ".cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "packed-"));
  const home = join(folder, "node_modules/crosslane");
  mkdirSync(home, { recursive: true });
  // Else this were a part of the project, and `crosslane` the project itself.
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
  cpSync(join(root, "package.json"), join(home, "package.json"));
  await build({
    entryPoints: globSync(["src/**/*.ts", "emitters/**/*.ts"], { cwd: root, ignore: ["src/cli/**", "**/*.d.ts"] }),
    absWorkingDir: root,
    outbase: ".",
    outdir: join(home, "dist"),
    format: "esm",
    target: "node20",
    logLevel: "warning",
  });
  cpSync(join(root, "src/frontend/generated"), join(home, "dist/src/frontend/generated"), { recursive: true });
  const bundle = pathToFileURL(join(root, "scripts/browser-bundle.mjs")).href;
  const { bundleForBrowsers } = (await import(bundle)) as {
    bundleForBrowsers: (outdir: string, how: { readonly smallest: boolean }) => Promise<void>;
  };
  await bundleForBrowsers(join(home, "dist/browser"), { smallest: false, ...how });
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
