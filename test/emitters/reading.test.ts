/** What a person reads at a glance: parentheses, first elements, loop heads, the file's own comment. */
import { describe, expect, it } from "vitest";
import { body, bodyOf, kernel, outcome } from "../passes/text.js";

describe("parentheses", () => {
  it("stand around truth values that are compared, and around what a remainder is taken of", async () => {
    expect(await body("if ((u[i] == 0u) == (u[1] > u[2])) u[i] = (u[i] * 3u) % 7u;", "msl", "glsl")).toEqual([
      "uint i = gl_GlobalInvocationID.x;",
      "if ((u[i] == 0u) == (u[1] > u[2])) u[i] = (u[i] * 3u) % 7u;",
    ]);
  });

  it("stand where operators mislead only if the author put them there", async () => {
    const line =
      "u[i] = u[0] << u[1] + 1u | u[2] & u[3]; if (i < 4u && u[0] == 1u || u[1] == 2u) u[i] = (u[0] << 2u) | (u[1] & u[2]);";
    for (const target of ["glsl", "opencl"] as const)
      expect((await body(line, "msl", target)).filter((l) => !l.startsWith("uint i ="))).toEqual([
        "u[i] = u[0] << u[1] + 1u | u[2] & u[3];",
        "if (i < 4u && u[0] == 1u || u[1] == 2u) u[i] = (u[0] << 2u) | (u[1] & u[2]);",
      ]);
  });

  it("stand around a choice in the first arm of another", async () => {
    expect((await body("u[i] = i < 4u ? i < 2u ? u[0] : u[1] : i < 8u ? u[2] : u[3];", "msl", "glsl")).at(-1)).toBe(
      "u[i] = i < 4u ? (i < 2u ? u[0] : u[1]) : i < 8u ? u[2] : u[3];",
    );
  });

  it("do not stand around the assignments of a loop's head", async () => {
    const lines = await body("uint a; uint b;\n  for (a = 0, b = u[i]; a < b; a++, b--) f[a] = 0;", "opencl", "glsl");
    expect(lines.at(-1)).toBe("for (a = 0u, b = u[i]; a < b; a++, b--) f[a] = 0.0;");
  });
});

describe("the only statement of a branch or a loop", () => {
  it("stays on the line the author put it on", async () => {
    const lines = [
      "if (i > 4u)",
      "  u[i] = 1u;",
      "else",
      "  u[i] = 2u;",
      "for (uint k = 0u; k < 4u; k++)",
      "  u[k] = k;",
      "while (u[i] > 3u) u[i] >>= 1;",
    ];
    expect((await body(lines.join("\n"), "msl", "glsl")).slice(1)).toEqual(lines);
    expect((await body("if (i > 4u) u[i] = 1u; else u[i] = 2u;", "msl", "glsl")).slice(1)).toEqual([
      "if (i > 4u) u[i] = 1u;",
      "else u[i] = 2u;",
    ]);
  });
});

describe("pointers", () => {
  it("are indexed from 0 where they are indexed at all", async () => {
    const { text } = await outcome(
      kernel("__global int *mine = x + i * 2; mine[0] = 1; mine[1] = 2;", "opencl"),
      "opencl",
      "msl",
    );
    expect(bodyOf(text)).toEqual(["device int *mine = &x[i * 2u];", "mine[0] = 1;", "mine[1] = 2;"]);
  });

  it("to one thing are followed", async () => {
    const { text } = await outcome(kernel("__global int *mine = x + i; *mine = 1;", "opencl"), "opencl", "msl");
    expect(bodyOf(text).at(-1)).toBe("*mine = 1;");
  });
});

describe("the file's comment", () => {
  const source = (head: string): string =>
    `${head}\nkernel void k(device uint *u [[buffer(0)]], uint i [[thread_position_in_grid]]) {\n  u[i] = SIZE;\n}\n`;

  it("stands first, apart from what follows", async () => {
    const head =
      "// What this is.\n// More of it.\n\n#include <metal_stdlib>\nusing namespace metal;\n\n// How many.\nconstant uint SIZE = 4;\n";
    expect((await outcome(source(head), "msl", "opencl")).text).toBe(`// What this is.
// More of it.

// How many.
__constant uint SIZE = 4u;

__kernel void k(__global uint *u) {
  u[get_global_id(0)] = SIZE;
}
`);
    expect((await outcome(source(head), "msl", "glsl")).text).toBe(`#version 450

// What this is.
// More of it.

layout(local_size_x = 64) in;

// How many.
const uint SIZE = 4u;

layout(std430, set = 0, binding = 0) buffer UBuffer { uint u[]; };

void main() {
  u[gl_GlobalInvocationID.x] = SIZE;
}
`);
  });

  it("comes before the includes of MSL", async () => {
    const { text } = await outcome(
      "// What this is.\n\n__kernel void k(__global uint *u) {\n  u[get_global_id(0)] = 1;\n}\n",
      "opencl",
      "msl",
    );
    expect(text.split("\n").slice(0, 5)).toEqual([
      "// What this is.",
      "",
      "#include <metal_stdlib>",
      "using namespace metal;",
      "",
    ]);
  });

  it("is the declaration's where nothing stands between them", async () => {
    const { text } = await outcome(
      "// Counts.\n__kernel void k(__global uint *u) {\n  u[get_global_id(0)] = 1;\n}\n",
      "opencl",
      "msl",
    );
    expect(text).toContain("using namespace metal;\n\n// Counts.\nkernel void k(");
  });

  it("keeps the empty lines between comments", async () => {
    const lines = await body("// About all of this.\n\n  // About the first.\n  u[i] = 1u;", "msl", "hlsl");
    expect(lines).toEqual(["// About all of this.", "", "// About the first.", "u[i.x] = 1u;"]);
  });
});

describe("an entry called main", () => {
  it("gets the file's name where that can be one", async () => {
    const source = kernel("u[i] = 1u;", "glsl");
    expect((await outcome(source, "glsl", "opencl", { fileStem: "fill" })).text).toContain("__kernel void fill(");
    expect((await outcome(source, "glsl", "opencl", { fileStem: "kernel" })).text).toContain(
      "__kernel void compute_main(",
    );
    expect((await outcome(source, "glsl", "msl", { fileStem: "kernel" })).text).toContain("kernel void compute_main(");
  });
});

describe("numbers of small types", () => {
  it("need no cast where they are stored", async () => {
    expect(
      (
        await body("ushort mask = 1; uchar4 b = (uchar4)(1, 2, 3, 4); mask = 7; u[i] = mask + b.x;", "opencl", "msl")
      ).slice(0, 3),
    ).toEqual(["ushort mask = 1;", "uchar4 b = uchar4(1, 2, 3, 4);", "mask = 7;"]);
  });
});
