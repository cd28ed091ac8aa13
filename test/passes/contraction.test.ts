/**
 * Where a product and a sum may be rounded once: as clang reads the pragmas of a text, and as it reads them in what is written.
 */
import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { runOnDevice, translate } from "../../src/index.js";
import { compile } from "../../src/api/compile.js";
import { mayContract } from "../../src/ast/contraction.js";
import { walkModule } from "../../src/ast/walk.js";
import { deviceTest } from "../device/device-test.js";
import { findProgram, missingPrograms } from "../support/judges/judge.js";
import { toolTest } from "../support/tool-test.js";

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
    const { stdout } = spawnSync(
      findProgram("glslangValidator")!,
      "--stdin -S comp -V --target-env vulkan1.3 -H -o /dev/null".split(" "),
      { input: code, encoding: "utf8" },
    );
    const fixed = new Set([...stdout.matchAll(/Decorate (\d+)(?:\([^)]*\))? NoContraction/g)].map((m) => m[1]!));
    const products = [...stdout.matchAll(/(\d+):\s+\S+\s+(?:FMul|VectorTimesScalar) /g)].map((m) => m[1]!);
    expect(products.length, stdout).toBeGreaterThanOrEqual(10);
    expect(
      products.filter((id) => !fixed.has(id)),
      code,
    ).toEqual([]);
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

// The product is 1 - 2^-46, which rounds to 1: rounded once, the sum is -2^-46.
const [x, y] = [1 + 2 ** -23, 1 - 2 ** -23];
for (const device of ["opencl", "vulkan"] as const)
  await deviceTest(device, `sums are rounded twice where the text says so, on ${device}`, async () => {
    const code = device === "opencl" ? source : (await translate(source, { from: "opencl", to: "glsl" })).code!;
    const { buffers, diagnostics } = await runOnDevice(code, {
      from: device === "opencl" ? "opencl" : "glsl",
      device,
      here: true,
      workgroups: [1],
      args: { a: Float32Array.of(x, y, -1, 9, 9, 9) },
    });
    expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
    const a = buffers["a"] as Float32Array;
    expect([a[4], a[5]]).toEqual([0, 0]);
    expect([0, -(2 ** -46)]).toContain(a[3]);
  });
