/**
 * Joins the compiled command line into one file and leaves V8's code cache beside it, made after a few commands have run,
 * so that it holds the code they need: a command then starts in half the time. The library (`dist/src`) stays as compiled.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const path = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));

rmSync(path("dist/cli"), { recursive: true, force: true });
await build({
  entryPoints: [path("dist/src/cli/main.js")],
  outfile: path("dist/cli/main.cjs"),
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  external: ["prettier", "koffi"],
  define: { "import.meta.url": "__bundleUrl" },
  minifyWhitespace: true,
  minifySyntax: true,
  logLevel: "warning",
});
// A script with a code cache has no dynamic import of its own: the loader gives it one.
const file = path("dist/cli/main.cjs");
writeFileSync(file, readFileSync(file, "utf8").replace(/\bimport\((?=[\w$"'`])/g, "__import("));
// In a process of its own: what it prints is nobody's business, unless it fails.
const { status, stderr } = spawnSync(process.execPath, [path("scripts/warm.mjs")], {
  stdio: ["ignore", "ignore", "pipe"],
  cwd: path("."),
});
if (status !== 0) process.stderr.write(stderr);
process.exit(status ?? 1);
