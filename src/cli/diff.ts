/** What would change on disk, as a unified diff. */
import { createTwoFilesPatch } from "diff";
import type { Paint } from "../support/render.js";

/** From what is on disk (nothing where the file is not there) to what would be written, with three lines around. */
export function unifiedDiff(name: string, onDisk: string | undefined, text: string): string {
  const before = onDisk === undefined ? "not there" : "on disk";
  return createTwoFilesPatch(name, name, onDisk ?? "", text, before, "translated", { context: 3 });
}

/** With the colours of diffs on a terminal. */
export function paintedDiff(diff: string, paint: Paint): string {
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
