/**
 * The library as browsers load it: modules without drivers and compilers, in chunks that are loaded when they are called for.
 * Prettier stays a package of its own: only TypeScript text asks for it.
 */
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** What only Node has, by the end of its path, and what stands for it. */
const absent = { "device/connection.js": "src/device/absent.ts", "judges/index.js": "src/judges/absent.ts" };
const path = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));

/** Writes `index.js` and its chunks into `outdir`, and nothing else: chunks of an earlier build have other names. */
export async function bundleForBrowsers(outdir) {
  rmSync(outdir, { recursive: true, force: true });
  await build({
    entryPoints: { index: path("src/browser.ts") },
    outdir,
    bundle: true,
    splitting: true,
    platform: "browser",
    format: "esm",
    target: "es2022",
    external: ["prettier/*"],
    minify: true,
    logLevel: "warning",
    plugins: [
      {
        name: "absent",
        setup: (b) =>
          b.onResolve({ filter: /\/(?:device\/connection|judges\/index)\.js$/ }, ({ path: asked }) => ({
            path: path(absent[asked.split("/").slice(-2).join("/")]),
          })),
      },
    ],
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundleForBrowsers(path("dist/browser"));
