/** Orders of the invocations: what is the same in each, what the source leaves to the order, and an update that is lost in some. */
import { expect, test } from "vitest";
import { chooseEntry, compile } from "../../src/api/compile.js";
import { simulatorRunner } from "../../src/api/runners.js";
import { prepareVerification } from "../../src/api/verify.js";
import { verify } from "../../src/index.js";
import { parseLaunchFile } from "../../src/launch/launch-file.js";
import { compareOnLaunches } from "../../src/verify/verify.js";

const launch = {
  workgroups: [2],
  workgroupSize: [8],
  subgroupSizes: [4],
  args: {
    n: { type: "u32", count: 1, init: { fill: 0 }, output: true },
    out: { type: "u32", count: 16, init: { fill: 0 }, output: true },
  },
};
const kernel = (body: string): string =>
  `kernel void k(global uint *n, global uint *out) { uint i = get_global_id(0); ${body} }\n`;

test("a sum is the same in each order, a ticket is not", async () => {
  const options = { from: "opencl", to: "glsl", launches: [launch] } as const;
  const sum = kernel("atomic_add(n, i); out[i] = i;");
  expect(await verify(sum, { ...options, schedules: 8 })).toMatchObject({ result: "equivalent", schedules: 8 });
  // The printed code runs in one order, and does not say that it ran in others.
  expect(await verify(sum, { ...options, to: "ts", schedules: 8 })).not.toHaveProperty("schedules");
  const ticket = kernel("out[i] = atomic_inc(n);");
  expect((await verify(ticket, options)).result).toBe("equivalent");
  const { result, diagnostics } = await verify(ticket, { ...options, schedules: 8 });
  expect(result).toBe("inconclusive");
  expect(diagnostics.find((d) => d.code === "XL6011")?.message).toMatch(
    /of the source depends on the order of its invocations/,
  );
});

test("an update that is lost where invocations take turns", async () => {
  const of = async (text: string) => {
    const compilation = await compile(text, { from: "opencl" });
    const chosen = chooseEntry(compilation, undefined);
    if ("diagnostic" in chosen) throw new Error(chosen.diagnostic.message);
    const made = await simulatorRunner(compilation, chosen.entry);
    if ("diagnostics" in made) throw new Error("it cannot be run");
    return { compilation, runner: made.runner };
  };
  const right = await of(kernel("atomic_add(n, 1u); out[i] = i;"));
  // Of OpenCL C 3.0 6.15.12.7: both are atomic, and what comes between is not.
  const wrong = await of(
    `kernel void k(global atomic_uint *n, global uint *out) { uint i = get_global_id(0);
      atomic_store_explicit(n, atomic_load_explicit(n, memory_order_relaxed) + 1u, memory_order_relaxed); out[i] = i; }`,
  );
  const { ready } = await prepareVerification(right.compilation, {
    launches: [{ launch: parseLaunchFile(JSON.stringify(launch), "launch").launch! }],
  });
  const how = { target: "opencl", seeds: 1, subgroupSizes: () => [4] } as const;
  const inOrder = await compareOnLaunches(right.runner, () => wrong.runner, ready!.launches, how);
  expect(inOrder.result).toBe("equivalent");
  const inTurns = await compareOnLaunches(right.runner, () => wrong.runner, ready!.launches, { ...how, schedules: 8 });
  expect(inTurns.result).toBe("different");
  const { run, buffer, source, translation } = inTurns.firstDifference!;
  expect([buffer, source.value, run.schedule! > 0]).toEqual(["n", "16", true]);
  expect(Number(translation.value)).toBeLessThan(16);
});

test("a run is given up after the steps it may take", async () => {
  const loops = kernel("uint x = 0; for (uint j = 0; j < 1000; j++) x += j; atomic_add(n, 1u); out[i] = x;");
  const options = { from: "opencl", to: "msl", launches: [launch] } as const;
  expect((await verify(loops, options)).result).toBe("equivalent");
  expect((await verify(loops, { ...options, maxSteps: 100 })).result).toBe("inconclusive");
});
