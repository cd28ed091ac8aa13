/**
 * Loads the command line from one file, with the code cache the build left beside it: compiling is most of a short
 * command's time. V8 refuses a cache of another version, and the file is then compiled as usual.
 */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import vm from "node:vm";
import { isMainThread } from "node:worker_threads";

const bundle = new URL("../dist/cli/main.cjs", import.meta.url);
export const cacheFile = new URL("../dist/cli/main.cache", import.meta.url);

/**
 * How much bytecode a function runs before V8 optimises it: of its own 66 kB in V8 11 (Node 20), which is for pages. Most of what it
 * optimises in a command that ends after a second costs more than it saves, a quarter of the time of a cold build; a loop that matters comes
 * to this in milliseconds. The flags count for the code cache, so that it is made with them. V8 12 and later have no such flag, and say so.
 */
function optimiseLater() {
  // Of all threads: another one is told by the first.
  if (isMainThread && process.versions.v8.startsWith("11.")) setFlagsFromString("--interrupt-budget=1000000");
}

/** The bundle's exports and the compiled script, or undefined where nothing is built. */
export function load() {
  if (!existsSync(bundle)) return undefined;
  optimiseLater();
  // The build writes ASCII alone, which V8 takes as it is.
  const source = readFileSync(bundle, "latin1");
  const script = new vm.Script(`(function(exports,require,module,__bundleUrl,__import){${source}\n})`, {
    filename: fileURLToPath(bundle),
    cachedData: existsSync(cacheFile) ? readFileSync(cacheFile) : undefined,
  });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(bundle), module, bundle.href, (name) => import(name));
  return { ...module.exports, script };
}
