/**
 * Kernels as modules of a bundler: `./reduce.cl?msl` is the text of a translation and its reflection, `./reduce.cl?ts` the
 * kernel as functions that run. One plug-in for all bundlers, by `unplugin`.
 */
import { existsSync } from "node:fs";
import { basename, dirname, extname, isAbsolute, relative, resolve, sep } from "node:path";
import type { UnpluginFactory } from "unplugin";
import { translate } from "../index.js";
import type { ClStd, Diagnostic, HlslVersion, SourceMap, Target, TargetOptions, TranslateResult } from "../index.js";
import { renderDiagnostic, targets } from "../index.js";
import { dialectOfFile, shownName } from "../build/files.js";
import { FileView, Reads } from "../build/file-view.js";
import { openSource } from "../build/source.js";
import { Declarations } from "./declarations.js";
import { isTargetDialect } from "../dialects/ids.js";
import type { SourceDialect } from "../dialects/ids.js";

export interface CrosslaneOptions extends Omit<TargetOptions, "profile"> {
  /** What names in messages and folders of these options are relative to: Vite's root, else where the bundler runs. */
  readonly root?: string;
  /** Macros by name; `NAME(x)` is one with parameters. */
  readonly define?: Readonly<Record<string, string>>;
  readonly includeDir?: readonly string[];
  readonly prelude?: readonly string[];
  readonly hlslVersion?: HlslVersion;
  readonly enable16bitTypes?: boolean;
  readonly clStd?: ClStd;
  readonly encoding?: string;
  /** A file, relative to the root, that gets the types of kernels imported with `?ts`: `src/kernels.d.ts`. */
  readonly declarations?: string;
  /** What holds for one target, before what is said for all. */
  readonly targets?: { readonly [T in Target]?: TargetOptions };
}

/** What an import asks for. */
interface Asked {
  readonly path: string;
  readonly dialect: SourceDialect;
  readonly target: Target;
  readonly entry?: string;
  readonly profile?: string;
}

/** Keys that bundlers add to queries of their own accord. */
const ofBundlers = ["import", "t", "v"];

/** Undefined where the import is none of ours: another kind of file, or another query. */
export function askedBy(id: string): Asked | undefined {
  const [path = "", query] = id.split("?", 2);
  const dialect = dialectOfFile(path);
  if (query === undefined || dialect === undefined) return undefined;
  const keys = new URLSearchParams(query);
  const target = targets.find((t) => keys.get(t) === "");
  if (target === undefined) return undefined;
  for (const key of keys.keys())
    if (key !== target && key !== "entry" && key !== "profile" && !ofBundlers.includes(key))
      throw new Error(`'${basename(id)}': there is no '${key}' beside the target, but entry and profile`);
  const [entry, profile] = [keys.get("entry"), keys.get("profile")];
  return { path, dialect, target, ...(entry ? { entry } : {}), ...(profile ? { profile } : {}) };
}

/** The path of an import that is relative to its importer; undefined where the bundler has to find it. */
function placeOf(id: string, importer: string | undefined): string | undefined {
  const [path = "", query = ""] = id.split("?", 2);
  const [from] = (importer ?? "").split("?", 1);
  const file = isAbsolute(path) ? path : /^\.\.?\//.test(path) && from ? resolve(dirname(from), path) : undefined;
  return file !== undefined && existsSync(file) ? `${file}?${query}` : undefined;
}

interface Made {
  /** Absent where there are errors. */
  readonly code?: string;
  readonly map?: SourceMap;
  /** Of `?ts`. */
  readonly declarations?: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly reads: Reads;
}

async function make(asked: Asked, options: CrosslaneOptions, root: string): Promise<Made> {
  const {
    define = {},
    includeDir = [],
    prelude = [],
    hlslVersion,
    enable16bitTypes,
    clStd,
    encoding,
    targets: byTarget,
    root: _,
    declarations: __,
    ...forAll
  } = options;
  const { path, dialect, target, entry, profile } = asked;
  const reads = new Reads(new FileView(root));
  const input = { name: shownName(path, root), path, stem: basename(path, extname(path)), folder: "", dialect };
  const settings = {
    define,
    defines: [],
    includeDir,
    prelude,
    ...(entry ? { entry } : {}),
    ...(hlslVersion ? { hlslVersion } : {}),
    ...(enable16bitTypes ? { enable16bitTypes } : {}),
    ...(clStd ? { clStd } : {}),
    ...(encoding !== undefined ? { encoding } : {}),
  };
  const opened = openSource(input, settings, root, reads);
  if (!("value" in opened)) return { diagnostics: opened.diagnostics, reads };
  const result = await translate(opened.value.source.text, {
    ...forAll,
    ...byTarget?.[target],
    ...(profile ? { profile } : {}),
    ...opened.value.options,
    to: target,
    ...(isTargetDialect(target) ? {} : { types: false, sourceMap: true }),
  });
  // A module has all kernels of its file or it is not made; `entry` chooses one.
  const refused = result.refused.flatMap((r) => r.diagnostics);
  const diagnostics = [...new Set([...refused, ...result.diagnostics])];
  if (result.code === undefined || refused.length > 0) return { diagnostics: asErrors(diagnostics), reads };
  const { declarations } = result;
  const made = { ...moduleOf(target, result.code, result, path, root), diagnostics, reads };
  return declarations === undefined ? made : { ...made, declarations };
}

/** Where the text was refused, what refused it is an error. */
function asErrors(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.some((d) => d.severity === "error")
    ? diagnostics
    : diagnostics.map((d) => ({ ...d, severity: "error" }));
}

/** The JavaScript that an import gets. */
function moduleOf(
  target: Target,
  code: string,
  { reflection, map }: TranslateResult,
  path: string,
  root: string,
): Pick<Made, "code" | "map"> {
  if (isTargetDialect(target))
    return {
      code: `export default ${JSON.stringify(code)};\nexport const reflection = ${JSON.stringify(reflection)};\n`,
    };
  const kernels = [...code.matchAll(/^export function (\w+)/gm)].map((m) => m[1]!);
  // Of a map, sources are as seen from the module.
  const near = (file: string): string =>
    file.startsWith("<")
      ? file
      : relative(dirname(path), resolve(root, decodeURI(file)))
          .split(sep)
          .join("/");
  return {
    code: `${code}\nexport default { ${kernels.join(", ")} };\n`,
    ...(map ? { map: { ...map, sources: map.sources.map((s) => (s === null ? s : near(s))) } } : {}),
  };
}

/** Fails a build with the messages of all errors, each with its code frame, at the place of the first. */
export const plugin: UnpluginFactory<CrosslaneOptions | undefined> = (options = {}, { framework }) => {
  let root = options.root === undefined ? process.cwd() : resolve(options.root);
  const read = new Map<string, readonly string[]>();
  let declared: Declarations | undefined;
  return {
    name: "crosslane",
    enforce: "pre",
    vite: {
      configResolved(config: { readonly root: string }) {
        if (options.root === undefined) root = config.root;
      },
      // Vite forgets what was said while a module was loaded that nothing imported yet.
      transform(_code, id) {
        for (const path of read.get(id) ?? []) this.addWatchFile(path);
      },
    },
    // An import that ends in `?ts` is JavaScript all the same.
    esbuild: { loader: () => "js" },
    resolveId(id, importer) {
      return askedBy(id) === undefined ? undefined : placeOf(id, importer);
    },
    loadInclude: (id) => askedBy(id) !== undefined,
    async load(id) {
      const asked = askedBy(id);
      if (asked === undefined) return undefined;
      const { code, map, diagnostics, reads, declarations } = await make(asked, options, root);
      if (declarations !== undefined && options.declarations !== undefined) {
        declared ??= new Declarations(resolve(root, options.declarations), root);
        declared.note(asked.path, id.slice(id.indexOf("?") + 1), declarations);
      }
      // Also those that are not there: a file that appears would be read. Vite takes files for modules, which have to be there.
      const looked = [...reads.states].filter(([, state]) => state !== "-" || framework !== "vite");
      read.set(
        id,
        looked.map(([path]) => path),
      );
      for (const [path] of looked) this.addWatchFile(path);
      const render = (d: Diagnostic): string => renderDiagnostic(d, (file) => reads.texts.get(file));
      if (code === undefined) {
        const errors = diagnostics.filter((d) => d.severity === "error");
        const at = errors.find((d) => d.location)?.location;
        const file = at ? resolve(root, at.file) : asked.path;
        const message = errors.map(render).join("\n\n");
        // Of what throws, esbuild forgets the files that are watched, and would not see them mended.
        if (framework === "esbuild") {
          this.error(message);
          return "";
        }
        throw Object.assign(new Error(message), {
          id: file,
          ...(at ? { loc: { file, line: at.line, column: at.column } } : {}),
        });
      }
      for (const d of diagnostics) if (d.severity === "warning") this.warn(render(d));
      return map ? { code, map: map as never } : code;
    },
  };
};
