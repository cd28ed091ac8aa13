/** What is written through is no pointer to const; clang refuses these too. */
import { expect, test } from "vitest";
import { translate } from "../../src/index.js";

const opencl = {
  "atomic_add(&c[0], 1)": "atomic_add writes through argument 1, a pointer to const",
  "atomic_inc(c)": "atomic_inc writes through argument 1, a pointer to const",
  "(int)modf(1.5f, f)": "modf writes through argument 2, a pointer to const",
  "(vstore2((float2)(1.0f), 0, f), 1)": "vstore2 writes through argument 3, a pointer to const",
};

test.each(Object.entries(opencl))("OpenCL C: %s", async (call, message) => {
  const source = `kernel void k(global const int *c, global const float *f, global int *o) { o[get_global_id(0)] = ${call}; }`;
  const { diagnostics } = await translate(source, { from: "opencl", to: "opencl" });
  expect(diagnostics.map((d) => d.message)).toEqual([message]);
});

test("MSL: an atomic load takes a pointer to const, other atomic functions do not", async () => {
  const source = (call: string): string =>
    `kernel void k(device const metal::atomic_int *c [[buffer(0)]], device int *o [[buffer(1)]], uint i [[thread_position_in_grid]]) { o[i] = metal::${call}; }`;
  const load = await translate(source("atomic_load_explicit(c, metal::memory_order_relaxed)"), {
    from: "msl",
    to: "msl",
  });
  expect(load.diagnostics).toEqual([]);
  const add = await translate(source("atomic_fetch_add_explicit(c, 1, metal::memory_order_relaxed)"), {
    from: "msl",
    to: "msl",
  });
  expect(add.diagnostics.map((d) => d.message)).toEqual([
    "atomic_fetch_add_explicit writes through argument 1, a pointer to const",
  ]);
});

test("an atomic load of read-only memory is carried out on memory that may be written", async () => {
  const source = `using namespace metal;
uint f(device const atomic_uint *p) { return atomic_load_explicit(p + 1, memory_order_relaxed); }
kernel void k(device const atomic_uint *c [[buffer(0)]], device uint *o [[buffer(1)]], uint i [[thread_position_in_grid]]) { o[i] = f(c); }`;
  const inGlsl = await translate(source, { from: "msl", to: "glsl", workgroupSize: [64] });
  expect(inGlsl.code).not.toContain("readonly");
  const inOpencl = await translate(source, { from: "msl", to: "opencl" });
  expect(inOpencl.code).toContain("uint f(__global uint *p)");
  expect(inOpencl.code).not.toContain("const");
});
