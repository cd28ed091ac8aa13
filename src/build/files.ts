/** Files as commands and builds name them, and what is said of them. */
import { extname, isAbsolute, relative, sep } from "node:path";
import type { SourceDialect, Target } from "../dialects/ids.js";
import { factsOf } from "../dialects/languages.js";
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
  ".clc++": "opencl",
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

/** UTF-8, or UTF-16 where the text begins with its mark (Encoding Standard, section 6); undefined where it is no such text. */
export function decode(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder(markedEncoding(bytes) ?? "utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}

/** The text of a kernel: in what its mark says, else in `encoding`. U+FFFD stands for what is no character of it, which is warned of. */
export const decodeSource = (bytes: Uint8Array, encoding = "utf-8"): string =>
  new TextDecoder(markedEncoding(bytes) ?? encoding).decode(bytes);

const marks: readonly (readonly [string, readonly number[]])[] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];
const markedEncoding = (bytes: Uint8Array): string | undefined =>
  marks.find(([, mark]) => mark.every((byte, i) => bytes[i] === byte))?.[0];

/** Why it is no label of the Encoding Standard (section 4.2) that Node knows. */
export function encodingProblem(label: string): string | undefined {
  try {
    new TextDecoder(label);
    return undefined;
  } catch {
    return `there is no encoding '${label}'`;
  }
}

/** Why a file operation failed, without the path of the machine. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
  return code === undefined ? String(error) : reasonOfCode(code);
}

export function reasonOfCode(code: string): string {
  const known: Readonly<Record<string, string>> = {
    ENOENT: "there is no such file",
    EACCES: "access is not allowed",
    EPERM: "the operation is not allowed",
    EISDIR: "it is a folder",
    EEXIST: "part of its path is no folder",
    ENOTDIR: "part of its path is no folder",
    ENOSPC: "the disk is full",
    EROFS: "the file system is read-only",
    EDQUOT: "the quota of the disk is used up",
    ENAMETOOLONG: "its name is too long",
    ELOOP: "its links lead in a circle",
    LARGE: "it is larger than 64 MiB",
  };
  return known[code] ?? code;
}
