/** Launches that were derived, as launch files. */
import { join } from "node:path";
import type { ReadySource } from "../api/verify.js";
import type { BoundLaunch } from "../launch/bind.js";
import { shapeOf } from "../launch/reflection.js";
import { launchText, writeLaunch, type WriteOptions, type WrittenLaunch } from "../launch/write-launch-file.js";
import { fileProblem, reasonOf, shownName } from "../build/files.js";
import { writeWhole } from "../build/output-files.js";
import type { Reporter } from "./report.js";
import type { Terminal } from "./terminal.js";

export function written(
  { compilation, entry, subgroupSizes }: ReadySource,
  launch: BoundLaunch,
  more: Pick<WriteOptions, "fileFor"> = {},
): WrittenLaunch {
  return writeLaunch(launch, shapeOf(compilation.module!, entry), {
    subgroupSizes: subgroupSizes(launch),
    ...(compilation.options.spec ? { spec: compilation.options.spec } : {}),
    ...more,
  });
}

/** Writes each launch to `<stem>-<n>.launch.json` in a folder, and its large buffers beside it; says where something is wrong. */
export function saveLaunches(
  ready: ReadySource,
  folder: string,
  stem: string,
  terminal: Terminal,
  reporter: Reporter,
): boolean {
  for (const [i, launch] of ready.launches.entries()) {
    const name = `${stem}-${i + 1}`;
    let buffers = 0;
    const { file, contents } = written(ready, launch, {
      fileFor: (path) => `${name}.${++buffers}-${path.replace(/\W+/g, "_")}.bin`,
    });
    const files: [string, string | Uint8Array][] = [
      ...contents,
      [`${name}.launch.json`, launchText({ file, contents })],
    ];
    for (const [to, content] of files) {
      const path = join(folder, to);
      try {
        writeWhole(path, content);
      } catch (error) {
        reporter.show([
          fileProblem("XL8002", `'${shownName(path, terminal.cwd)}' cannot be written: ${reasonOf(error)}`),
        ]);
        return false;
      }
    }
  }
  return true;
}
