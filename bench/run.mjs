/**
 * `npm run bench [parse] [translate] [cli] [many] [build] [sim] [data] [checks] [threads] [verification]`: ratios against the peers that are installed, medians of rounds taken in
 * turn. Nothing here is a test: machines are noisy, read the ratios.
 */
import { execFileSync } from "node:child_process";
import { cpus } from "node:os";
import { benchThreads, benchVerification } from "./threads.mjs";
import { benchBuild } from "./build.mjs";
import { benchData } from "./data.mjs";
import { benchCommandLine, benchManyFiles, benchParsing, benchTranslation } from "./translation.mjs";
import { benchChecks, benchRunCommand, benchSimulator } from "./simulator.mjs";

const parts = {
  parse: ["Parsing a 200 kB file, warm", benchParsing],
  translate: ["Translation in process, warm", benchTranslation],
  cli: ["Cold command line", benchCommandLine],
  many: ["One command for many files", benchManyFiles],
  build: ["Builds of 500 kernels", benchBuild],
  sim: ["Simulator, warm, bounds checks on", benchSimulator],
  data: ["Kernels of data: translation, and simulator, warm, bounds checks on", benchData],
  checks: ["Simulator, warm: what each check costs", benchChecks],
  threads: ["Simulator, warm: one launch in several threads", benchThreads],
  verification: ["Verification, warm, its runs in several threads", benchVerification],
  run: ["Whole command: simulator and PoCL", benchRunCommand],
};

function commit() {
  try {
    return execFileSync("git", ["rev-parse", "--short", "HEAD"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return "unknown";
  }
}

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in parts));
if (unknown.length > 0) {
  console.error(`no such part: ${unknown.join(", ")}; parts are ${Object.keys(parts).join(", ")}`);
  process.exit(2);
}
console.log(
  `${cpus()[0]?.model ?? "unknown processor"} x ${cpus().length}, Node ${process.version}, commit ${commit()}`,
);
for (const [name, [title, run]] of Object.entries(parts)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  console.log(`\n${title}\n`);
  console.log(await run());
}
