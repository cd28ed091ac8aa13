/** Names and macros of a source that mean something else in a target, or in JavaScript, or in crosslane's own text. */
import { describe, expect, test } from "vitest";
import { twoWayDialects, targets, type TwoWayDialect, type Target } from "../../src/dialects/ids.js";
import { isReserved } from "../../src/dialects/reserved.js";
import { reflect, simulate, translate, verify } from "../../src/index.js";
import { judgeable, judgeOutputs, judges, refusals, type Judgeable } from "../support/judges/outputs.js";
import { judgeTest } from "../support/tool-test.js";

interface Kernel {
  readonly name: string;
  readonly from: TwoWayDialect;
  readonly text: string;
}

const options = (k: Kernel, to: Target) => ({
  from: k.from,
  to,
  fileName: "k",
  ...(/\[numthreads\(|\(local_size_x/.test(k.text) ? {} : { workgroupSize: [64, 1, 1] }),
});

const outNamed = (name: string): Record<TwoWayDialect, string> => ({
  opencl: `__kernel void k(__global float *${name}) { int i = (int)get_global_id(0); `,
  msl: `kernel void k(device float *${name} [[buffer(0)]], uint g [[thread_position_in_grid]]) { int i = int(g); `,
  glsl: `layout(std430, binding = 0) buffer B { float ${name}[]; };\nvoid main() { int i = int(gl_GlobalInvocationID.x); `,
  hlsl: `RWStructuredBuffer<float> ${name} : register(u0);\n[numthreads(64, 1, 1)] void k(uint3 g : SV_DispatchThreadID) { int i = int(g.x); `,
});
const first: Record<TwoWayDialect, string> = {
  opencl: "",
  msl: "#include <metal_stdlib>\nusing namespace metal;\n",
  glsl: "#version 450\nlayout(local_size_x = 64) in;\n",
  hlsl: "",
};

/** Names that targets define as constants, reserve, or that crosslane's text has in other roles. */
const macroNames = [
  "FLT_MAX",
  "INFINITY",
  "NAN",
  "INT_MAX",
  "UINT_MAX",
  "M_PI",
  "M_PI_F",
  "MAXFLOAT",
  "CHAR_BIT",
  "NULL",
  "shared",
  "groupshared",
  "kernel",
  "buffer",
  "binding",
  "set",
  "std430",
  "u0",
  "x",
  "y",
  "xyz",
  "uint",
  "uint3",
  "thread_position_in_grid",
  "register",
  "numthreads",
  "SV_DispatchThreadID",
  "gl_x",
  "float4",
  "min",
  "fmin",
  "Buffer",
  "BBuffer",
  "metal",
  "main",
  "o",
  "i",
  "length",
  "as_type",
  "get_global_id",
  "__N",
  "_N",
  "constructor",
  "__proto__",
] as const;

function macroKernel(from: TwoWayDialect, name: string): Kernel {
  const text = `${first[from]}#define ${name}_ 3.0f\n#define ${name} 1e6f\n${outNamed("o9")[from]}o9[i] = min(${name}, 2e6f + float(i)) + ${name}_; }\n`;
  return {
    name: `macro ${name} from ${from}`,
    from,
    text: from === "opencl" ? text.replaceAll("float(i)", "(float)i").replace("min(", "fmin(") : text,
  };
}

/** Those the source dialect itself can define without changing the kernel's other words. */
const definable = (from: TwoWayDialect, name: string): boolean => {
  const words = new Set(`${first[from]}${outNamed("o9")[from]} min fmin float`.match(/\w+/g));
  return !words.has(name) && name !== "i" && !isReserved(from, name, "macro");
};

const macroKernels = twoWayDialects.flatMap((from) =>
  macroNames.filter((n) => definable(from, n)).map((n) => macroKernel(from, n)),
);

const defects: readonly Kernel[] = [
  {
    name: "a macro named like a constant of the target",
    from: "hlsl",
    text: "#define FLT_MAX 1e6f\nRWStructuredBuffer<float> o : register(u0);\n[numthreads(1,1,1)] void main(uint3 id : SV_DispatchThreadID) { o[id.x] = min(FLT_MAX, 2e6f + id.x); }\n",
  },
  {
    name: "a macro that stands for a call of another",
    from: "opencl",
    text: "#define G(x) (x + 1)\n#define F G\n__kernel void k(__global int *o) { o[get_global_id(0)] = F(3); }\n",
  },
  {
    name: "a macro after what it would change",
    from: "opencl",
    text: "typedef struct { int x; int y; } pair_t;\nint first(pair_t p) { return p.x; }\n#define x 7\n__kernel void k(__global int *o) { pair_t p = {2, 5}; o[get_global_id(0)] = first(p) * 10 + x; }\n",
  },
  {
    name: "a macro that changes the components crosslane writes",
    from: "opencl",
    text: "#define x 7\n__kernel void k(__global uint *o) { uint i = get_global_id(0); o[i] = i * x + (uint)get_local_id(0); }\n",
  },
  {
    name: "functions named like operators and intrinsics",
    from: "opencl",
    text: "uint and(uint a, uint b) { return a * 10 + b; }\nuint isnormal_(uint a) { return a; }\nuint pack_u8(uint a) { return a + 7; }\nuint WaveActiveSum(uint a) { return a * 3; }\n__kernel void k(__global uint *dst) { uint i = get_global_id(0); dst[i] = and(i, 3) + pack_u8(i) + WaveActiveSum(i) + isnormal_(i); }\n",
  },
  {
    name: "a member named length",
    from: "opencl",
    text: "typedef struct { uint offset; uint length; } span;\n__kernel void k(__global const uint *src, __global uint *dst) { uint j = get_global_id(0); span s; s.offset = 1; s.length = src[j]; dst[j] = s.length + s.offset; }\n",
  },
  {
    // Their blocks in GLSL would all be `A20Buffer`.
    name: "buffers whose names differ by underscores and capitals",
    from: "hlsl",
    text: "RWStructuredBuffer<float> a2_0 : register(u0);\nRWStructuredBuffer<float> a_20 : register(u1);\nRWStructuredBuffer<float> A_20 : register(u2);\n[numthreads(64, 1, 1)] void main(uint i : SV_DispatchThreadID) { a2_0[i] = a_20[i] + A_20[i]; }\n",
  },
  {
    name: "a buffer named __proto__",
    from: "opencl",
    text: "__kernel void k(__global uint *__proto__) { __proto__[get_global_id(0)] = 1; }\n",
  },
];

const enumTypes = ["char", "uchar", "short", "ushort", "int", "uint", "long", "ulong"];
const enums: readonly Kernel[] = enumTypes.flatMap((t) => [
  {
    name: `enum class : ${t}`,
    from: "msl" as const,
    text: `#include <metal_stdlib>\nusing namespace metal;\nenum class F : ${t} { X = 100, Y };\nkernel void k(device uint *dst [[buffer(0)]], uint i [[thread_position_in_grid]]) { F f = F(${t}((i & 3) + 99)); dst[i] = f == F::Y ? 1 : f == F::X ? 2 : 3; }\n`,
  },
  {
    name: `enum : ${t}`,
    from: "msl" as const,
    text: `#include <metal_stdlib>\nusing namespace metal;\nenum F : ${t} { X = 1, Y };\nkernel void k(device uint *dst [[buffer(0)]], uint i [[thread_position_in_grid]]) { dst[i] = (X - Y > 0 ? 10 : 20) + (Y * 2 > ${t}(i) ? 1 : 2) + (X - Y < Y ? 100 : 200); }\n`,
  },
]);

const objectNames = [
  "__proto__",
  "constructor",
  "hasOwnProperty",
  "toString",
  "valueOf",
  "isPrototypeOf",
  "__defineGetter__",
  "then",
  "length",
  "name",
  "prototype",
  "arguments",
  "local_index",
];
const objects: readonly Kernel[] = objectNames.flatMap((n) => [
  {
    name: `${n} as buffer and value`,
    from: "opencl" as const,
    text: `__kernel void k(__global uint *${n}, uint v_${n}) { ${n}[get_global_id(0)] += v_${n}; }\n`,
  },
  {
    name: `${n} as value`,
    from: "opencl" as const,
    text: `__kernel void k(__global uint *o, uint ${n}) { o[get_global_id(0)] += ${n}; }\n`,
  },
  {
    name: `${n} as member, type and local`,
    from: "opencl" as const,
    text: `struct ${n}_t { uint ${n}; };\n__kernel void k(__global struct ${n}_t *o) { uint i = get_global_id(0); uint ${n} = o[i].${n} + 1; o[i].${n} = ${n}; }\n`,
  },
  ...(n === "length"
    ? []
    : [
        {
          name: `${n} as function and macro`,
          from: "opencl" as const,
          text: `#define N_${n} 3\nuint ${n}(uint a) { return a * N_${n}; }\n__kernel void k_(__global uint *o) { uint i = get_global_id(0); o[i] = ${n}(i); }\n`,
        },
      ]),
  ...(n === "length"
    ? []
    : [
        {
          name: `${n} as entry`,
          from: "opencl" as const,
          text: `__kernel void ${n}(__global uint *o) { uint i = get_global_id(0); o[i] = i * 3; }\n`,
        },
      ]),
]);

const all: readonly Kernel[] = [...defects, ...enums, ...objects, ...macroKernels];

describe("names and macros", () => {
  // A kernel is read by nobody here who knows what was done about its names: it is run, and its translation is.
  for (const to of targets)
    test(`the ${to} text computes what the source does`, async () => {
      const wrong: string[] = [];
      for (const k of all) {
        const { result, diagnostics } = await verify(k.text, { ...options(k, to), subgroupSizes: [32], seeds: 1 });
        if (result !== "equivalent")
          wrong.push(
            `${k.name}: ${result} ${JSON.stringify(diagnostics.map((d) => [d.message, d.notes.map((n) => n.message)]))}`,
          );
      }
      expect(wrong).toEqual([]);
    });

  for (const to of twoWayDialects)
    judgeTest(judges[to], `the ${to} compiler takes the sources, and the texts made of them`, async () => {
      const texts: Judgeable[] = [];
      for (const k of all) {
        const { code } = await translate(k.text, options(k, to));
        if (code !== undefined) texts.push(judgeable(to, `${k.name}\n${code}`, code));
      }
      expect(texts.length).toBe(all.length);
      expect(refusals(await judgeOutputs(texts))).toBe("");
    });
});

describe("names of JavaScript's objects", () => {
  test.each(objectNames)("a buffer called %s is run, and comes back under its name", async (name) => {
    const source = `__kernel void k(__global uint *${name}, uint n) { ${name}[get_global_id(0)] += n; }\n`;
    const args = Object.fromEntries([
      [name, new Uint32Array([1, 2, 3, 4])],
      ["n", 5],
    ] as const);
    const { buffers, diagnostics } = await simulate(source, {
      from: "opencl",
      fileName: "k.cl",
      workgroups: [1],
      workgroupSize: [4],
      args,
    });
    expect(diagnostics).toEqual([]);
    expect(Object.entries(buffers)).toEqual([[name, new Uint32Array([6, 7, 8, 9])]]);
    const reflection = await reflect(source, { from: "opencl", fileName: "k.cl" });
    expect(JSON.stringify(reflection)).toContain(JSON.stringify(name));
  });
});
