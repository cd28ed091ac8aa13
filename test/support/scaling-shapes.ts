/**
 * Sources that grow in one direction: each shape is a text of size n, so that the work of reading, translating and
 * running it can be compared at n, 2n and 4n.
 */
import type { TwoWayDialect } from "../../src/dialects/ids.js";

export interface ScalingShape {
  readonly name: string;
  readonly from: TwoWayDialect;
  /** Size for counted work. */
  readonly small: number;
  /** Size for time and memory. */
  readonly large: number;
  /** The size is a depth, which has a limit of its own: lines and types are as long as they are deep. */
  readonly nested: boolean;
  readonly text: (n: number) => string;
  readonly include?: (n: number) => Readonly<Record<string, string>>;
}

const times = (n: number, f: (i: number) => string, separator = "\n"): string =>
  Array.from({ length: n }, (_, i) => f(i)).join(separator);

const cl = (body: string, before = ""): string =>
  `${before}\n__kernel void k(__global uint *x) {\nuint i = get_global_id(0);\n${body}\n}\n`;
const glsl = (body: string, before = ""): string =>
  `#version 450\n#extension GL_KHR_shader_subgroup_arithmetic : require\nlayout(local_size_x = 64) in;\nlayout(set = 0, binding = 0) buffer X { uint x[]; };\n${before}\nvoid main() {\nuint i = gl_GlobalInvocationID.x;\n${body}\n}\n`;
const msl = (body: string, before = ""): string =>
  `#include <metal_stdlib>\nusing namespace metal;\n${before}\nkernel void k(device uint *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {\n${body}\n}\n`;
const hlsl = (body: string, before = ""): string =>
  `RWStructuredBuffer<uint> x : register(u0);\n${before}\n[numthreads(64, 1, 1)]\nvoid k(uint3 gid : SV_DispatchThreadID) {\nuint i = gid.x;\n${body}\n}\n`;

const shape = (
  name: string,
  from: TwoWayDialect,
  small: number,
  large: number,
  text: (n: number) => string,
  include?: ScalingShape["include"],
): ScalingShape => ({
  name,
  from,
  small,
  large,
  nested: /nest|structs in structs|chain of functions|parentheses|swizzles|both sides|by pointer|twice/.test(name),
  text,
  ...(include ? { include } : {}),
});

export const scalingShapes: readonly ScalingShape[] = [
  // Statements and blocks.
  shape("statements", "opencl", 100, 5000, (n) => cl(times(n, (i) => `x[i + ${i}] += ${i};`))),
  shape("statements", "glsl", 100, 5000, (n) => glsl(times(n, (i) => `x[i + ${i}] += ${i};`))),
  shape("statements", "msl", 100, 5000, (n) => msl(times(n, (i) => `x[i + ${i}] += ${i};`))),
  shape("statements", "hlsl", 100, 5000, (n) => hlsl(times(n, (i) => `x[i + ${i}] += ${i};`))),
  shape("variables", "opencl", 100, 5000, (n) =>
    cl(`${times(n, (i) => `uint v${i} = x[i + ${i}];`)}\n${times(n, (i) => `x[i] += v${i};`)}`),
  ),
  shape("variables", "glsl", 100, 5000, (n) =>
    glsl(`${times(n, (i) => `uint v${i} = x[i + ${i}];`)}\n${times(n, (i) => `x[i] += v${i};`)}`),
  ),
  shape("dependent variables", "opencl", 100, 5000, (n) =>
    cl(`uint v0 = x[i];\n${times(n, (i) => `uint v${i + 1} = v${i} * 3 + 1;`)}\nx[i] = v${n};`),
  ),
  shape("constant variables", "msl", 100, 3000, (n) =>
    msl(`const uint v0 = 1;\n${times(n, (i) => `const uint v${i + 1} = v${i} + v${i};`)}\nx[i] = v${n};`),
  ),
  shape("global constants", "msl", 100, 3000, (n) =>
    msl(`x[i] = v${n};`, `constant uint v0 = 1;\n${times(n, (i) => `constant uint v${i + 1} = v${i} + v${i};`)}`),
  ),
  shape("global constants", "glsl", 100, 3000, (n) =>
    glsl(`x[i] = v${n};`, `const uint v0 = 1;\n${times(n, (i) => `const uint v${i + 1} = v${i} + v${i};`)}`),
  ),
  shape("conditional constants", "glsl", 20, 60, (n) =>
    glsl(
      `x[i] = v${n};`,
      `const uint v0 = 1;\n${times(n, (i) => `const uint v${i + 1} = v${i} > 3 ? v${i} : v${i} + 1;`)}`,
    ),
  ),
  shape("global variables", "hlsl", 100, 2000, (n) =>
    hlsl(
      times(n, (i) => `v${i} += x[${i}]; x[i] = v${i};`),
      times(n, (i) => `static uint v${i} = ${i};`),
    ),
  ),
  shape("workgroup arrays", "opencl", 50, 500, (n) =>
    cl(times(n, (i) => `__local uint l${i}[4]; l${i}[i & 3] = i; barrier(CLK_LOCAL_MEM_FENCE); x[i] = l${i}[0];`)),
  ),
  shape("chain of sizes that is compared", "opencl", 50, 1500, (n) =>
    cl(`size_t v0 = i;\n${times(n, (i) => `size_t v${i + 1} = v${i} * 3;`)}\nif (v${n} < 5) x[i] = 1;`),
  ),
  shape("chain of sizes that counts elements", "opencl", 50, 1500, (n) =>
    cl(`size_t v0 = i;\n${times(n, (i) => `size_t v${i + 1} = v${i} * 3;`)}\nx[v${n}] = 1;`),
  ),
  shape("copies of one pointer", "opencl", 50, 1500, (n) =>
    cl(`__global uint *p = x + i;\n${times(n, (i) => `__global uint *q${i}; q${i} = p; *q${i} += ${i};`)}`),
  ),
  shape("loops after loops", "opencl", 50, 1500, (n) =>
    cl(times(n, (i) => `for (uint a = 0; a < 4; a++) x[i] += a + ${i};`)),
  ),
  shape("loops after loops", "glsl", 50, 1500, (n) =>
    glsl(times(n, (i) => `for (uint a = 0; a < 4; a++) x[i] += a + ${i};`)),
  ),
  shape("loops over a variable", "opencl", 50, 1500, (n) =>
    cl(`uint s = 0, t = 1;\n${times(n, (i) => `for (uint a = 0; a < t; a++) s += a + ${i};`)}\nx[i] = s;`),
  ),
  shape("nested loops", "opencl", 12, 48, (n) =>
    cl(`uint s = 0; ${times(n, (i) => `for (uint i${i} = 0; i${i} < 2; i${i}++)`, " ")} s++; x[0] = s;`),
  ),
  shape("nested loops", "glsl", 12, 48, (n) =>
    glsl(`uint s = 0; ${times(n, (i) => `for (uint i${i} = 0; i${i} < 2; i${i}++)`, " ")} s++; x[0] = s;`),
  ),
  shape("nested loops with sums", "msl", 12, 48, (n) =>
    msl(
      `uint s = 0; ${times(n, (i) => `for (uint i${i} = 0; i${i} < s + 2; i${i}++) { s += i${i};`, " ")} x[s]++; ${"}".repeat(n)}`,
    ),
  ),
  shape("nested while", "hlsl", 12, 48, (n) =>
    hlsl(`uint s = 0; ${times(n, () => `while (s < x[s]) { s++;`, " ")} x[s]++; ${"}".repeat(n)}`),
  ),
  shape("nested do", "glsl", 12, 48, (n) =>
    glsl(`uint s = 0; ${times(n, () => `do { s++;`, " ")} x[s]++; ${"} while (s < x[i]);".repeat(n)}`),
  ),
  shape("nested loops with barriers", "opencl", 8, 30, (n) =>
    cl(
      `uint s = 0; ${times(n, (i) => `for (uint i${i} = 0; i${i} < 2; i${i}++) {`, " ")} s++; barrier(CLK_GLOBAL_MEM_FENCE); ${"}".repeat(n)} x[0] = s;`,
    ),
  ),
  shape("nested loops with subgroups", "glsl", 8, 30, (n) =>
    glsl(
      `uint s = 0; ${times(n, (i) => `for (uint i${i} = 0; i${i} < x[i]; i${i}++) {`, " ")} s += subgroupAdd(s); ${"}".repeat(n)} x[0] = s;`,
    ),
  ),
  shape("nested loops with breaks", "opencl", 12, 48, (n) =>
    cl(
      `uint s = 0; ${times(n, (i) => `for (uint i${i} = 0; i${i} < 2; i${i}++) { if (s > x[i]) break; if (s < x[i + 1]) continue;`, " ")} s++; ${"}".repeat(n)} x[0] = s;`,
    ),
  ),
  shape("nested ifs", "opencl", 16, 64, (n) =>
    cl(`${times(n, (i) => `if (x[i] > ${i}) {`, " ")} x[i]++; ${"}".repeat(n)}`),
  ),
  shape("nested ifs with else", "glsl", 16, 64, (n) =>
    glsl(`${times(n, (i) => `if (x[i] > ${i}) {`, " ")} x[i]++; ${times(n, (i) => `} else { x[i] = ${i}; }`, " ")}`),
  ),
  shape("nested ifs with subgroups", "glsl", 16, 64, (n) =>
    glsl(
      `${times(n, (i) => `if (x[i] > ${i}) {`, " ")} x[i] = subgroupAdd(x[i]); ${times(n, (i) => `} else { x[i] = subgroupAdd(${i}u); }`, " ")}`,
    ),
  ),
  shape("nested switches", "opencl", 8, 48, (n) =>
    cl(
      `${times(n, (i) => `switch (x[i + ${i}]) { case 1: x[i] = ${i}; case 2:`, " ")} x[i]++; ${"break; default: x[i]--; }".repeat(n)}`,
    ),
  ),
  shape("nested switches", "hlsl", 8, 48, (n) =>
    hlsl(
      `${times(n, (i) => `switch (x[i + ${i}]) { case 1: x[i] = ${i}; break; case 2:`, " ")} x[i]++; ${"break; default: x[i]--; break; }".repeat(n)}`,
    ),
  ),
  shape("nested blocks", "msl", 30, 120, (n) =>
    msl(
      `${times(n, (i) => `{ uint v${i} = ${i === 0 ? "i" : `v${i - 1} + 1`};`, " ")} x[i] = v${n - 1}; ${"}".repeat(n)}`,
    ),
  ),
  shape("else-if chain", "opencl", 50, 3000, (n) =>
    cl(`${times(n, (i) => `if (x[i] == ${i}) x[i] = ${i + 7};`, "\nelse ")}`),
  ),
  shape("else-if chain", "glsl", 50, 3000, (n) =>
    glsl(`${times(n, (i) => `if (x[i] == ${i}) x[i] = ${i + 7};`, "\nelse ")}`),
  ),
  shape("else-if chain with subgroups", "glsl", 25, 400, (n) =>
    glsl(`${times(n, (i) => `if (x[i] == ${i}) x[i] = subgroupAdd(i);`, "\nelse ")}`),
  ),
  shape("switch cases", "opencl", 50, 5000, (n) =>
    cl(`switch (x[i]) {\n${times(n, (i) => `case ${i}: x[i] = ${i * 7}; break;`)}\n}`),
  ),
  shape("switch cases", "hlsl", 50, 5000, (n) =>
    hlsl(`switch (x[i]) {\n${times(n, (i) => `case ${i}: x[i] = ${i * 7}; break;`)}\n}`),
  ),
  shape("cases that fall through", "opencl", 50, 1000, (n) =>
    cl(`switch (x[i]) {\n${times(n, (i) => `case ${i}: x[i] = ${i * 7};`)}\n}`),
  ),
  shape("labels of one case", "opencl", 50, 5000, (n) =>
    cl(`switch (x[i]) {\n${times(n, (i) => `case ${i}:`)}\nx[i] = 1; break; }`),
  ),
  shape("declarations in cases", "glsl", 50, 1000, (n) =>
    glsl(`switch (x[i]) {\n${times(n, (i) => `case ${i}: uint v${i} = x[${i}]; x[i] = v${i} * 7; break;`)}\n}`),
  ),
  shape("returns", "opencl", 25, 800, (n) => cl(times(n, (i) => `if (x[i] == ${i}) return; x[i]++;`))),
  shape("returns with subgroups", "glsl", 25, 400, (n) =>
    glsl(times(n, (i) => `if (x[i] == ${i}) return; x[i] = subgroupAdd(i);`)),
  ),
  shape("breaks of one loop", "opencl", 25, 800, (n) =>
    cl(
      `for (uint a = 0; a < 10; a++) {\n${times(n, (i) => `if (x[i] == ${i}) break; if (x[a] == ${i}) continue; x[i]++;`)}\n}`,
    ),
  ),
  shape("barriers", "opencl", 50, 2000, (n) => cl(times(n, (i) => `x[i] += ${i}; barrier(CLK_GLOBAL_MEM_FENCE);`))),
  shape("variables across barriers", "opencl", 50, 1000, (n) =>
    cl(
      times(n, (i) => `uint v${i} = x[i] + ${i === 0 ? "0" : `v${i - 1}`}; barrier(CLK_GLOBAL_MEM_FENCE);`) +
        `\nx[i] = v${n - 1};`,
    ),
  ),
  shape("subgroup operations", "glsl", 50, 2000, (n) => glsl(times(n, (i) => `x[i] += subgroupAdd(i + ${i});`))),
  shape("subgroup operations", "hlsl", 50, 2000, (n) => hlsl(times(n, (i) => `x[i] += WaveActiveSum(i + ${i});`))),
  shape("atomics", "opencl", 50, 2000, (n) => cl(times(n, (i) => `atomic_add(x + ${i}, i);`))),
  shape("sequenced effects", "glsl", 50, 1500, (n) =>
    glsl(
      times(n, (i) => `x[i] = next(i) + next(x[i + ${i}]);`),
      "uint s = 0; uint next(uint a) { s += a; return s; }",
    ),
  ),
  shape("one expression of effects", "glsl", 25, 200, (n) =>
    glsl(`x[i] = ${times(n, (i) => `next(${i}u)`, " + ")};`, "uint s = 0; uint next(uint a) { s += a; return s; }"),
  ),
  shape("64-bit arithmetic", "opencl", 50, 1500, (n) =>
    cl(times(n, (i) => `x[i] += (uint)((ulong)x[${i}] * x[i] >> 32);`)),
  ),
  shape("small integers", "opencl", 50, 1500, (n) =>
    cl(times(n, (i) => `{ uchar c = x[i] + ${i}; c *= 3; x[i] = c; }`)),
  ),
  shape("half vectors", "msl", 50, 1000, (n) =>
    msl(times(n, (i) => `{ half4 h = half4(x[i]) * half(${i}); x[i] = uint(h.x + h.y); }`)),
  ),
  shape("division", "hlsl", 50, 1500, (n) => hlsl(times(n, (i) => `x[i] = x[i] / (x[${i}] + 1) + x[i] % 7;`))),
  shape("float functions", "opencl", 50, 1000, (n) =>
    cl(times(n, (i) => `x[i] = (uint)(sqrt((float)x[${i}]) + fmod((float)i, 3.0f) + pow(2.0f, (float)i));`)),
  ),

  // What passes add to many statements: temporaries of one name, blocks and pointers among many variables.
  shape("blocks among variables", "hlsl", 50, 1500, (n) =>
    hlsl(
      `${times(n, (i) => `uint v${i} = x[${i}];`)}\n${times(n, (i) => `if (i > ${i}) { uint t = v${i}; x[t] = t; }`)}`,
    ),
  ),
  shape("small elements of a buffer", "opencl", 50, 1500, (n) =>
    cl(
      times(n, (i) => `f(c + ${i});`),
      "void f(__global uchar *p) { p[0] += 1; }",
    ).replace("uint *x", "uint *x, __global uchar *c"),
  ),
  shape("steps inside subscripts", "opencl", 50, 1500, (n) =>
    cl(`uint s = 0;\n${times(n, () => `x[s++] = s; x[i] = ++s;`)}`),
  ),
  shape("written parameters", "glsl", 50, 1500, (n) =>
    glsl(`uint a = i;\n${times(n, (i) => `f(a, x[${i}]);`)}`, "void f(inout uint a, out uint b) { a += 1; b = a; }"),
  ),
  shape("copies of a struct", "opencl", 50, 1500, (n) =>
    cl(
      `struct S a, b; a.v = i;\n${times(n, (i) => `b = a; a.v = b.v + ${i};`)}\nx[i] = a.v;`,
      "struct S { uint v; uint w[4]; };",
    ),
  ),
  shape("subgroups between barriers", "glsl", 50, 800, (n) =>
    glsl(
      `${times(n, (i) => `uint v${i} = subgroupAdd(x[i + ${i}]); barrier();`)}\n${times(n, (i) => `x[i] += v${i};`)}`,
    ),
  ),
  shape("pointer variables", "opencl", 50, 1500, (n) =>
    cl(`${times(n, (i) => `__global uint *p${i} = x + ${i};`)}\n${times(n, (i) => `p${i}[i] = 1;`)}`),
  ),
  shape("pointers that step", "opencl", 50, 1000, (n) =>
    cl(times(n, () => `for (__global uint *p = x; p < x + i; p++) *p = 1;`)),
  ),
  shape("pointers into one of two", "opencl", 25, 400, (n) =>
    cl(times(n, (i) => `{ __global uint *p = i > ${i} ? x : y; p[i] = 1; }`)).replace(
      "uint *x",
      "uint *x, __global uint *y",
    ),
  ),
  shape("references", "msl", 50, 1500, (n) => msl(times(n, (i) => `device uint &r${i} = x[${i}]; r${i} += 1;`))),
  shape("calls in a list", "opencl", 50, 1500, (n) =>
    cl(`uint t[${n}] = {${times(n, (i) => `f(${i})`, ", ")}}; x[i] = t[i];`, "uint f(uint a) { return a + 1; }"),
  ),
  shape("namespaces", "msl", 50, 800, (n) =>
    msl(
      times(n, (i) => `x[i] += n${i}::f(i);`),
      times(n, (i) => `namespace n${i} { static uint f(uint a) { return a; } }`),
    ),
  ),

  // Expressions.
  shape("sum of terms", "opencl", 100, 5000, (n) => cl(`x[i] = ${times(n, (i) => `x[${i}]`, " + ")};`)),
  shape("sum of terms", "glsl", 100, 5000, (n) => glsl(`x[i] = ${times(n, (i) => `x[${i}]`, " + ")};`)),
  shape("sum of constants", "hlsl", 100, 5000, (n) => hlsl(`x[i] = ${times(n, (i) => `${i}u`, " + ")};`)),
  shape("logical and", "opencl", 100, 3000, (n) => cl(`if (${times(n, (i) => `x[${i}] > ${i}`, " && ")}) x[i] = 1;`)),
  shape("logical or with effects", "glsl", 25, 200, (n) =>
    glsl(
      `if (${times(n, (i) => `next(${i}u) > ${i}u`, " || ")}) x[i] = 1;`,
      "uint s = 0; uint next(uint a) { s += a; return s; }",
    ),
  ),
  shape("logical and with subgroups", "glsl", 25, 150, (n) =>
    glsl(`if (${times(n, (i) => `subgroupAdd(x[${i}]) > ${i}u`, " && ")}) x[i] = 1;`),
  ),
  shape("commas", "opencl", 100, 2000, (n) => cl(`${times(n, (i) => `x[${i}] = ${i}`, ", ")};`)),
  shape("nested parentheses", "opencl", 30, 120, (n) =>
    cl(`x[i] = ${"(".repeat(n)}i${times(n, (i) => ` + x[${i}])`, "")};`),
  ),
  shape("nested conditional operators", "opencl", 30, 120, (n) =>
    cl(`x[i] = ${times(n, (i) => `x[${i}] > ${i} ? ${i} : `, "")} 0;`),
  ),
  shape("nested conditional operators with effects", "glsl", 15, 60, (n) =>
    glsl(
      `x[i] = ${times(n, (i) => `next(${i}u) > ${i}u ? ${i}u : `, "")} 0u;`,
      "uint s = 0; uint next(uint a) { s += a; return s; }",
    ),
  ),
  shape("conditional operators on both sides", "opencl", 15, 60, (n) =>
    cl(`x[i] = ${times(n, (i) => `(x[${i}] > ${i} ? x[1] : `, "")} 0 ${times(n, (i) => `+ x[${i}])`, "")};`),
  ),
  shape("nested calls", "opencl", 30, 120, (n) =>
    cl(`x[i] = ${times(n, (i) => `max(${i}u, `, "")} i${")".repeat(n)};`),
  ),
  shape("nested calls of a function", "msl", 30, 120, (n) =>
    msl(`x[i] = ${times(n, () => `f(`, "")} i${")".repeat(n)};`, "static uint f(uint a) { return a * 3 + 1; }"),
  ),
  shape("nested calls of overloads", "hlsl", 15, 60, (n) =>
    hlsl(
      `x[i] = ${times(n, () => `f(`, "")} i${")".repeat(n)};`,
      "uint f(uint a) { return a * 3 + 1; } int f(int a) { return a; } uint f(float a) { return uint(a); } uint2 f(uint2 a) { return a; }",
    ),
  ),
  shape("nested subscripts", "opencl", 30, 100, (n) => cl(`x[i] = ${"x[".repeat(n)}i${"]".repeat(n)};`)),
  shape("nested negation", "glsl", 30, 120, (n) => glsl(`int a = int(i); x[i] = uint(${"- ".repeat(n)}a);`)),
  shape("nested casts", "opencl", 30, 120, (n) =>
    cl(`x[i] = ${times(n, (i) => (i % 2 ? "(uint)" : "(float)"), "")}i;`),
  ),
  shape("swizzles of swizzles", "hlsl", 30, 120, (n) =>
    hlsl(`uint4 v = uint4(i, 1, 2, 3); x[i] = v${".wzyx".repeat(n)}.x;`),
  ),
  shape("nested assignments", "opencl", 30, 100, (n) => cl(`${times(n, (i) => `x[${i}] = `, "")}i;`)),
  shape("nested initialiser", "opencl", 20, 50, (n) =>
    cl(
      `struct S0 v = ${"{".repeat(n)}i${"}".repeat(n)}; x[i] = v.${times(n, () => "m", ".")};`,
      times(n, (i) => `struct S${n - 1 - i} { ${i === 0 ? "uint" : `struct S${n - i}`} m; };`),
    ),
  ),

  // Tables.
  shape("constant array", "opencl", 200, 20000, (n) =>
    cl(`x[i] = t[i];`, `__constant uint t[${n}] = {${times(n, (i) => `${i * 7}`, ",")}};`),
  ),
  shape("constant array", "glsl", 200, 20000, (n) =>
    glsl(`x[i] = t[i];`, `const uint t[${n}] = uint[](${times(n, (i) => `${i * 7}u`, ",")});`),
  ),
  shape("constant array", "msl", 200, 20000, (n) =>
    msl(`x[i] = t[i];`, `constant uint t[${n}] = {${times(n, (i) => `${i * 7}`, ",")}};`),
  ),
  shape("constant array", "hlsl", 200, 20000, (n) =>
    hlsl(`x[i] = t[i];`, `static const uint t[${n}] = {${times(n, (i) => `${i * 7}`, ",")}};`),
  ),
  shape("private array", "opencl", 200, 10000, (n) =>
    cl(`uint t[${n}] = {${times(n, (i) => `${i} + i`, ",")}}; x[i] = t[i];`),
  ),
  shape("two-dimensional array", "glsl", 50, 3000, (n) =>
    glsl(`x[i] = t[i][1];`, `const uint t[${n}][4] = uint[][](${times(n, (i) => `uint[](${i}u, 1u, 2u, 3u)`, ",")});`),
  ),
  shape("array of structs", "msl", 50, 3000, (n) =>
    msl(`x[i] = t[i].b;`, `struct S { uint a, b; };\nconstant S t[${n}] = {${times(n, (i) => `{${i}, 2}`, ",")}};`),
  ),

  // Declarations.
  shape("functions", "opencl", 100, 5000, (n) =>
    cl(
      `x[i] = ${n === 0 ? "0" : `f${n - 1}(i)`};`,
      times(n, (i) => `uint f${i}(uint a) { return a + ${i}; }`),
    ),
  ),
  shape("functions that are called", "glsl", 50, 2000, (n) =>
    glsl(
      times(n, (i) => `x[i] += f${i}(i);`),
      times(n, (i) => `uint f${i}(uint a) { return a + ${i}; }`),
    ),
  ),
  shape("functions by pointer", "opencl", 50, 6000, (n) =>
    cl(
      times(n, (i) => `f${i}(x, i);`),
      times(n, (i) => `void f${i}(__global uint *p, uint a) { p[a] = ${i}; }`),
    ),
  ),
  shape("functions that name a buffer", "glsl", 50, 6000, (n) =>
    glsl(
      times(n, (i) => `f${i}(i);`),
      times(n, (i) => `void f${i}(uint a) { x[a] = ${i}; }`),
    ),
  ),
  shape("chain of functions", "opencl", 50, 240, (n) =>
    cl(
      `x[i] = f${n}(i);`,
      `uint f0(uint a) { return a; }\n${times(n, (i) => `uint f${i + 1}(uint a) { return f${i}(a) + 1; }`)}`,
    ),
  ),
  shape("chain of functions", "hlsl", 50, 240, (n) =>
    hlsl(
      `x[i] = f${n}(i);`,
      `uint f0(uint a) { return a; }\n${times(n, (i) => `uint f${i + 1}(uint a) { return f${i}(a) + 1; }`)}`,
    ),
  ),
  shape("functions that call the one before twice", "opencl", 10, 40, (n) =>
    cl(
      `x[i] = f${n}(i);`,
      `uint f0(uint a) { return a; }\n${times(n, (i) => `uint f${i + 1}(uint a) { return f${i}(a) + f${i}(a + 1); }`)}`,
    ),
  ),
  shape("functions that call the one before twice", "hlsl", 10, 40, (n) =>
    hlsl(
      `x[i] = f${n}(i);`,
      `uint f0(uint a) { return a; }\n${times(n, (i) => `uint f${i + 1}(uint a) { return f${i}(a) + f${i}(a + 1); }`)}`,
    ),
  ),
  shape("twice by pointer", "opencl", 10, 40, (n) =>
    cl(
      `uint a = i; f${n}(&a); x[i] = a;`,
      `void f0(uint *a) { *a += 1; }\n${times(n, (i) => `void f${i + 1}(uint *a) { f${i}(a); uint b = *a; f${i}(&b); *a = b; }`)}`,
    ),
  ),
  shape("twice with effects", "glsl", 10, 40, (n) =>
    glsl(
      `x[i] = f${n}(i);`,
      `uint s; uint f0(uint a) { s += a; return s; }\n${times(n, (i) => `uint f${i + 1}(uint a) { return f${i}(a) + f${i}(a + 1); }`)}`,
    ),
  ),
  shape("twice with resources", "msl", 10, 40, (n) =>
    msl(
      `f${n}(x, i);`,
      `static void f0(device uint *x, uint a) { x[a] += 1; }\n${times(n, (i) => `static void f${i + 1}(device uint *x, uint a) { f${i}(x, a); f${i}(x + 1, a); }`)}`,
    ),
  ),
  shape("overloads", "hlsl", 8, 32, (n) =>
    hlsl(
      times(n, (i) => `{ S${i} s = (S${i})0; x[i] += f(s); }`),
      times(n, (i) => `struct S${i} { uint a; }; uint f(S${i} s) { return s.a + ${i}; }`),
    ),
  ),
  shape("declared twice", "opencl", 100, 3000, (n) =>
    cl(
      times(n, (i) => `x[i] += f${i}(i);`),
      `${times(n, (i) => `uint f${i}(uint a);`)}\n${times(n, (i) => `uint f${i}(uint a) { return a + ${i}; }`)}`,
    ),
  ),
  shape(
    "parameters",
    "opencl",
    30,
    200,
    (n) =>
      `uint f(${times(n, (i) => `uint a${i}`, ", ")}) { return ${times(n, (i) => `a${i}`, " + ")}; }\n${cl(`x[i] = f(${times(n, () => "i", ", ")});`)}`,
  ),
  shape(
    "buffers",
    "opencl",
    30,
    400,
    (n) =>
      `__kernel void k(${times(n, (i) => `__global uint *b${i}`, ", ")}) { uint i = get_global_id(0);\n${times(n, (i) => `b${i}[i] = ${i};`)}\n}\n`,
  ),
  shape("buffers", "glsl", 30, 400, (n) =>
    glsl(
      times(n, (i) => `b${i}[i] = ${i};`),
      times(n, (i) => `layout(set = 0, binding = ${i + 1}) buffer B${i} { uint b${i}[]; };`),
    ),
  ),
  shape(
    "values by argument",
    "opencl",
    30,
    400,
    (n) =>
      `__kernel void k(__global uint *x, ${times(n, (i) => `uint v${i}`, ", ")}) { uint i = get_global_id(0);\n${times(n, (i) => `x[i] += v${i};`)}\n}\n`,
  ),
  shape(
    "one function and many buffers",
    "opencl",
    20,
    200,
    (n) =>
      `void f(__global uint *p, uint i) { p[i] += 1; }\n__kernel void k(${times(n, (i) => `__global uint *b${i}`, ", ")}) { uint i = get_global_id(0);\n${times(n, (i) => `f(b${i}, i);`)}\n}\n`,
  ),
  shape("kernels", "opencl", 20, 400, (n) =>
    times(n, (i) => `__kernel void k${i}(__global uint *x) { x[get_global_id(0)] = ${i}; }`),
  ),
  shape(
    "kernels",
    "msl",
    20,
    400,
    (n) =>
      `#include <metal_stdlib>\nusing namespace metal;\n${times(n, (i) => `kernel void k${i}(device uint *x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = ${i}; }`)}\n`,
  ),
  shape(
    "kernels",
    "hlsl",
    20,
    400,
    (n) =>
      `RWStructuredBuffer<uint> x;\n${times(n, (i) => `[numthreads(64, 1, 1)] void k${i}(uint i : SV_DispatchThreadID) { x[i] = ${i}; }`)}\n`,
  ),
  shape(
    "kernels that share functions",
    "opencl",
    20,
    200,
    (n) =>
      `${times(n, (i) => `uint f${i}(uint a) { return ${i === 0 ? "a" : `f${i - 1}(a)`} + 1; }`)}\n${times(n, (i) => `__kernel void k${i}(__global uint *x) { x[get_global_id(0)] = f${Math.min(i, 20)}(1); }`)}`,
  ),
  shape("structs", "opencl", 50, 2000, (n) =>
    cl(
      times(n, (i) => `{ struct S${i} s = {i, ${i}}; x[i] += s.b; }`),
      times(n, (i) => `struct S${i} { uint a, b; };`),
    ),
  ),
  shape("members", "opencl", 50, 3000, (n) =>
    cl(
      `struct S s; ${times(n, (i) => `s.m${i} = i;`)} x[i] = ${times(n, (i) => `s.m${i}`, " + ")};`,
      `struct S { ${times(n, (i) => `uint m${i};`)} };`,
    ),
  ),
  shape("members in a buffer", "glsl", 50, 3000, (n) =>
    glsl(
      `s.m${n - 1} = i; ${times(n, (i) => `s.m${i} += i;`)}`,
      `layout(set = 0, binding = 1) buffer S { ${times(n, (i) => `uint m${i};`)} } s;`,
    ),
  ),
  shape("members by value", "hlsl", 50, 2000, (n) =>
    hlsl(
      times(n, (i) => `x[i] += m${i};`),
      `cbuffer S { ${times(n, (i) => `uint m${i};`)} };`,
    ),
  ),
  shape(
    "members of a parameter",
    "msl",
    50,
    1000,
    (n) =>
      `#include <metal_stdlib>\nusing namespace metal;\nstruct S { ${times(n, (i) => `uint m${i};`)} };\nkernel void k(device uint *x [[buffer(0)]], constant S &s [[buffer(1)]], uint i [[thread_position_in_grid]]) {\n${times(n, (i) => `x[i] += s.m${i};`)}\n}\n`,
  ),
  shape("structs in structs", "opencl", 30, 200, (n) =>
    cl(
      `struct S${n} s; x[i] = sizeof(s);`,
      `struct S0 { uint a; };\n${times(n, (i) => `struct S${i + 1} { struct S${i} a; uint b; };`)}`,
    ),
  ),
  shape("structs that double", "opencl", 8, 20, (n) =>
    cl(
      `struct S${n} s; s.a${".a".repeat(n)} = i; x[i] = s.a${".a".repeat(n)};`,
      `struct S0 { uint a; };\n${times(n, (i) => `struct S${i + 1} { struct S${i} a, b; };`)}`,
    ),
  ),
  shape(
    "structs that double in a buffer",
    "opencl",
    8,
    20,
    (n) =>
      `struct S0 { uint a; };\n${times(n, (i) => `struct S${i + 1} { struct S${i} a, b; };`)}\n__kernel void k(__global struct S${n} *x) { x[get_global_id(0)].a${".a".repeat(n)} = 1; }\n`,
  ),
  shape("arrays of arrays", "opencl", 4, 20, (n) =>
    cl(`uint s${"[1]".repeat(n)}; s${"[0]".repeat(n)} = i; x[i] = s${"[0]".repeat(n)};`),
  ),
  shape("enumerators", "opencl", 100, 3000, (n) =>
    cl(`x[i] = E${n - 1};`, `enum E { ${times(n, (i) => `E${i}`, ", ")} };`),
  ),
  shape("typedefs", "opencl", 100, 3000, (n) =>
    cl(
      `T${n - 1} v = i; x[i] = v;`,
      times(n, (i) => `typedef ${i === 0 ? "uint" : `T${i - 1}`} T${i};`),
    ),
  ),
  shape("methods of a struct", "msl", 30, 2000, (n) =>
    msl(
      `S s; s.v = i;\n${times(n, (i) => `x[i] += s.f${i}(2);`)}`,
      `struct S { uint v;\n${times(n, (i) => `uint f${i}(uint a) const { return a + v + ${i}; }`)} };`,
    ),
  ),
  shape("template instances", "msl", 30, 400, (n) =>
    msl(
      times(n, (i) => `x[i] += f<${i}>(i);`),
      "template <uint N> static uint f(uint a) { return a * N; }",
    ),
  ),
  shape("template chain", "msl", 15, 60, (n) =>
    msl(
      `x[i] = f${n}<uint>(i);`,
      `template <typename T> static T f0(T a) { return a; }\n${times(n, (i) => `template <typename T> static T f${i + 1}(T a) { return f${i}<T>(a) + f${i}<T>(a); }`)}`,
    ),
  ),
  shape("specialisation constants", "msl", 30, 500, (n) =>
    msl(
      times(n, (i) => `x[i] += c${i};`),
      times(n, (i) => `constant uint c${i} [[function_constant(${i})]];`),
    ),
  ),

  // Preprocessor.
  shape("macros", "opencl", 100, 10000, (n) =>
    cl(
      times(n, (i) => `x[i] += M${i};`),
      times(n, (i) => `#define M${i} ${i}`),
    ),
  ),
  shape("long condition", "opencl", 100, 20000, (n) =>
    cl("x[i] = 1;", `#if ${times(n, (i) => `(defined(A${i}) && A${i} > ${i})`, " || ")}\n#error no\n#endif`),
  ),
  shape("arms of a conditional", "opencl", 100, 20000, (n) =>
    cl("x[i] = 1;", `#if 0\n${times(n, (i) => `#elif A${i} == 1`)}\n#endif`),
  ),
  shape("macros of macros", "opencl", 100, 2000, (n) =>
    cl(`x[i] = M${n};`, `#define M0 1\n${times(n, (i) => `#define M${i + 1} M${i}`)}`),
  ),
  shape("macro constants", "opencl", 50, 200, (n) =>
    cl(`x[i] = M${n};`, `#define M0 1\n${times(n, (i) => `#define M${i + 1} (M${i} + 1)`)}`),
  ),
  shape("macros nested in arguments", "opencl", 20, 80, (n) =>
    cl(`x[i] = ${"F(".repeat(n)}1${")".repeat(n)};`, "#define F(a) (a + 1)"),
  ),
  shape("long arguments", "opencl", 100, 5000, (n) =>
    cl(`x[i] = F(${times(n, (i) => `x[${i}]`, " + ")});`, "#define F(a) (a)"),
  ),
  shape("many arguments", "opencl", 50, 2000, (n) =>
    cl(
      `x[i] = F(${times(n, (i) => `${i}`, ", ")});`,
      `#define F(${times(n, (i) => `a${i}`, ", ")}) (${times(n, (i) => `a${i}`, " + ")})`,
    ),
  ),
  shape("uses of a macro", "glsl", 100, 5000, (n) =>
    glsl(
      times(n, (i) => `ADD(${i})`),
      "#define ADD(k) x[i] += k;",
    ),
  ),
  shape("condition terms", "opencl", 500, 50000, (n) =>
    cl("x[i] = 1;", `#if ${times(n, (i) => `defined(A${i})`, " || ")}\n#endif`),
  ),
  shape("condition sums", "glsl", 500, 50000, (n) =>
    glsl("x[i] = 1;", `#if ${times(n, (i) => `${i}`, " + ")} > 3\n#endif`),
  ),
  shape("condition choices", "msl", 100, 200, (n) =>
    msl("x[i] = 1;", `#if ${times(n, (i) => `${i} > 5 ? 1 : `, "")} 0\n#endif`),
  ),
  shape("conditionals", "opencl", 200, 20000, (n) =>
    cl(times(n, (i) => `#ifdef A${i}\nx[i] = ${i};\n#else\nx[i] += ${i};\n#endif`)),
  ),
  shape("elif chain", "opencl", 200, 20000, (n) =>
    cl(`#if A == 1\n${times(n, (i) => `#elif A == ${i + 2}\nx[i] = ${i};`)}\n#endif`),
  ),
  shape("nested conditionals", "opencl", 50, 200, (n) =>
    cl(`${times(n, () => `#if 1`)}\nx[i] = 1;\n${times(n, () => `#endif`)}`),
  ),
  shape("lines", "opencl", 500, 50000, (n) => cl(`x[i] = 1;${"\n".repeat(n)}x[i] = 2;`)),
  shape("comments", "opencl", 200, 10000, (n) =>
    cl(times(n, (i) => `// comment ${i}\nx[i] += ${i}; /* after ${i} */`)),
  ),
  shape("comments in one place", "msl", 200, 10000, (n) => msl(`${times(n, (i) => `// comment ${i}`)}\nx[i] = 1;`)),
  shape("continued lines", "opencl", 200, 20000, (n) =>
    cl(`#define M ${times(n, (i) => `${i} + \\\n`, "")} 0\nx[i] = M;`),
  ),
  shape("line directives", "opencl", 200, 10000, (n) => cl(times(n, (i) => `#line ${i + 1} "f${i}.h"\nx[i] += ${i};`))),
  shape(
    "includes",
    "opencl",
    50,
    2000,
    (n) =>
      cl(
        "x[i] = 1;",
        times(n, (i) => `#include "f${i}.h"`),
      ),
    (n) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`f${i}.h`, `uint f${i}(uint a) { return a; }\n`])),
  ),
  shape("pragmas", "opencl", 100, 5000, (n) =>
    cl(times(n, (i) => `#pragma unroll\nfor (uint a = 0; a < 4; a++) x[i] += a + ${i};`)),
  ),
  shape("pragmas of contraction", "opencl", 50, 2000, (n) =>
    cl(
      times(
        n,
        (i) => `{\n#pragma OPENCL FP_CONTRACT ${i % 2 ? "ON" : "OFF"}\nfloat a = x[${i}]; x[i] = a * a + ${i}; }`,
      ),
      times(
        n,
        (i) => `#pragma OPENCL FP_CONTRACT ${i % 2 ? "ON" : "OFF"}\nfloat f${i}(float a) { return a * a + ${i}; }`,
      ),
    ),
  ),
  shape("parameters", "opencl", 100, 5000, (n) =>
    cl(
      `x[i] = f(${times(n, (i) => `i + ${i}`, ", ")});`,
      `uint f(${times(n, (i) => `uint p${i}`, ", ")}) { return p${n - 1}; }`,
    ),
  ),
  shape("declarators of a loop", "opencl", 100, 5000, (n) =>
    cl(`for (uint ${times(n, (i) => `v${i} = ${i}`, ", ")}; v0 < 3; v0++) x[i] += v${n - 1};`),
  ),
  shape("bytes that are added to", "opencl", 50, 1500, (n) =>
    cl(
      times(n, (i) => `b[${i}] += ${i};`),
      "",
    ).replace("__global uint *x", "__global uint *x, __global uchar *b"),
  ),
  shape("long name", "opencl", 1000, 100000, (n) => cl(`uint ${"a".repeat(n)} = i; x[i] = ${"a".repeat(n)};`)),

  shape("values doubled in an index", "opencl", 10, 40, (n) =>
    cl(`uint v0 = i;\n${times(n, (i) => `uint v${i + 1} = v${i} + v${i};`)}\nx[v${n}] = 1;`),
  ),
  shape("variables that change backwards", "glsl", 20, 400, (n) =>
    glsl(
      `${times(n + 1, (i) => `uint v${i} = 0;`)}\nfor (uint a = 0; a < 4; a++) {\n${times(n, (i) => `v${i} = v${i + 1};`)}\nv${n} = x[i]; }\nx[i] = v0;`,
    ),
  ),

  // What is refused.
  shape("nested lists that fail at the end", "opencl", 6, 24, (n) =>
    cl(`${"{ i > 0 ? 1 : x[i] = ".repeat(n)};${" }".repeat(n)}`),
  ),
  shape("unknown names", "opencl", 100, 5000, (n) => cl(times(n, (i) => `x[i] = u${i};`))),
  shape("syntax errors", "opencl", 100, 5000, (n) => cl(times(n, () => `x[i] = ;`))),
  shape("functions with syntax errors", "glsl", 50, 1000, (n) =>
    glsl(
      "x[i] = 1;",
      times(n, (i) => `uint f${i}(uint a) { return a +; }`),
    ),
  ),
  shape("unknown functions", "hlsl", 100, 3000, (n) => hlsl(times(n, (i) => `x[i] = unknown${i}(i);`))),
  shape("wrong types", "msl", 100, 3000, (n) => msl(times(n, () => `x[i] = x;`))),
  shape("redeclared", "glsl", 100, 3000, (n) => glsl(times(n, () => `uint a = 1;`))),
];
