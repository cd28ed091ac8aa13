/**
 * Numbers without a suffix in HLSL have 64 bits where DXC chooses among them when a kernel runs, before HLSL 202x: as DXC compiles it and
 * lavapipe computes it, in each version, against the simulator. The fuzz suite `hlsl-literals` asks for what DXC computes itself.
 */
import { expect } from "vitest";
import { simulate, type SimulateOptions, type SimulateResult } from "../../src/index.js";
import { runTimeKernel, runTimeStatements, runTimeWords } from "../fuzz/hlsl-literals.js";
import { missingPrograms } from "../support/judges/judge.js";
import { toolTest } from "../support/tool-test.js";
import { missingFor } from "./device-test.js";
import { runHere } from "./run-here.js";

const missing = [...(await missingFor("vulkan")), ...missingPrograms(["dxc", "dxil_to_spirv"])];
const versions = ["2018", "2021", "202x"] as const;
type Version = (typeof versions)[number];

interface Ran {
  readonly refusals: readonly string[];
  readonly words: readonly number[];
}
async function ran(
  by: (text: string, options: SimulateOptions) => Promise<Pick<SimulateResult, "diagnostics" | "buffers">>,
  statements: readonly string[],
  hlslVersion: Version,
): Promise<Ran> {
  const { diagnostics, buffers } = await by(runTimeKernel(statements), {
    from: "hlsl",
    hlslVersion,
    workgroups: [1],
    args: { src: Uint32Array.from(runTimeWords), o: new Uint32Array(statements.length).fill(7777) },
  });
  const refusals = diagnostics.filter((d) => d.severity === "error").map((d) => d.message);
  return { refusals, words: refusals.length > 0 ? [] : [...(buffers["o"] as Uint32Array)] };
}
const onDevice = (text: string, options: SimulateOptions) =>
  runHere(text, { ...options, device: "vulkan", hlslCompiler: "dxil" });

for (const version of versions)
  for (const seed of version === "202x" ? [] : [1, 2, 3, 4])
    toolTest(missing, `numbers chosen at run time, HLSL ${version}, ${String(seed)}`, async () => {
      const compared: { readonly statement: string; readonly got: number; readonly expected: number }[] = [];
      for (const statement of runTimeStatements(seed, 60)) {
        // What crosslane refuses by name is no case, nor is what vkd3d-shader makes no sound module of.
        const expected = await ran(simulate, [statement], version);
        if (expected.refusals.length > 0) continue;
        const got = await ran(onDevice, [statement], version);
        if (got.refusals.some((r) => r.includes("spirv-val objects"))) continue;
        expect(got.refusals, statement).toEqual([]);
        compared.push({ statement, got: got.words[0]!, expected: expected.words[0]! });
      }
      expect(compared.length).toBeGreaterThan(20);
      expect(compared.filter((c) => c.got !== c.expected)).toEqual([]);
    });

// By hand: 100000 * 100000 / 100000 is 100000 in 64 bits, and 1410065408 / 100000 in 32; 65536 * 65537 is 2^32 + 65536, and 65536.
const byVersion: Readonly<Record<Version, readonly number[]>> = {
  "2018": [100000, 1],
  "2021": [100000, 1],
  "202x": [14100, 0],
};
for (const version of versions)
  toolTest(missing, `the device compiles HLSL ${version} as such`, async () => {
    const statements = [
      "int64_t v = (b ? 100000 : 3) * (b ? 100000 : 5) / 100000; uint r = (uint)v;",
      "int64_t v = (b ? 65536 : 3) * (b ? 65537 : 5); uint r = (uint)(v >> 32);",
    ];
    for (const by of [onDevice, simulate])
      expect(await ran(by, statements, version)).toEqual({ refusals: [], words: byVersion[version] });
  });
