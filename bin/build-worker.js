/** A thread of `crosslane build`. */
import { parentPort } from "node:worker_threads";
import { load } from "./load.js";

await load().serve(parentPort);
