/** Kernels about the language: control flow, types, helpers, memory. Nothing here depends on the subgroup width. */
import { halfBits } from "./host-data.js";
import { clamp, f32s, groupsOf, i32s, lanesOf, num, rotateLeft, u32s } from "./setup.js";
import type { Expectation } from "./setup.js";

const range = (n: number): number[] => Array.from({ length: n }, (_, k) => k);
const wordOf = (x: number): number => new Uint32Array(Float32Array.of(x).buffer)[0]!;
const floatOf = (word: number): number => new Float32Array(Uint32Array.of(word).buffer)[0]!;

/** Shares are powers of two, cells whole numbers: exact. */
const heat3d: Expectation = (io) => {
  const src = f32s(io, "src");
  const [nx, ny, nz] = ["vol.nx", "vol.ny", "vol.nz"].map((name) => num(io, name)) as [number, number, number];
  const at = (x: number, y: number, z: number): number =>
    src[(clamp(z, 0, nz - 1) * ny + clamp(y, 0, ny - 1)) * nx + clamp(x, 0, nx - 1)]!;
  const dst = src.map((centre, i) => {
    const [x, y, z] = [i % nx, Math.floor(i / nx) % ny, Math.floor(i / (nx * ny))];
    let around = at(x - 1, y, z) + at(x + 1, y, z) + at(x, y - 1, z) + at(x, y + 1, z);
    around += at(x, y, z - 1) + at(x, y, z + 1);
    return num(io, "vol.centre") * centre + num(io, "vol.neighbour") * around;
  });
  return { dst };
};

const matmulEdge: Expectation = (io) => {
  const [a, b] = [f32s(io, "a"), f32s(io, "b")];
  const [inner, cols] = [num(io, "inner"), num(io, "cols")];
  const c = f32s(io, "c").map((_, at) => {
    const row = Math.floor(at / cols);
    return range(inner).reduce((sum, k) => sum + a[row * inner + k]! * b[k * cols + (at % cols)]!, 0);
  });
  return { c };
};

const prefixSum: Expectation = (io) => {
  const dst = u32s(io, "src").slice();
  for (let i = 1; i < dst.length; i++) dst[i]! += dst[i - 1]!;
  return { dst };
};

const earlyReturn: Expectation = (io) => {
  const grades = i32s(io, "grades").slice();
  i32s(io, "scores").forEach((raw, i) => {
    if (i >= num(io, "n") || raw < 0) return;
    const score = raw + num(io, "bonus");
    grades[i] = 1 + [100, 75, 50, 25].filter((bar) => score < bar).length;
  });
  return { grades };
};

const tokens: Expectation = (io) => {
  const codes = u32s(io, "codes");
  const report = new Uint32Array(codes.length / 4);
  for (let chunk = 0; chunk < codes.length / 16; chunk++) {
    let state = 0;
    let [words, numbers, letters] = [0, 0, 0];
    for (const code of codes.subarray(chunk * 16, chunk * 16 + 16)) {
      const c = String.fromCharCode(code);
      if (/[A-Za-z_]/.test(c)) {
        if (c !== "_") letters++;
        if (state === 0) words++;
        state = 1;
      } else if (/[0-9]/.test(c)) {
        if (state === 0) {
          numbers++;
          state = 2;
        }
      } else {
        if (c === ".") words += 100;
        state = 0;
      }
    }
    report.set([words, numbers, letters, state], chunk * 4);
  }
  return { report };
};

function firstProduct(target: number): number {
  for (let y = 2; y < 10; y++) {
    for (let x = 2; x <= y; x++) if (x !== 5 && x * y === target) return x * 100 + y;
  }
  return 0;
}

const loops: Expectation = (io) => {
  const numbers = u32s(io, "numbers");
  const results = new Uint32Array(numbers.length * 5);
  numbers.forEach((number, i) => {
    const n = number + 1;
    const digits = [...n.toString(7)].reduce((sum, digit) => sum + Number(digit), 0);
    let pairs = 0;
    for (let a = 1; a < 24; a++) {
      for (let b = a + 1; b <= 24; b++) if (a % 3 !== 0 && a * b <= n) pairs += (a * b) % 2 === 0 ? 2 : 1;
    }
    // n, n - 2, n - 4, ... down to what is left above zero.
    const apart = range(Math.ceil(n / 2)).reduce((sum, k) => sum + n - 2 * k, 0);
    let steps = 0;
    for (let value = n; value !== 1 && steps < 64; steps++) value = value % 2 === 1 ? value * 3 + 1 : value / 2;
    results.set([digits, pairs, apart, steps, firstProduct(n % 50)], i * 5);
  });
  return { results };
};

const macros: Expectation = (io) => {
  const mix = (a: number, b: number): number => (Math.imul(a, a) + Math.imul(0x9e3779b9, b)) >>> 0;
  const dst = u32s(io, "src").map((word, i) => {
    let value = mix(word, i + 1);
    for (let r = 0; r < 3; r++) value = mix(value, r * 16);
    return clamp(value >>> 16, 16, 40000);
  });
  return { dst };
};

const particles: Expectation = (io) => {
  const seeds = u32s(io, "seeds");
  const bodies = new Uint32Array(seeds.length * 12);
  const energy = new Float32Array(seeds.length);
  seeds.forEach((seed, i) => {
    const [y, z] = [(seed >>> 4) & 15, (seed >>> 8) & 15];
    const mass = ((seed >>> 12) & 7) + 1;
    let x = seed & 15;
    let speed = 2;
    let hits = 0;
    const trail: number[] = [];
    for (let k = 0; k < 3; k++) {
      trail.push(x);
      x += speed / 2;
      if (x > 12 || x < 0) {
        speed = -speed;
        hits++;
      }
    }
    // The last component of the position holds the first y afterwards.
    const floats = [x, y - 1.5, z + 0.75, y, speed, -1, 0.5, 0, mass];
    bodies.set([...floats.map(wordOf), seed >>> 30, hits, wordOf(0.25 + trail[2]! - trail[0]!)], i * 12);
    energy[i] = 0.5 * mass * (speed * speed + 1 + 0.25);
  });
  return { bodies, energy };
};

const tables: Expectation = (io) => {
  const signal = i32s(io, "signal");
  const n = num(io, "n");
  const smoothed = Float32Array.from(signal, (_, i) => {
    return [1, 4, 6, 4, 1].reduce((sum, weight, k) => sum + weight * signal[clamp(i + k - 2, 0, n - 1)]!, 0) / 16;
  });
  const places = new Int32Array(n * 2);
  u32s(io, "turns").forEach((word, i) => {
    const count = [0, 0, 0, 0];
    for (let k = 0; k < 16; k++) count[(word >>> (2 * k)) & 3]!++;
    const [east, north, west, south] = count as [number, number, number, number];
    places.set([east - west, north - south], i * 2);
  });
  return { smoothed, places };
};

const swizzles: Expectation = (io) => {
  const [left, right] = [f32s(io, "left"), f32s(io, "right")];
  const mixed = new Float32Array(left.length);
  const bits = new Uint32Array(left.length);
  for (let i = 0; i < left.length / 4; i++) {
    const [ax, ay, az] = left.subarray(i * 4, i * 4 + 4) as unknown as [number, number, number];
    const [, by, bz, bw] = right.subarray(i * 4, i * 4 + 4) as unknown as [number, number, number, number];
    // a.wzyx, with bz and bw put first and ax added behind.
    let r: number[] = [bz, bz - bw, ay + ax, ax + ax];
    const [my, mz] = [ay + by, az + bz];
    r = [r[0]! * my, r[1]!, r[2]!, r[3]! * mz];
    // (my, mz, r.w), its first and last component exchanged.
    const three = [r[3]!, mz, my];
    r = [r[0]! - three[1]!, r[1]! - three[1]!, r[2]! - three[2]!, r[3]! - 1];
    mixed.set(
      r.map((x) => clamp(x * 0.5, -64, 64) + 2),
      i * 4,
    );

    const u = [i, (i + 1) ^ i, i + 2, (i + 3) ^ (i + 2)];
    const v = u.map((x, k) => ((x << 2) | (u[(k + 3) % 4]! & 3)) >>> 0);
    bits.set([v[0]! + v[1]! * v[2]!, ...v.slice(1)], i * 4);
  }
  return { mixed, bits };
};

const atomics: Expectation = (io) => {
  const values = [...u32s(io, "values")];
  const tally = u32s(io, "tally").slice();
  const limits = i32s(io, "limits").slice();
  for (const value of values) {
    tally[0]! += value;
    tally[1] = Math.max(tally[1]!, value);
    tally[2] = Math.min(tally[2]!, value);
    tally[3]! |= value & 0xff00;
    tally[4]! &= value | 0xff00;
    tally[5]! ^= value;
    tally[6 + (value >>> 30)]!++;
    const signed = (value >>> 8) - 8388608;
    limits[0] = Math.min(limits[0]!, signed);
    limits[1] = Math.max(limits[1]!, signed);
    limits[2]! -= signed;
  }
  return { tally, limits };
};

const life: Expectation = (io) => {
  const cells = u32s(io, "cells");
  const [width, height] = [num(io, "width"), num(io, "height")];
  const next = cells.map((alive, i) => {
    let around = -alive;
    for (const dy of [-1, 0, 1]) {
      for (const dx of [-1, 0, 1]) {
        const x = ((i % width) + dx + width) % width;
        const y = (Math.floor(i / width) + dy + height) % height;
        around += cells[y * width + x]!;
      }
    }
    return Number(around === 3 || (around === 2 && alive === 1));
  });
  return { next };
};

/** CRC-32 by the usual table of 256 entries, which the kernel does without. */
const crcTable = range(256).map((byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  return rest >>> 0;
});
export const crc32Of = (bytes: Uint8Array): number =>
  ~bytes.reduce((crc, byte) => (crc >>> 8) ^ crcTable[(crc ^ byte) & 255]!, -1) >>> 0;

const crc32: Expectation = (io) => {
  const records = u32s(io, "records");
  const sizes = u32s(io, "sizes");
  const bytes = new Uint8Array(records.buffer);
  const stride = num(io, "words_per_record") * 4;
  return { sums: sizes.map((size, i) => crc32Of(bytes.subarray(i * stride, i * stride + size))) };
};

const fixedPoint: Expectation = (io) => {
  const numbers = i32s(io, "numbers");
  const products = new Int32Array(numbers.length * 4);
  const floats = new Float32Array(numbers.length);
  numbers.forEach((number, i) => {
    const a = number - 4096;
    const b = numbers[i ^ 1]! - 4096;
    const product = Math.floor((a * b) / 256);
    const halved = Math.trunc((a - b) / 2);
    const limited = clamp(product, -20000, 20000) * (a < 0 ? -1 : 1);
    floats[i] = product / 256;
    products.set([product + Math.trunc(product / 128), halved, Math.abs(product - halved), limited], i * 4);
  });
  return { products, floats };
};

const blockPipeline: Expectation = (io, setup): Record<string, Uint32Array> => {
  const values = u32s(io, "values").slice();
  const totals = u32s(io, "totals").slice();
  const size = lanesOf(setup);
  if (setup.entry === "add_offsets") {
    let offset = 0;
    for (let block = 0; block < groupsOf(setup); block++) {
      for (let k = 0; k < size; k++) values[block * size + k]! += offset;
      offset = (offset + totals[block]!) >>> 0;
    }
    return { values };
  }
  values.forEach((_, i) => {
    if (i % size !== 0) values[i]! += values[i - 1]!;
    if (i % size === size - 1) totals[Math.floor(i / size)] = values[i]!;
  });
  return { values, totals };
};

const inoutHelpers: Expectation = (io) => {
  const seeds = u32s(io, "seeds");
  const results = new Uint32Array(seeds.length * 8);
  seeds.forEach((seed, i) => {
    let state = seed;
    const v = range(4).map(() => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state >>> 16;
    });
    v.sort((x, y) => x - y);
    const [low, high] = [v[0]!, v[3]!];
    // Of six items the last four stay: v[2] + 2, v[3] + 3, v[0] + 4, v[1] + 5.
    const bottomAndTop = v[2]! + 2 + 3 * (v[1]! + 5);
    results.set([...v, Math.floor(high / (low + 1)), high % (low + 1), bottomAndTop, state], i * 8);
  });
  return { results };
};

const pointerWalk: Expectation = (io) => {
  const table = f32s(io, "table");
  const [rows, cols] = [num(io, "rows"), num(io, "cols")];
  const report = new Float32Array((rows + cols) * 4);
  const sum = (numbers: readonly number[]): number => numbers.reduce((x, y) => x + y, 0);
  for (let i = 0; i < rows; i++) {
    const row = [...table.subarray(i * cols, (i + 1) * cols)];
    const steps = row.slice(1).map((value, k) => Math.abs(value - row[k]!));
    report.set([sum(row), sum(row.filter((_, k) => k % 2 === 1)), Math.max(...steps), i], i * 4);
  }
  for (let c = 0; c < cols; c++) {
    const col = range(rows).map((r) => table[r * cols + c]!);
    report.set([sum(col), sum(col.slice(1)), col.at(-1)!, rows + c], (rows + c) * 4);
  }
  return { report };
};

const halfStorage: Expectation = (io) => {
  const src = f32s(io, "src");
  const halves = new Uint16Array(src.length);
  const back = new Float32Array(src.length);
  for (let even = 0; even < src.length; even += 2) {
    const first = (src[even]! - 1024) * (even % 4 === 2 ? 0.25 : 16);
    const second = src[even + 1]!;
    halves.set([halfBits(first), halfBits(second)], even);
    back.set([second + 1, first * 0.5], even);
  }
  return { halves, back };
};

const bits: Expectation = (io) => {
  const words = u32s(io, "words");
  const results = new Uint32Array(words.length * 8);
  words.forEach((raw, i) => {
    const word = i % 16 === 15 ? 0 : raw >>> (i & 31);
    const digits = word.toString(2).padStart(32, "0");
    const leading = digits.indexOf("1") < 0 ? 32 : digits.indexOf("1");
    const trailing = digits.indexOf("1") < 0 ? 32 : 31 - digits.lastIndexOf("1");
    const reversed = parseInt([...digits].reverse().join(""), 2);
    const inserted = parseInt(digits.slice(0, 14) + (i % 64).toString(2).padStart(6, "0") + digits.slice(20), 2);
    const extracted = parseInt(digits.slice(19, 27), 2);
    const ones = [...digits].filter((digit) => digit === "1").length;
    results.set(
      [leading, trailing, ones, reversed, rotateLeft(word, i), extracted, inserted, leading + ((word | 0) >> 3)],
      i * 8,
    );
  });
  return { results };
};

const rounding: Expectation = (io) => {
  const results = i32s(io, "results").slice();
  for (let i = 0; i < results.length / 8; i++) {
    // In quarters, so that all of this is whole arithmetic.
    const q = i - 64;
    const [whole, quarters] = [Math.floor(q / 4), ((q % 4) + 4) % 4];
    const away = q < 0 ? -Math.floor((-q + 2) / 4) : Math.floor((q + 2) / 4);
    const even = quarters === 2 ? whole + Math.abs(whole % 2) : away;
    const up = quarters === 0 ? whole : whole + 1;
    const toZero = q < 0 ? up : whole;
    results.set([away, even, toZero, whole, up, q % 16, ((q % 16) + 16) % 16, quarters + toZero], i * 8);
  }
  return { results };
};

const matrices: Expectation = (io) => {
  const numbers = f32s(io, "numbers");
  const results = new Float32Array((numbers.length / 12) * 16);
  for (let i = 0; i < numbers.length / 12; i++) {
    const n = numbers.subarray(i * 12, i * 12 + 12);
    const m = (column: number, row: number): number => n[column * 3 + row]!;
    const v = [...n.subarray(9)];
    const dot = (f: (k: number) => number): number => f(0) + f(1) + f(2);
    const column = range(3).map((r) => dot((k) => m(k, r) * v[k]!));
    const row = range(3).map((c) => dot((k) => m(c, k) * v[k]!));
    const square = (c: number, r: number): number => dot((k) => m(k, r) * m(k, c));
    const minor = (a: number, b: number): number => m(1, a) * m(2, b) - m(1, b) * m(2, a);
    const determinant = m(0, 0) * minor(1, 2) - m(0, 1) * minor(0, 2) + m(0, 2) * minor(0, 1);
    const lean = range(3).map((k) => 2 * column[k]! - row[k]!);
    const second = range(3).map((r) => square(1, r) + v[r]!);
    results.set(
      [...column, determinant, ...row, square(0, 0), ...second, m(0, 2) - m(2, 0), ...lean, m(1, 1) / 2],
      i * 16,
    );
  }
  return { results };
};

const blockRotate: Expectation = (io, setup) => {
  const src = u32s(io, "src");
  const size = lanesOf(setup);
  return { dst: src.map((_, i) => src[i - (i % size) + ((i + num(io, "shift")) % size)]!) };
};

/** Which slot a key lands in is up to the scheduling; the set of keys is not. */
const claim: Expectation = (io, setup) => {
  const keys = new Set(Array.from(u32s(io, "keys"), (key) => key + 1));
  const slots = u32s(io, "slots").slice();
  slots.set([...keys]);
  const before = u32s(io, "counts");
  return { slots, counts: Uint32Array.of(before[0]! + keys.size, before[1]! - groupsOf(setup)) };
};

const modes: Expectation = (io) => {
  const operands = i32s(io, "operands");
  const results = new Int32Array(operands.length * 2);
  u32s(io, "programs").forEach((word, i) => {
    let value = operands[i]!;
    let total = 0;
    for (let k = 0; k < 4; k++) {
      const byte = (word >>> (8 * k)) & 255;
      const operand = byte >>> 3;
      const code = byte & 7;
      if (code === 0) value += operand;
      else if (code === 1) value -= operand;
      else if (code === 4) value *= -2;
      else if (code === 5) value *= 2;
      else if (code === 7) [value, total] = [total, value];
      else total += value;
    }
    results.set([value, total], i * 2);
  });
  return { results };
};

const specialise: Expectation = (io) => {
  const src = i32s(io, "src");
  const n = num(io, "n");
  const dst = src.map((_, i) => {
    return range(num(io, "TAPS")).reduce((sum, tap) => {
      if (i + tap < n) return sum + src[i + tap]!;
      return num(io, "WRAP") === 0 ? sum : sum + src[i + tap - n]!;
    }, 0);
  });
  return { dst };
};

const rawWords: Expectation = (io) => {
  const src = u32s(io, "src");
  const dst = new Uint32Array((src.length / 3) * 4);
  const counter = u32s(io, "counter").slice();
  for (let i = 0; i < src.length / 3; i++) {
    const [tag, first, second] = src.subarray(i * 3, i * 3 + 3) as unknown as [number, number, number];
    dst.set([second, first, tag, wordOf(tag & 1023)], i * 4);
    // The counter starts even and grows by two: the values before are even, so that the maximum of their low bits is 0.
    if (tag % 2 === 1) counter[0]! += 2;
  }
  return { dst, counter };
};

/** Four words of header, of which two are padding, then items of four. */
const openList: Expectation = (io) => {
  const before = u32s(io, "list");
  const list = before.slice();
  const sums = new Uint32Array((list.length - 4) / 4);
  sums.forEach((_, i) => {
    const at = 4 + 4 * i;
    const [x, y, z, w] = before.subarray(at, at + 4) as unknown as [number, number, number, number];
    list[0]! += x & 255;
    list.set(
      [w, z, y, x].map((v) => v + before[1]!),
      at,
    );
    list[at + 1]! ^= i;
    sums[i] = list.subarray(at, at + 4).reduce((sum, v) => (sum + v) >>> 0, 0);
  });
  return { list, sums };
};

const arrayResults: Expectation = (io) => {
  const src = u32s(io, "src");
  const dst = new Uint32Array(src.length / 3).map((_, i) => {
    const [a, b, c] = [...src.subarray(i * 3, i * 3 + 3)].map((v) => v & 7).sort() as [number, number, number];
    const [low, high] = a === c ? [0, 0] : [a + b, b + c];
    return (a << 16) + (b << 12) + (c << 8) + (low << 4) + high;
  });
  return { dst };
};

const reservedNames: Expectation = (io) => {
  const dst = u32s(io, "src").map((word) => {
    const low = word & 15;
    const count = low * 3 + (word >>> 28);
    return range(count).reduce((sum, k) => sum + (k ^ low), 0) + count + 1;
  });
  return { dst };
};

/** In doubles; the launch file allows a difference. */
const waves: Expectation = (io) => {
  const results = f32s(io, "results").slice();
  for (let i = 0; i < results.length / 8; i++) {
    const x = i / 8 + 0.5;
    const t = clamp((x - 2) / 4, 0, 1);
    const edge = t * t * (3 - 2 * t) + (x < 4 ? 0 : 1) + clamp(x, 1, 3) + Math.sign(x - 4);
    // A normalised vector: its length is one, and a cross product is perpendicular to its factors.
    results.set(
      [
        1,
        (Math.sin(x) + (Math.cos(x) - Math.sin(x)) * 0.25) * Math.exp(-x / 4),
        0,
        Math.atan2(x, 2) + Math.tan(x / 16),
        1 + Math.log(x),
        edge,
        1,
        1,
      ],
      i * 8,
    );
  }
  return { results };
};

const settings: Expectation = (io) => {
  const src = f32s(io, "src");
  const [gain, bias] = [io["setup.gain"] as readonly number[], io["setup.bias"] as readonly number[]];
  const [low, high] = [num(io, "setup.limits.low"), num(io, "setup.limits.high")];
  const dst = src.map((value, i) => {
    if (i >= num(io, "setup.n") * 4) return 0;
    const result = value * gain[i % 4]! + bias[i % 4]!;
    return num(io, "setup.mode") > 0 ? clamp(result, low, high) : result;
  });
  return { dst };
};

const overloads: Expectation = (io) => {
  const words = u32s(io, "words");
  const fold = (word: number): number => (word ^ (word >>> 16)) & 0xffff;
  const results = new Uint32Array(words.length * 4);
  words.forEach((word, i) => {
    const number = (word & 255) - 128;
    results.set([fold(word), Math.abs(number), fold(word) + fold(word >>> 7), number * number + 9], i * 4);
  });
  return { results };
};

const floatBits: Expectation = (io) => {
  const numbers = f32s(io, "numbers");
  const results = new Int32Array(numbers.length * 4);
  numbers.forEach((x, i) => {
    const exponent = Math.floor(Math.log2(Math.abs(x)));
    const spacing = 2 ** (exponent - 23) * Math.sign(x);
    results.set([exponent, wordOf(Math.abs(x)), wordOf(-x), wordOf(spacing)], i * 4);
    if (floatOf(wordOf(x)) !== x) throw new Error("the input is not a float");
  });
  return { results };
};

const privateState: Expectation = (io) => {
  const seeds = u32s(io, "seeds");
  const results = new Uint32Array(seeds.length * 2);
  seeds.forEach((seed, i) => {
    let state = (seed | 1) >>> 0;
    let last = 0;
    const visits = new Uint32Array(16);
    for (let k = 0; k < 32; k++) {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      const at = (state >>> 8) & 15;
      visits[at]!++;
      last = (Math.imul(last, 3) + at) >>> 0;
    }
    results.set([Math.max(...visits), last], i * 2);
  });
  return { results };
};

const idioms: Expectation = (io) => {
  const words = u32s(io, "words");
  const factors = u32s(io, "factors");
  const results = new Uint32Array(words.length * 2);
  for (let i = 0; i < words.length / 4; i++) {
    const [x, y, z, w] = words.subarray(i * 4, i * 4 + 4) as unknown as [number, number, number, number];
    const weights = i % 2 === 0 ? [1, 2, 3] : [4, 5, 6];
    const sum = weights.reduce((total, weight, k) => total + weight * ((x >>> (8 * k)) & 255), 0);
    const last = Math.imul(factors[i % 4]!, i & 4 ? z : w);
    results.set([x + z, y + w, x ^ y, z ^ w, sum * 2, sum * 7, y >>> 21, last], i * 8);
  }
  return { results };
};

/** The value of a half that is no infinity or NaN. */
export function halfValue(bits: number): number {
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
  const size = exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15);
  return bits >> 15 ? -size : size;
}

/** Numbers below 2048 are halves, and their sums floats, exactly. */
const tensorCopy: Expectation = (io, setup) => {
  const [src, dst] = [f32s(io, "src"), Uint16Array.from(io["dst"] as Uint16Array)];
  const stride = (name: string): number => (io[`p.${name}`] as readonly number[])[0]!;
  const lanes = lanesOf(setup);
  const sums = new Float32Array(f32s(io, "sums").length);
  for (let plane = 0; plane < setup.workgroups[1]; plane++)
    for (let row = 0; row < setup.workgroups[0]; row++)
      for (let column = 0; column < num(io, "p.columns"); column++) {
        const x = src[(row * stride("src_row") + plane * stride("src_plane")) / 4 + column]!;
        dst[(row * stride("dst_row") + plane * stride("dst_plane")) / 2 + column] = halfBits(x);
        sums[(plane * num(io, "p.rows") + row) * lanes + (Math.floor(column / 4) % lanes)]! += x;
      }
  return { dst, sums };
};

const asyncTile: Expectation = (io) => {
  const [src, factors] = [f32s(io, "src"), f32s(io, "factors")];
  const [dst, sums] = [f32s(io, "dst").slice(), new Float32Array(f32s(io, "sums").length)];
  const columns = num(io, "pitch");
  const rows = factors.length;
  src.forEach((_, at) => {
    const [row, column] = [Math.floor(at / columns), at % columns];
    dst[at] = src[(rows - 1 - row) * columns + column]! * factors[row]!;
    sums[2 * column + Math.floor(row / (rows / 2))]! += dst[at]!;
  });
  return { dst, sums };
};

const blockDot: Expectation = (io, setup) => {
  const [y, matrix] = [f32s(io, "inputs"), io["weights"] as Uint16Array];
  const bytes = new Uint8Array(matrix.buffer, matrix.byteOffset);
  const row = (io["p.row"] as readonly number[])[0]!;
  const sums = Array.from({ length: groupsOf(setup) * lanesOf(setup) }, (_, i) => {
    let sum = 0;
    for (let k = 0; k < num(io, "p.blocks"); k++) {
      const at = row * i + 18 * k;
      let whole = 0;
      for (let j = 0; j < 16; j++) {
        const both = bytes[at + 2 + j]!;
        whole += ((both & 15) - 8) * y[32 * k + j]! + ((both >> 4) - 8) * y[32 * k + 16 + j]!;
      }
      sum = Math.fround(sum + halfValue(bytes[at]! + 256 * bytes[at + 1]!) * whole);
    }
    return sum;
  });
  return { products: Float32Array.from(sums, (s, i) => s + 2 * sums[i - (i % 4) + ((i + 1) % 4)]!) };
};

/** Complex numbers with small whole parts: exact. */
const fftRows: Expectation = (io) => {
  const [samples, factors] = [f32s(io, "samples"), f32s(io, "factors")];
  const quarter = num(io, "quarter");
  const spectrum = new Float32Array(samples.length);
  for (let i = 0; i < quarter; i++) {
    for (let k = 0; k < 4; k++) {
      let [re, im] = [0, 0];
      for (let n = 0; n < 4; n++) {
        const [a, b] = [samples[8 * i + 2 * n]!, samples[8 * i + 2 * n + 1]!];
        // (-i)^(k n)
        const turned = [
          [a, b],
          [b, -a],
          [-a, -b],
          [-b, a],
        ][(k * n) % 4]!;
        re += turned[0]!;
        im += turned[1]!;
      }
      const [c, d] = [factors[8 * (i % 4) + 2 * k]!, factors[8 * (i % 4) + 2 * k + 1]!];
      spectrum[2 * (i + k * quarter)] = re * c - im * d;
      spectrum[2 * (i + k * quarter) + 1] = re * d + im * c;
    }
  }
  return { spectrum };
};

export const language: Readonly<Record<string, Expectation>> = {
  heat3d,
  matmul_edge: matmulEdge,
  prefix_sum: prefixSum,
  early_return: earlyReturn,
  tokens,
  loops,
  macros,
  particles,
  tables,
  swizzles,
  atomics,
  life,
  crc32,
  fixed_point: fixedPoint,
  block_pipeline: blockPipeline,
  inout_helpers: inoutHelpers,
  pointer_walk: pointerWalk,
  half_storage: halfStorage,
  bits,
  rounding,
  matrices,
  block_rotate: blockRotate,
  claim,
  modes,
  specialise,
  raw_words: rawWords,
  reserved_names: reservedNames,
  waves,
  settings,
  overloads,
  float_bits: floatBits,
  private_state: privateState,
  idioms,
  open_list: openList,
  array_results: arrayResults,
  tensor_copy: tensorCopy,
  async_tile: asyncTile,
  block_dot: blockDot,
  fft_rows: fftRows,
};
