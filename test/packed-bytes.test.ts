/**
 * Functions of words and their parts: OpenCL's cl_khr_integer_dot_product, cl_arm_integer_dot_product and cl_khr_extended_bit_ops,
 * `shuffle` between sizes (OpenCL C 3.0 6.15.13), HLSL's dot4add, dot2add, pack, unpack, msad4, AddUint64 and what it has of shader
 * model 1, GL_EXT_integer_dot_product, MSL's normalized numbers (3.1 section 6.14). Results are worked out here from the bytes;
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

const even = (x: number): number => (x % 1 === 0.5 ? 2 * Math.round(x / 2) : Math.round(x));
const valueOf = (half: number): number =>
  (half & 0x8000 ? -1 : 1) *
  ((half & 0x7fff) < 0x400 ? (half & 1023) * 2 ** -24 : (1024 + (half & 1023)) * 2 ** (((half >> 10) & 31) - 25));
/** The half nearest to a fraction, found among those from 0 to 1 without rounding in between. */
function halfOf(above: number, below: number): number {
  const units = BigInt(Math.abs(above)) << 25n;
  const distance = (half: number): bigint => {
    const d = units - BigInt(valueOf(half) * 2 ** 25) * BigInt(below);
    return d < 0n ? -d : d;
  };
  let best = 0;
  for (let step = 0x2000; step > 0; step >>= 1)
    if (best + step <= 0x3c00 && valueOf(best + step) * below <= Math.abs(above)) best += step;
  const next = best + 1;
  if (best < 0x3c00 && (distance(next) < distance(best) || (distance(next) === distance(best) && next % 2 === 0)))
    best++;
  return best | (above < 0 ? 0x8000 : 0);
}

interface Case {
  readonly name: string;
  readonly from: SourceDialect;
  /** Writes up to four words of `o` from the uints a, b and c. */
  readonly body: string;
  readonly wanted: (a: number, b: number, c: number) => readonly number[];
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
    name: "parts of bits of wide vectors",
    from: "opencl",
    body: `uchar8 v = as_uchar8((uint2)(a, b)); ushort16 w = as_ushort16((uint8)(a, b, c, 0, a, b, c, 0));
  o[0] = as_uint(bitfield_extract_signed(v, 2u, c & 3u).hi); o[1] = as_uint(bitfield_insert(v, as_uchar8((uint2)(c, a)), 3u, 4u).lo);
  o[2] = as_uint(bitfield_extract_unsigned(w, 4u, 9u).s23); o[3] = bitfield_extract_signed((long8)((long)a << 20), 20u, 31u).s7;`,
    wanted: (a, b, c) => [
      wordOf(bytesIn(b).map((x) => ((c & 3) === 0 ? 0 : (x << (30 - (c & 3))) >> (32 - (c & 3))))),
      wordOf(bytesIn(a).map((x, i) => (x & 0x87) | ((bytesIn(c)[i]! & 15) << 3))),
      ((b & 0x1ff0) >>> 4) | (((b >>> 20) & 0x1ff) << 16),
      (a << 1) >> 1,
    ],
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
    name: "AddUint64",
    from: "hlsl",
    body: "uint4 s = AddUint64(uint4(a, b, c, a), uint4(b, c, a, b)); uint2 t = AddUint64(s.xy, uint2(c, 1)); o[0] = t.x; o[1] = t.y; o[2] = s.z; o[3] = s.w;",
    wanted: (a, b, c) => {
      const pair = (low: number, high: number): bigint => BigInt(low) + (BigInt(high) << 32n);
      const [first, second] = [pair(a, b) + pair(b, c) + pair(c, 1), pair(c, a) + pair(a, b)];
      return [first, first >> 32n, second, second >> 32n].map((x) => Number(x & 0xffffffffn));
    },
  },
  {
    // What each component is stands in the DXIL that DXC makes of these.
    name: "what is left of shader model 1",
    from: "hlsl",
    body: `float4 d = dst(float4(9, a & 255, b & 255, 7), float4(5, c & 255, 6, a >> 24)); o[0] = uint(d.x + 2 * d.y); o[1] = uint(d.z + 256 * d.w);
  float4 l = lit(float(a & 7) - 3, float(b & 7) - 2, 2); o[2] = uint(l.x + 2 * l.y + 100 * round(l.z) + 10000 * l.w);
  int4 e = D3DCOLORtoUBYTE4(float4(a & 255, b & 255, c & 255, 128) / 256); o[3] = e.x | e.y << 8 | e.z << 16 | e.w << 24;`,
    wanted: (a, b, c) => {
      const [light, half] = [(a & 7) - 3, (b & 7) - 2];
      const shine = light < 0 || half < 0 ? 0 : half * half;
      // Exact: 255 and 2^-9 take 17 bits, what is multiplied 8.
      const colour = (x: number): number => Math.trunc((x / 256) * (255 + 2 ** -9));
      return [
        1 + 2 * (a & 255) * (c & 255),
        (b & 255) + 256 * (a >>> 24),
        1 + 2 * Math.max(light, 0) + 100 * shine + 10000,
        wordOf([c & 255, b & 255, a & 255, 128].map(colour)),
      ];
    },
  },
  {
    name: "dot2add",
    from: "hlsl",
    body: `half2 p = half2(int(a) >> 24, float(b & 63) / 8), q = half2(c & 31, int(b) >> 24); o[0] = asuint(dot2add(p, q, 0.125));
  uint16_t4 u = unpack_u8u16(a); int16_t4 s = unpack_s8s16(b); o[1] = u.x + u.y * 256u + u.w * 65536u; o[2] = uint(int(s.x) * int(s.w)); o[3] = uint(s.y * int16_t(100));`,
    wanted: (a, b, c) => [
      new Uint32Array(Float32Array.of((a >> 24) * (c & 31) + ((b & 63) / 8) * (b >> 24) + 0.125).buffer)[0]!,
      bytesIn(a)[0]! + bytesIn(a)[1]! * 256 + bytesIn(a)[3]! * 65536,
      signedIn(b)[0]! * signedIn(b)[3]!,
      ((signedIn(b)[1]! * 100) << 16) >> 16,
    ],
  },
  {
    name: "normalized numbers of 10 and 2 bits, and of 5 and 6",
    from: "msl",
    body: `float4 v = unpack_unorm10a2_to_float(a); float3 w = unpack_unorm565_to_float(ushort(b));
  o[0] = pack_float_to_unorm10a2(float4(v.z, v.x, 1.5f, v.w)); o[1] = pack_float_to_unorm565(float3(w.z, -w.x - 0.5f, w.x)) | uint(pack_float_to_unorm565(w)) << 16;
  o[2] = uint(rint(v.y * 1023.0f)) + (uint(rint(w.y * 63.0f)) << 16); o[3] = pack_half_to_unorm10a2(half4(half(c & 15) / 16.0h, 0.5h, 1.0h, 0.25h)) ^ uint(pack_half_to_unorm565(half3(0.5h, half(c & 7) / 8.0h, 0.75h)));`,
    wanted: (a, b, c) => {
      const [x, y, z, w] = [a & 1023, (a >>> 10) & 1023, (a >>> 20) & 1023, a >>> 30];
      const [five, six, last] = [b & 31, (b >>> 5) & 63, (b >>> 11) & 31];
      return [
        z | (x << 10) | (1023 << 20) | (w << 30),
        last | (five << 11) | ((b & 0xffff) << 16),
        y + six * 65536,
        (even(((c & 15) / 16) * 1023) | (even(511.5) << 10) | (1023 << 20) | (even(0.75) << 30)) ^
          (even(15.5) | (even(((c & 7) / 8) * 63) << 5) | (even(23.25) << 11)),
      ];
    },
  },
  {
    name: "normalized numbers as halves",
    from: "msl",
    body: `o[0] = as_type<uint>(unpack_unorm2x16_to_half(a)); o[1] = as_type<uint>(unpack_snorm4x8_to_half(b).xz); o[2] = as_type<uint>(unpack_unorm10a2_to_half(c).yw);
  half4 h = half4(unpack_unorm4x8_to_half(a)); o[3] = pack_half_to_unorm4x8(h) ^ pack_half_to_snorm4x8(unpack_snorm4x8_to_half(c)) ^ pack_half_to_unorm2x16(half2(h.x * 0.5h, 1.0h)) ^ pack_half_to_snorm2x16(half2(-2.0h, 0.25h)) ^ as_type<ushort>(unpack_unorm565_to_half(ushort(a)).y);`,
    wanted: (a, b, c) => {
      const [s, t] = [signedIn(b), signedIn(c)];
      const both = (x: number, y: number): number => (x & 0xffff) | (y << 16);
      const middle = valueOf(halfOf(bytesIn(a)[0]!, 255)) / 2;
      return [
        both(halfOf(a & 0xffff, 65535), halfOf(a >>> 16, 65535)),
        both(halfOf(Math.max(s[0]!, -127), 127), halfOf(Math.max(s[2]!, -127), 127)),
        both(halfOf((c >>> 10) & 1023, 1023), halfOf(c >>> 30, 3)),
        a ^
          wordOf(t.map((x) => Math.max(x, -127))) ^
          both(even(middle * 65535), 65535) ^
          both(-32767, even(8191.75)) ^
          halfOf((a >>> 5) & 63, 63),
      ];
    },
  },
  {
    name: "colours encoded as sRGB",
    from: "msl",
    // Of each byte and back; what lies between the two is looked at to 1 / 255.
    body: `float4 l = unpack_unorm4x8_srgb_to_float(a); o[0] = pack_float_to_srgb_unorm4x8(l); o[1] = pack_half_to_srgb_unorm4x8(half4(0.0h, 1.0h, 2.0h, 0.5h));
  o[2] = uint(rint(l.x * 255.0f)) | uint(rint(l.w * 255.0f)) << 8; o[3] = uint(rint(unpack_unorm4x8_srgb_to_half(b).y * 255.0h));`,
    wanted: (a, b) => {
      const linear = (x: number): number => (x / 255 <= 0.04045 ? x / 255 / 12.92 : ((x / 255 + 0.055) / 1.055) ** 2.4);
      const byte = (x: number): number => Math.round(linear(x) * 255);
      return [a, wordOf([0, 255, 255, 128]), byte(a & 255) | ((a >>> 24) << 8), byte((b >>> 8) & 255)];
    },
  },
  {
    name: "GL_EXT_integer_dot_product",
    from: "glsl",
    body: `o[0] = dotPacked4x8EXT(a, b) + uint(dotPacked4x8EXT(int(a), b)) + 3 * uint(dotPacked4x8EXT(a, int(b))); o[1] = uint(dotPacked4x8AccSatEXT(int(a), int(b), int(c)));
  o[2] = dotAccSatEXT(u16vec2(a & 0xffffu, a >> 16), u16vec2(b & 0x7fffu, 3), c); o[3] = uint(dotEXT(ivec3(a, 1, b), uvec3(3, c, 5))) + uint(dotEXT(unpack8(int(a)), unpack8(b)));`,
    wanted: (a, b, c) => [
      dot(bytesIn(a), bytesIn(b)) + dot(signedIn(a), bytesIn(b)) + 3 * dot(bytesIn(a), signedIn(b)),
      saturated(dot(signedIn(a), signedIn(b)) + (c | 0)),
      Math.min((a & 0xffff) * (b & 0x7fff) + (a >>> 16) * 3 + c, 2 ** 32 - 1),
      a * 3 + c + b * 5 + dot(signedIn(a), bytesIn(b)),
    ],
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
  from === "msl"
    ? `#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *x [[buffer(0)]], device uint *y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  uint a = x[3 * i], b = x[3 * i + 1], c = x[3 * i + 2]; uint o[4] = {0, 0, 0, 0};
  ${body}
  for (int j = 0; j < 4; j++) y[4 * i + j] = o[j];
}
`
    : from === "glsl"
      ? `#version 450
#extension GL_EXT_integer_dot_product : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = ${lanes}) in;
layout(std430, binding = 0) readonly buffer X { uint x[]; };
layout(std430, binding = 1) writeonly buffer Y { uint y[]; };
void main() {
  uint i = gl_GlobalInvocationID.x; uint a = x[3 * i], b = x[3 * i + 1], c = x[3 * i + 2]; uint o[4] = {0, 0, 0, 0};
  ${body}
  for (int j = 0; j < 4; j++) y[4 * i + j] = o[j];
}
`
      : from === "opencl"
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
    const size = c.from === "hlsl" || c.from === "glsl" ? {} : { workgroupSize: [lanes, 1, 1] };
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
