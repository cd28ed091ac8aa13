/**
 * bfloat of MSL (3.1 section 2.1): the upper half of a float. What kernels leave in memory is worked out here with whole numbers
 * alone: every finite bfloat is a multiple of 2^-133. Other targets have it as 16-bit integers and floats; their compilers take
 * the translations, which leave the same bytes. GLSL's `bfloat16_t` (GL_EXT_bfloat16) is the same type, only stored and converted.
 */
import { describe, expect, test } from "vitest";
import { reflect, simulate, translate, type SourceDialect } from "../src/index.js";
import { readLiteral } from "../src/sema/literals.js";
import { bf16Bits, bf16FromBits, roundBF16 } from "../src/types/numeric.js";
import { judgeOutputs, judges, refusals, type Judgeable } from "./support/judges/outputs.js";
import { judgeTest } from "./support/tool-test.js";
import { problemsOf } from "./sema/support.js";

const metal = "#include <metal_stdlib>\nusing namespace metal;\n";
const targets: readonly SourceDialect[] = ["msl", "glsl", "opencl", "hlsl"];

// ------------------------------------------------------------------ arithmetic of whole numbers

const inf = 0x7f80;
const nan = 0x7fc0;
const isNaN16 = (bits: number): boolean => (bits & 0x7fff) > inf;

/** A finite bfloat in units of 2^-133. */
function units(bits: number): bigint {
  const exponent = (bits >> 7) & 255;
  const fraction = BigInt(bits & 127);
  const magnitude = exponent === 0 ? fraction : (128n + fraction) << BigInt(exponent - 1);
  return bits & 0x8000 ? -magnitude : magnitude;
}

/** The bfloat nearest to n / d units, ties to even; `negative` is the sign of a zero. */
function nearest(n: bigint, d: bigint, negative = n < 0n !== d < 0n): number {
  const [a, b] = [n < 0n ? -n : n, d < 0n ? -d : d];
  const sign = negative ? 0x8000 : 0;
  const bits = (a / b).toString(2).length;
  const dropped = BigInt(Math.max(0, bits - 8));
  const unit = b << dropped;
  let r = a / unit;
  const twice = 2n * (a - r * unit);
  if (twice > unit || (twice === unit && r % 2n === 1n)) r++;
  // A carry into the next power of two carries into the exponent.
  const pattern = dropped === 0n && r < 128n ? Number(r) : Number(r) - 128 + (Number(dropped) + 1) * 128;
  return sign | Math.min(pattern, inf);
}

type Operation = (a: number, b: number) => number;
const isInfinite = (x: number): boolean => (x & 0x7fff) === inf;
const isZero = (x: number): boolean => (x & 0x7fff) === 0;
const one = units(0x3f80);

const add: Operation = (a, b) => {
  if (isNaN16(a) || isNaN16(b)) return nan;
  if (isInfinite(a)) return isInfinite(b) && a !== b ? nan : a;
  if (isInfinite(b)) return b;
  const sum = units(a) + units(b);
  return nearest(sum, 1n, sum === 0n ? (a & b & 0x8000) !== 0 : sum < 0n);
};
const subtract: Operation = (a, b) => add(a, isNaN16(b) ? b : b ^ 0x8000);
const multiply: Operation = (a, b) => {
  const sign = (a ^ b) & 0x8000;
  if (isNaN16(a) || isNaN16(b)) return nan;
  if (isInfinite(a) || isInfinite(b)) return isZero(a) || isZero(b) ? nan : sign | inf;
  return nearest(units(a) * units(b), one, sign !== 0);
};
const divide: Operation = (a, b) => {
  const sign = (a ^ b) & 0x8000;
  if (isNaN16(a) || isNaN16(b)) return nan;
  if (isInfinite(a)) return isInfinite(b) ? nan : sign | inf;
  if (isInfinite(b)) return sign;
  if (isZero(b)) return isZero(a) ? nan : sign | inf;
  return nearest(units(a) * one, units(b), sign !== 0);
};

const value = (bits: number): number =>
  isNaN16(bits) ? NaN : isInfinite(bits) ? (bits & 0x8000 ? -1 : 1) * Infinity : Number(units(bits)) * 2 ** -133;

/** Numbers of a generator, the same each time (Numerical Recipes). */
function random(seed: number): () => number {
  let x = seed;
  return () => (x = (Math.imul(x, 1664525) + 1013904223) >>> 0) >>> 8;
}

const edges = [0, 1, 2, 0x7f, 0x80, 0x81, 0x3f7f, 0x3f80, 0x3f81, 0x4000, 0x7f7e, 0x7f7f, inf, nan, 0x0100, 0x4b7f];
const pairs: readonly (readonly [number, number])[] = (() => {
  const next = random(7);
  const signed = edges.flatMap((e) => [e, e | 0x8000]);
  const of = signed.flatMap((a) => signed.map((b) => [a, b] as const));
  // Of like size, so that sums round; of any; and near the smallest, where few digits are left.
  for (let i = 0; i < 3000; i++) {
    const a = next() & 0xffff;
    of.push([a, (a ^ 0x8000) + (next() & 0x7ff) - 0x400 < 0 ? 1 : (a ^ (next() & 0x87ff)) & 0xffff]);
    of.push([next() & 0xffff, next() & 0xffff]);
    of.push([0x1f00 + (next() & 0xff), 0x1f00 + (next() & 0x1ff)]);
    of.push([next() & 0x1ff, 0x3e00 + (next() & 0x3ff)]);
  }
  return of;
})();

// ------------------------------------------------------------------ running

const halves = (list: readonly number[]): Uint16Array => Uint16Array.from(list);

interface Launch {
  readonly lanes: number;
  readonly groups?: number;
  readonly args: Readonly<Record<string, Uint8Array>>;
}

const bytesOf = (data: ArrayBufferView): Uint8Array => new Uint8Array(data.buffer, data.byteOffset, data.byteLength);

async function left(
  text: string,
  from: SourceDialect,
  name: string,
  launch: Launch,
  width: number,
): Promise<Uint8Array> {
  const { buffers, findings, diagnostics } = await simulate(text, {
    from,
    workgroups: [launch.groups ?? 1],
    workgroupSize: [launch.lanes],
    subgroupSize: width,
    args: Object.fromEntries(Object.entries(launch.args).map(([key, data]) => [key, data.slice()])),
  });
  const wrong = [...findings, ...diagnostics.filter((d) => d.severity === "error")].map((d) => d.message);
  expect(wrong, text).toEqual([]);
  return bytesOf(buffers[name] as Uint8Array);
}

const texts: Judgeable[] = [];
const judged = (dialect: SourceDialect, name: string, text: string): Judgeable =>
  dialect === "msl"
    ? { dialect, name, text, options: { version: "3.1" } }
    : dialect === "hlsl"
      ? { dialect, name, text, options: { native16Bit: true } }
      : { dialect, name, text };

/** The same bytes from the source and from each translation, at two widths. */
async function same(
  name: string,
  source: string,
  output: string,
  launch: Launch,
  expected: Uint8Array,
  among = targets,
  from: SourceDialect = "msl",
): Promise<void> {
  // glslang has GL_EXT_bfloat16 since version 15, and the one of the judges is older.
  if (from !== "glsl") texts.push(judged(from, name, source));
  for (const width of [4, 32])
    expect(await left(source, from, output, launch, width), `${name}\n${source}`).toEqual(expected);
  for (const to of among) {
    const { code, diagnostics } = await translate(source, {
      from,
      to,
      workgroupSize: [launch.lanes, 1, 1],
      ...(to === "msl" ? { profile: "msl3.1" } : {}),
    });
    expect(diagnostics.filter((d) => d.severity === "error").map((d) => d.message)).toEqual([]);
    if (from !== "glsl" || to !== "glsl") texts.push(judged(to, `${name}, to ${to}`, code!));
    for (const width of [4, 32])
      expect(await left(code!, to, output, launch, width), `${name}, to ${to}\n${code}`).toEqual(expected);
  }
}

// ------------------------------------------------------------------ numbers

describe("bfloat as numbers", () => {
  test("each pattern is the upper half of a float", () => {
    const view = new DataView(new ArrayBuffer(4));
    for (let bits = 0; bits < 0x10000; bits++) {
      view.setUint32(0, bits << 16);
      const x = bf16FromBits(bits);
      expect(Object.is(x, view.getFloat32(0))).toBe(true);
      expect(Object.is(x, value(bits)) || (isZero(bits) && x === 0)).toBe(true);
      expect(bf16Bits(x)).toBe(isNaN16(bits) ? nan : bits);
      expect(Object.is(roundBF16(x), x)).toBe(true);
    }
  });

  test("doubles are rounded once, ties to even", () => {
    for (let bits = 0; bits < inf; bits++) {
      const [low, high] = [value(bits), bits + 1 === inf ? 2 ** 128 : value(bits + 1)];
      const middle = (low + high) / 2;
      const [below, above] = [middle * (1 - 2 ** -52), middle * (1 + 2 ** -52)];
      const [down, up] = [bits, bits + 1];
      for (const sign of [0, 0x8000]) {
        const round = (x: number): number => bf16Bits(roundBF16(sign ? -x : x));
        expect([round(below), round(middle), round(above)]).toEqual([
          down | sign,
          (bits & 1 ? up : down) | sign,
          up | sign,
        ]);
      }
    }
  });

  test("literals are rounded from their digits", () => {
    const bits = (text: string): unknown => {
      const read = readLiteral("msl", { kind: "literal", form: "float", text, span: { start: 0, end: 0 } } as never);
      return "value" in read ? [read.kind, bf16Bits(read.value as number)] : read;
    };
    expect(bits("1.5bf")).toEqual(["bf16", 0x3fc0]);
    expect(bits("0x1.8p1bf")).toEqual(["bf16", 0x4040]);
    expect(bits("1e-3BF")).toEqual(["bf16", nearest(units(0x3f80), 1000n)]);
    // Halfway between 1 and the next, 1 + 2^-7; a digit that no double tells apart decides.
    expect(bits("1.00390625bf")).toEqual(["bf16", 0x3f80]);
    expect(bits("1.00390625000000000000000001bf")).toEqual(["bf16", 0x3f81]);
    expect(bits("1.01171875bf")).toEqual(["bf16", 0x3f82]);
    expect(bits("1.01171874999999999999999999bf")).toEqual(["bf16", 0x3f81]);
    expect(bits("3.3895313892515355e38bf")).toEqual(["bf16", 0x7f7f]);
    expect(bits("3.4e38bf")).toEqual({ problem: "'3.4e38bf' is beyond the range of its type" });
  });
});

// ------------------------------------------------------------------ kernels

describe("bfloat16_t of GLSL", () => {
  const head = `#version 450
#extension GL_EXT_bfloat16 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 8) in;
layout(std430, binding = 0) buffer O { float o[]; };
layout(std430, binding = 1) buffer B { bfloat16_t b[]; };
layout(std430, binding = 2) readonly buffer V { bf16vec4 v[]; };
`;
  const rounded = (x: number): number => value(nearest(BigInt(x * 1024) << 123n, 1n));
  const lanes = Array.from({ length: 8 }, (_, i) => i);
  const bits = (x: number): number => bf16Bits(rounded(x));

  test("is stored, converted, and made of bits", async () => {
    // glslang 16 takes it.
    const source = `${head}struct S { bfloat16_t x; bf16vec3 v; };
layout(std430, binding = 3) buffer T { S t[]; };
layout(std430, binding = 4) buffer W { uint16_t w[]; };
const bfloat16_t third = bfloat16_t(1.0 / 3.0);
shared bf16vec2 tile[8];
bfloat16_t pick(bf16vec4 x, int k) { return x[k & 3]; }
void put(inout bfloat16_t x, float y) { x = bfloat16_t(y); }
float of(float x) { return x; }
float of(bfloat16_t x) { return float(x) + 0 * of(1.0); }
void main() {
  uint i = gl_LocalInvocationID.x;
  tile[i] = bf16vec2(b[i], i + 257u);
  barrier();
  bf16vec2 other = tile[i ^ 1u].yx;
  bfloat16_t a = i > 3u ? b[i] : pick(v[i], int(i));
  put(t[i].x, 1.0078125 * float(i));
  t[i].v = bf16vec3(other, a);
  t[i].v.zx = bf16vec2(257, third);
  bfloat16_t two[2] = bfloat16_t[](a, uintBitsToBFloat16EXT(uint16_t(0x4049)));
  w[i] = bfloat16BitsToUintEXT(two[i & 1u]);
  float sum = a;
  sum += other.x;
  b[i] = bfloat16_t(sum);
  S s = t[i];
  o[i] = sum + of(b[i]) * 2 + float(int(other.y)) + vec2(other).x + float(s.x) * 8 + dot(vec3(s.v), vec3(1, 4, 1));
}`;
    const given = lanes.map((i) => i * 1.5);
    const launch: Launch = {
      lanes: 8,
      args: {
        o: new Uint8Array(32),
        b: bytesOf(halves(given.map(bits))),
        v: bytesOf(halves(Array.from({ length: 32 }, (_, i) => bits(i)))),
        t: new Uint8Array(128),
        w: new Uint8Array(16),
      },
    };
    const third = value(nearest(one, 3n));
    const made = lanes.map((i) => {
      const [x, y] = [rounded((i ^ 1) + 257), given[i ^ 1]!];
      const a = i > 3 ? given[i]! : 5 * i;
      const s = { x: rounded(i * 1.0078125), sum: third + y * 4 + rounded(257) };
      const stored = rounded(a + x);
      return {
        b: bits(a + x),
        w: i & 1 ? 0x4049 : bits(a),
        o: a + x + stored * 2 + Math.trunc(y) + x + s.x * 8 + s.sum,
      };
    });
    const run = (output: string, expected: Uint8Array): Promise<void> =>
      same("bfloat16_t", source, output, launch, expected, targets, "glsl");
    await run("o", bytesOf(Float32Array.from(made.map((m) => m.o))));
    await run("b", bytesOf(halves(made.map((m) => m.b))));
    await run("w", bytesOf(halves(made.map((m) => m.w))));
  });

  test("doubles are rounded once, ties to even", async () => {
    const source = `${head}layout(std430, binding = 3) readonly buffer D { double d[]; };
void main() { uint i = gl_LocalInvocationID.x; b[i] = bfloat16_t(d[i]); }`;
    const cases = [1, 0x3f80, 0x3f81, 0x7f7f].flatMap((low) => {
      const middle = (value(low) + (low + 1 === inf ? 2 ** 128 : value(low + 1))) / 2;
      const [below, above] = [middle * (1 - 2 ** -52), middle * (1 + 2 ** -52)];
      return [below, middle, above].map((x, i): [number, number] => [x, [low, low + (low & 1), low + 1][i]!]);
    });
    cases.push([1.5, 0x3fc0], [0, 0], [Infinity, inf], [1e-300, 0]);
    for (const sign of [1, -1])
      for (const half of [cases.slice(0, 8), cases.slice(8)]) {
        const d = bytesOf(Float64Array.from(half.map(([x]) => sign * x)));
        const expected = bytesOf(halves(half.map(([, bits]) => bits | (sign < 0 ? 0x8000 : 0))));
        const launch: Launch = {
          lanes: 8,
          args: { o: new Uint8Array(32), b: new Uint8Array(16), v: new Uint8Array(64), d },
        };
        await same("doubles", source, "b", launch, expected, ["opencl", "hlsl"], "glsl");
      }
  });

  test.each([
    // As glslang 16 has it, but for `a += b`, which it takes.
    ["float c = a + 1.0;", "XL2004 '+' does not take bfloat16_t"],
    ["bool c = a == a;", "XL2004 '==' does not take bfloat16_t"],
    ["bvec2 c = bvec2(v < v);", "XL2004 '<' does not take bf16vec2"],
    ["vec2 c = v * 2.0;", "XL2004 '*' does not take bf16vec2"],
    ["a += a;", "XL2004 '+=' does not take bfloat16_t"],
    ["float c = float(-a);", "XL2004 '-' does not take bfloat16_t"],
    ["a++;", "XL2004 '++' does not take bfloat16_t"],
    ["a = 1.0;", "XL2003 the value is float and does not convert to bfloat16_t"],
    ["bool c = bool(a);", "XL2003 bfloat16_t cannot be cast to bool"],
    ["a = bfloat16_t(true);", "XL2003 bool cannot be cast to bfloat16_t"],
    ["float16_t c = a;", "XL2003 the initialiser is bfloat16_t and does not convert to float16_t"],
    // glslang takes these, as functions of floats or doubles.
    ["float c = sin(a);", "XL1900 sin of bfloat16_t is not supported yet"],
    ["a = dot(v, v);", "XL1900 dot of bf16vec2 is not supported yet"],
  ])("%s", async (statement, message) => {
    const source = `${head}void main() { bfloat16_t a = b[0]; bf16vec2 v = bf16vec2(a); ${statement} }`;
    const { diagnostics } = await translate(source, { from: "glsl", to: "msl" });
    expect(diagnostics.filter((d) => d.severity === "error").map((d) => `${d.code} ${d.message}`)).toEqual([message]);
  });
});

describe("bfloat in kernels", () => {
  test("floats are rounded to nearest even", async () => {
    const source = `${metal}kernel void k(device const uint *x [[buffer(0)]], device bfloat *y [[buffer(1)]], device float *z [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  y[i] = bfloat(as_type<float>(x[i]));
  z[i] = y[i];
}`;
    // Each bfloat, the tie after it, and its neighbours.
    const given: number[] = [];
    const expected: number[] = [];
    const put = (float: number, bits: number): void => void (given.push(float >>> 0), expected.push(bits));
    for (let bits = 0; bits < inf; bits += 5)
      for (const sign of [0, 0x8000]) {
        const base = ((bits | sign) << 16) >>> 0;
        const up = (bits + 1) | sign;
        put(base, bits | sign);
        put(base | 0x7fff, bits | sign);
        put(base | 0x8000, bits & 1 ? up : bits | sign);
        put(base | 0x8001, up);
        put(base | 0xffff, up);
      }
    for (const quiet of [0x7fc00000, 0x7f800001, 0xffffffff, 0xff80ffff, 0x7fffffff]) put(quiet, nan);
    put(0x7f800000, inf);
    put(0xff800000, inf | 0x8000);
    put(0x7f7fffff, inf);
    while (given.length % 64 !== 0) put(0, 0);
    const launch: Launch = {
      lanes: 64,
      groups: given.length / 64,
      args: {
        x: bytesOf(Uint32Array.from(given)),
        y: new Uint8Array(given.length * 2),
        z: new Uint8Array(given.length * 4),
      },
    };
    // Which NaN comes out of a conversion is open.
    const canonical = (bytes: Uint8Array): number[] =>
      [...new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2)].map((b) => (isNaN16(b) ? nan : b));
    expect(canonical(await left(source, "msl", "y", launch, 32))).toEqual(expected);
    for (const to of ["glsl", "opencl", "hlsl"] as const) {
      const { code } = await translate(source, { from: "msl", to, workgroupSize: [64, 1, 1] });
      texts.push(judged(to, `rounding, to ${to}`, code!));
      expect(canonical(await left(code!, to, "y", launch, 32)), code!).toEqual(expected);
      const wide = await left(code!, to, "z", launch, 32);
      const floats = [...new Uint32Array(wide.buffer, wide.byteOffset, wide.length / 4)];
      const same = floats.every((f, i) =>
        isNaN16(expected[i]!) ? (f & 0x7fffffff) > 0x7f800000 : f >>> 16 === expected[i]!,
      );
      expect(same && floats.every((f, i) => isNaN16(expected[i]!) || (f & 0xffff) === 0)).toBe(true);
    }
  });

  const operators: readonly (readonly [string, Operation])[] = [
    ["a + b", add],
    ["a - b", subtract],
    ["a * b", multiply],
    ["a / b", divide],
  ];
  const listed = pairs.slice(0, Math.floor(pairs.length / 64) * 64);
  const operands = {
    x: bytesOf(halves(listed.map(([a]) => a))),
    y: bytesOf(halves(listed.map(([, b]) => b))),
  };
  const pairwise: Launch = {
    lanes: 64,
    groups: listed.length / 64,
    args: { ...operands, r: new Uint8Array(listed.length * 2) },
  };

  for (const [expression, operation] of operators) {
    const assigned = `${expression[2]}=`;
    // As an operator, with an assignment, and by component. A NaN is written as one pattern.
    const bodies = [
      `bfloat v = ${expression};`,
      `bfloat v = a; v ${assigned} b;`,
      `bfloat3 w = bfloat3(b, a, b); bfloat v = (bfloat3(a) ${expression[2]} w).z;`,
    ];
    for (const [form, body] of bodies.entries())
      test(`${expression} rounds once (${["operator", "assignment", "vectors"][form]})`, async () => {
        const source = `${metal}kernel void k(device const bfloat *x [[buffer(0)]], device const bfloat *y [[buffer(1)]], device bfloat *r [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  bfloat a = x[i], b = y[i];
  ${body}
  r[i] = isnan(v) ? as_type<bfloat>(ushort(${nan})) : v;
}`;
        await same(expression, source, "r", pairwise, bytesOf(halves(listed.map(([a, b]) => operation(a, b)))));
      });
  }

  test("comparisons, signs and conversions to bool", async () => {
    const source = `${metal}kernel void k(device const bfloat *x [[buffer(0)]], device const bfloat *y [[buffer(1)]], device ushort *r [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  bfloat a = x[i], b = y[i];
  ushort f = (a < b ? 1 : 0) + (a <= b ? 2 : 0) + (a == b ? 4 : 0) + (a != b ? 8 : 0) + (a > b ? 16 : 0) + (bool(a) ? 32 : 0) + (!b ? 64 : 0);
  f += (isnan(a) ? 128 : 0) + (isinf(b) ? 256 : 0) + (isfinite(a) ? 512 : 0) + (isnormal(b) ? 1024 : 0) + (signbit(a) ? 2048 : 0);
  bool2 both = bfloat2(a, b) < bfloat2(b, a);
  f += (both.y ? 4096 : 0) + (isunordered(a, b) ? 8192 : 0);
  if (!isnan(b)) f += as_type<ushort>(-b) == (as_type<ushort>(b) ^ 0x8000) ? 16384 : 0;
  r[i] = f;
}`;
    const flags = ([p, q]: readonly [number, number]): number => {
      const [a, b] = [value(p), value(q)];
      const set = [a < b, a <= b, a === b, a !== b, a > b, a !== 0, b === 0, a !== a];
      const more = [
        isInfinite(q),
        Number.isFinite(a),
        !isInfinite(q) && !isNaN16(q) && (q & 0x7fff) >= 0x80,
        (p & 0x8000) !== 0,
        b < a,
        a !== a || b !== b,
        !isNaN16(q),
      ];
      return [...set, ...more].reduce((sum, on, i) => sum + (on ? 2 ** i : 0), 0);
    };
    // The sign of a NaN is open.
    const plain = listed
      .map(([a, b]) => [a === (nan | 0x8000) ? nan : a, b] as const)
      .filter(([a]) => !isNaN16(a) || a === nan);
    const cut = plain.slice(0, Math.floor(plain.length / 64) * 64);
    const launch: Launch = {
      lanes: 64,
      groups: cut.length / 64,
      args: {
        x: bytesOf(halves(cut.map(([a]) => a))),
        y: bytesOf(halves(cut.map(([, b]) => b))),
        r: new Uint8Array(cut.length * 2),
      },
    };
    await same("comparisons", source, "r", launch, bytesOf(halves(cut.map(flags))));
  });

  test("integers are rounded once, and floats are cut off", async () => {
    const wide: bigint[] = [0n, 1n, -1n, 255n, 256n, 257n, 258n, 259n, -257n, -259n, 1n << 63n, (1n << 63n) - 1n];
    for (let n = 8n; n < 63n; n++)
      for (const d of [0n, 1n << (n > 8n ? n - 8n : 0n), 3n << (n > 8n ? n - 8n : 0n)])
        for (const rest of [-1n, 0n, 1n]) wide.push((1n << n) + d + rest, -((1n << n) + d + rest));
    while (wide.length % 32 !== 0) wide.push(BigInt(wide.length));
    const longs = BigInt64Array.from(wide);
    const source = `${metal}kernel void k(device const long *x [[buffer(0)]], device bfloat *r [[buffer(1)]], device int *n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  long v = x[i];
  r[i * 8] = bfloat(v);
  r[i * 8 + 1] = bfloat(ulong(v));
  r[i * 8 + 2] = int(v);
  r[i * 8 + 3] = uint(v);
  r[i * 8 + 4] = short(v);
  r[i * 8 + 5] = uchar(v);
  bfloat2 two = bfloat2(int2(int(v), -7));
  r[i * 8 + 6] = two.x;
  r[i * 8 + 7] = bfloat(half(short(v) & 2047));
}`;
    const of = (v: bigint): number => nearest(v * one, 1n, v < 0n);
    const expected = wide.flatMap((v) => {
      const int = BigInt.asIntN(32, v);
      return [
        of(BigInt.asIntN(64, v)),
        of(BigInt.asUintN(64, v)),
        of(int),
        of(BigInt.asUintN(32, v)),
        of(BigInt.asIntN(16, v)),
        of(BigInt.asUintN(8, v)),
        of(int),
        of(BigInt.asUintN(11, v)),
      ];
    });
    const launch: Launch = {
      lanes: 32,
      groups: wide.length / 32,
      args: { x: bytesOf(longs), r: new Uint8Array(wide.length * 16), n: new Uint8Array(4) },
    };
    await same("integers", source, "r", launch, bytesOf(halves(expected)));
    const back = `${metal}kernel void k(device const bfloat *x [[buffer(0)]], device int *n [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  n[i] = int(x[i]) + short(x[i]) * 1000;
  int c = 5; c += x[i]; n[i] += c * 1000000;
}`;
    // 2.5, -2.5, 100, -0.99: toward zero; 5 + x rounds to bfloat before it is cut off: 105 has 7 digits.
    const given = halves([0x4020, 0xc020, 0x42c8, 0xbf7d]);
    const cut = Int32Array.of(7002002, 1997998, 105100100, 4000000);
    await same("cut off", back, "n", { lanes: 4, args: { x: bytesOf(given), n: new Uint8Array(16) } }, bytesOf(cut));
  });

  test("structs have its bytes at their offsets, and workgroup memory, helpers and templates take it", async () => {
    // a 0, v 4, p 8 (6 bytes, aligned to 2), q 16 (bfloat3: 8), f 24, arr 28, c 34: 40 bytes to the next.
    const source = `${metal}
struct S { bfloat a; bfloat2 v; packed_bfloat3 p; bfloat3 q; float f; bfloat arr[3]; char c; };
template <typename T> static T next(T x) { return x + T(1); }
static void step(threadgroup bfloat *w, uint i, thread bfloat &sum) { sum += w[i ^ 1]; }
static bool isSame(bfloat) { return true; }
static bool isSame(half) { return false; }
constant bfloat table[2] = {1.5bf, -2.0bf};
kernel void k(device S *s [[buffer(0)]], uint i [[thread_position_in_grid]], uint l [[thread_position_in_threadgroup]]) {
  threadgroup bfloat w[4];
  w[l] = s[i].a;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  S t = s[i];
  bfloat sum = next<bfloat>(t.a);
  step(w, l, sum);
  t.a = sum;
  t.v = t.v.yx * table[l & 1];
  t.q = bfloat3(t.p) + bfloat3(table[0]);
  t.p = packed_bfloat3(t.q.zyx);
  auto x = t.v.x;
  t.f = x * 2.0f;
  device bfloat *p = s[i].arr;
  p[1] = p[0];
  *(p + 2) = isSame(p[0]) ? as_type<bfloat>(as_type<ushort2>(t.f).y) : 0;
  t.arr[0] = s[i].arr[0];
  t.arr[1] = s[i].arr[1]++;
  t.arr[2] = s[i].arr[2];
  t.c = sizeof(bfloat) + alignof(bfloat4);
  s[i] = t;
}`;
    const at = (x: number): number => nearest(BigInt(Math.round(x * 2 ** 20)) * one, 1n << 20n);
    const row = (a: number, v: number[], p: number[], c: number, q: number[], f: number, arr: number[]): number[] => {
      const bytes = new Uint8Array(40);
      const view = new DataView(bytes.buffer);
      const put = (offset: number, list: readonly number[]): void =>
        list.forEach((x, j) => view.setUint16(offset + 2 * j, at(x), true));
      put(0, [a]);
      put(4, v);
      put(8, p);
      bytes[34] = c;
      put(16, q);
      view.setFloat32(24, f, true);
      put(28, arr);
      return [...bytes];
    };
    const before = [0, 1, 2, 3].flatMap((i) => row(i + 0.5, [i, 2], [1, 2, 3], 0, [9, 9, 9], 7, [4, 5, 6]));
    const after = [0, 1, 2, 3].flatMap((i) => {
      const factor = i % 2 ? -2 : 1.5;
      const f = 4 * factor;
      return row(i + 1.5 + ((i ^ 1) + 0.5), [2 * factor, i * factor], [4.5, 3.5, 2.5], 10, [2.5, 3.5, 4.5], f, [
        4,
        4,
        f,
      ]);
    });
    // Padding is copied with what it lies beside, or not: only members are compared.
    const members = (bytes: Uint8Array): number[] =>
      [...bytes].filter((_, i) => ![2, 3, 14, 15, 22, 23, 35, 36, 37, 38, 39].includes(i % 40));
    const launch: Launch = { lanes: 4, args: { s: Uint8Array.from(before) } };
    texts.push(judged("msl", "structs", source));
    for (const width of [4, 32])
      expect(members(await left(source, "msl", "s", launch, width))).toEqual(members(Uint8Array.from(after)));
    for (const to of targets) {
      const { code, diagnostics } = await translate(source, { from: "msl", to, workgroupSize: [4, 1, 1] });
      expect(diagnostics.filter((d) => d.severity === "error").map((d) => d.message)).toEqual([]);
      texts.push(judged(to, `structs, to ${to}`, code!));
      for (const width of [4, 32])
        expect(members(await left(code!, to, "s", launch, width)), code!).toEqual(members(Uint8Array.from(after)));
    }
    const { entries } = await reflect(source, { from: "msl" });
    const leaves = entries[0]!.arguments[0]!.leaves!.map((l) => `${l.path} ${l.type} ${l.offset}`);
    expect(leaves.slice(0, 4)).toEqual(["a bf16 0", "v[0] bf16 4", "v[1] bf16 6", "p[0] bf16 8"]);
  });

  test("matrices are columns", async () => {
    const source = `${metal}
typedef matrix<bfloat, 2, 3> bfloat2x3;
struct M { bfloat a; bfloat2x3 m; };
static void widen(device const bfloat2x3 *src, thread float2x3 &to) { to = float2x3(*src); }
kernel void k(device const bfloat2x3 *x [[buffer(0)]], device M *r [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  float2x3 wide;
  widen(x + i, wide);
  bfloat2x3 m = bfloat2x3(wide * 0.5f);
  m[1].z += 1.0bf;
  r[i].m = m;
  r[i].m[0] = x[i][1];
  r[i].a = m[1][2];
}`;
    // Columns of three are 8 bytes apart; a lies before the matrix, which is aligned to 8.
    const given = halves([0x3f80, 0x4000, 0x4040, 0, 0x4080, 0x40a0, 0x40c0, 0]);
    const expected = halves([0x4080, 0, 0, 0, 0x4080, 0x40a0, 0x40c0, 0, 0x4000, 0x4020, 0x4080, 0]);
    await same(
      "matrices",
      source,
      "r",
      { lanes: 1, args: { x: bytesOf(given), r: new Uint8Array(24) } },
      bytesOf(expected),
    );
  });

  test("launch values are numbers, rounded", async () => {
    const source = `${metal}kernel void k(constant bfloat &b [[buffer(0)]], constant bfloat2 &v [[buffer(1)]], device float *y [[buffer(2)]]) { y[0] = b; y[1] = v.x; y[2] = v.y; }`;
    const { buffers } = await simulate(source, {
      from: "msl",
      workgroups: [1],
      workgroupSize: [1],
      args: { b: 1.00390625, v: [1.01171875, -3], y: new Float32Array(3) },
    });
    expect([...(buffers.y as Float32Array)]).toEqual([1, 1.015625, -3]);
  });

  test("constants are worked out, and written as their bits", async () => {
    // 0.1 is 0x3dcd (205 * 2^-11); three times that 615 * 2^-11, of which 8 digits are 154 * 2^-9: 0x3e9a.
    const source = `${metal}
constant bfloat base = 0.1bf;
constant bfloat table[3] = {base * 3, bfloat(1 << 25), -base};
kernel void k(device ushort *y [[buffer(0)]], device float *z [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  const ushort bits = as_type<ushort>(1.5bf);
  const half other = as_type<half>(1.5bf);
  const bfloat third = as_type<bfloat>(ushort(0x3eab));
  const bfloat tenth = 0.1bf;
  y[0] = as_type<ushort>(table[i]);
  y[1] = as_type<ushort>(table[i + 1]);
  y[2] = as_type<ushort>(table[i + 2]);
  y[3] = bits;
  y[4] = as_type<ushort>(other);
  y[5] = as_type<ushort>(third * tenth);
  z[0] = 0.1bf;
  z[1] = 0.1bf + z[2];
}`;
    const expected = halves([0x3e9a, 0x4c00, 0xbdcd, 0x3fc0, 0x3fc0, multiply(0x3eab, 0x3dcd)]);
    const launch: Launch = { lanes: 1, args: { y: new Uint8Array(12), z: new Uint8Array(12) } };
    await same("constants", source, "y", launch, bytesOf(expected));
    await same("digits", source, "z", launch, bytesOf(Float32Array.of(205 / 2048, 205 / 2048, 0)));
  });

  test("limits and types", async () => {
    const source = `${metal}
template <typename T> static float size() { return sizeof(T); }
kernel void k(device float *y [[buffer(0)]]) {
  y[0] = numeric_limits<bfloat>::max();
  y[1] = numeric_limits<bfloat>::min();
  y[2] = numeric_limits<bfloat>::epsilon();
  y[3] = numeric_limits<bfloat>::denorm_min();
  y[4] = numeric_limits<bfloat>::lowest();
  y[5] = numeric_limits<bfloat>::digits + numeric_limits<bfloat>::max_exponent;
  y[6] = is_floating_point<bfloat>::value && is_same<bfloat, bfloat>::value && !is_same<bfloat, half>::value ? size<bfloat3>() : 0.0f;
  y[7] = exp2(3.0bf) + max(2.0bf, 1.0f);
}`;
    const { buffers } = await simulate(source, {
      from: "msl",
      workgroups: [1],
      workgroupSize: [1],
      args: { y: new Float32Array(8) },
    });
    const largest = (2 - 2 ** -7) * 2 ** 127;
    expect([...(buffers.y as Float32Array)]).toEqual([
      ...[largest, 2 ** -126, 2 ** -7, 2 ** -133, -largest, 8 + 128, 8, 10],
    ]);
  });

  for (const dialect of targets)
    judgeTest(judges[dialect], `the ${dialect} compiler takes them all`, async () => {
      const mine = texts.filter((t) => t.dialect === dialect);
      expect(mine.length).toBeGreaterThan(10);
      expect(refusals(await judgeOutputs(mine))).toBe("");
    });
});

test("what bfloat does not convert to or from by itself, and which functions do not take it", async () => {
  const of = (body: string): Promise<string[]> =>
    problemsOf(
      "msl",
      `${metal}kernel void k(device bfloat *x [[buffer(0)]], device half *h [[buffer(1)]], device float *f [[buffer(2)]], device bfloat4 *v [[buffer(3)]]) { ${body} }`,
    );
  expect(await of("x[0] = 1.5f;")).toEqual(["XL2003 the value is float and does not convert to bfloat"]);
  expect(await of("x[0] = h[0];")).toEqual(["XL2003 the value is half and does not convert to bfloat"]);
  expect(await of("h[0] = x[0];")).toEqual(["XL2003 the value is bfloat and does not convert to half"]);
  expect(await of("x[0] += f[0];")).toEqual(["XL2003 the result of '+=' is float and does not convert to bfloat"]);
  expect(await of("x[0] = exp(x[0]);")).toEqual(["XL2003 the value is float and does not convert to bfloat"]);
  expect(await of("f[0] = x[0] * h[0];")).toEqual([
    "XL2004 '*' does not take bfloat and half: the operands have no common type",
  ]);
  expect(await of("v[0] = v[0] * f[0];")).toEqual([
    "XL2004 '*' does not take bfloat4 and float: the scalar does not convert to the vector's elements",
  ]);
  expect(await of("f[0] = simd_sum(x[0]);")).toEqual(["XL2005 no overload of simd_sum takes (bfloat)"]);
  expect(await of("f[0] = dot(v[0], v[0]);")).toEqual(["XL2005 no overload of dot takes (bfloat4, bfloat4)"]);
  expect(await of("x[0] = x[0] % x[0];")).toEqual(["XL2004 '%' does not take bfloat and bfloat"]);
  expect(await of("f[0] = x[0] + 1; x[1] = x[0] + 1; x[2] = 3; f[1] = x[0] * 2.0f; x[3] = x[0] * 2.0bf;")).toEqual([]);
});
