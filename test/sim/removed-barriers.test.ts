/**
 * Every barrier of every fixture is needed: without it a launch of the fixture's own launch files has a race. Those of which that does not
 * hold are listed with the reason: where all accesses are atomic nothing races, and some order of the lanes leaves something else
 * than is expected. An entry that is no longer true fails.
 */
import { expect, test } from "vitest";
import { bindLaunch } from "../../src/launch/bind.js";
import { shapeOf } from "../../src/launch/reflection.js";
import { compile, run, type RunOptions } from "../../src/sim/index.js";
import { locate } from "../../src/support/expanded-source.js";
import { allMutantsOf } from "../../src/verify/mutants.js";
import {
  type TwoWayDialect,
  dialectsOf,
  expectedOf,
  fewerWorkgroups,
  firstMismatch,
  fixtureNames,
  readLaunch,
  widthsOf,
} from "../support/expectations.js";
import { compiled, kernelsOf } from "../support/translations.js";
import { launchOf, outputsOf } from "./bound-launch.js";

type Found = "race" | "outcome" | "nothing";

/** By fixture, dialect and line: what tells that the barrier is missing, where it is no race. `nothing`: it is not needed. */
const others: Readonly<Record<string, readonly [Exclude<Found, "race">, string]>> = {
  "histogram msl 8": ["outcome", "MSL clears the bins of the workgroup atomically; counts before that are lost"],
  "histogram msl 12": ["outcome", "MSL loads the bins of the workgroup atomically; counts after that are lost"],
  "claim msl 18": ["outcome", "the count of the workgroup is stored atomically; what was counted before is lost"],
  "functor_reduce msl 18": [
    "nothing",
    "between two reductions in the same memory lies one in another, with barriers of its own",
  ],
  "functor_reduce opencl 16": ["nothing", "as in MSL"],
  "claim msl 38": ["outcome", "the count of the workgroup is loaded atomically; what is counted after is lost"],
};

const schedules = 8;

/** By the line of each barrier what tells that it is missing. */
async function withoutEach(fixture: string, dialect: TwoWayDialect): Promise<ReadonlyMap<number, Found>> {
  const { module, expanded } = await compiled(fixture, dialect);
  const lines = new Map<number, Found>();
  for (const kernel of await kernelsOf(fixture, dialect)) {
    const entry = module!.entries.find((e) => e.name === kernel.entry)!;
    const { bound } = bindLaunch(fewerWorkgroups(kernel.launch), shapeOf(module!, entry));
    const host = fewerWorkgroups(readLaunch(fixture, kernel.launchFile));
    for (const mutant of allMutantsOf(module!, entry, "barrier")) {
      const { line } = locate(expanded, mutant.span);
      if (lines.get(line) === "race") continue;
      const { kernel: ready } = compile(mutant.module, kernel.entry, { findings: ["data-race"] });
      const fails = (width: number, buffers: ReadonlyMap<string, Uint8Array>): boolean => {
        const wanted = expectedOf(fixture, host, width);
        const got = Object.entries(outputsOf(bound!, kernel, buffers));
        return got.some(([name, array]) => firstMismatch(host, name, array, wanted[name]!) !== undefined);
      };
      const tell = (width: number, more: Partial<RunOptions>): Found => {
        const { findings, buffers } = run(ready!, { ...launchOf(bound!, width), ...more, maxSteps: 1e8 });
        return findings.length > 0 ? "race" : fails(width, buffers) ? "outcome" : "nothing";
      };
      let best: Found = "nothing";
      // In order, and where that tells nothing in orders that differ.
      for (const orders of [undefined, schedules])
        for (const width of widthsOf(host)) {
          if (best === "race" || (best === "outcome" && orders === undefined)) continue;
          const wrong = (buffers: ReadonlyMap<string, Uint8Array>): boolean => fails(width, buffers);
          const told = tell(width, orders === undefined ? {} : { schedules: orders, fails: wrong });
          if (told !== "nothing") best = told;
        }
      if (best !== "nothing" || !lines.has(line)) lines.set(line, best);
    }
  }
  return lines;
}

const sources = fixtureNames().flatMap((fixture) => dialectsOf(fixture).map((dialect) => [fixture, dialect] as const));

test("what is told by something else than a race", async () => {
  const found = new Map<string, Found>();
  for (const [fixture, dialect] of sources)
    for (const [line, how] of await withoutEach(fixture, dialect)) found.set(`${fixture} ${dialect} ${line}`, how);
  expect(found.size).toBeGreaterThan(130);
  const told = [...found].filter(([, how]) => how !== "race");
  expect(Object.fromEntries(told)).toEqual(
    Object.fromEntries(Object.entries(others).map(([key, [how]]) => [key, how])),
  );
});
