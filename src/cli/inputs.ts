/** The inputs a command line names: files, globs and standard input. */
import { existsSync, statSync } from "node:fs";
import { basename, dirname, extname, relative, resolve, sep } from "node:path";
import { dialectOfExtension, dialectOfFile, shownName, type SourceInput } from "../build/files.js";
import type { SourceDialect } from "../dialects/ids.js";
import { UsageError } from "./usage-error.js";

/** Files and globs in the order given, each file once. A pattern without files is wrong usage. */
export async function findInputs(
  patterns: readonly string[],
  from: SourceDialect | undefined,
  cwd: string,
): Promise<SourceInput[]> {
  const inputs = new Map<string, SourceInput>();
  for (const pattern of patterns) {
    if (pattern === "-") {
      if (from === undefined) throw new UsageError("standard input needs --from");
      inputs.set("-", { name: "<stdin>", stem: "kernel", folder: "", dialect: from });
      continue;
    }
    const literal = resolve(cwd, pattern);
    const found = existsSync(literal) ? [literal] : await expand(pattern, literal, cwd);
    if (found.length === 0) throw new UsageError(`no file fits '${pattern}'`);
    for (const path of found) {
      const dialect = from ?? dialectOfFile(path);
      const name = shownName(path, cwd);
      if (dialect === undefined) {
        if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) {
          const kernels = `${pattern.replace(/\/$/, "")}/**/*{${Object.keys(dialectOfExtension).join(",")}}`;
          throw new UsageError(`'${pattern}' is a folder`, `name its kernels, e.g. '${kernels}'`);
        }
        throw new UsageError(
          `the dialect of '${name}' does not show in its name`,
          `say it with --from, or use one of ${Object.keys(dialectOfExtension).join(" ")}`,
        );
      }
      inputs.set(path, { name, path, stem: basename(path, extname(path)), folder: "", dialect });
    }
  }
  return withFolders([...inputs.values()]);
}

function withFolders(inputs: readonly SourceInput[]): SourceInput[] {
  const named = new Map<string, number>();
  for (const i of inputs) named.set(i.stem, (named.get(i.stem) ?? 0) + 1);
  const folders = inputs.flatMap((i) => (i.path === undefined ? [] : [dirname(i.path).split(sep)]));
  const shared = folders.reduce(
    (a, b) => a.slice(0, a.findIndex((part, at) => part !== b[at]) >>> 0),
    folders[0] ?? [],
  );
  return inputs.map((i) =>
    i.path !== undefined && named.get(i.stem)! > 1
      ? { ...i, folder: relative(shared.join(sep) || sep, dirname(i.path)) }
      : i,
  );
}

async function expand(pattern: string, literal: string, cwd: string): Promise<string[]> {
  const { glob, isDynamicPattern } = await import("tinyglobby");
  if (!isDynamicPattern(pattern)) return [literal];
  return (await glob([pattern.split(sep).join("/")], { cwd, absolute: true, onlyFiles: true })).sort();
}
