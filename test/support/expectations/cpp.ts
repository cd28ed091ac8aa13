/** Kernels that are written in the C++ of MSL and the templates of HLSL. All numbers are integers: exact. */
import { groupsOf, i32s, num, u32s } from "./setup.js";
import { halfValue } from "./language.js";
import type { Expectation } from "./setup.js";

const high = (a: number, b: number): number => Number((BigInt(a) * BigInt(b)) >> 32n);

/** Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (2011): Philox 4x32 with ten rounds. */
export function philoxBlock(counter: readonly number[], key: readonly number[]): number[] {
  let [a, b, c, d] = counter as [number, number, number, number];
  let [k, l] = key as [number, number];
  for (let round = 0; round < 10; round++) {
    [a, b, c, d] = [
      (high(0xcd9e8d57, c) ^ b ^ k) >>> 0,
      Math.imul(0xcd9e8d57, c) >>> 0,
      (high(0xd2511f53, a) ^ d ^ l) >>> 0,
      Math.imul(0xd2511f53, a) >>> 0,
    ];
    [k, l] = [(k + 0x9e3779b9) >>> 0, (l + 0xbb67ae85) >>> 0];
  }
  return [a, b, c, d];
}

const philox: Expectation = (io) => {
  const numbers = u32s(io, "numbers").slice();
  for (let i = 0; i < numbers.length / 8; i++) {
    const key = [num(io, "seed"), i];
    numbers.set([...philoxBlock([i, 0, 0, 0], key), ...philoxBlock([i + 1, 0, 0, 0], key)], i * 8);
  }
  return { numbers };
};

const blockReduce: Expectation = (io, setup) => {
  const values = i32s(io, "values").subarray(0, num(io, "n"));
  const results = Int32Array.from({ length: groupsOf(setup) }, (_, g) =>
    values.subarray(g * 256, g * 256 + 256).reduce((a, b) => Math.max(a, b), -(2 ** 31)),
  );
  return { results };
};

const gemmFunctor: Expectation = (io) => {
  const [a, b] = [i32s(io, "a"), i32s(io, "b")];
  const c = i32s(io, "c").map((_, at) => {
    let sum = 0;
    for (let k = 0; k < 16; k++) sum += a[Math.floor(at / 16) * 16 + k]! * b[k * 16 + (at % 16)]!;
    return sum * 3 + 1;
  });
  return { c };
};

/** Rows of `a` times rows of `b`, of integers that halves hold; no sum has more than 24 bits. */
const simdgroupMatmul: Expectation = (io) => {
  const [a, b] = ["a", "b"].map((name) => Array.from(io[name] as Uint16Array, halfValue)) as [number[], number[]];
  const n = io["n"] as number;
  const c = new Float32Array(n * n).map((_, at) => {
    let sum = 0;
    for (let k = 0; k < n; k++) sum += a[Math.floor(at / n) * n + k]! * b[(at % n) * n + k]!;
    return sum;
  });
  return { c };
};

const radixCount: Expectation = (io) => {
  const keys = u32s(io, "keys");
  const sorted = u32s(io, "sorted").slice();
  const counts = u32s(io, "counts").slice();
  const digit = (key: number): number => (key >>> 8) & 15;
  for (let g = 0; g < keys.length / 64; g++) {
    const own = [...keys.subarray(g * 64, g * 64 + 64)];
    for (const key of own) counts[g * 16 + digit(key)]!++;
    sorted.set(
      own.sort((a, b) => digit(a) - digit(b)),
      g * 64,
    );
  }
  return { sorted, counts };
};

/** Every number and sum is a small multiple of a quarter, which floats hold. */
const complexNumbers: Expectation = (io) => {
  const [a, b] = [io["a"] as Float32Array, io["b"] as Float32Array];
  const n = a.length / 2;
  const c = new Float32Array(2 * n);
  for (let i = 0; i < n; i++) {
    let [re, im] = [0, 0];
    for (let k = 0; k < n; k++) {
      const [x, y, u, v] = [a[2 * k]!, a[2 * k + 1]!, b[2 * ((k + i) % n)]!, b[2 * ((k + i) % n) + 1]!];
      re += x * u + y * v;
      im += y * u - x * v;
    }
    const sign = a[2 * i] === 0 && a[2 * i + 1] === 0 ? -1 : 1;
    c[2 * i] = (sign * re) / 2 - a[2 * i]!;
    c[2 * i + 1] = (sign * im) / 2 - a[2 * i + 1]!;
  }
  return { c };
};

/** Two blocks of each kind to a row, 12 and 20 bytes long; scales are small powers of two or three of them, so that sums are exact. */
const quantisedRows: Expectation = (io) => {
  const bytesOf = (name: string): DataView => new DataView(u32s(io, name).slice().buffer);
  const [q4, q8, x] = [bytesOf("q4"), bytesOf("q8"), io["x"] as Float32Array];
  const half = (data: DataView, at: number): number => halfValue(data.getUint16(at, true));
  const sums = new Float32Array(8).map((_, row) => {
    let sum = 0;
    for (let i = 0; i < 32; i++) {
      const block = 2 * row + Math.floor(i / 16);
      const at = i % 16;
      const pair = q4.getUint8(12 * block + 4 + (at % 8));
      const code = at < 8 ? pair % 16 : Math.floor(pair / 16);
      sum += (half(q4, 12 * block) * code + half(q4, 12 * block + 2)) * x[i]!;
      sum += half(q8, 20 * block) * q8.getInt8(20 * block + 4 + at) * x[i]!;
    }
    return sum;
  });
  return { sums };
};

/** Blocks of 64; beyond the end of the data stand zeros. Of equal values the first counts. */
const functorReduce: Expectation = (io) => {
  const n = num(io, "n");
  const values = i32s(io, "values").map((v, i) => (i < n ? v : 0));
  const results = i32s(io, "results").slice();
  for (let g = 0; g < results.length / 4; g++) {
    const own = [...values.subarray(g * 64, g * 64 + 64)];
    const most = Math.max(...own);
    results.set([own.reduce((a, b) => a + b), most, g * 64 + own.indexOf(most), own.reduce((a, b) => a | b)], g * 4);
  }
  return { results };
};

/** Powers summed up one by one, and the derivative by its own formula; all of it modulo 2^32. */
const gaussianIntegers: Expectation = (io) => {
  type Gaussian = readonly [bigint, bigint];
  const pairs = (name: string): Gaussian[] => {
    const all = [...u32s(io, name)].map(BigInt);
    return all.flatMap((re, i) => (i % 2 === 0 ? [[re, all[i + 1]!] as const] : []));
  };
  const times = ([a, b]: Gaussian, [c, d]: Gaussian): Gaussian => [a * c - b * d, a * d + b * c];
  const low = (v: bigint): number => Number(BigInt.asUintN(32, v));
  const coefficients = pairs("coefficients").slice(0, num(io, "n"));
  const results = pairs("points").map((x) => {
    let power: Gaussian = [1n, 0n];
    let before: Gaussian = [0n, 0n];
    const [value, slope] = [
      [0n, 0n],
      [0n, 0n],
    ] as [bigint[], bigint[]];
    coefficients.forEach((c, k) => {
      const [own, change] = [times(c, power), times(times(c, before), [BigInt(k), 0n])];
      for (const part of [0, 1] as const) {
        value[part]! += own[part];
        slope[part]! += change[part];
      }
      [before, power] = [power, times(power, x)];
    });
    return { value, slope, norm: 4n * (value[0]! * value[0]! + value[1]! * value[1]!) };
  });
  return {
    values: Uint32Array.from(results.flatMap((r) => r.value.map(low))),
    slopes: Uint32Array.from(results.flatMap((r) => r.slope.map(low))),
    norms: Uint32Array.from(results, (r) => low(r.norm) / 2),
  };
};

export const cpp: Readonly<Record<string, Expectation>> = {
  philox,
  block_reduce: blockReduce,
  gemm_functor: gemmFunctor,
  radix_count: radixCount,
  simdgroup_matmul: simdgroupMatmul,
  complex_numbers: complexNumbers,
  functor_reduce: functorReduce,
  gaussian_integers: gaussianIntegers,
  quantised_rows: quantisedRows,
};
