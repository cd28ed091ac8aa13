/** One launch in several threads against the same in one, workgroups alone; the bytes have to be the same. */
import { availableParallelism } from "node:os";
import { compileForSimulator, simulatorOptions } from "../dist/src/api/runners.js";
import { run } from "../dist/src/sim/index.js";
import { fixed, geometricMean, inTurn, table } from "./measure.mjs";
import { kernels, prepare } from "./simulator.mjs";

/** Work-items of a launch that takes about half a second in one thread, by its rate in millions a second. */
const itemsFor = (rate) => Math.min(1 << 23, Math.max(1 << 16, 2 ** Math.round(Math.log2(rate * 0.5e6))));

export async function benchThreads({ rounds = 5, threads = Math.min(8, availableParallelism()), only } = {}) {
  const rows = [];
  const ratios = [];
  for (const { name } of kernels.filter((k) => !only || only.includes(k.name))) {
    const timed = async (items) => {
      const { compilation, entry, launch, items: count } = await prepare(name, items);
      const { kernel } = compileForSimulator(compilation, entry, ["out-of-bounds"]);
      const options = { ...simulatorOptions(launch, "opencl"), subgroupSize: launch.subgroupSize, seed: 1 };
      return { count, by: (n) => run(kernel, { ...options, threads: n }) };
    };
    const small = await timed(1 << 15);
    let milliseconds = Infinity;
    for (let i = 0; i < 4; i++) milliseconds = Math.min(milliseconds, small.by(1).stats.kernelMilliseconds);
    const { count, by } = await timed(itemsFor(small.count / milliseconds / 1000));
    const results = [by(1), by(threads)];
    for (const [path, bytes] of results[0].buffers)
      if (Buffer.compare(bytes, results[1].buffers.get(path)) !== 0) throw new Error(`${name}: ${path} is another`);
    const used = results[1].stats.engine.threads ?? 1;
    const times = await inTurn(
      { one: () => by(1).stats.kernelMilliseconds, all: () => by(threads).stats.kernelMilliseconds },
      rounds,
    );
    const ratio = times.one / times.all;
    if (used > 1) ratios.push(ratio);
    rows.push([name, String(count), fixed(times.one, 0), fixed(times.all, 0), String(used), `${fixed(ratio)}x`]);
  }
  const text = table(["kernel", "items", "1 thread, ms", `${threads} threads, ms`, "took part", "faster"], rows);
  return `${text}\ngeometric mean of those that may run in threads: ${ratios.length ? fixed(geometricMean(ratios)) : "-"}x`;
}
