/**
 * Random structured programs with cross-lane ops and barriers anywhere, as text of every dialect through front end and
 * simulator, and by a plain mask interpreter written from the definition of maximal reconvergence. They must agree in
 * every value.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compile } from "../../src/api/compile.js";
import { compileForSimulator } from "../../src/api/runners.js";
import type { TwoWayDialect } from "../../src/dialects/ids.js";
import { run } from "../../src/sim/index.js";
import { expectedOf, flowProgram, lanesOf, shapes, type FlowProgram, type Shape } from "./flow-language.js";
import { textOf } from "./flow-text.js";

async function simulated(program: FlowProgram, shape: Shape, dialect: TwoWayDialect): Promise<number[]> {
  const compilation = await compile(textOf(program, shape, dialect), { from: dialect });
  expect(compilation.diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  const made = compileForSimulator(compilation, compilation.module!.entries[0]!, ["out-of-bounds"]);
  if (!("kernel" in made)) throw new Error(JSON.stringify(made.diagnostics));
  const [result] = [compilation.module!.resources[0]!.path];
  const outcome = run(made.kernel, {
    workgroups: [1],
    workgroupSize: shape.size,
    subgroupSize: shape.width,
    args: new Map([[result, new Uint8Array(4 * lanesOf(shape))]]),
    maxSteps: 1000000,
  });
  expect(outcome.stats.complete).toBe(true);
  return [...new Uint32Array(outcome.buffers.get(result)!.slice().buffer)];
}

const dialects: readonly TwoWayDialect[] = ["glsl", "msl", "opencl", "hlsl"];

describe.each(dialects)("random divergent programs in %s", (dialect) => {
  test("regions and masks agree", { timeout: 300_000 }, async () => {
    const runs = Number(process.env["FLOW_RUNS"] ?? 60);
    // Every dialect has programs of its own.
    const seed = Number(process.env["FLOW_SEED"] ?? 20) * 10 + dialects.indexOf(dialect);
    await fc.assert(
      fc.asyncProperty(flowProgram, fc.constantFrom(...shapes), async (p, shape) => {
        const expected = expectedOf(p, shape);
        if (expected) expect(await simulated(p, shape, dialect)).toEqual(expected);
      }),
      {
        numRuns: runs,
        seed,
        interruptAfterTimeLimit: 20_000,
        ...(process.env["FLOW_FIRST"] ? { endOnFailure: true } : {}),
      },
    );
  });

  test("a return that is the same for all, in a loop all have left", async () => {
    const lane = { kind: "lane" } as const;
    const main = [
      {
        kind: "loop",
        times: { kind: "number", value: 1 },
        also: undefined,
        atEnd: false,
        body: [
          {
            kind: "if",
            condition: { kind: "odd", of: lane, bit: 0 },
            then: [{ kind: "return", condition: { kind: "odd", of: { kind: "ballot", of: lane }, bit: 0 } }],
            else: [],
          },
          { kind: "break", condition: { kind: "odd", of: { kind: "number", value: 3 }, bit: 0 } },
          { kind: "return", condition: { kind: "small", of: { kind: "counter" }, bit: 0 } },
        ],
      },
      { kind: "mix", value: lane },
    ] as const;
    const program = { helpers: [], main };
    for (const shape of shapes) expect(await simulated(program, shape, dialect)).toEqual(expectedOf(program, shape));
  });

  test("many splits one after the other", async () => {
    const split = {
      kind: "if",
      condition: { kind: "odd", of: { kind: "lane" }, bit: 0 },
      then: [{ kind: "mix", value: { kind: "sum", of: { kind: "lane" } } }],
      else: [{ kind: "count", by: 1 }],
    } as const;
    const program: FlowProgram = { helpers: [], main: Array.from({ length: 200 }, () => split) };
    expect(await simulated(program, shapes[0]!, dialect)).toEqual(expectedOf(program, shapes[0]!));
  });
});
