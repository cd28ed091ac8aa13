/**
 * Float arithmetic as inaccurate as a dialect grants it: a text that is right on every device is right with these routines in
 * place of the exact ones. What comes of the same operands is the same in all of a run, and depends on its seed.
 */
import type { Dialect } from "../dialects/ids.js";
import { accuracyOfFunction, leavesOpen, type Accuracy, type Algebra } from "../ops/accuracy.js";
import { fmaF16, fmaF32, roundF16 } from "../types/numeric.js";
import { machineOps } from "../ops/machine-ops.js";
import * as exactly from "./scalar-functions.js";

type Kind = "f32" | "f16";
/** Bounds of what may come, the exact result among it; `open`: anything may. */
interface Interval {
  readonly low: number;
  readonly high: number;
  readonly open: boolean;
}

const { abs, floor, log2, max, min } = Math;
const formats = {
  f32: { digits: 24, least: -126, round: Math.fround },
  f16: { digits: 11, least: -14, round: roundF16 },
} as const;

function ulpAt(kind: Kind, x: number): number {
  const { digits, least } = formats[kind];
  const exponent = x === 0 || !Number.isFinite(x) ? least : max(floor(log2(abs(x))), least);
  return 2 ** (exponent - digits + 1);
}

const everything: Interval = { low: -Infinity, high: Infinity, open: true };
const point = (x: number): Interval => (Number.isNaN(x) ? everything : { low: x, high: x, open: false });

/** Exact results in doubles; `exactly` rounds them to f32 as the simulator has them, which is too little here. */
const doubles: Readonly<Record<string, (...x: number[]) => number>> = {
  divide: (x, y) => x / y,
  reciprocal: (x) => 1 / x,
  rsqrt: (x) => 1 / Math.sqrt(x),
  exp2: (x) => 2 ** x,
  exp10: (x) => 10 ** x,
  pow: (x, y) => x ** y,
};
const exactOf = (name: string): ((...x: number[]) => number) =>
  doubles[name] ??
  (Math as unknown as Record<string, ((...x: number[]) => number) | undefined>)[name] ??
  (exactly as unknown as Record<string, (...x: number[]) => number>)[`f64_${name}`] ??
  ((): number => NaN);

/** Where a function of the table is neither rising nor falling. */
const waves: ReadonlySet<string> = new Set(["sin", "cos"]);

class Intervals implements Algebra<Interval> {
  constructor(
    private readonly dialect: Dialect,
    private readonly kind: Kind,
  ) {}

  private rounded(values: readonly number[], open: boolean): Interval {
    if (open) return everything;
    if (values.every((v) => Number.isNaN(v))) return this.special(NaN);
    if (values.some((v) => Number.isNaN(v))) return everything;
    const { round } = formats[this.kind];
    return { low: round(min(...values)), high: round(max(...values)), open: false };
  }
  private each(x: Interval, y: Interval, f: (x: number, y: number) => number): Interval {
    const values = [x.low, x.high].flatMap((a) => [y.low, y.high].map((b) => f(a, b)));
    return this.rounded(values, x.open || y.open);
  }

  number(x: number): Interval {
    return point(formats[this.kind].round(x));
  }
  add(x: Interval, y: Interval): Interval {
    return this.each(x, y, (a, b) => a + b);
  }
  sub(x: Interval, y: Interval): Interval {
    return this.each(x, y, (a, b) => a - b);
  }
  mul(x: Interval, y: Interval): Interval {
    return this.each(x, y, (a, b) => a * b);
  }

  f(name: string, ...args: Interval[]): Interval {
    if (args.some((x) => x.open)) return everything;
    const accuracy = accuracyOfFunction(name, this.dialect, this.kind) ?? { kind: "ulp", ulp: 0, growing: 0 };
    const exact = exactOf(name);
    const corners = args.reduce<number[][]>(
      (lists, x) =>
        lists.flatMap((l) =>
          x.low === x.high
            ? [[...l, x.low]]
            : [
                [...l, x.low],
                [...l, x.high],
              ],
        ),
      [[]],
    );
    // A divisor that may be 0, or have either sign.
    if (name === "divide" && args[1]!.low <= 0 && args[1]!.high >= 0 && args[1]!.low !== args[1]!.high)
      return everything;
    const parts = corners.map((c) => this.at(accuracy, c, exact(...c)));
    const low = min(...parts.map((p) => p.low));
    const high = max(...parts.map((p) => p.high));
    const open = parts.some((p) => p.open);
    if (open) return everything;
    if (Number.isNaN(low)) return { low, high, open };
    return waves.has(name)
      ? { low: max(low - width(args[0]!), -2), high: min(high + width(args[0]!), 2), open }
      : { low, high, open };
  }

  private at(accuracy: Accuracy, args: readonly number[], exact: number): Interval {
    if (accuracy.kind !== "inherited" && !args.every((x) => Number.isFinite(x))) return this.special(exact);
    switch (accuracy.kind) {
      case "anything":
        return everything;
      case "ulp": {
        if (!Number.isFinite(exact)) return this.special(exact);
        // What vanished has no digits.
        if (formats[this.kind].round(exact) === 0) return point(formats[this.kind].round(exact));
        // Beyond that an exponential is 0 or infinite.
        const size = accuracy.growing === 0 ? 0 : min(abs(args[0]!), mostDigits);
        const error = (accuracy.ulp + accuracy.growing * size) * ulpAt(this.kind, exact);
        const { low, high } = this.off(exact, error);
        // What is lost is a part of the result: its sign is not.
        return exact >= 0 && !Object.is(exact, -0)
          ? { low: max(low, 0), high, open: false }
          : { low, high: min(high, -0), open: false };
      }
      case "absolute":
        return Number.isFinite(exact) ? this.off(exact, accuracy.error) : this.special(exact);
      case "within": {
        const x = abs(args[accuracy.operand]!);
        const inside = x === 0 || (x >= accuracy.low && x <= accuracy.high);
        return this.at(inside ? accuracy.inside : accuracy.outside, args, exact);
      }
      case "inherited":
        return accuracy.formula<Interval>(this, ...args.map(point));
    }
  }

  private special(exact: number): Interval {
    if (!Number.isNaN(exact)) return point(exact);
    return leavesOpen(this.dialect, "specialsOpen") ? everything : { low: NaN, high: NaN, open: false };
  }

  /** The exact result may itself be rounded either way. */
  private off(exact: number, error: number): Interval {
    const { round } = formats[this.kind];
    const [a, b] = [round(exact - error), round(exact + error)];
    const nearest = round(exact);
    return { low: min(a, nearest), high: max(b, nearest), open: false };
  }
}

const mostDigits = 128;
const width = (x: Interval): number => x.high - x.low;

const view = new DataView(new ArrayBuffer(8));
function hashOf(seed: number, name: string, args: readonly number[]): number {
  let h = Math.imul(seed + 1, 0x9e3779b1);
  const mix = (w: number): void => {
    h = Math.imul(h ^ w, 0x85ebca6b);
    h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35) ^ (h >>> 16);
  };
  for (let i = 0; i < name.length; i++) mix(name.charCodeAt(i));
  for (const x of args) {
    view.setFloat64(0, x);
    mix(view.getUint32(0));
    mix(view.getUint32(4));
  }
  return h >>> 0;
}

/** Bounds of what a dialect grants; `low > high` never, and `open` where it may be anything. */
export function grantedRange(
  name: string,
  dialect: Dialect,
  kind: Kind,
  args: readonly number[],
): { readonly low: number; readonly high: number; readonly open: boolean } {
  return new Intervals(dialect, kind).f(name, ...args.map((x) => ({ low: x, high: x, open: false })));
}

const odd = [0, -1, 1e10, NaN, Infinity, -3.5e-3, 1];

/** One of the results that are granted: the ends most of the time. */
function chosen(
  name: string,
  dialect: Dialect,
  kind: Kind,
  args: readonly number[],
  seed: number,
  plain: number,
): number {
  if (args.some((x) => Number.isNaN(x))) return plain;
  const range = grantedRange(name, dialect, kind, args);
  if (Number.isNaN(range.low)) return plain;
  const h = hashOf(seed, name, args);
  if (range.open) return odd[h % odd.length]!;
  if (range.low === range.high) return Object.is(range.low, plain) || range.low !== plain ? range.low : plain;
  const end = h % 5;
  if (end < 2) return range.low;
  if (end < 4) return range.high;
  return formats[kind].round(range.low + (range.high - range.low) * ((h >>> 8) / 2 ** 24));
}

/** The routines in place of the runtime's; floats of 64 bits stay as they are. */
export function grantedRoutines(dialect: Dialect, seed: number): Readonly<Record<string, unknown>> {
  const routines: Record<string, unknown> = {};
  const flushes = seed % 2 === 1;
  for (const kind of ["f32", "f16"] as const) {
    const { least, round } = formats[kind];
    const flushed = (x: number): number =>
      flushes && kind === "f32" && abs(x) < 2 ** least ? (x < 0 || Object.is(x, -0) ? -0 : 0) : x;
    const result = (x: number): number => {
      const r = flushed(round(x));
      return Number.isNaN(r) ? NaN : r;
    };
    routines[`${kind}_add`] = (x: number, y: number): number => result(flushed(x) + flushed(y));
    routines[`${kind}_sub`] = (x: number, y: number): number => result(flushed(x) - flushed(y));
    routines[`${kind}_mul`] = (x: number, y: number): number => result(flushed(x) * flushed(y));
    const by =
      (name: string, plain: (...x: number[]) => number) =>
      (...given: number[]): number => {
        const args = given.map(flushed);
        return result(chosen(name, dialect, kind, args, seed, plain(...args)));
      };
    routines[`${kind}_div`] = by("divide", (x, y) => round(x / y));
    routines[`${kind}_sqrt`] = by("sqrt", (x) => round(Math.sqrt(x)));
    for (const { name, result: type } of machineOps) {
      if (type !== "T" || name === "sqrt" || accuracyOfFunction(name, dialect, kind) === undefined) continue;
      const plain = (exactly as unknown as Record<string, (...x: number[]) => number>)[`${kind}_${name}`];
      if (plain) routines[`${kind}_${name}`] = by(name, plain);
    }
    if (leavesOpen(dialect, "fusionOpen")) {
      const once = kind === "f32" ? fmaF32 : fmaF16;
      // SPIR-V's Fract is x - floor(x), kept below 1 or not.
      const below = { f32: exactly.f32_fract, f16: exactly.f16_fract }[kind];
      routines[`${kind}_fract`] = (given: number): number => {
        const x = flushed(given);
        return hashOf(seed, "fract", [x]) & 1 ? below(x) : result(x - floor(x));
      };
      routines[`${kind}_fma`] = (x: number, y: number, z: number): number =>
        hashOf(seed, "fma", [x, y, z]) & 1 ? once(x, y, z) : result(round(x * y) + z);
    }
  }
  return routines;
}
