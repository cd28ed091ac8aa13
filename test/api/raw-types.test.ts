/** HLSL: types loaded from and stored to raw buffers, and the sizes of buffers. Values by hand. */
import { describe, expect, test } from "vitest";
import { simulate, translate, verify } from "../../src/index.js";
import { judgeable, judgeOutputs, judges, refusals, type Judgeable } from "../support/judges/outputs.js";
import { judgeTest } from "../support/tool-test.js";

const kernel = `
struct S { float2 a; int b; uint64_t w; row_major float2x3 m; bool t; };
StructuredBuffer<uint4> src : register(t0);
RWByteAddressBuffer dst : register(u1);
[numthreads(1, 1, 1)]
void main() {
  uint n, stride, bytes, at = 4u;
  src.GetDimensions(n, stride);
  dst.GetDimensions(bytes);
  S s = (S)0;
  s.a = float2(1, 2.5); s.b = -7; s.w = 0x100000002ull; s.m = float2x3(1, 2, 3, 4, 5, 6); s.t = true;
  dst.Store<uint>(0, bytes);
  dst.Store<float3>(at++ + 4, float3(n, stride, at));
  dst.Store<S>(64, s);
  S t = dst.Load<S>(at + 59);
  t.b += 5;
  dst.Store<int>(4, t.b + (t.t ? 100 : 0));
  dst.Store(20, dst.Load<int>(4) + 1);
  dst.Store<double>(24, 1.5);
  dst.Store<float>(32, float(dst.Load<double>(24)) + t.m[1][0] + dst.Load<float2>(8).y);
}`;

test("words are where structured buffers have them", async () => {
  const { buffers, findings, diagnostics } = await simulate(kernel, {
    from: "hlsl",
    workgroups: [1],
    args: { src: new Uint32Array(12), dst: new Uint32Array(30) },
  });
  expect([...diagnostics, ...findings].map((d) => d.message)).toEqual([]);
  const words = buffers["dst"] as Uint32Array;
  const floats = new Float32Array(words.buffer, words.byteOffset, words.length);
  expect([...words.slice(0, 2), ...words.slice(5, 8)]).toEqual([120, 98, 99, 0, 0x3ff80000]);
  // Stored at 4 + 4. DXC evaluates the value before the address, which then is stepped: 3 elements of 16 bytes, 4.
  expect([...floats.slice(2, 5)]).toEqual([3, 16, 4]);
  expect(floats[8]).toBe(1.5 + 4 + 16);
  // a, b, w (at 16, since it is aligned to 8), the rows, t, and what fills up 8 bytes.
  expect([...floats.slice(16, 18), words[18]! | 0, ...words.slice(20, 22), ...floats.slice(22, 28), words[28]]).toEqual(
    [1, 2.5, -7, 2, 1, 1, 2, 3, 4, 5, 6, 1],
  );
});

test.each(["msl", "glsl", "opencl", "ts"] as const)("the same in %s", async (to) => {
  const plain =
    to === "opencl"
      ? kernel
          .replace("row_major float2x3 m", "float m[2][3]")
          .replace("s.m = float2x3(1, 2, 3, 4, 5, 6)", "s.m[1][0] = 4")
      : kernel;
  // MSL has no double.
  const source =
    to === "msl"
      ? plain.replace("dst.Store<double>(24, 1.5);", "").replace("float(dst.Load<double>(24))", "1.5")
      : plain;
  const { result, diagnostics } = await verify(source, { from: "hlsl", to });
  expect(diagnostics.filter((d) => d.severity === "error").map((d) => d.message)).toEqual([]);
  expect(result).toBe("equivalent");
});

const narrow = `struct S { half3 a; uint16_t b; float c; int16_t d[3]; };
RWByteAddressBuffer p : register(u0);
[numthreads(4, 1, 1)] void k(uint i : SV_DispatchThreadID) {
  half3 h = p.Load<half3>(64 * i + 2); uint16_t u = p.Load<uint16_t>(64 * i + 10);
  p.Store<uint16_t>(64 * i + 14, u + uint16_t(7)); p.Store<half3>(64 * i + 18, h * half(2));
  S s = p.Load<S>(64 * i + 32); s.d[1] += int16_t(5); s.a.y = h.x; p.Store<S>(256 + 20 * i, s);
  p.Store(64 * i, u + 1u);
}
`;

describe("numbers of 16 bits at even addresses", () => {
  const given = new DataView(new ArrayBuffer(336));
  for (let i = 0; i < 4; i++) {
    // 1, -2 and 0.5 as halves.
    [0x3c00, 0xc000, 0x3800].forEach((h, n) => given.setUint16(64 * i + 2 + 2 * n, h + i, true));
    given.setUint16(64 * i + 10, 0xfffe + i, true);
    [0x3400 + i, 0x4000, 0x4200, 40000 + i].forEach((h, n) => given.setUint16(64 * i + 32 + 2 * n, h, true));
    given.setFloat32(64 * i + 40, i + 0.25, true);
    [-3, 32765 + i, i].forEach((d, n) => given.setInt16(64 * i + 44 + 2 * n, d, true));
  }
  const wanted = new DataView(given.buffer.slice(0));
  for (let i = 0; i < 4; i++) {
    const u = given.getUint16(64 * i + 10, true);
    wanted.setUint16(64 * i + 14, u + 7, true);
    // Twice a number has an exponent that is one greater.
    for (const n of [0, 2, 4]) wanted.setUint16(64 * i + 18 + n, given.getUint16(64 * i + 2 + n, true) + 0x400, true);
    for (let n = 0; n < 18; n++) wanted.setUint8(256 + 20 * i + n, given.getUint8(64 * i + 32 + n));
    wanted.setUint16(256 + 20 * i + 2, 0x3c00 + i, true);
    wanted.setInt16(256 + 20 * i + 14, 32765 + i + 5, true);
    wanted.setUint32(64 * i, u + 1, true);
  }
  const texts: Judgeable[] = [];
  test.each(["hlsl", "msl", "glsl", "opencl"] as const)("in %s", async (to) => {
    const { code, diagnostics } = await translate(narrow, { from: "hlsl", to });
    expect(diagnostics.filter((d) => d.severity === "error").map((d) => d.message)).toEqual([]);
    texts.push(judgeable(to, `to ${to}`, code!));
    const { buffers, findings } = await simulate(code!, {
      from: to,
      workgroups: [1],
      ...(to === "msl" || to === "opencl" ? { workgroupSize: [4] } : {}),
      args: { p: new Uint32Array(given.buffer.slice(0)) },
    });
    expect(findings).toEqual([]);
    expect(buffers["p"], code).toEqual(new Uint32Array(wanted.buffer));
  });
  for (const to of ["hlsl", "msl", "glsl", "opencl"] as const)
    judgeTest(judges[to], `the ${to} compiler takes it`, async () => {
      expect(refusals(await judgeOutputs(texts.filter((t) => t.dialect === to)))).toBe("");
    });
});

/** Of two kernels one is printed, which a text that stays as it is is not. */
const printed = `ByteAddressBuffer r : register(t0);
RWByteAddressBuffer w : register(u0);
struct S { uint16_t a; float16_t3 b; };
[numthreads(4, 1, 1)] void k(uint i : SV_DispatchThreadID) {
  w.Store<uint16_t>(2 * i, uint16_t(r.Load<uint16_t>(2 * i + 2) + 1));
  S s = { uint16_t(i), r.Load<float16_t>(0), 1.5h, 2.0h };
  w.Store<S>(8 * i + 8, s);
}
[numthreads(1, 1, 1)] void another() { w.Store(0, 1); }`;

test("in HLSL again, where another kernel is left out", async () => {
  const { code, diagnostics } = await translate(printed, { from: "hlsl", to: "hlsl", entry: "k" });
  expect(diagnostics.map((d) => d.message)).toEqual([]);
  for (const text of [printed, code!]) {
    const args = { r: Uint16Array.of(0x3c00, 7, 8, 9, 10, 11), w: new Uint16Array(20) };
    const { buffers, findings } = await simulate(text, { from: "hlsl", entry: "k", workgroups: [1], args });
    expect(findings.map((d) => d.message)).toEqual([]);
    const halves = [0, 1, 2, 3].flatMap((i) => [i, 0x3c00, 0x3e00, 0x4000]);
    expect([...(buffers["w"] as Uint16Array)]).toEqual([8, 9, 10, 11, ...halves]);
  }
});

judgeTest(judges.hlsl, "DXC takes it", async () => {
  const { code } = await translate(printed, { from: "hlsl", to: "hlsl", entry: "k" });
  expect(
    (await judges.hlsl.accept([printed, code!].map((text) => ({ name: "k", text })))).filter((v) => !v.ok),
  ).toEqual([]);
});
