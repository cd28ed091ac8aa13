/**
 * What every fixture has to compute, worked out by plain host code that knows nothing of crosslane: closed forms and
 * straightforward loops over the inputs of the launch file.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { benchmarks } from "./expectations/benchmarks.js";
import { cpp } from "./expectations/cpp.js";
import { crossLane } from "./expectations/cross-lane.js";
import { data } from "./expectations/data.js";
import { inputsOf } from "./expectations/host-data.js";
import type { HostArray, Inputs, Launch } from "./expectations/host-data.js";
import { language } from "./expectations/language.js";
import type { Expectation, Setup } from "./expectations/setup.js";

export { buildBuffer, checksum, h32, halfBits, inputsOf } from "./expectations/host-data.js";
export type { HostArray, HostValue, Inputs, Launch, LaunchArgument } from "./expectations/host-data.js";
export type { Expectation, Setup } from "./expectations/setup.js";

export const fixturesFolder = fileURLToPath(new URL("../../fixtures/", import.meta.url));

/** Source files of a fixture by dialect, of which it has one; that of C++ for OpenCL is named as such. */
const sourceFiles = {
  msl: ["kernel.metal"],
  glsl: ["kernel.comp"],
  opencl: ["kernel.cl", "kernel.clcpp"],
  hlsl: ["kernel.hlsl"],
} as const;
export type TwoWayDialect = keyof typeof sourceFiles;
export const twoWayDialects = Object.keys(sourceFiles) as TwoWayDialect[];

export interface FixtureInfo {
  readonly title: string;
  /** True: the trees of all dialects are equal; a list: those of these dialects are. */
  readonly converge: boolean | readonly TwoWayDialect[];
  readonly features: readonly string[];
}

const readJson = <T>(...path: string[]): T => JSON.parse(readFileSync(join(fixturesFolder, ...path), "utf8")) as T;

/** Folders with a kernel, in order of their names. */
export function fixtureNames(): string[] {
  return readdirSync(fixturesFolder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== "errors")
    .map((entry) => entry.name)
    .sort();
}

export function dialectsOf(fixture: string): TwoWayDialect[] {
  return twoWayDialects.filter((dialect) => fileOf(fixture, dialect) !== undefined);
}

function fileOf(fixture: string, dialect: TwoWayDialect): string | undefined {
  const files = readdirSync(join(fixturesFolder, fixture));
  return sourceFiles[dialect].find((name) => files.includes(name));
}

/** The name of a source, from the root of the repository. */
export const sourceFile = (fixture: string, dialect: TwoWayDialect): string =>
  `fixtures/${fixture}/${fileOf(fixture, dialect) ?? sourceFiles[dialect][0]}`;

export const readSource = (fixture: string, dialect: TwoWayDialect): string =>
  readFileSync(join(fixturesFolder, "..", sourceFile(fixture, dialect)), "utf8");

export const readFixture = (fixture: string): FixtureInfo => readJson(fixture, "fixture.json");

/** Launch files of a fixture: `launch.json`, and `<entry>.launch.json` for further entry points. */
export function launchFilesOf(fixture: string): string[] {
  return readdirSync(join(fixturesFolder, fixture))
    .filter((name) => name === "launch.json" || name.endsWith(".launch.json"))
    .sort();
}

export const readLaunch = (fixture: string, file = "launch.json"): Launch => readJson(fixture, file);

/** Work-items that a scaled launch comes down to: several workgroups of every kernel that scales. */
const fewLanes = 1024;

/**
 * The launch with fewer workgroups along the axis that its file lets grow and shrink: what is asked of every translation
 * at every width hangs on the kernel, and little on how many workgroups do the same.
 */
export function fewerWorkgroups<
  L extends {
    readonly workgroups?: readonly number[];
    readonly workgroupSize?: readonly number[];
    readonly scaleAxis?: number;
  },
>(launch: L): L {
  const { workgroups, workgroupSize, scaleAxis } = launch;
  if (scaleAxis === undefined || !workgroups || !workgroupSize) return launch;
  const lanes = [...workgroups, ...workgroupSize].reduce((a, b) => a * b, 1);
  const fewer = (n: number): number => Math.min(n, Math.max(2, Math.round((n * fewLanes) / lanes)));
  return { ...launch, workgroups: workgroups.map((n, axis) => (axis === scaleAxis ? fewer(n) : n)) };
}

/** The dialects that have to agree on their canonical tree; empty where nothing is promised. */
export function convergingDialects(fixture: string): TwoWayDialect[] {
  const { converge } = readFixture(fixture);
  if (typeof converge !== "boolean") return [...converge];
  return converge ? dialectsOf(fixture) : [];
}

/** The widths a kernel is meant for: those of its launch file, else all powers of two up to 64. */
export const widthsOf = (launch: Launch): readonly number[] => launch.subgroupSizes ?? [1, 2, 4, 8, 16, 32, 64];

/** Checksums stated for ten of the benchmark kernels at their default launch, said to be those of a real OpenCL driver. */
export const statedChecksums = (): Readonly<Record<string, string>> => readJson("expected.json");

/**
 * Stated checksums that cannot be right, with what the driver (PoCL) gives on `kernel.cl` and this launch file instead.
 * histogram is stated as ec84c001: but 31 is odd, so a checksum is odd exactly if the sum of its words is, and the bins
 * add up to the number of elements, 32768.
 */
export const correctedChecksums: Readonly<Record<string, string>> = { histogram: "28c867e4" };

/** The stated checksums, but for the corrected ones. */
export const checksums = (): Readonly<Record<string, string>> => ({
  ...statedChecksums(),
  ...correctedChecksums,
});

export const expectations: Readonly<Record<string, Expectation>> = {
  ...benchmarks,
  ...crossLane,
  ...language,
  ...cpp,
  ...data,
};

/** What the output buffers of a fixture hold after a launch on these inputs. */
export function expected(fixture: string, inputs: Inputs, setup: Setup): Readonly<Record<string, HostArray>> {
  const expectation = expectations[fixture];
  if (!expectation) throw new Error(`no expectation for fixture ${fixture}`);
  return expectation(inputs, setup);
}

/** `expected` for a launch file as it stands, at one subgroup width. */
export function expectedOf(
  fixture: string,
  launch: Launch,
  subgroupSize = launch.subgroupSize ?? 32,
): Readonly<Record<string, HostArray>> {
  const { workgroups, workgroupSize, entry } = launch;
  const setup = { workgroups, workgroupSize, subgroupSize, ...(typeof entry === "string" ? { entry } : {}) };
  return expected(fixture, inputsOf(launch), setup);
}

/** The first place where an output differs from what is expected beyond what its launch argument allows. */
export function firstMismatch(launch: Launch, name: string, actual: HostArray, wanted: HostArray): string | undefined {
  const argument = launch.args[name];
  if (actual.length !== wanted.length) return `${name} has ${actual.length} elements, expected ${wanted.length}`;
  const ordered = (array: HostArray): HostArray => (argument?.compare === "multiset" ? array.slice().sort() : array);
  const [left, right] = [ordered(actual), ordered(wanted)];
  for (let i = 0; i < right.length; i++) {
    const [a, b] = [left[i]!, right[i]!];
    const { abs = 0, rel = 0, ulp = 0 } = argument?.tolerance ?? {};
    const allowed = abs + (rel + ulp * 2 ** -23) * Math.abs(b);
    const same = allowed > 0 ? Math.abs(a - b) <= allowed : Object.is(a, b);
    if (!same) return `${name}[${i}] is ${a}, expected ${b}`;
  }
  return undefined;
}
