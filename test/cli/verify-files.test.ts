/** `verify` of several files: each is verified as if it were alone, in the order given, and none stops another. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commandFile } from "../build/real-command.js";
import { crosslane, workspace } from "./command-line.js";

const good = "kernel void k(global int *a) { a[get_global_id(0)] = 3; }\n";
const args = { a: { type: "i32", count: 4, init: { fill: 0 }, output: true } };
const launch = { workgroups: [1], workgroupSize: [4], subgroupSizes: [4], args };
/** Three is not four. */
const unexpected = { ...launch, args: { a: { ...args.a, expect: { fill: 4 } } } };

function kernels(): string {
  const folder = workspace();
  const files: Record<string, string> = {
    "a.cl": good,
    "a.launch.json": JSON.stringify(launch),
    "b.cl": "kernel void k(global int *a) { a[get_global_id(0)] = nothing; }\n",
    "c.cl": good,
    "c.launch.json": JSON.stringify(unexpected),
    "d.cl": good.replace("(0)]", "(0) + 1]"),
    "d.launch.json": JSON.stringify(launch),
    "e.cl": good,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

interface Verification {
  readonly file: string;
  readonly exitCode: number;
}

test("files and globs in order, each with the code it has alone", async () => {
  const folder = kernels();
  const rest = ["--to", "msl,hlsl", "--workgroup-size", "4"];
  const ran = await crosslane(folder, ["verify", "e.cl", "*.cl", ...rest, "--format", "json"]);
  const report = JSON.parse(ran.out) as { verifications: Verification[]; exitCode: number };
  // README: 1 errors, 3 a failed expectation, 4 the source itself has findings.
  const expected = { "e.cl": 0, "a.cl": 0, "b.cl": 1, "c.cl": 3, "d.cl": 4 };
  expect(report.verifications.map((v) => [v.file, v.exitCode])).toEqual(Object.entries(expected));
  expect([ran.code, report.exitCode]).toEqual([4, 4]);
  for (const [file, code] of Object.entries(expected))
    expect([file, (await crosslane(folder, ["verify", file, ...rest])).code]).toEqual([file, code]);
});

test("a line for each translation", async () => {
  const { out, code } = await crosslane(kernels(), ["verify", "a.cl", "b.cl", "--to", "msl,hlsl"]);
  expect(code).toBe(1);
  // Four integers, with one width and two fills.
  expect(out).toBe(`k in a.cl
  msl     equivalent on 2 launches, 32 bytes compared, 1 of 1 statement run, same program (for all inputs)
  hlsl    equivalent on 2 launches, 32 bytes compared, 1 of 1 statement run, same program (for all inputs)
b.cl: not run: see the errors

Equivalent means: every output was the same on these launches. That is evidence, not a proof for all inputs.
`);
});

const two = (second: string): string =>
  `kernel void up(global int *a) { a[get_global_id(0)] += 1; }\nkernel void down(global int *a, int by) { ${second} }\n`;

test("every kernel of a file, with launches of its own; the launch file is for the one it names", async () => {
  const folder = workspace();
  const put = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  put("f.cl", two("a[get_global_id(0)] -= by;"));
  const json = async (
    ...rest: string[]
  ): Promise<{ verifications: (Verification & { entry: string; results: { runs: { launch: string }[] }[] })[] }> =>
    JSON.parse((await crosslane(folder, ["verify", "f.cl", "--to", "hlsl", "--format", "json", ...rest])).out) as never;
  const derived = await json();
  expect(derived.verifications.map((v) => [v.entry, v.exitCode])).toEqual([
    ["up", 0],
    ["down", 0],
  ]);
  put("f.launch.json", JSON.stringify({ ...launch, entry: "up" }));
  const named = await json();
  expect(named.verifications.map((v) => v.results[0]!.runs.some((r) => r.launch.startsWith("derived")))).toEqual([
    false,
    true,
  ]);
  put("f.launch.json", JSON.stringify(launch));
  const { code, err } = await crosslane(folder, ["verify", "f.cl", "--to", "hlsl"]);
  expect([code, err]).toEqual([1, expect.stringContaining("the file has 2 entry points: 'up', 'down'")]);
  put("f.launch.json", JSON.stringify({ ...launch, entry: "up", args: unexpected.args }));
  const ran = await crosslane(folder, ["verify", "f.cl", "--to", "hlsl,glsl"]);
  // An expectation of the first fails; the second is verified all the same.
  expect([ran.code, ran.out]).toEqual([
    3,
    expect.stringMatching(/^up in f.cl\n[^]*\ndown in f.cl\n {2}hlsl {4}equivalent on [2-9]/),
  ]);
  expect((await crosslane(folder, ["verify", "f.cl", "--to", "hlsl", "--entry", "down"])).out).not.toContain("up in");
});

test("translate --verify: of a text of several kernels, each", async () => {
  const folder = workspace();
  const translate = async (second: string, to: string) => {
    writeFileSync(join(folder, "f.cl"), two(second));
    return crosslane(folder, ["translate", "f.cl", "--to", to, "--verify", "--workgroup-size", "8"]);
  };
  const good = await translate("a[get_global_id(0)] -= by;", "hlsl");
  expect([good.code, good.out]).toEqual([0, expect.stringMatching(/void up[^]*void down/)]);
  expect(good.err).toMatch(/up: hlsl {4}equivalent on [^]*down: hlsl {4}equivalent on /);
  // Never in bounds: the source of the second has a finding on every launch.
  for (const to of ["hlsl", "msl", "ts"]) {
    const bad = await translate("a[-1 - get_global_id(0)] = by;", to);
    expect([bad.code, bad.out]).toEqual([1, ""]);
    expect(bad.err).toContain("'down' has a finding on every launch");
  }
});

test("kernels of a text are launched in the size that the text has", async () => {
  const folder = workspace();
  const kernel = (name: string, op: string): string =>
    `kernel void ${name}(global uint *a) { a[get_global_id(0)] ${op}= get_local_size(0); }\n`;
  writeFileSync(join(folder, "f.cl"), kernel("up", "+") + kernel("down", "-"));
  // Of the launch of one kernel, and in the text of both.
  const sized = { ...launch, entry: "up", args: { a: { ...args.a, type: "u32" } } };
  writeFileSync(join(folder, "f.launch.json"), JSON.stringify(sized));
  const { code, out, err } = await crosslane(folder, ["translate", "f.cl", "--to", "hlsl", "--verify"]);
  expect(out.match(/numthreads\(4, 1, 1\)/g)?.length).toBe(2);
  expect(err).toMatch(/up: hlsl {4}equivalent on [^]*down: hlsl {4}equivalent on /);
  expect(code).toBe(0);
  const config = { inputs: ["f.cl"], targets: ["hlsl", "glsl"], verify: true };
  writeFileSync(join(folder, "crosslane.config.json"), JSON.stringify(config));
  const built = await crosslane(folder, ["build"]);
  expect([built.code, built.err]).toEqual([0, expect.stringMatching(/^1 input: 3 written/)]);
});

test("a budget of few steps finds fewer launches, and says so; wrong ones are wrong usage", async () => {
  const folder = kernels();
  const count = (out: string): number => Number(/equivalent on (\d+) launch/.exec(out)![1]);
  const all = await crosslane(folder, ["verify", "e.cl", "--to", "msl"]);
  const few = await crosslane(folder, ["verify", "e.cl", "--to", "msl", "--budget", "1000"]);
  expect(few.code).toBe(0);
  expect(count(few.out)).toBeLessThan(count(all.out));
  expect(few.out).toContain("fewer launches and widths than usual");
  expect((await crosslane(folder, ["verify", "e.cl", "--to", "msl", "--budget", "0"])).code).toBe(2);
  expect((await crosslane(folder, ["verify", "x*.cl", "--to", "msl"])).code).toBe(2);
});

test("threads say what one thread says, in the same order", async () => {
  const folder = kernels();
  const file = await commandFile();
  const run = (...flags: string[]) => {
    const command = ["verify", "*.cl", "--to", "msl,glsl", "--workgroup-size", "4", ...flags];
    const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...command], {
      cwd: folder,
      encoding: "utf8",
    });
    return { status, stdout, stderr };
  };
  const alone = run("--jobs", "1");
  expect(alone.status).toBe(4);
  expect(alone.stderr).toMatch(/XL2\d+.*[^]*XL6009/);
  expect(run("--jobs", "3")).toEqual(alone);
  expect(run("--jobs", "3", "--format", "json")).toEqual(run("--jobs", "1", "--format", "json"));
});

test("a size of workgroups is for the kernels of a file that leave it open", async () => {
  const folder = workspace();
  const kernel = (name: string, before = ""): string =>
    `${before}kernel void ${name}(global uint *a) { a[get_global_id(0)] += get_local_size(0); }\n`;
  writeFileSync(
    join(folder, "f.cl"),
    kernel("own", "__attribute__((reqd_work_group_size(8, 1, 1))) ") + kernel("open"),
  );
  const sized = ["f.cl", "--to", "hlsl", "--workgroup-size", "4"];
  for (const command of [["verify"], ["translate", "--verify"]]) {
    const { code, out, err } = await crosslane(folder, [...command, ...sized]);
    expect(out + err).toMatch(/own[^]* equivalent on [^]*open[^]* equivalent on /);
    expect(code).toBe(0);
  }
  const kept = "warning[XL4003]: kernel own has workgroup size 8,1,1 already, and keeps it";
  expect((await crosslane(folder, ["translate", ...sized])).err).toContain(kept);
  // Asked for by name it is the only one: the size can be for no other.
  const named = await crosslane(folder, ["translate", ...sized, "--entry", "own"]);
  expect([named.code, named.err]).toEqual([1, expect.stringContaining("error[XL4003]: kernel own has workgroup size")]);
  expect((await crosslane(folder, ["translate", ...sized])).out).toMatch(
    /numthreads\(8, 1, 1\)\]\nvoid own[^]*numthreads\(4, 1, 1\)\]\nvoid open/,
  );
  writeFileSync(join(folder, "f.cl"), kernel("own", "__attribute__((reqd_work_group_size(8, 1, 1))) "));
  const { code, err } = await crosslane(folder, ["translate", ...sized]);
  expect(err).toContain("error[XL4003]: kernel own has workgroup size 8,1,1 already");
  expect(code).toBe(1);
});
