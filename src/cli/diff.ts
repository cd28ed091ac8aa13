/** What would change on disk, as a unified diff. */
import { readFileSync } from "node:fs";
import { createTwoFilesPatch } from "diff";
import type { Paint } from "../support/render.js";

/** Of a file, called `name`, that would hold `text`. */
export function diffOnDisk(file: string, name: string, text: string, paint: Paint): string {
  return paintedDiff(unifiedDiff(name, readIfThere(file), text), paint);
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

/** From what is on disk (nothing where the file is not there) to what would be written, with three lines around. */
function unifiedDiff(name: string, onDisk: string | undefined, text: string): string {
  const before = onDisk === undefined ? "not there" : "on disk";
  return createTwoFilesPatch(name, name, onDisk ?? "", text, before, "translated", { context: 3 });
}

/** With the colours of diffs on a terminal. */
function paintedDiff(diff: string, paint: Paint): string {
  return diff
    .split("\n")
    .map((line) => {
      if (line.startsWith("+++") || line.startsWith("---") || line.startsWith("===")) return paint.strong(line);
      if (line.startsWith("@@")) return paint.note(line);
      if (line.startsWith("+")) return paint.added(line);
      return line.startsWith("-") ? paint.removed(line) : line;
    })
    .join("\n");
}
