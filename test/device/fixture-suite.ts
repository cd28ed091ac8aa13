/**
 * Every fixture on a device: each source the device takes, and the translations of every source into what it takes,
 * compared with the simulator at the device's own subgroup width.
 */
import { readFileSync, readdirSync } from "node:fs";
import { compile } from "../../src/api/compile.js";
import { verifyOnDevice, widthOn } from "../../src/api/device.js";
import type { DeviceVerification } from "../../src/api/device.js";
import { prepareVerification } from "../../src/api/verify.js";
import { usesSubgroups } from "../../src/ast/subgroups.js";
import { targetOptions } from "../../src/build/translate-input.js";
import type { DeviceConnection } from "../../src/device/connection.js";
import { twoWayDialects } from "../../src/dialects/ids.js";
import { bindLaunch, entryOf } from "../../src/launch/bind.js";
import { parseLaunchFile } from "../../src/launch/launch-file.js";
import { shapeOf } from "../../src/launch/reflection.js";
import { explained } from "./explained.js";
import { faultsOf } from "./faults.js";
import type { Outcome, Suite } from "./outcomes.js";
import { timeout } from "./texts.js";

const fixtures = new URL("../../fixtures/", import.meta.url);
const sourceFiles = { msl: "kernel.metal", glsl: "kernel.comp", opencl: "kernel.cl", hlsl: "kernel.hlsl" };

const fixtureNames = (): string[] =>
  readdirSync(fixtures, { withFileTypes: true })
    .filter((e) => e.isDirectory() && e.name !== "errors")
    .map((e) => e.name)
    .sort();

async function runFixture(connection: DeviceConnection, fixture: string): Promise<Outcome[]> {
  const files = readdirSync(new URL(`${fixture}/`, fixtures));
  const launchFiles = files.filter((f) => f === "launch.json" || f.endsWith(".launch.json")).sort();
  const { info } = connection;
  const faults = await faultsOf(connection);
  const outcomes: Outcome[] = [];
  for (const dialect of twoWayDialects) {
    const file = sourceFiles[dialect];
    if (!files.includes(file)) continue;
    const source = readFileSync(new URL(`${fixture}/${file}`, fixtures), "utf8");
    const compilation = await compile(source, { from: dialect, fileName: `fixtures/${fixture}/${file}` });
    const { module } = compilation;
    const failed = (message: string | undefined): void => {
      outcomes.push({
        name: fixture,
        from: dialect,
        what: "source",
        language: dialect,
        state: "failed",
        ...(message ? { message } : {}),
      });
    };
    if (!module) {
      failed(compilation.diagnostics[0]?.message);
      continue;
    }
    for (const launchFile of launchFiles) {
      const text = readFileSync(new URL(`${fixture}/${launchFile}`, fixtures), "utf8");
      const { launch } = parseLaunchFile(text, launchFile);
      const name = launch && entryOf(launch, dialect);
      const entry = module.entries.find((e) => e.name === name);
      if (!launch || !entry) continue;
      const { bound } = bindLaunch(launch, shapeOf(module, entry));
      const width = widthOn(info, entry, bound);
      const { ready, diagnostics } = await prepareVerification(compilation, {
        entry: entry.name,
        launches: [{ launch }],
        subgroupSizes: [width],
        seeds: 1,
      });
      if (!ready) {
        failed(diagnostics[0]?.message);
        continue;
      }
      // A device without subgroups runs kernels that use them through workgroup memory.
      const emulated = !info.subgroups && usesSubgroups(module);
      const whats = [
        ...((info.languages as readonly string[]).includes(dialect) ? (["source"] as const) : []),
        ...info.languages.filter((l) => l !== dialect || emulated),
      ];
      for (const what of whats) {
        const flags = {
          local: {},
          strict: false,
          ...(emulated ? { emulateSubgroups: width, targetProfile: "opencl1.2" } : {}),
        } as const;
        const options = targetOptions(
          {
            ...flags,
            ...(what === "hlsl" && connection.hlslCompiler === "dxil" ? { targetProfile: "sm6.4" } : {}),
          } as unknown as Parameters<typeof targetOptions>[0],
          what === "source" ? undefined : what,
          launch,
          entry.name,
          compilation,
        );
        const verification = await verifyOnDevice(ready, what, connection, { ...options, timeout });
        const ran = what === "source" ? source : (verification.verified.translation?.output?.code ?? "");
        outcomes.push(
          explained(
            {
              name: entry.name === "main" ? fixture : `${fixture} (${entry.name})`,
              from: dialect,
              what,
              language: what === "source" ? dialect : what,
              ...(connection.hlslCompiler ? { compiler: connection.hlslCompiler } : {}),
              ...judge(verification),
            },
            ran,
            info,
            faults,
          ),
        );
      }
    }
  }
  return outcomes;
}

function judge({
  verified: { result, translation },
  notHere,
}: DeviceVerification): Pick<Outcome, "state" | "code" | "message"> {
  const first = result.diagnostics.find((d) => d.severity === "error") ?? result.diagnostics[0];
  const said = [first?.message, ...(first?.notes ?? []).map((n) => n.message)].filter(Boolean).join(": ");
  // What no launch comes to is asked of fixtures in test/simulate.test.ts.
  if (result.result === "equivalent" || result.result === "equivalent-where-run") return { state: "equal" };
  if (result.result === "different" && result.firstDifference) {
    const { buffer, index, source, translation: device, count } = result.firstDifference;
    return {
      state: "different",
      message: `${buffer}[${index}] is ${device.value}, in the simulator ${source.value}; ${count} differ`,
    };
  }
  if (translation && !translation.output) return { state: "refused", message: translation.diagnostics[0]?.message };
  if (result.result === "not-run") return { state: notHere ? "not-here" : "failed", code: first?.code, message: said };
  return { state: "failed", code: first?.code, message: said || result.result };
}

export const fixtureSuite: Suite = { name: "fixtures", cases: fixtureNames, run: runFixture };
