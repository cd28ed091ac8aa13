/**
 * Integer functions and operators at every width, against whole numbers: a kernel of a dozen of them on edge values and
 * random ones, in its own dialect, in every translation, and in the translation back.
 */
import { simulate, translate } from "../../src/index.js";
import { twoWayDialects, type TwoWayDialect } from "../../src/dialects/ids.js";
import { random, type Random } from "../mutants/mutate.js";
import { judgeable, judgeOutputs, judges } from "../support/judges/outputs.js";
import {
  integerRows,
  operandNames,
  typeName,
  typeOf,
  widths,
  type IntegerRow,
  type IntegerType,
} from "./integer-rows.js";
import type { FuzzFailure, FuzzOutcome, FuzzSuite } from "./suite.js";

const lanesOfKernel = 8;
const rowsPerKernel = 10;

/** One call with the operands of each lane and what it gives, in the order they lie in the buffers. */
export interface Use {
  readonly row: IntegerRow;
  readonly operands: readonly (readonly (readonly bigint[])[])[];
  readonly results: readonly (readonly (readonly bigint[])[])[];
}

export interface IntegerCase {
  readonly dialect: TwoWayDialect;
  readonly type: IntegerType;
  readonly uses: readonly Use[];
  readonly lanes: number;
  readonly text: string;
  readonly source: Uint32Array;
  readonly expected: Uint32Array;
  /** The use a word of the result is of. */
  readonly useOf: readonly Use[];
}

const wordsOf = (t: IntegerType): number => (t.bits === 64 ? 2 : 1);

function operand(next: Random, t: IntegerType): bigint {
  const bits = BigInt(t.bits);
  const raw = (): bigint => {
    const form = Math.floor(next() * 8);
    let x = 0n;
    for (let i = 0; i < 4; i++) x = (x << 16n) | BigInt(Math.floor(next() * 65536));
    if (form === 0) return BigInt(Math.floor(next() * 5)) - 2n;
    if (form === 1) return (1n << (bits - 1n)) + BigInt(Math.floor(next() * 3)) - 1n;
    if (form === 2) return (1n << BigInt(Math.floor(next() * t.bits))) + BigInt(Math.floor(next() * 3)) - 1n;
    if (form === 3) return -(1n << BigInt(Math.floor(next() * t.bits))) + BigInt(Math.floor(next() * 3)) - 1n;
    if (form === 4) return BigInt(Math.floor(next() * (t.bits + 2)));
    if (form === 5) return x >> BigInt(Math.floor(next() * 64));
    return x;
  };
  return t.signed ? BigInt.asIntN(t.bits, raw()) : BigInt.asUintN(t.bits, raw());
}

/** Operands of one lane the dialect gives a result for. */
function operandsFor(next: Random, row: IntegerRow, t: IntegerType, d: TwoWayDialect): bigint[][] | undefined {
  const types = row.operands.map((code) => typeOf(code, t));
  const shared = types.map((x) => operand(next, x));
  const component = (): bigint[] | undefined => {
    for (let tries = 0; tries < 400; tries++) {
      // Small numbers are defined nearly everywhere.
      const xs = types.map((x, i) =>
        x.size === 1 && t.size > 1 ? shared[i]! : tries > 200 ? BigInt(Math.floor(next() * 8)) : operand(next, x),
      );
      if (row.defined?.(xs, t, d) ?? true) return xs;
      if (types.some((x) => x.size === 1) && t.size > 1)
        types.forEach((x, i) => (shared[i] = tries > 200 ? BigInt(Math.floor(next() * 8)) : operand(next, x)));
    }
    return undefined;
  };
  // One component may change what all share: those before it are drawn again.
  for (let tries = 0; tries < 50; tries++) {
    const columns = Array.from({ length: t.size }, component);
    if (columns.some((c) => c === undefined)) return undefined;
    const good = columns.every((c) => types.every((x, i) => !(x.size === 1 && t.size > 1) || c![i] === shared[i]));
    if (good) return types.map((x, i) => Array.from({ length: x.size }, (_, c) => columns[c]![i]!));
  }
  return undefined;
}

function resultsOf(
  row: IntegerRow,
  operands: readonly (readonly bigint[])[],
  t: IntegerType,
  d: TwoWayDialect,
): readonly (readonly bigint[])[] {
  if (row.whole) return row.whole(operands, t, d);
  const columns = Array.from({ length: t.size }, (_, c) =>
    row.each!(
      operands.map((xs) => xs[xs.length === 1 ? 0 : c]!),
      t,
      d,
    ),
  );
  return row.results.map((_, r) => columns.map((column) => column[r]!));
}

const toWords = (t: IntegerType, x: bigint): number[] => {
  const all = BigInt.asUintN(64, x);
  return t.bits === 64 ? [Number(all & 0xffffffffn), Number(all >> 32n)] : [Number(all & 0xffffffffn)];
};

function loaded(d: TwoWayDialect, t: IntegerType, at: number): string {
  const word = (k: number): string => `src[i * STRIDE_IN + ${String(k)}]`;
  const one: IntegerType = { ...t, size: 1 };
  const cast = (text: string, type: IntegerType): string =>
    d === "opencl" || d === "hlsl" ? `(${typeName(d, type)})(${text})` : `${typeName(d, type)}(${text})`;
  const big: IntegerType = { bits: 64, signed: false, size: 1 };
  const component = (c: number): string => {
    if (t.bits < 64) return cast(word(at + c), one);
    return cast(`(${cast(word(at + 2 * c + 1), big)} << 32) | ${cast(word(at + 2 * c), big)}`, one);
  };
  const parts = Array.from({ length: t.size }, (_, c) => component(c)).join(", ");
  return t.size === 1 ? parts : d === "opencl" ? `(${typeName(d, t)})(${parts})` : `${typeName(d, t)}(${parts})`;
}

function stored(d: TwoWayDialect, t: IntegerType, name: string, at: number): string[] {
  const cast = (text: string): string => (d === "opencl" || d === "hlsl" ? `(uint)(${text})` : `uint(${text})`);
  return Array.from({ length: t.size }, (_, c) => {
    const x = t.size === 1 ? name : `${name}.${"xyzw"[c]!}`;
    const to = (k: number): string => `dst[i * STRIDE_OUT + ${String(at + c * wordsOf(t) + k)}]`;
    return t.bits === 64 ? [`${to(0)} = ${cast(x)};`, `${to(1)} = ${cast(`${x} >> 32`)};`] : [`${to(0)} = ${cast(x)};`];
  }).flat();
}

const frames: Readonly<Record<TwoWayDialect, (body: readonly string[], lanes: number) => string>> = {
  msl: (body) =>
    `#include <metal_stdlib>\nusing namespace metal;\nkernel void k(device const uint *src [[buffer(0)]], device uint *dst [[buffer(1)]], uint i [[thread_position_in_grid]]) {\n${body.join("\n")}\n}\n`,
  glsl: (body, lanes) =>
    [
      "#version 450",
      ...["int8", "int16", "int32", "int64"].map(
        (w) => `#extension GL_EXT_shader_explicit_arithmetic_types_${w} : require`,
      ),
      `layout(local_size_x = ${String(lanes)}) in;`,
      "layout(std430, binding = 0) readonly buffer A { uint src[]; };",
      "layout(std430, binding = 1) buffer B { uint dst[]; };",
      `void main() {\n  uint i = gl_GlobalInvocationID.x;\n${body.join("\n")}\n}\n`,
    ].join("\n"),
  opencl: (body) =>
    `__kernel void k(__global const uint *src, __global uint *dst) {\n  uint i = (uint)get_global_id(0);\n${body.join("\n")}\n}\n`,
  hlsl: (body, lanes) =>
    `StructuredBuffer<uint> src : register(t0);\nRWStructuredBuffer<uint> dst : register(u1);\n[numthreads(${String(lanes)}, 1, 1)]\nvoid k(uint3 id : SV_DispatchThreadID) {\n  uint i = id.x;\n${body.join("\n")}\n}\n`,
};

/** A value written out; hexadecimal, since the least number has no decimal literal. */
export function constantOperands(d: TwoWayDialect, t: IntegerType, values: readonly bigint[]): string {
  const one: IntegerType = { ...t, size: 1 };
  const digits = (x: bigint): string =>
    `0x${BigInt.asUintN(t.bits, x).toString(16)}${t.bits === 64 ? (d === "hlsl" ? "ull" : "ul") : "u"}`;
  const cast = (text: string): string =>
    d === "opencl" || d === "hlsl" ? `(${typeName(d, one)})${text}` : `${typeName(d, one)}(${text})`;
  const parts = values.map((x) => cast(digits(x))).join(", ");
  return t.size === 1 ? parts : d === "opencl" ? `(${typeName(d, t)})(${parts})` : `${typeName(d, t)}(${parts})`;
}

function kernelOf(d: TwoWayDialect, t: IntegerType, uses: readonly Use[], constants: boolean): IntegerCase {
  const lanes = constants ? 1 : lanesOfKernel;
  const body: string[] = [];
  const useOf: Use[] = [];
  const [sources, results] = [
    Array.from({ length: lanes }, (): number[] => []),
    Array.from({ length: lanes }, (): number[] => []),
  ];
  let [at, out] = [0, 0];
  for (const use of uses) {
    const names = operandNames(use.row);
    body.push(`  { // ${use.row.name}`);
    use.row.operands.forEach((code, o) => {
      const type = typeOf(code, t);
      const value = constants ? constantOperands(d, type, use.operands[0]![o]!) : loaded(d, type, at);
      body.push(`    ${constants ? "const " : ""}${typeName(d, type)} ${names[o]!} = ${value};`);
      use.operands.forEach((lane, l) => sources[l]!.push(...lane[o]!.flatMap((x) => toWords(type, x))));
      at += type.size * wordsOf(type);
    });
    const types = use.row.results.map((code) => typeOf(code, t));
    types.forEach((type, r) => body.push(`    ${typeName(d, type)} r${String(r)};`));
    body.push(`    ${use.row.in[d]!(names, t)}`);
    types.forEach((type, r) => {
      body.push(...stored(d, type, `r${String(r)}`, out).map((line) => `    ${line}`));
      use.results.forEach((lane, l) => results[l]!.push(...lane[r]!.flatMap((x) => toWords(type, x))));
      const count = type.size * wordsOf(type);
      for (let w = 0; w < count; w++) useOf.push(use);
      out += count;
    });
    body.push("  }");
  }
  const strided = body.map((line) =>
    line.replaceAll("STRIDE_IN", `${String(at)}u`).replaceAll("STRIDE_OUT", `${String(out)}u`),
  );
  return {
    dialect: d,
    type: t,
    uses,
    lanes,
    text: frames[d](strided, lanes),
    source: Uint32Array.from(sources.flat()),
    expected: Uint32Array.from(results.flat()),
    useOf,
  };
}

/** The combinations of dialect, width, sign and size, in an order that mixes them. */
const combinations = twoWayDialects.flatMap((d) =>
  widths[d].flatMap((bits) =>
    [true, false].flatMap((signed) => [1, 2, 3, 4].map((size) => ({ dialect: d, type: { bits, signed, size } }))),
  ),
);

/** Some of the rows there are for a type, each with defined operands for some lanes. */
export function usesOf(next: Random, dialect: TwoWayDialect, type: IntegerType, count: number, lanes: number): Use[] {
  const rows = integerRows.filter((r) => r.in[dialect] && (r.on?.(type, dialect) ?? true));
  const chosen = new Set<IntegerRow>();
  while (chosen.size < Math.min(count, rows.length)) chosen.add(rows[Math.floor(next() * rows.length)]!);
  return [...chosen].flatMap((row): Use[] => {
    const operands = Array.from({ length: lanes }, () => operandsFor(next, row, type, dialect));
    if (operands.some((o) => o === undefined)) return [];
    const given = operands as bigint[][][];
    return [{ row, operands: given, results: given.map((o) => resultsOf(row, o, type, dialect)) }];
  });
}

export function caseOf(seed: number, { constants = false } = {}): IntegerCase {
  const next = random(seed);
  for (let i = 0; i < 10; i++) next();
  const { dialect, type } = combinations[(seed * 37) % combinations.length]!;
  return kernelOf(dialect, type, usesOf(next, dialect, type, rowsPerKernel, constants ? 1 : lanesOfKernel), constants);
}

export const show = (t: IntegerType): string =>
  `${t.signed ? "i" : "u"}${String(t.bits)}${t.size > 1 ? `x${String(t.size)}` : ""}`;

/** What is wrong with the words that came, a line for each use. */
export function wrongWords(c: IntegerCase, got: Uint32Array): string[] {
  const stride = c.useOf.length;
  const said = new Set<Use>();
  const lines: string[] = [];
  for (let w = 0; w < c.expected.length; w++) {
    const use = c.useOf[w % stride]!;
    if (got[w] === c.expected[w] || said.has(use)) continue;
    said.add(use);
    const lane = Math.floor(w / stride);
    const list = (xs: readonly (readonly bigint[])[]): string =>
      xs.map((x) => (x.length === 1 ? String(x[0]) : `{${x.join(", ")}}`)).join(", ");
    lines.push(
      `${use.row.name} of ${show(c.type)} (${list(use.operands[lane]!)}): ${list(use.results[lane]!)}, a word is ${String(got[w])} for ${String(c.expected[w])}`,
    );
  }
  return lines;
}

export async function simulated(
  c: IntegerCase,
  text: string,
  from: TwoWayDialect,
): Promise<{ words?: Uint32Array; problems: string[] }> {
  const { buffers, findings, diagnostics } = await simulate(text, {
    from,
    workgroups: [1],
    workgroupSize: [c.lanes],
    seed: 1,
    findings: "all",
    args: { src: c.source.slice(), dst: new Uint32Array(c.expected.length) },
  });
  const errors = diagnostics
    .filter((x) => x.severity === "error")
    .map((x) => `${x.code} ${x.message}${x.location ? ` (line ${String(x.location.line)})` : ""}`);
  const words = buffers["dst"] as Uint32Array | undefined;
  const lines = text.split("\n");
  return {
    ...(words ? { words } : {}),
    problems: [
      ...errors,
      ...findings.map((f) => `finding ${f.kind}: ${f.message} at ${lines[(f.location?.line ?? 1) - 1]?.trim() ?? ""}`),
    ],
  };
}

export interface Written {
  readonly dialect: TwoWayDialect;
  readonly text: string;
}

/** The case's own text and its translations; where a target refuses what its types lack, there is none. */
export async function textsOf(c: IntegerCase): Promise<{ texts: Written[]; problems: string[] }> {
  const texts: Written[] = [{ dialect: c.dialect, text: c.text }];
  const problems: string[] = [];
  for (const to of twoWayDialects) {
    if (to === c.dialect) continue;
    const { code, diagnostics } = await translate(c.text, { from: c.dialect, to, workgroupSize: [c.lanes, 1, 1] });
    if (code === undefined)
      problems.push(
        ...diagnostics
          .filter((x) => x.severity === "error")
          .map((x) => `to ${to}: ${x.code} ${x.message} (line ${String(x.location?.line)})`),
      );
    else texts.push({ dialect: to, text: code });
  }
  return { texts, problems };
}

async function run(seed: number, cases: number): Promise<FuzzOutcome> {
  const failures: FuzzFailure[] = [];
  const judged: {
    readonly seed: number;
    readonly dialect: TwoWayDialect;
    readonly text: string;
    readonly from: TwoWayDialect;
  }[] = [];
  for (let s = seed; s < seed + cases; s++) {
    const c = caseOf(s);
    const { texts, problems } = await textsOf(c);
    const fail = (what: string, text: string): void => void failures.push({ seed: s, what, text });
    for (const p of problems) fail(`${c.dialect} ${show(c.type)}: ${p}`, c.text);
    for (const { dialect, text } of texts) {
      const where = dialect === c.dialect ? dialect : `${c.dialect} to ${dialect}`;
      const ran = await simulated(c, text, dialect);
      for (const p of ran.problems) fail(`${where} ${show(c.type)}: ${p}`, text);
      for (const line of ran.words ? wrongWords(c, ran.words) : []) fail(`${where}: ${line}`, text);
      judged.push({ seed: s, dialect, text, from: c.dialect });
    }
  }
  const verdicts = await judgeOutputs(judged.map((j) => judgeable(j.dialect, `${String(j.seed)}`, j.text)));
  verdicts.forEach((v, i) => {
    const j = judged[i]!;
    if (!v.ok)
      failures.push({
        seed: j.seed,
        what: `${j.from === j.dialect ? j.dialect : `${j.from} to ${j.dialect}`}: ${judges[j.dialect].tool}: ${v.log
          .split("\n")
          .filter((l) => /error/i.test(l))
          .slice(0, 2)
          .join("; ")}`,
        text: j.text,
      });
  });
  return { cases, failures };
}

export const integerFunctions: FuzzSuite = {
  name: "integer-functions",
  about:
    "integer functions and operators of every dialect and width, and their translations, against whole numbers; the texts against the compilers",
  sample: { seed: 1, cases: 24 },
  missing: () => [...new Set(Object.values(judges).flatMap((j) => j.missing()))],
  run,
};
