/** The whole build: grammars, types and modules, the joined command line, the library for browsers, the suites for devices. Ends with the compiler's status. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const run = (...args) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: "inherit" });
    child.on("error", () => resolve(1)).on("exit", (status) => resolve(status ?? 1));
  });

const grammars = await run("grammars/build.mjs");
if (grammars !== 0) process.exit(grammars);
const types = await run("node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json");
// Of what is compiled now, each makes its own.
const made = await Promise.all([
  run("scripts/bundle.mjs").then(async (status) => status || (await run("scripts/capabilities.mjs"))),
  run("scripts/browser-bundle.mjs").then(async (status) => status || (await run("scripts/bundle-suites.mjs"))),
]);
process.exit(types || made.find((status) => status !== 0) || 0);
