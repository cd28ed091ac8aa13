/**
 * Every fixture on a device: each source the device takes, and the translations of every source into what it takes,
 * compared with the simulator at the device's own subgroup width. The parts of crosslane are handed in: the tests run
 * them from their sources, `npm run test:device` as built, on machines that have nothing else.
 */
import { readFileSync, readdirSync } from "node:fs";
import { explanationOf } from "./explained.mjs";

const fixtures = new URL("../../fixtures/", import.meta.url);
export const sourceFiles = {
  msl: "kernel.metal",
  glsl: "kernel.comp",
  opencl: "kernel.cl",
  hlsl: "kernel.hlsl",
};

export const fixtureNames = () =>
  readdirSync(fixtures, { withFileTypes: true })
    .filter((e) => e.isDirectory() && e.name !== "errors")
    .map((e) => e.name)
    .sort();

/**
 * One outcome per kernel and text: `equal`, `different`, `not-here` (the device lacks something), `failed`, `refused`
 * (the target does not take the source). `explained`: why a difference or failure is none of crosslane's.
 */
export async function runFixture(crosslane, connection, fixture) {
  const {
    compile,
    entryOf,
    parseLaunchFile,
    prepareVerification,
    targetOptions,
    verifyOnDevice,
    widthOn,
    bindLaunch,
    shapeOf,
    usesSubgroups,
  } = crosslane;
  const files = readdirSync(new URL(`${fixture}/`, fixtures));
  const launchFiles = files.filter((f) => f === "launch.json" || f.endsWith(".launch.json")).sort();
  const { info } = connection;
  const outcomes = [];
  for (const [dialect, file] of Object.entries(sourceFiles)) {
    if (!files.includes(file)) continue;
    const source = readFileSync(new URL(`${fixture}/${file}`, fixtures), "utf8");
    const compilation = await compile(source, { from: dialect, fileName: `fixtures/${fixture}/${file}` });
    const names = compilation.module?.entries.map((e) => e.name) ?? [];
    if (!compilation.module)
      outcomes.push({
        fixture,
        from: dialect,
        what: "source",
        state: "failed",
        message: compilation.diagnostics[0]?.message,
      });
    for (const launchFile of launchFiles) {
      const { launch } = parseLaunchFile(
        readFileSync(new URL(`${fixture}/${launchFile}`, fixtures), "utf8"),
        launchFile,
      );
      const name = entryOf(launch, dialect);
      if (name === undefined || !names.includes(name)) continue;
      const entry = compilation.module.entries.find((e) => e.name === name);
      const { bound } = bindLaunch(launch, shapeOf(compilation.module, entry));
      const width = widthOn(info, entry, bound);
      const { ready, diagnostics } = await prepareVerification(compilation, {
        entry: name,
        launches: [{ launch }],
        subgroupSizes: [width],
        seeds: 1,
      });
      if (!ready) {
        outcomes.push({
          fixture,
          from: dialect,
          what: "source",
          state: "failed",
          message: diagnostics[0]?.message,
        });
        continue;
      }
      // A device without subgroups runs kernels that use them through workgroup memory.
      const emulated = !info.subgroups && usesSubgroups(compilation.module);
      const whats = [
        ...(info.languages.includes(dialect) ? ["source"] : []),
        ...info.languages.filter((l) => l !== dialect || emulated),
      ];
      for (const what of whats) {
        const options = targetOptions(
          { local: {}, strict: false, ...(emulated ? { emulateSubgroups: width, targetProfile: "opencl1.2" } : {}) },
          what === "source" ? undefined : what,
          launch,
          name,
          compilation,
        );
        const verification = await verifyOnDevice(ready, what, connection, options);
        const text = what === "source" ? source : (verification.verified.translation?.output?.code ?? "");
        const outcome = {
          fixture,
          from: dialect,
          entry: name,
          what,
          language: what === "source" ? dialect : what,
          width,
          ...judge(verification),
        };
        const explained =
          outcome.state === "different" || outcome.state === "failed"
            ? explanationOf(outcome, text, info)
            : undefined;
        outcomes.push({ ...outcome, ...(explained ? { explained } : {}) });
      }
    }
  }
  return outcomes;
}

function judge({ verified: { result, translation }, notHere }) {
  const first = result.diagnostics.find((d) => d.severity === "error") ?? result.diagnostics[0];
  const said = [first?.message, ...(first?.notes ?? []).map((n) => n.message)].filter(Boolean).join(": ");
  if (result.result === "equivalent")
    return {
      state: "equal",
      bytes: result.runs.reduce((sum, r) => sum + r.compared.reduce((a, c) => a + c.bytes, 0), 0),
    };
  if (result.result === "different" && result.firstDifference) {
    const { buffer, index, source, translation: device, count } = result.firstDifference;
    return {
      state: "different",
      message: `${buffer}[${index}] is ${device.value}, in the simulator ${source.value}; ${count} differ`,
      values: [Number(source.value), Number(device.value)],
      count,
    };
  }
  if (translation && !translation.output)
    return { state: "refused", message: translation.diagnostics[0]?.message };
  if (result.result === "not-run")
    return { state: notHere ? "not-here" : "failed", code: first?.code, message: said };
  return { state: "failed", code: first?.code, message: said || result.result };
}

export const show = (o) =>
  `${o.fixture} ${o.from}${o.what === "source" ? "" : ` -> ${o.what}`}${o.entry && o.entry !== "main" ? ` (${o.entry})` : ""}: ${o.state}${o.message ? `: ${o.message}` : ""}${o.explained ? ` [${o.explained}]` : ""}`;

/** What stands against crosslane: differences and failures nobody can explain. */
export const unexplained = (outcomes) =>
  outcomes.filter((o) => (o.state === "different" || o.state === "failed") && !o.explained);

export function summary(outcomes) {
  const count = (state) => outcomes.filter((o) => o.state === state).length;
  const ran = count("equal") + count("different");
  const explained = outcomes.filter((o) => o.explained).length;
  return `ran ${ran}, equal ${count("equal")}, different ${count("different")}, not runnable here ${count("not-here")}, failed ${count("failed")}, refused by the target ${count("refused")}; ${explained} of the different and failed are explained in docs/devices.md`;
}
