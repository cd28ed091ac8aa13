/** One launch by both engines of the simulator, which have to give and say the same. */
import { expect } from "vitest";
import { simulate, type SimulateOptions, type SimulateResult } from "../../src/index.js";

type Options = Omit<SimulateOptions, "from" | "engine"> & Partial<Pick<SimulateOptions, "from">>;

export const by = (engine: "ts" | "wasm", source: string, options: Options): Promise<SimulateResult> =>
  simulate(source, { from: "opencl", ...options, engine });

/** By WebAssembly; what it gives and says has to be what the printed code does. */
export async function both(source: string, options: Options): Promise<SimulateResult> {
  const [reference, result] = [await by("ts", source, options), await by("wasm", source, options)];
  expect(result.diagnostics).toEqual([]);
  expect(result.buffers).toEqual(reference.buffers);
  expect(result.findings).toEqual(reference.findings);
  expect(result.stats!.complete).toBe(reference.stats!.complete);
  return result;
}

export const lanes = (n: number, value: (i: number) => number): number[] =>
  Array.from({ length: n }, (_, i) => value(i));
