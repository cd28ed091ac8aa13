import { readFileSync, readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { hash32, initialBytes } from "../../src/launch/initializers.js";
import { parseElementType, parseLaunchFile } from "../../src/launch/launch-file.js";
import type { BufferArgument, ValueArgument } from "../../src/launch/launch-file.js";

function problems(text: string): string[] {
  const { launch, diagnostics } = parseLaunchFile(text, "launch.json");
  expect(launch === undefined).toBe(diagnostics.length > 0);
  return diagnostics.map(
    (d) => `${d.location!.line}:${d.location!.column} ${d.code} ${d.message}${d.help ? ` (${d.help})` : ""}`,
  );
}
const wrap = (args: string, top = '"workgroups": [1]'): string => `{${top}, "args": {${args}}}`;
function buffer(args: string): BufferArgument {
  const { launch, diagnostics } = parseLaunchFile(wrap(args), "launch.json");
  expect(diagnostics).toEqual([]);
  return launch!.arguments[0] as BufferArgument;
}

describe("launch file", () => {
  test("a whole one", () => {
    const text = `{
      "entry": {"msl": "k", "glsl": "main"}, "workgroups": [4, 2], "workgroupSize": [64], "subgroupSize": 16,
      "subgroupSizes": [8, 16], "needs": ["subgroups"], "scaleAxis": 0, "contractionSensitive": true,
      "args": {
        "a": {"type": "f32", "count": {"perGroup": 64}, "init": {"unit": {"seed": 3}}, "dialects": ["msl"]},
        "b": {"type": "u8x4", "init": {"values": [[1, 2, 3, 4], 5, 6, 7, 8]}, "output": true, "compare": "multiset"},
        "n": {"type": "u64", "value": "18446744073709551615"},
        "m": {"type": "u32", "value": {"perGroup": 2}},
        "s": {"bytes": 256}
      }}`;
    const { launch, diagnostics } = parseLaunchFile(text, "x.launch.json");
    expect(diagnostics).toEqual([]);
    expect(launch!.workgroups).toEqual([4, 2]);
    expect(launch!.entry).toEqual({ msl: "k", glsl: "main" });
    expect(launch!.arguments.map((a) => a.kind)).toEqual(["buffer", "buffer", "value", "value", "workgroup"]);
    expect((launch!.arguments[0] as BufferArgument).count).toEqual({ perGroup: 64 });
    expect((launch!.arguments[1] as BufferArgument).init).toEqual({
      kind: "values",
      values: [1, 2, 3, 4, 5, 6, 7, 8],
    });
    expect((launch!.arguments[2] as ValueArgument).value).toEqual([18446744073709551615n]);
    expect(launch!.arguments[0]!.location).toEqual({
      file: "x.launch.json",
      line: 5,
      column: 9,
      endLine: 5,
      endColumn: 12,
    });
  });

  test("an unknown key is an error where it stands, with the key that was meant", () => {
    expect(problems('{"workgroups": [1],\n "wrokgroupSize": [1], "args": {}}')).toEqual([
      "2:2 XL6002 'wrokgroupSize' is no key of a launch file (did you mean 'workgroupSize'?)",
    ]);
    expect(problems(wrap('"x": {"type": "f32", "cuont": 1, "count": 1, "init": {"fill": 0}}'))[0]).toContain(
      "did you mean 'count'?",
    );
    expect(problems(wrap('"x": {"type": "f32", "count": 1, "init": {"hsah": {"seed": 1}}}'))[0]).toContain(
      "did you mean 'hash'?",
    );
  });

  test.each([
    ["", "the file ends where a value is expected"],
    ["{", "a key in double quotes is expected"],
    ['{"a" 1}', "':' is expected after a key"],
    ["{} x", "nothing may follow the value of the file"],
    ["[1,]", "a value is expected, not ']'"],
    ["[01]", "'01' is no number of JSON (write it as a string)"],
    ["[NaN]", "'NaN' is no value of JSON (a word is written in quotes)"],
    ["// c\n{}", "JSON has no comments"],
    ['"abc', "the string is not closed"],
    ['{"a": 1, "a": 2}', "the key 'a' stands here twice"],
    ["[".repeat(100_000), "values are nested deeper than 64"],
    ["\u0000\u0001", "a value is expected, not '\u0000'"],
  ])("%j is no JSON", (text, message) => {
    const { diagnostics } = parseLaunchFile(text, "launch.json");
    expect(diagnostics).toHaveLength(1);
    expect(diagnostics[0]).toMatchObject({ code: "XL6001", message, severity: "error" });
  });

  test.each([
    ["[]", "a launch file is an object"],
    ['{"workgroups": [1]}', "a launch file needs 'args'"],
    ['{"args": {}}', "a launch file needs 'workgroups' or 'gridSize'"],
    ['{"workgroups": [1], "gridSize": [1], "args": {}}', "say the same thing"],
    ['{"workgroups": [0], "args": {}}', "a whole number from 1"],
    ['{"workgroups": [1, 1, 1, 1], "args": {}}', "one to three whole numbers"],
    ['{"workgroups": 4, "args": {}}', "one to three whole numbers"],
    ['{"workgroups": [1], "subgroupSize": 24, "args": {}}', "a power of two"],
    [wrap('"x": {"type": "f32"}'), "has none of 'init'"],
    [wrap('"x": {"type": "f32", "value": 1, "init": {"fill": 0}}'), "has both 'init' and 'value'"],
    [wrap('"x": {"type": "f32", "value": 1, "count": 1}'), "'count' has no meaning beside 'value'"],
    [wrap('"x": {"type": "float", "value": 1}'), "'float' is no element type"],
    [wrap('"x": {"value": 1}'), "has no 'type'"],
    [wrap('"x": {"type": "f32", "init": {"fill": 0}}'), "has no 'count'"],
    [wrap('"x": {"type": "f32", "count": 1, "init": {"fill": 0, "iota": {}}}'), "exactly one of"],
    [wrap('"x": {"type": "f32", "count": 1, "init": {"ints": {"seed": 1}}}'), "'mod' is missing"],
    [wrap('"x": {"type": "f32", "count": 1, "init": {"fill": "zero"}}'), "'zero' is no number"],
    [wrap('"x": {"type": "f32x3", "count": 1, "init": {"values": [[1, 2]]}}'), "has 3 numbers"],
    [wrap('"x": {"type": "f32", "count": 1, "init": {"fill": 0}, "tolerance": {"ulp": 1}}'), "not an output"],
    [
      wrap('"x": {"type": "f32", "count": 1, "init": {"fill": 0}, "output": true, "tolerance": {}}'),
      "a tolerance has 'ulp', 'abs' or 'rel', or several of them",
    ],
    [wrap('"x": {"type": "f32", "count": 1, "init": {"fill": 0}, "output": true, "compare": "sorted"}'), "multiset"],
    [wrap('"x": {"type": "f32", "count": 1, "init": {"fill": 0}, "dialects": ["metal"]}'), "'metal' is no dialect"],
    [wrap('"x": {"bytes": 0}'), "a whole number from 1"],
  ])("%s is refused", (text, message) => {
    expect(problems(text).join("\n")).toContain(message);
  });

  test("every launch file of the fixtures is one", () => {
    const folder = new URL("../../fixtures/", import.meta.url);
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
      (n) => /(^|[./])launch\.json$/.test(n) && !n.startsWith("errors"),
    );
    expect(names.length).toBeGreaterThan(10);
    for (const name of names)
      expect(parseLaunchFile(readFileSync(new URL(name, folder), "utf8"), name).diagnostics).toEqual([]);
  });
});

describe("element types", () => {
  test.each([
    ["f32", "f32", 1],
    ["u8", "u8", 1],
    ["f16x4", "f16", 4],
    ["f32x3", "f32", 3],
    ["bytes", "u8", 1],
  ])("%s", (text, scalar, width) => expect(parseElementType(text)).toEqual({ text, scalar, width }));
  test.each(["f32x5", "x4", "f32x", "f32x4x4", "half", ""])("%j is none", (text) =>
    expect(parseElementType(text)).toBeUndefined(),
  );
});

const words = (bytes: Uint8Array | string): number[] => [...new Uint32Array((bytes as Uint8Array).buffer)];

describe("initialisers", () => {
  // The formula of the launch file's description, in big integers instead of 32-bit arithmetic.
  function reference(i: number, seed: number): number {
    const m = 2n ** 32n - 1n;
    let x = ((BigInt(i) + BigInt(seed) * 0x9e3779b9n) * 0x85ebca6bn) & m;
    x ^= x >> 13n;
    x = (x * 0xc2b2ae35n) & m;
    return Number(x ^ (x >> 16n));
  }
  test("the hash follows its formula", () => {
    for (const seed of [0, 1, 2, 77, 4294967295]) {
      for (const i of [0, 1, 2, 63, 1000, 65537]) expect(hash32(i, seed)).toBe(reference(i, seed));
    }
  });

  test("hash, ints, unit, iota", () => {
    expect(words(initialBytes({ kind: "hash", seed: 1 }, "f32", 3))).toEqual([0, 1, 2].map((i) => reference(i, 1)));
    expect(words(initialBytes({ kind: "ints", seed: 2, mod: 16 }, "u32", 3))).toEqual(
      [0, 1, 2].map((i) => reference(i, 2) % 16),
    );
    expect(words(initialBytes({ kind: "ints", seed: 2, mod: 2 }, "f32", 8))).toEqual(
      Array.from({ length: 8 }, (_, i) => (reference(i, 2) % 2 === 1 ? 0x3f800000 : 0)),
    );
    const unit = initialBytes({ kind: "unit", seed: 1 }, "f32", 4) as Uint8Array;
    expect([...new Float32Array(unit.buffer)]).toEqual(
      [0, 1, 2, 3].map((i) => Math.floor(reference(i, 1) / 256) / 16777216),
    );
    expect(words(initialBytes({ kind: "iota", start: 5, step: -2 }, "i32", 4))).toEqual([5, 3, 1, 0xffffffff]);
    expect(initialBytes({ kind: "unit", seed: 1 }, "i32", 1)).toContain("fractions");
    expect(initialBytes({ kind: "iota", start: NaN, step: 1 }, "u32", 1)).toBe("'start': NaN is no integer");
    expect(initialBytes({ kind: "iota", start: 0, step: 0.5 }, "i64", 1)).toBe("'step': 0.5 is no integer");
  });

  test("numbers in quotes keep their bits", () => {
    const specials = buffer(
      '"x": {"type": "f32", "init": {"values": ["nan", "-inf", "inf", "-0", "0x7fc00001", "1e-45"]}}',
    );
    expect(words(initialBytes(specials.init, "f32", 6))).toEqual([
      0x7fc00000, 0xff800000, 0x7f800000, 0x80000000, 0x7fc00001, 1,
    ]);
    const big = buffer('"x": {"type": "u64", "init": {"values": ["18446744073709551615", 9007199254740993]}}');
    const bytes = initialBytes(big.init, "u64", 2) as Uint8Array;
    expect([...new BigUint64Array(bytes.buffer)]).toEqual([2n ** 64n - 1n, 9007199254740993n]);
  });

  test("values that are no values of the type are refused", () => {
    expect(initialBytes({ kind: "fill", value: [4294967295] }, "i32", 1)).toContain("not in the range of i32");
    expect(initialBytes({ kind: "fill", value: [0.5] }, "u32", 1)).toContain("no integer");
    expect(initialBytes({ kind: "fill", value: [256] }, "u8", 1)).toContain("range of u8");
    expect(initialBytes({ kind: "fill", value: [{ bits: 0x10000n }] }, "f16", 1)).toContain("16 bits");
    expect(initialBytes({ kind: "values", values: [1, 2] }, "u32", 3)).toContain("2 values for 3");
    expect(words(initialBytes({ kind: "fill", value: [{ bits: 0xffffffffn }] }, "i32", 1))).toEqual([0xffffffff]);
    expect(words(initialBytes({ kind: "fill", value: [1, 2, 3] }, "u32", 6))).toEqual([1, 2, 3, 1, 2, 3]);
  });
});
