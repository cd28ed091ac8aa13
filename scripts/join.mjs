/** The command line as one file, of compiled modules or of sources. */
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { build } from "esbuild";

/** Modules of Node that it has not loaded when it starts, which few commands need: each is loaded where something of it is first used. */
const late = ["child_process", "crypto", "fs/promises", "worker_threads"];
const lateModules = {
  name: "late",
  setup(b) {
    b.onResolve({ filter: new RegExp(`^(node:)?(${late.join("|")})$`) }, ({ path, namespace }) =>
      namespace === "late" ? { path, external: true } : { path, namespace: "late" },
    );
    b.onLoad({ filter: /.*/, namespace: "late" }, ({ path }) => ({
      contents: Object.keys(createRequire(import.meta.url)(path))
        .map(
          (name) =>
            `Object.defineProperty(exports, "${name}", { get: () => require("${path}").${name}, enumerable: true });`,
        )
        .join("\n"),
    }));
  },
};

export async function joinCommandLine(from, to) {
  await build({
    entryPoints: [from],
    outfile: to,
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    charset: "ascii",
    plugins: [lateModules],
    external: ["prettier", "koffi", "jiti"],
    define: { "import.meta.url": "__bundleUrl" },
    minifyWhitespace: true,
    minifySyntax: true,
    logLevel: "warning",
  });
  // A script with a code cache has no dynamic import of its own: the loader gives it one.
  writeFileSync(to, readFileSync(to, "utf8").replace(/(?<![.\w$])import\((?=[\w$"'`])/g, "__import("));
}
