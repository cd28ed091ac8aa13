/** Every fixture, compiled and translated once per test process, with the settings its launch files give. */
import { languageFacts } from "../../src/dialects/languages.js";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { compile } from "../../src/api/compile.js";
import type { Compilation } from "../../src/api/compile.js";
import { translateTo } from "../../src/api/translate.js";
import type { Translation } from "../../src/api/translate.js";
import { targetOptions } from "../../src/build/translate-input.js";
import { targets } from "../../src/dialects/ids.js";
import type { Target } from "../../src/dialects/ids.js";
import type { LegalizeOptions } from "../../src/passes/index.js";
import { renderDiagnostic } from "../../src/support/render.js";
import { entryOf } from "../../src/launch/bind.js";
import { parseLaunchFile } from "../../src/launch/launch-file.js";
import type { LaunchFile } from "../../src/launch/launch-file.js";
import { dialectsOf, fixtureNames, fixturesFolder, launchFilesOf, readSource, sourceFile } from "./expectations.js";
import type { TwoWayDialect } from "./expectations.js";

/** A kernel of a fixture in one dialect, with the launch that is for it. */
export interface FixtureKernel {
  readonly fixture: string;
  readonly dialect: TwoWayDialect;
  readonly entry: string;
  readonly launch: LaunchFile;
  readonly launchFile: string;
}

export const extensionOf = (target: Target): string => (target === "ts" ? "ts" : languageFacts[target].extension);

const compilations = new Map<string, Promise<Compilation>>();
export function compiled(fixture: string, dialect: TwoWayDialect): Promise<Compilation> {
  const key = `${fixture}/${dialect}`;
  let found = compilations.get(key);
  if (!found) {
    found = compile(readSource(fixture, dialect), {
      from: dialect,
      fileName: sourceFile(fixture, dialect),
    });
    compilations.set(key, found);
  }
  return found;
}

export function readLaunchFile(fixture: string, file: string): LaunchFile {
  const { launch, diagnostics } = parseLaunchFile(readFileSync(join(fixturesFolder, fixture, file), "utf8"), file);
  if (!launch) throw new Error(diagnostics.map((d) => d.message).join("; "));
  return launch;
}

/** The kernels of a fixture in a dialect: one per launch file whose entry the source has. */
export async function kernelsOf(fixture: string, dialect: TwoWayDialect): Promise<FixtureKernel[]> {
  const { module } = await compiled(fixture, dialect);
  const names = module?.entries.map((e) => e.name) ?? [];
  const kernels = launchFilesOf(fixture).flatMap((launchFile) => {
    const launch = readLaunchFile(fixture, launchFile);
    const entry = entryOf(launch, dialect);
    return entry !== undefined && names.includes(entry) ? [{ fixture, dialect, entry, launch, launchFile }] : [];
  });
  // A test that runs over none of them would pass.
  if (kernels.length === 0) throw new Error(`no launch file of ${fixture} names a kernel of its ${dialect} source`);
  return kernels;
}

const translations = new Map<string, Promise<Translation>>();
/** One kernel for one target. */
export function translated(kernel: FixtureKernel, target: Target): Promise<Translation> {
  const { fixture, dialect, entry, launch } = kernel;
  const key = `${fixture}/${dialect}/${entry}/${target}`;
  let found = translations.get(key);
  if (!found) {
    found = compiled(fixture, dialect).then((compilation) => {
      const options = targetOptions({ local: {}, strict: false }, target, launch, entry, compilation);
      return translateTo(compilation, target, { ...options, entry });
    });
    translations.set(key, found);
  }
  return found;
}

/** Sources of all fixtures. */
export const sources: readonly { readonly fixture: string; readonly dialect: TwoWayDialect }[] = fixtureNames().flatMap(
  (fixture) => dialectsOf(fixture).map((dialect) => ({ fixture, dialect })),
);

/** What a launch file settles for passes. */
export function settledBy(launch: LaunchFile): Pick<LegalizeOptions, "workgroupSize" | "local"> {
  const [x = 1, y = 1, z = 1] = launch.workgroupSize ?? [];
  return {
    ...(launch.workgroupSize ? { workgroupSize: [x, y, z] } : {}),
    local: Object.fromEntries(launch.arguments.flatMap((a) => (a.kind === "workgroup" ? [[a.key, a.bytes]] : []))),
  };
}

export { targets };

export function explain(fixture: string, dialect: TwoWayDialect, diagnostics: Translation["diagnostics"]): string {
  return diagnostics.map((d) => renderDiagnostic(d, () => readSource(fixture, dialect))).join("\n\n");
}
