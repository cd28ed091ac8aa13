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

  it("do not stand around the assignments of a loop's head", async () => {
    const lines = await body("uint a; uint b;\n  for (a = 0, b = u[i]; a < b; a++, b--) f[a] = 0;", "opencl", "glsl");
    expect(lines.at(-1)).toBe("for (a = 0u, b = u[i]; a < b; a++, b--) f[a] = 0.0;");
  });
});

describe("pointers", () => {
  it("are indexed from 0 where they are indexed at all", async () => {
    const { text } = await outcome(kernel("__global int *mine = x + i * 2; mine[0] = 1; mine[1] = 2;", "opencl"), "opencl", "msl");
    expect(bodyOf(text)).toEqual(["device int *mine = &x[i * 2u];", "mine[0] = 1;", "mine[1] = 2;"]);
  });

  it("to one thing are followed", async () => {
    const { text } = await outcome(kernel("__global int *mine = x + i; *mine = 1;", "opencl"), "opencl", "msl");
    expect(bodyOf(text).at(-1)).toBe("*mine = 1;");
  });
});
