/**
 * `npm run test:device [device...] [suite...]`: all suites on whatever devices this machine has, as built; ends with 1
 * where something is unexplained.
 */
import { usesSubgroups } from "../dist/src/ast/subgroups.js";
import { findDevices } from "../dist/src/device/connection.js";
import { compile } from "../dist/src/api/compile.js";
import { failureDiagnostics, openDevice, verifyOnDevice, widthOn } from "../dist/src/api/device.js";
import { prepareVerification } from "../dist/src/api/verify.js";
import { targetOptions } from "../dist/src/cli/target-options.js";
import { bindLaunch, entryOf } from "../dist/src/verify/bind.js";
import { parseLaunchFile } from "../dist/src/verify/launch-file.js";
import { shapeOf } from "../dist/src/verify/reflection.js";
import { show, summary, unexplained } from "../test/device/suite.mjs";
import { suites } from "../test/device/suites.mjs";

const crosslane = {
  bindLaunch,
  compile,
  entryOf,
  parseLaunchFile,
  prepareVerification,
  shapeOf,
  targetOptions,
  usesSubgroups,
  verifyOnDevice,
  widthOn,
};
const { devices, problems } = await findDevices(["opencl", "vulkan"]);
for (const p of problems)
  for (const d of failureDiagnostics(p)) console.log(`${d.message}${d.help ? ` (${d.help})` : ""}`);
const chosen = suites.filter((s) => process.argv.includes(s.name));
const asked = process.argv.slice(2).filter((a) => !suites.some((s) => s.name === a));
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
      connection ??= await openDevice({ device: `${api}:${index}` });
      const done = await suite.run(crosslane, connection, test);
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

function report(outcomes) {
  for (const o of outcomes)
    if (o.state !== "equal" && o.state !== "refused" && (o.state !== "not-here" || process.env.VERBOSE))
      console.log(`    ${show(o)}`);
  const reasons = new Map();
  for (const o of outcomes)
    if (o.state === "not-here") reasons.set(o.message, (reasons.get(o.message) ?? 0) + 1);
  for (const [message, count] of reasons) console.log(`    ${count} not here: ${message}`);
  console.log(`    ${summary(outcomes)}`);
}
