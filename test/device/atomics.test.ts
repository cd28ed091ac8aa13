/** Atomics on drivers: of each operation, type and memory the strongest order, as it is written for the device; many invocations on one object. */
import { expect } from "vitest";
import { translate } from "../../src/index.js";
import { argumentsOf, kernelOf, named, shapes, wrongWith } from "../atomics/shapes.js";
import { deviceTest } from "./device-test.js";
import { runHere } from "./run-here.js";

const strongest = shapes.filter((s, i) => {
  const next = shapes[i + 1];
  return !next || next.operation !== s.operation || next.kind !== s.kind || next.memory !== s.memory;
});

/** GLSL, and OpenCL C made of that; undefined for what GLSL lacks. */
async function textFor(api: "opencl" | "vulkan", source: string): Promise<string | undefined> {
  const { code } = await translate(source, { from: "opencl", to: "glsl" });
  if (api === "vulkan" || code === undefined) return code;
  return (await translate(code, { from: "glsl", to: "opencl" })).code;
}

const kinds = [...new Set(strongest.map((s) => s.kind))];

// A test for each type of number: a driver compiles one kernel after the other, some for a second and more.
for (const api of ["opencl", "vulkan"] as const) {
  let run = 0;
  for (const kind of kinds)
    await deviceTest(api, `${api}: what some order of the invocations leaves, of ${kind}`, async () => {
      const wrong: string[] = [];
      for (const shape of strongest.filter((s) => s.kind === kind)) {
        const text = await textFor(api, kernelOf(shape));
        if (text === undefined) continue;
        const { buffers, diagnostics } = await runHere(text, {
          from: api === "opencl" ? "opencl" : "glsl",
          device: api,
          optimize: false,
          workgroups: [1],
          args: argumentsOf(shape.kind),
        });
        const errors = diagnostics.filter((d) => d.severity === "error").map((d) => d.message);
        // What a device lacks is refused by name; what it takes is right.
        const lacks = errors.some((e) => / lacks |not floats|needs glsl\./.test(e));
        if (lacks) continue;
        const { p, o } = buffers as ReturnType<typeof argumentsOf>;
        const said = errors[0] ?? wrongWith(shape, p, o);
        if (said !== undefined) wrong.push(`${named(shape)}: ${said}`);
        run++;
      }
      expect(wrong).toEqual([]);
    });
  await deviceTest(api, `${api}: most of them are run`, () => {
    expect(run).toBeGreaterThan(30);
    return Promise.resolve();
  });
}
