/**
 * What can be said about the fixtures without crosslane: launch files are well-formed, host expectations give the
 * checksums of a real driver, and values stated in launch files agree with them.
 */
import { describe, expect, test } from "vitest";
import { xxHash64 } from "./support/expectations/data.js";
import { crc32Of } from "./support/expectations/language.js";
import {
  buildBuffer,
  checksum,
  checksums,
  convergingDialects,
  dialectsOf,
  expectations,
  expected,
  expectedOf,
  firstMismatch,
  fixtureNames,
  h32,
  halfBits,
  inputsOf,
  launchFilesOf,
  readFixture,
  readLaunch,
  readSource,
  twoWayDialects,
  statedChecksums,
  widthsOf,
} from "./support/expectations.js";
import type { HostArray, Launch, TwoWayDialect } from "./support/expectations.js";

const launchKeys = [
  "entry",
  "workgroups",
  "gridSize",
  "gridOffset",
  "workgroupSize",
  "subgroupSize",
  "subgroupSizes",
  "scaleAxis",
  "needs",
  "contractionSensitive",
  "args",
];
const argumentKeys = [
  "type",
  "count",
  "value",
  "bytes",
  "init",
  "output",
  "tolerance",
  "compare",
  "expect",
  "dialects",
];
const initialisers = ["values", "fill", "iota", "hash", "ints", "unit", "uninitialized", "file"];
const needs = ["subgroups", "subgroup-vote", "subgroup-ballot", "subgroup-arithmetic", "subgroup-shuffle"];

const names = fixtureNames();
const launches = names.flatMap((fixture) => launchFilesOf(fixture).map((file) => ({ fixture, file })));

function entryFor(launch: Launch, dialect: TwoWayDialect): string | undefined {
  return typeof launch.entry === "string" ? launch.entry : launch.entry[dialect];
}

const outputsOf = (launch: Launch): string[] => Object.keys(launch.args).filter((name) => launch.args[name]!.output);

test("there are the fourteen benchmark kernels and more than twenty of our own", () => {
  expect(names.length).toBeGreaterThanOrEqual(36);
  expect(Object.keys(checksums())).toHaveLength(10);
});

test("at least twelve fixtures converge in all their dialects, and all of them have four", () => {
  const converging = names.filter((name) => readFixture(name).converge === true);
  expect(converging.length).toBeGreaterThanOrEqual(12);
  for (const name of converging) expect(convergingDialects(name), name).toEqual(twoWayDialects);
});

describe.each(names)("fixture %s", (name) => {
  test("has a description, at least two dialects and an expectation", () => {
    const info = readFixture(name);
    expect(Object.keys(info).sort()).toEqual(["converge", "features", "title"]);
    expect(info.title).not.toBe("");
    expect(info.features.length).toBeGreaterThan(0);
    for (const dialect of convergingDialects(name)) expect(dialectsOf(name)).toContain(dialect);
    expect(dialectsOf(name).length).toBeGreaterThanOrEqual(2);
    expect(expectations).toHaveProperty(name);
  });

  test("has sources of plain text", () => {
    for (const dialect of dialectsOf(name)) {
      const source = readSource(name, dialect);
      expect(source, dialect).toMatch(/^[\n\x20-\x7e]+\n$/);
      expect(source, dialect).not.toMatch(/[ \t]\n/);
    }
  });
});

describe.each(launches)("launch file $fixture/$file", ({ fixture, file }) => {
  const launch = readLaunch(fixture, file);

  test("has only keys that are known", () => {
    for (const key of Object.keys(launch)) expect(launchKeys).toContain(key);
    for (const need of launch.needs ?? []) expect(needs).toContain(need);
    for (const [name, argument] of Object.entries(launch.args)) {
      for (const key of Object.keys(argument)) expect(argumentKeys, name).toContain(key);
      for (const dialect of argument.dialects ?? []) expect(twoWayDialects).toContain(dialect);
      const kinds = [argument.bytes, argument.value, argument.count].filter((given) => given !== undefined);
      expect(kinds, `${name} is workgroup memory, a value or a buffer`).toHaveLength(1);
      if (argument.count !== undefined) {
        expect(Object.keys(argument.init ?? {}), name).toHaveLength(1);
        expect(initialisers).toContain(Object.keys(argument.init ?? {})[0]);
      }
    }
  });

  test("launches whole workgroups of a size every API allows", () => {
    expect(launch.workgroups).toHaveLength(3);
    expect(launch.workgroupSize).toHaveLength(3);
    const [x, y, z] = launch.workgroupSize;
    expect(x * y * z).toBeLessThanOrEqual(256);
    const widths = widthsOf(launch);
    expect([...widths]).toEqual([...widths].sort((a, b) => a - b));
    for (const width of widths) expect([1, 2, 4, 8, 16, 32, 64]).toContain(width);
    expect(widths).toContain(launch.subgroupSize ?? 32);
  });

  test("names an entry point that each source has, and arguments that it mentions", () => {
    for (const dialect of dialectsOf(fixture)) {
      const source = readSource(fixture, dialect);
      const entry = entryFor(launch, dialect);
      expect(entry, dialect).toBeDefined();
      expect(source, dialect).toMatch(new RegExp(`void ${entry}\\(|host_name\\("${entry}"\\)`));
      for (const [name, argument] of Object.entries(launch.args)) {
        if (argument.dialects && !argument.dialects.includes(dialect)) continue;
        for (const part of name.split(".")) expect(source, dialect).toMatch(new RegExp(`\\b${part}\\b`));
      }
    }
    if (typeof launch.entry !== "string") {
      expect(Object.keys(launch.entry).sort()).toEqual([...dialectsOf(fixture)].sort());
    }
  });

  test("agrees with the expectation on what the outputs are, at every width", () => {
    const inputs = inputsOf(launch);
    for (const width of widthsOf(launch)) {
      const outputs = expectedOf(fixture, launch, width);
      expect(Object.keys(outputs).sort()).toEqual(outputsOf(launch).sort());
      for (const [name, output] of Object.entries(outputs)) {
        const before = inputs[name] as HostArray;
        expect(output.constructor, name).toBe(before.constructor);
        expect(output.length, name).toBe(before.length);
        expect(
          output.every((element) => Number.isFinite(element)),
          name,
        ).toBe(true);
        // A kernel that does nothing must not pass.
        expect(firstMismatch({ ...launch, args: {} }, name, before, output), name).toBeDefined();
      }
    }
  });

  test("states the same values as the expectation", () => {
    for (const [name, argument] of Object.entries(launch.args)) {
      if (!argument.expect) continue;
      expect(argument.output, name).toBe(true);
      expect([...expectedOf(fixture, launch)[name]!]).toEqual(argument.expect.values.map(Number));
    }
  });
});

describe("checksums of a real driver", () => {
  test.each(Object.entries(checksums()))("%s gives %s", (fixture, wanted) => {
    const launch = readLaunch(fixture);
    const outputs = expectedOf(fixture, launch);
    expect(checksum(outputsOf(launch).map((name) => outputs[name]!))).toBe(wanted);
  });
});

test("the stated checksum of the histogram is impossible", () => {
  const bins = [...expectedOf("histogram", readLaunch("histogram")).bins!];
  expect(bins.reduce((sum, bin) => sum + bin, 0)).toBe(32768);
  // 31 is odd: modulo 2 the checksum is the sum of the bins.
  expect(parseInt(checksum([Uint32Array.from(bins)]), 16) % 2).toBe(0);
  expect(parseInt(statedChecksums().histogram!, 16) % 2).toBe(1);
});

describe("host expectations against values worked out by hand", () => {
  test("the integer reduction sums 64 consecutive numbers a workgroup: 4096 g + 2016", () => {
    const sums = expectedOf("reduce", readLaunch("reduce")).sums!;
    expect([...sums]).toEqual(Array.from({ length: 16 }, (_, g) => 4096 * g + 2016));
  });

  test("the widths show where a kernel depends on them, and only there", () => {
    const dependent = [
      "edge_difference",
      "lane_conventions",
      "match_histogram",
      "permute",
      "reductions",
      "reserve",
      "subgroup_exchange",
      "vote_branch",
    ];
    const differing = names.filter((name) => {
      const launch = readLaunch(name);
      const widths = widthsOf(launch);
      const [narrow, wide] = [widths[0]!, widths.at(-1)!].map((width) => expectedOf(name, launch, width));
      return Object.keys(narrow!).some((key) =>
        firstMismatch({ ...launch, args: {} }, key, narrow![key]!, wide![key]!),
      );
    });
    expect(differing).toEqual(dependent);
  });

  test("crc32 of 123456789 is the check value of the polynomial", () => {
    expect(crc32Of(new TextEncoder().encode("123456789"))).toBe(0xcbf43926);
  });

  test("xxHash64 of nothing, and of abc", () => {
    const hash = (text: string): string => xxHash64(new TextEncoder().encode(text)).toString(16);
    expect([hash(""), hash("abc")]).toEqual(["ef46db3751d8e999", "44bc2cf5ad770999"]);
  });

  test("a glider moves one cell down and right in four generations", () => {
    const setup = { workgroups: [1, 1, 1], workgroupSize: [8, 8, 1], subgroupSize: 32 } as const;
    const glider = (dx: number, dy: number): Uint32Array => {
      const cells = new Uint32Array(64);
      for (const [x, y] of [
        [1, 0],
        [2, 1],
        [0, 2],
        [1, 2],
        [2, 2],
      ] as const)
        cells[(y + dy) * 8 + x + dx] = 1;
      return cells;
    };
    let cells = glider(1, 1);
    for (let k = 0; k < 4; k++) {
      cells = expected("life", { cells, next: cells, width: 8, height: 8 }, setup).next as Uint32Array;
    }
    expect([...cells]).toEqual([...glider(2, 2)]);
  });

  test("rounding at the half and remainders of negative numbers", () => {
    const results = expectedOf("rounding", readLaunch("rounding")).results!;
    const at = (x: number): number[] => [...results.slice((x * 4 + 64) * 8, (x * 4 + 64) * 8 + 8)];
    // round, rint, trunc, floor, ceil, four times fmod(x, 4), four times the floored remainder, quarters + trunc
    expect(at(2.5)).toEqual([3, 2, 2, 2, 3, 10, 10, 4]);
    expect(at(-2.5)).toEqual([-3, -2, -2, -3, -2, -10, 6, 0]);
    expect(at(-3.5)).toEqual([-4, -4, -3, -4, -3, -14, 2, -1]);
    expect(at(-0.25)).toEqual([0, 0, 0, -1, 0, -1, 15, 3]);
    expect(at(5)).toEqual([5, 5, 5, 5, 5, 4, 4, 5]);
  });

  test("bits of zero and of a word", () => {
    const launch = readLaunch("bits");
    const inputs = { words: new Uint32Array(128).fill(0x80000001), results: new Uint32Array(1024) };
    const results = expected("bits", inputs, {
      workgroups: [2, 1, 1],
      workgroupSize: launch.workgroupSize,
      subgroupSize: 32,
    }).results!;
    // clz, ctz, popcount, reverse, rotate by 1, bits 5 to 12, 1 put into bits 12 to 17, clz + (word >> 3)
    expect([...results.slice(8, 16)]).toEqual([1, 30, 1, 0x00000002, 0x80000000, 0, 0x40001000, 1 + 0x08000000]);
    expect([...results.slice(15 * 8, 15 * 8 + 4)]).toEqual([32, 32, 0, 0]);
    expect([...results.slice(0, 4)]).toEqual([0, 0, 2, 0x80000001]);
  });

  test("a matrix, its products and its determinant", () => {
    // Columns (1 2 3), (0 1 4), (5 6 0), with determinant 1; times (1 1 1), from the right and from the left.
    const numbers = Float32Array.of(1, 2, 3, 0, 1, 4, 5, 6, 0, 1, 1, 1);
    const inputs = { numbers, results: new Float32Array(16) };
    const setup = { workgroups: [1, 1, 1], workgroupSize: [1, 1, 1], subgroupSize: 1 } as const;
    const results = expected("matrices", inputs, setup).results!;
    expect([...results]).toEqual([6, 9, 7, 1, 6, 5, 11, 26, 33, 42, 11, -2, 6, 13, 3, 0.5]);
  });
});

describe("host data", () => {
  test("the seeded hash", () => {
    // i = 0, seed = 0 stays zero through all steps; i = 1: 0x85ebca6b ^ (0x85ebca6b >>> 13) = 0x85efe534, and so on.
    expect(h32(0, 0)).toBe(0);
    let x = 0x85ebca6b;
    x = (x ^ 0x42f5e) >>> 0;
    x = Number((BigInt(x) * 0xc2b2ae35n) & 0xffffffffn);
    expect(h32(1, 0)).toBe((x ^ Math.floor(x / 65536)) >>> 0);
  });

  test("vector elements count their width, and counts by workgroup are multiplied out", () => {
    const launch = { ...readLaunch("saxpy"), workgroups: [2, 3, 1] as const };
    expect(buildBuffer(launch, { type: "f32x4", count: { perGroup: 5 }, init: { fill: 1 } })).toHaveLength(120);
    expect(inputsOf(launch).n).toBe(384);
    const iota = buildBuffer(launch, { type: "i32", count: 3, init: { iota: { start: -1, step: 2 } } });
    expect([...iota]).toEqual([-1, 1, 3]);
  });

  test("halves", () => {
    expect([1, -2, 0.5, 65504, 2 ** -14, 2 ** -24, 0, 1 + 2 ** -11, 1 + 3 * 2 ** -11].map(halfBits)).toEqual([
      0x3c00, 0xc000, 0x3800, 0x7bff, 0x0400, 0x0001, 0, 0x3c00, 0x3c02,
    ]);
    expect(halfBits(65520)).toBe(0x7c00);
    expect(halfBits(-0)).toBe(0x8000);
  });
});
