/** A launch file's launch as the simulator takes it, and what it leaves as expectations have it. */
import type { RunOptions } from "../../src/sim/index.js";
import type { BoundLaunch } from "../../src/launch/bind.js";
import type { HostArray } from "../support/expectations.js";
import { allocate } from "../support/expectations/host-data.js";
import type { FixtureKernel } from "../support/translations.js";

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

/** The outputs by the names of the launch file. */
export function outputsOf(
  bound: BoundLaunch,
  kernel: FixtureKernel,
  buffers: ReadonlyMap<string, Uint8Array>,
): Record<string, HostArray> {
  const found: Record<string, HostArray> = {};
  for (const argument of bound.arguments) {
    if (argument.kind !== "buffer" || !argument.output) continue;
    const key = kernel.launch.arguments.find(
      (a) => argument.path === a.key || argument.path.endsWith(`.${a.key}`),
    )!.key;
    const bytes = buffers.get(argument.path)!;
    const { scalar } = argument.type;
    const array = allocate(scalar, bytes.length / (Number(scalar.slice(1)) / 8));
    new Uint8Array(array.buffer).set(bytes);
    found[key] = array;
  }
  return found;
}
