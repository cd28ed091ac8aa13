/** Lists that are longer than a call can have arguments (some 120,000): nothing hands them over as such. */
import { expect, test } from "vitest";
import { simulate, translate } from "../src/index.js";

const count = 150_000;
const numbered = (line: (i: number) => string): string => Array.from({ length: count }, (_, i) => line(i)).join("\n");

test("an enumeration of 150,000 names", async () => {
  const source = `enum E {\n${numbered((i) => `e${i},`)}\n};\nkernel void k(global int *o) { o[0] = e${count - 1}; }`;
  const { code, diagnostics } = await translate(source, { from: "opencl", to: "hlsl", workgroupSize: [1, 1, 1] });
  expect(diagnostics).toEqual([]);
  expect(code).toContain(`e${count - 1}`);
  expect(code!.split("\n").length).toBeGreaterThan(count);
});

test("150,000 comments before a resource", async () => {
  const source = `#version 450\nlayout(local_size_x = 1) in;\n${numbered(() => "// c")}\nlayout(std430, binding = 0) buffer B { int b[]; };\nvoid main() { b[0] = 1; }`;
  const { code, diagnostics } = await translate(source, { from: "glsl", to: "msl" });
  expect(diagnostics).toEqual([]);
  expect(code!.split("// c").length).toBe(count + 1);
});

test.each(["msl", "opencl", "hlsl", "glsl"] as const)(
  "constant arrays of 6,000 numbers run, by way of %s",
  async (to) => {
    const rows = Array.from(
      { length: 100 },
      (_, i) => `uint[](${Array.from({ length: 60 }, (_, j) => 60 * i + j).join()})`,
    );
    const flat = Array.from({ length: 6000 }, (_, i) => 3 * i).join();
    const source = `#version 450
layout(local_size_x = 4) in;
layout(std430, binding = 0) buffer B { uint dst[]; };
const uint flat_[6000] = uint[](${flat});
const uint rows[100][60] = uint[][](${rows.join()});
void main() { uint i = gl_GlobalInvocationID.x; dst[i] = flat_[i * 1999u] * 10000u + rows[i * 33u][i + 56u]; }`;
    const { code, diagnostics } = await translate(source, { from: "glsl", to });
    expect(diagnostics).toEqual([]);
    const { buffers, findings } = await simulate(code!, {
      from: to,
      workgroups: [1],
      workgroupSize: [4],
      args: { dst: new Uint32Array(4) },
    });
    expect(findings).toEqual([]);
    const expected = [0, 1, 2, 3].map((i) => 3 * i * 1999 * 10000 + 60 * 33 * i + i + 56);
    expect([...(buffers["dst"] as Uint32Array)]).toEqual(expected);
  },
);
