/** Layouts of bindings against what clang and glslang lay out; host code against the TypeScript compiler. */
import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { crosslane, workspace } from "../cli/command-line.js";
import { missingPrograms } from "../support/judges/judge.js";
import { reportProblems } from "../support/schemas.js";
import { toolTest } from "../support/tool-test.js";

/** Every kind of member there is, in an order that leaves gaps. */
const kernel = `#pragma OPENCL EXTENSION cl_khr_fp16 : enable
struct Inner { char tag; float3 v; short s; };
struct Item {
  uchar kind;
  double weight;
  struct Inner inner[2];
  half h;
  float4 new;
  int3 three[2];
  char2 two;
  long last;
  ushort8 wide;
  char end;
};
kernel void move(global struct Item *items, global const float3 *at, float scale, int2 pair, char flag, local float *tmp, int n) {
  uint i = get_global_id(0);
  tmp[0] = scale + flag;
  if (i < n) items[i].weight += at[i].x * pair.y + tmp[0];
}
`;

function folderWith(text = kernel): string {
  const folder = workspace();
  writeFileSync(join(folder, "lay.cl"), text);
  return folder;
}

async function bindings(folder: string, language: "c" | "ts"): Promise<string> {
  const { code, out, err } = await crosslane(folder, ["reflect", "lay.cl", "--bindings", language]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return out;
}

/** Offsets of the named members of a record, and its size, as \`clang -fdump-record-layouts\` prints them. */
function recordLayout(dump: string, record: string): Record<string, number> {
  const part = dump
    .split("*** Dumping AST Record Layout")
    .find((p) => new RegExp(`^\\s*0 \\| struct ${record}$`, "m").test(p));
  expect(part, record).toBeDefined();
  const found: Record<string, number> = {};
  for (const [, offset, blanks, rest] of part!.matchAll(/^\s*(\d+) \|(\s+)(.*)$/gm)) {
    // Members of the record itself stand two blanks further in.
    if (blanks!.length === 3) found[rest!.split(" ").at(-1)!] = Number(offset);
  }
  found["sizeof"] = Number(/\[sizeof=(\d+)/.exec(part!)![1]);
  return found;
}

const dumpOf = (folder: string, file: string, args: readonly string[]): string =>
  execFileSync("clang-19", [...args, "-Xclang", "-fdump-record-layouts", "-fsyntax-only", join(folder, file)], {
    encoding: "utf8",
  });

describe("a C header", () => {
  toolTest(missingPrograms(["clang-19"]), "has the layouts that clang gives the kernel's structs", async () => {
    const folder = folderWith();
    writeFileSync(join(folder, "lay.h"), await bindings(folder, "c"));
    const user = `#include "lay.h"\nlay_Item item; int use(void) { return (int)(sizeof(lay_Item) + sizeof(lay_Inner)); }\n`;
    writeFileSync(join(folder, "host.c"), user);
    // A layout is made where it is asked for.
    writeFileSync(
      join(folder, "lay.cl"),
      `${kernel}__constant int sizes = sizeof(struct Item) + sizeof(struct Inner);\n`,
    );
    const device = dumpOf(folder, "lay.cl", ["-x", "cl", "-cl-std=CL3.0", "-target", "spir64"]);
    const host = dumpOf(folder, "host.c", ["-std=c11"]);
    for (const record of ["Item", "Inner"]) {
      const ours = Object.entries(recordLayout(host, `lay_${record}`)).filter(([name]) => !name.startsWith("pad_"));
      // `new` is a keyword of C++.
      const named = Object.fromEntries(ours.map(([name, at]) => [name === "new_" ? "new" : name, at]));
      expect(named).toEqual(recordLayout(device, record));
      expect(Object.keys(named).length).toBeGreaterThan(3);
    }
  });

  toolTest(
    missingPrograms(["clang-19"]),
    "compiles as C and as C++, without a warning and without gaps of the compiler's",
    async () => {
      const folder = folderWith();
      writeFileSync(join(folder, "lay.h"), await bindings(folder, "c"));
      const flags = ["-fsyntax-only", "-Wall", "-Wextra", "-Wpadded", "-Werror"];
      for (const [file, ...language] of [
        ["a.c", "-std=c11"],
        ["a.cpp", "-std=c++17", "-Wno-c99-extensions"],
      ] as const) {
        writeFileSync(
          join(folder, file),
          '#include "lay.h"\n#include "lay.h"\nint binding = MOVE_GLSL_AT + MOVE_OPENCL_PAIR;\n',
        );
        const { status, stderr } = spawnSync("clang-19", [...language, ...flags, join(folder, file)], {
          encoding: "utf8",
        });
        expect({ file, status, stderr }).toEqual({ file, status: 0, stderr: "" });
      }
      // What a compiler lays out otherwise does not compile.
      writeFileSync(join(folder, "lay.h"), (await bindings(folder, "c")).replace("int8_t tag;", "double tag;"));
      expect(spawnSync("clang-19", [...flags, join(folder, "a.c")]).status).not.toBe(0);
    },
  );

  test("slots: arguments of OpenCL C in their order, bindings of GLSL, members whose names are words of C++", async () => {
    const header = await bindings(folderWith(), "c");
    for (const line of [
      "#define MOVE_OPENCL_ITEMS 0",
      "#define MOVE_OPENCL_AT 1",
      "#define MOVE_OPENCL_SCALE 2",
      "#define MOVE_OPENCL_TMP 5",
      "#define MOVE_OPENCL_N 6",
      "#define MOVE_GLSL_AT 1",
      "#define MOVE_GLSL_AT_SET 0",
      '#define MOVE_GLSL_ENTRY "main"',
      "  float new_[4];",
    ])
      expect(header).toContain(`${line}\n`);
  });

  toolTest(
    missingPrograms(["glslangValidator", "spirv-dis"]),
    "push constants lie as glslang lays them out",
    async () => {
      const folder = folderWith();
      const header = await bindings(folder, "c");
      const glsl = await crosslane(folder, [
        "translate",
        "lay.cl",
        "--to",
        "glsl",
        "--workgroup-size",
        "4",
        "--local",
        "tmp=16",
        "-o",
        "k.comp",
      ]);
      expect(glsl.code).toBe(0);
      execFileSync("glslangValidator", [
        "-V",
        "--target-env",
        "vulkan1.3",
        "-o",
        join(folder, "k.spv"),
        join(folder, "k.comp"),
      ]);
      const text = execFileSync("spirv-dis", [join(folder, "k.spv")], { encoding: "utf8" });
      const names = [...text.matchAll(/OpMemberName %Params (\d+) "(\w+)"/g)].map((m) => m[2]!);
      const offsets = [...text.matchAll(/OpMemberDecorate %Params (\d+) Offset (\d+)/g)].map((m) => Number(m[2]));
      expect(names.length).toBeGreaterThan(2);
      expect(offsets).toHaveLength(names.length);
      for (const [i, name] of names.entries())
        expect(header).toContain(`offsetof(move_glsl_Params, ${name}) == ${offsets[i]})`);
    },
  );
});

/** Errors of a program, with the strictest settings; its output lies beside it. */
function compileTs(folder: string, files: Readonly<Record<string, string>>): string[] {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const program = ts.createProgram(
    Object.keys(files).map((name) => join(folder, name)),
    {
      strict: true,
      noUncheckedIndexedAccess: true,
      noUnusedLocals: true,
      exactOptionalPropertyTypes: true,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      types: [],
      outDir: folder,
    },
  );
  const problems = ts
    .getPreEmitDiagnostics(program)
    .map((d) => `${basename(d.file?.fileName ?? "")}: ${ts.flattenDiagnosticMessageText(d.messageText, " ")}`);
  if (problems.length === 0) program.emit();
  return problems;
}

describe("a TypeScript module", () => {
  const host = `
    import { move, offsetsItem, readItem, sizeItem, writeItem, writeMoveGlslParams, sizeMoveGlslParams } from "./lay.js";
    import type { Item, MoveArgs } from "./lay.js";
    const inner = (tag: number) => ({ tag, v: [1, 2, 3] as const, s: -4 });
    export const item: Item = { kind: 7, weight: 0.1, inner: [inner(5), inner(-6)], h: 0x3c00, new: [1, 2, 3, 4],
      three: [[1, 2, 3], [4, 5, 6]], two: [-1, -2], last: -9n, wide: [1, 2, 3, 4, 5, 6, 7, 8], end: 1 };
    export const bytes = new Uint8Array(2 * sizeItem);
    writeItem(new DataView(bytes.buffer), sizeItem, item);
    export const back = readItem(new DataView(bytes.buffer), sizeItem);
    export const params = new Uint8Array(sizeMoveGlslParams);
    writeMoveGlslParams(new DataView(params.buffer), 0, { scale: 1.5, pair: [2, 3], flag: 4, n: 5 });
    export const args: MoveArgs = { items: bytes, at: new Float32Array(8), scale: 1, pair: [1, 2], flag: 0, tmp: { byteLength: 16 }, n: 2 };
    export const binding: 1 = move.targets.glsl.slots.at.slot;
    export const three: 144 | number = offsetsItem.three;
  `;

  test("host code is checked, and what it writes lies where the kernel reads it", async () => {
    const folder = folderWith();
    const module = await bindings(folder, "ts");
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    expect(compileTs(folder, { "lay.ts": module, "host.ts": host })).toEqual([]);
    const run = (await import(join(folder, "host.js"))) as {
      item: object;
      back: object;
      bytes: Uint8Array;
      params: Uint8Array;
    };
    expect(run.back).toEqual(run.item);
    // OpenCL C 6.3.5: a type is aligned to its size, three components to four.
    const size = run.bytes.length / 2;
    const view = new DataView(run.bytes.buffer, size);
    expect(view.getUint8(0)).toBe(7);
    expect(view.getFloat64(8, true)).toBe(0.1);
    expect(view.getInt8(16 + 48)).toBe(-6);
    expect([16, 20, 24].map((at) => view.getFloat32(16 + 48 + at, true))).toEqual([1, 2, 3]);
    expect(view.getInt16(16 + 32, true)).toBe(-4);
    expect(view.getInt32(144 + 16 + 8, true)).toBe(6);
    expect(run.bytes.subarray(0, size).every((b) => b === 0)).toBe(true);
    const params = new DataView(run.params.buffer);
    expect(params.getFloat32(0, true)).toBe(1.5);
    expect([params.getInt32(8, true), params.getInt32(12, true)]).toEqual([2, 3]);
  });

  test("what does not fit the kernel is an error of the compiler's", async () => {
    const folder = folderWith();
    const module = await bindings(folder, "ts");
    const changes = [
      ["h: 0x3c00", 'h: "1"'],
      ["last: -9n", "last: -9"],
      ["pair: [2, 3]", "pair: [2, 3, 4]"],
      ["at: new Float32Array(8)", "at: new Int32Array(8)"],
      ["slots.at.slot", "slots.items.slot"],
      ["two: [-1, -2], ", ""],
    ] as const;
    const files = changes.map(([right, wrong], i) => {
      expect(host).toContain(right);
      return [`host${i}.ts`, host.replace(right, wrong)] as const;
    });
    const problems = compileTs(folder, { "lay.ts": module, ...Object.fromEntries(files) });
    expect([...new Set(problems.map((p) => p.split(":")[0]!))].sort()).toEqual(files.map(([name]) => name));
  });

  test("of names that mean something in TypeScript", async () => {
    const folder = folderWith(`struct Array { int constructor; int delete; float function[2]; };
kernel void import(global struct Array *x, global int *DataView) { x[0].delete = DataView[0]; }
kernel void Import(global struct Array *x) { x[0].delete = 1; }
`);
    const module = await bindings(folder, "ts");
    expect(compileTs(folder, { "lay.ts": module })).toEqual([]);
  });
});

test("in a report for machines", async () => {
  const { out } = await crosslane(folderWith(), ["reflect", "lay.cl", "--bindings", "c", "--format", "json"]);
  const report = JSON.parse(out) as { code: string };
  expect(reportProblems(report)).toEqual([]);
  expect(report.code).toContain("typedef struct lay_Item");
  const wrong = await crosslane(folderWith("kernel void k( {"), ["reflect", "lay.cl", "--bindings", "c"]);
  expect({ code: wrong.code, out: wrong.out }).toEqual({ code: 1, out: "" });
});
