/** `npm run fuzz -- [suite...] [--seed n] [--cases n] [--minutes n]`: the suites of test/fuzz, longer than the tests run them. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Command, InvalidArgumentError } from "commander";

const count = (text) => {
  const n = Number(text);
  if (!(n > 0)) throw new InvalidArgumentError("a number above zero");
  return n;
};
const program = new Command("npm run fuzz --")
  .argument("[suites...]", "names of suites (test/fuzz/suites.ts); all without one")
  .option("--seed <n>", "the first seed", count, 1)
  .option("--cases <n>", "cases of each suite", count, 1000)
  .option("--minutes <n>", "end each suite after about this time", count)
  .parse();
const { seed, cases, minutes } = program.opts();
const { status } = spawnSync(
  process.execPath,
  ["node_modules/vitest/vitest.mjs", "run", "--config", "vitest.fuzz.config.ts"],
  {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    stdio: "inherit",
    env: {
      ...process.env,
      FUZZ_SUITES: program.args.join(","),
      FUZZ_SEED: String(seed),
      FUZZ_CASES: String(cases),
      ...(minutes ? { FUZZ_MINUTES: String(minutes) } : {}),
    },
  },
);
process.exit(status ?? 1);
