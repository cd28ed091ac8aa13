#!/usr/bin/env node
import { load } from "./load.js";

const commandLine = load();
if (commandLine) {
  process.exitCode = await commandLine.main(process.argv.slice(2));
} else {
  process.stderr.write("crosslane is not built: run `npm install` or `npm run build` in its folder\n");
  process.exitCode = 70;
}
