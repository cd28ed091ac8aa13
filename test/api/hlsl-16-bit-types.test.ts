/**
 * `-enable-16bit-types` of DXC, by the API and a command: with it `half` has 16 bits and `__HLSL_ENABLE_16_BIT` is 1, without it 32
 * (DXC wiki, "16 Bit Scalar Types"). Bytes are laid out by hand.
 */
import { describe, expect, test } from "vitest";
import { simulate, translate } from "../../src/index.js";
import { judgeTest } from "../support/tool-test.js";
import { judgeable, judgeOutputs, judges, refusals } from "../support/judges/outputs.js";

const source = `struct S { half a; half b; min16int c; float d; };
StructuredBuffer<S> s : register(t0);
RWStructuredBuffer<float> o : register(u1);
#ifdef __HLSL_ENABLE_16_BIT
static const float k = 2;
#else
static const float k = 1;
#endif
[numthreads(1, 1, 1)]
void main() { o[0] = s[1].a + s[1].b * 10 + s[1].c * 100 + s[1].d * k; }
`;

/** The second element holds 1, 2, 3 and 1000. */
const narrow = (): Uint8Array => {
  const view = new DataView(new ArrayBuffer(24));
  view.setUint16(12, 0x3c00, true);
  view.setUint16(14, 0x4000, true);
  view.setInt16(16, 3, true);
  view.setFloat32(20, 1000, true);
  return new Uint8Array(view.buffer);
};
const wide = (): Uint8Array => {
  const view = new DataView(new ArrayBuffer(32));
  view.setFloat32(16, 1, true);
  view.setFloat32(20, 2, true);
  view.setInt32(24, 3, true);
  view.setFloat32(28, 1000, true);
  return new Uint8Array(view.buffer);
};

describe.each([
  { enable16bitTypes: true, bytes: narrow, expected: 1 + 20 + 300 + 2000 },
  { enable16bitTypes: false, bytes: wide, expected: 1 + 20 + 300 + 1000 },
])("with it $enable16bitTypes", ({ enable16bitTypes, bytes, expected }) => {
  const launch = { workgroups: [1], workgroupSize: [1] } as const;

  test("as source", async () => {
    const args = { s: bytes(), o: new Float32Array(1) };
    const { buffers } = await simulate(source, { from: "hlsl", enable16bitTypes, ...launch, args });
    expect([...(buffers["o"] as Float32Array)]).toEqual([expected]);
  });

  test.each(["msl", "glsl", "opencl"] as const)("as %s", async (to) => {
    const { code } = await translate(source, { from: "hlsl", to, enable16bitTypes });
    const args = { s: bytes(), o: new Float32Array(1) };
    const { buffers } = await simulate(code!, { from: to, ...launch, args });
    expect([...(buffers["o"] as Float32Array)], code).toEqual([expected]);
  });

  judgeTest(judges.hlsl, "DXC takes the text in HLSL", async () => {
    const { code } = await translate(source, { from: "hlsl", to: "hlsl", enable16bitTypes });
    const made = judgeable("hlsl", "types of 16 bits", code!);
    if (made.dialect !== "hlsl") throw new Error("another dialect");
    const output = { ...made, options: { ...made.options, native16Bit: enable16bitTypes } };
    expect(refusals(await judgeOutputs([output]))).toBe("");
  });
});

test("an option that is no truth value is refused", async () => {
  await expect(
    translate(source, { from: "hlsl", to: "msl", enable16bitTypes: "yes" as unknown as boolean }),
  ).rejects.toThrow("'enable16bitTypes' is true or false");
});
