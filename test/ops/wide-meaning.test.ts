/**
 * Cross-lane ops on 64-bit integers, by the reference semantics of cross-lane.md section 3: in the dialect that has the op
 * and in every translation, at several widths, with all lanes active, some of them, and a subgroup that is not full.
 */
import { describe, expect, test } from "vitest";
import { simulate } from "../../src/api/simulate.js";
import { translate } from "../../src/api/translate.js";
import { twoWayDialects, type TwoWayDialect } from "../../src/dialects/ids.js";

type Kind = "i64" | "u64";
interface Lanes {
  readonly x: readonly bigint[];
  readonly active: readonly boolean[];
  readonly S: number;
}
/** The result of a lane as the low 64 bits; undefined where it is open. */
type Oracle = (lane: number, l: Lanes, kind: Kind) => bigint | undefined;

const wrap = (kind: Kind, x: bigint): bigint => (kind === "i64" ? BigInt.asIntN(64, x) : BigInt.asUintN(64, x));
const least = (kind: Kind): bigint => (kind === "i64" ? -(1n << 63n) : 0n);
const greatest = (kind: Kind): bigint => (kind === "i64" ? (1n << 63n) - 1n : (1n << 64n) - 1n);
const folds: Readonly<Record<string, readonly [(a: bigint, b: bigint) => bigint, (kind: Kind) => bigint]>> = {
  add: [(a, b) => a + b, () => 0n],
  mul: [(a, b) => a * b, () => 1n],
  min: [(a, b) => (b < a ? b : a), greatest],
  max: [(a, b) => (a < b ? b : a), least],
  and: [(a, b) => a & b, () => -1n],
  or: [(a, b) => a | b, () => 0n],
  xor: [(a, b) => a ^ b, () => 0n],
};
const over =
  (name: string, upTo: (lane: number, l: Lanes) => number): Oracle =>
  (lane, l, kind) => {
    const [f, identity] = folds[name]!;
    let value = identity(kind);
    for (let i = 0; i < upTo(lane, l); i++) if (l.active[i]) value = wrap(kind, f(wrap(kind, value), l.x[i]!));
    return value;
  };
const from =
  (lane: (lane: number, l: Lanes) => number): Oracle =>
  (own, l) =>
    l.active[lane(own, l)] ? l.x[lane(own, l)] : undefined;

const capital = (s: string): string => s[0]!.toUpperCase() + s.slice(1);
const names = Object.keys(folds);
const hlslNames: Readonly<Record<string, string>> = { add: "Sum", mul: "Product", min: "Min", max: "Max" };
const whole = (_: number, l: Lanes): number => l.S;
const first = from((_, l) => l.active.indexOf(true));

/** Over v and lane; gives a value of the kind. */
const cases: readonly { readonly dialect: TwoWayDialect; readonly expression: string; readonly oracle: Oracle }[] = [
  ...names.flatMap((r) => [
    { dialect: "glsl" as const, expression: `subgroup${capital(r)}(v)`, oracle: over(r, whole) },
    { dialect: "glsl" as const, expression: `subgroupInclusive${capital(r)}(v)`, oracle: over(r, (lane) => lane + 1) },
    { dialect: "glsl" as const, expression: `subgroupExclusive${capital(r)}(v)`, oracle: over(r, (lane) => lane) },
    { dialect: "opencl" as const, expression: `sub_group_non_uniform_reduce_${r}(v)`, oracle: over(r, whole) },
    {
      dialect: "opencl" as const,
      expression: `sub_group_non_uniform_scan_inclusive_${r}(v)`,
      oracle: over(r, (lane) => lane + 1),
    },
    {
      dialect: "glsl" as const,
      expression: `subgroupClustered${capital(r)}(v, 4)`,
      oracle: ((lane, l, kind) =>
        over(r, whole)(lane, { ...l, active: l.active.map((a, i) => a && (i & ~3) === (lane & ~3)) }, kind)) as Oracle,
    },
  ]),
  ...Object.entries(hlslNames).map(([r, name]) => ({
    dialect: "hlsl" as const,
    expression: `WaveActive${name}(v)`,
    oracle: over(r, whole),
  })),
  { dialect: "hlsl", expression: "WavePrefixSum(v)", oracle: over("add", (lane) => lane) },
  { dialect: "hlsl", expression: "WavePrefixProduct(v)", oracle: over("mul", (lane) => lane) },
  { dialect: "glsl", expression: "subgroupShuffle(v, lane ^ 1u)", oracle: from((lane) => lane ^ 1) },
  { dialect: "glsl", expression: "subgroupShuffleXor(v, 2u)", oracle: from((lane) => lane ^ 2) },
  { dialect: "glsl", expression: "subgroupShuffleUp(v, 1u)", oracle: from((lane) => lane - 1) },
  { dialect: "glsl", expression: "subgroupShuffleDown(v, 1u)", oracle: from((lane) => lane + 1) },
  { dialect: "glsl", expression: "subgroupBroadcastFirst(v)", oracle: first },
  { dialect: "glsl", expression: "subgroupBroadcast(v, 1u)", oracle: from(() => 1) },
  { dialect: "glsl", expression: "subgroupQuadBroadcast(v, 1u)", oracle: from((lane) => (lane & ~3) + 1) },
  { dialect: "glsl", expression: "subgroupQuadSwapDiagonal(v)", oracle: from((lane) => lane ^ 3) },
  { dialect: "opencl", expression: "sub_group_shuffle(v, lane ^ 1u)", oracle: from((lane) => lane ^ 1) },
  { dialect: "opencl", expression: "sub_group_broadcast_first(v)", oracle: first },
  { dialect: "hlsl", expression: "WaveReadLaneAt(v, lane ^ 1u)", oracle: from((lane) => lane ^ 1) },
  { dialect: "hlsl", expression: "WaveReadLaneFirst(v)", oracle: first },
];

const typeNames: Readonly<Record<TwoWayDialect, Readonly<Record<Kind, string>>>> = {
  msl: { i64: "long", u64: "ulong" },
  glsl: { i64: "int64_t", u64: "uint64_t" },
  opencl: { i64: "long", u64: "ulong" },
  hlsl: { i64: "int64_t", u64: "uint64_t" },
};

/** Two results: with all lanes active, and with those whose value is odd. */
function kernel(dialect: TwoWayDialect, expression: string, kind: Kind): string {
  const t = typeNames[dialect][kind];
  const body = (x: string, out: string): string =>
    `${t} v = ${x}[i];\n  ${out}[2 * i] = ${expression};\n  if ((v & 1) != 0) ${out}[2 * i + 1] = ${expression};`;
  switch (dialect) {
    case "glsl": {
      const categories = ["basic", "ballot", "arithmetic", "shuffle", "shuffle_relative", "quad", "clustered"];
      return `#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_subgroup_extended_types_int64 : require
${categories.map((c) => `#extension GL_KHR_shader_subgroup_${c} : require`).join("\n")}
layout(local_size_x = 40) in;
layout(std430, binding = 0) readonly buffer X { ${t} x[]; };
layout(std430, binding = 1) buffer Out { ${t} y[]; };
void main() {
  uint i = gl_LocalInvocationIndex, lane = gl_SubgroupInvocationID;
  ${body("x", "y")}
}`;
    }
    case "hlsl":
      return `StructuredBuffer<${t}> x : register(t0);
RWStructuredBuffer<${t}> y : register(u1);
[numthreads(40, 1, 1)]
void k(uint i : SV_GroupIndex) {
  uint lane = WaveGetLaneIndex();
  ${body("x", "y")}
}`;
    default:
      return `__kernel void k(__global const ${t} *x, __global ${t} *y) {
  uint i = get_local_id(0), lane = get_sub_group_local_id();
  ${body("x", "y")}
}`;
  }
}

const values = (kind: Kind): bigint[] =>
  Array.from({ length: 40 }, (_, i) =>
    wrap(
      kind,
      [3n, 0x8000000000000001n, 0x123456789abcdef0n, -7n, 1n << 32n, 0xffffffffn][i % 6]! * BigInt(i + 1) +
        BigInt(i >> 2),
    ),
  );

async function differences(text: string, from: TwoWayDialect, kind: Kind, S: number, oracle: Oracle): Promise<string> {
  const x = values(kind);
  const Columns = kind === "i64" ? BigInt64Array : BigUint64Array;
  const { buffers, diagnostics } = await simulate(text, {
    from,
    workgroups: [1],
    workgroupSize: [40, 1, 1],
    subgroupSize: S,
    args: { x: new Columns(x), y: new Columns(80) },
  });
  const errors = diagnostics.filter((d) => d.severity === "error");
  if (errors.length > 0) return errors[0]!.message;
  const y = buffers["y"] as BigInt64Array | BigUint64Array;
  for (let i = 0; i < 40; i++) {
    const start = i - (i % S);
    const mine = Array.from({ length: S }, (_, l) => (start + l < 40 ? x[start + l]! : 0n));
    for (const [part, active] of [
      mine.map((_, l) => start + l < 40),
      mine.map((v, l) => start + l < 40 && (v & 1n) === 1n),
    ].entries()) {
      if (!active[i - start]) continue;
      const want = oracle(i - start, { x: mine, active, S }, kind);
      if (want !== undefined && wrap(kind, want) !== y[2 * i + part])
        return `width ${S}, lane ${i}, ${part === 0 ? "all" : "odd"}: ${y[2 * i + part]}, not ${wrap(kind, want)}`;
    }
  }
  return "";
}

describe.each(["u64", "i64"] as const)("%s", (kind) => {
  test.each(cases)("$dialect $expression", async ({ dialect, expression, oracle }) => {
    const text = kernel(dialect, expression, kind);
    for (const S of [4, 32]) expect(await differences(text, dialect, kind, S, oracle), text).toBe("");
    for (const to of twoWayDialects) {
      if (to === dialect) continue;
      const { code, diagnostics } = await translate(text, { from: dialect, to, workgroupSize: [40, 1, 1] });
      expect(diagnostics.filter((d) => d.severity === "error").map((d) => d.message)).toEqual([]);
      for (const S of [4, 16, 64]) expect(await differences(code!, to, kind, S, oracle), code).toBe("");
    }
  });
});
