/** The runtime's functions of numbers as WebAssembly: what kernels call without going through JavaScript. */
import { numberFunctions } from "../../emitters/wasm/number-functions.js";
import { numberModule } from "../../emitters/wasm/number-module.js";
import { passedAs } from "../../emitters/wasm/shape.js";
import type { MachineScalar } from "../regions/tree.js";
import { once } from "../support/once.js";
import { webAssembly } from "./web-assembly.js";

/** Types of operands and of the result as numbers of the binary format. */
export const signatureKey = (parameters: readonly MachineScalar[], result: MachineScalar): string =>
  [...parameters, result].map((kind) => passedAs(kind).toString(16)).join("");

export const bytesOfBase64 = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));

const instance = once((): Readonly<Record<string, unknown>> => {
  const { Instance, Memory, Module } = webAssembly();
  const { code, tables } = numberModule();
  const memory = new Memory({ initial: 1 });
  new Float64Array(memory.buffer).set(tables);
  return new Instance(new Module(bytesOfBase64(code)), { m: { memory } }).exports;
});

const names = once(
  () =>
    new Map(Object.entries(numberFunctions).flatMap(([key, list]) => list.split(" ").map((n) => [n, key] as const))),
);

export const isNumberFunction = (
  name: string,
  parameters: readonly MachineScalar[],
  result: MachineScalar | undefined,
): boolean => result !== undefined && names().get(name) === signatureKey(parameters, result);

/** The function for operands and a result of these kinds, as WebAssembly passes them. */
export function numberFunction(
  name: string,
  parameters: readonly MachineScalar[],
  result: MachineScalar | undefined,
): unknown {
  return isNumberFunction(name, parameters, result) ? instance()[name] : undefined;
}
