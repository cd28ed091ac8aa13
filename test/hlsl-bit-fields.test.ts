/** Bit-fields of HLSL 2021, where DXC lists them: words by hand, through every dialect and its compiler. */
import { expect, test } from "vitest";
import { translate } from "../src/index.js";
import { floats, lanes, main, shapesCompute, type Shape } from "./support/hlsl-shapes.js";
import { hlslJudge } from "./support/judges/hlsl.js";
import { judgeTest } from "./support/tool-test.js";

const o = floats(() => -1);
/** DXC's listing: a, b, c and d in the word at 0, e at 4, f at 8, g, h and z at 12, x at 16. */
const struct = `struct B { uint a : 3; uint b : 5; int c : 8; uint d : 16; uint e; uint f : 20; uint g : 20; int h : 4; uint z : 1; float x;
  uint sum() { return a + f; } void put(uint v) { a = v; g |= v; h -= 1; } };
RWStructuredBuffer<B> t; RWStructuredBuffer<float> o;\n`;

/** Of lane i: a = i, b = 9, c = -3, d = 0x8001, e = 5, f = 0xfffff, g = 2, h = -8, z = 1. */
const words = Uint32Array.from(
  lanes.flatMap((i) => [i | (9 << 3) | (0xfd << 8) | (0x8001 << 16), 5, 0xabcfffff, 2 | (8 << 20) | (1 << 24), 0]),
);

/** DXC's listing: a at 0, b at 8, c at 16, d at 20, e at 22 (17 bits do not fit in 16), f and g at 24, h at 32, y at 34, x at 36. */
const wide = `struct W { uint a : 3; uint64_t b : 40; uint c : 3; uint16_t d : 7; int16_t e : 10; int64_t f : 20; uint64_t g : 44;
  uint16_t h : 12; uint16_t y; float x; };
RWStructuredBuffer<W> t; RWStructuredBuffer<float> o;\n`;

/** Of lane i: a = i, b = 5, c = 3, d = 40 + i, e = -100, f = -7, g = 9, h = 77, y = 1, x = 2. */
const wideWords = Uint32Array.from(
  lanes.flatMap((i) => [
    ...[i, 0xdeadbeef, 5, 0xabcdef00, 3, (40 + i) | ((-100 & 0x3ff) << 16)],
    ...[(0x100000 - 7) | (9 << 20), 0, 77 | (1 << 16), 0x40000000],
  ]),
);

const shapes: readonly Shape[] = [
  {
    name: "reads",
    text: `${struct}${main} { B q = t[i]; o[i] = q.a + q.b * 10 + q.c * 100 + t[i].d + q.e + t[i].f + q.g + q.h + (q.z ? 0.5 : 0) + (q.a - 8 < 0 ? 1 : 0.25); }`,
    args: { t: words, o },
    // A uint of 3 bits stays one: `q.a - 8` wraps.
    o: (i) => Math.fround(i + 90 - 300 + 0x8001 + 5 + 0xfffff + 2 - 8) + 0.75,
  },
  {
    name: "bools of several bits, of which the first is read",
    // DXC's listing: flags at 0, n at 3, last at 30. Its code of a read is `and i32 %w, 1`, of a write a bool in three bits.
    text: `struct F { bool flags : 3; uint n : 27; bool last : 2; }; RWStructuredBuffer<F> t; RWStructuredBuffer<float> o;
${main} { o[i] = t[i].flags + 2 * t[i].n + 100 * t[i].last; t[i].flags = i & 2; F q = t[i]; q.last = 5; o[i] += 1000 * (q.flags + 2 * q.last); }`,
    args: { t: Uint32Array.from(lanes.map((i) => i | (i << 3) | (i << 30))), o },
    o: (i) => (i & 1) + 2 * i + 100 * (i & 1) + 1000 * ((i & 2 ? 1 : 0) + 2),
  },
  {
    // What DXC folds such lists to; what is given number by number is refused below.
    name: "lists that give each field its value",
    text: `struct F { uint a : 3; uint b : 5; int c; }; struct G { F f[2]; int d : 4; bool e : 2; }; RWStructuredBuffer<float> o;
${main} { uint k = i & 3; F p = { k++, k++ * 32 + 3, -1.5 }; F q[2] = { p, { 15, 2, k } }; G g = { { { 1, 2, 3 }, p }, -7, 4 };
  o[i] = p.a + 10 * p.b + 100.0f * p.c + 1000 * (q[1].a + q[1].b + q[1].c + q[0].a) + 0.5 * ((float)g.f[0].b + g.f[1].a + g.d + g.e); }`,
    args: { o },
    o: (i) => {
      const k = i & 3;
      return k + 30 - 100 + 1000 * (7 + 2 + k + 2 + k) + 0.5 * (2 + k - 7 + 1);
    },
  },
  {
    name: "writes, methods and arguments",
    text: `${struct}groupshared B g[8]; void nine(inout uint v) { v += 9; }
${main} {
  B q = t[i]; q.a = 9; q.b++; q.c = 200; q.d <<= 1; q.put(6); nine(q.f); g[l] = q; GroupMemoryBarrierWithGroupSync();
  B w = g[7 - l]; uint k = i; t[k++].e = t[k].a; B n = (B)0; n.h = -1;
  o[i] = w.a + w.b + w.c + w.d + w.f + w.g + w.h + w.sum() + n.h + n.a + 100 + t[i].e * 1000 + (k - i);
}`,
    args: { t: words, o },
    // 9 in three bits is 1, then 6; 200 in eight is -56; f is 0xfffff + 9 in 20 bits, 8; h is -9 in four, 7. The index on the left comes last.
    o: (i) => 6 + 10 - 56 + 2 + 8 + 6 + 7 + (6 + 8) - 1 + 100 + 1000 * i + 1,
  },
  {
    name: "fields of 16 and 64 bits",
    text: `${wide}${main} {
  W q = t[i]; float got = q.a + (float)q.b + q.c + q.d + q.e + (float)q.f + (float)q.g + q.h + q.x;
  // 2^40 - 1 + 1 wraps to nothing; 3 bits of 9; -600 in 10 bits is 424; a uint16_t of 7 bits is no int: 0 - d wraps in 16.
  q.b = q.b + (1ull << 40) - q.b - 1; q.b++; q.e = int16_t(-600); q.d = q.d + 1; q.f--; q.g ^= 7; q.c = 9; t[i] = q;
  W w = t[i]; uint16_t under = uint16_t(0) - w.d;
  o[i] = got + 1000 * ((float)w.b + w.e + w.d + (float)w.f + (float)w.g + w.c) + (under > 60000 ? 0.5 : 0);
}`,
    args: { t: wideWords, o },
    o: (i) =>
      Math.fround(i + 5 + 3 + (40 + i) + -100 + -7 + 9 + 77 + 2) + 1000 * (0 + 424 + (41 + i) + -8 + (9 ^ 7) + 1) + 0.5,
  },
  {
    // DXC's store of constants: a at bit 0, b 3, c 4, d 5, e 8, s 13, g 16, rest 17; an enumeration without a type is unsigned, an enum class an int.
    name: "bools and enumerations",
    text: `enum E { A, Z = 7 }; enum class S { P, Q = 2 }; uint which(E e) { return 1; } uint which(uint u) { return 2; }
struct B { uint a : 3; bool b : 1; bool c : 1; int d : 3; E e : 5; S s : 3; bool g : 1; uint rest : 15; };
RWStructuredBuffer<B> t; RWStructuredBuffer<float> o;
${main} {
  B q = t[i]; float got = q.a + (q.b ? 10 : 20) + (q.c && !q.g) * 100 + q.d + q.e * 1000 + (q.e == Z) + (int)q.s * 0.25 + which(q.e) * 0.5;
  q.b = !q.b; q.c = q.a == 3; q.e = (E)(q.e - 5); q.s = S::Q; q.rest += q.b + q.c; t[i] = q;
  o[i] = got + 10000 * (t[i].b + t[i].c * 2 + t[i].rest * 4) + (t[i].e == (E)2 && t[i].s == S::Q ? 0 : 0.125);
}`,
    args: {
      t: Uint32Array.from(lanes, (i) => i | ((i & 1) << 3) | (1 << 4) | (7 << 5) | (7 << 8) | (7 << 13) | (3 << 17)),
      o,
    },
    o: (i) => {
      const b = i & 1;
      const c = i === 3 ? 1 : 0;
      return i + (b ? 10 : 20) + 100 - 1 + 7001 - 0.25 + 0.5 + 10000 * (1 - b + c * 2 + (3 + 1 - b + c) * 4);
    },
  },
];

shapesCompute(shapes);

const body = (fields: string, statement: string): string =>
  `struct B { ${fields} }; RWStructuredBuffer<float> o;\n${main} { B b; ${statement} }`;

const wrong = ["uint a : 40;", "uint16_t a : 17;", "uint64_t a : 65;", "uint a : 3; uint a : 4;", "float a : 3;"];
test.each(wrong)("%s is refused", async (fields) => {
  const { diagnostics } = await translate(body(fields, "o[i] = 1;"), { from: "hlsl", to: "glsl" });
  expect(diagnostics.map((d) => d.severity)).toContain("error");
});

judgeTest(hlslJudge, "DXC refuses them too", async () => {
  const said = await hlslJudge.accept(wrong.map((name) => ({ name, text: body(name, "o[i] = 1;") })));
  expect(said.filter(({ ok }) => ok)).toEqual([]);
});

test.each([
  ["uint a : 3; uint b : 4;", "B c[2] = { 1, 2, 3, 4 }; o[i] = c[0].a;", "a list"],
  ["uint a : 3; uint b : 4;", "int2 v = int2(1, 2); B c = { v }; o[i] = c.a;", "a list"],
  // DXC folds each to c.b of 0, or takes the vector for a word.
  ["uint a : 3; uint b : 4;", "const B c = { 1, 2 }; o[i] = c.b;", "a list"],
  ["uint a : 3; uint b : 4;", "static B c[2] = { { 1, 2 }, { 3, 4 } }; o[i] = c[1].b;", "a list"],
  ["uint a : 3; uint b : 4;", "uint1 u = 5; B c = { u, 2 }; o[i] = c.a;", "a list"],
  ["uint1 v; uint a : 3; uint b : 4;", "B c = { 1, 2, 3 }; o[i] = c.a;", "a list"],
  ["uint a : 3; uint b : 4; }; static const B t = { 1, 2 }; struct Other { int n;", "o[i] = t.b;", "a list"],
  ["uint a : 3; uint b : 4;", "b = (B)5; o[i] = b.a;", "a cast"],
  ["min16uint a : 4;", "o[i] = b.a;", "other types than int"],
  ["uint a : 3; uint : 0; uint b : 4;", "o[i] = b.a;", "without a name"],
])("%s %s is not supported yet", async (fields, statement, says) => {
  const { diagnostics } = await translate(body(fields, statement), { from: "hlsl", to: "glsl" });
  expect(diagnostics.map((d) => [d.code, d.message])).toEqual([["XL1900", expect.stringContaining(says)]]);
});
