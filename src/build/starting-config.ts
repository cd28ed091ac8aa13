/** The config that `crosslane init` writes. */
import { sep } from "node:path";
import { glob } from "tinyglobby";
import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { targetDialects } from "../dialects/ids.js";
import type { SourceDialect, TargetDialect } from "../dialects/ids.js";
import { languageFacts } from "../dialects/languages.js";
import { defaultOut } from "./config-shape.js";
import { dialectOfExtension, dialectOfFile } from "./files.js";
import { foldersWith } from "./include-folders.js";
import { localSizes } from "./local-sizes.js";
import { hasMarker } from "./marker.js";

export interface FoundKernels {
  /** A glob for each folder and extension that has some. */
  readonly patterns: readonly string[];
  readonly count: number;
  readonly dialects: readonly SourceDialect[];
  /** Some differ in their extension alone. */
  readonly alike: boolean;
  /** Where files are that the kernels include, and that do not lie beside what includes them. */
  readonly includeDirs: readonly string[];
  /** Bytes of workgroup memory that kernels leave to the launch, by file. */
  readonly local: ReadonlyMap<string, Readonly<Record<string, number>>>;
}

/** Invocations of a workgroup, where nothing says how many. */
const guessedSize = 64;

/** The kernels below a folder, as few patterns as say it: the first folder of their paths, and their extensions. */
export async function findKernels(folder: string): Promise<FoundKernels> {
  const extensions = Object.keys(dialectOfExtension).map((e) => e.slice(1));
  const files = await glob([`**/*.{${extensions.join(",")}}`], {
    cwd: folder,
    onlyFiles: true,
    ignore: ["**/node_modules/**", "**/.*/**"],
    expandDirectories: false,
  });
  const own = files
    .map((f) => f.split(sep).join("/"))
    .filter((f) => !hasMarker(readFileSync(join(folder, f))))
    .sort();
  const groups = new Map<string, Set<string>>();
  const [fromFirst, whole] = [own.map(belowFirst), own.map(stemOf)].map((names) => new Set(names).size);
  for (const file of own) {
    const [first, ...rest] = file.split("/");
    // Outputs have their inputs' folders below that of the pattern.
    const base = fromFirst! < whole! ? "**/" : rest.length === 0 ? "" : `${escape(first!)}/**/`;
    const extension = file.slice(file.lastIndexOf(".") + 1);
    groups.set(base, (groups.get(base) ?? new Set()).add(extension));
  }
  const patterns = [...groups].map(
    ([base, found]) => `${base}*.${found.size === 1 ? [...found][0]! : `{${[...found].sort().join(",")}}`}`,
  );
  const dialects = [...new Set(own.map((f) => dialectOfFile(f)!))].sort();
  const includeDirs = foldersOfIncludes(own, folder);
  const inputs = own.map((name) => ({
    name,
    stem: posix.parse(name).name,
    folder: "",
    dialect: dialectOfFile(name)!,
  }));
  const local = targetsFor(dialects).some(statesSizes)
    ? await localSizes(inputs, folder, includeDirs, guessedSize)
    : new Map<string, never>();
  return { patterns, count: own.length, dialects, alike: whole! < own.length, includeDirs, local };
}

const stemOf = (file: string): string => file.slice(0, file.lastIndexOf("."));
const belowFirst = (file: string): string => stemOf(file).slice(file.indexOf("/") + 1);
const statesSizes = (d: TargetDialect): boolean => languageFacts[d].statesSizes;

/**
 * Folders that kernels need besides their own for what they include, for what that includes, and so on: those that have files which
 * lie beside nothing that asks for them, and of files above a kernel's folder the one that has both.
 */
function foldersOfIncludes(kernels: readonly string[], folder: string): string[] {
  const searched = new Set<string>();
  const above = new Set<string>();
  const includes = cached((file) => includesOf(join(folder, file)));
  const found = cached((path) => foldersWith(path, folder)[0]);
  const exists = cached((path) => existsSync(join(folder, path)));
  const groups = new Map<string, string[]>();
  for (const kernel of kernels) {
    const own = posix.dirname(kernel);
    groups.set(own, [...(groups.get(own) ?? []), kernel]);
  }
  for (const [own, files] of groups) {
    // A set goes on to what is added.
    const seen = new Set(files);
    for (const file of seen)
      for (const path of includes(file)) {
        const beside = posix.join(posix.dirname(file), path);
        if (exists(beside)) {
          seen.add(beside);
          if (!beside.startsWith("../") && ![own, ...searched, ...above].some((f) => isIn(beside, f)))
            above.add(commonFolder(own, beside));
          continue;
        }
        const where = found(path);
        if (where === undefined) continue;
        searched.add(where);
        seen.add(posix.join(where, path));
      }
  }
  const wide = [...above].filter((f) => ![...searched, ...above].some((other) => other !== f && isIn(f, other)));
  return [...new Set([...searched, ...wide])].sort();
}

const includesOf = (path: string): string[] =>
  [...readText(path).matchAll(/^[ \t]*#[ \t]*include[ \t]+["<]([^">\n]+)[">]/gm)].map(([, included]) => included!);

const isIn = (path: string, folder: string): boolean => folder === "." || path.startsWith(`${folder}/`);

function commonFolder(folder: string, path: string): string {
  const parts = path.split("/");
  const own = folder.split("/");
  const differ = own.findIndex((part, i) => part !== parts[i]);
  return own.slice(0, differ === -1 ? own.length : differ).join("/") || ".";
}

function cached<T>(make: (key: string) => T): (key: string) => T {
  const kept = new Map<string, T>();
  return (key) => {
    if (!kept.has(key)) kept.set(key, make(key));
    return kept.get(key)!;
  };
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** A name of a folder in a pattern stands for itself. */
const escape = (name: string): string => name.replace(/[\\*?[\]{}()!+@|]/g, "\\$&");

/** Targets that the kernels are not written in already; all where they are written in each. */
function targetsFor(dialects: readonly SourceDialect[]): readonly TargetDialect[] {
  const others = targetDialects.filter((d) => !(dialects as readonly string[]).includes(d));
  return others.length === 0 ? targetDialects : others;
}

export function startingConfig({ patterns, count, dialects, alike, includeDirs, local }: FoundKernels): string {
  const text = (value: unknown): string => JSON.stringify(value);
  const targets = targetsFor(dialects);
  const sizeWanted = (count === 0 || dialects.some((d) => !statesSizes(d))) && targets.some(statesSizes);
  const found =
    count === 0
      ? "No kernels were found here: .metal, .comp, .cl and .hlsl files are some."
      : `${count} kernel file${count === 1 ? " was" : "s were"} found here.`;
  const inputs = (count === 0 ? ["kernels/**/*.{metal,comp,cl,hlsl}"] : patterns).map(text).join(", ");
  return `{
  "$schema": "./node_modules/crosslane/schema/crosslane.config.schema.json",

  // ${found} Globs are relative to this file; what crosslane wrote is never an input.
  "inputs": [${inputs}],
  // "exclude": ["**/old/**"],

  // What to write of each: msl, glsl, opencl, hlsl, ts. An object has settings of its own:
  //   { "target": "hlsl", "profile": "sm6.0", "out": "shaders/{name}.hlsl", "verify": true }
  "targets": ${text(targets).replaceAll(",", ", ")},

  // Where it goes: {target}, {profile}, {from}, {dir}, {name}, {entry}, {ext}.
  "out": "${alike ? defaultOut.replace("{dir}", "{from}/{dir}") : defaultOut}",

  // How sources are read.
  // "defines": { "TILE": 16, "FAST": true },
  ${includeDirs.length > 0 ? `"includeDirs": ${text(includeDirs).replaceAll(",", ", ")},` : '// "includeDirs": ["include"],'}

  // Metal and OpenCL C leave the size of workgroups to the launch; GLSL and HLSL want it in the text: ${guessedSize} is a guess, and a
  // kernel that states its own keeps it. What is launched has to be of this size then.
  ${sizeWanted ? "" : "// "}"workgroupSize": [${guessedSize}],

  // Run source and translation on the same inputs first, and write only what computes the same.
  // "verify": true,

  // Settings of single kernels, by file or glob.
${kernelSettings(local)}
}
`;
}

/** Those that the kernels cannot be written without. */
function kernelSettings(local: FoundKernels["local"]): string {
  if (local.size === 0)
    return '  // "kernels": { "reduce.metal": { "workgroupSize": [256], "local": { "scratch": 1024 } } }';
  const lines = [...local].map(([file, sizes]) => {
    const members = Object.entries(sizes).map(([path, bytes]) => `${JSON.stringify(path)}: ${bytes}`);
    // A pattern without a folder fits in every one.
    const pattern = `${file.includes("/") ? "" : "./"}${escape(file)}`;
    return `    ${JSON.stringify(pattern)}: { "local": { ${members.join(", ")} } },\n`;
  });
  return `  // Their workgroup memory is sized at launch, and GLSL and HLSL want its bytes in the text: an element for each invocation is a
  // guess, too.
  "kernels": {
${lines.join("")}  },`;
}
