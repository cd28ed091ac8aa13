/** One input of a command or a build: read with what it asks for, and compiled. */
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { compile } from "../api/compile.js";
import type { Compilation, CompileOptions } from "../api/compile.js";
import type { IncludedFile, IncludeFunction, MissingInclude, SpecValues } from "../api/types.js";
import type { ClStd, HlslVersion } from "../dialects/language.js";
import { filesOf } from "../launch/bind.js";
import type { LaunchFiles } from "../launch/bind.js";
import { listedArrays } from "../launch/listed-arrays.js";
import { parseLaunchFile } from "../launch/launch-file.js";
import type { LaunchFile } from "../launch/launch-file.js";
import type { Diagnostic } from "../support/diagnostics.js";
import { readMacros } from "./defines-file.js";
import type { FileLook, FileView, Reads } from "./file-view.js";
import { decode, decodeSource, fileProblem, reasonOfCode, shownName } from "./files.js";
import type { ReadSource, SourceInput } from "./files.js";
import { foldersWith } from "./include-folders.js";

/** How a source is read; of the command line or a config. Paths are relative to the folder of the command or the config. */
export interface SourceSettings {
  readonly entry?: string;
  readonly hlslVersion?: HlslVersion;
  readonly enable16bitTypes?: boolean;
  readonly clStd?: ClStd;
  readonly keepUnused?: boolean;
  readonly define: Readonly<Record<string, string>>;
  /** Files of macros. */
  readonly defines: readonly string[];
  readonly prelude: readonly string[];
  readonly includeDir: readonly string[];
  /** What sources are in that have no mark: a label of the Encoding Standard; without it UTF-8. */
  readonly encoding?: string;
  /** Values of specialisation constants. */
  readonly spec?: SpecValues;
  /** How many there are of arrays of buffers without a length. */
  readonly arrayLength?: Readonly<Record<string, number>>;
  /** Counts where the text leaves it to specialisation. */
  readonly workgroupSize?: readonly number[];
}

export interface Session {
  readonly source: ReadSource;
  readonly options: CompileOptions;
}

/** A result, or what is wrong. */
export type Opened<T> = { readonly value: T } | { readonly diagnostics: readonly Diagnostic[] };

/** Reads a source; `given` is its text where it comes from no file. */
export function openSource(
  input: SourceInput,
  settings: SourceSettings,
  folder: string,
  reads: Reads,
  given?: Uint8Array,
): Opened<Session> {
  const source = readText(input, reads, given, settings.encoding);
  if ("severity" in source) return { diagnostics: [source] };
  reads.texts.set(source.name, source.text);
  const fromFiles: Record<string, string> = {};
  for (const file of settings.defines) {
    const defines = readMacros(file, folder, reads);
    if ("severity" in defines) return { diagnostics: [defines] };
    Object.assign(fromFiles, defines.macros);
  }
  return {
    value: {
      source,
      options: {
        from: source.dialect,
        fileName: source.name,
        // What is said on the command line itself comes last.
        defines: { ...fromFiles, ...settings.define },
        ...(settings.prelude.length > 0 ? { prelude: settings.prelude } : {}),
        include: includeReader(input, settings, folder, reads),
        ...(settings.spec && Object.keys(settings.spec).length > 0 ? { spec: settings.spec } : {}),
        ...(settings.arrayLength && Object.keys(settings.arrayLength).length > 0
          ? { arrayLength: settings.arrayLength }
          : {}),
        ...(settings.workgroupSize ? { workgroupSize: settings.workgroupSize } : {}),
        ...(settings.entry !== undefined ? { entry: settings.entry } : {}),
        ...(settings.keepUnused ? { keepUnused: true } : {}),
        ...(settings.hlslVersion !== undefined ? { hlslVersion: settings.hlslVersion } : {}),
        ...(settings.enable16bitTypes ? { enable16bitTypes: true } : {}),
        ...(settings.clStd !== undefined ? { clStd: settings.clStd } : {}),
      },
    },
  };
}

/** With what a launch says of specialisation constants and of the workgroup's size; the command line comes last. */
export function withLaunch(session: Session, launch: ReadLaunch | undefined): Session {
  const { spec, workgroupSize } = launch?.launch ?? {};
  const { options } = session;
  return {
    ...session,
    options: {
      ...options,
      ...(launch ? { listedArrays: listedArrays(launch.launch.arguments.map((a) => a.key)) } : {}),
      ...(spec ? { spec: { ...spec, ...options.spec } } : {}),
      ...(workgroupSize && !options.workgroupSize ? { workgroupSize } : {}),
    },
  };
}

export function compileSession({ source, options }: Session): Promise<Compilation> {
  return compile(source.text, options);
}

/** The text of a source, whatever its bytes are; a file that cannot be read is a diagnostic. */
function readText(
  input: SourceInput,
  reads: Reads,
  given: Uint8Array | undefined,
  encoding: string | undefined,
): ReadSource | Diagnostic {
  const look = input.path === undefined ? undefined : reads.look(input.path);
  const bytes = look ? look.bytes : given;
  if (bytes === undefined) return unreadable(input.name, look);
  return { ...input, text: decodeSource(bytes, encoding) };
}

export function unreadable(name: string, look: FileLook | undefined): Diagnostic {
  return fileProblem("XL8002", `'${name}' cannot be read: ${reasonOfCode(look?.problem ?? "ENOENT")}`);
}

/**
 * Includes below the file's folder, the -I folders and those of preludes, and nowhere else: a kernel of unknown origin does not get
 * to read other files. Preludes themselves are files that the user names. `reads` remembers what was looked at, also where nothing
 * was: a file that appears there would be read instead.
 */
function includeReader(
  input: SourceInput,
  { includeDir, prelude, encoding }: Pick<SourceSettings, "includeDir" | "prelude" | "encoding">,
  folder: string,
  reads: Reads,
): IncludeFunction {
  const own = input.path === undefined ? folder : dirname(input.path);
  const roots = [own, ...includeDir.map((f) => resolve(folder, f)), ...prelude.map((f) => dirname(resolve(folder, f)))];
  const take = (path: string, bytes: Uint8Array): IncludedFile => {
    const text = decodeSource(bytes, encoding);
    const name = shownName(path, folder);
    reads.texts.set(name, text);
    return { name, text };
  };
  return (path, from) => {
    if (from === undefined) {
      const file = resolve(folder, path);
      const { bytes } = reads.look(file);
      return bytes && take(file, bytes);
    }
    if (isAbsolute(path)) return undefined;
    const beside = from === input.name ? own : resolve(folder, dirname(from));
    let outside: string | undefined;
    for (const place of [beside, ...roots]) {
      const candidate = resolve(place, path);
      const look = reads.look(candidate);
      // Links are followed before the place is checked.
      if (look.bytes === undefined) continue;
      if (roots.some((root) => isBelow(look.real, reads.view.real(root)))) return take(candidate, look.bytes);
      outside ??= outsideOf(candidate, look.real, reads.view, folder);
    }
    return outside === undefined ? missing(path, folder) : { refused: outside };
  };
}

/** A file that stands below the working folder, in none of those that are looked in. */
function missing(path: string, folder: string): MissingInclude | undefined {
  const [first, ...rest] = foldersWith(path, folder);
  if (first === undefined) return undefined;
  const others = rest.length === 0 ? "" : `, and ${rest.length === 1 ? "another" : `${rest.length} others`} elsewhere`;
  return {
    missing: `there is ${shownName(join(folder, first, path), folder)}${others}: -I ${first} finds it; ${inConfig}`,
  };
}

const inConfig = "a build's config has includeDirs";

function outsideOf(path: string, real: string, view: FileView, folder: string): string {
  const link = real !== join(view.real(dirname(path)), basename(path));
  const lies = link ? `is a link to ${shownName(real, folder)}, which lies` : "lies";
  const own = shownName(dirname(link ? real : path), folder) || ".";
  return `${shownName(path, folder)} ${lies} outside the folders that files are included from; -I ${own} adds its own; ${inConfig}`;
}

export function isBelow(path: string, folder: string): boolean {
  const inside = relative(folder, path);
  return inside !== "" && !inside.startsWith("..") && !isAbsolute(inside);
}

export interface ReadLaunch {
  readonly launch: LaunchFile;
  readonly files: LaunchFiles;
  readonly path: string;
}

/** The launch file asked for, or `<stem>.launch.json`, else `launch.json` beside the kernel; absent where there is none. */
export function openLaunchFile(
  input: SourceInput,
  asked: string | undefined,
  folder: string,
  reads: Reads,
): Opened<ReadLaunch> | undefined {
  const near = input.path === undefined ? undefined : dirname(input.path);
  const candidates =
    asked !== undefined
      ? [resolve(folder, asked)]
      : near === undefined
        ? []
        : [join(near, `${input.stem}.launch.json`), join(near, "launch.json")];
  const looks = candidates.map((path) => () => reads.look(path));
  for (const lookAt of looks) {
    const look = lookAt();
    if (asked === undefined && look.state === "-") continue;
    const name = shownName(look.path, folder);
    if (look.bytes === undefined) return { diagnostics: [unreadable(name, look)] };
    const text = decode(look.bytes);
    if (text === undefined) return { diagnostics: [fileProblem("XL8002", `'${name}' is not a text in UTF-8`)] };
    reads.texts.set(name, text);
    const { launch, diagnostics } = parseLaunchFile(text, name);
    if (launch === undefined) return { diagnostics };
    return { value: { launch, files: readLaunchFiles(look.path, filesOf(launch), reads), path: look.path } };
  }
  return undefined;
}

/** Raw files a launch names, read beside the launch file and nowhere else. */
function readLaunchFiles(launch: string, paths: readonly string[], reads: Reads): LaunchFiles {
  const folder = dirname(launch);
  const files = new Map<string, Uint8Array | { readonly problem: string }>();
  for (const path of paths) {
    const full = resolve(folder, path);
    if (isAbsolute(path) || !isBelow(full, folder)) {
      files.set(path, { problem: `'${path}' does not lie beside the launch file` });
      continue;
    }
    const look = reads.look(full);
    if (look.bytes === undefined)
      files.set(path, { problem: `'${path}' cannot be read: ${reasonOfCode(look.problem ?? "ENOENT")}` });
    else if (!isBelow(look.real, reads.view.real(folder)))
      files.set(path, { problem: `'${path}' leads away from the launch file's folder` });
    else files.set(path, look.bytes);
  }
  return files;
}
