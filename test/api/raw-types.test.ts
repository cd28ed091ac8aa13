/** HLSL: types loaded from and stored to raw buffers, and the sizes of buffers. Values by hand. */
import { expect, test } from "vitest";
import { simulate, verify } from "../../src/index.js";

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
