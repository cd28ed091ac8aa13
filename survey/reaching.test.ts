/**
 * How far derived launches come in public kernels (`reaching.json`; one entry of each file), chosen without looking at how
 * far they come. The clones are those of the survey:
 *
 *   CROSSLANE_SURVEY=folder npm run survey -- survey/reaching.test.ts
 *
 * The table has a row a kernel: statements run of those that can be reached, and seconds of the search. What fails is a
 * kernel that is no longer read.
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compile } from "../src/api/compile.js";
import { prepareVerification } from "../src/api/verify.js";
import { addCovered, coverageOf, percentRun } from "../src/verify/coverage.js";
import { includeOf, show, type Kernel } from "./clones.js";

interface ReachedKernel extends Kernel {
  readonly entry: string;
}

const kernels = JSON.parse(readFileSync(new URL("./reaching.json", import.meta.url), "utf8")) as ReachedKernel[];
/** Of a hundred statements, which a kernel is to reach. */
const goal = 95;
const percents: number[] = [];
const times: number[] = [];

beforeAll(() => console.log("| from | kernel | statements run | seconds |\n| --- | --- | --- | --- |"));

describe.each(kernels)("$from $repository $path", (kernel) => {
  test("launches come far", async () => {
    const { from, path: fileName, defines, entry } = kernel;
    const compilation = await compile(show(kernel, fileName), { from, fileName, defines, include: includeOf(kernel) });
    expect(compilation.diagnostics.filter((d) => d.severity === "error")).toEqual([]);
    const start = performance.now();
    const { ready, diagnostics } = await prepareVerification(compilation, { launches: [], entry });
    const seconds = (performance.now() - start) / 1000;
    times.push(seconds);
    const row = (run: string): void =>
      console.log(`| ${from} | ${kernel.repository} ${fileName} ${entry} | ${run} | ${seconds.toFixed(1)} |`);
    if (!ready?.source.coverable) {
      percents.push(0);
      row(diagnostics.map((d) => `${d.code} ${d.message}`).join(" "));
      return;
    }
    const { source, launches } = ready;
    const covered = new Uint8Array(source.coverable.points.length);
    for (const launch of launches)
      for (const subgroupSize of ready.subgroupSizes(launch))
        addCovered(covered, (await source.run(launch, { subgroupSize, seed: 1 })).covered);
    const coverage = coverageOf(source.coverable, covered);
    percents.push(percentRun(coverage));
    row(`${coverage.statements.run} of ${coverage.statements.reachable}`);
  });
});

afterAll(() => {
  const far = percents.filter((p) => p >= goal).length;
  const median = times.sort((a, b) => a - b)[times.length >> 1];
  console.log(
    `${far} of ${percents.length} kernels with ${goal} % of their statements run; median ${median?.toFixed(1)} s`,
  );
});
