/** Launches of a source go to its translations on a device: values that became buffers there, and all three dimensions. */
import { describe, expect, test } from "vitest";
import { compile } from "../../src/api/compile.js";
import { openDevice, verifyOnDevice } from "../../src/api/device.js";
import { simulatorRunner } from "../../src/api/runners.js";
import { readTranslation } from "../../src/api/read-translation.js";
import { translationsForLaunches } from "../../src/api/sized-translations.js";
import { prepareVerification } from "../../src/api/verify.js";
import type { ReadySource } from "../../src/api/verify.js";
import { parseLaunchFile } from "../../src/launch/launch-file.js";
import { deviceTest } from "./device-test.js";

interface Kernel {
  readonly name: string;
  readonly from: "hlsl" | "glsl" | "msl";
  readonly source: string;
  readonly launch: object;
  /** What the launch leaves in its output, by hand. */
  readonly values: readonly number[];
}

const eight = Array.from({ length: 8 }, (_, i) => i);
const outs = (count: number): object => ({ type: "u32", count, init: { fill: 0 }, output: true });
const u32 = (...value: readonly number[]): object => ({
  type: "u32",
  value: value.length > 1 ? value : value[0],
});

const kernels: readonly Kernel[] = [
  {
    name: "arrays of vectors with padding, of structs and of arrays, by value",
    from: "hlsl",
    source: `struct S { uint a; uint2 l[2]; };
cbuffer Params : register(b0) { uint3 arr[4]; S ss[2]; uint2 two[2][3]; };
RWStructuredBuffer<uint> outs : register(u0);
[numthreads(8, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  uint i = id.x;
  outs[i] = arr[i & 3].y + ss[i & 1].l[1].y + two[i & 1][1].x;
}
`,
    launch: {
      workgroups: [1],
      args: {
        arr: u32(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12),
        "ss[0].a": u32(7),
        "ss[0].l": u32(200, 201, 202, 203),
        "ss[1].a": u32(7),
        "ss[1].l": u32(300, 301, 302, 303),
        two: u32(...Array.from({ length: 12 }, (_, i) => 1000 + i)),
        outs: outs(8),
      },
    },
    // arr[k].y is 3k + 2, the last of each l is 203 or 303, two[r][1].x is 1002 or 1008.
    values: eight.map((i) => 3 * (i & 3) + 2 + ((i & 1) === 0 ? 203 + 1002 : 303 + 1008)),
  },
  {
    name: "an array beside a struct that holds one",
    from: "msl",
    source: `#include <metal_stdlib>
using namespace metal;
struct P { uint a; uint l[3]; };
kernel void k(device uint *outs [[buffer(0)]], constant P &p [[buffer(1)]], constant uint (&arr)[4] [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  outs[i] = p.a + p.l[i % 3] + arr[i % 4];
}
`,
    launch: {
      workgroups: [1],
      workgroupSize: [8],
      args: { "p.a": u32(1000), "p.l": u32(10, 20, 30), arr: u32(1, 2, 3, 4), outs: outs(8) },
    },
    values: eight.map((i) => 1000 + 10 * ((i % 3) + 1) + (i % 4) + 1),
  },
  {
    name: "a workgroup of three dimensions in a launch of one",
    from: "hlsl",
    source: `RWStructuredBuffer<uint> dst : register(u0);
[numthreads(4, 2, 2)]
void main(uint gi : SV_GroupIndex, uint3 g : SV_GroupID) {
  dst[gi + g.x * 16] = gi;
}
`,
    launch: { workgroups: [2], args: { dst: outs(32) } },
    values: Array.from({ length: 32 }, (_, i) => i % 16),
  },
];

async function ready({ from, source, launch, values }: Kernel): Promise<ReadySource> {
  const compilation = await compile(source, { from, fileName: "k" });
  const { args, ...sizes } = launch as {
    readonly args: Readonly<Record<string, { readonly output?: boolean }>>;
  };
  const expected = Object.fromEntries(
    Object.entries(args).map(([name, a]) => [name, a.output ? { ...a, expect: { values } } : a]),
  );
  const { launch: read, diagnostics } = parseLaunchFile(JSON.stringify({ ...sizes, args: expected }), "launch.json");
  expect(diagnostics).toEqual([]);
  const preparation = await prepareVerification(compilation, {
    launches: [{ launch: read! }],
    subgroupSizes: [8],
    seeds: 1,
  });
  expect(preparation.diagnostics).toEqual([]);
  return preparation.ready!;
}

describe.each(kernels)("$name", async (kernel) => {
  test("in the simulator, as OpenCL C", async () => {
    const source = await ready(kernel);
    const [{ translation }] = await translationsForLaunches(source, "opencl", {});
    const read = await readTranslation(source.compilation, translation);
    if ("diagnostics" in read) throw new Error(read.diagnostics[0]?.message);
    const made = await simulatorRunner(read.compilation, read.entry, { translated: read.translated });
    if ("diagnostics" in made) throw new Error(made.diagnostics[0]?.message);
    const result = made.runner.run(source.launches[0]!, { subgroupSize: 8, seed: 1 });
    const { buffers } = await result;
    const [bytes] = [...buffers].filter(([path]) => /outs|dst/.test(path)).map(([, b]) => b);
    expect([...new Uint32Array(bytes!.slice().buffer)]).toEqual(kernel.values);
  });

  await deviceTest("opencl", `${kernel.name}: on a device, as OpenCL C`, async () => {
    const connection = await openDevice({ device: "opencl", here: true });
    try {
      const { verified } = await verifyOnDevice(await ready(kernel), "opencl", connection, {});
      expect(verified.result.diagnostics).toEqual([]);
      expect(verified.result.result).toBe("equivalent");
    } finally {
      await connection.close();
    }
  });
});
