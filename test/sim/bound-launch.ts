/** A launch file's launch as the simulator takes it. */
import type { RunOptions } from "../../src/sim/index.js";
import type { BoundLaunch } from "../../src/launch/bind.js";

export function launchOf(bound: BoundLaunch, subgroupSize: number): RunOptions {
  const args = new Map<string, Uint8Array>();
  const workgroupBytes = new Map<string, number>();
  for (const a of bound.arguments) {
    if (a.kind === "workgroup") workgroupBytes.set(a.path, a.byteLength);
    else args.set(a.path, a.bytes);
  }
  return {
    args,
    workgroupBytes,
    subgroupSize,
    seed: 1,
    workgroupSize: bound.workgroupSize,
    gridOffset: bound.gridOffset,
    gridSize: bound.gridSize.slice(0, bound.dimensions),
  };
}
