/** `npm run fuzz`: see scripts/fuzz.mjs, which sets the variables. */
import { expect, test } from "vitest";
import { describeFailure, type FuzzFailure } from "./suite.js";
import { suites } from "./suites.js";

const chosen = (process.env["FUZZ_SUITES"] ?? "").split(",").filter((s) => s !== "");
const first = Number(process.env["FUZZ_SEED"] ?? 1);
const wanted = Number(process.env["FUZZ_CASES"] ?? 1000);
const minutes = Number(process.env["FUZZ_MINUTES"] ?? Infinity);
/** Cases between two looks at the clock. */
const batch = 50;
/** More of one kind tell nothing new. */
const most = 20;

for (const suite of suites.filter((s) => chosen.length === 0 || chosen.includes(s.name))) {
  test(suite.name, async () => {
    const missing = suite.missing();
    if (missing.length > 0) throw new Error(`${suite.name} needs ${missing.join(", ")}`);
    const started = performance.now();
    const failures: FuzzFailure[] = [];
    const refused = new Map<string, number>();
    let cases = 0;
    let seed = first;
    for (; seed < first + wanted && failures.length < most; seed += batch) {
      if (performance.now() - started > minutes * 60_000) break;
      const outcome = await suite.run(seed, Math.min(batch, first + wanted - seed));
      cases += outcome.cases;
      failures.push(...outcome.failures);
      for (const [what, n] of outcome.refused ?? []) refused.set(what, (refused.get(what) ?? 0) + n);
    }
    console.log(
      `${suite.name}: ${String(cases)} cases, ${String(failures.length)} failures, next seed ${String(seed)}`,
    );
    for (const [what, n] of [...refused].sort((a, b) => b[1] - a[1]))
      console.log(`  refused ${String(n)} times: ${what}`);
    expect(failures.slice(0, most).map((f) => describeFailure(suite, f))).toEqual([]);
  });
}
