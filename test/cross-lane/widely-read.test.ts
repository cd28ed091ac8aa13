/**
 * Section 4 of cross-lane.md, errors of widely read texts: for each statement the fixture that has it right, in every
 * dialect that can say it. What the text's statement would give is worked out here and must be something else, so that
 * the fixture tells the two apart; that the fixture's values are right is for all tests of fixtures to show.
 */
import { expect, test } from "vitest";
import { translate } from "../../src/api/translate.js";
import { dialectsOf, readLaunch, readSource } from "../support/expectations.js";
import type { TwoWayDialect } from "../support/expectations.js";

interface Statement {
  readonly text: string;
  readonly fixture: string;
  readonly output: string;
  readonly dialects: readonly TwoWayDialect[];
  /** By the text: `v` are the values of the lane's subgroup of 8, `i` its place in the grid. */
  readonly wrong: (v: readonly number[], lane: number, i: number) => number | undefined;
}
const all: readonly TwoWayDialect[] = ["msl", "glsl", "opencl", "hlsl"];
const sum = (v: readonly (number | undefined)[]): number => v.reduce<number>((a, b) => a + (b ?? 0), 0);

const statements: readonly Statement[] = [
  {
    text: "an exclusive scan is 0, x0, x0 + x2, ...",
    fixture: "exclusive_sums",
    output: "sums",
    dialects: all,
    wrong: (v, lane) => (lane < 2 ? sum(v.slice(0, lane)) : sum(v.slice(0, lane + 1)) - v[1]!),
  },
  // A broadcast without a lane can only be of the own place, which all but the elected lane never had: 0.
  {
    text: "subgroupBroadcast(pos) in the append example",
    fixture: "append_first",
    output: "appended",
    dialects: all,
    wrong: (v, lane) => v.filter((x) => x > 4)[lane] ?? 0,
  },
  {
    text: "ShuffleDown reads gl_GlobalInvocationID + delta",
    fixture: "lane_neighbours",
    output: "to_next",
    dialects: all,
    wrong: (v, lane, i) => (lane < 7 ? (v[i + 1] === undefined ? undefined : v[i + 1]! - v[lane]!) : 0),
  },
  {
    text: "ShuffleXor reads the index xor the mask",
    fixture: "lane_exchange",
    output: "exchanged",
    dialects: all,
    wrong: (v, _lane, i) => v[i ^ 3],
  },
  {
    text: "Rotate moves the value of lane i to lane (i + delta) % S",
    fixture: "lane_rotation",
    output: "rotated",
    dialects: ["msl", "opencl"],
    wrong: (v, lane) => v[(lane + 8 - 3) % 8],
  },
  {
    text: "a scan in steps begins at 2",
    fixture: "scan_in_steps",
    output: "sums",
    dialects: all,
    wrong: (v, lane) => sum(v.filter((_, k) => k <= lane && (lane - k) % 2 === 0)),
  },
];

test.each(statements)("$text: $fixture says otherwise", ({ fixture, output, dialects, wrong }) => {
  expect(dialectsOf(fixture)).toEqual(dialects);
  const { args } = readLaunch(fixture);
  const values = (args["src"]!.init as { values: number[] }).values;
  const right = args[output]!.expect!.values.map(Number);
  for (let group = 0; group < 4; group++) {
    const own = values.slice(8 * group, 8 * group + 8);
    const by = own.map((_, lane) => wrong(own, lane, 8 * group + lane));
    const is = right.slice(8 * group, 8 * group + 8);
    // In the first subgroup a lane's number is its place in the grid.
    if (group > 0 || !/_neighbours|_exchange/.test(fixture)) expect(by).not.toEqual(is);
  }
});

test("the subgroup size is 32 or 64: every_size asks for it, and is right at 4, 8 and 16 too", () => {
  expect(dialectsOf("every_size")).toEqual(all);
  const launch = readLaunch("every_size");
  expect(launch.subgroupSizes).toEqual([4, 8, 16, 32, 64]);
  // 0 + ... + 63, and 64 more for each of the next; with a size of 32 taken for granted two parts of eight are added.
  expect(launch.args["totals"]!.expect!.values).toEqual([(64 * 63) / 2, (64 * 63) / 2 + 64 * 64]);
  expect(sum(Array.from({ length: 16 }, (_, i) => i))).not.toBe(2016);
  for (const dialect of all) expect(readSource("every_size", dialect), dialect).not.toMatch(/\b(?:32|31)u?\b/);
});

test("SIMD-groups are macOS's only: lanes_on_ios is written for iOS from MSL 2.3 on, its shuffle from 2.2", async () => {
  expect(dialectsOf("lanes_on_ios")).toEqual(all);
  const source = readSource("lanes_on_ios", "opencl");
  const written = async (profile: string, spelling: string): Promise<string> => {
    const { code } = await translate(
      source.replace(
        spelling === "simd_sum" ? " + sub_group_shuffle_xor(value, 1)" : "sub_group_reduce_add(value) + ",
        "",
      ),
      { from: "opencl", to: "msl", profile },
    );
    return code === undefined ? "refused" : code.includes(`${spelling}(`) ? "native" : "emulated";
  };
  // MSL 3.1, 6.9.2: since macOS 2.0 and 2.1, iOS 2.2 and 2.3; where all lanes come a sum can be made of shuffles.
  for (const [profile, total, moved] of [
    ["msl2.0-macos", "emulated", "native"],
    ["msl2.1-macos", "native", "native"],
    ["msl2.0-ios", "refused", "refused"],
    ["msl2.1-ios", "refused", "refused"],
    ["msl2.2-ios", "emulated", "native"],
    ["msl2.3-ios", "native", "native"],
  ] as const) {
    expect(await written(profile, "simd_sum"), profile).toBe(total);
    expect(await written(profile, "simd_shuffle_xor"), profile).toBe(moved);
  }
});
