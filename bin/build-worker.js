/** A thread of the command line: of `build`, and of `verify` with several files. */
"use strict";
const { parentPort } = require("node:worker_threads");
const { load } = require("./load.js");

if (parentPort) void load().serve(parentPort);
else {
  console.error("build-worker.js is a thread that `crosslane build` starts, and no command: run crosslane.js");
  process.exitCode = 2;
}
