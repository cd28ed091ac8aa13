/** One input of a command: read, and compiled with the flags of the command line. */
import { compile } from "../api/compile.js";
import type { Compilation } from "../api/compile.js";
import type { SourceOptions } from "../api/types.js";
import { filesOf } from "../launch/bind.js";
import type { LaunchFiles } from "../launch/bind.js";
import { parseLaunchFile } from "../launch/launch-file.js";
import type { LaunchFile } from "../launch/launch-file.js";
import { readDefinesFile } from "./defines-file.js";
import { findLaunch, includeReader, readLaunchFiles, readSource } from "../build/files.js";
import type { ReadSource, SourceInput } from "../build/files.js";
import type { SourceFlags } from "./options.js";
import type { Reporter } from "./report.js";
import type { Terminal } from "./terminal.js";

export interface Session {
  readonly source: ReadSource;
  readonly options: SourceOptions;
}

/** Reads a source; reports and gives nothing where that fails. */
export async function open(
  input: SourceInput,
  flags: SourceFlags,
  terminal: Terminal,
  reporter: Reporter,
): Promise<Session | undefined> {
  const source = await readSource(input, terminal.readStandardInput);
  if ("severity" in source) {
    reporter.show([source]);
    return undefined;
  }
  reporter.sources.set(source.name, source.text);
  const include = includeReader(input, flags, terminal.cwd, reporter.sources);
  const fromFiles: Record<string, string> = {};
  for (const file of flags.defines) {
    const defines = await readDefinesFile(file, terminal.cwd, reporter.sources);
    if ("severity" in defines) {
      reporter.show([defines]);
      return undefined;
    }
    Object.assign(fromFiles, defines.macros);
  }
  return {
    source,
    options: {
      from: source.dialect,
      fileName: source.name,
      // What is said on the command line itself comes last.
      defines: { ...fromFiles, ...flags.define },
      ...(flags.prelude.length > 0 ? { prelude: flags.prelude } : {}),
      include,
      ...(flags.entry !== undefined ? { entry: flags.entry } : {}),
      ...(flags.keepUnused ? { keepUnused: true } : {}),
      ...(flags.hlslVersion !== undefined ? { hlslVersion: flags.hlslVersion } : {}),
    },
  };
}

export function compileSession({ source, options }: Session): Promise<Compilation> {
  return compile(source.text, options);
}

export interface ReadLaunch {
  readonly launch: LaunchFile;
  readonly files: LaunchFiles;
  readonly path: string;
}

/** The launch file asked for or found; "wrong" where it has errors, which are reported. */
export async function openLaunch(
  input: SourceInput,
  asked: string | undefined,
  terminal: Terminal,
  reporter: Reporter,
): Promise<ReadLaunch | "wrong" | undefined> {
  const found = await findLaunch(input, asked, terminal.cwd);
  if (found === undefined) return undefined;
  if ("severity" in found) {
    reporter.show([found]);
    return "wrong";
  }
  reporter.sources.set(found.name, found.text);
  const { launch, diagnostics } = parseLaunchFile(found.text, found.name);
  reporter.show(diagnostics);
  if (launch === undefined) return "wrong";
  return { launch, files: await readLaunchFiles(found, filesOf(launch)), path: found.path };
}
