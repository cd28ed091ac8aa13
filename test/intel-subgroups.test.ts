/**
 * cl_intel_subgroups and its kind: what the extensions' texts say, worked out here by a few plain lines. Block n of `p` holds component 0 of
 * all lanes, then component 1; `shuffle_down(current, next, d)` goes on into `next`, `shuffle_up(previous, current, d)` comes from `previous`.
 */
import { describe, expect, test } from "vitest";
import { simulate, translate, verify } from "../src/index.js";
import { judgeable, judgeOutputs, judges, refusals } from "./support/judges/outputs.js";
import { judgeTest } from "./support/tool-test.js";

const lanes = 8;
const groups = 2;
const run = async (source: string, args: Readonly<Record<string, ArrayBufferView>>) => {
  const { buffers, findings, diagnostics } = await simulate(source, {
    from: "opencl",
    workgroups: [groups],
    workgroupSize: [lanes],
    subgroupSize: lanes,
    args,
  });
  expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  expect(findings).toEqual([]);
  return buffers;
};

const blocks = ([suffix, type]: readonly [string, string], n: number): string => {
  const [at, size, swap] = [`get_group_id(0) * ${lanes * n}`, n === 1 ? "" : String(n), n === 1 ? "" : ".s10"];
  const turned = n < 4 ? `v${swap}` : "v";
  return `#pragma OPENCL EXTENSION cl_intel_subgroups : enable
kernel void k(global ${type} *o, global const ${type} *p) {
  ${type}${size} v = intel_sub_group_block_read${suffix}${size}(p + ${at});
  v += (${type})1;
  intel_sub_group_block_write${suffix}${size}(o + ${at}, ${turned});
}`;
};
const kinds = [
  ["", "uint", Uint32Array],
  ["_ui", "uint", Uint32Array],
  ["_uc", "uchar", Uint8Array],
  ["_us", "ushort", Uint16Array],
  ["_ul", "ulong", BigUint64Array],
] as const;

describe.each(kinds)("blocks of %s%s", (suffix, type, Data) => {
  test.each([1, 2, 4, 8, 16])("%d components", async (n) => {
    const count = groups * lanes * n;
    const p = new Data(count);
    for (let i = 0; i < count; i++) p[i] = type === "ulong" ? BigInt(i * 3) : i * 3;
    const { o } = await run(blocks([suffix, type], n), { o: new Data(count), p });
    // Each number stays where it is, but for two components, which change places.
    const from = (i: number): number => (n === 2 ? (i % (2 * lanes) < lanes ? i + lanes : i - lanes) : i);
    expect(Array.from(o as Uint32Array, Number)).toEqual(
      Array.from({ length: count }, (_, i) => (from(i) * 3 + 1) % (type === "uchar" ? 256 : 2 ** 53)),
    );
  });
});

const shuffles = `kernel void k(global float *o, global const float *x, global float8 *wide, global long *l) {
  int i = get_global_id(0);
  uint lane = get_sub_group_local_id();
  o[i * 4] = intel_sub_group_shuffle(x[i], lane ^ 3u);
  o[i * 4 + 1] = intel_sub_group_shuffle_down(x[i], x[i] + 100.0f, 3u);
  o[i * 4 + 2] = intel_sub_group_shuffle_up(x[i] + 100.0f, x[i], 3u);
  o[i * 4 + 3] = intel_sub_group_shuffle_xor((float2)(x[i], 0.0f), 1u).x;
  wide[i] = intel_sub_group_shuffle_down(wide[i], wide[i] + 100.0f, 1u);
  l[i] = intel_sub_group_shuffle_up(l[i] + 100, l[i], 1u);
}`;

test("values go from lane to lane", async () => {
  const n = groups * lanes;
  const x = Float32Array.from({ length: n }, (_, i) => i);
  const wide = Float32Array.from({ length: n * 8 }, (_, i) => Math.floor(i / 8) + (i % 8) / 8);
  const l = BigInt64Array.from({ length: n }, (_, i) => BigInt(i));
  const got = await run(shuffles, { o: new Float32Array(n * 4), x, wide, l });
  const [first, lane] = [(i: number) => i - (i % lanes), (i: number) => i % lanes];
  const down = (i: number, d: number): number => (lane(i) + d < lanes ? i + d : first(i) + lane(i) + d - lanes + 100);
  const up = (i: number, d: number): number => (lane(i) >= d ? i - d : first(i) + lane(i) + lanes - d + 100);
  expect([...(got.o as Float32Array)]).toEqual(
    [...x].flatMap((i) => [first(i) + (lane(i) ^ 3), down(i, 3), up(i, 3), i ^ 1]),
  );
  expect([...(got.wide as Float32Array)]).toEqual([...wide].map((_, at) => down(Math.floor(at / 8), 1) + (at % 8) / 8));
  expect(Array.from(got.l as BigInt64Array, Number)).toEqual([...x].map((i) => up(i, 1)));
});

test.each(["msl", "glsl", "hlsl", "opencl"] as const)("is the same in %s", async (to) => {
  const size = { workgroupSize: [lanes, 1, 1], subgroupSizes: [lanes] };
  for (const source of [blocks(["", "uint"], 4), blocks(["_us", "ushort"], 2)]) {
    const { result } = await verify(source, { from: "opencl", to, ...size });
    expect(result).toBe("equivalent");
  }
  const { result } = await verify(shuffles, { from: "opencl", to, ...size });
  expect(result).toBe("equivalent");
});

test("what a store of the block may change is read before", async () => {
  const source = `kernel void k(global uint *o, global uint *p) {
  intel_sub_group_block_write2(o + p[0], (uint2)(p[1], p[${lanes}] + get_sub_group_local_id()));
}`;
  const same = new Uint32Array(groups * lanes * 2);
  const wrote = (source: string) =>
    simulate(source, {
      from: "opencl",
      workgroups: [1],
      workgroupSize: [lanes],
      subgroupSize: lanes,
      args: { o: same, p: Uint32Array.from({ length: 2 * lanes }, (_, i) => (i === 0 ? 0 : 5)) },
    });
  const { buffers } = await wrote(source);
  expect([...(buffers.o as Uint32Array)].slice(0, 2 * lanes)).toEqual([
    ...Array<number>(lanes).fill(5),
    ...Array.from({ length: lanes }, (_, i) => 5 + i),
  ]);
});

test("the own text is kept", async () => {
  const source = blocks(["", "uint"], 2);
  const { code } = await translate(source, { from: "opencl", to: "opencl" });
  expect(code).toContain("intel_sub_group_block_read2(p + ");
});

test.each([
  [
    "uint v = intel_sub_group_block_read(x);",
    "'intel_sub_group_block_read' takes a pointer to uint, not __global float *",
  ],
  ["intel_sub_group_block_write((global const uint *)x, 1u);", "this cannot be written: "],
])("%s is refused", async (body, message) => {
  const { diagnostics } = await translate(`kernel void k(global float *x) { ${body} }`, { from: "opencl", to: "msl" });
  expect(diagnostics.filter((d) => d.severity === "error").map((d) => d.message.slice(0, message.length))).toEqual([
    message,
  ]);
});

describe.each(["msl", "glsl", "hlsl"] as const)("%s", (to) => {
  judgeTest(judges[to], "its compiler takes what is written", async () => {
    const texts = [];
    for (const source of [blocks(["", "uint"], 8), blocks(["_uc", "uchar"], 4), shuffles]) {
      const { code } = await translate(source, { from: "opencl", to, workgroupSize: [lanes, 1, 1] });
      if (code !== undefined) texts.push(judgeable(to, `intel${texts.length}`, code));
    }
    expect(texts.length).toBe(3);
    expect(refusals(await judgeOutputs(texts))).toBe("");
  });
});
