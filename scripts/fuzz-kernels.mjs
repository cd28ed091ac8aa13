/**
 * `node scripts/fuzz-kernels.mjs [--seed n] [--cases n] [--jobs n] [--minutes n] [--out summary.json]`: the suite `kernels` of
 * test/fuzz without compilers and drivers, on as many cores as wanted, as built; ends with 1 where something is wrong. Needs
 * Node and what is built, and nothing else.
 */
import { existsSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";

const given = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    cases: { type: "string", default: "1000" },
    jobs: { type: "string", default: String(availableParallelism()) },
    minutes: { type: "string", default: "Infinity" },
    out: { type: "string" },
  },
}).values;
const [first, cases, jobs, minutes] = ["seed", "cases", "jobs", "minutes"].map((k) => Number(given[k]));
if (!(first >= 0 && cases > 0 && jobs > 0 && minutes > 0)) throw new Error("numbers above zero");

const own = new URL("../test/fuzz/kernels/shard.ts", import.meta.url);
const esbuild = new URL("../node_modules/esbuild/package.json", import.meta.url);
if (existsSync(own) && existsSync(esbuild)) await (await import("./bundle-suites.mjs")).bundleShard();

const started = performance.now();
const failures = [];
const counts = { kernels: 0, translations: 0, refused: {}, kinds: {} };
let next = first;
const count = (of, key) => void (of[key] = (of[key] ?? 0) + 1);
const over = () => next >= first + cases || performance.now() - started > minutes * 60_000;

await Promise.all(
  Array.from({ length: Math.min(jobs, cases) }, () => {
    const worker = new Worker(new URL("../dist/test/fuzz/kernels.mjs", import.meta.url));
    return new Promise((resolve, reject) => {
      const hand = () => (over() ? resolve(worker.terminate()) : worker.postMessage(next++));
      worker.on("error", reject);
      worker.on("message", ({ kind, from, refused, translations, failure }) => {
        counts.kernels++;
        counts.translations += translations;
        count(counts.kinds, `${kind}, ${from}`);
        for (const r of refused) count(counts.refused, r);
        if (failure) {
          failures.push(failure);
          console.log(`seed ${failure.seed}: ${failure.what}`);
        }
        if (counts.kernels % 500 === 0) console.log(`${counts.kernels} kernels, ${failures.length} failures`);
        hand();
      });
      hand();
    });
  }),
);
failures.sort((a, b) => a.seed - b.seed);
const seconds = Math.round((performance.now() - started) / 1000);
const summary = { first, next, ...counts, failures, seconds, jobs };
if (given.out) writeFileSync(given.out, `${JSON.stringify(summary, undefined, 1)}\n`);
console.log(
  `${counts.kernels} kernels, ${counts.translations} translations, ${failures.length} failures, ${seconds} s, next seed ${next}`,
);
process.exitCode = failures.length > 0 ? 1 : 0;
