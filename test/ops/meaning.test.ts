/**
 * What builtins compute, by the specifications and by hand, in the dialect that has them and in every translation: the
 * table's expansions and lowerings run on edge values.
 */
import { describe, expect, test } from "vitest";
import { simulate } from "../../src/api/simulate.js";
import { translate } from "../../src/api/translate.js";
import { type TwoWayDialect, twoWayDialects } from "../../src/dialects/ids.js";
import { choices, classes, powers, remainders, roundings } from "./meanings/floats.js";
import { conversions, halves, integers, later, matrices, outs, vectors } from "./meanings/integers.js";
import { inf, type Kind, type Meaning, min } from "./meanings/meaning.js";

const typeNames: Record<TwoWayDialect, Record<Kind, string>> = {
  msl: { f32: "float", i32: "int", u32: "uint" },
  glsl: { f32: "float", i32: "int", u32: "uint" },
  opencl: { f32: "float", i32: "int", u32: "uint" },
  hlsl: { f32: "float", i32: "int", u32: "uint" },
};

function kernel(m: Meaning): string {
  const { dialect } = m;
  const names = ["a", "b", "c"].slice(0, m.operands.length);
  const t = typeNames[dialect];
  const result = t[m.result];
  const loads = names.map((n, k) => `${t[m.operands[k]!]} ${n} = p${n}[i];`).join(" ");
  switch (dialect) {
    case "msl":
      return `#include <metal_stdlib>\nusing namespace metal;\nkernel void k(${names.map((n, k) => `device const ${t[m.operands[k]!]} *p${n} [[buffer(${k})]], `).join("")}device ${result} *r [[buffer(${names.length})]], uint i [[thread_position_in_grid]]) { ${loads} r[i] = ${m.expression}; }\n`;
    case "glsl":
      return `#version 450\nlayout(local_size_x = 1) in;\n${names.map((n, k) => `layout(std430, set = 0, binding = ${k}) readonly buffer B${n} { ${t[m.operands[k]!]} p${n}[]; };`).join("\n")}\nlayout(std430, set = 0, binding = ${names.length}) buffer R { ${result} r[]; };\nvoid main() { uint i = gl_GlobalInvocationID.x; ${loads} r[i] = ${m.expression}; }\n`;
    case "opencl":
      return `__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void k(${names.map((n, k) => `__global const ${t[m.operands[k]!]} *p${n}, `).join("")}__global ${result} *r) { uint i = get_global_id(0); ${loads} r[i] = ${m.expression}; }\n`;
    case "hlsl":
      return `${names.map((n, k) => `StructuredBuffer<${t[m.operands[k]!]}> p${n} : register(t${k});`).join("\n")}\nRWStructuredBuffer<${result}> r : register(u0);\n[numthreads(1, 1, 1)]\nvoid k(uint3 id : SV_DispatchThreadID) { uint i = id.x; ${loads} r[i] = ${m.expression}; }\n`;
  }
}

const arrays = { f32: Float32Array, i32: Int32Array, u32: Uint32Array } as const;

function argumentsOf(m: Meaning): Record<string, Float32Array | Int32Array | Uint32Array> {
  const out: Record<string, Float32Array | Int32Array | Uint32Array> = {};
  m.operands.forEach((kind, k) => (out[`p${"abc"[k]}`] = arrays[kind].from(m.cases.map((c) => c[k]!))));
  out["r"] = new arrays[m.result](m.cases.length);
  return out;
}

/** The distance in representable floats; 0 for equal bits, and for NaN with NaN. */
function distance(x: number, y: number): number {
  if (Object.is(x, y) || (Number.isNaN(x) && Number.isNaN(y))) return 0;
  const order = (v: number): number => {
    const bits = new Int32Array(Float32Array.of(v).buffer)[0]!;
    return bits < 0 ? min - bits : bits;
  };
  if (Number.isNaN(x) || Number.isNaN(y)) return inf;
  const d = Math.abs(order(x) - order(y));
  return d === 0 ? 0.5 : d;
}

async function outcome(text: string, dialect: TwoWayDialect, m: Meaning): Promise<string[]> {
  const result = await simulate(text, {
    from: dialect,
    workgroups: [m.cases.length],
    workgroupSize: [1],
    args: argumentsOf(m),
  });
  const got = result.buffers["r"] as Float32Array | undefined;
  if (!got) return [`${dialect}: ${result.diagnostics.map((d) => d.message).join("; ")}\n${text}`];
  const allowed = m.ulp ?? 0;
  return m.cases.flatMap((c, k) => {
    const wanted = m.result === "f32" ? Math.fround(c.at(-1)!) : c.at(-1)!;
    const off = m.result === "f32" ? distance(got[k]!, wanted) : got[k] === wanted ? 0 : inf;
    // A zero's sign matters only where no tolerance is given.
    return off <= Math.max(allowed, allowed > 0 ? 0.5 : 0)
      ? []
      : [`${dialect}: ${m.expression} of ${c.slice(0, -1).join(", ")} is ${got[k]}, not ${wanted}`];
  });
}

const groups: Record<string, readonly Meaning[]> = {
  roundings,
  remainders,
  choices,
  classes,
  powers,
  integers,
  conversions,
  vectors,
  later,
  matrices,
  outs,
  halves,
};

describe.each(Object.entries(groups))("%s", (_, list) => {
  test.each(list.map((m) => [`${m.dialect}: ${m.expression} on ${m.operands.join(" ")}`, m] as const))(
    "%s",
    async (_name, m) => {
      const source = kernel(m);
      const wrong = await outcome(source, m.dialect, m);
      for (const to of twoWayDialects) {
        if (to === m.dialect || m.without?.[to] !== undefined) continue;
        const translated = await translate(source, { from: m.dialect, to, workgroupSize: [1, 1, 1] });
        if (translated.code === undefined)
          wrong.push(`to ${to}: ${translated.diagnostics.map((d) => d.message).join("; ")}`);
        else wrong.push(...(await outcome(translated.code, to, m)).map((w) => `${w}\n${translated.code}`));
      }
      expect(wrong).toEqual([]);
    },
  );
});
