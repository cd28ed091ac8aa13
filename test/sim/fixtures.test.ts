/** Every fixture of every dialect, straight from its canonical module: what plain host code expects, at every width it is for. */
import { describe, expect, test } from "vitest";
import { bindLaunch } from "../../src/launch/bind.js";
import { shapeOf } from "../../src/launch/reflection.js";
import { compileForSimulator } from "../../src/api/runners.js";
import { run } from "../../src/sim/index.js";
import { launchOf, outputsOf } from "./bound-launch.js";
import {
  dialectsOf,
  expectedOf,
  fewerWorkgroups,
  firstMismatch,
  fixtureNames,
  readLaunch,
  widthsOf,
} from "../support/expectations.js";
import { compiled, kernelsOf } from "../support/translations.js";

describe.each(fixtureNames())("%s", (fixture) => {
  test.each(dialectsOf(fixture))("%s", async (dialect) => {
    const compilation = await compiled(fixture, dialect);
    const { module } = compilation;
    const kernels = await kernelsOf(fixture, dialect);
    expect(kernels.length).toBeGreaterThan(0);
    for (const kernel of kernels) {
      const entry = module!.entries.find((e) => e.name === kernel.entry)!;
      const { bound } = bindLaunch(fewerWorkgroups(kernel.launch), shapeOf(module!, entry));
      const made = compileForSimulator(compilation, entry, "all");
      const ready = "kernel" in made ? made.kernel : undefined;
      expect("diagnostics" in made ? made.diagnostics : []).toEqual([]);
      const host = fewerWorkgroups(readLaunch(fixture, kernel.launchFile));
      for (const width of widthsOf(host)) {
        const about = `${kernel.entry} at width ${width}`;
        const result = run(ready!, launchOf(bound!, width));
        expect(result.findings, about).toEqual([]);
        const wanted = expectedOf(fixture, host, width);
        const actual = outputsOf(bound!, kernel, result.buffers);
        for (const [name, array] of Object.entries(actual))
          expect(firstMismatch(host, name, array, wanted[name]!), about).toBeUndefined();
      }
    }
  });
});
