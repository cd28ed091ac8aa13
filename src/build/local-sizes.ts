/** Workgroup memory that kernels leave to the launch, with bytes for a start: an element for each invocation of a workgroup. */
import { join } from "node:path";
import { elementSize } from "../launch/derive.js";
import { shapeOf } from "../launch/reflection.js";
import { FileView, Reads } from "./file-view.js";
import type { SourceInput } from "./files.js";
import { compileSession, openLaunchFile, openSource, withLaunch } from "./source.js";
import { targetOptions } from "./translate-input.js";

/** Words without which no kernel of any dialect leaves its memory to the launch; reading a kernel takes far longer than looking for them. */
const space = /\b(?:__local|local|threadgroup)\b/;

/** By file, as `kernels` of a config has them; files that cannot be read say so when they are built. `invocations` of kernels that state no size. */
export async function localSizes(
  files: readonly Omit<SourceInput, "path">[],
  folder: string,
  includeDir: readonly string[],
  invocations: number,
): Promise<ReadonlyMap<string, Readonly<Record<string, number>>>> {
  const reads = new Reads(new FileView(folder));
  const found = new Map<string, Readonly<Record<string, number>>>();
  for (const file of files) {
    const input = { ...file, path: join(folder, file.name) };
    const settings = { define: {}, defines: [], prelude: [], includeDir };
    const opened = openSource(input, settings, folder, reads);
    if ("diagnostics" in opened || !space.test(opened.value.source.text)) continue;
    const launch = openLaunchFile(input, undefined, folder, reads);
    const read = launch && "value" in launch ? launch.value : undefined;
    const compilation = await compileSession(withLaunch(opened.value, read));
    const { module } = compilation;
    const bytes: Record<string, number> = {};
    for (const entry of module?.entries ?? []) {
      const shape = shapeOf(module!, entry);
      const known = targetOptions({ local: {}, strict: false }, undefined, read?.launch, entry.name, compilation);
      const threads = known.workgroupSize ?? entry.workgroupSize ?? [invocations];
      for (const a of shape.arguments) {
        if (a.kind !== "workgroup" || known.local?.[a.path] !== undefined) continue;
        const own = elementSize(a, shape) * threads.reduce((n, k) => n * k, 1);
        bytes[a.path] = Math.max(own, bytes[a.path] ?? 0);
      }
    }
    if (Object.keys(bytes).length > 0) found.set(file.name, bytes);
  }
  return found;
}
