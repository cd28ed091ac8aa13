/**
 * Kernels of the matrix: all cases of a dialect on one operand type, under one flow, each case a line of its own. Each
 * lane reads its operands from buffers and writes what it gets, so that nothing is left open but what the op leaves open.
 */
import type { TwoWayDialect } from "../../../src/dialects/ids.js";
import { casesOf, type Case, type ResultShape } from "./cases.js";
import { lanesInAll, maskWords, rounds, rowNames } from "./data.js";
import type { Kind } from "./reference.js";

/**
 * `divergent`: in turns of a loop that lanes leave at their own count, the calls stand in an if. `lazy`: there they stand
 * in operands of `&&` and `?:`, in cases of a switch and in functions of their own instead.
 */
export type Flow = "uniform" | "divergent" | "lazy";

export interface Shape {
  readonly kind: Kind;
  readonly size: number;
}

/** Where a case's results are: in `outT` in units of its elements, or in `outW` in words; one stretch per turn. */
export interface Placed {
  readonly case: Case;
  readonly buffer: "outT" | "outW";
  readonly at: number;
  /** Elements or words per lane. */
  readonly step: number;
  /** 1-based line of the text. */
  readonly line: number;
}

export interface Kernel {
  readonly dialect: TwoWayDialect;
  readonly shape: Shape;
  readonly flow: Flow;
  readonly text: string;
  readonly placed: readonly Placed[];
  readonly turns: number;
  readonly elements: number;
  readonly words: number;
}

const shapes = (text: string): readonly Shape[] =>
  text.split(" ").map((t) => {
    const [kind, size] = t.split("x");
    return { kind: kind as Kind, size: Number(size ?? 1) };
  });

/** Every scalar kind the dialect's cross-lane calls take, and every size with some of them. */
export const shapesOf: Readonly<Record<TwoWayDialect, readonly Shape[]>> = {
  msl: shapes("u32 f32 f16 i32 i16 u16 i8 u8 f32x4 u32x3 i32x2 f16x3 u8x4 i16x2"),
  glsl: shapes("u32 f32 f16 i32 i16 u16 i8 u8 i64 u64 f64 bool f32x2 u32x3 i32x4 f16x4 boolx2 i64x2"),
  opencl: shapes("u32 f32 f16 i32 i16 u16 i8 u8 i64 u64 f64 bool f32x4 u32x2 i32x3 u16x2"),
  hlsl: shapes("u32 f32 f16 i32 i16 u16 i64 u64 f64 bool f32x3 u32x4 i32x2 f16x2 boolx3"),
};

/** The shape whose kernels have the calls without T too. */
export const isPlainShape = ({ kind, size }: Shape): boolean => kind === "u32" && size === 1;

// ------------------------------------------------------------------ dialects

const scalarNames: Readonly<Record<TwoWayDialect, Readonly<Record<Kind, string>>>> = {
  msl: {
    bool: "bool",
    i8: "char",
    u8: "uchar",
    i16: "short",
    u16: "ushort",
    i32: "int",
    u32: "uint",
    i64: "long",
    u64: "ulong",
    f16: "half",
    f32: "float",
    f64: "double",
  },
  glsl: {
    bool: "bool",
    i8: "int8_t",
    u8: "uint8_t",
    i16: "int16_t",
    u16: "uint16_t",
    i32: "int",
    u32: "uint",
    i64: "int64_t",
    u64: "uint64_t",
    f16: "float16_t",
    f32: "float",
    f64: "double",
  },
  opencl: {
    bool: "int",
    i8: "char",
    u8: "uchar",
    i16: "short",
    u16: "ushort",
    i32: "int",
    u32: "uint",
    i64: "long",
    u64: "ulong",
    f16: "half",
    f32: "float",
    f64: "double",
  },
  hlsl: {
    bool: "bool",
    i8: "none",
    u8: "none",
    i16: "int16_t",
    u16: "uint16_t",
    i32: "int",
    u32: "uint",
    i64: "int64_t",
    u64: "uint64_t",
    f16: "float16_t",
    f32: "float",
    f64: "double",
  },
};
const glslVectors: Readonly<Record<Kind, string>> = {
  bool: "bvec",
  i8: "i8vec",
  u8: "u8vec",
  i16: "i16vec",
  u16: "u16vec",
  i32: "ivec",
  u32: "uvec",
  i64: "i64vec",
  u64: "u64vec",
  f16: "f16vec",
  f32: "vec",
  f64: "dvec",
};

function typeName(dialect: TwoWayDialect, { kind, size }: Shape): string {
  if (size === 1) return scalarNames[dialect][kind];
  return dialect === "glsl" ? `${glslVectors[kind]}${size}` : `${scalarNames[dialect][kind]}${size}`;
}

/** The type in buffers: bools are words. */
const storedName = (dialect: TwoWayDialect, kind: Kind): string => scalarNames[dialect][kind === "bool" ? "u32" : kind];

const made = (dialect: TwoWayDialect, shape: Shape, parts: readonly string[]): string =>
  shape.size === 1
    ? parts[0]!
    : dialect === "opencl"
      ? `(${typeName(dialect, shape)})(${parts.join(", ")})`
      : `${typeName(dialect, shape)}(${parts.join(", ")})`;

interface Frame {
  readonly before: (stored: string) => string;
  readonly after: string;
}

/** The extensions a call of GLSL needs, beyond those of its types. */
export const extensionsOf = ({ call, operands }: Case): string[] =>
  glslExtensions.flatMap(([pattern, e]) => (pattern.test(`${call} ${operands.join(" ")}`) ? [e] : []));

/** What a call needs, by its name. */
const glslExtensions: readonly (readonly [RegExp, string])[] = [
  [
    /gl_(?:Subgroup(?:Size|InvocationID|ID)|NumSubgroups)|\b(?:pick|low|next)\b|subgroupElect/,
    "GL_KHR_shader_subgroup_basic",
  ],
  [/subgroupA(?:ll|ny|llEqual)\(/, "GL_KHR_shader_subgroup_vote"],
  [/Mask|Ballot|subgroupBroadcast/, "GL_KHR_shader_subgroup_ballot"],
  [/subgroup(?:Inclusive|Exclusive)?(?:Add|Mul|Min|Max|And|Or|Xor)\(/, "GL_KHR_shader_subgroup_arithmetic"],
  [/subgroupShuffle(?:Xor)?\(/, "GL_KHR_shader_subgroup_shuffle"],
  [/subgroupShuffle(?:Up|Down)\(/, "GL_KHR_shader_subgroup_shuffle_relative"],
  [/subgroupClustered(?!Rotate)/, "GL_KHR_shader_subgroup_clustered"],
  [/subgroupQuad(?:Broadcast|Swap)/, "GL_KHR_shader_subgroup_quad"],
  [/subgroup(?:Clustered)?Rotate/, "GL_KHR_shader_subgroup_rotate"],
  [/InvocationsARB|anyInvocationARB|InvocationsEqualARB/, "GL_ARB_shader_group_vote"],
  [/InvocationsEXT|anyInvocationEXT|InvocationsEqualEXT/, "GL_EXT_shader_group_vote"],
  [/ballotARB|InvocationARB\(moved/, "GL_ARB_shader_ballot"],
  [/ballotARB/, "GL_EXT_shader_explicit_arithmetic_types_int64"],
  [/classmates|Partition/, "GL_NV_shader_subgroup_partitioned"],
  [/subgroupQuadA(?:ll|ny)/, "GL_EXT_shader_quad_control"],
];
/** What a kind needs beyond the core, for arithmetic, subgroup ops and buffers. */
const glslOf: Partial<Record<Kind, string>> = {
  f16: "float16",
  i16: "int16",
  u16: "int16",
  i8: "int8",
  u8: "int8",
  i64: "int64",
  u64: "int64",
};

function glslHead(kind: Kind, calls: string): string {
  const t = glslOf[kind];
  const extensions = [
    ...glslExtensions.flatMap(([call, extension]) => (call.test(calls) ? [extension] : [])),
    ...(t ? [`GL_EXT_shader_explicit_arithmetic_types_${t}`, `GL_EXT_shader_subgroup_extended_types_${t}`] : []),
  ];
  return extensions.map((e) => `#extension ${e} : require\n`).join("");
}

const frames: Readonly<Record<TwoWayDialect, (shape: Shape, size: number, calls: string) => Frame>> = {
  msl: (_shape, _size, calls) => ({
    before: (stored) => `#include <metal_stdlib>
using namespace metal;
kernel void k(device const ${stored} *xs [[buffer(0)]], device const uint *control [[buffer(1)]], device ${stored} *outT [[buffer(2)]], device uint *outW [[buffer(3)]],
              uint i [[thread_position_in_grid]]${mslParameters(calls)
                .map((p) => `,\n              ${p}`)
                .join("")}) {
`,
    after: "}\n",
  }),
  glsl: ({ kind }, size, calls) => ({
    before: (stored) => `#version 460
${glslHead(kind, calls)}layout(local_size_x = ${size}) in;
layout(std430, set = 0, binding = 0) readonly buffer Xs { ${stored} xs[]; };
layout(std430, set = 0, binding = 1) readonly buffer Control { uint control[]; };
layout(std430, set = 0, binding = 2) buffer OutT { ${stored} outT[]; };
layout(std430, set = 0, binding = 3) buffer OutW { uint outW[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
`,
    after: "}\n",
  }),
  opencl: ({ kind }, size) => ({
    before: (
      stored,
    ) => `${kind === "f16" ? "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n" : ""}__kernel __attribute__((reqd_work_group_size(${size}, 1, 1)))
void k(__global const ${stored} *xs, __global const uint *control, __global ${stored} *outT, __global uint *outW) {
  uint i = (uint)get_global_id(0);
`,
    after: "}\n",
  }),
  hlsl: (_shape, size) => ({
    before: (stored) => `StructuredBuffer<${stored}> xs : register(t0);
StructuredBuffer<uint> control : register(t1);
RWStructuredBuffer<${stored}> outT : register(u2);
RWStructuredBuffer<uint> outW : register(u3);
[numthreads(${size}, 1, 1)]
void k(uint3 id : SV_DispatchThreadID) {
  uint i = id.x;
`,
    after: "}\n",
  }),
};

/** The partition that partitioned calls get, made where they stand: the active lanes of this lane's class. */
const classmates: Partial<Record<TwoWayDialect, string>> = {
  glsl: "      uvec4 classmates = subgroupPartitionNV((control[i] >> 20u) & 3u);\n",
  hlsl: "      uint4 classmates = WaveMatch((control[i] >> 20u) & 3u);\n",
};

/** What MSL gives a kernel as parameters, and the names that use it. */
const mslParameters = (calls: string): string[] =>
  mslInputs.flatMap(([name, declared]) => (new RegExp(`\\b(?:${name})\\b`).test(calls) ? [declared] : []));
const mslInputs = [
  ["lane|pick|low|next", "uint lane [[thread_index_in_simdgroup]]"],
  ["lanes|pick", "uint lanes [[threads_per_simdgroup]]"],
  ["own", "uint own [[simdgroup_index_in_threadgroup]]"],
  ["groups", "uint groups [[simdgroups_per_threadgroup]]"],
] as const;

/** The lane and the number of lanes of a subgroup. */
const laneNames: Readonly<Record<TwoWayDialect, readonly [string, string]>> = {
  msl: ["lane", "lanes"],
  glsl: ["gl_SubgroupInvocationID", "gl_SubgroupSize"],
  opencl: ["get_sub_group_local_id()", "get_max_sub_group_size()"],
  hlsl: ["WaveGetLaneIndex()", "WaveGetLaneCount()"],
};

const resultType = (dialect: TwoWayDialect, shape: Shape, result: ResultShape): string => {
  switch (result) {
    case "T":
      return typeName(dialect, shape);
    case "boolT":
      return typeName(dialect, { kind: "bool", size: shape.size });
    case "bool":
      return scalarNames[dialect].bool;
    case "u32":
      return "uint";
    case "vote":
      return scalarNames[dialect].u64;
    case "mask":
      return typeName(dialect, { kind: "u32", size: 4 });
  }
};

export const wordsOf = (result: ResultShape, shape: Shape): number =>
  ({ T: shape.size, boolT: shape.size, bool: 1, u32: 1, vote: 2, mask: 4 })[result];

const truth = (dialect: TwoWayDialect, e: string): string => (dialect === "opencl" ? `${e} != 0` : e);
const parts = (name: string, n: number): string[] =>
  n === 1 ? [name] : ["x", "y", "z", "w"].slice(0, n).map((c) => `${name}.${c}`);

function stores(dialect: TwoWayDialect, shape: Shape, placed: Omit<Placed, "line">): string {
  const { result } = placed.case;
  const target = (c: number): string => `${placed.buffer}[${placed.at}u + b * ${placed.step}u + ${c}u]`;
  const bool = result === "bool" || result === "boolT" || (result === "T" && shape.kind === "bool");
  const values =
    result === "vote"
      ? dialect === "glsl"
        ? ["uint(r)", "uint(r >> 32)"]
        : ["(uint)r", "(uint)(r >> 32)"]
      : parts("r", placed.step).map((p) => (bool ? `${truth(dialect, p)} ? 1u : 0u` : p));
  return values.map((v, c) => `${target(c)} = ${v};`).join(" ");
}

/** The variables that the cases name. */
function variables(dialect: TwoWayDialect, shape: Shape, used: ReadonlySet<string>): string {
  const element = (row: number, c: number): string => {
    const e = `xs[(${row * lanesInAll}u + i) * ${shape.size}u + ${c}u]`;
    return shape.kind === "bool" ? `${e} != 0u` : e;
  };
  const type = typeName(dialect, shape);
  const lines = rowNames.map((name, row) => {
    const values = Array.from({ length: shape.size }, (_, c) => element(row, c));
    return [name, `${type} ${name} = ${made(dialect, shape, values)};`] as const;
  });
  const n = lanesInAll;
  const bool = scalarNames[dialect].bool;
  const [lane, lanes] = laneNames[dialect];
  const words = maskWords.map((_, w) => `control[${n + 1 + w}u]`);
  const all = [
    ...lines,
    ["flag", `${bool} flag = ((control[i] >> 16u) & 1u) != 0u;`],
    ["u", `uint u = control[${n}u];`],
    [
      "mask",
      `${typeName(dialect, { kind: "u32", size: 4 })} mask = ${made(dialect, { kind: "u32", size: 4 }, words)};`,
    ],
    ["pick", `uint pick = (${lane} * 5u + 3u) & (${lanes} - 1u);`],
    ["low", `uint low = ${lane} & 3u;`],
    ["next", `uint next = (${lane} + 1u) & 3u;`],
  ] as const;
  return all.flatMap(([name, line]) => (used.has(name) ? [`  ${line}\n`] : [])).join("");
}

/** Whether the dialect has the call on a type. */
function takes(c: Case, shape: Shape): boolean {
  if (c.on === undefined) return isPlainShape(shape);
  return c.on.includes(shape.kind) && (c.sizes ?? [1, 2, 3, 4]).includes(shape.size);
}

export function casesFor(dialect: TwoWayDialect, shape: Shape, flow: Flow): readonly Case[] {
  return casesOf[dialect].filter(
    (c) =>
      takes(c, shape) &&
      !(flow !== "uniform" && c.uniformOnly === true) &&
      // A partition is made by the lanes that then use it.
      !(flow === "lazy" && c.operands.includes("classmates")),
  );
}

/** Where a call stands in lazy flow: its statement, with `act` for the lanes that come, and the function it is in. */
function lazily(
  dialect: TwoWayDialect,
  shape: Shape,
  c: Case,
  k: number,
): { readonly statement: string; readonly helper?: string } {
  const type = resultType(dialect, shape, c.result);
  if (c.result === "vote") return { statement: `${type} r = 0; if (act) r = ${c.call};` };
  const other =
    c.result === "T" ? rowNames.find((row) => c.operands.includes(row)) : c.result === "u32" ? "0u" : undefined;
  if (c.result === "bool" && k % 2 === 0) return { statement: `${type} r = act && ${c.call};` };
  if (other !== undefined && k % 3 === 0) return { statement: `${type} r = act ? ${c.call} : ${other};` };
  if (other !== undefined && k % 3 === 1)
    return {
      statement: `${type} r = ${other}; switch (act ? 1 : 0) { case 1: r = ${c.call}; break; default: break; }`,
    };
  const types: readonly (readonly [string, string])[] = [
    ...rowNames.map((row) => [row, typeName(dialect, shape)] as const),
    ["flag", scalarNames[dialect].bool],
    ...["u", "pick", "low", "next", "lane", "lanes", "own", "groups"].map((n) => [n, "uint"] as const),
    ...["mask", "classmates"].map((n) => [n, typeName(dialect, { kind: "u32", size: 4 })] as const),
  ];
  const given = types.filter(([name]) => new RegExp(`\\b${name}\\b`).test(c.call));
  const name = `call${k}`;
  return {
    statement: `if (act) r${k} = ${name}(${given.map(([n]) => n).join(", ")}); ${type} r = r${k};`,
    helper: `${type} ${name}(${given.map(([n, t]) => `${t} ${n}`).join(", ")}) { return ${c.call}; }\n`,
  };
}

/** The kernel of some cases. */
export function kernelOf(dialect: TwoWayDialect, shape: Shape, flow: Flow, cases: readonly Case[]): Kernel {
  const turns = flow === "uniform" ? 1 : rounds;
  const used = new Set(cases.flatMap((c) => c.operands));
  const calls = cases.map((c) => `${c.call} ${c.operands.join(" ")}`).join(" ");
  const { before, after } = frames[dialect](shape, lanesInAll, calls);
  const lazy = cases.map((c, k) => (flow === "lazy" ? lazily(dialect, shape, c, k) : undefined));
  // Functions stand before the kernel, behind what the file begins with.
  const start = before(storedName(dialect, shape.kind));
  const kernelAt = start.search(/^(?:kernel|__kernel|void|\[numthreads)/m);
  const helpers = lazy.map((l) => l?.helper ?? "");
  const firstHelper = start.slice(0, kernelAt).split("\n").length;
  const head = start.slice(0, kernelAt) + helpers.join("") + start.slice(kernelAt) + variables(dialect, shape, used);
  const opening =
    flow === "uniform"
      ? "  uint b = i;\n"
      : `  uint trips = (control[i] >> 8u) & 3u;
  for (uint j = 0u; j < trips; j++) {
${
  flow === "lazy"
    ? `    { ${scalarNames[dialect].bool} act = ((control[i] >> j) & 1u) != 0u;\n`
    : "    if (((control[i] >> j) & 1u) != 0u) {\n"
}      uint b = j * ${lanesInAll}u + i;
`;
  const classes = used.has("classmates") ? (classmates[dialect] ?? "") : "";
  const closing = flow === "uniform" ? "" : "    }\n  }\n";
  let elements = 0;
  let words = 0;
  let line = (head + opening + classes).split("\n").length;
  const placed: Placed[] = [];
  let body = "";
  cases.forEach((c, k) => {
    const step = wordsOf(c.result, shape);
    const inT = c.result === "T";
    const place = { case: c, buffer: inT ? "outT" : "outW", at: inT ? elements : words, step } as const;
    if (inT) elements += step * lanesInAll * turns;
    else words += step * lanesInAll * turns;
    const own = lazy[k];
    const type = resultType(dialect, shape, c.result);
    const helperLine = firstHelper + helpers.slice(0, k).filter((h) => h !== "").length;
    placed.push({ ...place, line: own?.helper ? helperLine : line });
    body += own
      ? `    { ${own.helper ? `${type} r${k}; ` : ""}${own.statement} if (act) { ${stores(dialect, shape, place)} } }\n`
      : `    { ${type} r = ${c.call}; ${stores(dialect, shape, place)} }\n`;
    line++;
  });
  const text = head + opening + classes + body + closing + after;
  // Buffers have at least one element.
  return {
    dialect,
    shape,
    flow,
    text,
    placed,
    turns,
    elements: Math.max(elements, 1),
    words: Math.max(words, 1),
  };
}

export const shapeName = ({ kind, size }: Shape): string => (size === 1 ? kind : `${kind}x${size}`);
