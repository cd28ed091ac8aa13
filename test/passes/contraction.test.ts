/**
 * Where a product and a sum may be rounded once: as clang reads the pragmas of a text, and as it reads them in what is written.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { translate } from "../../src/index.js";
import { compile } from "../../src/api/compile.js";
import { mayContract } from "../../src/ast/contraction.js";
import { walkModule } from "../../src/ast/walk.js";
import { inScratchFolder } from "../../src/judges/run-program.js";
import { deviceTest } from "../device/device-test.js";
import { askDxc, missingForDxc } from "../support/judges/dxc.js";
import { findProgram, missingPrograms } from "../support/judges/judge.js";
import { toolTest } from "../support/tool-test.js";
import { runHere } from "../device/run-here.js";

/** Blocks with pragmas at their starts, and statements that each add a number of their own to a product. */
function program(seed: number): { text: string; sums: number } {
  let state = seed * 7919 + 17;
  const pick = (n: number): number => ((state = (Math.imul(state, 1664525) + 1013904223) >>> 0), (state >>> 8) % n);
  let sums = 0;
  const forms = [
    "OPENCL FP_CONTRACT ON",
    "OPENCL FP_CONTRACT OFF",
    "OPENCL FP_CONTRACT DEFAULT",
    "STDC FP_CONTRACT OFF",
  ];
  const more = ["STDC FP_CONTRACT ON", "clang fp contract(off)", "clang fp contract(on)"];
  const pragma = (): string => `#pragma ${[...forms, ...more][pick(7)]!}\n`;
  const perhaps = (n: number): string => (pick(n) === 0 ? pragma() + (pick(4) === 0 ? pragma() : "") : "");
  const sum = (): string => {
    const n = ++sums;
    return [
      `a[${n}] = x * y + ${n}.0f;`,
      `a[${n}] = ${n}.0f - y * x;`,
      `{ float t = x; t = t * y + ${n}.0f; a[${n}] = t; }`,
      `a[${n}] = (x > y ? x * x + ${n}.0f : y);`,
    ][pick(4)]!;
  };
  const block = (depth: number): string => {
    const lines = Array.from({ length: 1 + pick(3) }, () => {
      const kind = depth === 0 ? 0 : pick(6);
      if (kind < 3) return sum();
      const inner = block(depth - 1);
      if (kind === 3) return inner;
      if (kind === 4) return `if (x > ${pick(9)}.5f) ${inner} else ${block(depth - 1)}`;
      return `for (int i = 0; i < 3; i++) ${inner}`;
    });
    return `{\n${perhaps(2)}${lines.join("\n")}\n}`;
  };
  const parts = [0, 1, 2].map((i) => `${perhaps(2)}void f${i}(global float *a, float x, float y) ${block(2)}\n`);
  const calls = [0, 1, 2].map((i) => `f${i}(a, x, y);`).join(" ");
  const kernel = `kernel void k(global float *a, float x, float y) {\n${perhaps(3)}${sum()}\n${calls}\n}\n`;
  return { text: `${parts.join("")}${perhaps(2)}${kernel}`, sums };
}

/** The numbers whose sum clang makes one operation of. */
function fusedByClang(text: string): number[] {
  const { stdout, stderr, status } = spawnSync(
    findProgram("clang-19")!,
    "-x cl -cl-std=CL2.0 --target=spir64 -O0 -Xclang -disable-O0-optnone -S -emit-llvm -o - -".split(" "),
    { input: text, encoding: "utf8" },
  );
  expect(status, stderr + text).toBe(0);
  return [...stdout.matchAll(/fmuladd\.f32\([^)]*float (\d[\d.e+]*)/g)].map((m) => Number(m[1])).sort((a, b) => a - b);
}

async function fusedByUs(text: string): Promise<number[]> {
  const { module, diagnostics } = await compile(text, { from: "opencl" });
  expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  const found: number[] = [];
  walkModule(module!, {
    expr(e) {
      if (e.kind !== "binary" || (e.operator !== "add" && e.operator !== "sub") || e.type.kind !== "scalar") return;
      if (!mayContract(module!, e)) return;
      for (const x of [e.left, e.right]) if (x.kind === "literal") found.push(Number(x.value));
    },
  });
  return found.filter((n) => Number.isInteger(n)).sort((a, b) => a - b);
}

interface Products {
  readonly products: readonly string[];
  /** Those that a driver may fuse. */
  readonly free: readonly string[];
}

function productsOfGlslang(code: string): Products {
  const { stdout } = spawnSync(
    findProgram("glslangValidator")!,
    "--stdin -S comp -V --target-env vulkan1.3 -H -o /dev/null".split(" "),
    { input: code, encoding: "utf8" },
  );
  const fixed = new Set([...stdout.matchAll(/Decorate (\d+)(?:\([^)]*\))? NoContraction/g)].map((m) => m[1]!));
  const products = [...stdout.matchAll(/(\d+):\s+\S+\s+(?:FMul|VectorTimesScalar) /g)].map((m) => m[1]!);
  return { products, free: products.filter((id) => !fixed.has(id)) };
}

/** DXIL has `fast` at what is not precise. */
async function operationsOfDxc(texts: readonly string[], entry: string): Promise<Products[]> {
  return inScratchFolder(async (folder) => {
    const requests = texts.map((text, i) => {
      const path = join(folder, `${String(i)}.hlsl`);
      writeFileSync(path, text);
      return { profile: "cs_6_0", entry, path, output: join(folder, `${String(i)}.ll`) };
    });
    expect(await askDxc(requests)).toEqual(texts.map(() => "ok"));
    return requests.map(({ output }) => {
      const products = [...readFileSync(output, "utf8").matchAll(/= fmul .*/g)].map((m) => m[0]);
      return { products, free: products.filter((line) => line.includes(" fast ")) };
    });
  });
}

const source = `float open(float x, float y, float z) { return x * y + z; }
float exact(float x, float y, float z) {
  #pragma OPENCL FP_CONTRACT OFF
  float t = x * y;
  return t + z;
}
kernel __attribute__((reqd_work_group_size(1, 1, 1))) void k(global float *a) {
  a[3] = open(a[0], a[1], a[2]);
  a[4] = exact(a[0], a[1], a[2]);
  {
    #pragma OPENCL FP_CONTRACT OFF
    a[5] = a[0] * a[1] + a[2];
  }
}
`;

describe("pragmas of contraction", () => {
  const seeds = Array.from({ length: 24 }, (_, i) => i);
  toolTest(missingPrograms(["clang-19"]), "hold where clang has them hold, in what is written, too", async () => {
    let mixed = 0;
    for (const seed of seeds) {
      const { text, sums } = program(seed);
      const fused = fusedByClang(text);
      expect(await fusedByUs(text), text).toEqual(fused);
      if (fused.length > 0 && fused.length < sums) mixed++;
      // As MSL, whose own pragma clang does not know by that word.
      const there = await translate(text, { from: "opencl", to: "msl" });
      const back = await translate(there.code!, { from: "msl", to: "opencl" });
      expect(fusedByClang(back.code!), `${text}\n${there.code!}\n${back.code!}`).toEqual(fused);
    }
    expect(mixed).toBeGreaterThan(seeds.length / 2);
  });

  const misplaced: readonly (readonly [string, string])[] = [
    [
      "after a statement",
      "kernel void k(global float *a) {\n  a[0] = 1.0f;\n  #pragma OPENCL FP_CONTRACT OFF\n  a[1] = 2.0f;\n}",
    ],
    [
      "before the body of a loop",
      "kernel void k(global float *a) {\n  for (int i = 0; i < 3; i++)\n  #pragma STDC FP_CONTRACT OFF\n    a[i] = 2.0f;\n}",
    ],
    ["at the end", "kernel void k(global float *a) {\n  a[0] = 1.0f;\n  #pragma clang fp contract(off)\n}"],
    [
      "in a struct",
      "struct S {\n  int x;\n  #pragma OPENCL FP_CONTRACT OFF\n  int y;\n};\nkernel void k(global struct S *a) { a[0].x = 1; }",
    ],
  ];
  test.each(misplaced)("are errors %s", async (_, text) => {
    const { diagnostics } = await compile(text, { from: "opencl" });
    expect(diagnostics.filter((d) => d.severity === "error").map((d) => [d.code, d.location?.line])).toEqual([
      ["XL2011", 3],
    ]);
  });
  toolTest(missingPrograms(["clang-19"]), "clang has the same for errors", () => {
    for (const [, text] of misplaced) {
      const { status } = spawnSync(findProgram("clang-19")!, ["-x", "cl", "-cl-std=CL2.0", "-fsyntax-only", "-"], {
        input: text,
      });
      expect(status, text).not.toBe(0);
    }
  });

  const leaving = `#pragma OPENCL FP_CONTRACT OFF
float add(float x, float c) { return x + c; }
float product(float x, float c) { return x * c; }
void square(float x, float *to) { *to = x * x; }
kernel __attribute__((reqd_work_group_size(16, 1, 1))) void k(global float *a, global float4 *b) {
  uint i = get_global_id(0);
  a[i] += a[1] * a[2];
  a[i + 1] -= -(a[1] * a[2]);
  float t[2];
  t[0] = a[1] * a[3];
  a[i + 2] = t[0] + a[4];
  a[i + 3] = add(a[1] * a[2], a[3]);
  a[i + 4] = product(a[1], a[2]) + a[3];
  a[i + 5] = (b[0] * b[1]).x + a[2];
  a[i + 6] = (a[0] > 1.0f ? a[1] * a[2] : a[5]) + a[6];
  float out;
  square(a[1], &out);
  a[i + 7] = out + a[2];
  bool large = a[0] * a[1] + a[2] > 0.0f;
  if (large) b[0] += a[1] * b[2];
}
`;
  toolTest(missingPrograms(["glslangValidator"]), "off leave no product to a sum, wherever that stands", async () => {
    const { code } = await translate(leaving, { from: "opencl", to: "glsl" });
    const { products, free } = productsOfGlslang(code!);
    expect(products.length).toBeGreaterThanOrEqual(10);
    expect(free, code).toEqual([]);
  });

  // A compiler may hand on what was stored to a load of the same invocation. `in` is apart from what is written, since
  // glslang follows `precise` through whole buffers.
  const stores: readonly (readonly [string, string])[] = [
    ["a buffer", "out[i] = in[0] * in[1]; out[i + 1] = out[i] + in[2];"],
    ["a buffer, by an operator", "out[i] *= in[0]; out[i + 1] = out[i] - in[2];"],
    ["a buffer, by an operator with effects", "out[i++] *= in[0]; out[i] = out[i - 1] - in[2];"],
    ["a buffer, as a value", "float t = (out[i] *= in[0]) + in[1]; out[i + 1] = t;"],
    ["a buffer, and counted up", "out[i] = in[0] * in[1]; out[i]++;"],
    ["a buffer, and added to", "out[i] = in[0] * in[1]; out[i] += in[2];"],
    ["workgroup memory", "w[i] = in[0] * in[1]; out[i] = w[i] + in[2];"],
    ["workgroup memory, by an operator", "w[i] = in[0]; w[i] *= in[1]; out[i] = w[i] + in[2];"],
    ["a vector", "v[i] = v[i + 1] * v[i + 2]; out[i] = v[i].x + in[2];"],
    ["a component", "v[i].y *= in[1]; out[i] = v[i].y + in[2];"],
    ["a member", "p[i].x = in[0] * in[1]; out[i] = p[i].x + in[2];"],
    ["a struct", "struct P q = {in[0] * in[1], 3}; p[i] = q; out[i] = p[i].x + in[2];"],
    ["bits", "uint bits = as_uint(in[0] * in[1]); out[i] = as_float(bits) + in[2];"],
    ["bytes", "*(global float *)(raw + 4 * i) = in[0] * in[1]; out[i] = *(global float *)(raw + 4 * i) + in[2];"],
    ["what a helper writes", "put(out + i, in[0] * in[1]); out[i + 1] = out[i] + in[2];"],
    ["an array", "float l[4]; l[i & 3] = in[0]; l[i & 3] *= in[1]; out[i] = l[i & 3] + in[2];"],
  ];
  const storing = (body: string): string => `#pragma OPENCL FP_CONTRACT OFF
struct P { float x; uint n; };
void put(global float *p, float x) { *p = x; }
kernel __attribute__((reqd_work_group_size(4, 1, 1)))
void k(global const float *in, global float *out, global float4 *v, global struct P *p, global uchar *raw) {
  local float w[4];
  uint i = get_local_id(0);
  ${body}
}
`;
  toolTest(missingPrograms(["glslangValidator"]), "off hold for what is kept in memory, in GLSL", async () => {
    for (const [what, body] of stores) {
      const { code } = await translate(storing(body), { from: "opencl", to: "glsl" });
      const { products, free } = productsOfGlslang(code!);
      expect(products.length, what).toBe(1);
      expect(free, code).toEqual([]);
    }
  });
  toolTest(missingForDxc(), "off hold for what is kept in memory, in HLSL", async () => {
    const texts = await Promise.all(
      stores.map(async ([, body]) => (await translate(storing(body), { from: "opencl", to: "hlsl" })).code!),
    );
    const found = await operationsOfDxc(texts, "k");
    found.forEach(({ products, free }, i) => {
      expect(products.length, texts[i]).toBeGreaterThanOrEqual(1);
      expect(free, texts[i]).toEqual([]);
    });
  });

  test("are none of other languages", async () => {
    const text = `#version 460
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer A { float a[]; };
void main() {
  a[0] = a[1] * a[2] + a[3];
#pragma STDC FP_CONTRACT OFF
  a[4] = 1.0;
}
`;
    const { code } = await translate(text, { from: "glsl", to: "opencl" });
    expect(code).toContain("a[0] = a[1] * a[2] + a[3];");
    expect(code).not.toContain("FP_CONTRACT");
  });

  test("are written at functions and blocks, and as precise results", async () => {
    const of = async (to: "msl" | "glsl" | "hlsl"): Promise<string> =>
      (await translate(source, { from: "opencl", to })).code!.replace(/\n\s*/g, "\n");
    const msl = await of("msl");
    expect(msl).toContain("float open(float x, float y, float z) {\nreturn x * y + z;\n}");
    expect(msl).toContain("{\n#pragma METAL fp contract(off)\nfloat t = x * y;\nreturn t + z;\n}");
    expect(msl).toContain("{\n#pragma METAL fp contract(off)\na[5] = a[0] * a[1] + a[2];\n}");
    expect(msl.match(/#pragma METAL/g)).toHaveLength(2);
    for (const to of ["glsl", "hlsl"] as const) {
      const text = await of(to);
      expect(text).toContain("return x * y + z;");
      expect(text).toContain("precise float t = x * y;");
      expect(text).toContain("precise float sum = a[0] * a[1] + a[2];\na[5] = sum;");
      // What z is may be a product of a function that allows contraction.
      expect(text).toContain("precise float sum = t + z;\nreturn sum;");
      expect(text.match(/precise/g)).toHaveLength(3);
    }
  });
});

/** Where a text may say `precise`, and the sum of a product (with a number of its own) that is then not contracted. */
const glslPlaces = `#version 460
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer A { float a[]; };
layout(std430, binding = 1) readonly buffer B { float b[]; };
void out_parameter(precise out float x, float y) { x = y * b[1] + 1.0; }
precise float result(float y) { return y * b[2] + 2.0; }
void main() {
  float x;
  out_parameter(x, b[0]);
  a[1] = x;
  a[2] = result(b[0]);
  precise float t = b[0] * b[4] + 4.0;
  a[4] = t;
}
`;
const glslText = (declaration: string, statement: string): string => `#version 460
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer A { ${declaration.startsWith("a") ? "precise " : ""}float a[]; };
layout(std430, binding = 1) readonly buffer B { float b[]; };
${declaration.startsWith("a") ? "" : declaration}
void main() { ${statement} }
`;
const glslTexts: readonly (readonly [string, string])[] = [
  ["several", glslPlaces],
  ["a variable of the file", glslText("precise float g;", "g = b[0] * b[1] + 1.0; a[0] = g;")],
  ["workgroup memory", glslText("shared precise float s;", "s = b[0] * b[1] + 1.0; a[0] = s;")],
  ["a member", glslText("struct S { precise float x; };", "S s; s.x = b[0] * b[1] + 1.0; a[0] = s.x;")],
  [
    "a parameter by value, of which glslang makes nothing",
    glslText("float f(precise float y) { y = y * 2.0 + 3.0; return y; }", "a[0] = f(b[0]);"),
  ],
  ["a member of a block", glslText("a", "a[0] = b[0] * b[1] + 1.0;")],
];
const hlslText = (functions: string, body: string): string => `RWStructuredBuffer<float> a : register(u0);
StructuredBuffer<float> b : register(t1);
${functions}
[numthreads(1, 1, 1)] void main() { ${body} }
`;
// What DXC makes precise of these is all there is (asked of it); of parameters and results it makes nothing precise.
const hlslTexts: readonly (readonly [string, string])[] = [
  ["a variable", hlslText("", "precise float t = b[0] * b[1] + 1.0; a[0] = t;")],
  [
    "what a function gives it",
    hlslText("float f(float y) { return y * b[1] + 1.0; }", "precise float t = f(b[0]); a[0] = t;"),
  ],
  [
    "what a function wrote for it",
    hlslText(
      "static float g; void f(float y) { g = y * b[1] + 1.0; }",
      "f(b[0]); precise float t = g + 0.5; a[0] = t;",
    ),
  ],
  ["a member", hlslText("struct S { precise float x; };", "S s; s.x = b[0] * b[1] + 1.0; a[0] = s.x;")],
];
const preciseTexts = [
  ...glslTexts.map(([what, text]) => ["glsl", what, text] as const),
  ...hlslTexts.map(([what, text]) => ["hlsl", what, text] as const),
];

describe("precise of the source", () => {
  const tools = [...missingPrograms(["clang-19", "glslangValidator"]), ...missingForDxc()];
  toolTest(tools, "is what the compilers of the source make of it", async () => {
    for (const [what, text] of glslTexts)
      expect(productsOfGlslang(text).free, what).toHaveLength(what.startsWith("a parameter") ? 1 : 0);
    for (const { free } of await operationsOfDxc(
      hlslTexts.map(([, text]) => text),
      "main",
    ))
      expect(free).toEqual([]);
  });

  toolTest(tools, "holds in every language it is translated to, wherever it stands", async () => {
    const hlsl: string[] = [];
    for (const [from, what, text] of preciseTexts) {
      const to = async (target: "opencl" | "msl" | "glsl" | "hlsl"): Promise<string> => {
        const { code, diagnostics } = await translate(text, { from, to: target });
        expect(
          diagnostics.filter((d) => d.severity === "error"),
          what,
        ).toEqual([]);
        return code!;
      };
      const c = await to("opencl");
      expect(fusedByClang(c), `${what}\n${c}`).toEqual([]);
      const msl = await to("msl");
      expect(fusedByClang((await translate(msl, { from: "msl", to: "opencl" })).code!), msl).toEqual([]);
      if (from !== "glsl") expect(productsOfGlslang(await to("glsl")).free, what).toEqual([]);
      if (from !== "hlsl") hlsl.push(await to("hlsl"));
    }
    (await operationsOfDxc(hlsl, "main")).forEach(({ free }, i) => expect(free, hlsl[i]).toEqual([]));
  });

  toolTest(tools, "is nothing that a pragma could say in GLSL and HLSL", async () => {
    const pragma = "\n#pragma STDC FP_CONTRACT OFF\n";
    expect(productsOfGlslang(glslText("", `${pragma}a[0] = b[0] * b[1] + 1.0;`)).free).toHaveLength(1);
    const text = hlslText(pragma, `{${pragma}a[0] = b[0] * b[1] + 1.0; }`);
    expect((await operationsOfDxc([text], "main"))[0]!.free).toHaveLength(1);
    const { code } = await translate(text, { from: "hlsl", to: "opencl" });
    expect(fusedByClang(code!)).toEqual([1]);
  });
});

// The product is 1 - 2^-46, which rounds to 1: rounded once, the sum is -2^-46.
const [x, y] = [1 + 2 ** -23, 1 - 2 ** -23];
for (const device of ["opencl", "vulkan"] as const)
  await deviceTest(device, `sums are rounded twice where the text says so, on ${device}`, async () => {
    const code = device === "opencl" ? source : (await translate(source, { from: "opencl", to: "glsl" })).code!;
    const { buffers, diagnostics } = await runHere(code, {
      from: device === "opencl" ? "opencl" : "glsl",
      device,
      workgroups: [1],
      args: { a: Float32Array.of(x, y, -1, 9, 9, 9) },
    });
    expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
    const a = buffers["a"] as Float32Array;
    expect([a[4], a[5]]).toEqual([0, 0]);
    expect([0, -(2 ** -46)]).toContain(a[3]);
  });
