/** What random kernels are run with, by simulators and drivers; RANDOM_RUNS and RANDOM_SEED make a longer or another run. */
import { expect } from "vitest";
import { runOnDevice, simulate, translate } from "../../src/index.js";
import type { TwoWayDialect } from "../../src/index.js";
import type { HlslCompiler } from "../../src/device/kernel.js";
import { missingFor } from "../device/device-test.js";
import { input } from "../differential/launch.mjs";
import { random } from "../mutants/mutate.js";
import { missingPrograms } from "../support/judges/judge.js";
import { toolTest } from "../support/tool-test.js";
import { LANES, WORDS, randomProgram, type ProgramFeatures } from "./programs.js";

const runs = Number(process.env["RANDOM_RUNS"] ?? 2);
const first = Number(process.env["RANDOM_SEED"] ?? 1);
export const seeds = Array.from({ length: runs }, (_, i) => first + i);
export const all: readonly TwoWayDialect[] = ["msl", "glsl", "hlsl", "opencl"];

export interface ProgramKind {
  readonly name: string;
  readonly dialects: readonly TwoWayDialect[];
  readonly features: ProgramFeatures;
}
export const kinds: readonly ProgramKind[] = [
  { name: "what C has", dialects: all, features: { barriers: true, lazyEffects: true, fallThrough: true } },
  { name: "cross-lane ops", dialects: all, features: { barriers: true, waves: true, lazyEffects: true } },
  {
    name: "effects in order",
    dialects: ["glsl", "hlsl"],
    features: { barriers: true, manyEffects: true, globals: true, components: true, inoutComponents: true },
  },
];

const launch = { workgroups: [2], workgroupSize: [LANES] } as const;
const args = (): { src: Uint32Array; dst: Uint32Array } => ({
  src: input.slice(0, 64),
  dst: new Uint32Array(2 * LANES * WORDS),
});

export async function simulated(text: string, from: TwoWayDialect, subgroupSize = 8): Promise<Uint32Array> {
  const { buffers, findings, diagnostics } = await simulate(text, {
    from,
    ...launch,
    subgroupSize,
    seed: 1,
    args: args(),
  });
  expect(
    [...diagnostics, ...findings].filter((d) => !("severity" in d) || d.severity === "error"),
    text,
  ).toEqual([]);
  return buffers["dst"] as Uint32Array;
}

/** Where effects meet HLSL means something else than GLSL (docs/hlsl-order.md); test/fuzz/order.ts asks DXC. */
export const hasOwnOrder = (from: TwoWayDialect, { manyEffects = false }: ProgramFeatures): boolean =>
  from === "hlsl" && manyEffects;

/** Some of it crosslane refuses by name. */
export async function isRefused(text: string, from: TwoWayDialect): Promise<boolean> {
  const refusal = /argument (?:whose place has side effects|that is copied in or out)/;
  return (await translate(text, { from, to: "ts" })).diagnostics.some((d) => refusal.test(d.message));
}

/** On a Vulkan device, of any width. A compiler may say that it does not read a text (XL7013). */
export async function testPrograms(from: TwoWayDialect, hlslCompiler?: HlslCompiler): Promise<void> {
  const missing = [
    ...(await missingFor("vulkan")),
    ...(hlslCompiler === "dxil" ? missingPrograms(["dxc", "dxil_to_spirv"]) : []),
  ];
  const where = hlslCompiler ? `${from} by ${hlslCompiler}` : from;
  for (const { name, dialects, features } of kinds) {
    if (!dialects.includes(from)) continue;
    toolTest(missing, `random programs on a driver, ${where}: ${name}`, async () => {
      let ran = 0;
      for (const seed of seeds) {
        const text = randomProgram(random(seed), from, features);
        if (hasOwnOrder(from, features) && (await isRefused(text, from))) continue;
        const { buffers, diagnostics, device } = await runOnDevice(text, {
          from,
          device: "vulkan",
          here: true,
          ...(hlslCompiler ? { hlslCompiler } : {}),
          ...launch,
          args: args(),
        });
        if (diagnostics.some((d) => d.code === "XL7013")) continue;
        expect(
          diagnostics.filter((d) => d.severity === "error"),
          text,
        ).toEqual([]);
        expect(buffers["dst"], text).toEqual(await simulated(text, from, device!.subgroups!.size));
        ran++;
      }
      expect(ran).toBeGreaterThan(0);
    });
  }
}
