/** Lists that are longer than a call can have arguments (some 120,000): nothing hands them over as such. */
import { expect, test } from "vitest";
import { translate } from "../src/index.js";

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
