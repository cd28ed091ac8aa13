/** The whole build: grammars, types and modules, the joined command line, the library for browsers, the suites for devices. Ends with the compiler's status. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const run = (...args) => spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" }).status ?? 1;

const grammars = run("grammars/build.mjs");
if (grammars !== 0) process.exit(grammars);
const types = run("node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json");
const bundle = run("scripts/bundle.mjs");
const browser = run("scripts/browser-bundle.mjs");
const suites = run("scripts/bundle-suites.mjs");
process.exit(types || bundle || browser || suites);
