import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join, posix, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { builtinModules } from "node:module";
import { describe, expect, test } from "vitest";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

/**
 * Who may import whom: a layer may import the layers after it. Folders that share an entry are beside each other and
 * may not import one another; they meet as data further up.
 */
const layers: readonly (readonly string[])[] = [
  ["bin"],
  ["src/cli", "src/plugin"],
  ["src/build"],
  ["src/browser.ts"],
  ["src/index.ts"],
  ["src/report", "src/bindings"],
  ["src/api"],
  ["src/verify", "src/device", "src/judges", "src/maps"],
  ["src/launch"],
  ["src/sim"],
  ["src/frontend", "src/sema", "src/passes", "emitters"],
  ["src/caps", "src/regions"],
  ["src/ops"],
  ["src/dialects", "src/ast"],
  ["src/types"],
  ["src/support"],
];

/** Names of the dialects: every layer may say them. */
const leaf = "src/dialects/ids.ts";

const mayUseNode = ["bin", "src/cli", "src/plugin", "src/build", "src/device", "src/judges"];

/** Packages for the layers that must work in a browser; those that may use Node may use every dependency. */
const packages: Readonly<Record<string, readonly string[]>> = {
  prettier: ["src/api", "emitters"],
  "@jridgewell/gen-mapping": ["src/maps"],
};

const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
};
const declared = new Set(Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }));

/** Folders that a folder must not know although they lie below it: printers decide nothing. */
const unknown: readonly (readonly [folder: string, never: string])[] = [["emitters", "src/caps"]];

interface Import {
  readonly file: string;
  readonly target: string;
}

/** Static imports, re-exports and `import()` with a literal, comments aside. */
export function importsOf(text: string): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/[^\n]*/g, " ");
  const forms = [
    /(?:^|[;}\n])\s*(?:import|export)\s+(?:type\s+)?(?:[\w$*\s{},]+?\s+from\s+)?["']([^"'\n]+)["']/g,
    /\bimport\s*\(\s*["']([^"'\n]+)["']\s*\)/g,
    /\brequire\s*\(\s*["']([^"'\n]+)["']\s*\)/g,
  ];
  return forms.flatMap((form) => [...code.matchAll(form)].map((match) => match[1]!));
}

function filesUnder(folder: string): string[] {
  const path = join(root, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.[cm]?[jt]s$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((file) => !file.startsWith("src/frontend/generated/"))
    .sort();
}

function isIn(file: string, folder: string): boolean {
  return file === folder || file.startsWith(`${folder}/`);
}

function layerOf(file: string): { readonly level: number; readonly folder: string } | undefined {
  for (const [level, folders] of layers.entries()) {
    const folder = folders.find((candidate) => isIn(file, candidate));
    if (folder !== undefined) return { level, folder };
  }
  return undefined;
}

/** Why this import is not allowed; undefined where it is. */
export function objection({ file, target }: Import): string | undefined {
  const from = layerOf(file);
  if (from === undefined) return `${file} is in no layer`;
  if (!target.startsWith(".")) {
    const name = target.replace(/^node:/, "").split("/")[0]!;
    if (target.startsWith("node:") || builtinModules.includes(name)) {
      return mayUseNode.some((folder) => isIn(file, folder))
        ? undefined
        : `${file} imports ${target}, and must work in a browser`;
    }
    const packageName = target.startsWith("@") ? target.split("/").slice(0, 2).join("/") : name;
    if (!declared.has(packageName)) return `${file} imports ${target}, which is no dependency`;
    const allowed = [...mayUseNode, ...(packages[packageName] ?? [])];
    return allowed.some((folder) => isIn(file, folder))
      ? undefined
      : `${file} imports ${target}, which is for ${allowed.join(", ")}`;
  }
  const resolved = posix.join(posix.dirname(file), target).replace(/^dist\//, "");
  // The generated parsers are written in JavaScript; everything else is named `.js` and is a `.ts` file.
  const source = resolved.replace(/\.js$/, ".ts");
  if (source === leaf) return undefined;
  const to = layerOf(source);
  if (to === undefined) return `${file} imports ${target}, which is in no layer`;
  if (from.folder === to.folder) return undefined;
  const barred = unknown.find(([folder, never]) => isIn(file, folder) && isIn(source, never));
  if (barred) return `${file} imports ${target}: what stands in ${barred[1]} is settled before anything is printed`;
  if (to.level > from.level) return undefined;
  return to.level === from.level
    ? `${file} imports ${target}: ${from.folder} and ${to.folder} lie beside each other`
    : `${file} imports ${target}: ${to.folder} lies above ${from.folder}`;
}

/** Groups of files each of which imports all others of its group in the end. What types alone need is gone when code runs. */
export function cyclesOf(importsOfFile: ReadonlyMap<string, readonly string[]>): string[][] {
  const groups: string[][] = [];
  const numbers = new Map<string, number>();
  const open: string[] = [];
  /** The least number that is reached from a file among those whose group is not complete. */
  const visit = (file: string): number => {
    const number = numbers.size;
    numbers.set(file, number);
    open.push(file);
    let least = number;
    for (const next of importsOfFile.get(file) ?? []) {
      if (!numbers.has(next)) least = Math.min(least, visit(next));
      else if (open.includes(next)) least = Math.min(least, numbers.get(next)!);
    }
    if (least === number) {
      const group = open.splice(open.indexOf(file));
      if (group.length > 1) groups.push(group.sort());
    }
    return least;
  };
  for (const file of importsOfFile.keys()) if (!numbers.has(file)) visit(file);
  return groups;
}

/** Imports and re-exports that are there when code runs. */
const withoutTypes = (text: string): string =>
  text
    .replace(/^(?:import|export)\s+type\b[^;]*;/gm, "")
    .replace(/^import\s*\{(?:\s*type\s+\w+(?:\s+as\s+\w+)?\s*,?)*\s*\}\s*from[^;]*;/gm, "");

/** With blanks in place of comments. */
function withoutComments(text: string): string {
  const blank = (comment: string): string => comment.replace(/[^\n]/g, " ");
  return text.replace(/\/\*[\s\S]*?\*\//g, blank).replace(/(^|\s)\/\/[^\n]*/g, blank);
}

/** The lines in which a match ends, as `line: text`. */
function linesOf(code: string, pattern: RegExp): string[] {
  const lines = code.split("\n");
  return [...code.matchAll(pattern)].map((match) => {
    const line = code.slice(0, match.index + match[0].length).split("\n").length;
    return `${line}: ${lines[line - 1]!.trim()}`;
  });
}

describe("layering", () => {
  const files = ["src", "emitters", "bin"].flatMap(filesUnder);

  test("every import goes down the layers", () => {
    expect(files.length).toBeGreaterThan(0);
    const objections = files.flatMap((file) =>
      importsOf(readFileSync(join(root, file), "utf8")).flatMap((target) => objection({ file, target }) ?? []),
    );
    expect(objections).toEqual([]);
  });

  test("imports go in circles only where expressions, statements and declarations hold each other", () => {
    const known = new Set(files);
    const graph = new Map(
      files.map((file) => [
        file,
        importsOf(withoutTypes(withoutComments(readFileSync(join(root, file), "utf8"))))
          .map((target) => posix.join(posix.dirname(file), target).replace(/\.js$/, ".ts"))
          .filter((target) => known.has(target)),
      ]),
    );
    // An expression may be a lambda, which has statements, which have declarations, which have expressions.
    const recursive = [
      { folder: "src/sema", files: 45 },
      { folder: "src/regions", files: 7 },
    ];
    const groups = cyclesOf(graph);
    const objections = groups.filter(
      (group) => !recursive.some((r) => group.every((f) => isIn(f, r.folder)) && group.length <= r.files),
    );
    expect(objections).toEqual([]);
    expect(groups).toHaveLength(recursive.length);
  });

  test("circles of imports are found", () => {
    const graph = new Map([
      ["a", ["b"]],
      ["b", ["c", "d"]],
      ["c", ["b"]],
      ["d", ["e"]],
      ["e", []],
      ["f", ["g", "a"]],
      ["g", ["f"]],
    ]);
    expect(cyclesOf(graph)).toEqual([
      ["b", "c"],
      ["f", "g"],
    ]);
  });

  test.each([
    ["src/types/types.ts", "../ast/nodes.js"],
    ["src/frontend/parse.ts", "../sema/resolve.js"],
    ["emitters/msl/printer.ts", "../../src/passes/pipelines/msl.js"],
    ["emitters/msl/printer.ts", "../../src/caps/decide.js"],
    ["src/ast/nodes.ts", "../dialects/msl.js"],
    ["src/verify/compare.ts", "../device/opencl.js"],
    ["src/api/translate.ts", "node:fs"],
    ["src/sim/launch.ts", "fs/promises"],
    ["src/support/codes.ts", "typescript"],
    ["src/ops/row.ts", "prettier"],
    ["src/api/translate.ts", "commander"],
    ["src/cli/main.ts", "vitest"],
    ["src/stray/a.ts", "../ast/nodes.js"],
    ["src/api/a.ts", "../../test/support/judges/judge.js"],
  ])("%s may not import %s", (file, target) => {
    expect(objection({ file, target })).toBeDefined();
  });

  test.each([
    ["src/api/translate.ts", "../sim/launch.js"],
    ["src/support/source.ts", "../dialects/ids.js"],
    ["emitters/msl/printer.ts", "../../src/ast/nodes.js"],
    ["src/cli/main.ts", "node:fs"],
    ["src/cli/main.ts", "commander"],
    ["bin/crosslane.js", "../dist/src/cli/main.js"],
    ["emitters/typescript/module.ts", "prettier/standalone"],
  ])("%s may import %s", (file, target) => {
    expect(objection({ file, target })).toBeUndefined();
  });

  test("all forms of import are seen", () => {
    const text = `
      import "./a.js";
      import type { X } from "./b.js"; import * as c from './c.js';
      import {
        one,
        two,
      } from "./d.js";
      export { y } from "./e.js";
      export * from "./f.js";
      // import "./no.js";
      /* import "./no.js" */
      const g = await import("./g.js");
    `;
    expect(importsOf(text).sort()).toEqual(["./a.js", "./b.js", "./c.js", "./d.js", "./e.js", "./f.js", "./g.js"]);
  });
});

/**
 * What an op is stands in its row, of a machine op in the node, of an id in `idBounds` and the like: nobody reads it off the name.
 * Names may be put together and shown (`shortName`), and the family is the first part of an id (`familyOf`).
 */
export function namesTakenApart(text: string): string[] {
  const code = withoutComments(text);
  const named = String.raw`(?:\w+[!?]?\.)*(?:op|opId|id|builtin|routine|lowering|helper|emulates|key|operation|operator|instruction)`;
  const asked = new RegExp(
    [
      // /^f/.test(e.op), scans.exec(c.routine)
      String.raw`(?:/|\w)\w*\.(?:test|exec)\(\s*${named}[!]?\s*\)`,
      // e.op.startsWith(, r.id.includes(
      String.raw`\b${named}[!?]?\??\.(?:startsWith|endsWith|includes|match|matchAll|split|slice|substring|indexOf|search)\(`,
      // instructions.some((i) => i.startsWith(
      String.raw`\b(?:ops|ids|operations|instructions)[!?]?\??\.\w+\(\(?(\w+)\)? => \1\.(?:startsWith|endsWith|includes|match|slice)\(`,
    ].join("|"),
    "g",
  );
  return linesOf(code, asked);
}

describe("names of ops", () => {
  test("are asked for nowhere by pattern", () => {
    // Where ids are made, and where profiles, whose ids are made of a version and a platform, are put in order.
    const makers = ["src/ast/op-ids.ts", "src/caps/narrow.ts", "src/caps/profiles.ts"];
    const layers = ["src/ast", "src/caps", "src/launch", "src/ops", "src/passes", "src/regions", "src/sema", "src/sim"];
    const places = [...layers, "src/api", "src/verify", "emitters"]
      .flatMap(filesUnder)
      .filter((file) => !makers.includes(file))
      .flatMap((file) => namesTakenApart(readFileSync(join(root, file), "utf8")).map((place) => `${file}:${place}`));
    expect(places).toEqual([]);
  });

  test.each([
    "/^f32/.test(e.op)",
    "cheapOps.test(x.op)",
    "/^(inclusive)_/.exec(c.routine)",
    'r.id.includes("ballot")',
    'routine.startsWith("partitioned_")',
    'e.op.split("from_")[1]',
    "/_size$|^num_/.test(y.builtin)",
    'key.startsWith("round-to-half")',
    'f.library!.operation.startsWith("multiply")',
    "/^(and|or)$/.test(e.operator)",
    'instructions?.some((i) => i.startsWith("sync_uglobal"))',
  ])("%s is found", (code) => {
    expect(namesTakenApart(code)).toHaveLength(1);
  });

  test.each([
    'row(e.op).fold?.form === "inclusive"',
    "idsOfLanes.has(e.builtin)",
    "/^u/.test(name)",
    "shortName(e.op)",
  ])("%s is not", (code) => {
    expect(namesTakenApart(code)).toEqual([]);
  });
});

/**
 * Where code asks which language it has before it. It should ask for what it needs to know instead: a fact of the language
 * (src/dialects/language.ts), a field of an op's row, a hook of the printer or the judge.
 */
const most = 11;

/** What a language has for itself: there is nothing to ask. */
const ofOneLanguage = /^(?:src\/dialects|emitters)\/(?:msl|glsl|opencl|hlsl|typescript)\/|^src\/passes\/pipelines\//;

/** Comparisons with a dialect's name, and lists that start with one, as `line: text`; comments aside. */
export function dialectNames(text: string): string[] {
  const code = withoutComments(text);
  const name = `["'](?:msl|glsl|opencl|hlsl)["']`;
  const asked = new RegExp(
    `(?:[=!]==?\\s*|\\bcase\\s+|\\[\\s*)${name}|${name}\\s*[=!]==?|\\.(?:has|includes)\\(\\s*${name}`,
    "g",
  );
  return linesOf(code, asked);
}

describe("names of dialects", () => {
  test(`are asked for in at most ${most} places outside of the languages' folders`, () => {
    const places = ["src", "emitters"]
      .flatMap(filesUnder)
      .filter((file) => file !== leaf && !ofOneLanguage.test(file))
      .flatMap((file) => dialectNames(readFileSync(join(root, file), "utf8")).map((place) => `${file}:${place}`));
    expect(places.length, places.join("\n")).toBeLessThanOrEqual(most);
  });

  test("with that of the target `ts` there are at most 40 places", () => {
    const ofTs = /[=!]==?\s*"ts"|\bcase\s+"ts"/g;
    const places = ["src", "emitters"]
      .flatMap(filesUnder)
      .filter((file) => file !== leaf && !ofOneLanguage.test(file))
      .flatMap((file) => {
        const text = readFileSync(join(root, file), "utf8");
        const found = [...dialectNames(text), ...linesOf(withoutComments(text), ofTs)];
        return found.map((place) => `${file}:${place}`);
      });
    expect(places.length, places.join("\n")).toBeLessThanOrEqual(40);
  });

  test("are not asked for in reading, nor are there tables by them besides that of readers", () => {
    const tables = ["src/sema/languages.ts"];
    const places = ["src/frontend", "src/sema"]
      .flatMap(filesUnder)
      .filter((file) => !tables.includes(file))
      .flatMap((file) => {
        const text = readFileSync(join(root, file), "utf8");
        const rows = text.match(/^\s*["']?(?:msl|glsl|opencl|hlsl)["']?:.*/gm) ?? [];
        return [...dialectNames(text), ...rows].map((place) => `${file}:${place}`);
      });
    expect(places).toEqual([]);
  });

  test.each([
    'target === "glsl"',
    'if (d.dialect !== "hlsl")',
    '"msl" === target',
    'case "opencl":',
    'case "msl": case "glsl":',
    '["glsl", "hlsl"].includes(d)',
    'new Set(["msl", "opencl"])',
    'in: [\n  "glsl",\n  "msl",\n]',
    'wanted.has("glsl")',
    "target === 'msl'",
  ])("%s is found", (code) => {
    expect(dialectNames(code)).toHaveLength(code.split(/case/).length > 2 ? 2 : 1);
  });

  test.each(['target === "ts"', 'rulesOf("glsl")', '// target === "glsl"', '/* case "msl": */', "{ msl, glsl }"])(
    "%s is not",
    (code) => {
      expect(dialectNames(code)).toEqual([]);
    },
  );
});

/** Where code compares a diagnostic's code with one it names. It should ask for the kind of the problem (`kindOf`, src/support/problem-kinds.ts). */
export function codesCompared(text: string): string[] {
  const code = `["'\`]XL\\d*["'\`]`;
  const asked = new RegExp(
    [
      // p.code === "XL1001", p.code < "XL3", case "XL1001":
      `(?:[=!]==?|(?<![=])[<>]=?|\\bcase)\\s*${code}`,
      `${code}\\s*(?:[=!]==?|[<>]=?(?=\\s))`,
      // ["XL1001", ...], p.code.startsWith("XL3"), codes.has("XL1001")
      `\\[\\s*${code}`,
      `\\.(?:startsWith|has|includes|indexOf)\\(\\s*${code}`,
      // /^XL1/.test(p.code)
      String.raw`/\^?XL`,
    ].join("|"),
    "g",
  );
  return linesOf(withoutComments(text), asked);
}

describe("codes of diagnostics", () => {
  test("are compared with a literal nowhere", () => {
    const places = ["src", "emitters", "bin"]
      .flatMap(filesUnder)
      .flatMap((file) => codesCompared(readFileSync(join(root, file), "utf8")).map((place) => `${file}:${place}`));
    expect(places).toEqual([]);
  });

  test.each([
    'p.code === "XL1001"',
    'if (code !== "XL4002")',
    '"XL4002" === p.code',
    'problem.code < "XL3"',
    'case "XL1001":',
    'const notHere = [\n  "XL7001",\n  "XL7002",\n]',
    'p.code.startsWith("XL1")',
    'seen.has("XL1001")',
    "/^XL1/.test(p.code)",
  ])("%s is found", (code) => {
    expect(codesCompared(code)).toHaveLength(1);
  });

  test.each([
    'error(s, "XL1006", message, span)',
    'code: "XL6009" | "XL6010"',
    '(message) => "XL1001"',
    'kindOf(p.code) === "syntax"',
    '// p.code === "XL1001"',
    '"out-of-bounds": "XL5002",',
  ])("%s is not", (code) => {
    expect(codesCompared(code)).toEqual([]);
  });
});
