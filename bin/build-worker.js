/** A thread of the command line: of `build`, and of `verify` with several files. */
import { parentPort } from "node:worker_threads";
import { load } from "./load.js";

await load().serve(parentPort);
