/** The fourteen benchmark kernels, computed plainly. */
import { halfBits } from "./host-data.js";
import { clamp, f32s, groupsOf, num, rotateLeft, u32s } from "./setup.js";
import type { Expectation } from "./setup.js";

const round = Math.fround;

const saxpy: Expectation = (io) => {
  const x = f32s(io, "x");
  const y = f32s(io, "y").slice();
  const a = num(io, "a");
  for (let i = 0; i < num(io, "n"); i++) y[i] = round(round(a * x[i]!) + y[i]!);
  return { y };
};

/** The network sorts every block of 256 keys. */
const bitonic: Expectation = (io) => {
  const keys = u32s(io, "keys").slice();
  for (let first = 0; first < keys.length; first += 256) keys.subarray(first, first + 256).sort();
  return { keys };
};

/** Odd values, packed; their order is up to the scheduling. */
const compact: Expectation = (io) => {
  const src = u32s(io, "src");
  const dst = u32s(io, "dst").slice();
  const kept = src.filter((value) => value % 2 === 1);
  dst.set(kept);
  return { dst, count: Uint32Array.of(kept.length) };
};

const halfpack: Expectation = (io) => {
  const src = f32s(io, "src");
  const packedHalf = new Uint16Array(src.length);
  const back = new Float32Array(src.length);
  for (let i = 0; i < src.length; i++) {
    // Exact as a half, so that going there and back changes nothing.
    const value = src[i]! * 0.5 + (i % 4) + 1;
    packedHalf[i] = halfBits(value);
    back[i - (i % 4) + 3 - (i % 4)] = value;
  }
  return { packedHalf, back };
};

const hashmix: Expectation = (io) => {
  const src = u32s(io, "src");
  const dst = src.map((word, i) => {
    let v = word;
    let h = (num(io, "seed") + i) >>> 0;
    for (let r = 0; r < 64; r++) {
      h = (h + Math.imul(v, 0xc2b2ae3d)) >>> 0;
      h = Math.imul(rotateLeft(h, 17), 0x27d4eb2f) >>> 0;
      h = (h ^ (h >>> 15)) >>> 0;
      v = rotateLeft(v, 3);
      h = (h + r) >>> 0;
    }
    return h;
  });
  return { dst };
};

const histogram: Expectation = (io) => {
  const bins = u32s(io, "bins").slice();
  for (const word of u32s(io, "src")) bins[word >>> 26]!++;
  return { bins };
};

const mandelbrot: Expectation = (io) => {
  const result = u32s(io, "result").map((_, i) => {
    const cx = round(-2 + (i & 63) * 0.046875);
    const cy = round(-1.5 + ((i >>> 6) & 63) * 0.046875);
    let x = 0;
    let y = 0;
    let n = 0;
    while (n < 256 && round(round(x * x) + round(y * y)) <= 4) {
      const t = round(round(round(x * x) - round(y * y)) + cx);
      y = round(round(2 * x * y) + cy);
      x = t;
      n++;
    }
    return n;
  });
  return { result };
};

/** Products of small whole numbers: exact in any order. */
const matmul: Expectation = (io) => {
  const n = 128;
  const A = f32s(io, "A");
  const B = f32s(io, "B");
  const C = f32s(io, "C").map((_, at) => {
    let sum = 0;
    for (let k = 0; k < n; k++) sum += A[Math.floor(at / n) * n + k]! * B[k * n + (at % n)]!;
    return sum;
  });
  return { C };
};

/** Rounded after every operation, in the order of the kernel: sums that cancel leave little of a relative tolerance. */
const nbody: Expectation = (io) => {
  const pos = f32s(io, "pos");
  const acc = new Float32Array(pos.length);
  for (let i = 0; i < pos.length; i += 4) {
    for (let j = 0; j < 1024; j += 4) {
      const [dx, dy, dz] = [0, 1, 2].map((axis) => round(pos[j + axis]! - pos[i + axis]!)) as [number, number, number];
      const xy = round(round(dx * dx) + round(dy * dy));
      const r2 = round(round(xy + round(dz * dz)) + round(0.01));
      const inverse = round(1 / round(Math.sqrt(r2)));
      const s = round(round(round(pos[j + 3]! * inverse) * inverse) * inverse);
      [dx, dy, dz].forEach((d, axis) => (acc[i + axis] = acc[i + axis]! + round(d * s)));
    }
  }
  return { acc };
};

const reduceSubgroup: Expectation = (io) => {
  const dst = u32s(io, "dst").slice();
  u32s(io, "src").forEach((word, i) => (dst[i >>> 8]! += word));
  return { dst };
};

const reduceTree: Expectation = (io) => {
  const dst = f32s(io, "dst").slice();
  f32s(io, "src").forEach((value, i) => (dst[i >>> 8]! += value));
  return { dst };
};

const scan: Expectation = (io) => {
  const src = u32s(io, "src");
  const dst = new Uint32Array(src.length);
  src.forEach((word, i) => (dst[i] = i % 256 === 0 ? word : dst[i - 1]! + word));
  return { dst, sums: u32s(io, "sums").map((_, group) => dst[group * 256 + 255]!) };
};

const stencil5: Expectation = (io, setup) => {
  const src = f32s(io, "src");
  const rows = setup.workgroups[1] * 16;
  const at = (x: number, y: number): number => src[clamp(y, 0, rows - 1) * 256 + clamp(x, 0, 255)]!;
  const dst = src.map((centre, i) => {
    const [x, y] = [i % 256, Math.floor(i / 256)];
    return 0.5 * centre + 0.125 * (at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1));
  });
  return { dst };
};

const transpose: Expectation = (io, setup) => {
  const src = f32s(io, "src");
  const height = setup.workgroups[1] * 16;
  const dst = new Float32Array(src.length);
  src.forEach((value, i) => (dst[(i % 256) * height + Math.floor(i / 256)] = value));
  if (groupsOf(setup) * 256 !== src.length) throw new Error("transpose wants a whole table");
  return { dst };
};

export const benchmarks: Readonly<Record<string, Expectation>> = {
  bitonic,
  compact,
  halfpack,
  hashmix,
  histogram,
  mandelbrot,
  matmul,
  nbody,
  reduce_subgroup: reduceSubgroup,
  reduce_tree: reduceTree,
  saxpy,
  scan,
  stencil5,
  transpose,
};
