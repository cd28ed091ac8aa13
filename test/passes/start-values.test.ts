import { describe, expect, test } from "vitest";
import { bodyOf, outcome } from "./text.js";

const source = `#version 450
layout(local_size_x = 8) in;
layout(std430, binding = 0) buffer A { uint a[]; };
uvec3 size = gl_WorkGroupSize;
uint here = gl_GlobalInvocationID.x;
uint twice = here * 2u;
uint three = 3u;
uint unused = a[1];
void main() { a[here] = size.x + twice + three; }
`;

describe("private globals that start with a value of the launch", () => {
  test("are given it by the entry, in order; constants stay", async () => {
    const { text, problems } = await outcome(source, "glsl", "hlsl");
    expect(problems).toEqual([]);
    expect(text).toContain("static uint three = 3u;");
    expect(bodyOf(text)).toEqual([
      "size = uint3(8u, 1u, 1u);",
      "here = gid.x;",
      "twice = here * 2u;",
      "a[here] = size.x + twice + three;",
    ]);
  });

  test.each(["msl", "opencl"] as const)("in %s, too", async (to) => {
    const { text, problems } = await outcome(source, "glsl", to);
    expect(problems).toEqual([]);
    expect(text).toMatch(/size = .*;\n\s*here = (?:gid|gid\.x);\n\s*twice = here \* 2u;/);
    expect(text).not.toContain("unused =");
  });
});
