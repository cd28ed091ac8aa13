/**
 * Loads the command line from one file, with the code cache the build left beside it: compiling is most of a short
 * command's time. V8 refuses a cache of another version, and the file is then compiled as usual. These are CommonJS modules:
 * Node's loader of the others takes a tenth of a short command.
 */
"use strict";
const { existsSync, readFileSync } = require("node:fs");
const { createRequire } = require("node:module");
const { join } = require("node:path");
const { pathToFileURL } = require("node:url");
const { setFlagsFromString } = require("node:v8");
const vm = require("node:vm");

const bundle = join(__dirname, "../dist/cli/main.cjs");

/**
 * What V8 compiled for the commands that the build runs first: all of them, and those that run no kernel, whose cache is a third smaller and
 * read as much faster. What a cache lacks is compiled when it is called.
 */
const cacheFiles = {
  all: join(__dirname, "../dist/cli/main.cache"),
  text: join(__dirname, "../dist/cli/text.cache"),
};
const textCommands = new Set(["translate", "check", "reflect", "explain", "help"]);
const cacheFor = (command) => (textCommands.has(command) ? cacheFiles.text : cacheFiles.all);

/**
 * How much bytecode a function runs before V8 optimises it: of its own 66 kB in V8 11 (Node 20), which is for pages. Most of what it
 * optimises in a command that ends after a second costs more than it saves, a quarter of the time of a cold build; a loop that matters comes
 * to this in milliseconds. And how fast the space for new objects grows from its first megabyte: what a command makes is collected once
 * instead of six times. The flags count for the code cache, so that it is made with them. V8 12 and later have no such flag as the first,
 * and say so. The first thread sets them for all.
 */
function setFlags() {
  if (!process.versions.v8.startsWith("11.")) return;
  setFlagsFromString("--interrupt-budget=1000000");
  setFlagsFromString("--semi-space-growth-factor=16");
}

/** The bundle's exports and the compiled script, or undefined where nothing is built. `command`: the first argument, where it is known. */
function load(command) {
  if (!existsSync(bundle)) return undefined;
  // The build writes ASCII alone, which V8 takes as it is.
  const source = readFileSync(bundle, "latin1");
  const cacheFile = cacheFor(command);
  const script = new vm.Script(`(function(exports,require,module,__bundleUrl,__import){${source}\n})`, {
    filename: bundle,
    cachedData: existsSync(cacheFile) ? readFileSync(cacheFile) : undefined,
  });
  const module = { exports: {} };
  const url = pathToFileURL(bundle).href;
  script.runInThisContext()(module.exports, createRequire(bundle), module, url, (name) => import(name));
  return { ...module.exports, script };
}

module.exports = { cacheFiles, load, setFlags };
