/** Arrays of blocks: what is left in each block, worked out by a plain loop, in the simulator and on a real driver. */
import { describe, expect, test } from "vitest";
import { runOnDevice, simulate, translate, verify } from "../src/index.js";
import { deviceTest } from "./device/device-test.js";
import { judges } from "./support/judges/outputs.js";
import { judgeTest } from "./support/tool-test.js";

const source = `#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 32) in;
// Three tables: the first 64 numbers are read, the others are written.
layout(std430, set = 0, binding = 0) buffer Table {
  uint total; // of what went into this table
  uint n[];
} tables[3];
layout(std430, set = 0, binding = 1) readonly buffer Pick { uint pick[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  uint which = pick[i] % 3u;
  // All lanes add, whichever table each of them writes.
  tables[which].n[64u + i] = subgroupAdd(tables[0].n[i] & 0xffu) + tables[(which + 1u) % 3u].n[i];
  atomicAdd(tables[which].total, i);
  // Every table by its own number.
  for (uint t = 0u; t < tables.length(); t++) {
    if (t != which) tables[t].n[128u + i] += tables[2].n[i] - t;
  }
}
`;

const pick = Uint32Array.from({ length: 64 }, (_, i) => (i * 7 + (i >> 3)) & 255);
const before = [0, 1, 2].map((t) =>
  Uint32Array.from({ length: 193 }, (_, i) => Math.imul(i + 1, 2654435761 + 97 * t) >>> 0),
);
const args = { "tables[0]": before[0]!, "tables[1]": before[1]!, "tables[2]": before[2]!, pick };

function expected(width: number): Record<string, Uint32Array> {
  const after = before.map((t) => t.slice());
  for (let first = 0; first < 64; first += width) {
    const lanes = Array.from({ length: width }, (_, k) => first + k);
    const sum = lanes.reduce((all, i) => all + (before[0]![1 + i]! & 255), 0);
    for (const i of lanes) {
      const which = pick[i]! % 3;
      after[which]![65 + i] = sum + before[(which + 1) % 3]![1 + i]!;
      after[which]![0]! += i;
      for (const t of [0, 1, 2]) if (t !== which) after[t]![129 + i]! += before[2]![1 + i]! - t;
    }
  }
  return { "tables[0]": after[0]!, "tables[1]": after[1]!, "tables[2]": after[2]! };
}

const launch = {
  workgroups: [2],
  args: Object.fromEntries(
    Object.entries(args).map(([name, words]) => [
      name,
      {
        type: "u32",
        count: words.length,
        init: { values: [...words] },
        ...(name === "pick" ? {} : { output: true }),
      },
    ]),
  ),
};
const wordsOf = (bytes: unknown): Uint32Array => new Uint32Array((bytes as Uint8Array).slice().buffer);
const sourceTargets = ["glsl", "opencl", "hlsl", "msl"] as const;

describe("an array of blocks", () => {
  test.each([4, 8, 16, 32])("is as many buffers, chosen lane by lane, at width %i", async (subgroupSize) => {
    const run = await simulate(source, { from: "glsl", workgroups: [2], subgroupSize, args });
    expect(run.diagnostics).toEqual([]);
    for (const [name, words] of Object.entries(expected(subgroupSize)))
      expect(wordsOf(run.buffers[name]), name).toEqual(words);
  });

  // GLSL 4.60 5.11: an index outside of the array is undefined.
  test.each([
    [2, false],
    [3, true],
    [5, true],
    [4294967295, true],
  ])("is found where there is no block of number %i: %s", async (number, outside) => {
    const text = source.replace("pick[i] % 3u", "pick[i]").replace("(which + 1u) % 3u", "0");
    const picked = { ...args, pick: pick.map((_, i) => (i === 7 ? number : i % 3)) };
    const { findings } = await simulate(text, { from: "glsl", workgroups: [2], subgroupSize: 8, args: picked });
    const found = findings.filter((f) => f.kind === "out-of-bounds").map((f) => f.message);
    expect(found.length > 0).toBe(outside);
    for (const message of found) expect(message).toContain(`block ${String(number)} of an array of 3 blocks`);
  });

  test.each([...sourceTargets, "ts"] as const)("computes the same in %s", async (to) => {
    const result = await verify(source, { from: "glsl", to, launches: [launch], subgroupSizes: [4, 32] });
    expect(result.result).toBe("equivalent");
  });

  for (const to of sourceTargets) {
    judgeTest(judges[to], `is text a compiler takes in ${to}`, async () => {
      const made = await translate(source, { from: "glsl", to });
      const [verdict] = await judges[to].accept([{ name: "tables", text: made.code! }]);
      expect(verdict!.log).toBe("");
    });
  }

  test("reads its index before what its operand changes", async () => {
    const text = source.replace(
      /void main\(\) \{[^]*/,
      "void main() {\n  uint i = gl_GlobalInvocationID.x;\n  uint k = i % 3u;\n  tables[k].n[64u + i] = k++ * 100u + k;\n}\n",
    );
    // k is 0, 1 or 2 for the table, then 100 k + (k + 1).
    for (const from of [text, (await translate(text, { from: "glsl", to: "glsl", emulateSubgroups: 8 })).code!]) {
      const run = await simulate(from, { from: "glsl", workgroups: [2], subgroupSize: 8, args });
      for (const t of [0, 1, 2]) {
        const after = before[t]!.slice();
        for (let i = 0; i < 64; i++) if (i % 3 === t) after[65 + i] = 100 * t + t + 1;
        expect(wordsOf(run.buffers[`tables[${t}]`])).toEqual(after);
      }
    }
    for (const to of sourceTargets)
      expect((await verify(text, { from: "glsl", to, launches: [launch], subgroupSizes: [8] })).result).toBe(
        "equivalent",
      );
  });

  test("keeps its binding where GLSL is written anew, and its blocks by number", async () => {
    const made = await translate(source, { from: "glsl", to: "glsl", emulateSubgroups: 8 });
    expect(made.code).toContain("} tables[3];");
    expect(made.code).toContain("else tables[2].n[64u + i] = ");
    const again = await simulate(made.code!, { from: "glsl", workgroups: [2], subgroupSize: 1, args });
    for (const [name, words] of Object.entries(expected(8))) expect(wordsOf(again.buffers[name]), name).toEqual(words);
  });

  test("says that an index beyond it takes the last block", async () => {
    const made = await translate(source, { from: "glsl", to: "msl" });
    expect(made.assumptions.map((a) => a.op)).toContain("block-index");
  });

  test.each([
    ["tables[3].total = 1u;", "XL2012"],
    ["uint t = tables.total;", "XL2012"],
    ["f(tables[i].total, tables[i].n[0]);", "XL1900"],
  ])("refuses %s", async (statement, code) => {
    const text = source
      .replace("void main() {", "void f(inout uint x, inout uint y) { x += y++; }\nvoid main() {")
      .replace("  uint which", `  ${statement}\n  uint which`);
    const made = await translate(text, { from: "glsl", to: "opencl" });
    expect(made.diagnostics.filter((d) => d.severity === "error").map((d) => d.code)).toEqual([code]);
  });
});

describe("an array of many blocks, of which a choice is halved", () => {
  const text = (count: number): string => `#version 450
layout(local_size_x = 64) in;
layout(std430, set = 0, binding = 0) buffer Row { uint n; uint x[]; } rows[${count}];
layout(std430, set = 0, binding = 1) readonly buffer Pick { int pick[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  rows[pick[i]].x[i] = rows[pick[i] / 2].x[64] + rows[${count - 1}].x[64];
  atomicAdd(rows[pick[i]].n, i + 1u);
}
`;
  const count = 100;
  // Row k has 1000 k in front of its 65 words, which are 10 k.
  const given = (chosen: (i: number) => number): Record<string, Uint32Array | Int32Array> => ({
    pick: Int32Array.from({ length: 64 }, (_, i) => chosen(i)),
    ...Object.fromEntries(
      Array.from({ length: count }, (_, k) => [
        `rows[${k}]`,
        Uint32Array.from({ length: 66 }, (_, i) => (i === 0 ? 1000 * k : 10 * k)),
      ]),
    ),
  });
  const chosen = (i: number): number => (i * 37 + 1) % count;

  test("is as many buffers", async () => {
    const run = await simulate(text(count), { from: "glsl", workgroups: [1], subgroupSize: 8, args: given(chosen) });
    expect([...run.diagnostics, ...run.findings]).toEqual([]);
    for (let k = 0; k < count; k++) {
      const wanted = given(chosen)[`rows[${k}]`]!.slice();
      for (let i = 0; i < 64; i++)
        if (chosen(i) === k) {
          wanted[1 + i] = 10 * Math.floor(k / 2) + 10 * (count - 1);
          wanted[0]! += i + 1;
        }
      expect(wordsOf(run.buffers[`rows[${k}]`]), `row ${k}`).toEqual(wanted);
    }
  });

  test.each([-1, 100, 101, 2147483647, -2147483648])("has no number %i, which is found", async (number) => {
    const args = given((i) => (i === 5 ? number : chosen(i)));
    const { findings } = await simulate(text(count), { from: "glsl", workgroups: [1], subgroupSize: 8, args });
    expect(findings.map((f) => f.message).join()).toContain("of an array of 100 blocks");
  });

  test.each(["hlsl", "opencl"] as const)("computes the same in %s", async (to) => {
    const launchArgs = Object.fromEntries(
      Object.entries(given(chosen)).map(([name, words]) => [
        name,
        {
          type: name === "pick" ? "i32" : "u32",
          count: words.length,
          init: { values: [...words] },
          ...(name === "pick" ? {} : { output: true }),
        },
      ]),
    );
    const launches = [{ workgroups: [1], args: launchArgs }];
    const { result } = await verify(text(count), { from: "glsl", to, launches, subgroupSizes: [8] });
    expect(["equivalent", "equivalent-where-run"]).toContain(result);
  });

  for (const to of ["glsl", "hlsl", "opencl"] as const)
    judgeTest(judges[to], `is text a compiler takes in ${to}, with 2048 blocks`, async () => {
      const made = await translate(text(2048), { from: "glsl", to });
      const [verdict] = await judges[to].accept([{ name: "rows", text: made.code! }]);
      expect(verdict!.log).toBe("");
    });

  test("MSL, which has 31 buffers, says so once", async () => {
    const { diagnostics } = await translate(text(2048), { from: "glsl", to: "msl" });
    expect(diagnostics.filter((d) => d.severity === "error").map((d) => d.message)).toEqual([
      "rows_31 would be buffer 31 of kernel compute_main, and MSL has 31",
    ]);
  });

  test("more than 2048 are refused", async () => {
    const { diagnostics } = await translate(text(2049), { from: "glsl", to: "glsl" });
    expect(diagnostics.map((d) => d.message)).toEqual(["an array of 2049 blocks is not between 1 and 2048"]);
  });
});

describe("on a driver", async () => {
  await deviceTest("vulkan", "the array is one binding with a buffer for each block", async () => {
    const run = await runOnDevice(source, { from: "glsl", device: "vulkan", workgroups: [2], args });
    expect(run.diagnostics).toEqual([]);
    for (const [name, words] of Object.entries(expected(run.subgroupSize!)))
      expect(wordsOf(run.buffers[name]), name).toEqual(words);
  });
});

/** Blocks of floats, and what the kernel computes of `b[k].x[i] = 100 k + i`. */
interface Arrayed {
  readonly block: string;
  readonly value: string;
  readonly result: (i: number) => number;
  /** The names of the buffers, as the host counts them. */
  readonly names: readonly string[];
}

const buffers = "layout(std430, set = 0, binding = 0) readonly buffer B { float x[]; }";
const values = "layout(std140, set = 0, binding = 0) uniform B { float x[4]; }";
const lanes = [0, 1, 2, 3, 4, 5, 6, 7];
const pairs = ["b[0][0]", "b[0][1]", "b[1][0]", "b[1][1]", "b[2][0]", "b[2][1]"];
const arrays: readonly Arrayed[] = [
  {
    block: `${buffers} b[3][2]`,
    value: "b[i % 3u][i & 1u].x[i]",
    result: (i) => 200 * (i % 3) + 100 * (i & 1) + i,
    names: pairs,
  },
  {
    block: `${buffers} b[3][2]`,
    value: "b[2][1].x[i] + float(b.length() * 10 + b[1].length())",
    result: (i) => 532 + i,
    names: pairs,
  },
  { block: `${buffers} b[]`, value: "b[2].x[i] + b[0].x[1]", result: (i) => 201 + i, names: ["b[0]", "b[1]", "b[2]"] },
  {
    block: `${values} b[3][2]`,
    value: "b[i % 3u][i & 1u].x[i & 3u]",
    result: (i) => 200 * (i % 3) + 100 * (i & 1) + (i & 3),
    names: pairs,
  },
  { block: `${values} b[]`, value: "b[1].x[i & 3u]", result: (i) => 100 + (i & 3), names: ["b[0]", "b[1]"] },
];

describe.each(arrays)("$block, of which $value", ({ block, value, result, names }) => {
  const text = `#version 450\nlayout(local_size_x = 8) in;\n${block};\nlayout(std430, set = 0, binding = 7) buffer Out { float o[]; };\nvoid main() { uint i = gl_LocalInvocationIndex; o[i] = ${value}; }\n`;
  const isValue = block.includes("uniform");
  const numbers = (k: number): number[] => Array.from({ length: isValue ? 4 : 8 }, (_, i) => 100 * k + i);
  const given = Object.fromEntries(
    names.map((name, k) => (isValue ? [`${name}.x`, numbers(k)] : [name, Float32Array.from(numbers(k))])),
  );

  test.each([4, 32])("is found at width %i", async (subgroupSize) => {
    const run = await simulate(text, {
      from: "glsl",
      workgroups: [1],
      subgroupSize,
      args: { ...given, o: new Float32Array(8) },
    });
    expect(run.diagnostics).toEqual([]);
    expect([...new Float32Array((run.buffers["o"] as Uint8Array).slice().buffer)]).toEqual(lanes.map(result));
  });

  test.each([...sourceTargets, "ts"] as const)("computes the same in %s", async (to) => {
    const { result: said, firstDifference } = await verify(text, { from: "glsl", to, subgroupSizes: [4, 32] });
    expect(said, JSON.stringify(firstDifference)).toMatch(/^equivalent/);
  });

  // Arrays of arrays are OpenGL's: glslang takes them, and SPIR-V for Vulkan has none (VUID-StandaloneSpirv-Uniform-06807).
  for (const to of sourceTargets.filter((x) => x !== "glsl" || names !== pairs))
    judgeTest(judges[to], `is text a compiler takes in ${to}`, async () => {
      const made = to === "glsl" ? { code: text } : await translate(text, { from: "glsl", to });
      const [verdict] = await judges[to].accept([{ name: "arrays", text: made.code! }]);
      expect(verdict!.log).toBe("");
    });

  // Uniform blocks are bindings of their own there, as reflection says.
  test.skipIf(isValue)("has one binding where GLSL is written anew", async () => {
    const anew = text.replace("o[i] = ", "o[i] = 0.0 * float(gl_SubgroupInvocationID) + ");
    const subgroups = anew.replace("\n", "\n#extension GL_KHR_shader_subgroup_basic : require\n");
    const made = await translate(subgroups, { from: "glsl", to: "glsl", emulateSubgroups: 8 });
    expect(made.code).toMatch(new RegExp(`} b\\[${names.length}\\];`));
  });
});

test.each([
  ["b[i & 1u].x[i]", "XL1900"],
  ["float(b.length())", "XL2012"],
  ["b[2048].x[i]", "XL2012"],
])("%s of blocks without a length is refused", async (value, code) => {
  const text = `#version 450\nlayout(local_size_x = 8) in;\n${buffers} b[];\nlayout(binding = 7) buffer Out { float o[]; };\nvoid main() { uint i = gl_LocalInvocationIndex; o[i] = ${value}; }\n`;
  const made = await translate(text, { from: "glsl", to: "opencl" });
  expect(made.diagnostics.filter((d) => d.severity === "error").map((d) => d.code)).toEqual([code]);
});

// GLSL 4.60 5.11: an index outside of the array is undefined, whichever block of all it would come to.
describe("an index beyond its own row", () => {
  const computing = (value: string): string =>
    `#version 450\nlayout(local_size_x = 8) in;\n${buffers} b[3][2];\nlayout(std430, set = 0, binding = 7) buffer Out { float o[]; };\nvoid main() { uint i = gl_LocalInvocationIndex; o[i] = ${value}; }\n`;
  const args = { ...Object.fromEntries(pairs.map((name) => [name, new Float32Array(8)])), o: new Float32Array(8) };

  test.each([
    ["b[0][i & 3u].x[i]", ["block 2 of an array of 2 blocks"]],
    ["b[i & 1u][i & 2u].x[i]", ["block 2 of an array of 2 blocks"]],
    ["b[i & 3u][1].x[i]", ["block 3 of an array of 3 blocks"]],
    ["b[1][i & 1u].x[i] + b[i & 1u][int(i & 1u)].x[i]", []],
  ])("is found: %s", async (value, expected) => {
    const { findings } = await simulate(computing(value), { from: "glsl", workgroups: [1], subgroupSize: 4, args });
    const found = findings.filter((f) => f.kind === "out-of-bounds").map((f) => f.message);
    expect(expected.filter((m) => !found.some((f) => f.includes(m)))).toEqual([]);
    expect(found.length > 0).toBe(expected.length > 0);
  });
});
