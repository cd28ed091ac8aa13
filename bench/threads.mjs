/** One launch in several threads against the same in one, workgroups alone, and whole verifications; what comes out has to be the same. */
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { compileForSimulator, simulatorOptions } from "../dist/src/api/runners.js";
import { verify } from "../dist/src/index.js";
import { run } from "../dist/src/sim/index.js";
import { fixed, geometricMean, inTurn, table } from "./measure.mjs";
import { fixtures, kernels, prepare, scaledLaunch } from "./simulator.mjs";

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

/** Each lane takes a place as it comes, so that no launch is shared among threads. */
const inOrder = {
  source: `__kernel void places(__global uint *o, __global uint *next, uint times) {
    uint h = get_global_id(0);
    for (uint t = 0; t < times; t++) h = (h & 1u) ? 3u * h + 1u : h >> 1;
    o[atomic_inc(next)] = h;
  }`,
  launch: JSON.stringify({
    workgroups: [256],
    workgroupSize: [64],
    args: {
      o: { type: "u32", count: 16384, init: { fill: 0 }, output: true },
      next: { type: "u32", count: 1, init: { fill: 0 }, output: true },
      times: { type: "u32", value: 4000 },
    },
  }),
};

/** Whole verifications to GLSL of launches that take a twentieth of a second or more: their runs go side by side. */
export async function benchVerification({ rounds = 3, threads = Math.min(8, availableParallelism()), only } = {}) {
  const rows = [];
  const ratios = [];
  const fixture = (name, items) => ({
    source: readFileSync(new URL(`${name}/kernel.cl`, fixtures), "utf8"),
    launch: scaledLaunch(name, items),
  });
  const all = {
    hashmix: () => fixture("hashmix", 1 << 20),
    mandelbrot: () => fixture("mandelbrot", 1 << 19),
    matmul: () => fixture("matmul", 1 << 20),
    nbody: () => fixture("nbody", 1 << 17),
    places: () => inOrder,
  };
  for (const [name, made] of Object.entries(all).filter(([name]) => !only || only.includes(name))) {
    const { source, launch } = made();
    const by = (n) =>
      verify(source, { from: "opencl", to: "glsl", fileName: `${name}.cl`, launches: [launch], threads: n });
    const [one, several] = [await by(1), await by(threads)];
    if (JSON.stringify(one) !== JSON.stringify(several)) throw new Error(`${name}: other threads say something else`);
    const timed = (n) => () => by(n).then(() => undefined);
    const times = await inTurn({ one: timed(1), several: timed(threads) }, rounds);
    const ratio = times.one / times.several;
    ratios.push(ratio);
    rows.push([name, one.result, fixed(times.one, 2), fixed(times.several, 2), `${fixed(ratio)}x`]);
  }
  const text = table(["kernel", "result", "1 thread, s", `${threads} threads, s`, "faster"], rows);
  return `${text}\ngeometric mean: ${fixed(geometricMean(ratios))}x`;
}
