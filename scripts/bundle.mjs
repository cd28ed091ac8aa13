/**
 * Joins the compiled command line into one file and leaves V8's code cache beside it, made after a few commands have run,
 * so that it holds the code they need: a command then starts in half the time. The library (`dist/src`) stays as compiled.
 */
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { joinCommandLine } from "./join.mjs";

const path = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));

rmSync(path("dist/cli"), { recursive: true, force: true });
await joinCommandLine(path("dist/src/cli/main.js"), path("dist/cli/main.cjs"));
// In processes of their own: what they print is nobody's business, unless one fails. The smaller cache first, since a process begins with what there is.
for (const kind of ["text", "all"]) {
  const { status, stderr } = spawnSync(process.execPath, [path("scripts/warm.mjs"), kind], {
    stdio: ["ignore", "ignore", "pipe"],
    cwd: path("."),
  });
  if (status === 0) continue;
  process.stderr.write(stderr);
  process.exit(status ?? 1);
}
