/** `verify --device`: the source and its translations on a real device, against the source in the simulator. */
import type { Compilation } from "../api/compile.js";
import { notTaken, verifyOnDevice, widthOn } from "../api/device.js";
import type { DeviceVerification } from "../api/device.js";
import { prepareVerification } from "../api/verify.js";
import { chooseEntry } from "../api/compile.js";
import type { DeviceConnection } from "../device/connection.js";
import type { DeviceReport } from "../caps/device-report.js";
import type { Target } from "../dialects/ids.js";
import { bindLaunch, entryOf } from "../launch/bind.js";
import { shapeOf } from "../launch/reflection.js";
import type { DeviceFlags } from "./device-options.js";
import { exitCodes } from "./exit-codes.js";
import type { Reporter } from "./report.js";
import type { ReadLaunch } from "./session.js";
import { shortOf, statementsRun } from "./coverage.js";
import { differenceLines } from "./show.js";
import { targetOptions } from "../build/translate-input.js";
import type { Terminal } from "./terminal.js";
import type { VerifyFlags } from "./verify-file.js";

export async function verifyOnDevices(
  compilation: Compilation,
  connection: DeviceConnection,
  targets: readonly Target[],
  flags: VerifyFlags & DeviceFlags,
  launch: ReadLaunch | undefined,
  device: DeviceReport | undefined,
  terminal: Terminal,
  reporter: Reporter,
): Promise<number> {
  const json = reporter.machine !== undefined;
  const { info } = connection;
  const place = `${info.api}:${info.index}`;
  reporter.show(compilation.diagnostics);
  if (!compilation.module) return reporter.end(exitCodes.errors);
  const chosen = chooseEntry(compilation, entryOf(launch?.launch, compilation.dialect, flags.entry));
  if ("diagnostic" in chosen) {
    reporter.show([chosen.diagnostic]);
    return reporter.end(exitCodes.errors);
  }
  const bound =
    launch &&
    bindLaunch(launch.launch, shapeOf(compilation.module, chosen.entry), {
      workgroupSize: flags.workgroupSize,
      files: launch.files,
    }).bound;
  const width = widthOn(info, chosen.entry, bound);
  const preparation = await prepareVerification(compilation, {
    entry: chosen.entry.name,
    launches: launch ? [launch] : [],
    workgroupSize: flags.workgroupSize,
    local: flags.local,
    subgroupSizes: [width],
    seeds: flags.seeds,
  });
  reporter.show(preparation.diagnostics);
  const { ready } = preparation;
  if (!ready) return reporter.end(exitCodes.errors);
  if (!json)
    terminal.out(
      `${ready.entry.name} in ${compilation.fileName} (${compilation.dialect}) on ${place}, ${info.name} (${info.driver}), subgroup width ${width}\n\n`,
    );

  const results: DeviceVerification[] = [];
  let code: number = preparation.expectationsFailed ? exitCodes.difference : exitCodes.done;
  const whats = ["source" as const, ...targets.filter((t) => t !== compilation.form)];
  for (const what of whats) {
    // A source no device takes is no failure: its translations are what is asked for.
    const takesSource = (info.languages as readonly string[]).includes(compilation.dialect);
    if (what === "source" && !takesSource) {
      if (!json) terminal.out(`${label(what)}  not run: ${notTaken(compilation, info).message}\n`);
      continue;
    }
    const options = targetOptions(
      flags,
      what === "source" ? undefined : what,
      launch?.launch,
      ready.entry.name,
      compilation,
      device,
    );
    const verification = await verifyOnDevice(ready, what, connection, {
      ...options,
      ...(flags.timeout ? { timeout: flags.timeout } : {}),
    });
    for (const [name, text] of verification.texts) reporter.sources.set(name, text);
    results.push(verification);
    const { result, translation } = verification.verified;
    reporter.show(translation?.diagnostics ?? []);
    reporter.show(
      verification.notHere ? result.diagnostics.map((d) => ({ ...d, severity: "note" as const })) : result.diagnostics,
    );
    if (!json) terminal.out(`${summary(verification, place).join("\n")}\n`);
    code = Math.max(code, codeOf(verification), shortOf(result, flags.requireCoverage));
  }
  const ran = results.filter((r) => r.verified.result.result !== "not-run").length;
  if (ran === 0 && code === exitCodes.done) {
    reporter.show([
      {
        severity: "error",
        code: "XL7010",
        message: `nothing of this kernel could be run on ${place}`,
        notes: [],
      },
    ]);
    code = exitCodes.errors;
  }
  const shown = results.map(({ what, notHere, compiler, verified }) => ({
    what,
    notHere,
    ...(compiler ? { compiler } : {}),
    ...verified.result,
  }));
  return reporter.end(code, { file: compilation.fileName, entry: ready.entry.name, device: info, results: shown });
}

const label = (what: DeviceVerification["what"]): string => what.padEnd("source".length);

function summary(
  { what, verified: { result, translation }, notHere, compiler }: DeviceVerification,
  place: string,
): string[] {
  const head = label(what);
  const by = compiler === undefined ? "" : `, compiled by ${compiler}`;
  switch (result.result) {
    case "equivalent":
    case "equivalent-where-run": {
      const bytes = result.runs.reduce((sum, r) => sum + r.compared.reduce((a, c) => a + c.bytes, 0), 0);
      return [
        `${head}  same as the simulator on ${result.runs.length} launch${result.runs.length === 1 ? "" : "es"}, ${bytes} bytes compared${by}${result.coverage ? `; ${statementsRun(result.coverage)}` : ""}`,
      ];
    }
    case "different":
      return [
        `${head}  different from the simulator${by}`,
        ...(result.firstDifference
          ? differenceLines(result.firstDifference, result.target).map(
              (l) =>
                `          ${l.replace(/^ {2}source {8}/, "  simulator     ").replace(new RegExp(`^  ${result.target}\\s*`), `  ${place.padEnd(14)}`)}`,
            )
          : []),
      ];
    case "inconclusive":
      return [
        `${head}  inconclusive: the source itself has a finding, depends on unspecified values, or a launch breaks an assumption`,
      ];
    case "refused":
    case "not-run":
      if (translation && !translation.output) return [`${head}  not run: ${result.target} refuses the source`];
      return [`${head}  not run${notHere ? `: ${result.diagnostics[0]?.message ?? "it cannot run here"}` : ""}`];
  }
}

function codeOf({ verified: { result, translation }, notHere }: DeviceVerification): number {
  if (translation && !translation.output) return exitCodes.errors;
  switch (result.result) {
    case "equivalent":
    case "equivalent-where-run":
      return exitCodes.done;
    case "different":
    case "refused":
      return exitCodes.difference;
    case "inconclusive":
      return exitCodes.findings;
    case "not-run":
      return notHere ? exitCodes.done : exitCodes.errors;
  }
}
