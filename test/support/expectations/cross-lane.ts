/** Kernels with subgroup operations, as functions of the subgroup width where it shows. */
import { f32s, groupsOf, i32s, lanesOf, num, subgroupsOf, u32s } from "./setup.js";
import type { Expectation } from "./setup.js";

const reduce: Expectation = (io, setup) => {
  const sums = i32s(io, "sums").slice();
  i32s(io, "values").forEach((value, i) => (sums[Math.floor(i / lanesOf(setup))]! += value));
  return { sums };
};

/** Which place an index gets is up to the scheduling; unused places keep their fill. */
const ballotAppend: Expectation = (io) => {
  const indices = u32s(io, "indices").slice();
  let found = 0;
  i32s(io, "values").forEach((value, i) => {
    if (value > num(io, "threshold")) indices[found++] = i;
  });
  return { indices, found: Uint32Array.of(found) };
};

const maximum: Expectation = (io) => ({ best: Int32Array.of(Math.max(...i32s(io, "values"))) });

const voteBranch: Expectation = (io, setup) => {
  const samples = u32s(io, "samples");
  const results = new Uint32Array(samples.length);
  const paths = new Uint32Array(samples.length);
  for (const lanes of subgroupsOf(setup)) {
    const values = lanes.map((lane) => samples[lane]!);
    const path = values.every((v) => v < 256) ? 0 : values.some((v) => v >= 1500) ? 2 : 1;
    lanes.forEach((lane, k) => {
      const value = values[k]!;
      let long = value ^ (value >>> 3);
      for (let step = 0; step < 4; step++) long = Math.imul(long, 5) + step;
      paths[lane] = path;
      results[lane] = [value * 3 + 1, value * 7 + 2, long][path]!;
    });
  }
  return { results, paths };
};

const scanShuffle: Expectation = (io, setup) => {
  const src = u32s(io, "src");
  const dst = new Uint32Array(src.length);
  src.forEach((word, i) => (dst[i] = i % lanesOf(setup) === 0 ? word : dst[i - 1]! + word));
  return { dst };
};

const edgeDifference: Expectation = (io, setup) => {
  const src = i32s(io, "src");
  const from_left = new Int32Array(src.length);
  const to_right = new Int32Array(src.length);
  for (const lanes of subgroupsOf(setup)) {
    lanes.forEach((lane, k) => {
      from_left[lane] = k === 0 ? 0 : src[lane]! - src[lane - 1]!;
      to_right[lane] = k + 2 >= lanes.length ? 0 : src[lane + 2]! - src[lane]!;
    });
  }
  return { from_left, to_right };
};

const reserve: Expectation = (io, setup) => {
  const wants = u32s(io, "wants");
  const [starts, totals, leaders] = [wants.slice(), wants.slice(), wants.slice()];
  for (const lanes of subgroupsOf(setup)) {
    let total = 0;
    for (const lane of lanes) {
      starts[lane] = total;
      total += wants[lane]!;
    }
    for (const lane of lanes) {
      totals[lane] = total;
      leaders[lane] = wants[lanes[0]!]!;
    }
  }
  return { starts, totals, leaders };
};

const reductions: Expectation = (io, setup) => {
  const words = u32s(io, "words");
  const results = new Uint32Array(words.length * 8);
  for (const lanes of subgroupsOf(setup)) {
    const values = lanes.map((lane) => words[lane]!);
    const fraction = values.reduce((sum, word) => sum + (word & 255) * 0.25, 0);
    const of = [
      values.reduce((x, y) => (x + y) >>> 0),
      values.reduce((x, y) => Math.imul(x, y) >>> 0),
      Math.min(...values),
      Math.max(...values),
      values.reduce((x, y) => (x & y) >>> 0),
      values.reduce((x, y) => (x | y) >>> 0),
      values.reduce((x, y) => (x ^ y) >>> 0),
      new Uint32Array(Float32Array.of(fraction).buffer)[0]!,
    ];
    for (const lane of lanes) results.set(of, lane * 8);
  }
  return { results };
};

const permute: Expectation = (io, setup) => {
  const src = u32s(io, "src");
  const permuted = new Uint32Array(src.length);
  const folded = new Uint32Array(src.length);
  for (const lanes of subgroupsOf(setup)) {
    let values = lanes.map((lane) => src[lane]!);
    lanes.forEach((lane, k) => (permuted[lane] = values[(k * 5 + 3) % lanes.length]!));
    for (let mask = 1; mask < lanes.length; mask *= 2) {
      values = values.map((value, k) => {
        const partner = values[k ^ mask]!;
        return ((k & mask) === 0 ? value + partner : partner - value) >>> 0;
      });
    }
    lanes.forEach((lane, k) => (folded[lane] = values[k]!));
  }
  return { permuted, folded };
};

const subgroupExchange: Expectation = (io, setup) => {
  const src = u32s(io, "src");
  const dst = new Uint32Array(src.length);
  for (const lanes of subgroupsOf(setup)) lanes.forEach((lane, k) => (dst[lane] = src[lanes.at(-1 - k)!]!));
  return { dst };
};

const quadReduce: Expectation = (io) => {
  const texels = i32s(io, "texels");
  const coarse = new Int32Array(texels.length / 4);
  const slopes = new Int32Array(texels.length);
  const relative = new Int32Array(texels.length);
  for (let block = 0; block < texels.length; block += 4) {
    const [a, b, c, d] = texels.slice(block, block + 4) as unknown as [number, number, number, number];
    coarse[block / 4] = a + b + c + d;
    slopes.set([(b - a) * 4 + c - a, (a - b) * 4 + d - b, (d - c) * 4 + a - c, (c - d) * 4 + b - d], block);
    relative.set([0, b - a, c - a, d - a], block);
  }
  return { coarse, slopes, relative };
};

const clusterMin: Expectation = (io) => {
  const words = u32s(io, "words");
  const [least, ring, odd_pairs] = [words.slice(), words.slice(), words.slice()];
  words.forEach((word, i) => {
    least[i] = Math.min(...words.slice(i - (i % 8), i - (i % 8) + 8));
    ring[i] = words[i - (i % 16) + ((i + 3) % 16)]! - word;
    odd_pairs[i] = (word | words[i ^ 1]!) & 1;
  });
  return { least, ring, odd_pairs };
};

/** Blocks sized by the launch, so that the reference also serves other numbers of workgroups. */
const workgroupHelpers: Expectation = (io, setup) => {
  const a = f32s(io, "a");
  const b = f32s(io, "b");
  const size = lanesOf(setup);
  const sums = new Float32Array(groupsOf(setup) * 2);
  for (let i = 0; i < a.length; i++) {
    sums[Math.floor(i / size) * 2]! += a[i]! * b[i]!;
    sums[Math.floor(i / size) * 2 + 1]! += a[i]! * a[i]!;
  }
  return { sums };
};

const matchHistogram: Expectation = (io, setup) => {
  const samples = u32s(io, "samples");
  const counts = new Uint32Array(16);
  const ranks = u32s(io, "ranks").slice();
  const before = u32s(io, "before").slice();
  for (const lanes of subgroupsOf(setup)) {
    const seen = new Map<number, { rank: number; sum: number }>();
    for (const lane of lanes) {
      const sample = samples[lane]!;
      if ((sample & 7) === 0) continue;
      const key = (sample >>> 3) & 15;
      const { rank, sum } = seen.get(key) ?? { rank: 0, sum: 0 };
      counts[key]!++;
      ranks[lane] = rank;
      before[lane] = sum;
      seen.set(key, { rank: rank + 1, sum: sum + (sample >>> 20) });
    }
  }
  return { counts, ranks, before };
};

const workgroupScan: Expectation = (io, setup) => {
  const src = u32s(io, "src");
  const dst = new Uint32Array(src.length);
  const sums = new Uint32Array(groupsOf(setup));
  const largest = new Int32Array(groupsOf(setup)).fill(-0x80000000);
  src.forEach((value, i) => {
    const block = Math.floor(i / lanesOf(setup));
    dst[i] = sums[block]!;
    sums[block]! += value;
    largest[block] = Math.max(largest[block]!, value | 0);
  });
  return { dst, sums, largest };
};

/** cross-lane.md section 4: each output is what a widely read text gets wrong. */
const laneConventions: Expectation = (io, setup) => {
  const values = u32s(io, "values");
  const make = (): Uint32Array => new Uint32Array(values.length);
  const [exclusive, appended, shifted, exchanged, rotated, scanned] = [make(), make(), make(), make(), make(), make()];
  const size = setup.subgroupSize;
  let next = 0;
  for (const lanes of subgroupsOf(setup)) {
    let sum = 0;
    lanes.forEach((i, lane) => {
      const at = (other: number): number => values[lanes[other]!]!;
      exclusive[i] = sum;
      sum += values[i]!;
      scanned[i] = sum;
      shifted[i] = lane === size - 1 ? values[i]! : at(lane + 1);
      exchanged[i] = at(lane ^ 3);
      rotated[i] = at((lane + 1) % size);
      if (values[i]! % 3 !== 0) appended[next++] = values[i]!;
    });
  }
  return { exclusive, appended, shifted, exchanged, rotated, scanned, next: Uint32Array.of(next) };
};

/** One fixture for each statement of that section; the values are in their launch files too, by hand. */
const perLane =
  (input: "u32" | "i32", output: string, result: (values: readonly number[], lane: number) => number): Expectation =>
  (io, setup) => {
    const values = input === "u32" ? u32s(io, "src") : i32s(io, "src");
    const out = input === "u32" ? new Uint32Array(values.length) : new Int32Array(values.length);
    for (const lanes of subgroupsOf(setup)) {
      const own = lanes.map((i) => values[i]!);
      lanes.forEach((i, lane) => (out[i] = result(own, lane)));
    }
    return { [output]: out };
  };
const both =
  (a: Expectation, b: Expectation): Expectation =>
  (io, setup) => ({ ...a(io, setup), ...b(io, setup) });

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
const exclusiveSums = perLane("u32", "sums", (v, lane) => sum(v.slice(0, lane)));
const scanInSteps = perLane("u32", "sums", (v, lane) => sum(v.slice(0, lane + 1)));
const laneNeighbours = both(
  perLane("i32", "to_next", (v, lane) => (lane < 7 ? v[lane + 1]! - v[lane]! : 0)),
  perLane("i32", "from_last", (v, lane) => (lane > 0 ? v[lane]! - v[lane - 1]! : 0)),
);
const laneExchange = perLane("u32", "exchanged", (v, lane) => v[lane ^ 3]!);
const laneRotation = perLane("u32", "rotated", (v, lane) => v[(lane + 3) % 8]!);
const lanesOnIos = perLane("u32", "result", (v, lane) => sum(v) + v[lane ^ 1]!);

const appendFirst: Expectation = (io, setup) => {
  const appended = new Uint32Array(u32s(io, "src").length);
  const lengths = u32s(io, "lengths").map((length, group) => {
    const large = [...u32s(io, "src").slice(8 * group, 8 * group + 8)].filter((value) => value > 4);
    appended.set(large, 8 * group + length);
    return length + large.length;
  });
  if (setup.workgroupSize[0] !== 8) throw new Error("one subgroup a workgroup");
  return { appended, lengths };
};

const everySize: Expectation = (io, setup) => {
  const values = [...u32s(io, "src")];
  const size = lanesOf(setup);
  return {
    totals: Uint32Array.from({ length: groupsOf(setup) }, (_, g) => sum(values.slice(g * size, (g + 1) * size))),
  };
};

export const crossLane: Readonly<Record<string, Expectation>> = {
  reduce,
  ballot_append: ballotAppend,
  maximum,
  vote_branch: voteBranch,
  scan_shuffle: scanShuffle,
  edge_difference: edgeDifference,
  reserve,
  reductions,
  permute,
  subgroup_exchange: subgroupExchange,
  workgroup_helpers: workgroupHelpers,
  quad_reduce: quadReduce,
  cluster_min: clusterMin,
  match_histogram: matchHistogram,
  workgroup_scan: workgroupScan,
  lane_conventions: laneConventions,
  exclusive_sums: exclusiveSums,
  append_first: appendFirst,
  lane_neighbours: laneNeighbours,
  lane_exchange: laneExchange,
  lane_rotation: laneRotation,
  scan_in_steps: scanInSteps,
  every_size: everySize,
  lanes_on_ios: lanesOnIos,
};
