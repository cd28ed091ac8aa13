/** Parsing, translation in process, and the cold command line against glslangValidator + spirv-cross. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { frontEnd } from "../dist/src/frontend/index.js";
import { translate } from "../dist/src/index.js";
import { parse } from "../dist/src/frontend/parse.js";
import { fixed, inTurn, median, seconds, table } from "./measure.mjs";

const fixtures = new URL("../fixtures/", import.meta.url);
const extensions = { msl: "metal", glsl: "comp", opencl: "cl", hlsl: "hlsl" };
const dialects = Object.keys(extensions);

const kernelText = (name, dialect) => readFileSync(new URL(`${name}/kernel.${extensions[dialect]}`, fixtures), "utf8");

/** Helper functions of about `bytes` in front of the kernel, as a generated library would have them. */
export function largeText(dialect, bytes) {
  const base = kernelText("hashmix", dialect);
  const uint = "uint";
  const helper = (i) => `// Mixes one word, variant ${i}.
${uint} mix_${i}(${uint} value, ${uint} seed) {
  ${uint} h = seed + value * ${(2654435761 + 2 * i) >>> 0}u;
  for (${uint} round = 0u; round < ${(i % 7) + 2}u; round++) {
    h ^= h >> ${(i % 15) + 1}u;
    if ((h & ${(1 << (i % 8)) >>> 0}u) != 0u) {
      h = h * 2246822519u + round;
    } else {
      h = (h << 5u) | (h >> 27u);
    }
  }
  return h ^ (value << ${(i % 9) + 1}u);
}

`;
  let helpers = "";
  for (let i = 0; helpers.length < bytes; i++) helpers += helper(i);
  const at =
    dialect === "msl"
      ? base.indexOf("kernel void")
      : dialect === "glsl"
        ? base.indexOf("uint rotl")
        : dialect === "hlsl"
          ? base.indexOf("uint rotl")
          : 0;
  return base.slice(0, at) + helpers + base.slice(at);
}

async function warm(times, run) {
  for (let i = 0; i < times; i++) await run();
}

export async function benchParsing() {
  const rows = [];
  for (const from of dialects) {
    const text = largeText(from, 200_000);
    const { expanded, problems } = await frontEnd(text, { from, fileName: "large" });
    if (problems.some((p) => p.severity === "error")) throw new Error(`${from}: ${JSON.stringify(problems[0])}`);
    await warm(4, () => parse(expanded, from));
    const parsing = [];
    const whole = [];
    for (let i = 0; i < 5; i++) {
      parsing.push(await seconds(() => parse(expanded, from)));
      whole.push(await seconds(() => frontEnd(text, { from, fileName: "large" })));
    }
    const rate = (s) => fixed(text.length / 1e6 / median(s), 2);
    rows.push([from, text.length, rate(parsing), rate(whole)]);
  }
  return table(["dialect", "bytes", "Peggy parse MB/s (aim 2)", "preprocess and parse MB/s"], rows);
}

export async function benchTranslation() {
  const rows = [];
  for (const from of dialects) {
    for (const to of [...dialects, "ts"].filter((t) => t !== from)) {
      const text = kernelText("bitonic", from);
      const large = largeText(from, 200_000);
      const options = { from, to, workgroupSize: [64, 1, 1] };
      const small = { ...options, workgroupSize: [256, 1, 1] };
      await warm(20, () => translate(text, small));
      const one = [];
      for (let i = 0; i < 9; i++) one.push(await seconds(() => translate(text, small)));
      let failed = "";
      const whole = [];
      for (let i = 0; i < 3; i++) {
        whole.push(
          await seconds(async () => {
            const result = await translate(large, options);
            if (result.code === undefined)
              failed = result.diagnostics.find((d) => d.severity === "error")?.message ?? "no code";
          }),
        );
      }
      rows.push([`${from} -> ${to}`, fixed(median(one) * 1000, 2), failed || fixed(median(whole) * 1000, 0)]);
    }
  }
  return table(["pair", "one kernel, warm, ms", "200 kB, warm, ms"], rows);
}

/** Whole processes: one `translate` against the compiler chain that does the same job from GLSL to MSL. */
export async function benchCommandLine(rounds = 5) {
  const folder = mkdtempSync(join(tmpdir(), "crosslane-bench-"));
  const file = new URL("bitonic/kernel.comp", fixtures).pathname;
  const spirv = join(folder, "kernel.spv");
  const cli = new URL("../bin/crosslane.js", import.meta.url).pathname;
  const quiet = { stdio: "pipe" };
  const peers = ["/usr/bin/glslangValidator", "/usr/bin/spirv-cross"].every((path) => existsSync(path));
  const times = await inTurn(
    {
      crosslane: () => void execFileSync(process.execPath, [cli, "translate", file, "--to", "msl"], quiet),
      chain: () => {
        if (!peers) return null;
        execFileSync("glslangValidator", ["-V", "--target-env", "vulkan1.3", "-S", "comp", file, "-o", spirv], quiet);
        execFileSync("spirv-cross", ["--msl", spirv], quiet);
      },
      node: () => void execFileSync(process.execPath, ["-e", "0"], quiet),
    },
    rounds,
  );
  rmSync(folder, { recursive: true, force: true });
  const ratio = times.chain && `${fixed(times.crosslane / times.chain)}x (aim 1.5x)`;
  return table(
    ["whole process, bitonic GLSL -> MSL", "ms", "of the chain"],
    [
      ["crosslane translate", fixed(times.crosslane * 1000, 0), ratio],
      ["glslangValidator + spirv-cross", times.chain && fixed(times.chain * 1000, 0), ""],
      ["node -e 0", fixed(times.node * 1000, 0), ""],
    ],
  );
}

/** One command for many small files, whose outputs are new: what was there before is removed at the end, as file systems are slow to give its place again. */
export function benchManyFiles(rounds = 3, files = 1000) {
  const folder = mkdtempSync(join(tmpdir(), "crosslane-bench-"));
  const cli = new URL("../bin/crosslane.js", import.meta.url).pathname;
  const names = Array.from({ length: files }, (_, i) => `k${i}.comp`);
  for (const [i, name] of names.entries()) {
    const text = `#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer B { float y[]; };
void main() { uint i = gl_GlobalInvocationID.x; y[i] = ${i}.0 * y[i] + 1.0; }
`;
    writeFileSync(join(folder, name), text);
  }
  const times = Array.from({ length: rounds }, (_, round) => {
    const start = performance.now();
    const to = ["--to", "msl,opencl,hlsl", "--out-dir", `out${round}`];
    execFileSync(process.execPath, [cli, "translate", ...names, ...to], { cwd: folder, stdio: "ignore" });
    return (performance.now() - start) / 1000;
  });
  rmSync(folder, { recursive: true, force: true });
  const time = median(times);
  return table(
    [`translate of ${files} kernels of four lines to 3 targets`, "s", "kernels/s (aim 400)"],
    [["new outputs", fixed(time, 2), fixed(files / time, 0)]],
  );
}
