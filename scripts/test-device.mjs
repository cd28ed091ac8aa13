/**
 * `npm run test:device [device...] [suite...] [hlsl=dxc|dxil|glslang]`: all suites on whatever devices this machine has, as
 * built; ends with 1 where something is unexplained. With `hlsl=` the HLSL texts alone, compiled so.
 */
import { existsSync } from "node:fs";
import { findDevices } from "../dist/src/device/connection.js";
import { failureDiagnostics, openDevice } from "../dist/src/api/device.js";

const own = new URL("../test/device/suites.ts", import.meta.url);
const esbuild = new URL("../node_modules/esbuild/package.json", import.meta.url);
// On a machine with what is built and nothing else, as they were built.
if (existsSync(own) && existsSync(esbuild)) await (await import("./bundle-suites.mjs")).bundleSuites();
const { show, suites, summary, unexplained } = await import("../dist/test/device/suites.mjs");

const { devices, problems } = await findDevices(["opencl", "vulkan"]);
for (const p of problems)
  for (const d of failureDiagnostics(p)) console.log(`${d.message}${d.help ? ` (${d.help})` : ""}`);
const chosen = suites.filter((s) => process.argv.includes(s.name));
const hlslCompiler = process.argv.find((a) => a.startsWith("hlsl="))?.slice("hlsl=".length);
const asked = process.argv.slice(2).filter((a) => !suites.some((s) => s.name === a) && !a.startsWith("hlsl="));
const wanted = devices.filter(
  (d) => asked.length === 0 || asked.includes(d.api) || asked.includes(`${d.api}:${d.index}`),
);
if (wanted.length === 0) {
  console.log("no device to test on");
  process.exitCode = 1;
}
for (const { api, index, name, driver, version } of wanted) {
  console.log(`\n${api}:${index} ${name}, ${driver}, ${version}`);
  let connection;
  for (const suite of chosen.length > 0 ? chosen : suites) {
    const outcomes = [];
    for (const test of suite.cases()) {
      // A process that was ended because of one kernel is no reason to leave the others out.
      connection ??= onlyHlsl(await openDevice({ device: `${api}:${index}`, hlslCompiler }));
      const done = await suite.run(connection, test);
      outcomes.push(...done);
      if (done.some((o) => o.state === "failed" && (o.code === "XL7007" || o.code === "XL7008"))) {
        await connection.close();
        connection = undefined;
      }
    }
    console.log(`  ${suite.name}`);
    report(outcomes);
    if (unexplained(outcomes).length > 0) process.exitCode = 1;
  }
  await connection?.close();
}

function onlyHlsl(connection) {
  return hlslCompiler ? { ...connection, info: { ...connection.info, languages: ["hlsl"] } } : connection;
}

/** What stands against crosslane one by one; the rest by reason. */
function report(outcomes) {
  const against = new Set(unexplained(outcomes));
  for (const o of outcomes)
    if (against.has(o) || (process.env.VERBOSE && o.state !== "equal")) console.log(`    ${show(o)}`);
  const reasons = new Map();
  for (const o of outcomes) {
    const reason = o.explained
      ? `${o.state}, explained in docs/devices.md under '${o.explained}'`
      : o.state === "not-here"
        ? `not runnable here: ${o.message}`
        : undefined;
    if (reason) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  for (const [reason, count] of reasons) console.log(`    ${count} ${reason}`);
  console.log(`    ${summary(outcomes)}`);
}
