/** Short kernels of HLSL with what they compute by hand: at two widths, through every dialect, and before every compiler. */
import { describe, expect, test } from "vitest";
import { simulate, translate, verify, type HlslVersion, type Target, type VerifyOptions } from "../../src/index.js";
import { judgeable, judgeOutputs, judges, refusals, type Judgeable } from "./judges/outputs.js";
import { judgeTest } from "./tool-test.js";

export const lanes = [0, 1, 2, 3, 4, 5, 6, 7];
export const floats = (f: (i: number) => number): Float32Array => Float32Array.from(lanes, f);
export const main = "[numthreads(8, 1, 1)] void main(uint i : SV_DispatchThreadID, uint l : SV_GroupIndex)";

export interface Shape {
  readonly name: string;
  readonly text: string;
  readonly args: Readonly<Record<string, Float32Array | Uint32Array | number | readonly number[]>>;
  /** What `o` holds then. */
  readonly o: (i: number) => number;
  readonly hlslVersion?: HlslVersion;
}

const options = ({ hlslVersion }: Shape): { readonly hlslVersion?: HlslVersion } =>
  hlslVersion === undefined ? {} : { hlslVersion };
/** The launch of the shape, where it gives buffers alone. */
function launchOf({ args }: Shape): Pick<VerifyOptions, "launches"> {
  const given = Object.entries(args).map(([name, values]) => {
    if (typeof values === "number" || !("buffer" in values)) return undefined;
    const type = values instanceof Uint32Array ? "u32" : "f32";
    return [
      name,
      { type, count: values.length, init: { values: [...values] }, ...(name === "o" ? { output: true } : {}) },
    ] as const;
  });
  if (!given.every((g) => g !== undefined)) return {};
  return { launches: [{ workgroups: [1], args: Object.fromEntries(given) }] };
}

const others: readonly Target[] = ["msl", "glsl", "opencl", "ts"];

export function shapesCompute(shapes: readonly Shape[]): void {
  describe.each(shapes)("$name", (shape) => {
    test.each([4, 32])("computes what it says at width %i", async (subgroupSize) => {
      const run = await simulate(shape.text, {
        from: "hlsl",
        workgroups: [1],
        subgroupSize,
        args: shape.args,
        ...options(shape),
      });
      expect(run.diagnostics.filter((d) => d.severity === "error")).toEqual([]);
      expect([...(run.buffers.o as Float32Array)]).toEqual(lanes.map(shape.o));
    });

    test.each(others)("computes the same in %s", async (to) => {
      const { result, firstDifference } = await verify(shape.text, {
        from: "hlsl",
        to,
        subgroupSizes: [4, 32],
        ...launchOf(shape),
        ...options(shape),
      });
      expect(result, JSON.stringify(firstDifference)).toMatch(/^equivalent/);
    });
  });

  for (const to of ["msl", "glsl", "opencl", "hlsl"] as const) {
    judgeTest(judges[to], `${to} takes all of them`, async () => {
      const texts = await Promise.all(
        shapes.map(async (shape): Promise<Judgeable> => {
          const made = await translate(shape.text, { from: "hlsl", to, ...options(shape) });
          const text = judgeable(to, shape.name, made.code!);
          // To HLSL the text stays as it is.
          return text.dialect === "hlsl" ? { ...text, options: { ...text.options, ...options(shape) } } : text;
        }),
      );
      expect(refusals(await judgeOutputs(texts))).toBe("");
    });
  }
}
