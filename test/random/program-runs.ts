/** What random kernels are run with, by simulators and drivers; RANDOM_RUNS and RANDOM_SEED make a longer or another run. */
import { expect } from "vitest";
import { simulate, translate } from "../../src/index.js";
import type { BufferData, TwoWayDialect } from "../../src/index.js";
import type { HlslCompiler } from "../../src/device/kernel.js";
import { missingFor } from "../device/device-test.js";
import { random } from "../mutants/mutate.js";
import { missingPrograms } from "../support/judges/judge.js";
import { toolTest } from "../support/tool-test.js";
import { argumentsOf, hasOwnOrder, kinds, launch, type ProgramKind } from "./kinds.js";
import { randomProgram, type ProgramFeatures } from "./programs.js";
import { runHere } from "../device/run-here.js";

const runs = Number(process.env["RANDOM_RUNS"] ?? 2);
const first = Number(process.env["RANDOM_SEED"] ?? 1);
export const seeds = Array.from({ length: runs }, (_, i) => first + i);
/** All that it writes, in a row. */
export async function simulated(
  text: string,
  from: TwoWayDialect,
  features: ProgramFeatures,
  subgroupSize = 8,
): Promise<readonly number[]> {
  const { buffers, findings, diagnostics } = await simulate(text, {
    from,
    ...launch,
    subgroupSize,
    seed: 1,
    args: argumentsOf(features),
  });
  expect(
    [...diagnostics, ...findings].filter((d) => !("severity" in d) || d.severity === "error"),
    text,
  ).toEqual([]);
  return written(buffers);
}
const written = ({ dst, acc }: Readonly<Record<string, BufferData>>): readonly number[] =>
  [dst, acc].flatMap((b) => (b instanceof Uint32Array ? [...b] : []));

/** Some of it crosslane refuses by name. */
export async function isRefused(text: string, from: TwoWayDialect): Promise<boolean> {
  const refusal = /argument (?:whose place has side effects|that is copied in or out)/;
  return (await translate(text, { from, to: "ts" })).diagnostics.some((d) => refusal.test(d.message));
}

/** vkd3d-shader reads no 16-bit types (docs/devices.md): what such a kind holds besides them. */
function withoutSmall(kind: ProgramKind): ProgramKind {
  const { sizes } = kind.features;
  if (!sizes) return kind;
  return {
    ...kind,
    name: "integers of 64 bits",
    features: { ...kind.features, sizes: sizes.filter((s) => /long/.test(s)) },
  };
}

/** On a Vulkan device, of any width. A compiler may say that it does not read a text (XL7013). */
export async function testPrograms(from: TwoWayDialect, hlslCompiler?: HlslCompiler): Promise<void> {
  const missing = [
    ...(await missingFor("vulkan")),
    ...(hlslCompiler === "dxil" ? missingPrograms(["dxc", "dxil_to_spirv"]) : []),
  ];
  const where = hlslCompiler ? `${from} by ${hlslCompiler}` : from;
  for (const kind of kinds) {
    if (!kind.dialects.includes(from)) continue;
    const { name, features } = hlslCompiler === "dxil" ? withoutSmall(kind) : kind;
    toolTest(missing, `random programs on a driver, ${where}: ${name}`, async () => {
      let ran = 0;
      for (const seed of seeds) {
        const text = randomProgram(random(seed), from, features);
        if (hasOwnOrder(from, features) && (await isRefused(text, from))) continue;
        const { buffers, diagnostics, device } = await runHere(text, {
          from,
          device: "vulkan",
          ...(hlslCompiler ? { hlslCompiler } : {}),
          ...launch,
          args: argumentsOf(features),
        });
        if (diagnostics.some((d) => d.code === "XL7013")) continue;
        expect(
          diagnostics.filter((d) => d.severity === "error"),
          text,
        ).toEqual([]);
        expect(written(buffers), text).toEqual(await simulated(text, from, features, device!.subgroups!.size));
        ran++;
      }
      expect(ran).toBeGreaterThan(0);
    });
  }
}
