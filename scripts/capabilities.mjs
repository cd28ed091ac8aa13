/**
 * Leaves beside the joined command line what every target does with every op under its default profile: thousands of small kernels
 * go through the passes for it, which a command need not wait for. bundle.mjs removes it with the program that it is of.
 */
import { writeFileSync } from "node:fs";
import { capabilities } from "../dist/src/api/capabilities.js";

writeFileSync(new URL("../dist/cli/capabilities.json", import.meta.url), JSON.stringify(capabilities()));
