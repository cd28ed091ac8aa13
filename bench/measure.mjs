/** Timing for the benchmarks: things to compare take turns, round by round; medians are reported. */
import { performance } from "node:perf_hooks";

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

export const geometricMean = (values) => Math.exp(values.reduce((s, v) => s + Math.log(v), 0) / values.length);

/** Seconds one call takes. */
export async function seconds(run) {
  const start = performance.now();
  await run();
  return (performance.now() - start) / 1000;
}

/**
 * Runs each candidate once a round, in turn, and returns the median per name. A candidate returns the seconds it
 * measured itself, or nothing to be timed from outside; null says that it cannot run here.
 */
export async function inTurn(candidates, rounds = 5) {
  const samples = Object.fromEntries(Object.keys(candidates).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, run] of Object.entries(candidates)) {
      let own;
      const outside = await seconds(async () => {
        own = await run(round);
      });
      if (own === null) samples[name] = null;
      else samples[name]?.push(own ?? outside);
    }
  }
  return Object.fromEntries(Object.entries(samples).map(([name, s]) => [name, s && s.length ? median(s) : undefined]));
}

/** A plain table: columns as wide as their widest cell, numbers to the right. */
export function table(header, rows) {
  const cells = [header, ...rows].map((row) => row.map((c) => (c === undefined ? "-" : String(c))));
  const widths = header.map((_, i) => Math.max(...cells.map((row) => row[i].length)));
  const line = (row) => row.map((c, i) => (i === 0 ? c.padEnd(widths[i]) : c.padStart(widths[i]))).join("  ");
  return [line(cells[0]), widths.map((w) => "-".repeat(w)).join("  "), ...cells.slice(1).map(line)].join("\n");
}

export const fixed = (value, digits = 2) => (value === undefined ? undefined : value.toFixed(digits));
