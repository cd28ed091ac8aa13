/**
 * Structs of C and C++ whose members lie where attributes and pragmas say: packed, so that numbers begin at odd bytes, and aligned
 * to more than their types are. Offsets are held against clang, and what kernels do against the bytes of memory.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { reflect, simulate, translate, verify, type SimulateOptions, type SourceDialect } from "../src/index.js";
import { inScratchFolder, runProgram } from "../src/judges/run-program.js";
import { bitsOfHalf, half, testShapes, type Shape } from "./support/byte-shapes.js";
import { judgeable, judgeOutputs, judges, refusals } from "./support/judges/outputs.js";
import { judgeTest } from "./support/tool-test.js";

const packed = "__attribute__((packed))";

const shapes: readonly Shape[] = [
  {
    name: "numbers of every size at odd bytes",
    from: ["opencl"],
    types: `struct ${packed} mixed { uchar c; uint u; ulong l; short s; float f[2]; };`,
    body: "GC(mixed) p = (GC(mixed))x; GP(mixed) q = (GP(mixed))y; q[i].c = p[i].c + 1; q[i].u = p[i].u + 0x01020304u; q[i].l = p[i].l ^ stride; q[i].s = (short)(p[i].s - 5); q[i].f[i & 1] = p[i].f[1] * 2.0f; q[i].f[1 - (i & 1)] = (float)sizeof(struct mixed); q[i].u += 1;",
    does: ({ x, y }, i) => {
      const at = 23 * i;
      y.setUint8(at, x.getUint8(at) + 1);
      y.setUint32(at + 1, x.getUint32(at + 1, true) + 0x01020305, true);
      y.setBigUint64(at + 5, x.getBigUint64(at + 5, true) ^ 32n, true);
      y.setInt16(at + 13, x.getInt16(at + 13, true) - 5, true);
      y.setFloat32(at + 15 + 4 * (i & 1), x.getFloat32(at + 19, true) * 2, true);
      y.setFloat32(at + 19 - 4 * (i & 1), 23, true);
    },
  },
  {
    name: "in one another, in arrays, as values and behind casts at any byte",
    from: ["msl"],
    types: `struct ${packed} inner { uchar c; uint u; }; struct ${packed} outer { ushort a; struct inner list[3]; uchar e; };`,
    helpers:
      "static uint sum(struct inner v) { return v.u + v.c; } static struct inner made(uint u) { struct inner v; v.c = 7; v.u = u; return v; } static void bump(GP(inner) p) { p->u += 3; }",
    body: "GC(outer) p = (GC(outer))(x + 3); GP(outer) q = (GP(outer))(y + 1 + 18 * i); struct outer own = p[i]; own.list[i % 3].u++; own.e = (uchar)sum(own.list[1]); *q = own; q->list[2] = made((uint)i); bump(&q->list[i % 3]); y[200 + i] = (char)q->list[0].c;",
    does: ({ x, y }, i) => {
      const [from, to] = [3 + 18 * i, 1 + 18 * i];
      for (let k = 0; k < 18; k++) y.setUint8(to + k, x.getUint8(from + k));
      const add = (k: number, n: number): void =>
        y.setUint32(to + 3 + 5 * k, y.getUint32(to + 3 + 5 * k, true) + n, true);
      add(i % 3, 1);
      y.setUint8(to + 17, y.getUint32(to + 8, true) + y.getUint8(to + 7));
      y.setUint8(to + 12, 7);
      y.setUint32(to + 13, i, true);
      add(i % 3, 3);
      y.setUint8(200 + i, y.getUint8(to + 2));
    },
  },
  {
    name: "in workgroup memory and a lane's own, looked at as bytes",
    from: ["opencl"],
    types: `struct ${packed} slot { uchar c; uint u; ushort h; };`,
    tile: "struct slot",
    helpers: "static uint low(PP(uchar) p, int n) { return p[n]; }",
    body: "tile[i].u = 0x11223344u * (uint)(i + 1); tile[i].c = (uchar)i; tile[i].h = 0x55; BARRIER tile[(i + 1) & 7].h += 0x100; BARRIER struct slot own = tile[7 - i]; PP(slot) p = &own; p->u ^= 0xff00u; LP(uchar) b = (LP(uchar))&tile[i]; ((GP(uint))y)[i] = own.u; y[32 + i] = (char)b[2]; y[40 + i] = (char)(own.h >> 8) + (char)low((PP(uchar))&own, 1 + (i & 3));",
    does: ({ y }, i) => {
      const word = (k: number): DataView => {
        const w = new DataView(new ArrayBuffer(4));
        w.setUint32(0, Math.imul(0x11223344, k + 1) >>> 0, true);
        return w;
      };
      const own = (word(7 - i).getUint32(0, true) ^ 0xff00) >>> 0;
      y.setUint32(4 * i, own, true);
      y.setUint8(32 + i, word(i).getUint8(1));
      y.setUint8(40 + i, 1 + ((own >>> (8 * (i & 3))) & 255));
    },
  },
  {
    name: "of pragmas, of members, and aligned to more",
    from: ["msl"],
    types: `
#pragma pack(push, 2)
struct two { uchar c; uint u; ushort s; };
#pragma pack(pop)
struct part { uchar c; uint u __attribute__((packed, aligned(2))); uchar d; uint v __attribute__((packed)); };
struct __attribute__((aligned(16))) wide { uchar c; struct two t; uint u __attribute__((aligned(8))); };`,
    body: "GC(two) a = (GC(two))x; GC(part) b = (GC(part))(x + 64); GC(wide) w = (GC(wide))(x + 192); GP(two) o = (GP(two))y; o[i].u = a[i].u + 1; o[i].s = a[i].s; GP(part) q = (GP(part))(y + 128); q[i].u = b[i].u; q[i].v = b[i].v + 1; GP(wide) z = (GP(wide))(y + 256); z[i].u = w[i].u + (uint)sizeof(struct wide); z[i].t.u = w[i].t.u;",
    does: ({ x, y }, i) => {
      y.setUint32(8 * i + 2, x.getUint32(8 * i + 2, true) + 1, true);
      y.setUint16(8 * i + 6, x.getUint16(8 * i + 6, true), true);
      y.setUint32(128 + 12 * i + 2, x.getUint32(64 + 12 * i + 2, true), true);
      y.setUint32(128 + 12 * i + 7, x.getUint32(64 + 12 * i + 7, true) + 1, true);
      y.setUint32(256 + 32 * i + 16, x.getUint32(192 + 32 * i + 16, true) + 32, true);
      y.setUint32(256 + 32 * i + 4, x.getUint32(192 + 32 * i + 4, true), true);
    },
  },
  {
    name: "vectors and unions at odd bytes",
    from: ["opencl"],
    types: `union ${packed} bits { uint u; uchar b[5]; }; struct ${packed} odd { uchar c; float4 v; union bits g; uchar4 k; ushort2 h; };`,
    body: "GC(odd) p = (GC(odd))x; GP(odd) q = (GP(odd))y; q[i].v = p[i].v.wzyx; q[i].v.yz *= 2.0f; q[i].g.u = p[i].g.u + 1; q[i].g.b[4] = p[i].g.b[i & 3]; q[i].k = p[i].k.wxyz; q[i].k.y = 9; q[i].h = p[i].h.yx;",
    does: ({ x, y }, i) => {
      const at = 30 * i;
      for (let k = 0; k < 4; k++)
        y.setFloat32(at + 1 + 4 * k, x.getFloat32(at + 1 + 4 * (3 - k), true) * (k === 1 || k === 2 ? 2 : 1), true);
      y.setUint32(at + 17, x.getUint32(at + 17, true) + 1, true);
      y.setUint8(at + 21, x.getUint8(at + 17 + (i & 3)));
      for (let k = 0; k < 4; k++) y.setUint8(at + 22 + k, k === 1 ? 9 : x.getUint8(at + 22 + ((k + 3) & 3)));
      for (let k = 0; k < 2; k++) y.setUint16(at + 26 + 2 * k, x.getUint16(at + 28 - 2 * k, true), true);
    },
  },
  {
    name: "halves that lie at odd bytes",
    from: ["msl"],
    types: `struct ${packed} block { uchar t; half d; uchar qs[3]; };`,
    body: "GC(block) p = (GC(block))(x + 1); GP(block) q = (GP(block))(y + 1); float d = (float)p[i].d; q[i].d = (half)(d + 1.0f); q[i].t = (uchar)(p[i].qs[i % 3] & 15);",
    does: ({ x, y }, i) => {
      y.setUint16(6 * i + 2, bitsOfHalf(1 + half(x.getUint16(6 * i + 2, true))), true);
      y.setUint8(6 * i + 1, x.getUint8(6 * i + 4 + (i % 3)) & 15);
    },
  },
];

describe("packed structs", () => {
  // `packed` names the tag, in both languages.
  testShapes(shapes.map((s) => ({ ...s, ...tagged(s) })));
});

/** OpenCL C names structs with the word `struct`, in the pointers of shapes too. */
function tagged({ types = "", body, helpers = "" }: Shape): Partial<Shape> {
  const names = [...types.matchAll(/(struct|union) (?:__attribute__\S+ )?(\w+) \{/g)].map((m) => [m[2]!, m[1]!]);
  const typedefs = names.map(([name, word]) => `typedef ${word} ${name} ${name}_t;`).join("\n");
  const pointers = (text: string): string =>
    text.replaceAll(/\b(GC|GP|LP|PP)\((\w+)\)/g, (all, p: string, name: string) =>
      names.some(([n]) => n === name) ? `${p}(${name}_t)` : all,
    );
  return { types: `${types}\n${typedefs}`, body: pointers(body), helpers: pointers(helpers) };
}

const shim = fileURLToPath(new URL("support/metal-shim", import.meta.url));

/** The rest of each declaration, and the members that are asked for. */
const records: Readonly<Record<string, readonly [text: string, members: string]>> = {
  A: [`struct ${packed} A { uchar a; uint b; ulong c; ushort d; };`, "a b c d"],
  B: ["struct B { uchar a; uint b; } __attribute__((packed, aligned(4)));", "a b"],
  C: [
    "struct C { uchar a; uint b __attribute__((packed)); uint c; ulong d __attribute__((packed, aligned(2))); };",
    "a b c d",
  ],
  D: ["struct D { uchar a; struct B b; uchar c; } __attribute__((packed));", "a b c"],
  E: ["struct __attribute__((aligned(32))) E { uchar a; uint b __attribute__((aligned(8))); struct D d; };", "a b d"],
  F: [`union ${packed} F { uint a; uchar b[7]; ushort c; };`, "a b c"],
  G: ["struct G { uchar a; union F f; float3 b; uchar c; };", "a f b c"],
  H: [
    "\n#pragma pack(push, 4)\nstruct H { uchar a; ulong b; float4 c; ushort d; ulong e __attribute__((aligned(16))); } __attribute__((aligned(8)));\n#pragma pack(pop)\n",
    "a b c d e",
  ],
  I: ["\n#pragma pack(1)\nstruct I { uchar a; struct H h; uint b; };\n#pragma pack()\n", "a h b"],
  J: [
    "\n#pragma pack(push, outer, 2)\n#pragma pack(push, 1)\nstruct J1 { uchar a; uint b; };\n#pragma pack(pop, outer)\nstruct J { uchar a; struct J1 j; uint b; };\n",
    "a j b",
  ],
  K: ["struct K { struct A a[3]; uint b; float2 c __attribute__((aligned(32))); };", "a b c"],
  L: [`struct ${packed} L { uchar a; float3 b; uchar3 c; long2 d; };`, "a b c d"],
};

describe.each(["opencl", "msl"] as const)("%s", (dialect: SourceDialect) => {
  const names = Object.keys(records);
  const all = names.map((n) => records[n]![0]).join("\n");
  const word = (n: string): string => (n === "F" ? "union" : "struct");
  const [head, kernel] =
    dialect === "opencl"
      ? ["", `__kernel void k(${names.map((n) => `__global ${word(n)} ${n} *x${n}`).join(", ")}) {}\n`]
      : [
          "#include <metal_stdlib>\nusing namespace metal;\n",
          `kernel void k(${names.map((n, i) => `device ${n} *x${n} [[buffer(${i})]]`).join(", ")}) {}\n`,
        ];

  judgeTest(judges[dialect], "sizes and offsets are those of clang, in the source and in a translation", async () => {
    const { entries } = await reflect(`${head}${all}\n${kernel}`, { from: dialect });
    const of = new Map(entries[0]!.arguments.map((a) => [a.path, a]));
    const asserts = names.flatMap((n) => {
      const { stride, leaves } = of.get(`x${n}`)!;
      const first = (m: string): number =>
        Math.min(...leaves!.filter((l) => new RegExp(`^\\.?${m}\\b`).test(l.path)).map((l) => l.offset));
      const members = n === "F" ? [] : records[n]![1].split(" ");
      return [
        `typedef char size_${n}[sizeof(${word(n)} ${n}) == ${stride} ? 1 : -1];`,
        ...members.map(
          (m) => `typedef char ${n}_${m}[__builtin_offsetof(${word(n)} ${n}, ${m}) == ${first(m)} ? 1 : -1];`,
        ),
      ];
    });
    expect(asserts.length).toBe(50);
    const made = await translate(`${head}${all}\n${kernel}`, {
      from: dialect,
      to: dialect === "opencl" ? "msl" : "opencl",
    });
    expect(made.diagnostics.filter((d) => d.severity === "error")).toEqual([]);
    for (const [text, as] of [
      [`${head}${all}`, dialect],
      [made.code!, dialect === "opencl" ? "msl" : "opencl"],
    ] as const) {
      const stderr = await inScratchFolder(async (folder) => {
        writeFileSync(join(folder, "records.cl"), `${text}\n${asserts.join("\n")}\n`);
        const own = as === "msl" ? ["-cl-std=clc++2021", "-cl-no-stdinc", "-I", shim] : ["-cl-std=CL3.0"];
        const flags = ["-x", "cl", "--target=spir64", "-Xclang", "-cl-ext=+all", "-fsyntax-only", ...own];
        return (await runProgram("clang-19", [...flags, "records.cl"], folder)).stderr;
      });
      expect(stderr.split("\n").filter((line) => line.includes("error"))).toEqual([]);
    }
  });
});

test("an alignment is a power of two", async () => {
  const { diagnostics } = await translate(
    "struct S { int a __attribute__((aligned(6))); };\n__kernel void k(__global struct S *s) { s->a = 1; }",
    { from: "opencl", to: "glsl" },
  );
  expect(diagnostics.map((d) => d.message)).toContain("an alignment is a power of two");
});

test("what is used atomically is aligned in MSL, or refused", async () => {
  const kernel = (attribute: string, type = "", member = "count"): string =>
    `typedef struct ${attribute} { uint count; uint rest; } P;\n${type}
     kernel void k(global ${type ? "Outer" : "P"} *p) { atomic_add(&p[get_global_id(0)].${member}, 1u); }`;
  const aligned = `typedef struct __attribute__((packed)) { uchar tag; P inner[2]; } Outer;`;
  const said = async (source: string): Promise<string[]> =>
    (await translate(source, { from: "opencl", to: "msl" })).diagnostics
      .filter((d) => d.severity === "error")
      .map((d) => `${d.code} ${d.message}`);
  expect(await said(kernel(""))).toEqual([]);
  const refused = (of: string): string[] => [
    `XL4008 ${of} is used atomically, and lies at addresses that are no multiple of 4`,
  ];
  expect(await said(kernel(packed))).toEqual(refused("count of P"));
  expect(await said(kernel("", aligned, "inner[1].count"))).toEqual(refused("inner of Outer"));
  // At byte 4 of what is aligned to 4 bytes.
  const whole = aligned.replace("uchar", "uint").replace("packed", "packed, aligned(4)");
  expect(await said(kernel("", whole, "inner[1].count"))).toEqual([]);
});

test("workgroup memory that is sized at launch has as many elements where they take more bytes", async () => {
  const source = `#include <metal_stdlib>
using namespace metal;
struct S { packed_float3 p; char c; };
kernel void k(device float *x [[buffer(0)]], threadgroup S *s [[threadgroup(0)]], uint i [[thread_index_in_threadgroup]]) {
  s[0].p = packed_float3(x[i], 2, 3); s[0].c = 1;
  x[i] = s[0].p.z;
}`;
  const shapes = await reflect(source, { from: "msl", workgroupSize: [1, 1, 1] });
  const slots = shapes.entries[0]!.arguments.find((a) => a.path === "s")!.slots;
  // A packed_float3 has 12 bytes and the alignment of a float (MSL table 2.5), a float3 of OpenCL C 16 and 16 (6.3.5): 12 + 1 and 16 + 1, rounded up.
  expect([slots.msl?.strides, slots.opencl?.strides]).toEqual([undefined, { here: 32, source: 16 }]);
  const { result, diagnostics } = await verify(source, { from: "msl", to: "opencl", workgroupSize: [1, 1, 1] });
  expect({ result, diagnostics }).toEqual({ result: "equivalent", diagnostics: [] });
});

describe("workgroup memory of packed vectors that is looked at as numbers", () => {
  const kernel = (declared: string, object: string): string => `#include <metal_stdlib>
using namespace metal;
struct E { packed_float3 p; };
struct S { uint a[4]; E e[64]; };
kernel void k(device float *o [[buffer(0)]], ${declared.startsWith("[[") ? `threadgroup S *s ${declared}, ` : ""}uint i [[thread_index_in_threadgroup]]) {
  ${declared.startsWith("[[") ? "" : declared}
  ${object}[i].p = packed_float3(float3(i, i + 10, i + 20));
  threadgroup_barrier(mem_flags::mem_threadgroup);
  threadgroup float *f = reinterpret_cast<threadgroup float *>(reinterpret_cast<threadgroup char *>(&${object}) + 4);
  o[i] = f[i];
}`;
  // A packed_float3 has 12 bytes (MSL table 2.5): number n is component n % 3 of what lane n / 3 stored, n = i + 1.
  const wanted = Array.from({ length: 64 }, (_, i) => Math.floor((i + 1) / 3) + 10 * ((i + 1) % 3));
  test.each([
    ["the kernel's own", "threadgroup E m[64];", "m"],
    ["a member of what is sized at launch", "[[threadgroup(0)]]", "s->e"],
  ])("%s", async (_, declared, object) => {
    const source = kernel(declared, object);
    const { code, diagnostics } = await translate(source, { from: "msl", to: "opencl", workgroupSize: [64, 1, 1] });
    expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
    // 16 bytes and 64 elements of 12.
    const shared: SimulateOptions["args"] = object === "m" ? {} : { s: { byteLength: 784 } };
    for (const [text, from] of [
      [source, "msl"],
      [code!, "opencl"],
    ] as const) {
      const args = { o: new Float32Array(64), ...shared };
      const run = await simulate(text, { from, workgroups: [1], workgroupSize: [64, 1, 1], args });
      expect([...(run.buffers["o"] as Float32Array)], text).toEqual(wanted);
    }
  });

  // Scalars lie as in the source; words of its layout take as many bytes up to a whole word.
  test.each([
    ["S", "uint a[4]; packed_float3 e[64]; ", "(threadgroup float *)&s->e", undefined],
    ["S", "packed_half3 p; ", "(threadgroup ushort *)s", undefined],
    [
      "S",
      "packed_half3 p; half first() threadgroup { volatile packed_half3 a[1]; a[0] = p; return (a[0] += p).x; } ",
      "(threadgroup ushort *)s",
      { here: 8, source: 6 },
    ],
  ])("takes as many bytes where it is sized at launch, %s { %s}", async (name, members, pointer, strides) => {
    const source = `#include <metal_stdlib>
using namespace metal;
struct ${name} { ${members}};
kernel void k(device float *o [[buffer(0)]], threadgroup S *s [[threadgroup(0)]], uint i [[thread_index_in_threadgroup]]) {
  (${pointer})[i] = i;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  o[i] = (${pointer})[2 - i];${members.includes("first") ? " o[i] += s->first();" : ""}
}`;
    const how = { from: "msl", workgroupSize: [3, 1, 1] } as const;
    const { entries } = await reflect(source, how);
    expect(entries[0]!.arguments.find((a) => a.path === "s")!.slots.opencl?.strides).toEqual(strides);
    const { result, diagnostics } = await verify(source, { ...how, to: "opencl" });
    expect({ result, diagnostics }).toEqual({ result: "equivalent", diagnostics: [] });
  });

  test("a union's", async () => {
    const source = `#include <metal_stdlib>
using namespace metal;
struct E { packed_float3 p; uint c; };
union U { E e[2]; float f[8]; uint u[8]; };
struct H { uint n; U u; };
static U made(uint i) { U u; u.e[0].p = packed_float3(float3(i, i + 1, i + 2)); u.e[0].c = 5; u.e[1] = u.e[0]; u.e[1].p.y = 9; return u; }
kernel void k(device float *o [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
  threadgroup U t[8];
  H h = { 7, made(i) };
  t[i] = h.u;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  o[i] = (i & 3) == 3 ? float(t[i ^ 1].u[i]) : t[i ^ 1].f[i] + h.n;
}`;
    // E has 16 bytes: numbers 4 to 7 are those of the second, with 9 for its y. Of lane i ^ 1: 1, 0 + 1, 3 + 2, c, 5, y, 7 + 2, c; and 7, but for c.
    const wanted = [8, 8, 12, 5, 12, 16, 16, 5];
    const { code, diagnostics } = await translate(source, { from: "msl", to: "opencl", workgroupSize: [8, 1, 1] });
    expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
    for (const [text, from] of [
      [source, "msl"],
      [code!, "opencl"],
    ] as const) {
      const run = await simulate(text, {
        from,
        workgroups: [1],
        workgroupSize: [8, 1, 1],
        args: { o: new Float32Array(8) },
      });
      expect([...(run.buffers["o"] as Float32Array)], text).toEqual(wanted);
    }
  });
});

test("OpenCL C that is printed anew keeps vectors where they lay", async () => {
  const source = `typedef float4 __attribute__((aligned(4))) float4u;
typedef float8 __attribute__((aligned(4))) float8u;
typedef struct { float a; float4u v; float8u w; } S;
kernel void other(global int *q) { q[0] = 1; }
__attribute__((reqd_work_group_size(2, 1, 1)))
kernel void k(global float *b, global S *p) {
  int i = get_local_id(0);
  p[i].v = *(global float4u *)(b + 3 + i);
  p[i].w.s7 = p[i].a;
}`;
  const { code, diagnostics } = await translate(source, { from: "opencl", to: "opencl", entry: "k" });
  expect(diagnostics.map((d) => d.message)).toEqual([]);
  // clang: v at byte 4 and w at byte 20 of 52.
  const args = {
    b: Float32Array.from({ length: 8 }, (_, j) => j),
    p: Float32Array.from({ length: 26 }, (_, j) => 100 + j),
  };
  const wanted = Array.from({ length: 26 }, (_, j) => {
    const [i, at] = [Math.floor(j / 13), j % 13];
    return at > 0 && at < 5 ? 3 + i + at - 1 : at === 12 ? 100 + 13 * i : 100 + j;
  });
  for (const text of [source, code!]) {
    const run = await simulate(text, {
      from: "opencl",
      entry: "k",
      workgroups: [1],
      args: { ...args, p: args.p.slice() },
    });
    expect([...(run.buffers["p"] as Float32Array)]).toEqual(wanted);
  }
});

test("a union of packed vectors stays one of arrays, whichever of its members are named", async () => {
  const text = (more: string): string => `#include <metal_stdlib>
using namespace metal;
union U { packed_float3 v; float f[3]; };
struct S { U u; float k; };
struct R { packed_float3 d; uchar e; };
kernel void k(device float *o [[buffer(0)]], device const float *a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  threadgroup R w[8];
  w[i].d = packed_float3(a[i], 5, 6); w[i].e = 3;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  threadgroup float *b = (threadgroup float *)w;
  S s; s.u.v = packed_float3(a[i], 1, 2); s.k = 3;
  S t = s; t.u.v.z += 4;
  o[i] = t.u.v.x + t.u.v.z * 10 + s.u.v.z * 100 + t.k * 1000 + b[5] * 10000${more};
}
`;
  const a = Float32Array.from({ length: 8 }, (_, i) => i);
  for (const more of ["", " + t.u.f[1] * 100000"]) {
    const how = { from: "msl", workgroupSize: [8, 1, 1] } as const;
    const { code } = await translate(text(more), { ...how, to: "opencl" });
    expect(code).toContain("union U {\n  float v[3];\n  float f[3];\n};");
    // Four words an element: the second of the second is b[5].
    expect(code).toContain("struct R {\n  float d[3];\n  uchar e;\n};");
    for (const [written, from] of [[text(more), "msl"] as const, [code!, "opencl"] as const]) {
      const args = { a, o: new Float32Array(8) };
      const { buffers, findings } = await simulate(written, { ...how, from, workgroups: [1], args });
      expect(findings).toEqual([]);
      const wanted = [...a].map((x) => x + 60 + 200 + 3000 + 50_000 + (more === "" ? 0 : 100_000));
      expect([...(buffers["o"] as Float32Array)]).toEqual(wanted);
    }
  }
});

// By hand: what vload3 and vstore3 take lies at any multiple of a component (OpenCL C 3.0 6.15.7), as packed vectors do (MSL 2.2.3).
// What names the place, and what the value changes: in the order of the source, a lane for each.
test("packed vectors are stored where they are named, whatever the value does", async () => {
  const source = `#include <metal_stdlib>
using namespace metal;
float3 next(thread uint &n) { n += 1; return float3(n); }
struct M { device packed_float3 *q; };
kernel void k(device packed_float3 *p [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  M m = {p + i * 8}; uint n = 1;
  (*m.q) = packed_float3(next(n));
  m.q[n] = packed_float3(next(n) * 2);
  m.q[1].zx = next(n).xy + 1;
  m.q[n++] += packed_float3(1);
  m.q[++n] = packed_float3(7);
  m.q[7] = packed_float3(float(n));
}
`;
  // clang's order, which Metal's compiler has as well: the value first, then the place. n is 2, 3, 4, 5 and 6.
  const lane = [2, 2, 2, 5, 0, 5, 0, 0, 0, 6, 6, 6, 1, 1, 1, 0, 0, 0, 7, 7, 7, 6, 6, 6];
  const { code } = await translate(source, { from: "msl", to: "opencl", workgroupSize: [2, 1, 1] });
  expect(code).toContain("__global float *p");
  for (const [text, from] of [[source, "msl"] as const, [code!, "opencl"] as const]) {
    const args = { p: new Float32Array(48) };
    const { buffers, findings } = await simulate(text, { from, workgroups: [1], workgroupSize: [2, 1, 1], args });
    expect(findings).toEqual([]);
    expect([...(buffers["p"] as Float32Array)], text).toEqual([...lane, ...lane]);
  }
});

test("packed vectors are guarded where accesses have to be in bounds: reads give 0, and nothing is written", async () => {
  const source = `#include <metal_stdlib>
using namespace metal;
struct S { packed_float3 a; packed_float3 b[2]; };
kernel void k(device packed_float3 *p [[buffer(0)]], device S *s [[buffer(1)]], constant uint &n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  p[i * n] = p[i + 2] + 1;
  p[n + i + 1].x = 5;
  s[i].b[i + 1] = s[i].a + s[i * 4].b[n - 1];
}`;
  const how = { from: "msl", workgroupSize: [2, 1, 1] } as const;
  const { code, diagnostics } = await translate(source, { ...how, to: "opencl", strict: true });
  expect(diagnostics.map((d) => d.message)).toEqual([]);
  // Three vectors and a part of a fourth: lane 1 reads vector 3, which is none, and stores to vector 4, which is none.
  const p = Float32Array.from({ length: 10 }, (_, j) => j);
  const s = Float32Array.from({ length: 18 }, (_, j) => j);
  const slots = { p_length: 10, s_length: 2 };
  const { buffers, findings } = await simulate(code!, {
    from: "opencl",
    workgroups: [1],
    args: { p, s, n: 4, ...slots },
    workgroupSize: [2, 1, 1],
  });
  expect(findings).toEqual([]);
  expect([...(buffers["p"] as Float32Array)]).toEqual([7, 8, 9, 3, 4, 5, 6, 7, 8, 9]);
  // b[3] is none: lane 0 adds zeros, and lane 1, for which b[2] is none, stores nothing.
  expect([...(buffers["s"] as Float32Array)].slice(0, 9)).toEqual([0, 1, 2, 3, 4, 5, 0, 1, 2]);
  expect([...(buffers["s"] as Float32Array)].slice(9)).toEqual([9, 10, 11, 12, 13, 14, 15, 16, 17]);
});

describe("packed vectors behind pointers", () => {
  const kernels: readonly (readonly [
    name: string,
    source: string,
    wanted: readonly number[],
    texts: readonly string[],
  ])[] = [
    [
      "that move, and sums whose operand has effects",
      `float3 grown(device packed_float3 *p, int i) { p[i].x += 1; return p[i]; }
kernel void k(device packed_float3 *p [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  p += i * 8;
  device packed_float3 *q = p; int n;
  for (p[7].xy = p[7].yx, n = 1; n < 3; n++, q++) *q = packed_float3(n);
  q--; q->y = 9;
  q[-1].z += 5;
  p[2] += grown(p, 2);
  q++, p[3] = packed_float3(q - p);
  p[4].zx += grown(p, 4).xy;
  p[5] = q[-2];
}`,
      // What is there before is read after what the operand does: (1, 0, 0) of both.
      [1, 1, 6, 2, 9, 2, 2, 0, 0, 2, 2, 2, 1, 0, 1, 1, 1, 6, 0, 1, 2, 4, 3, 5],
      ["__global float *p", "n++, q += 3)", "  q -= 3;\n", "q[-1] += 5.0f;", "vload3(-2, q)"],
    ],
    [
      // vload3 and vstore3 take no pointers to volatile.
      "to volatile",
      `float3 grown(volatile device packed_float3 &r) { r += 1; return r; }
kernel void k(volatile device packed_float3 *p [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  volatile device packed_float3 *q = p + i * 8;
  float3 a = q[7];
  *q++ = a.zyx;
  q->xz = a.xy;
  q[1] = packed_float3(grown(*q) * 2);
  q[2].zy += q[0].xz;
}`,
      [5, 4, 3, 4, 1, 5, 8, 2, 10, 0, 5, 4, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5],
      ["__global volatile float *p", "__global volatile float *at = (q += 3) - 3;"],
    ],
    [
      "whose stores are values, members of results with effects, and parameters with an address",
      `struct S { packed_float3 pos; float w; };
S make(device packed_float3 *q, float x) { q[6].x += x; S s; s.pos = packed_float3(x, x + 1, x + 2); s.w = x; return s; }
float3 next(thread int &n) { n++; return float3(n, 7, 8); }
float own(packed_float3 v) { thread packed_float3 *r = &v; *r *= 2.0f; r->x += 3; return v.x + v.y; }
kernel void k(device packed_float3 *p [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  device packed_float3 *q = p + i * 8;
  float3 v = q[0] = float3(1, 2, 3);
  packed_float3 w;
  w = q[1] = q[2] = packed_float3(v * 2);
  v = q[1] += float3(1);
  float3 r = make(q, own(w)).pos;
  q[3] = q[4] = r + v;
  int n = 4;
  float3 u = q[5] = next(n);
  device packed_float3 *at = q + 6;
  u += *at++ += packed_float3(1);
  q[at - q] += u;
  if ((q[0] = float3(4)).x > 3 && n == 5) q[2].y = make(q, 1).pos.z;
}`,
      // v is (3, 5, 7), own(w) is 7 + 8, r (15, 16, 17), and u (5, 7, 8) + (16, 2, 3).
      [4, 4, 4, 3, 5, 7, 2, 3, 6, 18, 21, 24, 18, 21, 24, 5, 7, 8, 17, 2, 3, 24, 13, 16],
      [
        "__global float *p",
        "  float3 v = value;\n",
        "float v1[3] = {v.x, v.y, v.z};",
        "const struct S result = make(q, own(w));",
      ],
    ],
  ];
  const text = (source: string): string => `#include <metal_stdlib>\nusing namespace metal;\n${source}\n`;
  const how = { from: "msl", workgroupSize: [2, 1, 1] } as const;

  test.each(kernels)("%s", async (_, source, wanted, texts) => {
    const { code, diagnostics } = await translate(text(source), { ...how, to: "opencl" });
    expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
    for (const part of texts) expect(code).toContain(part);
    for (const [written, from] of [[text(source), "msl"] as const, [code!, "opencl"] as const]) {
      const p = Float32Array.from({ length: 48 }, (_, i) => Math.max(0, (i % 24) - 18));
      const { buffers, findings } = await simulate(written, { ...how, from, workgroups: [1], args: { p } });
      expect(findings, written).toEqual([]);
      expect([...(buffers["p"] as Float32Array)], written).toEqual([...wanted, ...wanted]);
    }
  });

  judgeTest(judges.opencl, "and clang takes them", async () => {
    for (const [name, source] of kernels) {
      const { code } = await translate(text(source), { ...how, to: "opencl" });
      expect(refusals(await judgeOutputs([judgeable("opencl", name, code!)]))).toBe("");
    }
  });
});

describe("packed vectors are scalars in OpenCL C, and what points to them stays a pointer", () => {
  const source = `#include <metal_stdlib>
using namespace metal;
struct V { packed_float3 pos; float w; packed_short3 n; short m; };
float sum(device const packed_char4 *q, int n) { float s = 0; for (int i = 0; i < n; ++i) s += float((*q++).x); return s; }
V make(float x) { V v; v.pos = packed_float3(x, x + 1, x + 2); v.w = 1; v.n = packed_short3(short3(x)); v.m = 2; return v; }
void turn(thread packed_float3 &v, device const packed_float3 &by) { v = packed_float3(v.z + by.y, v.y, v.x); }
float firstOf(thread const packed_float3 &v) { return v.x; }
void turnBack(thread packed_float3 &v, device const packed_float3 &by) { turn(v, by); v.z -= by[1]; }
constant packed_float3 table[2] = {packed_float3(1, 2, 3), packed_float3(4)};
kernel void k(device const uchar *src [[buffer(0)]], device float *dst [[buffer(1)]], device V *vs [[buffer(2)]],
              threadgroup packed_float3 *t [[threadgroup(0)]], uint i [[thread_index_in_threadgroup]]) {
  device const packed_char4 *q = (device const packed_char4 *)(src + i * 4);
  dst[i * 8] = float(q[0].x) + float(q[1][2]);
  char4 v = q[2];
  dst[i * 8 + 1] = float(v.w) + sum(q, 2) + float(q + 3 - q);
  device V &d = vs[i * 3];
  d.pos += packed_float3(1, 2, 3);
  float3 p = d.pos;
  d.pos = p.zyx;
  d.pos.y = 7;
  d.n[i & 1] = 3;
  vs[i * 3 + 1] = make(2);
  vs[i * 3 + 2] = V{packed_float3(table[i]), 4, d.n, 5};
  dst[i * 8 + 2] = make(3).pos.y + vs[i * 3 + 2].pos.z;
  t[i] = d.pos;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  dst[i * 8 + 3] = t[1 - i].x;
  packed_float3 own = d.pos;
  thread packed_float3 *o = &own;
  o->x = 9;
  device packed_float3 *pp = &vs[i * 3 + 1].pos;
  *pp = own + packed_float3(0, 0, 1);
  dst[i * 8 + 4] = own.x;
  turn(own, d.pos);
  dst[i * 8 + 5] = own.x * 100 + own.z;
  turnBack(own, vs[i * 3].pos);
  dst[i * 8 + 6] = own.x * 100 + own.z + firstOf(own);
  vs[i * 3 + 2].pos.zx += own.xy;
  vs[i * 3 + 2].pos.xy = vs[i * 3 + 2].pos.yx;
}
`;
  const args = (): SimulateOptions["args"] => ({
    src: Uint8Array.from({ length: 16 }, (_, i) => i),
    dst: new Float32Array(16),
    // pos, w, n and m of 6 elements of 24 bytes: zeros.
    vs: new Uint8Array(144),
    t: { byteLength: 24 },
  });
  const vs = (i: number): readonly (readonly number[])[] => [
    [3, 7, 1, 0, ...(i === 0 ? [3, 0, 0] : [0, 3, 0]), 0],
    [9, 7, 2, 1, 2, 2, 2, 2],
    // (1, 2, 3) and (4, 4, 4): z and x grow by 16 and 7, then x and y change places.
    [...(i === 0 ? [2, 8, 19] : [4, 11, 20]), 4, ...(i === 0 ? [3, 0, 0] : [0, 3, 0]), 5],
  ];
  // The bytes that are read; make(3).pos.y is 4; the other lane's x; what was written through o.
  // own is (9, 7, 1), (8, 7, 9) and (16, 7, 1) then.
  const wanted = [6, 11 + 4 + 3, 7, 3, 9, 809, 1617, 0, 4 + 10, 15 + 4 + 8 + 3, 8, 3, 9, 809, 1617, 0];

  test("to the same bytes", async () => {
    const { code, diagnostics } = await translate(source, { from: "msl", to: "opencl", workgroupSize: [2, 1, 1] });
    expect(diagnostics).toEqual([]);
    expect(code).toContain("__global struct V *vs,");
    expect(code).toContain("__global const char *q = (__global const char *)&src[i * 4u];");
    expect(code).toContain("vstore3(vload3(0, d->pos) + (float3)(1.0f, 2.0f, 3.0f), 0, d->pos);");
    for (const [text, from] of [
      [source, "msl"],
      [code!, "opencl"],
    ] as const) {
      const run = await simulate(text, { from, workgroups: [1], workgroupSize: [2, 1, 1], args: args() });
      expect(run.findings, text).toEqual([]);
      expect([...(run.buffers["dst"] as Float32Array)], text).toEqual(wanted);
      const bytes = run.buffers["vs"] as Uint8Array;
      const view = new DataView(bytes.buffer, bytes.byteOffset);
      const lies = (at: number): number[] => [
        ...[0, 4, 8, 12].map((o) => view.getFloat32(at + o, true)),
        ...[16, 18, 20, 22].map((o) => view.getInt16(at + o, true)),
      ];
      expect(
        [0, 1, 2, 3, 4, 5].map((e) => lies(e * 24)),
        text,
      ).toEqual([...vs(0), ...vs(1)]);
    }
  });

  judgeTest(judges.opencl, "and clang takes it", async () => {
    const { code } = await translate(source, { from: "msl", to: "opencl", workgroupSize: [2, 1, 1] });
    expect(refusals(await judgeOutputs([judgeable("opencl", "packed vectors", code!)]))).toBe("");
  });
});
