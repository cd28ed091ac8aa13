/**
 * Loads the command line from one file, with the code cache the build left beside it: compiling is most of a short
 * command's time. V8 refuses a cache of another version, and the file is then compiled as usual.
 */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import vm from "node:vm";

const bundle = new URL("../dist/cli/main.cjs", import.meta.url);
export const cacheFile = new URL("../dist/cli/main.cache", import.meta.url);

/** The bundle's exports and the compiled script, or undefined where nothing is built. */
export function load() {
  if (!existsSync(bundle)) return undefined;
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
