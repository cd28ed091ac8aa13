/**
 * Layer 4: every fixture computes what plain host code says it has to, from every dialect and through every pair of
 * dialects, at every width it is meant for; and the texts for every target, read back, leave the same bytes.
 */
import { describe, expect, test } from "vitest";
import { prepareVerification, verifyTarget } from "../src/api/verify.js";
import type { ReadySource } from "../src/api/verify.js";
import { targetOptions } from "../src/build/translate-input.js";
import type { BoundLaunch } from "../src/launch/bind.js";
import { allocate } from "./support/expectations/host-data.js";
import {
  checksum,
  checksums,
  dialectsOf,
  expectedOf,
  fewerWorkgroups,
  firstMismatch,
  fixtureNames,
  readLaunch,
  widthsOf,
} from "./support/expectations.js";
import type { HostArray } from "./support/expectations.js";
import { compiled, explain, kernelsOf, targets } from "./support/translations.js";
import { rightAnswer, unreached } from "./support/unreached.js";
import type { FixtureKernel } from "./support/translations.js";

async function ready(kernel: FixtureKernel, launch = kernel.launch): Promise<ReadySource> {
  const compilation = await compiled(kernel.fixture, kernel.dialect);
  const { ready: source, diagnostics } = await prepareVerification(compilation, {
    launches: [{ launch }],
    entry: kernel.entry,
    local: {},
  });
  // What a kernel assumes of its launch, such as a width, is noted and no problem.
  const problems = diagnostics.filter((d) => d.severity !== "note");
  expect(explain(kernel.fixture, kernel.dialect, problems)).toBe("");
  return source!;
}

/** The bytes of a buffer as numbers of the launch file's scalar type; halves as their bits. */
function hostArray(launch: BoundLaunch, path: string, bytes: Uint8Array): HostArray {
  const argument = launch.arguments.find((a) => a.path === path);
  if (argument?.kind !== "buffer") throw new Error(`${path} is no buffer`);
  const { scalar } = argument.type;
  const array = allocate(scalar, bytes.length / (Number(scalar.slice(1)) / 8));
  new Uint8Array(array.buffer).set(bytes);
  return array;
}

/** Outputs by the launch file's keys. */
function outputs(
  launch: BoundLaunch,
  kernel: FixtureKernel,
  buffers: ReadonlyMap<string, Uint8Array>,
): Record<string, HostArray> {
  const found: Record<string, HostArray> = {};
  for (const argument of launch.arguments) {
    if (argument.kind !== "buffer" || !argument.output) continue;
    const key = kernel.launch.arguments.find(
      (a) => argument.path === a.key || argument.path.endsWith(`.${a.key}`),
    )!.key;
    found[key] = hostArray(launch, argument.path, buffers.get(argument.path)!);
  }
  return found;
}

const stated = checksums();

describe.each(fixtureNames())("%s", (fixture) => {
  test.each(dialectsOf(fixture))("%s computes what is expected, at every width", async (dialect) => {
    const kernels = await kernelsOf(fixture, dialect);
    expect(kernels.length).toBeGreaterThan(0);
    for (const kernel of kernels) {
      const { source, launches } = await ready(kernel);
      const launch = launches[0]!;
      const host = readLaunch(fixture, kernel.launchFile);
      for (const width of widthsOf(host)) {
        const about = `${kernel.entry} at width ${width}`;
        const { buffers, findings } = await source.run(launch, { subgroupSize: width, seed: 1 });
        expect(explain(fixture, dialect, findings), about).toBe("");
        const wanted = expectedOf(fixture, host, width);
        const actual = outputs(launch, kernel, buffers);
        expect(Object.keys(actual).sort(), about).toEqual(Object.keys(wanted).sort());
        for (const [name, array] of Object.entries(actual))
          expect(firstMismatch(host, name, array, wanted[name]!), about).toBeUndefined();
        if (fixture in stated && width === 32) expect(checksum(Object.values(actual)), about).toBe(stated[fixture]);
      }
    }
  });

  test.each(dialectsOf(fixture))("translations of %s leave the same", async (dialect) => {
    for (const kernel of await kernelsOf(fixture, dialect)) {
      const compilation = await compiled(fixture, dialect);
      const source = await ready(kernel, fewerWorkgroups(kernel.launch));
      // The source itself ran at all widths; its translations run at the least and the greatest that are usual.
      const widths = widthsOf(readLaunch(fixture, kernel.launchFile)).filter((w) => w >= 4);
      const some = { ...source, subgroupSizes: () => [...new Set([widths[0]!, widths.at(-1)!])] };
      for (const target of targets) {
        const options = targetOptions({ local: {}, strict: false }, target, kernel.launch, kernel.entry, compilation);
        const { result, translation } = await verifyTarget(some, target, options);
        const about = `${kernel.entry} to ${target}`;
        if (!translation.output) {
          expect(
            translation.diagnostics.some((d) => d.severity === "error"),
            about,
          ).toBe(true);
          continue;
        }
        expect(
          {
            result: result.result,
            first: result.firstDifference,
            said: explain(fixture, dialect, result.diagnostics),
          },
          about,
        ).toEqual({
          result: rightAnswer(fixture, dialect),
          first: undefined,
          said: "",
        });
        const lines = compilation.source.split("\n");
        const notRun = result.coverage!.notRun.flatMap(({ what, location }) =>
          what === "statement" ? [lines[location.line - 1]!.trim()] : [],
        );
        expect(notRun, about).toEqual(unreached[`${fixture} ${dialect}`]?.lines ?? []);
      }
    }
  });
});
