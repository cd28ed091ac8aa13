/** Positions in outputs lead to what they were made from, resolved by @jridgewell/trace-mapping; a debugger stops there. */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { TraceMap, decodedMappings, generatedPositionFor, originalPositionFor } from "@jridgewell/trace-mapping";
import { build } from "esbuild";
import { describe, expect, test } from "vitest";
import { translate } from "../../src/index.js";
import type { SourceMap } from "../../src/index.js";
import { targets } from "../../src/dialects/ids.js";
import { crosslane, workspace } from "../cli/command-line.js";
import { repositoryRoot } from "../support/judges/judge.js";

const header = `// twice as much
int twice(int v) {
  return v * 2;
}
`;
const kernel = `#include "twice.h"
#define ADD(a, b) \\
  ((a) + (b))
__kernel void sums(__global int *x, int n) {
  uint i = get_global_id(0);
  for (int j = 0; j < n; j++) {
    x[i] += ADD(j, twice(j));
  }
  x[i] ^= 7;
}
`;

/** Line from 1 and column from 0 of the only place of `part` in `text`. */
function placeOf(text: string, part: string): { line: number; column: number } {
  const at = text.indexOf(part);
  expect(at, `${part} in\n${text}`).toBeGreaterThanOrEqual(0);
  expect(text.indexOf(part, at + 1), part).toBe(-1);
  const before = text.slice(0, at).split("\n");
  return { line: before.length, column: before.at(-1)!.length };
}

const resolvedAt = (map: SourceMap, text: string, part: string): object => {
  const { source, line, column } = originalPositionFor(new TraceMap(map as never), placeOf(text, part));
  return { source, line, column };
};

const options = {
  from: "opencl",
  fileName: "kernels/sums.cl",
  include: { "twice.h": header },
  workgroupSize: [64],
  sourceMap: true,
} as const;

describe("source maps", () => {
  /** What the statements are called in each target: part of the text, and the place of the source it was made from. */
  const statement = { source: "kernels/sums.cl", line: 7, column: 4 };
  const last = { source: "kernels/sums.cl", line: 9, column: 2 };
  test.each([
    ["msl", "x[i] += j + twice(j)", "x[i] ^= 7"],
    ["glsl", "x[i] += j + twice(j)", "x[i] ^= 7"],
    ["hlsl", "x[i] += j + twice(j)", "x[i] ^= 7"],
  ] as const)("through macros and includes to %s", async (to, sum, change) => {
    const { code, map } = await translate(kernel, { ...options, to });
    expect(map!.version).toBe(3);
    expect(resolvedAt(map!, code!, sum)).toEqual(statement);
    // Within the statement, too.
    expect(resolvedAt(map!, code!, sum.slice(5))).toEqual(statement);
    expect(resolvedAt(map!, code!, change)).toEqual(last);
    expect(resolvedAt(map!, code!, "return v * 2")).toEqual({ source: "twice.h", line: 3, column: 2 });
    expect(map!.sources).toEqual(expect.arrayContaining(["twice.h", "kernels/sums.cl"]));
    expect(map!.sourcesContent[map!.sources.indexOf("twice.h")]).toBe(header);
    expect(map!.sourcesContent[map!.sources.indexOf("kernels/sums.cl")]).toBe(kernel);
  });

  test("of its own dialect, whose lines are laid out: to the lines as written", async () => {
    const source = "__kernel  void k(__global int *x){\n\n  x[ 0 ]=1 ;\n\tx[1]=  2;\n}\n";
    const { code, map } = await translate(source, { from: "opencl", to: "opencl", fileName: "k.cl", sourceMap: true });
    expect(resolvedAt(map!, code!, "x[1] = 2")).toMatchObject({ source: "k.cl", line: 4 });
    expect(resolvedAt(map!, code!, "x[0] = 1")).toMatchObject({ source: "k.cl", line: 3 });
  });

  test("of TypeScript: lines; what comes from nothing of the source leads nowhere", async () => {
    const { code, map } = await translate(kernel, { ...options, to: "ts" });
    const lineOf = (part: string): object => resolvedAt(map!, code!, part);
    expect(lineOf("(v_j + v_t)")).toMatchObject({ source: "kernels/sums.cl", line: 7 });
    expect(lineOf("^ 7")).toMatchObject({ source: "kernels/sums.cl", line: 9 });
    expect(lineOf("v_j < v_n")).toMatchObject({ source: "kernels/sums.cl", line: 6 });
    expect(lineOf("return imul(v_v, 2)")).toMatchObject({ source: "twice.h", line: 3 });
    expect(code).toContain("// twice.h:3: return v * 2;");
    expect(lineOf("export function sums")).toEqual({ source: null, line: null, column: null });
    expect(lineOf("import {")).toEqual({ source: null, line: null, column: null });
  });

  test.each(targets)("of every fixture's kernel in %s: each position is one of its source", async (to) => {
    let positions = 0;
    for (const [fixture, file, from] of [
      ["reduce", "kernel.metal", "msl"],
      ["bitonic", "kernel.comp", "glsl"],
      ["macros", "kernel.cl", "opencl"],
      ["nbody", "kernel.hlsl", "hlsl"],
    ] as const) {
      const source = readFileSync(join(repositoryRoot, "fixtures", fixture, file), "utf8");
      const workgroupSize = /numthreads|local_size|reqd_work/.test(source) ? undefined : [64];
      const { code, map } = await translate(source, { from, to, fileName: file, workgroupSize, sourceMap: true });
      expect(code, fixture).toBeDefined();
      const lines = code!.split("\n");
      const originals = source.split("\n");
      for (const [line, segments] of decodedMappings(new TraceMap(map as never)).entries()) {
        for (const segment of segments) {
          expect(segment[0]).toBeLessThanOrEqual(lines[line]!.length);
          if (segment.length === 1) continue;
          expect(segment[3]).toBeLessThan(originals[segment[2]!]!.length + 1);
          positions++;
        }
      }
    }
    expect(positions).toBeGreaterThan(40);
  });

  test("a debugger stops on the kernel's own line, in a bundle that was made of the TypeScript", async () => {
    const folder = workspace();
    writeFileSync(join(folder, "sums.cl"), kernel);
    writeFileSync(join(folder, "twice.h"), header);
    const written = await crosslane(folder, ["translate", "sums.cl", "--to", "ts", "--out-dir", "out", "--source-map"]);
    expect(written.code).toBe(0);
    writeFileSync(
      join(folder, "main.ts"),
      `import { sums } from "./out/sums.js";
       const x = new Int32Array(4);
       export const run = () => { sums({ workgroups: [1], workgroupSize: [4] }, { x, n: 3 }); return x; };`,
    );
    const outfile = join(folder, "bundle.mjs");
    await build({
      entryPoints: [join(folder, "main.ts")],
      outfile,
      bundle: true,
      format: "esm",
      sourcemap: true,
      alias: { "crosslane/runtime": join(repositoryRoot, "src/sim/runtime.ts") },
      logLevel: "silent",
    });
    const map = new TraceMap(readFileSync(`${outfile}.map`, "utf8"));
    const source = map.sources.find((s) => s?.endsWith("sums.cl"));
    expect(resolve(folder, source!)).toBe(join(folder, "sums.cl"));
    // Line 9 is `x[i] ^= 7`.
    const { line } = generatedPositionFor(map, { source: source!, line: 9, column: 2 });
    writeFileSync(join(folder, "debug.mjs"), debuggerScript(line! - 1));
    const said = JSON.parse(execFileSync(process.execPath, [join(folder, "debug.mjs")], { encoding: "utf8" })) as {
      stops: { line: number; column: number }[];
      x: number[];
    };
    expect(said.stops).toHaveLength(4);
    for (const stop of said.stops) expect(originalPositionFor(map, stop)).toMatchObject({ source, line: 9 });
    // 0 + 1 + 2 and their doubles, then ^ 7.
    expect(said.x).toEqual([9 ^ 7, 9 ^ 7, 9 ^ 7, 9 ^ 7]);
  });
});

/** Runs the bundle with a breakpoint on a line (from 0) that a worker sets, and prints where it stopped. */
const debuggerScript = (line: number): string => `
import { Worker, isMainThread, parentPort } from "node:worker_threads";
import { Session } from "node:inspector";
import { fileURLToPath } from "node:url";
if (isMainThread) {
  const worker = new Worker(fileURLToPath(import.meta.url));
  const said = () => new Promise((ready) => worker.once("message", ready));
  await said();
  const { run } = await import("./bundle.mjs");
  const x = [...run()];
  worker.postMessage("done");
  console.log(JSON.stringify({ stops: await said(), x }));
  await worker.terminate();
} else {
  const session = new Session();
  session.connectToMainThread();
  const stops = [];
  session.on("Debugger.paused", ({ params }) => {
    const { lineNumber, columnNumber } = params.callFrames[0].location;
    stops.push({ line: lineNumber + 1, column: columnNumber });
    session.post("Debugger.resume");
  });
  session.post("Debugger.enable", () =>
    session.post("Debugger.setBreakpointByUrl", { urlRegex: "bundle\\\\.mjs$", lineNumber: ${line} }, () => parentPort.postMessage("set")));
  parentPort.on("message", () => parentPort.postMessage(stops));
}
`;
