/** Kernels that move and mix data: hashes, repacking, lists, long numbers. By Node's own digests, by BigInt and by bytes. */
import { createHash } from "node:crypto";
import { halfValue } from "./language.js";
import { i32s, num, u32s } from "./setup.js";
import type { Expectation } from "./setup.js";

const bytesOf = (words: Uint32Array): Uint8Array => new Uint8Array(words.buffer, words.byteOffset, words.byteLength);

const sha256: Expectation = (io) => {
  const bytes = bytesOf(u32s(io, "messages"));
  const digests = [...u32s(io, "sizes")].flatMap((size, i) => {
    const digest = createHash("sha256")
      .update(bytes.subarray(i * 128, i * 128 + size))
      .digest();
    return Array.from({ length: 8 }, (_, k) => digest.readUInt32BE(k * 4));
  });
  return { digests: Uint32Array.from(digests) };
};

const wide = (1n << 64n) - 1n;
const primes = [
  0n,
  0x9e3779b185ebca87n,
  0xc2b2ae3d27d4eb4fn,
  0x165667b19e3779f9n,
  0x85ebca77c2b2ae63n,
  0x27d4eb2f165667c5n,
] as const;
/** xxHash's specification (XXH64), step by step. */
export function xxHash64(bytes: Uint8Array, seed = 0n): bigint {
  const turn = (x: bigint, n: bigint): bigint => ((x << n) | ((x & wide) >> (64n - n))) & wide;
  const read = (at: number, count: number): bigint =>
    bytes.subarray(at, at + count).reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  const round = (sum: bigint, word: bigint): bigint => (turn((sum + word * primes[2]) & wide, 31n) * primes[1]) & wide;
  let at = 0;
  let hash = (seed + primes[5]) & wide;
  if (bytes.length >= 32) {
    let sums = [seed + primes[1] + primes[2], seed + primes[2], seed, seed - primes[1]].map((x) => x & wide);
    for (; at + 32 <= bytes.length; at += 32) sums = sums.map((sum, k) => round(sum, read(at + k * 8, 8)));
    hash = sums.reduce((sum, x, k) => sum + turn(x, [1n, 7n, 12n, 18n][k]!), 0n) & wide;
    for (const sum of sums) hash = ((hash ^ round(0n, sum)) * primes[1] + primes[4]) & wide;
  }
  hash = (hash + BigInt(bytes.length)) & wide;
  for (; at + 8 <= bytes.length; at += 8)
    hash = (turn(hash ^ round(0n, read(at, 8)), 27n) * primes[1] + primes[4]) & wide;
  for (; at + 4 <= bytes.length; at += 4)
    hash = (turn(hash ^ ((read(at, 4) * primes[1]) & wide), 23n) * primes[2] + primes[3]) & wide;
  for (; at < bytes.length; at++) hash = (turn(hash ^ ((read(at, 1) * primes[5]) & wide), 11n) * primes[1]) & wide;
  hash = ((hash ^ (hash >> 33n)) * primes[2]) & wide;
  hash = ((hash ^ (hash >> 29n)) * primes[3]) & wide;
  return hash ^ (hash >> 32n);
}
const wordsOf = (x: bigint, count: number): number[] =>
  Array.from({ length: count }, (_, k) => Number((x >> BigInt(32 * k)) & 0xffffffffn));

const xxhash64: Expectation = (io) => {
  const bytes = bytesOf(u32s(io, "records"));
  const hashes = [...u32s(io, "sizes")].map((size, i) => xxHash64(bytes.subarray(i * 64, i * 64 + size)));
  return { hashes: Uint32Array.from(hashes.flatMap((hash) => wordsOf(hash, 2))) };
};

const longMultiply: Expectation = (io) => {
  const numbers = (name: string): bigint[] => {
    const words = u32s(io, name);
    return Array.from({ length: words.length / 4 }, (_, i) =>
      words.subarray(i * 4, i * 4 + 4).reduceRight((sum, word) => (sum << 32n) | BigInt(word), 0n),
    );
  };
  const right = numbers("right");
  return { products: Uint32Array.from(numbers("left").flatMap((x, i) => wordsOf(x * right[i]!, 8))) };
};

const linkedLists: Expectation = (io) => {
  const nodes = i32s(io, "nodes").slice();
  const ends: number[] = [];
  const sums = [...i32s(io, "heads")].flatMap((head) => {
    const list: number[] = [];
    for (let at = head; at >= 0; at = i32s(io, "nodes")[at * 2 + 1]!) list.push(at);
    ends.push(list.at(-1) ?? -1);
    list.forEach((node, k) => (nodes[node * 2 + 1] = list[k - 1] ?? -1));
    return [list.reduce((sum, node, k) => sum + nodes[node * 2]! * (k + 1), 0), list.length];
  });
  return { nodes, heads: Int32Array.from(ends), sums: Uint32Array.from(sums) };
};

const aosToSoa: Expectation = (io) => {
  const words = u32s(io, "particles");
  const member = (k: number): Uint32Array => words.filter((_, i) => i % 5 === k);
  return {
    positions: Uint32Array.from([0, 1, 2].flatMap((axis) => [...member(axis)])),
    masses: member(3),
    kinds: member(4),
  };
};

const rgb888: Expectation = (io) => {
  const bytes = bytesOf(u32s(io, "rgb"));
  const pixels = Array.from({ length: bytes.length / 3 }, (_, i) => [...bytes.subarray(i * 3, i * 3 + 3), 255]);
  return { rgba: new Uint32Array(Uint8Array.from(pixels.flat()).buffer) };
};

const dequantize4: Expectation = (io) => {
  const blocks = io["blocks"] as Uint16Array;
  const numbers = new Float32Array((blocks.length / 9) * 32);
  for (let block = 0; block < blocks.length / 9; block++) {
    const bytes = new Uint8Array(blocks.slice(block * 9, block * 9 + 9).buffer);
    const scale = halfValue(blocks[block * 9]!);
    for (let k = 0; k < 16; k++) {
      numbers[block * 32 + k] = scale * ((bytes[2 + k]! & 15) - 8);
      numbers[block * 32 + 16 + k] = scale * ((bytes[2 + k]! >> 4) - 8);
    }
  }
  return { numbers };
};

const pointRecords: Expectation = (io) => {
  const bytes = Uint8Array.from(io["points"] as Uint8Array);
  const view = new DataView(bytes.buffer);
  const heights = Array.from({ length: bytes.length / 23 }, (_, i) => {
    const at = 23 * i;
    const kind = view.getUint8(at);
    view.setInt32(at + 9, view.getInt32(at + 9, true) + (view.getInt32(at + 1 + 4 * (kind & 1), true) >> 4), true);
    view.setBigUint64(at + 15, view.getBigUint64(at + 15, true) + 81985529216486895n, true);
    const bright = view.getUint16(at + 13, true);
    view.setUint16(at + 13, (kind & 2 ? bright >> 1 : bright) ^ 1, true);
    return view.getInt32(at + 9, true);
  });
  return { points: bytes, heights: Int32Array.from(heights) };
};

/** By columns instead of rows; no sum leaves 32 bits. */
const addressTables: Expectation = (io) => {
  const [weights, bias, inputs] = [i32s(io, "layer.weights"), i32s(io, "layer.bias"), i32s(io, "inputs")];
  const width = num(io, "layer.width");
  const results = bias.slice();
  inputs.forEach((x, k) => results.forEach((_, r) => (results[r]! += x * weights[r * width + k]!)));
  const above = [...results].filter((x) => x > 0).sort((a, b) => a - b);
  const [positive, largest] = u32s(io, "counts");
  const counts = Uint32Array.of(
    positive! + above.length,
    Math.max(largest!, above.at(-1) ?? 0),
    0,
    width,
    2 * width,
    3 * width,
  );
  return { results, counts };
};

export const data: Readonly<Record<string, Expectation>> = {
  sha256,
  xxhash64,
  long_multiply: longMultiply,
  linked_lists: linkedLists,
  aos_to_soa: aosToSoa,
  rgb888,
  dequantize4,
  point_records: pointRecords,
  address_tables: addressTables,
};
