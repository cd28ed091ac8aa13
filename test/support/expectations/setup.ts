import type { HostArray, HostValue, Inputs } from "./host-data.js";

/** The shape of a launch; `subgroupSize` is the width the kernel runs at. */
export interface Setup {
  readonly workgroups: readonly [number, number, number];
  readonly workgroupSize: readonly [number, number, number];
  readonly subgroupSize: number;
  /** The entry point, for the fixtures that have several. */
  readonly entry?: string;
}

/** What the output buffers hold after the launch. A buffer that is not named in the result is not an output. */
export type Expectation = (inputs: Inputs, setup: Setup) => Readonly<Record<string, HostArray>>;

function array<T extends HostArray>(inputs: Inputs, name: string, type: new (n: number) => T): T {
  const found = inputs[name];
  if (!(found instanceof type)) throw new Error(`input ${name} is not a ${type.name}`);
  return found;
}
export const u32s = (inputs: Inputs, name: string): Uint32Array => array(inputs, name, Uint32Array);
export const i32s = (inputs: Inputs, name: string): Int32Array => array(inputs, name, Int32Array);
export const f32s = (inputs: Inputs, name: string): Float32Array => array(inputs, name, Float32Array);

export function num(inputs: Inputs, name: string): number {
  const found: HostArray | HostValue | undefined = inputs[name];
  if (typeof found !== "number") throw new Error(`input ${name} is not a number`);
  return found;
}

export const lanesOf = (setup: Setup): number => setup.workgroupSize.reduce((product, n) => product * n, 1);
export const groupsOf = (setup: Setup): number => setup.workgroups.reduce((product, n) => product * n, 1);

/** The global indices of each subgroup's lanes, for one-dimensional launches. */
export function subgroupsOf(setup: Setup): number[][] {
  const size = lanesOf(setup);
  const result: number[][] = [];
  for (let group = 0; group < groupsOf(setup); group++) {
    for (let first = 0; first < size; first += setup.subgroupSize) {
      const end = Math.min(first + setup.subgroupSize, size);
      result.push(Array.from({ length: end - first }, (_, k) => group * size + first + k));
    }
  }
  return result;
}

export const clamp = (x: number, low: number, high: number): number => Math.min(Math.max(x, low), high);
export const rotateLeft = (x: number, n: number): number => ((x << (n & 31)) | (x >>> ((32 - (n & 31)) & 31))) >>> 0;
