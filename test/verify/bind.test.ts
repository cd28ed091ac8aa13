import { describe, expect, test } from "vitest";
import { bool, f32, vector } from "../../src/types/types.js";
import { bindLaunch, entryOf } from "../../src/launch/bind.js";
import type { BindOptions, BoundLaunch } from "../../src/launch/bind.js";
import { parseLaunchFile } from "../../src/launch/launch-file.js";
import { matchKey } from "../../src/support/match-key.js";
import type { EntryShape } from "../../src/launch/reflection.js";
import { argument, count, floats, shape, vectors, words } from "./shapes.js";

function bind(
  launch: object,
  entry: EntryShape,
  options: BindOptions = {},
): { bound?: BoundLaunch; problems: string[] } {
  const parsed = parseLaunchFile(JSON.stringify(launch), "launch.json");
  expect(parsed.diagnostics).toEqual([]);
  const { bound, diagnostics } = bindLaunch(parsed.launch!, entry, options);
  expect(bound === undefined).toBe(diagnostics.length > 0);
  return {
    ...(bound ? { bound } : {}),
    problems: diagnostics.map((d) => `${d.code} ${d.message}${d.help ? ` (${d.help})` : ""}`),
  };
}

const saxpy = shape([
  argument("p.a", "value", f32),
  argument("p.n", "value", count),
  argument("x", "buffer", floats, { access: "read" }),
  argument("y", "buffer", floats),
]);
const launch = {
  workgroups: [2],
  workgroupSize: [64],
  args: {
    y: { type: "f32", count: { perGroup: 64 }, init: { fill: 1 }, output: true },
    x: { type: "f32", count: 128, init: { iota: { start: 0, step: 1 } } },
    n: { type: "u32", value: { perGroup: 64 } },
    a: { type: "f32", value: 2.5 },
  },
};

describe("binding", () => {
  test("bytes in the order of the kernel's list", () => {
    const { bound, problems } = bind(launch, saxpy);
    expect(problems).toEqual([]);
    expect(bound!.arguments.map((a) => a.path)).toEqual(["p.a", "p.n", "x", "y"]);
    const [a, n, x, y] = bound!.arguments;
    expect(a).toMatchObject({ kind: "value", bytes: new Uint8Array([0, 0, 0x20, 0x40]) });
    expect(n).toMatchObject({ kind: "value", bytes: new Uint8Array([128, 0, 0, 0]) });
    expect(x).toMatchObject({ kind: "buffer", output: false, writable: false });
    expect((y as { bytes: Uint8Array }).bytes).toHaveLength(512);
    expect(bound).toMatchObject({
      workgroups: [2, 1, 1],
      workgroupSize: [64, 1, 1],
      gridSize: [128, 1, 1],
      dimensions: 1,
      subgroupSize: 32,
    });
  });

  test("a key may be any dotted suffix that means one path", () => {
    expect(matchKey("n", ["p.n", "q.m"])).toEqual({ index: 0 });
    expect(matchKey("n", ["p.n", "q.n"])).toEqual({ ambiguous: ["p.n", "q.n"] });
    expect(matchKey("n", ["p.n", "n"])).toEqual({ index: 1 });
    expect(matchKey("n", ["pn"])).toEqual({ none: true });
    expect(matchKey("b.n", ["a.b.n", "a.c.n"])).toEqual({ index: 0 });
  });

  test("a partial grid", () => {
    const { bound } = bind({ ...launch, workgroups: undefined, gridSize: [100, 3] }, saxpy, {
      workgroupSize: [32, 2],
    });
    expect(bound).toMatchObject({
      workgroups: [4, 2, 1],
      gridSize: [100, 3, 1],
      dimensions: 2,
      workgroupSize: [32, 2, 1],
    });
  });

  test.each<[string, object, string]>([
    [
      "a mistyped argument",
      { ...launch.args, xs: launch.args.x },
      "XL6004 'k' has no argument 'xs' (its arguments are 'p.a', 'p.n', 'x', 'y')",
    ],
    [
      "an unknown argument",
      { ...launch.args, result: launch.args.x },
      "XL6004 'k' has no argument 'result' (its arguments are 'p.a', 'p.n', 'x', 'y')",
    ],
    ["one given twice", { ...launch.args, "p.n": launch.args.n }, "XL6004 the argument 'p.n' is given twice"],
    ["one missing", { ...launch.args, n: undefined }, "XL6005 the launch gives no 'p.n' (value, u32)"],
    ["a buffer by value", { ...launch.args, x: { type: "f32", value: 1 } }, "XL6006 'x' is a buffer: it takes 'init'"],
    [
      "bytes that are no whole elements",
      { ...launch.args, x: { type: "u8", count: 6, init: { fill: 0 } } },
      "XL6006 'x' has 6 bytes, and the kernel's f32[] takes a multiple of 4 bytes",
    ],
    [
      "a value of another size",
      { ...launch.args, n: { type: "u64", value: 1 } },
      "XL6006 'n' has 8 bytes, and the kernel's u32 takes 4",
    ],
    [
      "an output that is only read",
      { ...launch.args, x: { ...launch.args.x, output: true } },
      "XL6006 'x' is an output, but the kernel only reads 'x'",
    ],
    [
      "expectations of another length",
      { ...launch.args, y: { ...launch.args.y, count: 2, expect: { values: [1] } } },
      "XL6003 what is expected of 'y': there are 1 values for 2 numbers",
    ],
    [
      "a file that was not read",
      { ...launch.args, x: { type: "f32", init: { file: "x.bin" } } },
      "XL6008 'x': the file 'x.bin' was not given",
    ],
  ])("%s is refused", (_, args, message) => expect(bind({ ...launch, args }, saxpy).problems).toEqual([message]));

  test("sizes are those of the kernel", () => {
    const fixed = shape(saxpy.arguments, { workgroupSize: [32, 1, 1] });
    expect(bind(launch, fixed).problems[0]).toBe(
      "XL6007 the launch has workgroups of 64 x 1 x 1 and 'k' is written for 32 x 1 x 1",
    );
    expect(bind({ ...launch, workgroupSize: undefined }, saxpy).problems[0]).toContain(
      "so the launch needs 'workgroupSize'",
    );
    expect(bind({ ...launch, workgroupSize: undefined }, fixed).bound!.gridSize).toEqual([64, 1, 1]);
    expect(bind({ ...launch, workgroupSize: [2048] }, saxpy).problems[0]).toContain("larger than the 1024");
  });

  test("three components take sixteen bytes in Metal and twelve in HLSL", () => {
    const args = { v: { type: "f32x3", count: 5, init: { fill: 0 } } };
    const small = { workgroups: [1], workgroupSize: [1], args };
    expect(bind(small, shape([argument("v", "buffer", vectors)], {}, "hlsl")).problems).toEqual([]);
    expect(bind(small, shape([argument("v", "buffer", vectors)], {}, "msl")).problems[0]).toContain("has 60 bytes");
  });

  test("packed vectors and bools by value", () => {
    const kernel = shape([
      argument("v", "value", vector("f32", 3)),
      argument("b", "value", bool),
      argument("c", "value", bool),
    ]);
    const args = {
      v: { type: "f32x3", value: [1, 2, 3] },
      b: { type: "bool", value: true },
      c: { type: "u32", value: 7 },
    };
    const { bound } = bind({ workgroups: [1], workgroupSize: [1], args }, kernel);
    expect(bound!.arguments.map((a) => (a.kind === "value" ? a.bytes.length : 0))).toEqual([12, 1, 1]);
    expect(bound!.arguments[2]).toMatchObject({ bytes: new Uint8Array([1]) });
  });

  test("files, workgroup memory, dialects, derived values and constants with defaults", () => {
    const kernel = shape([
      argument("x", "buffer", words),
      argument("s", "workgroup", words),
      argument("N", "specialization", count, { optional: true }),
      argument("groups", "derived", count, { optional: true }),
    ]);
    const args = {
      x: { type: "u32", count: 2, init: { file: "x.bin" } },
      s: { bytes: 64 },
      rows: { type: "u32", value: 1, dialects: ["hlsl"] },
    };
    const files = new Map([["x.bin", new Uint8Array([1, 0, 0, 0, 2, 0, 0, 0])]]);
    const { bound, problems } = bind({ workgroups: [1], workgroupSize: [1], args }, kernel, { files });
    expect(problems).toEqual([]);
    expect(bound!.arguments).toHaveLength(2);
    expect(bound!.arguments[1]).toEqual({ kind: "workgroup", path: "s", byteLength: 64 });
    expect(
      bind({ workgroups: [1], workgroupSize: [1], args: { ...args, x: { ...args.x, count: 3 } } }, kernel, {
        files,
      }).problems[0],
    ).toContain("has 8 bytes, and 3 of u32 take 12");
    expect(
      bind({ workgroups: [1], workgroupSize: [1], args: { ...args, groups: { type: "u32", value: 1 } } }, kernel, {
        files,
      }).problems[0],
    ).toContain("no argument 'groups'");
  });

  test("the entry of a launch", () => {
    const { launch: file } = parseLaunchFile(
      '{"entry": {"msl": "a", "glsl": "main"}, "workgroups": [1], "args": {}}',
      "l",
    );
    expect(entryOf(file, "msl")).toBe("a");
    expect(entryOf(file, "hlsl")).toBeUndefined();
    expect(entryOf(file, "msl", "b")).toBe("b");
    expect(entryOf(undefined, "msl")).toBeUndefined();
  });
});
