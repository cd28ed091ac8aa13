/**
 * Tries public kernels that nobody here wrote: translate to every target, hold the text against the target's real
 * compiler, run source and translation on derived launches. Nothing of theirs is in this repository; give a folder of
 * clones, each named owner+name (bare, or with the git directory in `repo`):
 *
 *   CROSSLANE_SURVEY=folder npm run survey
 *
 * The table it prints has a row a kernel and target: what its compiler said, what the runs said, how many statements of the
 * source they came to, whether both are the same program for all inputs, and how many planted faults the launches noticed. A
 * row may say `refused XLnnnn`; what it may not do is translate to a text its compiler does not accept, to one that
 * computes something else, or be called equivalent where statements that can be reached did not run: those fail.
 */
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { reflect, translate, verify, type SameProgram, type Target } from "../src/index.js";
import { includeOf, show, type Kernel } from "./clones.js";
import { judgeTexts } from "./judge-texts.js";

/** Faults planted in each translation. */
const mutants = 20;

/** Kernels of a file that are run; the others are translated and held against the target's compiler. */
const mostRun = 2;

const heading = [
  "| from | kernel | to | translated | accepted | runs | statements run | same program | mutants noticed |",
  "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
].join("\n");

const kernels = JSON.parse(readFileSync(new URL("./kernels.json", import.meta.url), "utf8")) as Kernel[];
const targets: readonly Target[] = ["msl", "glsl", "opencl", "hlsl", "ts"];

const codesOf = (diagnostics: readonly { severity: string; code: string; message: string }[]): string => {
  const errors = diagnostics.filter((d) => d.severity === "error");
  const first = errors[0];
  return first ? `refused ${first.code} (${first.message})` : "refused without a reason";
};

/** `same`, or in how many places it rests on runs alone. */
function sameOrNot({ same, differences, reasons }: SameProgram): string {
  if (same) return "same";
  const places = differences.length + reasons.length;
  return `differs in ${places} place${places === 1 ? "" : "s"}`;
}

beforeAll(() => console.log(heading));

describe.each(kernels)("$from $repository $path", (kernel) => {
  test("translates truly or refuses with a reason", async () => {
    const source = show(kernel, kernel.path);
    const fileName = kernel.path;
    const include = includeOf(kernel);
    const { defines } = kernel;
    const wrong: string[] = [];
    const reflection = await reflect(source, { from: kernel.from, fileName, include, defines });
    const entries = reflection.entries.map((e) => e.name);
    const rows: string[] = [];
    for (const to of targets.filter((t) => t !== kernel.from)) {
      // GLSL and HLSL need a workgroup size where the source leaves it to the launch.
      for (const entry of entries.length > 0 ? entries : [undefined]) {
        const options = {
          from: kernel.from,
          to,
          fileName,
          include,
          defines,
          entry,
          workgroupSize: sizeFor(reflection, entry),
          local: localFor(reflection, entry),
        };
        const translated = await translate(source, options);
        const label = `${kernel.from} | ${kernel.repository} ${kernel.path}${entries.length > 1 ? ` ${entry}` : ""} | ${to}`;
        if (translated.code === undefined) {
          const why = codesOf(translated.diagnostics);
          if (why === "refused without a reason") wrong.push(`${label}: ${why}`);
          rows.push(`| ${label} | ${why} | | | | | |`);
          continue;
        }
        const accepted = to === "ts" ? "-" : await judgeTexts(to, translated.code);
        if (accepted !== "yes" && accepted !== "-") wrong.push(`${label}: not accepted: ${accepted}`);
        if (entry !== undefined && entries.indexOf(entry) >= mostRun) {
          rows.push(`| ${label} | translated | ${accepted === "-" ? "" : accepted.split("\n")[0]} | | | | |`);
          continue;
        }
        const verified = await verify(source, { ...options, mutants });
        const { result, runs } = verified;
        if (result === "different") wrong.push(`${label}: different: ${JSON.stringify(verified.firstDifference)}`);
        const why = result === "not-run" ? ` ${codesOf(verified.diagnostics)}` : ` (${runs.length} runs)`;
        const { statements } = verified.coverage ?? {};
        if (result === "equivalent" && statements && statements.run < statements.reachable)
          wrong.push(`${label}: equivalent, and ${statements.run} of ${statements.reachable} statements run`);
        const cells = [
          label,
          "translated",
          accepted === "-" ? "" : accepted.split("\n")[0],
          `${result}${why}`,
          statements ? `${statements.run} of ${statements.reachable}` : "",
          verified.program ? sameOrNot(verified.program) : "",
          verified.mutants ? `${verified.mutants.noticed} of ${verified.mutants.planted}` : "",
        ];
        rows.push(`| ${cells.join(" | ")} |`);
      }
    }
    console.log(rows.join("\n"));
    expect(wrong).toEqual([]);
  });
});

/** Workgroup memory sized at launch: GLSL and HLSL fix its size. */
function localFor(
  reflection: Awaited<ReturnType<typeof reflect>>,
  entry: string | undefined,
): Readonly<Record<string, number>> {
  const shape = reflection.entries.find((e) => e.name === entry) ?? reflection.entries[0];
  const sized = shape?.arguments.filter((a) => a.kind === "workgroup") ?? [];
  return Object.fromEntries(sized.map((a) => [a.path, 4096]));
}

function sizeFor(
  reflection: Awaited<ReturnType<typeof reflect>>,
  entry: string | undefined,
): readonly number[] | undefined {
  const shape = reflection.entries.find((e) => e.name === entry) ?? reflection.entries[0];
  return shape && !shape.workgroupSize ? [64, 1, 1] : undefined;
}
