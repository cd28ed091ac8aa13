/** Reading sources and launch files, and writing outputs that are never half there. */
import { randomUUID } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { mkdir, readFile, realpath, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, extname, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { SourceDialect, Target } from "../dialects/ids.js";
import { factsOf } from "../dialects/languages.js";
import type { IncludedFile, IncludeFunction } from "../api/types.js";
import type { Code } from "../support/codes.js";
import type { Diagnostic } from "../support/diagnostics.js";
import { own } from "../support/own.js";

export const dialectOfExtension: Readonly<Record<string, SourceDialect>> = {
  ".metal": "msl",
  ".msl": "msl",
  ".comp": "glsl",
  ".glsl": "glsl",
  ".cl": "opencl",
  ".clcpp": "opencl",
  ".ocl": "opencl",
  ".hlsl": "hlsl",
  ".compute": "hlsl",
};

export const extensionOf = (target: Target): string => factsOf(target)?.extension ?? "ts";

/** The dialect that shows in a file's name. */
export const dialectOfFile = (path: string): SourceDialect | undefined =>
  own(dialectOfExtension, extname(path).toLowerCase());

/** A source as the command line names it. */
export interface SourceInput {
  /** As shown in diagnostics: relative to where the command runs. */
  readonly name: string;
  /** Absent for standard input. */
  readonly path?: string;
  /** Name without folder and extension. */
  readonly stem: string;
  /** Below the output folder: where inputs have one name, the folder of each below the one they share; else "". */
  readonly folder: string;
  readonly dialect: SourceDialect;
}

export interface ReadSource extends SourceInput {
  readonly text: string;
}

/** A problem of the command line's own, as a diagnostic. */
export function fileProblem(code: Code, message: string, help?: string): Diagnostic {
  return { severity: "error", code, message, notes: [], ...(help ? { help } : {}) };
}

export function shownName(path: string, cwd: string): string {
  const near = relative(cwd, path);
  return near === "" || near.startsWith(`..${sep}..${sep}..`) || isAbsolute(near) ? path : near;
}

/** The text of a source; a file that is no UTF-8 text is a diagnostic. */
export async function readSource(
  input: SourceInput,
  readStandardInput: () => Promise<Uint8Array>,
): Promise<ReadSource | Diagnostic> {
  let bytes: Uint8Array;
  try {
    if (input.path !== undefined && statSync(input.path).size > largestSource) {
      return fileProblem("XL8002", `'${input.name}' is larger than ${largestSource / 2 ** 20} MiB`);
    }
    bytes = input.path === undefined ? await readStandardInput() : await readFile(input.path);
  } catch (error) {
    return fileProblem("XL8002", `'${input.name}' cannot be read: ${reasonOf(error)}`);
  }
  const text = decode(bytes);
  return text === undefined ? fileProblem("XL8002", `'${input.name}' is not a text in UTF-8`) : { ...input, text };
}

/** Beyond this a file is not even read; the front end's own limit is lower and says so with a place. */
const largestSource = 64 * 2 ** 20;

export function decode(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Why a file operation failed, without the path of the machine. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
  const known: Readonly<Record<string, string>> = {
    ENOENT: "there is no such file",
    EACCES: "access is not allowed",
    EPERM: "the operation is not allowed",
    EISDIR: "it is a folder",
    ENOTDIR: "part of its path is no folder",
    ENOSPC: "the disk is full",
    EROFS: "the file system is read-only",
  };
  return (code && known[code]) ?? code ?? String(error);
}

/**
 * Includes below the file's folder, the -I folders and those of preludes, and nowhere else: a kernel of unknown origin does not get
 * to read other files. Preludes themselves are files that the user names. `texts` remembers what was read, for code frames.
 */
export function includeReader(
  input: SourceInput,
  { includeDir, prelude }: { readonly includeDir: readonly string[]; readonly prelude: readonly string[] },
  cwd: string,
  texts: Map<string, string>,
): IncludeFunction {
  const own = input.path === undefined ? cwd : dirname(input.path);
  const roots = [own, ...includeDir.map((f) => resolve(cwd, f)), ...prelude.map((f) => dirname(resolve(cwd, f)))];
  const asked = async (path: string): Promise<IncludedFile | undefined> => {
    const file = resolve(cwd, path);
    if (!existsSync(file) || !statSync(file).isFile() || statSync(file).size > largestSource) return undefined;
    const text = decode(await readFile(file));
    if (text === undefined) return undefined;
    const name = shownName(file, cwd);
    texts.set(name, text);
    return { name, text };
  };
  return async (path, from) => {
    if (from === undefined) return asked(path);
    if (isAbsolute(path)) return undefined;
    const beside = from === input.name ? own : resolve(cwd, dirname(from));
    for (const folder of [beside, ...roots]) {
      const candidate = resolve(folder, path);
      if (!existsSync(candidate) || !statSync(candidate).isFile()) continue;
      // Links are followed before the place is checked.
      const real = await realpath(candidate);
      const allowed = await Promise.all(
        roots.map(async (root) => isBelow(real, await realpath(root).catch(() => root))),
      );
      if (!allowed.includes(true)) continue;
      if (statSync(real).size > largestSource) continue;
      const text = decode(await readFile(real));
      if (text === undefined) continue;
      const name = shownName(candidate, cwd);
      texts.set(name, text);
      return { name, text };
    }
    return undefined;
  };
}

function isBelow(path: string, folder: string): boolean {
  const inside = relative(folder, path);
  return inside !== "" && !inside.startsWith("..") && !isAbsolute(inside);
}

export interface LaunchInput {
  readonly name: string;
  readonly path: string;
  readonly text: string;
}

/** The launch file asked for, or `<stem>.launch.json`, else `launch.json` beside the kernel. */
export async function findLaunch(
  input: SourceInput,
  asked: string | undefined,
  cwd: string,
): Promise<LaunchInput | Diagnostic | undefined> {
  const folder = input.path === undefined ? cwd : dirname(input.path);
  const candidates =
    asked === undefined
      ? [join(folder, `${input.stem}.launch.json`), join(folder, "launch.json")]
      : [resolve(cwd, asked)];
  if (asked === undefined && input.path === undefined) return undefined;
  for (const path of candidates) {
    if (asked === undefined && !existsSync(path)) continue;
    const name = shownName(path, cwd);
    try {
      const text = decode(await readFile(path));
      return text === undefined ? fileProblem("XL8002", `'${name}' is not a text in UTF-8`) : { name, path, text };
    } catch (error) {
      return fileProblem("XL8002", `'${name}' cannot be read: ${reasonOf(error)}`);
    }
  }
  return undefined;
}

/** Raw files a launch names, read beside the launch file and nowhere else. */
export async function readLaunchFiles(
  launch: Pick<LaunchInput, "path">,
  paths: readonly string[],
): Promise<Map<string, Uint8Array | { readonly problem: string }>> {
  const folder = dirname(launch.path);
  const files = new Map<string, Uint8Array | { readonly problem: string }>();
  for (const path of paths) {
    const full = resolve(folder, path);
    if (isAbsolute(path) || !isBelow(full, folder)) {
      files.set(path, { problem: `'${path}' does not lie beside the launch file` });
      continue;
    }
    try {
      const real = await realpath(full);
      files.set(
        path,
        isBelow(real, await realpath(folder))
          ? await readFile(real)
          : { problem: `'${path}' leads away from the launch file's folder` },
      );
    } catch (error) {
      files.set(path, { problem: `'${path}' cannot be read: ${reasonOf(error)}` });
    }
  }
  return files;
}

export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch {
    return undefined;
  }
}

/** To a temporary name beside it, then renamed: a reader sees the old file or the new one. */
export async function writeAtomically(path: string, text: string | Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const temporary = join(dirname(path), `.${basename(path)}.${randomUUID().slice(0, 8)}.tmp`);
  try {
    await writeFile(temporary, text);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** The same file under two names counts as one. */
export async function sameFile(a: string, b: string): Promise<boolean> {
  if (a === b) return true;
  const [x, y] = await Promise.all([realpath(a).catch(() => a), realpath(b).catch(() => b)]);
  return x === y;
}
