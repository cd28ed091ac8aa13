/** The command line as one file, of compiled modules or of sources. */
import { readFileSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

export async function joinCommandLine(from, to) {
  await build({
    entryPoints: [from],
    outfile: to,
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    charset: "ascii",
    external: ["prettier", "koffi", "jiti"],
    define: { "import.meta.url": "__bundleUrl" },
    minifyWhitespace: true,
    minifySyntax: true,
    logLevel: "warning",
  });
  // A script with a code cache has no dynamic import of its own: the loader gives it one.
  writeFileSync(to, readFileSync(to, "utf8").replace(/(?<![.\w$])import\((?=[\w$"'`])/g, "__import("));
}
