/** Kernels as they are shipped: with the macros their host defines, files it puts before them, and in raw strings of C++. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { compile } from "../../src/api/compile.js";
import { simulate } from "../../src/api/simulate.js";
import { withoutRawString } from "../../src/frontend/raw-strings.js";
import { crosslane, workspace } from "./command-line.js";

const folderWith = (files: Readonly<Record<string, string>>): string => {
  const folder = workspace();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
};

const scaled = "__kernel void k(__global REAL *x) { x[get_global_id(0)] = SCALE(x[get_global_id(0)]); }\n";
const translate = ["translate", "k.cl", "--to", "glsl", "--workgroup-size", "64"];

describe("macros of the host", () => {
  test("with parameters, on the command line", async () => {
    const folder = folderWith({ "k.cl": scaled });
    const { code, out } = await crosslane(folder, [...translate, "-D", "REAL=float", "-D", "SCALE(v)=((v) * 3.0f)"]);
    expect(code).toBe(0);
    expect(out).toMatch(/\* 3\.0/);
  });

  const file = "# the small configuration\n-DREAL=float\n\n// as the host has it\nSCALE(v)=((v) * 3.0f)\nUNUSED\n";
  test.each([
    ["lines", file],
    ["JSON", JSON.stringify({ REAL: "float", "SCALE(v)": "((v) * 3.0f)", UNUSED: true, WIDTH: 4 })],
  ])("in a file of %s, which the command line overrides", async (_, text) => {
    const folder = folderWith({ "k.cl": scaled, "small.defines": text });
    const from = [...translate, "--defines", "small.defines"];
    expect((await crosslane(folder, from)).out).toMatch(/\* 3\.0/);
    expect((await crosslane(folder, [...from, "-D", "SCALE(w)=((w) * 5.0f)"])).out).toMatch(/\* 5\.0/);
    expect((await crosslane(folder, [...from, "-D", "REAL=int", "-D", "SCALE(v)=(v)"])).out).toContain("int x[]");
  });

  test.each([
    ["a name that is none", "REAL=float\n1X=2\n", "line 2: '1X' is no name of a macro"],
    ["a header", "#define REAL float\n", "line 1 is a directive"],
    ["JSON that holds a list", '{ "REAL": [1] }', "the value of 'REAL' is a text, a number, true or false"],
    ["JSON that is none", "{ REAL", "this is no JSON"],
  ])("a file with %s", async (_, text, message) => {
    const folder = folderWith({ "k.cl": scaled, d: text });
    const { code, err } = await crosslane(folder, [...translate, "--defines", "d"]);
    expect(code).toBe(1);
    expect(err).toContain(message);
  });

  test("a file that is not there", async () => {
    const { code, err } = await crosslane(folderWith({ "k.cl": scaled }), [...translate, "--defines", "nowhere"]);
    expect(code).toBe(1);
    expect(err).toContain("'nowhere' cannot be read: there is no such file");
  });

  test.each<[string, string, RegExp]>([
    ["a type", "__kernel void k(__global REAL *x) { x[0] = 1; }", /-D REAL=type/],
    ["a call", "__kernel void k(__global float *x) { x[0] = LOAD(x, 3); }", /-D 'LOAD\(x\)=\.\.\.'/],
    ["a size", "__kernel void k(__global float *x) { __local float t[TS]; t[0] = x[0]; }", /-D TS=value/],
    [
      "a cast",
      "__kernel void k(__global float *x) { x[0] = (REAL)x[1]; }",
      /'REAL' is not defined; .* -D or --prelude/,
    ],
    ["a qualifier", "KERNEL void k(__global float *x) { x[0] = 1; }", /'KERNEL' is not defined/],
    ["a name that is made", "__kernel void NAME(k)(__global float *x) { x[0] = 1; }", /'NAME' is not defined/],
  ])("%s that is missing is said to be one", async (_, source, help) => {
    const { diagnostics } = await compile(source, { from: "opencl" });
    expect(diagnostics[0]!.severity).toBe("error");
    expect(diagnostics[0]!.help).toMatch(help);
  });

  test("a name that the source declares is none", async () => {
    const source = "__constant int TS = 4;\n__kernel void k(__global int *x) { x[0] = TS x; }";
    const { diagnostics } = await compile(source, { from: "opencl" });
    expect(diagnostics[0]).toMatchObject({ code: "XL1001" });
    expect(diagnostics[0]!.help ?? "").not.toContain("TS");
  });
});

describe("a prelude", () => {
  test("comes before the source, with its own includes, from any folder", async () => {
    const folder = folderWith({
      "in/k.cl": scaled,
      "host/prelude.h": '#include "types.h"\n#define SCALE(v) ((v) * FACTOR)',
      "host/types.h": "typedef float REAL;\n",
      "host/more.h": "#define FACTOR 7.0f\n",
    });
    const { code, out, err } = await crosslane(folder, [
      ...["translate", "in/k.cl", "--to", "glsl", "--workgroup-size", "64"],
      ...["--prelude", "host/prelude.h", "--prelude", "host/more.h"],
    ]);
    expect(err).not.toContain("error");
    expect(code).toBe(0);
    expect(out).toMatch(/\* 7\.0/);
  });

  test("follows #version in GLSL, and places of the source stay", async () => {
    const source =
      "#version 450\nlayout(local_size_x = 4) in;\nlayout(binding = 0) buffer X { uint x[]; };\nvoid main() { x[gl_GlobalInvocationID.x] = NOT + there; }\n";
    const { diagnostics } = await compile(source, {
      from: "glsl",
      fileName: "k.comp",
      prelude: ["p.h"],
      include: { "p.h": "#define NOT 1u\nuint helper() { return 1u; }" },
    });
    expect(diagnostics.map((d) => [d.code, d.location?.file, d.location?.line])).toEqual([["XL2001", "k.comp", 4]]);
  });

  test("is the same for a text in the source's own dialect", async () => {
    const folder = folderWith({ "k.cl": scaled, "p.h": "#define REAL float\n#define SCALE(v) ((v) + 1.0f)\n" });
    const own = await crosslane(folder, ["translate", "k.cl", "--to", "opencl", "--prelude", "p.h"]);
    expect(own.code).toBe(0);
    expect(own.out).toContain("__global REAL *x");
    const commented = folderWith({
      "k.cl": `// About the file.\n\n// About the kernel.\n${scaled}`,
      "p.h": "typedef float REAL;\n// Of the prelude.\n#define SCALE(v) ((v) + 1.0f)\n",
    });
    const { out } = await crosslane(commented, [...translate, "--prelude", "p.h"]);
    // What is said of a kernel stays with it: the files of the host come before.
    expect(out).toMatch(/\/\/ About the file\.\n[^]*\/\/ About the kernel\.\nvoid main\(\)/);
  });

  test("that is not there is an error", async () => {
    const { code, err } = await crosslane(folderWith({ "k.cl": scaled }), [...translate, "--prelude", "p.h"]);
    expect(code).toBe(1);
    expect(err).toContain("the prelude 'p.h' is not found");
  });
});

describe("raw strings of C++", () => {
  const licence = "// A licence.\n\n// For #include of C++.\n";
  test("pieces are one kernel, and places stay", async () => {
    const text = `${licence}R"(\n__kernel void k(__global uint *x) {\n)" // and on\nR"CLC(\n  x[get_global_id(0)] = 7u;\n  x[nowhere] += 2u;\n})CLC"\n// The end.\n`;
    const { diagnostics } = await compile(text, { from: "opencl", fileName: "k.cl" });
    const line = text.split("\n").findIndex((l) => l.includes("nowhere")) + 1;
    expect(diagnostics.map((d) => [d.code, d.location?.line, d.location?.column])).toEqual([["XL2001", line, 5]]);
    const { buffers, diagnostics: none } = await simulate(text.replace("nowhere", "get_global_id(0)"), {
      from: "opencl",
      workgroups: [1],
      workgroupSize: [4],
      args: { x: new Uint32Array(4) },
    });
    expect(none).toEqual([]);
    expect([...(buffers!["x"] as Uint32Array)]).toEqual([9, 9, 9, 9]);
  });

  test.each([
    'R"(kernel)"',
    'R"CLC(kernel)CLC"',
    'const char *source = R"(kernel)";',
    'static const char *const source[] =\n  R"(ker)"\n  R"(nel)";',
    'constexpr auto source = /* text */ R"(kernel)";\n',
    '/* licence */\nstd::string source = R"x(kernel)x";',
  ])("%s", (text) => {
    const kernel = withoutRawString(text);
    expect(kernel).toHaveLength(text.length);
    expect(kernel.replace(/\/\*.*?\*\/|\s/g, "")).toBe("kernel");
    expect([...kernel].flatMap((c, i) => (c === "\n" ? [i] : []))).toEqual(
      [...text].flatMap((c, i) => (c === "\n" ? [i] : [])),
    );
  });

  test.each([
    'int x; R"(kernel)"',
    '// only a comment R"(',
    'int a = 1; // R"(k)"',
    'R"(kernel',
    'R"(kernel)" + other',
    'auto a = R"(k)"; auto b = R"(l)";',
    'f(R"(k)");',
  ])("%s is no such file", (text) => expect(withoutRawString(text)).toBe(text));

  test("lines of the host stand between the pieces", async () => {
    const text = [
      '"#define BY 16 /* wide */\\n" // of the host',
      'R"(\n#define ADD(a, b) \\\n  ((a) + (b))\n)" "#define TWICE(a) \\\\\\n"',
      '  "  ADD(a, a)\\n"',
      'R"x(__kernel void k(__global uint *x) { x[0] = TWICE(BY); })x"',
    ].join("\n");
    const kernel = withoutRawString(text);
    expect(kernel).toHaveLength(text.length);
    const { buffers, diagnostics } = await simulate(text, {
      from: "opencl",
      workgroups: [1],
      workgroupSize: [1],
      args: { x: new Uint32Array(1) },
    });
    expect(diagnostics).toEqual([]);
    expect([...(buffers!["x"] as Uint32Array)]).toEqual([32]);
  });

  // What C++ joins in one line, or a line that would have blanks inside of what it quotes.
  test.each([
    'R"(uint a)"\n"b;\\n"',
    'R"(\n)" "uint a;\\n" "uint b;\\n"',
    'R"(\n)"\n"uint a"\nR"(b;)"',
    'R"(\n)"\n"#include \\"a.h\\"\\n"',
  ])("%s is no such file", (text) => expect(withoutRawString(text)).toBe(text));

  test("what a device is given is the kernel", async () => {
    const { source } = await compile('R"(__kernel void k(__global uint *x) { x[0] = 1u; })"', { from: "opencl" });
    expect(source.trim()).toBe("__kernel void k(__global uint *x) { x[0] = 1u; }");
  });
});

test("two inputs of one name keep their folders below the output folder", async () => {
  const kernel = (n: number): string => `__kernel void k(__global uint *x) { x[0] = ${n}u; }\n`;
  const folder = folderWith({ "src/a/k.cl": kernel(1), "src/b/c/k.cl": kernel(2), "src/a/other.cl": kernel(3) });
  const { code, out } = await crosslane(folder, [
    ...["translate", "src/**/*.cl", "--to", "hlsl", "--workgroup-size", "4", "--out-dir", "out", "--format", "json"],
  ]);
  expect(code).toBe(0);
  const read = (name: string): string => readFileSync(join(folder, "out", name), "utf8");
  expect(read("a/k.hlsl")).toContain("= 1u");
  expect(read("b/c/k.hlsl")).toContain("= 2u");
  expect(read("other.hlsl")).toContain("= 3u");
  const { outputs } = JSON.parse(out) as { outputs: { file: string }[] };
  expect(outputs.map((o) => o.file).sort()).toEqual(["out/a/k.hlsl", "out/b/c/k.hlsl", "out/other.hlsl"]);
});
