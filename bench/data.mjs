/**
 * Kernels that move and repack data (hashes, conversions, layouts, asynchronous copies): each translated to the other languages, and run
 * in the simulator beside PoCL on one thread, kernel time alone.
 */
import { readFileSync } from "node:fs";
import { compile } from "../dist/src/api/compile.js";
import { compileForSimulator } from "../dist/src/api/runners.js";
import { translate } from "../dist/src/index.js";
import { fixed, geometricMean, inTurn, seconds, table } from "./measure.mjs";
import { boundLaunch, fixtures, openPocl, product, timeOnDevice, timeSimulator } from "./simulator.mjs";

/** `narrow`: of halves, bytes or 64-bit numbers, reported apart. `whole`: its launch is of one size. `values`: arguments by value that grow with the launch. `links`: indices of elements. */
const kernels = [
  { name: "sha256" },
  { name: "crc32", narrow: true },
  { name: "xxhash64", narrow: true },
  { name: "philox" },
  { name: "long_multiply" },
  { name: "block_dot", narrow: true },
  { name: "dequantize4", narrow: true },
  { name: "aos_to_soa" },
  { name: "rgb888" },
  { name: "linked_lists", links: { nodes: (i) => i % 2 === 1, heads: () => true }, elements: 128 },
  { name: "fft_rows", values: ["quarter"] },
  { name: "async_tile", whole: true },
  { name: "tensor_copy", whole: true },
];
const targets = ["msl", "glsl", "hlsl"];

/** The launch file so many times as large: buffers and what they begin with repeated, links within each copy. */
function grownLaunch(name, { whole, values = [], links = {}, elements = 0 }, items) {
  const launch = JSON.parse(readFileSync(new URL(`${name}/launch.json`, fixtures), "utf8"));
  const own = product(launch.workgroups) * product(launch.workgroupSize);
  const factor = whole ? 1 : Math.max(1, Math.round(items / own));
  const grown = (argument, key) => {
    if (argument.count === undefined)
      return values.includes(key) ? { ...argument, value: argument.value * factor } : argument;
    const list = argument.init?.values;
    const linked = (v, i, copy) => (links[key]?.(i) && v >= 0 ? v + copy * elements : v);
    const init = list && {
      values: Array.from({ length: factor }, (_, copy) => list.map((v, i) => linked(v, i, copy))).flat(),
    };
    const { expect: _, ...rest } = argument;
    return { ...rest, count: argument.count * factor, ...(init ? { init } : {}) };
  };
  const args = Object.fromEntries(Object.entries(launch.args).map(([key, a]) => [key, grown(a, key)]));
  const [x, ...others] = launch.workgroups;
  return JSON.stringify({ ...launch, args, workgroups: [x * factor, ...others] });
}

async function prepare(kernel, source, items) {
  const compilation = await compile(source, { from: "opencl", fileName: `${kernel.name}.cl` });
  if (!compilation.module) throw new Error(`${kernel.name}: ${JSON.stringify(compilation.diagnostics)}`);
  const entry = compilation.module.entries[0];
  const launch = boundLaunch(kernel.name, grownLaunch(kernel.name, kernel, items), compilation.module, entry);
  return { compilation, entry, launch, items: product(launch.workgroups) * product(launch.workgroupSize) };
}

/** Warm milliseconds of a translation to all targets, or the reason why there is none. */
async function timeTranslation(name, source, workgroupSize) {
  const once = async () => {
    for (const to of targets) {
      const { code, diagnostics } = await translate(source, {
        from: "opencl",
        to,
        fileName: `${name}.cl`,
        workgroupSize,
      });
      if (code === undefined) throw new Error(`${name} to ${to}: ${diagnostics[0]?.message}`);
    }
  };
  for (let i = 0; i < 5; i++) await once();
  const taken = [];
  for (let i = 0; i < 9; i++) taken.push(await seconds(once));
  return taken.sort((a, b) => a - b)[4] * 1000;
}

export async function benchData({ rounds = 3, items = 1 << 15, only } = {}) {
  const pocl = await openPocl();
  const rows = [];
  const ratios = [];
  const narrow = [];
  for (const kernel of kernels.filter((k) => !only || only.includes(k.name))) {
    const { name } = kernel;
    const source = readFileSync(new URL(`${name}/kernel.cl`, fixtures), "utf8");
    const prepared = await prepare(kernel, source, items);
    const { compilation, entry, launch, items: count } = prepared;
    const made = compileForSimulator(compilation, entry, ["out-of-bounds"]);
    if (!made.kernel) throw new Error(`${name}: ${JSON.stringify(made.diagnostics)}`);
    const milliseconds = await timeTranslation(name, source, launch.workgroupSize);
    const times = await inTurn(
      {
        wasm: () => timeSimulator(made.kernel, launch, "wasm"),
        pocl: () => (pocl ? timeOnDevice(pocl.connection, prepared) : null),
      },
      rounds,
    );
    const rate = (taken) => taken && count / taken / 1e6;
    const [own, peer] = [rate(times.wasm), rate(times.pocl)];
    if (peer && !kernel.whole) ratios.push(own / peer);
    if (peer && kernel.narrow) narrow.push(own / peer);
    rows.push([
      name,
      count,
      fixed(milliseconds / targets.length, 1),
      fixed(own),
      fixed(peer),
      peer && `${fixed(own / peer)}x`,
    ]);
  }
  await pocl?.connection.close();
  const head = ["kernel", "items", "translation, ms", "wasm M/s", "PoCL-1 M/s", "of PoCL"];
  const mean = ratios.length
    ? `geometric mean of PoCL on one thread, of launches that grow: ${fixed(geometricMean(ratios))}x; of crc32, xxhash64, block_dot and dequantize4: ${fixed(geometricMean(narrow))}x (aim 0.8x)`
    : "PoCL: not measured";
  return `${table(head, rows)}\n${mean}`;
}
