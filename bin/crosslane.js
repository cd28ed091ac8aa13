#!/usr/bin/env node
"use strict";
const { load, setFlags } = require("./load.js");

setFlags();
const commandLine = load(process.argv[2]);
if (commandLine) {
  // Of a command that ends without saying how.
  process.exitCode = 70;
  void commandLine.main(process.argv.slice(2)).then((code) => void (process.exitCode = code));
} else {
  process.stderr.write("crosslane is not built: run `npm install` or `npm run build` in its folder\n");
  process.exitCode = 70;
}
