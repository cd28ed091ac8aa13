/**
 * What outputs are made of, as make and ninja read it: GNU make 4.8 "Including Other Makefiles" and "Rule Syntax", ninja
 * "Depfile" (src/depfile_parser.in.cc).
 */
import { relative, sep } from "node:path";

/**
 * One rule for all outputs, and an empty one for each file they are made of: make then goes on where such a file is gone, as after
 * `gcc -MP`. Paths are relative to `folder`, where make or ninja runs.
 */
export function depfileText(outputs: readonly string[], dependencies: readonly string[], folder: string): string {
  const shown = (path: string): string => escape(relative(folder, path).split(sep).join("/"));
  const deps = [...new Set(dependencies)].sort().map(shown);
  const rule = `${[...new Set(outputs)].map(shown).join(" ")}: ${deps.join(" \\\n  ")}\n`;
  return rule + deps.map((dep) => `\n${dep}:\n`).join("");
}

/** As gcc -MD does. Backslashes in front of a blank or # count, and stand doubled. */
const escape = (path: string): string =>
  path
    .replace(/(\\*)([ \t#])/g, (_, slashes: string, c: string) => `${slashes}${slashes}\\${c}`)
    .replaceAll("$", "$$$$");
