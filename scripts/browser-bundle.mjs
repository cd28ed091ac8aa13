/**
 * The library as browsers load it: modules without drivers and compilers, in chunks that are loaded when they are called for.
 * Prettier stays a package of its own: only TypeScript text asks for it.
 */
import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { minify } from "terser";

/** What only Node has, by the end of its path, and what stands for it. */
const absent = { "device/connection.js": "src/device/absent.ts", "judges/index.js": "src/judges/absent.ts" };
const path = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));

/**
 * Writes `index.js` and its chunks into `outdir`, and nothing else: chunks of an earlier build have other names. As small as it
 * can be takes seconds more.
 */
export async function bundleForBrowsers(outdir, { smallest = true } = {}) {
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
  if (!smallest) return;
  // What esbuild leaves of names and expressions is felt: some 4 % of what a page loads.
  for (const name of readdirSync(outdir)) {
    const file = join(outdir, name);
    const { code } = await minify(readFileSync(file, "utf8"), { module: true, ecma: 2020 });
    writeFileSync(file, code);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundleForBrowsers(path("dist/browser"));
