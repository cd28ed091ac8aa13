#!/usr/bin/env node
import { existsSync } from "node:fs";
import module from "node:module";

// Node 22 and later keep compiled code between starts.
module.enableCompileCache?.();

const compiled = new URL("../dist/cli/main.js", import.meta.url);
if (!existsSync(compiled)) {
  process.stderr.write("crosslane is not built: run `npm install` or `npm run build` in its folder\n");
  process.exitCode = 70;
} else {
  const { main } = await import(compiled.href);
  process.exitCode = await main(process.argv.slice(2));
}
