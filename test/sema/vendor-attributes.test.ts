/** Attributes of vendors on kernels (clang-19 ignores those it does not know, with a warning). */
import { expect, test } from "vitest";
import { translate } from "../../src/index.js";

const kernel = (attributes: string): string =>
  `__attribute__((${attributes})) __kernel void k(__global int *x) { x[get_global_id(0)] = 1; }`;

test("they are kept in their own language, with a warning", async () => {
  const source = kernel(`qcom_wave_pair_mode(1), qcom_reqd_sub_group_size("half")`);
  const own = await translate(source, { from: "opencl", to: "opencl" });
  expect(own.code).toContain("qcom_wave_pair_mode(1)");
  const { code, diagnostics } = await translate(source, { from: "opencl", to: "msl" });
  expect(code).not.toContain("qcom");
  expect(diagnostics.map((d) => `${d.severity} ${d.code} ${d.message}`)).toEqual([
    "warning XL2010 attribute 'qcom_wave_pair_mode' is kept in OpenCL C alone",
    "warning XL2010 attribute 'qcom_reqd_sub_group_size' is kept in OpenCL C alone",
  ]);
});

test("where the text is laid out anew, too", async () => {
  const { code } = await translate(`#define N 3\n${kernel("qcom_wave_pair_mode(N)")}`, {
    from: "opencl",
    to: "opencl",
  });
  expect(code).toMatch(/qcom_wave_pair_mode\((3|N)\)/);
});

test("those that mean something, and are not translated, are refused", async () => {
  const { diagnostics } = await translate(kernel("address_space(2)"), { from: "opencl", to: "msl" });
  expect(diagnostics.map((d) => d.message)).toEqual(["attribute 'address_space' of a function is not supported yet"]);
});

test("those in brackets on functions of MSL that Metal does not have are noted, those that it has and that are not read refused", async () => {
  // As clang says of them: unknown attribute ignored.
  const source = (attribute: string): string =>
    `[[${attribute}, gnu::noinline]] int f(int v) { return v + 1; } [[other]] kernel void k(device int *x [[buffer(0)]]) { x[0] = f(2); }`;
  const { code, diagnostics } = await translate(source("simd_group_size(32)"), { from: "msl", to: "opencl" });
  expect(code).toContain("f(2)");
  expect(diagnostics.map((d) => `${d.severity} ${d.message}`).sort()).toEqual([
    "warning attribute 'other' is kept in MSL alone",
    "warning attribute 'simd_group_size' is kept in MSL alone",
  ]);
  const refused = await translate(source("visible"), { from: "msl", to: "opencl" });
  expect(refused.code).toBeUndefined();
});

test("those in brackets on arguments of MSL's kernels, too", async () => {
  const source = (attribute: string): string =>
    `kernel void k(device int *x [[buffer(0), ${attribute}]], uint i [[thread_position_in_grid]]) { x[i] = 2; }`;
  const { code, diagnostics } = await translate(source("access(write)"), { from: "msl", to: "opencl" });
  expect(code).toContain("kernel void k(__global int *x)");
  expect(diagnostics.map((d) => `${d.severity} ${d.message}`)).toEqual([
    "warning attribute 'access' is kept in MSL alone",
  ]);
  const misspelled = await translate(source("function_constnt(n)"), { from: "msl", to: "opencl" });
  expect(misspelled.diagnostics.map((d) => `${d.severity} ${d.message}`)).toEqual([
    "error attribute 'function_constnt' of a kernel parameter is not supported yet",
  ]);
  const refused = await translate(source("raster_order_group(0)"), { from: "msl", to: "opencl" });
  expect(refused.diagnostics.map((d) => d.message)).toEqual([
    "attribute 'raster_order_group' of a kernel parameter is not supported yet",
  ]);
});

test("on anything else, too", async () => {
  const source = `struct __attribute__((vendor_type)) S { int a __attribute__((vendor_member)); };
__attribute__((vendor_function(1), always_inline)) int f(int x __attribute__((vendor_parameter)));
int f(int x) { return x + 1; }
__kernel void k(__global int *x __attribute__((vendor_argument))) {
  struct S s __attribute__((vendor_variable));
  s.a = 1;
  if (s.a) __attribute__((vendor_statement)) { x[0] = f(s.a); }
}`;
  const { code, diagnostics } = await translate(source, { from: "opencl", to: "glsl", workgroupSize: [1, 1, 1] });
  expect(code).not.toContain("vendor");
  const names = ["type", "member", "function", "parameter", "argument", "variable", "statement"];
  expect(diagnostics.map((d) => `${d.severity} ${d.message}`).sort()).toEqual(
    names.map((n) => `warning attribute 'vendor_${n}' is kept in OpenCL C alone`).sort(),
  );
});

// opencl-c-base.h of clang-19 has both.
test.each(["kernel_exec", "__kernel_exec"])("%s(...) begins a kernel", async (word) => {
  const source = `${word}(4, int2) void k(global int2 *x) { x[get_global_id(0)] = (int2)(5, 6); }`;
  const { code, diagnostics } = await translate(source, { from: "opencl", to: "msl" });
  expect(diagnostics.filter((d) => d.severity !== "warning")).toEqual([]);
  expect(code).toContain("kernel void k(device int2 *x [[buffer(0)]]");
});

test("on what lies in constant memory, references and tables of addresses, too", async () => {
  const of = async (attribute: string, declared: string): Promise<string[]> => {
    const source = `${declared.replaceAll("ATTRIBUTE", `__attribute__((${attribute}))`)}`;
    const { diagnostics } = await translate(source, { from: "opencl", to: "msl" });
    return diagnostics.map((d) => `${d.severity} ${d.message}`);
  };
  const shapes = [
    "kernel void k(global int *o) { constant int t[2] ATTRIBUTE = {1, 2}; o[0] = t[o[1] & 1]; }",
    "constant int a = 1, b = 2; constant int *constant p[2] ATTRIBUTE = {&a, &b}; kernel void k(global int *o) { o[0] = *p[1]; }",
  ];
  for (const shape of shapes) {
    expect(await of("vendor_variable", shape)).toEqual([
      "warning attribute 'vendor_variable' is kept in OpenCL C alone",
    ]);
    // A byte, by clang.
    expect(await of("mode(QI)", shape)).toContain("error attribute 'mode' of a variable is not supported yet");
  }
});
