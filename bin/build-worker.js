/** A thread of the command line: of `build`, and of `verify` with several files. */
import { parentPort } from "node:worker_threads";
import { load } from "./load.js";

if (parentPort) await load().serve(parentPort);
else {
  console.error("build-worker.js is a thread that `crosslane build` starts, and no command: run crosslane.js");
  process.exitCode = 2;
}
