/** `crosslane build` over 500 kernels: cold, warm, with nothing to do, and in watch mode. */
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { fixed, median, table } from "./measure.mjs";

const crosslane = fileURLToPath(new URL("../bin/crosslane.js", import.meta.url));
const kernels = 500;
const targets = ["glsl", "opencl", "hlsl", "ts"];

const kernel = (i) => `#include <metal_stdlib>
#include "mix.h"
using namespace metal;

// Mixes every element with its neighbours in the SIMD-group, variant ${i}.
kernel void mixed_${i}(device const uint *in [[buffer(0)]], device uint *out [[buffer(1)]], constant uint &n [[buffer(2)]],
                       uint i [[thread_position_in_grid]]) {
  if (i >= n) return;
  uint h = mix_word(in[i], ${i}u);
  for (uint round = 0u; round < ${(i % 7) + 2}u; round++) {
    h ^= simd_shuffle_xor(h, ${2 ** (i % 3)}u);
    if ((h & ${2 ** (i % 8)}u) != 0u) h = h * 2246822519u + round;
    else h = (h << 5u) | (h >> 27u);
  }
  out[i] = simd_sum(h);
}
`;

/** A folder with the kernels, an include that all have, and a config. */
function project() {
  const folder = mkdtempSync(join(tmpdir(), "crosslane-bench-"));
  mkdirSync(join(folder, "kernels/sub"), { recursive: true });
  writeFileSync(
    join(folder, "kernels/mix.h"),
    "inline uint mix_word(uint value, uint seed) { return (value ^ seed) * 2654435761u; }\n",
  );
  for (let i = 0; i < kernels; i++) writeFileSync(join(folder, `kernels/k${i}.metal`), kernel(i));
  const config = { inputs: "kernels/**/*.metal", targets, workgroupSize: [64] };
  writeFileSync(join(folder, "crosslane.config.json"), JSON.stringify(config));
  return folder;
}

function build(folder, ...flags) {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [crosslane, "build", ...flags], {
    cwd: folder,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  return (performance.now() - start) / 1000;
}

const repeated = (times, run) => median(Array.from({ length: times }, run));
const clean = (folder, ...names) => names.forEach((n) => rmSync(join(folder, n), { recursive: true, force: true }));

/** Of saves of one kernel of 500: until its outputs are on disk, and what the command itself says it took. */
async function watched(folder, saves) {
  const child = spawn(process.execPath, [crosslane, "build", "--watch"], {
    cwd: folder,
    stdio: ["pipe", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text) => (said += text));
  const until = async (holds) => {
    while (!holds()) await new Promise((resolve) => setTimeout(resolve, 1));
  };
  await until(() => said.includes("watching"));
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const last = join(folder, "out/ts/k250.ts");
  const times = [];
  const own = [];
  for (let n = 0; n < saves; n++) {
    const before = statSync(last).mtimeMs;
    const heard = said.length;
    const start = performance.now();
    writeFileSync(join(folder, "kernels/k250.metal"), kernel(250).replace("round = 0u", `round = ${n + 1}u`));
    await until(() => statSync(last).mtimeMs !== before);
    times.push(performance.now() - start);
    await until(() => / \((\d+) ms\)/.test(said.slice(heard)));
    own.push(Number(/ \((\d+) ms\)/.exec(said.slice(heard))[1]));
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  child.kill("SIGTERM");
  if (!readFileSync(last, "utf8").includes(`${saves}`)) throw new Error("the last save did not win");
  // The first rebuilds still compile the program itself.
  const warm = Math.min(5, saves >> 1);
  return { event: median(times.slice(warm)), own: median(own.slice(warm)), first: times[0] };
}

export async function benchBuild() {
  const folder = project();
  try {
    const rows = [];
    for (const jobs of [1, 2]) {
      clean(folder, "out", ".crosslane");
      rows.push([`cold, --jobs ${jobs}`, `${fixed(build(folder, "--jobs", `${jobs}`), 2)} s`]);
    }
    rows.push([
      "nothing to do (aim 0.5 s)",
      `${fixed(
        repeated(7, () => build(folder)),
        2,
      )} s`,
    ]);
    rows.push([
      "outputs removed, from the cache",
      `${fixed(
        repeated(3, () => (clean(folder, "out"), build(folder))),
        2,
      )} s`,
    ]);
    const { event, own, first } = await watched(folder, 20);
    rows.push(["watch: one kernel saved, until its 4 outputs are there (aim 50 ms)", `${fixed(event, 0)} ms`]);
    rows.push(["watch: of that, building", `${fixed(own, 0)} ms`], ["watch: the first save", `${fixed(first, 0)} ms`]);
    return table([`${kernels} kernels x ${targets.length} targets`, "time"], rows);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
