/** Where included files may be, for who has not said it. */
import { readdirSync } from "node:fs";
import type { Dirent } from "node:fs";
import { join, normalize, relative, sep } from "node:path";

/** Folders that are read at most: whoever stands in a home folder waits no longer than anywhere else. */
const mostFolders = 1000;

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/**
 * Folders below `folder`, or itself, in which a file stands at `path`, those nearest to it first; by names relative to it, with `/`,
 * `.` for itself. Hidden folders and those of packages are left out.
 */
export function foldersWith(path: string, folder: string): string[] {
  const parts = normalize(path).split(sep);
  if (parts.includes("..")) return [];
  const found: string[] = [];
  const queue = [folder];
  for (let i = 0; i < queue.length && i < mostFolders; i++) {
    const here = queue[i]!;
    const inside = entriesOf(here);
    const file = parts.slice(0, -1).reduce((at, part) => join(at, part), here);
    const beside = file === here ? inside : entriesOf(file);
    if (beside.some((e) => e.name === parts.at(-1) && !e.isDirectory()))
      found.push(relative(folder, here).split(sep).join("/") || ".");
    for (const e of inside)
      if (e.isDirectory() && !e.name.startsWith(".") && e.name !== "node_modules") queue.push(join(here, e.name));
  }
  return found;
}
