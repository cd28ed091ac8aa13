/** What each region computes again in place of keeping it for every lane: only of what does not change in between. */
import { describe, expect, test } from "vitest";
import { simulate } from "../../src/index.js";

// Lane i has 3 numbers from 3 * i + at on; `at` grows between the barrier and the end, and in a loop by its step alone.
describe("a number made of one that grows after a barrier is the one from before", () => {
  const kernel = (statements: string): string => `#version 450
layout(local_size_x = 8) in;
layout(binding = 0) buffer A { int data[]; };
layout(binding = 1) uniform C { int size; };
shared int s[8];
void main() {
  int id = int(gl_LocalInvocationID.x);
  int at = 0;
  ${statements}
}
`;
  const twice = "int sta = id * 3 + at; int fin = min(sta + 3, size); s[id] = fin; barrier();";
  test.each([
    // at is 24 when the difference is taken: 3 of each lane, 24 numbers in all.
    ["where it grows once", `if (at < size) { ${twice} data[id] = fin - sta; at += 24; }`, [3, 3, 3, 3, 3, 3, 3, 3]],
    // 30 numbers: of the second round two lanes have three each, and the others less than none.
    ["in a loop", `while (at < size) { ${twice} data[id] += max(fin - sta, 0); at += 24; }`, [6, 6, 3, 3, 3, 3, 3, 3]],
    [
      "in an inner block",
      `{ ${twice} if (fin > sta) data[id] = s[7 - id]; { at += 100; } }`,
      [24, 21, 18, 15, 12, 9, 6, 3],
    ],
    [
      "in a step",
      `for (; at < size; at += 24) { ${twice} data[id] += max(fin - sta, 0); barrier(); }`,
      [6, 6, 3, 3, 3, 3, 3, 3],
    ],
    // The number behind it is one of that which does not change, too.
    [
      "and one made of it",
      `{ int a = at + 1; int b = id * a; s[id] = b; barrier(); data[id] = s[7 - id] + b; at = 50; }`,
      [7, 7, 7, 7, 7, 7, 7, 7],
    ],
  ])("%s", async (_, statements, wanted) => {
    const source = kernel(statements);
    const size = statements.includes("if (at") ? 24 : 30;
    for (const engine of ["wasm", "ts"] as const) {
      const args = { data: new Int32Array(8), "C.size": size };
      const { buffers, diagnostics } = await simulate(source, { from: "glsl", engine, workgroups: [1], args });
      expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
      expect([...(buffers["data"] as Int32Array)], engine).toEqual(wanted);
    }
  });
});
