/**
 * Vectors of 8 and 16 components in OpenCL C: kernels with results worked out here component by component, through every dialect and
 * its compiler. Random ones are held against PoCL in test/fuzz/wide-vectors.ts.
 */
import { describe, expect, test } from "vitest";
import { reflect, simulate, translate, verify, type SourceDialect } from "../src/index.js";
import { judgeable, judgeOutputs, judges, refusals, type Judgeable } from "./support/judges/outputs.js";
import { judgeTest } from "./support/tool-test.js";

const all: readonly SourceDialect[] = ["msl", "glsl", "opencl", "hlsl"];
const lanes = 4;
/** Words of x, and of y, for each lane. */
const words = 32;

const given = (): Uint32Array =>
  Uint32Array.from({ length: lanes * words }, (_, k) => (k * 0x9e3779b9 + 0x01020304) >>> 0);
/** `by`, an argument of eight numbers. */
const by = [3, 1, 4, 1, 5, 9, 2, 6];

interface Shape {
  readonly name: string;
  readonly types?: string;
  /** x and y point to the words of the lane, `by` is a uint8, i the lane. */
  readonly body: string;
  /** What y holds then, of what x holds; what it does not set stays zero. */
  readonly does: (x: readonly number[], i: number, y: DataView) => void;
}

const eight = [0, 1, 2, 3, 4, 5, 6, 7];
const words8 = (y: DataView, values: readonly number[], first = 0): void =>
  values.forEach((v, c) => y.setUint32(4 * (first + c), v >>> 0, true));

const shapes: readonly Shape[] = [
  {
    name: "operators and scalars",
    body: "uint8 a = vload8(0, x); uint8 b = a * by + 7u; b ^= (uint8)(i); vstore8(b << (uint8)(1), 0, y);",
    does: (x, i, y) =>
      words8(
        y,
        eight.map((c) => ((Math.imul(x[c]!, by[c]!) + 7) ^ i) << 1),
      ),
  },
  {
    name: "selectors on both sides",
    body: "uint16 a = vload16(0, x); uint16 b = (uint16)(0u); b.even = a.lo; b.s13579BDF = a.s76543210; b.s0f = a.sA1; vstore16(b, 0, y);",
    does: (x, _i, y) => {
      const b = Array.from({ length: 16 }, (_, c) => (c % 2 === 0 ? x[c / 2]! : x[7 - (c - 1) / 2]!));
      b[0] = x[10]!;
      b[15] = x[1]!;
      words8(y, b);
    },
  },
  {
    name: "what is stored is read before",
    body: "uint8 a = vload8(0, x); a = a.s76543210; a.hi = a.lo; a.lo += a.hi; a.s07 = a.s70; uint8 b = a; b = (uint8)(b.s1, b.s0, b.hi.yx, b.odd); vstore8(a, 0, y); vstore8(b, 1, y);",
    does: (x, _i, y) => {
      let a = eight.map((c) => x[7 - c]!);
      a = eight.map((c) => a[c % 4]!);
      a = eight.map((c) => (c < 4 ? (a[c]! + a[c + 4]!) >>> 0 : a[c]!));
      [a[0], a[7]] = [a[7]!, a[0]!];
      const b = [a[1]!, a[0]!, a[5]!, a[4]!, a[1]!, a[3]!, a[5]!, a[7]!];
      words8(y, [...a, ...b]);
    },
  },
  {
    name: "bits of other widths",
    body: "uint4 w = vload4(0, x); uchar16 b = as_uchar16(w); ulong2 l = as_ulong2(b.s76543210fedcba98); ushort8 h = as_ushort8(l); y[0] = (uint)(l.x >> 32); y[1] = (uint)l.y; y[2] = (uint)h.s1 | (uint)h.s6 << 16; vstore4(as_uint4(as_short8(b)), 1, y);",
    does: (x, _i, y) => {
      const bytes = new DataView(Uint32Array.from(x.slice(0, 4)).buffer);
      const b = Array.from({ length: 16 }, (_, c) => bytes.getUint8(c));
      const turned = new DataView(Uint8Array.from([...b.slice(0, 8).reverse(), ...b.slice(8).reverse()]).buffer);
      words8(y, [
        turned.getUint32(4, true),
        turned.getUint32(8, true),
        turned.getUint16(2, true) | (turned.getUint16(12, true) << 16),
        0,
        ...x.slice(0, 4),
      ]);
    },
  },
  {
    name: "a component by its number",
    body: "uint8 a = vload8(0, x); uint16 b = (uint16)(a, a + 1u); a[(i + 6) & 7] = 5u; a[i]++; b[i * 5] += 9u; y[0] = a[i + 1]; y[1] = b[15 - i]; vstore8(a, 1, y); vstore16(b, 1, y);",
    does: (x, i, y) => {
      const a = x.slice(0, 8);
      const b = [...a, ...a.map((v) => (v + 1) >>> 0)];
      a[(i + 6) & 7] = 5;
      a[i] = a[i]! + 1;
      b[i * 5] = b[i * 5]! + 9;
      words8(y, [a[i + 1]!, b[15 - i]!]);
      words8(y, a, 8);
      words8(y, b, 16);
    },
  },
  {
    name: "structs keep their bytes",
    types: "typedef struct { uchar c; uint8 v; uchar k; ushort16 w; } S;",
    // OpenCL C 3.0 6.3.5: v and w are aligned to 32 bytes, so they start at 32 and 96, and S has 128.
    body: "__global S *s = (__global S *)y; s->c = (uchar)i; s->v = by; s->k = 77; s->w = (ushort16)(i + 500); s->v.hi.y += 10u; s->w.sF = 1;",
    does: (_x, i, y) => {
      y.setUint8(0, i);
      words8(
        y,
        by.map((v, c) => (c === 5 ? v + 10 : v)),
        8,
      );
      y.setUint8(64, 77);
      for (let c = 0; c < 16; c++) y.setUint16(96 + 2 * c, c === 15 ? 1 : i + 500, true);
    },
  },
  {
    name: "conversions",
    body: "int8 a = convert_int8(vload8(0, x) >> 22) - 300; float8 f = convert_float8(a) * 0.5f; vstore8(convert_uint8(convert_uchar8_sat_rte(f)), 0, y); vstore8(as_uint8(convert_int8_rtn(f)), 1, y); vstore8(convert_uint8(as_uchar8(convert_char8_sat(a))), 2, y);",
    does: (x, _i, y) => {
      const a = eight.map((c) => (x[c]! >>> 22) - 300);
      const even = (v: number): number => (v - Math.floor(v) === 0.5 ? 2 * Math.round(v / 2) : Math.round(v));
      words8(
        y,
        a.map((v) => Math.min(255, Math.max(0, even(v / 2)))),
      );
      words8(
        y,
        a.map((v) => Math.floor(v / 2)),
        8,
      );
      words8(
        y,
        a.map((v) => Math.min(127, Math.max(-128, v)) & 255),
        16,
      );
    },
  },
  {
    name: "truth and choice",
    body: "uint8 a = vload8(0, x); int8 less = a < by * 300000000u; vstore8(as_uint8(less), 0, y); vstore8(less ? a : by, 1, y); vstore8(select(by, a, less), 2, y); y[24] = any(less) + 2 * all(less); y[25] = any(a != a) + 2 * all(a == a); y[26] = min(a, by).s3 + max(a, by).s4;",
    does: (x, _i, y) => {
      const less = eight.map((c) => x[c]! < Math.imul(by[c]!, 300000000) >>> 0);
      words8(
        y,
        less.map((t) => (t ? -1 : 0)),
      );
      words8(
        y,
        less.map((t, c) => (t ? x[c]! : by[c]!)),
        8,
      );
      words8(
        y,
        less.map((t, c) => (t ? x[c]! : by[c]!)),
        16,
      );
      words8(
        y,
        [
          Number(less.includes(true)) + 2 * Number(!less.includes(false)),
          2,
          Math.min(x[3]!, by[3]!) + Math.max(x[4]!, by[4]!),
        ],
        24,
      );
    },
  },
  {
    name: "what has effects has them once, in order",
    types: "uint8 next(uint *n) { *n += 1u; return (uint8)(*n); }\nuint8 sum(uint8 a, uint8 b) { return a * 10u + b; }",
    body: "uint n = 0u; uint8 a = (next(&n) * 100u + next(&n)).s01234567; a.odd += (uint4)(n++); uint8 list[2] = { a, next(&n) }; list[n - 4u].s2 = n; vstore8(sum(next(&n), list[0]), 0, y); vstore8(list[1], 1, y); y[16] = n;",
    does: (_x, _i, y) => {
      // a is 100 + 2, the odd ones 2 more; n is 3, then 4 of the list, whose element 0 gets 4; then 5.
      words8(
        y,
        eight.map((c) => 50 + (c === 2 ? 4 : c % 2 === 1 ? 104 : 102)),
      );
      words8(
        y,
        eight.map(() => 4),
        8,
      );
      words8(y, [5], 16);
    },
  },
  {
    name: "what is stored is read before, by way of pointers, too",
    types: "uint8 turned(uint8 *p) { uint8 before = *p; *p = before.s76543210; return before; }",
    body: "uint8 a = vload8(0, x); a.s27 = a.s12; uint8 *p = &a; *p = a.s76543210; uint8 list[2] = { a, by }; vstore8(list[0].s76543210, 0, (uint *)list); float8 f = convert_float8(by) * 0.75f; float8 g = fract(f.s76543210, &f); int8 n = convert_int8(by); int8 m = n++; uint8 b = turned(&a) + a; vstore8(list[0], 0, y); vstore8(convert_uint8(g * 4.0f) + 16u * convert_uint8(f), 1, y); vstore8(convert_uint8(m) * 100u + convert_uint8(n), 2, y); vstore8(a + 0u * b, 3, y);",
    does: (x, _i, y) => {
      let a = x.slice(0, 8);
      [a[2], a[7]] = [a[1]!, a[2]!];
      a = a.reverse();
      words8(y, a.toReversed());
      const f = by.map((v) => v * 0.75).reverse();
      words8(
        y,
        f.map((v) => 4 * (v - Math.floor(v)) + 16 * Math.floor(v)),
        8,
      );
      words8(
        y,
        by.map((v) => v * 100 + v + 1),
        16,
      );
      words8(y, a.toReversed(), 24);
    },
  },
  {
    name: "rows that do not start at their size",
    body: "__global ushort *h = (__global ushort *)y; __global const ushort *g = (__global const ushort *)x; ushort8 a = vload8(1, g + 3); vstore8(a + (ushort8)(1), 0, h + 5); vstore16(vload16(0, g + 1), 1, h + 7);",
    does: (x, _i, y) => {
      const g = new DataView(Uint32Array.from(x).buffer);
      eight.forEach((c) => y.setUint16(2 * (5 + c), g.getUint16(2 * (11 + c), true) + 1, true));
      for (let c = 0; c < 16; c++) y.setUint16(2 * (23 + c), g.getUint16(2 * (1 + c), true), true);
    },
  },
  {
    name: "offsets of small types",
    // 70 * 4 bytes and 17 * 16 do not fit the type of the offset.
    body: "uchar n = (uchar)(70 - 2 * i); char m = (char)17; __global const uchar *g = (__global const uchar *)all_x; uchar4 a = vload4(n, g); uchar16 b = vload16(m, g); y[0] = as_uint(a); vstore4(as_uint4(b), 1, y); ushort h = (ushort)7; vstore8(by, h - 5, y);",
    does: (_x, i, y) => {
      const all = given();
      words8(y, [all[70 - 2 * i]!, 0, 0, 0, ...all.slice(68, 72)]);
      words8(y, by, 16);
    },
  },
  {
    name: "memory that lanes share, constants and shuffles",
    types: "__constant uint8 order[2] = { (uint8)(7, 6, 5, 4, 3, 2, 1, 0), (uint8)(9) };",
    body: "__local uint16 tile[4]; tile[i] = vload16(0, x); barrier(CLK_LOCAL_MEM_FENCE); uint16 b = tile[3 - i]; vstore8(shuffle(b.lo, order[0]), 0, y); vstore8(shuffle2(b.lo, b.hi, order[1] + by).s01234567, 1, y);",
    // 9 + by modulo 16.
    does: (_x, i, y) => {
      const b = [...given().slice(words * (3 - i), words * (3 - i) + 16)];
      words8(
        y,
        eight.map((c) => b[7 - c]!),
      );
      words8(
        y,
        by.map((v) => b[(9 + v) % 16]!),
        8,
      );
    },
  },
];

const textOf = ({ types, body }: Shape): string =>
  `${types ?? ""}
__kernel void k(__global const uint *all_x, __global uint *all_y, uint8 by) {
  int i = (int)get_global_id(0);
  __global const uint *x = all_x + ${String(words)} * i;
  __global uint *y = all_y + ${String(words)} * i;
  ${body}
}
`;

async function run(text: string, from: SourceDialect): Promise<readonly number[]> {
  const { buffers, findings, diagnostics } = await simulate(text, {
    from,
    workgroups: [1],
    workgroupSize: [lanes],
    subgroupSize: 4,
    args: { all_x: given(), all_y: new Uint32Array(lanes * words), ...argumentsOf(from) },
  });
  expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  expect(findings).toEqual([]);
  return [...(buffers["all_y"] as Uint32Array)];
}

/** `by` as each language has it: alone, or in its parts. */
function argumentsOf(from: SourceDialect): Record<string, readonly number[]> {
  if (from === "opencl") return { by };
  const name = from === "glsl" ? "Params.by" : "by";
  return { [`${name}.lo`]: by.slice(0, 4), [`${name}.hi`]: by.slice(4) };
}

function expected(shape: Shape): readonly number[] {
  const x = given();
  const y = new Uint8Array(4 * lanes * words);
  for (let i = 0; i < lanes; i++)
    shape.does([...x.slice(words * i, words * (i + 1))], i, new DataView(y.buffer, 4 * words * i, 4 * words));
  return [...new Uint32Array(y.buffer)];
}

const texts: Judgeable[] = [];

describe("vectors of 8 and 16", () => {
  for (const shape of shapes) {
    test(shape.name, async () => {
      const source = textOf(shape);
      const wanted = expected(shape);
      texts.push(judgeable("opencl", shape.name, source));
      expect(await run(source, "opencl"), source).toEqual(wanted);
      for (const to of all) {
        const { code, diagnostics } = await translate(source, { from: "opencl", to, workgroupSize: [lanes, 1, 1] });
        expect(
          diagnostics.filter((d) => d.severity === "error"),
          source,
        ).toEqual([]);
        if (to !== "opencl") texts.push(judgeable(to, `${shape.name} to ${to}`, code!));
        expect(await run(code!, to), `${source}\n${code!}`).toEqual(wanted);
      }
    });
  }

  for (const dialect of all) {
    judgeTest(judges[dialect], `the ${dialect} compiler takes them all`, async () => {
      const mine = texts.filter((t) => t.dialect === dialect);
      expect(mine).toHaveLength(shapes.length);
      expect(refusals(await judgeOutputs(mine))).toBe("");
    });
  }

  test("an argument is one to whoever asks", async () => {
    const { entries } = await reflect(textOf(shapes[0]!), { from: "opencl" });
    expect(entries[0]!.arguments.map((a) => a.path)).toEqual(["all_x", "all_y", "by"]);
  });

  test("and so is an array of them, in a struct by value", async () => {
    const source = `typedef struct { int n; uint8 m[2]; } S;
__kernel void k(__global uint *y, S s) { uint i = get_global_id(0); y[i] = s.m[i >> 3][i & 7u] + (uint)s.n; }`;
    const m = Array.from({ length: 16 }, (_, c) => 3 * c + 1);
    const given = { y: new Uint32Array(16), "s.n": 5, "s.m": m };
    const { buffers } = await simulate(source, { from: "opencl", workgroups: [1], workgroupSize: [16], args: given });
    expect([...(buffers["y"] as Uint32Array)]).toEqual(m.map((x) => x + 5));
    for (const to of ["msl", "glsl", "hlsl"] as const) {
      const { result } = await verify(source, { from: "opencl", to, workgroupSize: [16, 1, 1] });
      expect(result, to).toBe("equivalent");
    }
  });

  test.each([
    ["v.s8 = 1u;", "'s8' names no components of uint8"],
    ["v = v.s012345;", "'s012345' names no components of uint8"],
    ["uint4 w = v;", "does not convert to uint4"],
  ])("%s is refused", async (body, message) => {
    const { diagnostics } = await translate(`__kernel void k(__global uint *x) { uint8 v = vload8(0, x); ${body} }`, {
      from: "opencl",
      to: "msl",
    });
    expect(diagnostics.map((d) => d.message).join("; ")).toContain(message);
  });
});
