/**
 * Every row of the op table with operands that a dialect leaves open, in every dialect that has the function: a run with
 * such operands has a finding in its line, with others it has none, and where the dialect defines the result there is none
 * for the same operands. What is open stands here as the specifications have it, over plain numbers.
 */
import { describe, expect, test } from "vitest";
import { simulate, translate, type FindingKind, type SimulateResult } from "../../src/index.js";
import { sourceDialects, type TwoWayDialect } from "../../src/dialects/ids.js";
import type { NativeCell, OpRow } from "../../src/ops/row.js";
import { signatureOf } from "../../src/ops/spell.js";
import { typeOf } from "../../src/ops/signature.js";
import { allRows } from "../../src/ops/table.js";
import { matrix, shaped, type ScalarKind, type Type } from "../../src/types/types.js";

type Value = number | bigint;
const { abs } = Math;
const nan = (x: Value): boolean => x !== x;
const endless = (x: Value): boolean => abs(Number(x)) === Infinity;
const width = (kind: ScalarKind): number => Number(kind.slice(1));
const least = (kind: ScalarKind): bigint => -(1n << BigInt(width(kind) - 1));
const fits24 = (x: Value, kind: ScalarKind): boolean =>
  kind === "u32" ? x < 1n << 24n : x >= -(1n << 23n) && x < 1n << 23n;
const largest: Readonly<Record<string, number>> = { f16: 65504, f32: (2 - 2 ** -23) * 2 ** 127, f64: Number.MAX_VALUE };
const beyond = (offset: Value, bits: Value, kind: ScalarKind): boolean =>
  offset < 0n || bits < 0n || BigInt(offset) + BigInt(bits) > BigInt(width(kind));

/** Whether operands are left open in a dialect that leaves some open: of one component each; `kind` is that of the first. */
const componentwise: Readonly<Record<string, (args: readonly Value[], kind: ScalarKind, d: TwoWayDialect) => boolean>> =
  {
    // GLSL 4.60 8.1, 8.2; of asin and acos the HLSL reference as well.
    "math.sqrt_open": ([x]) => x! < 0,
    "math.rsqrt_open": ([x]) => x! <= 0,
    "math.log_open": ([x]) => x! <= 0,
    "math.log2_open": ([x]) => x! <= 0,
    "math.asin_open": ([x]) => abs(Number(x)) > 1,
    "math.acos_open": ([x]) => abs(Number(x)) > 1,
    "math.acosh_open": ([x]) => x! < 1,
    "math.atanh_open": ([x]) => abs(Number(x)) >= 1,
    "math.atan2_open": ([y, x]) => y === 0 && x === 0,
    "math.pow_open": ([x, y]) => x! < 0 || (x === 0 && y! <= 0),
    // The HLSL reference, and DXC for exponents that it knows; MSL 3.1 6.5.
    "math.pow_nan": ([x, y]) => (x! <= 0 && y === 0) || (x! < 0 && y === 2),
    "math.powr_open": ([x]) => x! < 0,
    "math.ilogb": ([x]) => x === 0 || endless(x!) || nan(x!),
    // GLSL 4.60 8.3: "too large to be represented", or an exponent above 128 or 1024.
    "math.ldexp_open": ([x, n], kind) =>
      n! > (kind === "f64" ? 1024 : 128) || (!endless(x!) && abs(times(Number(x), Number(n))) > largest[kind]!),
    "math.modf_open": ([x]) => endless(x!),
    "math.frexp_open": ([x]) => endless(x!) || nan(x!),
    "math.frexp_float": ([x]) => endless(x!) || nan(x!),
    // MSL 3.1 6.3.
    "math.abs": ([x], kind) => kind[0] === "i" && x === least(kind),
    // GLSL 4.60 8.3, MSL 3.1 6.5 (the fast variants), OpenCL C 3.0 6.15.4.
    "math.min": (xs) => xs.some(nan),
    "math.max": (xs) => xs.some(nan),
    // MSL 3.1 6.5: "if one of the values is NaN, the function can return either non-NaN value".
    "math.median3": (xs) =>
      xs.filter(nan).length === 1 &&
      new Set(
        xs
          .map(Number)
          .filter((x) => !nan(x))
          .map((x) => x + 0),
      ).size === 2,
    // GLSL 4.60 8.3, MSL 3.1 6.2 and 6.3, OpenCL C 3.0 6.15.3 and 6.15.4; of a NaN, GLSL and MSL's fast variant.
    "math.clamp": ([x, low, high], _, d) => low! > high! || (d !== "opencl" && (nan(x!) || nan(low!) || nan(high!))),
    "math.fclamp": ([, low, high]) => low! > high!,
    "geometry.smoothstep": ([low, high, x], _, d) =>
      low! >= high! || (d !== "glsl" && (nan(low!) || nan(high!) || nan(x!))),
    "geometry.mix_open": ([, , t]) => t! < 0 || t! > 1,
    // GLSL 4.60 8.8, MSL 3.1 6.3.
    "bits.extract": ([, offset, bits], kind) => beyond(offset!, bits!, kind),
    "bits.insert": ([, , offset, bits], kind) => beyond(offset!, bits!, kind),
    // OpenCL C 3.0 6.15.3, MSL 3.1 6.3.
    "bits.mul24": ([x, y], kind) => !fits24(x!, kind) || !fits24(y!, kind),
    "bits.mad24": ([x, y], kind) => !fits24(x!, kind) || !fits24(y!, kind),
  };
/** The same of all components of an operand together. */
const together: Readonly<Record<string, (x: readonly number[]) => boolean>> = {
  "geometry.normalize": (x) => x.every((c) => c === 0),
  "geometry.inverse": (m) => determinant(m) === 0,
};
/** In two steps, since 2^1100 is none of these numbers. */
const times = (x: number, n: number): number => x * 2 ** Math.trunc(n / 2) * 2 ** (n - Math.trunc(n / 2));

function determinant(m: readonly number[]): number {
  const n = Math.sqrt(m.length);
  if (n === 1) return m[0]!;
  return Array.from({ length: n }, (_, c) => {
    const minor = m.filter((_x, i) => Math.floor(i / n) !== c && i % n !== 0);
    return (c % 2 === 0 ? 1 : -1) * m[c * n]! * determinant(minor);
  }).reduce((a, b) => a + b, 0);
}

// ------------------------------------------------------------------ the rows, in families of one function

const openRows = allRows.filter((r) => r.open);
const baseOf = (r: OpRow): string => (r.variant && r.variant.in !== "accuracy" ? r.variant.of : r.id);
/** By the function that rows are variants of, the one whose operands are open. */
const familiesOf = new Map(openRows.map((r) => [baseOf(r), r]));
/** Rows that are not variants of one another and stand for one function: of numbers with an order, and of NaNs. */
const alsoOf: Readonly<Record<string, string>> = {
  "math.frexp_float": "math.frexp",
  "math.fclamp": "math.clamp",
  "math.fmin": "math.min",
  "math.fmax": "math.max",
};

interface Use {
  readonly row: OpRow;
  readonly dialect: TwoWayDialect;
  readonly name: string;
  readonly signature: string;
  readonly kind: ScalarKind;
  readonly size: number;
}

const types: Readonly<Record<TwoWayDialect, Readonly<Partial<Record<ScalarKind, readonly [string, string]>>>>> = {
  msl: names("f32 float f16 half i32 int u32 uint i16 short u16 ushort i8 char u8 uchar i64 long u64 ulong"),
  opencl: names(
    "f32 float f16 half f64 double i32 int u32 uint i16 short u16 ushort i8 char u8 uchar i64 long u64 ulong",
  ),
  hlsl: names("f32 float f16 float16_t f64 double i32 int u32 uint i16 int16_t u16 uint16_t i64 int64_t u64 uint64_t"),
  glsl: {
    ...names("f32 float i32 int u32 uint", "vec ivec uvec"),
    ...names("f16 float16_t f64 double", "f16vec dvec"),
    ...names("i16 int16_t u16 uint16_t i8 int8_t u8 uint8_t", "i16vec u16vec i8vec u8vec"),
    ...names("i64 int64_t u64 uint64_t", "i64vec u64vec"),
  },
};
function names(pairs: string, vectors?: string): Partial<Record<ScalarKind, readonly [string, string]>> {
  const words = pairs.split(" ");
  const many = vectors?.split(" ");
  return Object.fromEntries(
    words.flatMap((word, i) => (i % 2 === 0 ? [[word, [words[i + 1]!, many?.[i / 2] ?? words[i + 1]!]]] : [])),
  );
}
function typeName(d: TwoWayDialect, type: Type): string {
  if (type.kind === "matrix") return `${type.scalar === "f16" ? "f16" : ""}mat${type.columns}`;
  if (type.kind !== "scalar" && type.kind !== "vector") throw new Error(type.kind);
  const [one, many] = types[d][type.kind === "scalar" ? type.scalar : type.scalar]!;
  return type.kind === "scalar" ? one : `${many}${type.size}`;
}

const isMatrix = (row: OpRow): boolean => row.id === "geometry.inverse";

/** Every call that a dialect's cells of a row read: names, forms, kinds, scalars and one size of vector in turn. */
function usesOf(row: OpRow, dialect: TwoWayDialect): Use[] {
  const cells = row.cells[dialect].filter((c): c is NativeCell => c.kind === "native" && c.readsAs === undefined);
  return cells.flatMap((cell, at) =>
    cell.names.flatMap((name) =>
      (cell.signatures ?? [row.signature]).flatMap((signature) =>
        (cell.on ?? row.on).scalars
          .filter((kind) => types[dialect][kind] && row.on.scalars.includes(kind))
          // Where nothing is open of any operands there is nothing to see.
          .filter((kind) => (row.open ?? familyOfRow(row)!.open!).some((o) => o.on?.includes(kind) ?? true))
          // An earlier cell reads it.
          .filter(
            (kind) =>
              !cells.slice(0, at).some((c) => c.names.includes(name) && (c.on ?? row.on).scalars.includes(kind)),
          )
          .flatMap((kind, k) => {
            const sizes = (cell.on ?? row.on).sizes;
            const wide = sizes.filter((n) => n > 1);
            const chosen = isMatrix(row) ? [2, 3, 4] : [...sizes.filter((n) => n === 1), wide[(k + at) % wide.length]!];
            // With a scalar beside a vector.
            const mixed = /\bS\b/.test(signature.split("->")[0]!);
            return chosen
              .filter((size) => !mixed || size > 1)
              .map((size) => ({ row, dialect, name, signature, kind, size }));
          }),
      ),
    ),
  );
}

// ------------------------------------------------------------------ operands

const floatEdges = [0, -0, 1, -1, 0.5, -0.5, 2, -2, 3, Infinity, -Infinity, NaN, 1000, -1.5];
const edgesOf = (kind: ScalarKind): readonly Value[] => {
  if (kind === "f16") return [...floatEdges, 65504, 2 ** -24, 1 + 2 ** -10];
  if (kind === "f32") return [...floatEdges, 2 ** 100, 2 ** -149, -(2 ** -149), 1 + 2 ** -23, largest["f32"]!];
  if (kind === "f64") return [...floatEdges, 2 ** 1000, 2 ** -1074, 1 + 2 ** -52];
  const w = BigInt(width(kind));
  const signed = kind[0] === "i";
  const both = [0n, 1n, 2n, 5n, 8n, 31n, 32n, 33n, 64n, w - 1n, w, w + 1n];
  const ends = signed
    ? [-1n, -2n, least(kind), least(kind) + 1n, -least(kind) - 1n]
    : [(1n << w) - 1n, (1n << (w - 1n)) - 1n, 1n << (w - 1n)];
  const middle = w > 24n ? [8388607n, 8388608n, 16777215n, 16777216n, 1n << 30n] : [];
  const below = w > 24n && signed ? [-8388608n, -8388609n] : [];
  return [...new Set([...both, ...ends, ...middle, ...below])];
};
/** Exponents of `ldexp`, lengths and places of fields. */
const exponents = [0, 1, -1, 5, 16, 28, 100, 127, 128, 129, 1000, 1024, 1025, -126, -200, 2147483647].map(BigInt);

/** Numbers that follow one another without a pattern that operands share. */
function counter(seed: number): () => number {
  let x = (seed * 2654435761 + 1) >>> 0;
  return () => {
    x = (Math.imul(x ^ (x >>> 15), 2246822519) + 374761393) >>> 0;
    return x >>> 3;
  };
}

interface Line {
  /** By operand, its components. */
  readonly operands: readonly (readonly Value[])[];
  readonly open: boolean;
}

const linesOfUse = 28;

function parametersOf(u: Use): { readonly type: Type; readonly mode: string; readonly index: number }[] {
  const t = isMatrix(u.row) ? matrix(u.kind, u.size as 2, u.size as 2) : shaped(u.kind, u.size);
  return signatureOf(u.signature).parameters.map((p) => ({ type: typeOf(p.pattern, t), mode: p.mode, index: p.index }));
}
const count = (t: Type): number => (t.kind === "vector" ? t.size : t.kind === "matrix" ? t.columns * t.rows : 1);
const scalarKind = (t: Type): ScalarKind => (t as { scalar: ScalarKind }).scalar;

function linesOf(u: Use, open: OpRow): Line[] {
  const values = parametersOf(u).filter((p) => p.mode === "value");
  const next = counter(u.size * 31 + u.kind.charCodeAt(1) + u.name.length);
  const isOpen = (operands: readonly (readonly Value[])[]): boolean => {
    const whole = together[open.id];
    if (whole) return whole(operands[0]!.map(Number));
    const size = Math.max(...operands.map((o) => o.length));
    // The row's order, which a dialect's may differ from.
    const inOrder = values.map((_, i) => operands[values.findIndex((p) => p.index === i)]!);
    return Array.from({ length: size }, (_, c) => inOrder.map((o) => o[o.length === 1 ? 0 : c]!)).some((args) =>
      componentwise[open.id]!(args, u.kind, u.dialect),
    );
  };
  const pool = (i: number): readonly Value[] => {
    const kind = scalarKind(values[i]!.type);
    if (open.id === "math.ldexp_open" && i === 1) return exponents;
    return isMatrix(u.row) ? [0, 1, 2, -1, 0.5] : edgesOf(kind);
  };
  // Vectors of zeros, and numbers alone, in turn; of the rest half is open and half is not, as far as there is both.
  const found: Line[] = [];
  const wanted = (is: boolean): boolean => found.filter((l) => l.open === is).length < linesOfUse / 2;
  for (let tries = 0; tries < 4000 && (wanted(true) || wanted(false)); tries++) {
    const rare = tries % 3;
    const operands = values.map((p, i) => {
      const from = pool(i);
      const one = from[next() % from.length]!;
      return Array.from({ length: count(p.type) }, () => (rare === 0 ? one : from[next() % from.length]!));
    });
    if (values.length === 1 && count(values[0]!.type) === 1) operands[0] = [pool(0)[tries % pool(0).length]!];
    const is = isOpen(operands);
    if (wanted(is)) found.push({ operands, open: is });
    if (values.length === 1 && count(values[0]!.type) === 1 && tries >= pool(0).length) break;
  }
  return found;
}

// ------------------------------------------------------------------ kernels

type Operands = "buffers" | "literals" | "the place alone";

const frames: Readonly<Record<TwoWayDialect, (buffers: readonly string[], body: string) => string>> = {
  msl: (buffers, body) =>
    `#include <metal_stdlib>\nusing namespace metal;\nkernel void k(${buffers.map((t, i) => `device ${i === buffers.length - 1 ? "" : "const "}${t} *b${i} [[buffer(${i})]]`).join(", ")}) {\n${body}}\n`,
  opencl: (buffers, body) =>
    `#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n__kernel void k(${buffers.map((t, i) => `__global ${i === buffers.length - 1 ? "" : "const "}${t} *b${i}`).join(", ")}) {\n${body}}\n`,
  hlsl: (buffers, body) =>
    `${buffers.map((t, i) => (i === buffers.length - 1 ? `RWStructuredBuffer<${t}> b${i} : register(u${i});` : `StructuredBuffer<${t}> b${i} : register(t${i});`)).join("\n")}\n[numthreads(1, 1, 1)]\nvoid k() {\n${body}}\n`,
  glsl: (buffers, body) =>
    `#version 460\n${["8bit_storage", "16bit_storage", "shader_explicit_arithmetic_types"].map((e) => `#extension GL_EXT_${e} : require\n`).join("")}layout(local_size_x = 1) in;\n${buffers.map((t, i) => `layout(std430, binding = ${i}) ${i === buffers.length - 1 ? "" : "readonly "}buffer B${i} { ${t} b${i}[]; };`).join("\n")}\nvoid main() {\n${body}}\n`,
};

/** HLSL's buffers of narrow numbers are buffers of words. */
const wholeWords = (bytes: number): number => Math.max(16, Math.ceil(bytes / 4) * 4);

function bytesOf(kind: ScalarKind, values: readonly Value[]): Uint8Array {
  const size = width(kind) / 8;
  const bytes = new Uint8Array(wholeWords(values.length * size));
  const view = new DataView(bytes.buffer);
  values.forEach((x, i) => {
    if (kind === "f32") view.setFloat32(i * 4, Number(x), true);
    else if (kind === "f64") view.setFloat64(i * 8, Number(x), true);
    else if (kind === "f16") view.setUint16(i * 2, halfBits(Number(x)), true);
    else {
      const all = BigInt.asUintN(width(kind), BigInt(x));
      for (let b = 0; b < size; b++) bytes[i * size + b] = Number((all >> BigInt(8 * b)) & 255n);
    }
  });
  return bytes;
}
/** Of numbers that a half holds. */
function halfBits(x: number): number {
  const sign = x < 0 || Object.is(x, -0) ? 0x8000 : 0;
  const m = abs(x);
  if (x !== x) return 0x7e00;
  if (m === Infinity) return sign | 0x7c00;
  if (m < 2 ** -14) return sign | (m * 2 ** 24);
  const e = Math.floor(Math.log2(m));
  return sign | ((e + 15) << 10) | ((m / 2 ** e - 1) * 1024);
}

const cast = (d: TwoWayDialect, type: string, e: string): string =>
  d === "opencl" || d === "hlsl" ? `(${type})(${e})` : `${type}(${e})`;

function literalOf(d: TwoWayDialect, kind: ScalarKind, x: Value): string {
  const type = types[d][kind]![0];
  if (kind[0] === "f") {
    const digits = Object.is(x, -0) ? "-0.0" : /^-?\d+$/.test(String(x)) ? `${String(x)}.0` : String(x);
    return cast(d, type, kind === "f64" && d !== "opencl" ? `${digits}${d === "glsl" ? "lf" : "L"}` : digits);
  }
  const digits = BigInt.asUintN(width(kind), BigInt(x)).toString(16);
  return cast(d, type, `0x${digits}${width(kind) === 64 ? (d === "hlsl" ? "ull" : "ul") : "u"}`);
}

interface Kernel {
  readonly text: string;
  readonly args: Readonly<Record<string, Uint8Array>>;
  /** Lines of the text, from 1. */
  readonly open: readonly number[];
}

function kernelOf(u: Use, lines: readonly Line[], how: Operands): Kernel {
  const d = u.dialect;
  const parameters = parametersOf(u);
  const values = parameters.filter((p) => p.mode === "value");
  const data = values.map((): Value[] => []);
  const result = typeOf(
    signatureOf(u.signature).result,
    isMatrix(u.row) ? matrix(u.kind, u.size as 2, u.size as 2) : shaped(u.kind, u.size),
  );
  const place = parameters.find((p) => p.mode === "place" || p.mode === "pointer")?.type;
  const stored = how === "the place alone" ? place! : result;
  const components = (type: Type, name: string): string[] =>
    type.kind === "scalar"
      ? [name]
      : type.kind === "matrix"
        ? Array.from({ length: count(type) }, (_, i) => `${name}[${Math.floor(i / type.rows)}][${i % type.rows}]`)
        : Array.from({ length: count(type) }, (_, i) => `${name}.${"xyzw"[i]!}`);
  let at = 0;
  const body = lines.map(({ operands }, j) => {
    const taken = values.map((p, i) => {
      const parts = operands[i]!.map((x) => {
        if (how === "literals") return literalOf(d, scalarKind(p.type), x);
        return `b${i}[${data[i]!.push(x) - 1}]`;
      });
      const type = typeName(d, p.type);
      return parts.length === 1
        ? parts[0]!
        : d === "opencl"
          ? `(${type})(${parts.join(", ")})`
          : `${type}(${parts.join(", ")})`;
    });
    let value = 0;
    const written = parameters.map((p) =>
      p.mode === "value" ? taken[value++]! : p.mode === "pointer" ? `&w${j}` : `w${j}`,
    );
    const call = `${u.name}(${written.join(", ")})`;
    const places = place ? `${typeName(d, place)} w${j}; ` : "";
    const v = how === "the place alone" ? `w${j}` : `v${j}`;
    const kept = components(stored, v).map((c) => `b${values.length}[${at++}] = ${c};`);
    const computed = how === "the place alone" ? `${call};` : `${typeName(d, result)} v${j} = ${call};`;
    return `  ${places}${computed} ${kept.join(" ")}\n`;
  });
  const buffers = [...values.map((p) => scalarKind(p.type)), scalarKind(stored)];
  const text = frames[d](
    buffers.map((kind) => types[d][kind]![0]),
    body.join(""),
  );
  const before = text.slice(0, text.indexOf(body[0]!)).split("\n").length;
  return {
    text,
    args: Object.fromEntries([
      ...data.map((xs, i) => [`b${i}`, bytesOf(scalarKind(values[i]!.type), xs)] as const),
      [`b${values.length}`, new Uint8Array(wholeWords((at * width(scalarKind(stored))) / 8))] as const,
    ]),
    open: lines.flatMap((l, j) => (l.open ? [before + j] : [])),
  };
}

async function foundIn(
  text: string,
  from: TwoWayDialect,
  { args }: Kernel,
  asked: "all" | readonly FindingKind[] = "all",
): Promise<{ lines: number[]; kinds: string[] }> {
  const { findings, diagnostics } = await simulate(text, {
    from,
    workgroups: [1],
    workgroupSize: [1],
    findings: asked,
    args,
  });
  const errors = diagnostics.filter((x) => x.severity === "error");
  expect(
    errors.map((x) => `${x.message} (${x.location?.line})`),
    text,
  ).toEqual([]);
  return {
    lines: [...new Set(findings.map((f) => f.location!.line))].sort((a, b) => a - b),
    kinds: [...new Set(findings.map((f) => f.kind))],
  };
}

// ------------------------------------------------------------------ the tests

const familyOfRow = (r: OpRow): OpRow | undefined => {
  const own = familiesOf.get(baseOf(r)) ?? familiesOf.get(r.id);
  return own ?? [...familiesOf.values()].find((o) => alsoOf[o.id] === r.id || alsoOf[r.id] === o.id);
};
const allUses = allRows.flatMap((row) => {
  const open = row.open ? row : familyOfRow(row);
  if (!open) return [];
  return (sourceDialects as readonly TwoWayDialect[]).flatMap((d) =>
    usesOf(row, d).map((use) => ({
      use,
      open,
      isOpen: row.open?.some((o) => o.in[d] !== undefined && (o.on?.includes(use.kind) ?? true)) ?? false,
      what: `${row.id}: ${d} ${use.name}(${use.signature}) of ${use.kind}x${use.size}`,
    })),
  );
});

test("every row that leaves operands open has its condition here, and its dialects are asked", () => {
  const known = [...Object.keys(componentwise), ...Object.keys(together)].sort();
  expect(openRows.map((r) => r.id).sort()).toEqual(known);
  const asked = new Set(allUses.filter((x) => x.isOpen).map((x) => `${x.use.row.id} ${x.use.dialect}`));
  const claimed = openRows.flatMap((r) => r.open!.flatMap((o) => Object.keys(o.in).map((d) => `${r.id} ${d}`)));
  // GLSL's clamp is one that leaves NaNs open as well: what is said of this one holds of it as a target. OpenCL C has a
  // function for each sign of what comes out, which are asked next.
  expect(claimed.filter((c) => !asked.has(c)).sort()).toEqual(["bits.extract opencl", "math.fclamp glsl"]);
});

// OpenCL C 3.0 6.15.3.2, cl_khr_extended_bit_ops: undefined where offset and count together are beyond the width.
test.each(["signed", "unsigned"])("bitfield_extract_%s of OpenCL C", async (sign) => {
  const source = `kernel void k(global int *y, global uint *x) {
  uint i = get_global_id(0);
  y[i] = (int)bitfield_extract_${sign}(y[i], x[i], 8u);
}`;
  const args = (x: number[]): Record<string, Int32Array | Uint32Array> => ({
    y: Int32Array.from([0x7f00, 0x7f00]),
    x: Uint32Array.from(x),
  });
  const run = async (x: number[]): Promise<SimulateResult> =>
    simulate(source, { from: "opencl", workgroups: [1], workgroupSize: [2], args: args(x) });
  const inside = await run([8, 24]);
  expect(inside.diagnostics).toEqual([]);
  expect([inside.findings, [...(inside.buffers["y"] as Int32Array)]]).toEqual([[], [0x7f, 0]]);
  const beyond = await run([8, 25]);
  expect(beyond.findings.map((f) => [f.kind, f.location!.line, f.count])).toEqual([["undefined-arithmetic", 3, 1]]);
});

describe.each(sourceDialects as readonly TwoWayDialect[])("operands left open in %s", (d) => {
  test.each(allUses.filter((x) => x.use.dialect === d).map((x) => [x.what, x] as const))(
    "%s",
    async (_, { use, open, isOpen }) => {
      const lines = linesOf(use, open);
      const both = open.open!.some((o) => o.on?.includes(use.kind) ?? true);
      expect(new Set(lines.map((l) => l.open)).size, "operands of both sorts").toBe(both ? 2 : 1);
      const finite = (l: Line): boolean => l.operands.flat().every((x) => Number.isFinite(Number(x)));
      // Constants that are read as another op leave nothing open (test/oracles/hlsl-powers.test.ts).
      const literal = lines
        .filter((l) => finite(l) && use.size === 1)
        .map((l) => (use.row.whereKnown ? { ...l, open: false } : l));
      const places = parametersOf(use).some((p) => p.mode === "place" || p.mode === "pointer");
      const ways: (readonly [Operands, readonly Line[]])[] = [["buffers", lines]];
      if (literal.length > 0) ways.push(["literals", literal]);
      if (places) ways.push(["the place alone", lines]);
      for (const [how, given] of ways) {
        const kernel = kernelOf(use, given, how);
        const found = await foundIn(kernel.text, d, kernel);
        // The whole part of an infinity is an infinity.
        const none = !isOpen || (how === "the place alone" && use.row.id === "math.modf_open");
        expect({ how, lines: found.lines }, kernel.text).toEqual({ how, lines: none ? [] : kernel.open });
        if (found.lines.length > 0) expect(found.kinds).toEqual(["undefined-arithmetic"]);
        // Constants are folded before a run, but not where this alone is looked for.
        if (how === "literals") expect(await foundIn(kernel.text, d, kernel, ["undefined-arithmetic"])).toEqual(found);
      }
    },
  );
});

/** What the source defines, and operands that it does, rely on nothing that the target leaves open. */
describe.each(sourceDialects as readonly TwoWayDialect[])("operands defined in %s", (d) => {
  const others = (sourceDialects as readonly TwoWayDialect[]).filter((t) => t !== d);
  const cases = allUses
    .filter((x) => x.use.dialect === d)
    .map((x, i) => [x.what, others[i % others.length]!, x] as const)
    // MSL has no doubles; of the others' functions some have none of them.
    .filter(([, to, x]) => x.use.kind !== "f64" || to !== "msl");
  test.each(cases)("%s, to %s", async (_, to, { use, open, isOpen }) => {
    // GLSL 4.60 4.7.1 leaves open what becomes of a NaN.
    const unordered = (l: Line): boolean => d === "glsl" && l.operands.flat().some(nan);
    const lines = linesOf(use, open).filter((l) => (!isOpen || !l.open) && !unordered(l));
    const kernel = kernelOf(use, lines, "buffers");
    const { code, diagnostics } = await translate(kernel.text, { from: d, to, workgroupSize: [1, 1, 1] });
    if (code === undefined) {
      expect(diagnostics.map((x) => x.message).join("; "), kernel.text).toMatch(/double|frexp of float only/);
      return;
    }
    expect((await foundIn(code, to, kernel)).lines, code).toEqual([]);
  });
});
