/**
 * Joins the compiled command line into a few files: a command loads one file instead of two hundred, which halves its
 * start. The library (`dist/src`) stays as compiled. Commands and parsers stay apart, loaded when asked for.
 */
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const path = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));

rmSync(path("dist/cli"), { recursive: true, force: true });
await build({
  entryPoints: [path("dist/src/cli/main.js")],
  outdir: path("dist/cli"),
  bundle: true,
  splitting: true,
  platform: "node",
  format: "esm",
  target: "node20",
  external: ["prettier", "koffi"],
  minifyWhitespace: true,
  minifySyntax: true,
  sourcemap: "linked",
  logLevel: "warning",
  // Packages in CommonJS form ask for `require`.
  banner: { js: 'import{createRequire}from"node:module";const require=createRequire(import.meta.url);' },
});
