/**
 * Functions of words of four bytes: OpenCL's cl_khr_integer_dot_product, cl_arm_integer_dot_product and cl_khr_extended_bit_ops,
 * `shuffle` between sizes (OpenCL C 3.0 6.15.13), HLSL's dot4add, pack, unpack and msad4. Results are worked out here from the bytes;
 * every translation computes the same, and its compiler takes it.
 */
import { describe, expect, test } from "vitest";
import { simulate, translate, type SourceDialect } from "../src/index.js";
import { judgeable, judgeOutputs, judges, refusals, type Judgeable } from "./support/judges/outputs.js";
import { judgeTest } from "./support/tool-test.js";

const all: readonly SourceDialect[] = ["msl", "glsl", "opencl", "hlsl"];
const lanes = 8;
const edges = [0, 0xffffffff, 0x80808080, 0x7f7f7f7f, 0x01020304, 0xff00807f, 0x80000001, 0x12f00fed];
/** Three words for each lane. */
const words = Array.from({ length: lanes * 3 }, (_, k) => edges[(k * 5 + (k >> 3)) % edges.length]!);

type Bytes = readonly number[];
const bytesIn = (w: number): Bytes => [...new Uint8Array(Uint32Array.of(w).buffer)];
const signedIn = (w: number): Bytes => [...new Int8Array(Uint32Array.of(w).buffer)];
const dot = (x: Bytes, y: Bytes): number => x.reduce((s, v, i) => s + v * y[i]!, 0);
const clamped = (v: number, low: number, high: number): number => Math.min(Math.max(v, low), high);
const wordOf = (bytes: Bytes): number => new Uint32Array(Uint8Array.from(bytes).buffer)[0]!;

interface Case {
  readonly name: string;
  readonly from: "opencl" | "hlsl";
  /** Writes up to four words of `o` from the uints a, b and c. */
  readonly body: string;
  readonly wanted: (a: number, b: number, c: number) => readonly number[];
  readonly profile?: string;
}

const saturated = (v: number): number => clamped(v, -(2 ** 31), 2 ** 31 - 1);
const numbersOf: Readonly<Record<string, (w: number) => Bytes>> = { u: bytesIn, s: signedIn };

const cases: readonly Case[] = [
  ...["uu", "ss", "us", "su"].map((s): Case => {
    const [x, y] = [numbersOf[s[0]!]!, numbersOf[s[1]!]!];
    const type = s === "uu" ? "uint" : "int";
    const limited = (v: number): number => (s === "uu" ? Math.min(v, 2 ** 32 - 1) : saturated(v));
    return {
      name: `dot_4x8packed of ${s}`,
      from: "opencl",
      body: `o[0] = dot_4x8packed_${s}_${type}(a, b); o[1] = dot_acc_sat_4x8packed_${s}_${type}(a, b, (${type})c);`,
      wanted: (a, b, c) => [dot(x(a), y(b)), limited(dot(x(a), y(b)) + (s === "uu" ? c : c | 0))],
    };
  }),
  {
    name: "dot of vectors of bytes",
    from: "opencl",
    body: `o[0] = dot(as_char4(a), as_char4(b)); o[1] = dot(as_uchar4(a), as_uchar4(b));
  o[2] = dot_acc_sat(as_char4(a), as_uchar4(b), (int)c); o[3] = arm_dot_acc(as_uchar4(a), as_uchar4(b), c);`,
    wanted: (a, b, c) => [
      dot(signedIn(a), signedIn(b)),
      dot(bytesIn(a), bytesIn(b)),
      saturated(dot(signedIn(a), bytesIn(b)) + (c | 0)),
      dot(bytesIn(a), bytesIn(b)) + c,
    ],
  },
  {
    name: "parts of bits",
    from: "opencl",
    body: `o[0] = (uint)bitfield_extract_signed(a, 3u, 7u); o[1] = bitfield_extract_unsigned((int)a, b & 15u, c & 15u);
  o[2] = bitfield_insert(a, b, 5u, c & 15u); o[3] = as_uint(bitfield_extract_signed(as_char4(a), 1u, 5u));`,
    wanted: (a, b, c) => {
      const mask = 2 ** (c & 15) - 1;
      return [
        (a << 22) >> 25,
        (a >>> (b & 15)) & mask,
        (a & ~(mask << 5)) | ((b & mask) << 5),
        wordOf(bytesIn(a).map((x) => (x << 26) >> 27)),
      ];
    },
  },
  {
    name: "shuffle between sizes, and vec_step",
    from: "opencl",
    body: `ushort2 two = as_ushort2(a); uchar4 four = as_uchar4(b);
  o[0] = as_uint(shuffle(as_uchar8((uint2)(a, b)), as_uchar4(c))); ushort4 wide = shuffle(two, (ushort4)(c & 3, 1, 0, 7)); o[1] = wide.x | (uint)wide.w << 16;
  uchar8 both = shuffle2(four, as_uchar4(a), (uchar8)(0, 5, 2, 7, c & 255, 1, 8, 3)); o[2] = as_uint(both.hi); o[3] = vec_step(two) + 10 * vec_step(both.s012) + 100 * vec_step(a);`,
    wanted: (a, b, c) => {
      const eight = [...bytesIn(a), ...bytesIn(b)];
      const halves = [a & 0xffff, a >>> 16];
      const two = [...bytesIn(b), ...bytesIn(a)];
      return [
        wordOf(bytesIn(c).map((m) => eight[m & 7]!)),
        halves[c & 1]! | (halves[1]! << 16),
        wordOf([c & 255, 1, 8, 3].map((m) => two[m & 7]!)),
        2 + 40 + 100,
      ];
    },
  },
  {
    name: "dot4add",
    from: "hlsl",
    body: "o[0] = dot4add_u8packed(a, b, c); o[1] = uint(dot4add_i8packed(a, b, int(c)));",
    wanted: (a, b, c) => [dot(bytesIn(a), bytesIn(b)) + c, dot(signedIn(a), signedIn(b)) + c],
  },
  {
    name: "msad4",
    from: "hlsl",
    body: "uint4 m = msad4(a, uint2(b, c), uint4(c, 0, 1, b)); o[0] = m.x; o[1] = m.y; o[2] = m.z; o[3] = m.w;",
    wanted: (a, b, c) => {
      const source = [...bytesIn(b), ...bytesIn(c)];
      const apart = (n: number): number =>
        bytesIn(a).reduce((s, r, i) => (r === 0 ? s : s + Math.abs(r - source[n + i]!)), 0);
      return [c + apart(0), apart(1), 1 + apart(2), b + apart(3)];
    },
  },
  {
    name: "pack and unpack",
    from: "hlsl",
    body: `uint8_t4_packed p = pack_u8(uint4(a, b, c, a >> 8)); o[0] = p; int8_t4_packed q = pack_clamp_s8(int4(a, b, c, int(a) >> 20)); o[1] = q;
  o[2] = pack_clamp_u8(int4(a, b, c, int(a) >> 20)) + pack_s8(int4(a, b, c, 3)); uint4 u = unpack_u8u32(a); int4 s = unpack_s8s32(b); o[3] = u.x + u.y * 256 + u.w * 65536 + uint(s.y * s.z);`,
    wanted: (a, b, c) => {
      const four = [a | 0, b | 0, c | 0, (a | 0) >> 20];
      const [u, s] = [bytesIn(a), signedIn(b)];
      return [
        wordOf([a, b, c, a >>> 8]),
        wordOf(four.map((x) => clamped(x, -128, 127))),
        wordOf(four.map((x) => clamped(x, 0, 255))) + wordOf([a, b, c, 3]),
        u[0]! + u[1]! * 256 + u[3]! * 65536 + s[1]! * s[2]!,
      ];
    },
  },
];

const sourceOf = ({ from, body }: Case): string =>
  from === "opencl"
    ? `#pragma OPENCL EXTENSION cl_khr_integer_dot_product : enable
__kernel void k(__global const uint *x, __global uint *y) {
  uint i = get_global_id(0); uint a = x[3 * i], b = x[3 * i + 1], c = x[3 * i + 2]; uint o[4] = {0, 0, 0, 0};
  ${body}
  for (int j = 0; j < 4; j++) y[4 * i + j] = o[j];
}
`
    : `StructuredBuffer<uint> x; RWStructuredBuffer<uint> y;
[numthreads(${lanes}, 1, 1)] void k(uint i : SV_DispatchThreadID) {
  uint a = x[3 * i], b = x[3 * i + 1], c = x[3 * i + 2]; uint o[4] = {0, 0, 0, 0};
  ${body}
  for (int j = 0; j < 4; j++) y[4 * i + j] = o[j];
}
`;

const expected = ({ wanted }: Case): number[] =>
  Array.from({ length: lanes }, (_, i) => {
    const own = wanted(words[3 * i]!, words[3 * i + 1]!, words[3 * i + 2]!);
    return [0, 1, 2, 3].map((j) => Number(BigInt.asUintN(32, BigInt(own[j] ?? 0))));
  }).flat();

async function run(text: string, from: SourceDialect): Promise<number[]> {
  const { buffers, findings, diagnostics } = await simulate(text, {
    from,
    workgroups: [1],
    ...(from === "msl" || from === "opencl" ? { workgroupSize: [lanes] } : {}),
    args: { x: Uint32Array.from(words), y: new Uint32Array(4 * lanes) },
  });
  expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  expect(findings).toEqual([]);
  return [...(buffers["y"] as Uint32Array)];
}

const judged: Judgeable[] = [];

describe.each(cases)("$name", (c) => {
  const source = sourceOf(c);
  test("the source", async () => {
    expect(await run(source, c.from)).toEqual(expected(c));
  });
  test.each(all)("to %s", async (to) => {
    const size = c.from === "opencl" ? { workgroupSize: [lanes, 1, 1] } : {};
    // To its own dialect the text is kept, unless something has to change.
    const { code, diagnostics } = await translate(source, { from: c.from, to, ...size });
    expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
    judged.push(judgeable(to, `${c.name} to ${to}`, code!));
    expect(await run(code!, to)).toEqual(expected(c));
  });
});

describe("compilers", () => {
  for (const to of all)
    judgeTest(judges[to], `the ${to} compiler takes the translations`, async () => {
      const texts = judged.filter((j) => j.dialect === to);
      expect(texts).toHaveLength(cases.length);
      expect(refusals(await judgeOutputs(texts))).toBe("");
    });
});
