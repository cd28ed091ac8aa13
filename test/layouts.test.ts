/**
 * Where the members of structs lie, held against real compilers: clang's `offsetof` for OpenCL C and MSL, the decorations that
 * glslang writes for std430, std140 and scalar, and the tables that DXC prints of structured and constant buffers. Forty structs, chosen to
 * hurt: tails of vectors of three, small numbers between large ones, arrays in 16-byte slots, structs in structs, matrices both ways.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { reflect, simulate, translate, type SourceDialect } from "../src/index.js";
import { inScratchFolder, runProgram } from "../src/judges/run-program.js";
import { askDxc } from "./support/judges/dxc.js";
import { judges } from "./support/judges/outputs.js";
import { judgeTest } from "./support/tool-test.js";

/** `f32x3 a`, `f32c2r3 m` (two columns of three rows), `row f32c2r3 m`, `packed f32x3 p`, `In i[2]`. */
const declared: Readonly<Record<string, string>> = {
  Pair: "f32 a; f32x2 b",
  Tail: "f32x3 v; f32 s",
  Three: "f32x3 v",
  Small: "u8 a; u16 b; u8 c",
  Wide: "f64 d; f32 f",
  Truth: "bool t; f32 f",
  Halves: "f16x3 h; f16 g",
  S1: "f32x3 a; f32 b; f32x3 c; f32x2 d",
  S2: "f32 a; f32x3 b; f32 c; f32x4 d",
  S3: "f32x2 a; f32x3 b; f32x2 c",
  S4: "f32 a[3]; f32 b",
  S5: "f32x3 a[2]; f32 b",
  S6: "f32x2 a[3]; f32x2 b; f32 c",
  S7: "f32 a[2][3]; f32 b",
  S8: "u8 a; u16 b; u32 c; u8 d",
  S9: "u8 a; u64 b; u8 c; u16 d",
  S10: "u8x3 a; u8 b; u8x3 c[2]; u16 d",
  S11: "u16 a; u16x3 b; u16 c; u16x3 d[3]; u16 e",
  S12: "f16 a; f16x3 b; f32 c; f16x2 d; f16 e",
  S13: "f64 a; f32 b; f64x3 c; f32 d",
  S14: "f32 a; f64x2 b; f32 c; f64 d[2]",
  S15: "i64 a; i32 b; i64x3 c; i32 d",
  S16: "Pair p; f32 a; Pair q[2]; f32 b",
  S17: "f32 a; Tail t; f32 b; Tail u[2]; f32 c",
  S18: "Three a; f32 b; Three c[2]; f32 d",
  S19: "f32 a; Small s; f32 b; Small t[3]; u8 c",
  S20: "f32 a; Wide w; f32 b; Wide x[2]; f32 c",
  S21: "bool a; f32 b; boolx3 c; bool d",
  S22: "f32 a; Truth t[2]; bool b; f32x3 c",
  S23: "f16 a; Halves h; f16 b; Halves i[2]; f32 c",
  S24: "f32c2r2 m; f32 a; f32c2r2 n[2]",
  S25: "f32 a; f32c3r3 m; f32 b",
  S26: "f32c3r2 m; f32x2 a; f32c2r3 n; f32 b",
  S27: "f32 a; f32c4r3 m; f32 b; f32c4r4 n",
  S28: "row f32c2r3 m; f32 a; row f32c3r2 n; f32 b",
  S29: "f32 a; row f32c3r3 m[2]; f32 b",
  S30: "packed f32x3 a; f32 b; packed f32x3 c[2]; f32x3 d",
  S31: "u8 a; packed u16x3 b; u8 c; packed u8x2 d",
  S32: "f32x8 a; f32 b; f32x16 c; f32x2 d",
  S33: "u8x16 a; u8 b; u16x8 c; u8 d",
  S34: "f32 a; u64 b[2]; u8 c; f32x4 d",
  S35: "u16 a[5]; f32 b; u16 c[2][2]; f64 d",
  S36: "f32x4 a; f32 b; f32x4 c[1]; f32 d[1]",
  S37: "i32x3 a; i32 b; u32x2 c; i32x3 d; u32 e",
  S38: "f64c2r2 m; f32 a; f64c2r3 n; f32 b",
  S39: "f64x3 a; f32x3 b; f16x3 c; f32 d",
  S40: "f32 a; f32x2 b[2][2]; f32x3 c; u32 d; f32x2 e",
};

interface Member {
  readonly type: string;
  readonly name: string;
  readonly dims: readonly number[];
  readonly mark: string;
}
const structs = new Map<string, readonly Member[]>(
  Object.entries(declared).map(([name, text]) => [
    name,
    text.split("; ").map((m) => {
      const [, mark = "", type, member, dims = ""] = /^(?:(row|packed) )?(\w+) (\w+)((?:\[\d+\])*)$/.exec(m)!;
      return { mark, type: type!, name: member!, dims: [...dims.matchAll(/\d+/g)].map((d) => Number(d[0])) };
    }),
  ]),
);

interface Shape {
  readonly scalar: string;
  readonly size: number;
  readonly columns: number;
  readonly rows: number;
}
const shapeOf = (type: string): Shape => {
  const [, scalar, size, columns, rows] = /^([fiu]\d+|bool)(?:x(\d+)|c(\d)r(\d))?$/.exec(type)!;
  return { scalar: scalar!, size: Number(size ?? 1), columns: Number(columns ?? 0), rows: Number(rows ?? 0) };
};

const scalars: Readonly<Record<SourceDialect, Readonly<Record<string, string>>>> = {
  opencl: {
    f16: "half",
    f32: "float",
    f64: "double",
    i32: "int",
    i64: "long",
    u8: "uchar",
    u16: "ushort",
    u32: "uint",
    u64: "ulong",
  },
  msl: {
    f16: "half",
    f32: "float",
    i32: "int",
    i64: "long",
    u8: "uchar",
    u16: "ushort",
    u32: "uint",
    u64: "ulong",
    bool: "bool",
  },
  hlsl: {
    f16: "float16_t",
    f32: "float",
    f64: "double",
    i32: "int",
    i64: "int64_t",
    u16: "uint16_t",
    u32: "uint",
    u64: "uint64_t",
    bool: "bool",
  },
  glsl: {
    f16: "float16_t",
    f32: "float",
    f64: "double",
    i32: "int",
    i64: "int64_t",
    u8: "uint8_t",
    u16: "uint16_t",
    u32: "uint",
    u64: "uint64_t",
    bool: "bool",
  },
};
const glslVectors: Readonly<Record<string, string>> = {
  f16: "f16vec",
  f32: "vec",
  f64: "dvec",
  i32: "ivec",
  i64: "i64vec",
  u8: "u8vec",
  u16: "u16vec",
  u32: "uvec",
  u64: "u64vec",
  bool: "bvec",
};

/** The type in a dialect; undefined where it has none. */
function typeIn(dialect: SourceDialect, { type, mark }: Member): string | undefined {
  if (structs.has(type)) return canSay(dialect, type) ? type : undefined;
  const { scalar, size, columns, rows } = shapeOf(type);
  const word = scalars[dialect][scalar];
  if (word === undefined) return undefined;
  if (columns > 0) {
    if (dialect === "opencl" || (dialect !== "hlsl" && mark === "row")) return undefined;
    // HLSL names rows first.
    if (dialect === "hlsl") return `${mark === "row" ? "row_major " : ""}${word}${rows}x${columns}`;
    if (dialect === "msl") return `${word}${columns}x${rows}`;
    return `${scalar === "f64" ? "d" : ""}mat${columns}x${rows}`;
  }
  if (size > 4 && dialect !== "opencl") return undefined;
  if (mark === "packed" && dialect !== "msl") return undefined;
  if (size === 1) return word;
  return dialect === "glsl" ? `${glslVectors[scalar]}${size}` : `${mark === "packed" ? "packed_" : ""}${word}${size}`;
}
const canSay = (dialect: SourceDialect, name: string): boolean =>
  structs.get(name)!.every((m) => typeIn(dialect, m) !== undefined);

const textOf = (dialect: SourceDialect, name: string): string =>
  `${dialect === "opencl" ? "typedef struct" : `struct ${name}`} { ${structs
    .get(name)!
    .map((m) => `${typeIn(dialect, m)} ${m.name}${m.dims.map((d) => `[${d}]`).join("")};`)
    .join(" ")} }${dialect === "opencl" ? ` ${name}` : ""};`;
const inner = Object.keys(declared).filter((n) => !/^S\d/.test(n));
const outer = Object.keys(declared).filter((n) => /^S\d/.test(n));

const indices = (count: number, which: "corners" | "first" | "all"): number[] =>
  which === "all" ? Array.from({ length: count }, (_, i) => i) : [...new Set(which === "first" ? [0] : [0, count - 1])];

/** Members with the first and the last index of each array, as C writes them, and the first scalar of each for reflection. */
function places(
  name: string,
  which: "corners" | "first" | "all" = "corners",
  before = "",
): { readonly path: string; readonly leaf: string }[] {
  return structs.get(name)!.flatMap((m) => {
    const corners = m.dims.reduce<string[]>(
      (list, d) => list.flatMap((p) => indices(d, which).map((i) => `${p}[${i}]`)),
      [`${before}${m.name}`],
    );
    if (structs.has(m.type)) return corners.flatMap((p) => places(m.type, which, `${p}.`));
    const { size, columns } = shapeOf(m.type);
    return corners.map((path) => ({ path, leaf: path + (columns > 0 ? "[0][0]" : size > 1 ? "[0]" : "") }));
  });
}

const own = (dialect: SourceDialect): string[] => outer.filter((n) => canSay(dialect, n));
const all = (dialect: SourceDialect): string =>
  [...inner.filter((n) => canSay(dialect, n)), ...own(dialect)].map((n) => textOf(dialect, n)).join("\n");

const shim = fileURLToPath(new URL("support/metal-shim", import.meta.url));

interface Laid {
  readonly stride: number;
  readonly offsets: ReadonlyMap<string, number>;
  readonly kinds: ReadonlyMap<string, string>;
}
/** What crosslane says of each struct as the element of a buffer. */
async function reflected(dialect: SourceDialect, text: string): Promise<Map<string, Laid>> {
  const { entries } = await reflect(text, { from: dialect });
  return new Map(
    entries.flatMap((e) =>
      e.arguments
        .filter((a) => a.leaves !== undefined)
        .map((a) => [
          a.path.toUpperCase(),
          {
            stride: a.stride!,
            offsets: new Map(a.leaves!.map((l) => [l.path, l.offset])),
            kinds: new Map(a.leaves!.map((l) => [l.path, l.type])),
          },
        ]),
    ),
  );
}

describe.each(["opencl", "msl"] as const)("%s", (dialect) => {
  const names = own(dialect);
  const head =
    dialect === "opencl"
      ? "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
      : "#include <metal_stdlib>\nusing namespace metal;\n";
  const space = dialect === "opencl" ? "__global" : "device";
  const kernel = `${dialect === "opencl" ? "__kernel" : "kernel"} void k(${names.map((n, i) => `${space} ${n} *${n.toLowerCase()}${dialect === "msl" ? ` [[buffer(${i})]]` : ""}`).join(", ")}) {}\n`;
  // What is not true makes an array of a negative size.
  const holds = (name: string, condition: string): string =>
    `typedef char ${name.replace(/\W+/g, "_")}[${condition} ? 1 : -1];`;
  judgeTest(judges[dialect], "offsets are those of clang", async () => {
    const laid = await reflected(dialect, `${head}${all(dialect)}\n${kernel}`);
    const asserts = names.flatMap((n) => [
      holds(`size ${n}`, `sizeof(${n}) == ${laid.get(n)!.stride}`),
      ...places(n).map(({ path, leaf }) =>
        holds(`offset ${n} ${path}`, `__builtin_offsetof(${n}, ${path}) == ${laid.get(n)!.offsets.get(leaf)}`),
      ),
    ]);
    const text = `${head}${all(dialect)}\n${asserts.join("\n")}\n`;
    const { status, stderr } = await inScratchFolder((folder) => {
      writeFileSync(join(folder, "layouts.cl"), text);
      const own = dialect === "msl" ? ["-cl-std=clc++2021", "-cl-no-stdinc", "-I", shim] : ["-cl-std=CL3.0"];
      const flags = ["-x", "cl", "--target=spir64", "-Xclang", "-cl-ext=+all", "-fsyntax-only", ...own];
      return runProgram("clang-19", [...flags, "layouts.cl"], folder);
    });
    expect(stderr.split("\n").filter((line) => line.includes("error"))).toEqual([]);
    expect(status).toBe(0);
    expect(asserts.length).toBeGreaterThan(150);
  });
});

const glslHead = `#version 450
${["int8", "int16", "int64", "float16", "float64"].map((x) => `#extension GL_EXT_shader_explicit_arithmetic_types_${x} : require`).join("\n")}
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x = 1) in;
`;

/** Offsets by the decorations in the disassembly of a module. */
function decorated(assembly: string): (struct: string, path: string) => number {
  const names = new Map<string, string>();
  const members = new Map<string, string[]>();
  const offsets = new Map<string, number>();
  const strides = new Map<string, number>();
  const types = new Map<string, readonly string[]>();
  for (const line of assembly.split("\n")) {
    const words = line.trim().split(/\s+/);
    if (words[0] === "OpName") names.set(words[2]!.replaceAll('"', ""), words[1]!);
    else if (words[0] === "OpMemberName")
      (members.get(words[1]!) ?? members.set(words[1]!, []).get(words[1]!)!)[Number(words[2])] = words[3]!.slice(1, -1);
    else if (words[0] === "OpMemberDecorate" && words[3] === "Offset")
      offsets.set(`${words[1]} ${words[2]}`, Number(words[4]));
    else if (words[0] === "OpDecorate" && words[2] === "ArrayStride") strides.set(words[1]!, Number(words[3]));
    else if (/^OpType/.test(words[2] ?? "")) types.set(words[0]!, words.slice(2));
  }
  return (struct, path) => {
    let at = 0;
    let type = names.get(struct)!;
    for (const step of path.match(/\w+|\[\d+\]/g)!) {
      if (step.startsWith("[")) {
        at += Number(step.slice(1, -1)) * strides.get(type)!;
        type = types.get(type)![1]!;
        continue;
      }
      const i = members.get(type)!.indexOf(step);
      at += offsets.get(`${type} ${i}`)!;
      type = types.get(type)![1 + i]!;
    }
    return at;
  };
}

async function assembled(text: string): Promise<string> {
  return inScratchFolder(async (folder) => {
    writeFileSync(join(folder, "layouts.comp"), text);
    const compiled = await runProgram(
      "glslangValidator",
      ["-V", "--target-env", "vulkan1.3", "layouts.comp", "-o", "l.spv"],
      folder,
    );
    expect(compiled.status, compiled.stdout).toBe(0);
    const { stdout } = await runProgram("spirv-dis", ["--raw-id", "l.spv"], folder);
    return stdout;
  });
}

/** By-value members by their paths: an array of numbers is one of them. */
async function valuesOf(dialect: "glsl" | "hlsl", text: string): Promise<Map<string, number | undefined>> {
  const { entries } = await reflect(text, { from: dialect });
  return new Map(
    entries[0]!.arguments.flatMap((a) => {
      const slot = a.slots[dialect] as { readonly offset?: number } | undefined;
      return a.kind === "value" ? [[a.path, slot?.offset] as const] : [];
    }),
  );
}
const asValue = (path: string): string => path.replace(/(\[0\])+$/, "");

describe("glsl", () => {
  const names = own("glsl");
  for (const rule of ["std430", "scalar"])
    judgeTest(judges.glsl, `offsets of ${rule} are those of glslang`, async () => {
      const blocks = names.map(
        (n, i) => `layout(${rule}, binding = ${i}) buffer B${n} { ${n} ${n.toLowerCase()}[]; };`,
      );
      const text = `${glslHead}${all("glsl")}\n${blocks.join("\n")}\nvoid main() {}\n`;
      const laid = await reflected("glsl", text);
      const offset = decorated(await assembled(text));
      const differences = names.flatMap((n) => {
        const { stride, offsets } = laid.get(n)!;
        const list = n.toLowerCase();
        return [
          [`${n}[1]`, stride, offset(`B${n}`, `${list}[1]`)] as const,
          ...places(n).map(
            ({ path, leaf }) => [`${n}.${path}`, offsets.get(leaf), offset(`B${n}`, `${list}[0].${path}`)] as const,
          ),
        ].filter(([, is, should]) => is !== should);
      });
      expect(differences).toEqual([]);
    });

  for (const rule of ["std140", "scalar"])
    judgeTest(judges.glsl, `offsets of ${rule} in uniforms are those of glslang`, async () => {
      const blocks = names.map(
        (n, i) => `layout(${rule}, binding = ${i}) uniform B${n} { ${n} s; float after; } b${n};`,
      );
      const text = `${glslHead}${all("glsl")}\n${blocks.join("\n")}\nvoid main() {}\n`;
      const values = await valuesOf("glsl", text);
      const offset = decorated(await assembled(text));
      const differences = names
        .flatMap((n) => [
          [`${n} after`, values.get(`b${n}.after`), offset(`B${n}`, "after")] as const,
          ...places(n)
            .filter(({ path }) => !/\[[1-9]\d*\](\[\d+\])*$|\[[1-9]\d*\]$/.test(path))
            .map(
              ({ path }) =>
                [`${n}.${path}`, values.get(`b${n}.s.${asValue(path)}`), offset(`B${n}`, `s.${path}`)] as const,
            ),
        ])
        .filter(([, is, should]) => is !== should);
      expect(differences).toEqual([]);
    });
});

/** The offsets that DXC prints behind members, of the first elements of arrays; nested ones from the start of the buffer. */
function printed(listing: string, name: string): { readonly size: number; readonly offsets: Map<string, number> } {
  const start = listing.indexOf(name);
  const lines = listing.slice(start, listing.indexOf("Size:", start) + 20).split("\n");
  const offsets = new Map<string, number>();
  const open: { path: string; offset: number }[][] = [[]];
  for (const line of lines) {
    if (/^;\s+struct /.test(line)) open.push([]);
    const member = /^;\s+(?:.* )?\}? ?([\w$]+)((?:\[\d+\])*);+\s+; Offset:\s+(\d+)/.exec(line);
    if (!member) continue;
    const [, own, dims, offset] = member;
    if (line.includes("}")) {
      const closed = open.pop()!;
      const first = dims!.replace(/\d+/g, "0");
      open.at(-1)!.push(...closed.map((m) => ({ ...m, path: `${own}${first}.${m.path}` })));
    } else open.at(-1)!.push({ path: `${own}`, offset: Number(offset) });
  }
  for (const { path, offset } of open[0]!) offsets.set(path.replace(/^.*?\./, ""), offset);
  return { size: Number(/Size:\s+(\d+)/.exec(listing.slice(start))![1]), offsets };
}

describe("hlsl", () => {
  const names = own("hlsl");
  const text = `${all("hlsl")}
${names.map((n, i) => `StructuredBuffer<${n}> ${n.toLowerCase()} : register(t${i});\ncbuffer C${n} : register(b${i}) { ${n} c${n.toLowerCase()}; float after${n}; };`).join("\n")}
RWStructuredBuffer<float> o : register(u0);
[numthreads(1, 1, 1)] void k() { o[0] = ${names.map((n) => `after${n} + float(${[n.toLowerCase() + "[1]", `c${n.toLowerCase()}`].map((b) => firstScalar(n, b)).join(") + float(")})`).join(" + ")}; }
`;
  judgeTest(judges.hlsl, "offsets are those of DXC", async () => {
    const laid = await reflected("hlsl", text);
    const values = await valuesOf("hlsl", text);
    const listing = await inScratchFolder(async (folder) => {
      const path = join(folder, "layouts.hlsl");
      writeFileSync(path, text);
      const output = join(folder, "layouts.ll");
      const answers = await askDxc([
        { profile: "cs_6_6", entry: "k", path, args: ["-HV", "2021", "-enable-16bit-types"], output },
      ]);
      expect(answers).toEqual(["ok"]);
      return readFileSync(output, "utf8");
    });
    const differences = names.flatMap((n) => {
      const buffer = printed(listing, `Resource bind info for ${n.toLowerCase()}\n`);
      const constants = printed(listing, `cbuffer C${n}\n`);
      const { stride, offsets } = laid.get(n)!;
      const size = stride === buffer.size ? [] : [`${n} is ${stride}, not ${buffer.size}`];
      return [
        ...size,
        ...places(n, "first").flatMap(({ path, leaf }) => {
          const flat = asValue(path);
          const inConstants = values.get(`C${n}.c${n.toLowerCase()}.${flat}`);
          return [
            ...(offsets.get(leaf) === buffer.offsets.get(flat)
              ? []
              : [`${n}.${path} at ${offsets.get(leaf)}, not ${buffer.offsets.get(flat)}`]),
            ...(inConstants === constants.offsets.get(`c${n.toLowerCase()}.${flat}`)
              ? []
              : [
                  `constant ${n}.${path} at ${inConstants}, not ${constants.offsets.get(`c${n.toLowerCase()}.${flat}`)}`,
                ]),
          ];
        }),
      ];
    });
    expect(differences).toEqual([]);
  });
});

/** Something of the struct that is used, so that DXC keeps the buffer. */
function firstScalar(name: string, base: string): string {
  const { path, leaf } = places(name)[0]!;
  return `${base}.${path}${leaf.slice(path.length)}`;
}

/** Each place of the second element is copied, by itself. */
function copying(dialect: SourceDialect, names: readonly string[], rule = "std430"): string {
  const types = names.flatMap((n) => structs.get(n)!.map((m) => m.type)).filter((t) => structs.has(t));
  const text = [...new Set(types), ...names].map((n) => textOf(dialect, n)).join("\n");
  const copies = names.flatMap((n) => places(n, "all").map(({ path }) => `to${n}[1].${path} = from${n}[1].${path};`));
  const slots = names.flatMap((n) => [`from${n}`, `to${n}`].map((b) => [b, n] as const));
  switch (dialect) {
    case "opencl":
      return `#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n${text}\n__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void k(${slots.map(([b, n]) => `__global ${n} *${b}`).join(", ")}) { ${copies.join("\n")} }\n`;
    case "msl":
      return `#include <metal_stdlib>\nusing namespace metal;\n${text}\nkernel void k(${slots.map(([b, n], i) => `device ${n} *${b} [[buffer(${i})]]`).join(", ")}) { ${copies.join("\n")} }\n`;
    case "hlsl":
      return `${text}\n${slots.map(([b, n], i) => `RWStructuredBuffer<${n}> ${b} : register(u${i});`).join("\n")}\n[numthreads(1, 1, 1)] void k() { ${copies.join("\n")} }\n`;
    case "glsl":
      return `${glslHead}${text}\n${slots.map(([b, n], i) => `layout(${rule}, binding = ${i}) buffer B${b} { ${n} ${b}[]; };`).join("\n")}\nvoid main() { ${copies.join("\n")} }\n`;
  }
}

const sizes: Readonly<Record<string, number>> = {
  f16: 2,
  f32: 4,
  f64: 8,
  i32: 4,
  i64: 8,
  u8: 1,
  u16: 2,
  u32: 4,
  u64: 8,
};
const dialects = ["opencl", "msl", "hlsl", "glsl"] as const;
const tens = (names: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(names.length / 8) }, (_, i) => names.slice(8 * i, 8 * i + 8));

/**
 * What has no bool, whose other bytes need not be kept, for MSL no double, and for OpenCL C no packed vector, which is refused there.
 * All go to HLSL, which has words for most of them, and a quarter of them to each of the others.
 */
const movable = (from: SourceDialect, to: SourceDialect): string[] =>
  own(from).filter((n) => {
    const used = [n, ...structs.get(n)!.map((m) => m.type)].map((t) => declared[t] ?? t).join(" ");
    const takes =
      !used.includes("bool") &&
      !(to === "msl" && used.includes("f64")) &&
      !(to === "opencl" && used.includes("packed"));
    return takes && (to === "hlsl" || (Number(n.slice(1)) + dialects.indexOf(to)) % 4 === 0);
  });

async function bytesStay(
  from: SourceDialect,
  to: (typeof dialects)[number],
  all: readonly string[],
  rule?: string,
): Promise<void> {
  for (const names of tens(all)) {
    const source = copying(from, names, rule);
    const laid = await reflected(from, source);
    const args: Record<string, Uint8Array> = {};
    const wanted: Record<string, Uint8Array> = {};
    for (const n of names) {
      const { stride, offsets } = laid.get(`TO${n}`)!;
      // Numbers of all widths that are no NaN.
      args[`from${n}`] = Uint8Array.from({ length: 2 * stride }, (_, i) => 1 + ((i * 7 + n.length) % 61));
      args[`to${n}`] = new Uint8Array(2 * stride);
      const copy = (wanted[`to${n}`] = new Uint8Array(2 * stride));
      for (const [leaf, offset] of offsets) {
        const size = sizes[laid.get(`TO${n}`)!.kinds.get(leaf)!]!;
        for (let b = stride + offset; b < stride + offset + size; b++) copy[b] = args[`from${n}`]![b]!;
      }
    }
    const { code, diagnostics } = await translate(source, { from, to, workgroupSize: [1, 1, 1] });
    expect(diagnostics.filter((d) => d.severity === "error").map((d) => d.message)).toEqual([]);
    const { buffers } = await simulate(code!, {
      from: to,
      workgroups: [1],
      ...(to === "opencl" || to === "msl" ? { workgroupSize: [1] } : {}),
      args,
    });
    for (const n of names) expect([n, buffers[`to${n}`]], code).toEqual([n, wanted[`to${n}`]]);
  }
}

describe.each(dialects)("bytes of %s", (from) => {
  test.each(dialects.filter((d) => d !== from))("are at the same places in %s", (to) =>
    bytesStay(from, to, movable(from, to)),
  );
});

/** In scalar blocks what follows a struct or an array may lie in what its last element is filled up by: S19 and S20. */
test.each(["hlsl", "opencl", "msl"] as const)("bytes of scalar blocks are at the same places in %s", (to) =>
  bytesStay(
    "glsl",
    to,
    ["S9", "S13", "S15", "S17", "S19", "S20", "S34"].filter((n) => to !== "msl" || !["S13", "S20"].includes(n)),
    "scalar",
  ),
);
