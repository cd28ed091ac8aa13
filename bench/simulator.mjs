/**
 * The simulator on the benchmark kernels, against PoCL on one thread (through crosslane's own device path, by the driver's
 * profiling events) and Oclgrind: kernel time only, warm, work-items per second. And whole commands: `run` in the
 * simulator against `run --device`.
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compile } from "../dist/src/api/compile.js";
import { openDevice } from "../dist/src/api/device.js";
import { deviceLaunch, prepareKernel } from "../dist/src/api/device-kernel.js";
import { compileForSimulator, simulatorOptions } from "../dist/src/api/runners.js";
import { findDevices } from "../dist/src/device/connection.js";
import { run as runKernel } from "../dist/src/sim/index.js";
import { bindLaunch } from "../dist/src/launch/bind.js";
import { parseLaunchFile } from "../dist/src/launch/launch-file.js";
import { shapeOf } from "../dist/src/launch/reflection.js";
import { fixed, geometricMean, inTurn, median, seconds, table } from "./measure.mjs";

export const fixtures = new URL("../fixtures/", import.meta.url);

/** Kernels of the comparison; memory-bound ones are reported apart, those with subgroup ops have no peer here. */
export const kernels = [
  { name: "transpose" },
  { name: "histogram" },
  { name: "reduce_tree" },
  { name: "scan" },
  { name: "bitonic" },
  { name: "hashmix" },
  { name: "mandelbrot" },
  { name: "matmul" },
  { name: "nbody" },
  { name: "saxpy", memoryBound: true },
  { name: "halfpack", memoryBound: true },
  { name: "stencil5", memoryBound: true },
  { name: "reduce_subgroup", subgroups: true },
  { name: "compact", subgroups: true },
];

export const product = (sizes) => sizes.reduce((a, b) => a * b, 1);

/** PoCL on one thread, which it takes from its environment when it starts. */
export async function openPocl() {
  process.env.POCL_MAX_PTHREAD_COUNT = "1";
  const { devices } = await findDevices(["opencl"]).catch(() => ({ devices: [] }));
  const pocl = devices.find((d) => /portable computing language|pocl/i.test(`${d.driver} ${d.version}`));
  return (
    pocl && {
      device: `opencl:${pocl.index}`,
      connection: await openDevice({ device: `opencl:${pocl.index}` }),
    }
  );
}

/** Seconds of the kernel alone, by the driver: three runs dropped, the median of five. */
export async function timeOnDevice(connection, { compilation, entry, launch }) {
  const prepared = prepareKernel(compilation, entry, undefined);
  if (prepared.problem) throw new Error(prepared.problem);
  const built = await connection.build(prepared.kernel);
  try {
    const data = deviceLaunch(prepared, launch, undefined, 120_000);
    const times = [];
    for (let i = 0; i < 8; i++) {
      const { kernelMilliseconds } = await built.run(data);
      if (i >= 3) times.push(kernelMilliseconds / 1000);
    }
    return median(times);
  } finally {
    await built.release();
  }
}

/** What the checks cost: each by itself, those that one runs together, and all, of a run without any. */
const checks = {
  none: "none",
  bounds: ["out-of-bounds"],
  alignment: ["misaligned-access"],
  uninitialised: ["uninitialized-read"],
  races: ["data-race"],
  overflow: ["integer-overflow"],
  barriers: ["barrier-divergence", "no-forward-progress"],
  both: ["out-of-bounds", "data-race"],
  all: "all",
};

/** Seconds of a whole run, with what is set up and looked at afterwards: two runs dropped, the median of three. */
async function timeChecked(kernel, launch) {
  const options = { ...simulatorOptions(launch, "opencl"), subgroupSize: launch.subgroupSize, seed: 1, threads: 1 };
  const times = [];
  for (let i = 0; i < 5; i++) {
    const taken = await seconds(() => {
      const { findings } = runKernel(kernel, options);
      if (findings.length > 0) throw new Error(`a finding: ${findings[0].message}`);
    });
    if (i >= 2) times.push(taken);
  }
  return median(times);
}

/** Times of a run without checks; and bounds and races together against `oclgrind --data-races` on one thread. */
export async function benchChecks({ rounds = 3, items = 1 << 17, oclgrindItems = 1 << 12, only } = {}) {
  const folder = join(tmpdir(), `crosslane-bench-${process.pid}`);
  let host;
  try {
    host = buildHost(folder);
  } catch {
    host = undefined;
  }
  const oclgrind = host && has("oclgrind", "--version");
  const names = Object.keys(checks);
  const rows = [];
  const ratios = Object.fromEntries([...names, "oclgrind"].map((name) => [name, []]));
  for (const k of kernels.filter((x) => !only || only.includes(x.name))) {
    const { compilation, entry, launch, items: count } = await prepare(k.name, items);
    const small = oclgrind && !k.subgroups ? await prepare(k.name, oclgrindItems) : undefined;
    const candidates = {};
    for (const [name, findings] of Object.entries(checks)) {
      const made = compileForSimulator(compilation, entry, findings);
      if (!made.kernel) throw new Error(`${k.name}: ${JSON.stringify(made.diagnostics)}`);
      candidates[name] = () => timeChecked(made.kernel, launch);
    }
    candidates.oclgrind = () => {
      if (!small) return null;
      const job = writeJob(folder, k.name, small.entry, small.launch, 1, false);
      const quiet = ["--data-races", "--num-threads", "1", "--build-options", "-cl-opt-disable"];
      return medianOf(
        execFileSync("oclgrind", [...quiet, host, job], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }),
      );
    };
    const times = await inTurn(candidates, rounds);
    const cost = names.slice(1).map((name) => times[name] / times.none);
    names.slice(1).forEach((name, i) => ratios[name].push(cost[i]));
    const faster = times.oclgrind && times.oclgrind / small.items / (times.both / count);
    if (faster && !k.memoryBound) ratios.oclgrind.push(faster);
    rows.push([
      k.name,
      fixed(count / times.none / 1e6, 1),
      ...cost.map((c) => `${fixed(c, 2)}x`),
      faster && `${fixed(faster, 0)}x`,
    ]);
  }
  rmSync(folder, { recursive: true, force: true });
  const text = table(["kernel", "none M/s", ...names.slice(1), "of Oclgrind --data-races"], rows);
  const means = names.slice(1).map((name) => `${name} ${fixed(geometricMean(ratios[name]))}x`);
  return [
    text,
    `time of a run without checks, geometric means: ${means.join(", ")}`,
    ratios.oclgrind.length
      ? `bounds and races ("both"), geometric mean of oclgrind --data-races on one thread: ${fixed(geometricMean(ratios.oclgrind), 0)}x (aim 150x)`
      : "Oclgrind: not measured",
  ].join("\n");
}

/** The launch file with about so many work-items, as text: workgroups grow or shrink along its scale axis. */
export function scaledLaunch(name, items) {
  const text = JSON.parse(readFileSync(new URL(`${name}/launch.json`, fixtures), "utf8"));
  const axis = text.scaleAxis ?? 0;
  const workgroups = [...text.workgroups];
  const rest = product(workgroups) / workgroups[axis];
  workgroups[axis] = Math.max(1, Math.round(items / (product(text.workgroupSize) * rest)));
  return JSON.stringify({ ...text, workgroups });
}

/** The launch that a launch file's text says. */
export function boundLaunch(name, text, module, entry) {
  const { launch, diagnostics } = parseLaunchFile(text, `${name}/launch.json`);
  if (!launch) throw new Error(JSON.stringify(diagnostics));
  const bound = bindLaunch(launch, shapeOf(module, entry), { files: new Map() });
  if (!bound.bound) throw new Error(`${name}: ${JSON.stringify(bound.diagnostics)}`);
  return bound.bound;
}

export async function prepare(name, items) {
  const source = readFileSync(new URL(`${name}/kernel.cl`, fixtures), "utf8");
  const compilation = await compile(source, { from: "opencl", fileName: `${name}.cl` });
  if (!compilation.module) throw new Error(`${name}: ${JSON.stringify(compilation.diagnostics)}`);
  const entry = compilation.module.entries[0];
  const launch = boundLaunch(name, scaledLaunch(name, items), compilation.module, entry);
  return { compilation, entry, launch, items: product(launch.workgroups) * product(launch.workgroupSize) };
}

/** What `peers/ocl_run.c` runs. */
function writeJob(folder, name, entry, launch, runs, output) {
  const global = launch.workgroups.map((n, i) => n * launch.workgroupSize[i]);
  const lines = [
    `source ${new URL(`${name}/kernel.cl`, fixtures).pathname}`,
    `entry ${entry.name}`,
    `global ${global.join(" ")}`,
    `local ${launch.workgroupSize.join(" ")}`,
    `runs ${runs}`,
  ];
  launch.arguments.forEach((a, i) => {
    if (a.kind === "buffer") {
      const file = join(folder, `${name}.${i}.in`);
      writeFileSync(file, a.bytes);
      lines.push(`buffer ${file} ${a.bytes.length}`);
      if (a.output && output) lines.push(`output ${i} ${join(folder, `${name}.${i}.out`)}`);
    } else if (a.kind === "value") lines.push(`value ${Buffer.from(a.bytes).toString("hex")}`);
    else lines.push(`workgroup ${a.byteLength}`);
  });
  const job = join(folder, `${name}.job`);
  writeFileSync(job, lines.join("\n") + "\n");
  return job;
}

export function buildHost(folder) {
  mkdirSync(folder, { recursive: true });
  const program = join(folder, "ocl_run");
  execFileSync("gcc", ["-O2", "-o", program, new URL("peers/ocl_run.c", import.meta.url).pathname, "-lOpenCL"], {
    stdio: "pipe",
  });
  return program;
}

function has(command, ...args) {
  try {
    execFileSync(command, args, { stdio: "pipe" });
    return true;
  } catch {
    return false;
  }
}

const medianOf = (text) => median(text.trim().split("\n").map(Number));

/** Seconds of a run's workgroups alone by an engine in one thread, fastest-tier: three runs dropped, the median of five. */
export function timeSimulator(kernel, launch, engine) {
  const options = {
    ...simulatorOptions(launch, "opencl"),
    subgroupSize: launch.subgroupSize,
    seed: 1,
    engine,
    threads: 1,
  };
  const times = [];
  for (let i = 0; i < 8; i++) {
    const { kernelMilliseconds } = runKernel(kernel, options).stats;
    if (i >= 3) times.push(kernelMilliseconds / 1000);
  }
  return median(times);
}

/** Rows: kernel, M items/s of each engine, ratios; and the geometric means the goals speak of. */
export async function benchSimulator({ rounds = 5, items = 1 << 17, oclgrindItems = 1 << 12, only } = {}) {
  const folder = join(tmpdir(), `crosslane-bench-${process.pid}`);
  let host;
  try {
    host = buildHost(folder);
  } catch {
    host = undefined;
  }
  const pocl = await openPocl();
  const oclgrind = host && oclgrindItems > 0 && has("oclgrind", "--version");
  const rows = [];
  const ratios = { pocl: [], oclgrind: [], memory: [], printed: [] };
  const rates = new Map();
  for (const k of kernels.filter((x) => !only || only.includes(x.name))) {
    const prepared = await prepare(k.name, items);
    const { compilation, entry, launch, items: count } = prepared;
    const made = compileForSimulator(compilation, entry, ["out-of-bounds"]);
    if (!made.kernel) throw new Error(`${k.name}: ${JSON.stringify(made.diagnostics)}`);
    const small = oclgrind && !k.subgroups ? await prepare(k.name, oclgrindItems) : undefined;
    const times = await inTurn(
      {
        printed: () => timeSimulator(made.kernel, launch, "ts"),
        wasm: () => timeSimulator(made.kernel, launch, "wasm"),
        pocl: () => {
          if (!pocl || k.subgroups) return null;
          return timeOnDevice(pocl.connection, prepared);
        },
        oclgrind: () => {
          if (!small) return null;
          const job = writeJob(folder, k.name, small.entry, small.launch, 1, false);
          // Oclgrind 21.10 does not know the instruction `rotate` is optimised to.
          const quiet = ["--num-threads", "1", "--build-options", "-cl-opt-disable"];
          return medianOf(
            execFileSync("oclgrind", [...quiet, host, job], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }),
          );
        },
      },
      rounds,
    );
    const rate = (seconds, n) => (seconds === undefined ? undefined : n / seconds / 1e6);
    const printed = rate(times.printed, count);
    const own = rate(times.wasm, count);
    rates.set(k.name, own);
    const poclRate = rate(times.pocl, count);
    const grindRate = small && rate(times.oclgrind, small.items);
    if (poclRate && !k.memoryBound) ratios.pocl.push(own / poclRate);
    if (grindRate && !k.memoryBound) ratios.oclgrind.push(own / grindRate);
    if (poclRate && k.memoryBound) ratios.memory.push(own / poclRate);
    ratios.printed.push(own / printed);
    const kind = k.memoryBound ? "memory-bound" : k.subgroups ? "subgroup ops" : "";
    rows.push([
      k.name,
      count,
      fixed(printed, 2),
      fixed(own, 2),
      fixed(poclRate, 2),
      fixed(grindRate, 4),
      `${fixed(own / printed, 2)}x`,
      poclRate && `${fixed(own / poclRate, 2)}x`,
      grindRate && `${fixed(own / grindRate, 0)}x`,
      kind,
    ]);
  }
  await pocl?.connection.close();
  rmSync(folder, { recursive: true, force: true });
  const text = table(
    ["kernel", "items", "ts M/s", "wasm M/s", "PoCL-1 M/s", "Oclgrind-1 M/s", "of ts", "of PoCL", "of Oclgrind", ""],
    rows,
  );
  const ofScan = kernels
    .filter((k) => k.subgroups && rates.has(k.name) && rates.has("scan"))
    .map((k) => `${k.name} ${fixed(rates.get(k.name) / rates.get("scan"), 2)}x`);
  const means = [
    `geometric mean of WebAssembly over the printed code: ${fixed(geometricMean(ratios.printed))}x`,
    ...(ratios.memory.length
      ? [
          `memory-bound kernels, geometric mean of PoCL on one thread: ${fixed(geometricMean(ratios.memory))}x (aim 0.6x)`,
        ]
      : []),
    ...(ofScan.length ? [`kernels with subgroup ops, of scan in this run: ${ofScan.join(", ")} (aim 1x)`] : []),
    ratios.pocl.length
      ? `geometric mean of PoCL on one thread (neither memory-bound nor subgroup): ${fixed(geometricMean(ratios.pocl))}x (aim 1.5x)`
      : "PoCL: not measured",
    ratios.oclgrind.length
      ? `geometric mean of Oclgrind on one thread: ${fixed(geometricMean(ratios.oclgrind), 0)}x (aim 300x)`
      : "Oclgrind: not measured",
  ];
  return `${text}\n${means.join("\n")}`;
}

/** Whole processes on the same launch files, compiling and reading and printing included: `run` against `run --device`. */
export async function benchRunCommand({ rounds = 3, items = 1 << 17, only } = {}) {
  const pocl = await openPocl();
  await pocl?.connection.close();
  const folder = mkdtempSync(join(tmpdir(), "crosslane-bench-"));
  const cli = new URL("../bin/crosslane.js", import.meta.url).pathname;
  const command = (name, ...more) =>
    void execFileSync(process.execPath, [cli, "run", join(folder, `${name}.cl`), "--format", "json", ...more], {
      stdio: "ignore",
    });
  const rows = [];
  const ratios = [];
  for (const { name, subgroups } of kernels.filter((k) => !only || only.includes(k.name))) {
    if (subgroups) continue;
    copyFileSync(new URL(`${name}/kernel.cl`, fixtures), join(folder, `${name}.cl`));
    writeFileSync(join(folder, `${name}.launch.json`), scaledLaunch(name, items));
    const times = await inTurn(
      {
        checked: () => command(name),
        unchecked: () => command(name, "--findings", "none"),
        device: () => (pocl ? command(name, "--device", pocl.device) : null),
      },
      rounds,
    );
    const ms = (s) => s && fixed(s * 1000, 0);
    if (times.device) ratios.push(times.unchecked / times.device);
    rows.push([
      name,
      ms(times.checked),
      ms(times.unchecked),
      ms(times.device),
      times.device && `${fixed(times.unchecked / times.device)}x`,
    ]);
  }
  rmSync(folder, { recursive: true, force: true });
  const head = ["whole process", "run, ms", "run --findings none, ms", "run --device PoCL-1, ms", "of PoCL's time"];
  const mean =
    ratios.length > 0
      ? `geometric mean: ${fixed(geometricMean(ratios))}x the time of the same command on PoCL`
      : "PoCL: not measured";
  return `${table(head, rows)}\n${mean}`;
}
