/**
 * Floats stored as halves in the four rounding modes of OpenCL C: by the simulator as written and through translations, and by drivers,
 * on the floats beside every half and beside the middle between every two, and on a stride of all bit patterns. Without CROSSLANE_EVERY_97TH=1
 * that is every 15,811th (163 x 97), a second for each text; with it the simulator computes every 97th as well, 44 million, which takes a minute.
 */
import { describe, expect, test } from "vitest";
import { simulate, translate, type TwoWayDialect } from "../../src/index.js";
import { deviceTest } from "./device-test.js";
import { runHere } from "./run-here.js";

const modes = ["rte", "rtz", "rtp", "rtn"] as const;
type Mode = (typeof modes)[number];

const kernel = `__kernel void halves(__global const uint *bits, ${modes.map((m) => `__global ushort *${m}`).join(", ")}) {
  const size_t i = get_global_id(0);
  const float x = as_float(bits[i]);
${modes.map((m) => `  vstore_half_${m}(x, i, (__global half *)${m});`).join("\n")}
}
`;

const float = new Float32Array(1);
const word = new Uint32Array(float.buffer);

/** How many of the smallest steps of a half's binade 1 is, by the exponent of a float. */
const stepsOfOne = Float64Array.from({ length: 256 }, (_, e) => 2 ** (10 - Math.max(e - 127, -14)));

/**
 * The bits of a half in each mode, from the number as a double, in which each step is exact: how many of the smallest steps that halves of its
 * binade have it comes to. Steps are counted on through all binades, so that the count is the bits. Of a NaN one NaN.
 */
function halvesOf(all: Uint32Array): Halves {
  const halves = Object.fromEntries(modes.map((m) => [m, new Uint16Array(all.length)])) as Record<Mode, Uint16Array>;
  const { rte, rtz, rtp, rtn } = halves;
  for (let i = 0; i < all.length; i++) {
    const bits = (word[0] = all[i]!);
    const sign = bits >>> 31;
    const x = Math.abs(float[0]!);
    const exponent = (bits >>> 23) & 255;
    const steps = x * stepsOfOne[exponent]!;
    const low = Math.floor(steps);
    const rest = steps - low;
    const before = Math.max(exponent - 113, 0) * 1024 + low;
    const up = rest > 0 ? before + 1 : before;
    const even = rest > 0.5 || (rest === 0.5 && low % 2 === 1) ? before + 1 : before;
    // Past the greatest half everything is rounded to infinity, or to that half where the mode does not lead there.
    const most = x === Infinity ? 0x7c00 : 0x7bff;
    const [away, toZero] = [Math.min(up, 0x7c00), Math.min(before, most)];
    const isNaN = x !== x;
    rte[i] = isNaN ? 0x7e00 : (sign << 15) | Math.min(even, 0x7c00);
    rtz[i] = isNaN ? 0x7e00 : (sign << 15) | toZero;
    rtp[i] = isNaN ? 0x7e00 : (sign << 15) | (sign ? toZero : away);
    rtn[i] = isNaN ? 0x7e00 : (sign << 15) | (sign ? away : toZero);
  }
  return halves;
}

type Halves = Readonly<Record<Mode, Uint16Array>>;

/** The first that are wrong, in words. Which NaN there is no mode says. */
function wrong(bits: Uint32Array, wanted: Halves, got: Halves): string[] {
  const said: string[] = [];
  for (const mode of modes) {
    const [want, have] = [wanted[mode], got[mode]];
    for (let k = 0; k < bits.length && said.length < 8; k++) {
      if (have[k] === want[k] || (want[k] === 0x7e00 && (have[k]! & 0x7fff) > 0x7c00)) continue;
      said.push(`${mode} of ${bits[k]!.toString(16)} is ${have[k]!.toString(16)}, not ${want[k]!.toString(16)}`);
    }
  }
  return said;
}

/** Of both signs: each half, its middle to the next, and the floats beside them; past the greatest, the next would be 65536. */
function boundaries(): Uint32Array {
  const found: number[] = [];
  for (let half = 0; half < 0x7c00; half++) {
    const [mantissa, binade] = [half & 1023, half >> 10];
    const value = binade === 0 ? mantissa * 2 ** -24 : (1024 + mantissa) * 2 ** (binade - 25);
    const step = 2 ** (Math.max(binade, 1) - 25);
    for (const x of [value, value + step / 2]) {
      float[0] = x;
      const at = word[0]!;
      found.push(...(at > 0 ? [at - 1, at, at + 1] : [at, at + 1]));
    }
  }
  // The middle of the greatest half and 65536 stands there; 65536, the greatest float, infinity, NaNs, and the least floats.
  found.push(0x477fffff, 0x47800000, 0x47800001, 0x7f7fffff, 0x7f800000, 0x7f800001, 0x7fc00000, 0x7fffffff);
  found.push(0x007fffff, 0x00800000, 0x32ffffff, 0x33000000, 0x33000001);
  return Uint32Array.from([...found, ...found.map((x) => (x | 0x80000000) >>> 0)]);
}

const laneCount = 64;
/** Filled up to whole workgroups. */
const filled = (...parts: readonly Uint32Array[]): Uint32Array => {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const all = new Uint32Array(Math.ceil(length / laneCount) * laneCount);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
};
const strided = (step: number, first: number, count: number): Uint32Array => {
  const bits = new Uint32Array(count);
  for (let k = 0; k < count; k++) bits[k] = (first + k) * step;
  return bits;
};
const patterns = 2 ** 32;
const sample = filled(boundaries(), strided(163 * 97, 0, Math.ceil(patterns / (163 * 97))));
const halvesOfSample = halvesOf(sample);

const launchOf = (bits: Uint32Array) => ({
  workgroups: [bits.length / laneCount],
  workgroupSize: [laneCount],
  args: { bits, ...Object.fromEntries(modes.map((m) => [m, new Uint16Array(bits.length)])) },
});

async function simulated(
  text: string,
  from: TwoWayDialect,
  bits: Uint32Array = sample,
  wanted: Halves = halvesOfSample,
): Promise<void> {
  const { buffers, findings, diagnostics } = await simulate(text, { from, ...launchOf(bits) });
  expect([...diagnostics.filter((d) => d.severity === "error"), ...findings].map((d) => d.message)).toEqual([]);
  expect(wrong(bits, wanted, buffers as Halves)).toEqual([]);
}

async function translated(to: TwoWayDialect): Promise<string> {
  const { code, diagnostics } = await translate(kernel, { from: "opencl", to, workgroupSize: [laneCount, 1, 1] });
  expect(diagnostics.filter((d) => d.severity === "error").map((d) => d.message)).toEqual([]);
  return code!;
}

async function driven(device: "opencl" | "vulkan", text: string, from: TwoWayDialect): Promise<void> {
  const { buffers, diagnostics } = await runHere(text, { from, device, ...launchOf(sample) });
  expect(diagnostics.filter((d) => d.severity === "error").map((d) => d.message)).toEqual([]);
  expect(wrong(sample, halvesOfSample, buffers as Halves)).toEqual([]);
}

test("halves of the reference", () => {
  // 1, the middle to the next half, just above it, the greatest float that is not rounded to infinity, a quarter of the least half, the least float.
  const xs = [0x3f800000, 0x3f801000, 0x3f801001, 0x477fefff, 0x33000000, 1];
  const halves = (mode: Mode, sign: number) =>
    [...halvesOf(Uint32Array.from(xs, (x) => x | sign))[mode]].map((h) => h & 0x7fff);
  const down = [0x3c00, 0x3c00, 0x3c00, 0x7bff, 0, 0];
  const up = [0x3c00, 0x3c01, 0x3c01, 0x7c00, 1, 1];
  expect(halves("rte", 0)).toEqual([0x3c00, 0x3c00, 0x3c01, 0x7bff, 0, 0]);
  expect(halves("rtz", 1 << 31)).toEqual(down);
  expect([halves("rtp", 0), halves("rtp", 1 << 31)]).toEqual([up, down]);
  expect([halves("rtn", 0), halves("rtn", 1 << 31)]).toEqual([down, up]);
});

describe("by the simulator", () => {
  test("as written", () => simulated(kernel, "opencl"));
  test.each(["msl", "glsl", "hlsl"] as const)("in %s", async (to) => simulated(await translated(to), to));
  test.runIf(process.env["CROSSLANE_EVERY_97TH"] === "1")(
    "of every 97th pattern",
    async () => {
      const count = Math.ceil(patterns / 97);
      for (let first = 0; first < count; first += 1 << 20) {
        const bits = filled(strided(97, first, Math.min(1 << 20, count - first)));
        await simulated(kernel, "opencl", bits, halvesOf(bits));
      }
    },
    600_000,
  );
});

await deviceTest("opencl", "by PoCL", () => driven("opencl", kernel, "opencl"));
await deviceTest("vulkan", "by lavapipe, in GLSL", async () => driven("vulkan", await translated("glsl"), "glsl"));
