/**
 * The library as browsers load it: modules without drivers and compilers, in chunks that are loaded when they are called for.
 * Prettier stays a package of its own: only TypeScript text asks for it.
 */
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { rollup } from "rollup";
import { minify } from "terser";
import ts from "typescript";
import { pagesOfChunks } from "./browser-pages.mjs";
import { core, parts } from "./browser-parts.mjs";
import { bareRows, summaries, summariesModule } from "./bare-rows.mjs";
import { rareModulesOf, rarePartOf, split } from "./rarely-run.mjs";

/** What only Node has, by the end of its path, and what stands for it. */
const absent = { "device/connection.js": "src/device/absent.ts", "judges/index.js": "src/judges/absent.ts" };
const path = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));

const partOf = new Map(Object.entries(parts).flatMap(([part, modules]) => modules.map((m) => [m, part])));

/** Node's modules and those that stand for them. */
const absentModules = {
  name: "absent",
  setup: (b) =>
    b.onResolve({ filter: /\/(?:device\/connection|judges\/index)\.js$/ }, ({ path: asked }) => ({
      path: path(absent[asked.split("/").slice(-2).join("/")]),
    })),
};

/** Names of functions and classes that a module exports; what else it exports cannot be had from outside its part. */
function callables(module) {
  const { statements } = ts.createSourceFile(module, readFileSync(path(module), "utf8"), ts.ScriptTarget.Latest);
  const isExported = (s) => s.modifiers?.some((m) => m.kind === ts.SyntaxKind.ExportKeyword);
  const isFunction = ({ initializer, type }) =>
    ts.isArrowFunction(initializer) || (type && ts.isTypeReferenceNode(type) && type.typeName.text === "Lowering");
  return statements.filter(isExported).flatMap((s) => {
    if (ts.isFunctionDeclaration(s) || ts.isClassDeclaration(s)) return [s.name.text];
    return ts.isVariableStatement(s) ? s.declarationList.declarations.filter(isFunction).map((d) => d.name.text) : [];
  });
}

/** A module as a part exports it. */
const idOf = (module) => module.replace(/\.ts$/, "").replace(/\W/g, "_");

/** Puts stand-ins in the place of modules that other parts import. */
const deferredModules = {
  name: "deferred",
  setup(b) {
    b.onResolve({ filter: /^\.{1,2}\// }, ({ path: asked, importer, kind }) => {
      const module = relative(path("."), resolve(dirname(importer), asked)).replace(/\.js$/, ".ts");
      const part = partOf.get(module);
      if (part === undefined || kind !== "import-statement") return undefined;
      return partOf.get(relative(path("."), importer)) === part ? undefined : { path: module, namespace: "stand-in" };
    });
    b.onResolve({ filter: /^part:/ }, ({ path: asked }) => ({ path: asked.slice("part:".length), namespace: "part" }));
    b.onLoad({ filter: /.*/, namespace: "part" }, ({ path: part }) => ({
      contents: [
        ...core.map((m) => `import ${JSON.stringify(path(m))};`),
        ...parts[part].map((m) => `export * as ${idOf(m)} from ${JSON.stringify(path(m))};`),
      ].join("\n"),
      resolveDir: path("."),
    }));
    b.onLoad({ filter: /.*/, namespace: "stand-in" }, ({ path: module }) => ({
      contents: [
        `import { of } from "stand-ins:${partOf.get(module)}";`,
        ...callables(module).map(
          (name) => `export const ${name} = /* @__PURE__ */ of(${JSON.stringify(idOf(module))}, "${name}");`,
        ),
      ].join("\n"),
      resolveDir: path("."),
    }));
    b.onResolve({ filter: /^stand-ins:/ }, ({ path: asked }) => ({
      path: asked.slice("stand-ins:".length),
      namespace: "stand-ins",
      sideEffects: false,
    }));
    b.onLoad({ filter: /.*/, namespace: "stand-ins" }, ({ path: part }) => ({
      contents: `import { deferred } from "./src/support/deferred.ts";
export const of = /* @__PURE__ */ deferred(() => import("part:${part}"));`,
      resolveDir: path("."),
    }));
  },
};
/** Takes out of modules what is rarely run. A module's share of a part is `rare:<part>:<path>`. */
const rareFunctions = {
  name: "rare",
  setup(b) {
    const made = new Map();
    const splitOf = (file) => {
      const module = relative(path("."), file);
      const together = (part, asked, name) => {
        if (!asked.startsWith(".")) return undefined;
        const there = resolve(dirname(file), asked).replace(/\.js$/, ".ts");
        return rarePartOf(relative(path("."), there), name) === part ? `rare:${part}:${there}` : undefined;
      };
      if (!made.has(file)) {
        const text = bareRows(module, readFileSync(file, "utf8"));
        made.set(file, { usual: text, ...split(module, text, together) });
      }
      return made.get(file);
    };
    b.onLoad({ filter: /\.ts$/, namespace: "file" }, ({ path: file }) => ({
      contents: splitOf(file).usual,
      loader: "ts",
    }));
    b.onResolve({ filter: /^rare:/ }, ({ path: asked }) => {
      const [, part, file] = asked.split(":");
      return { path: file, namespace: `rare ${part}`, pluginData: part, sideEffects: false };
    });
    b.onLoad({ filter: /\.ts$/ }, ({ path: file, namespace, pluginData: part }) =>
      namespace.startsWith("rare ")
        ? { contents: splitOf(file).parts.get(part).text, loader: "ts", resolveDir: dirname(file) }
        : undefined,
    );
    b.onResolve({ filter: /^rare-(?:ones|part):/ }, ({ path: asked }) => {
      const [namespace, part] = asked.split(":");
      return { path: part, namespace, sideEffects: false };
    });
    b.onLoad({ filter: /.*/, namespace: "rare-ones" }, ({ path: part }) => ({
      contents: `import { deferredPart } from "./src/support/deferred.ts";
export const of = /* @__PURE__ */ deferredPart(() => import("rare-part:${part}"));`,
      resolveDir: path("."),
    }));
    b.onLoad({ filter: /.*/, namespace: "rare-part" }, ({ path: part }) => ({
      contents: [
        ...core.map((m) => `import ${JSON.stringify(path(m))};`),
        ...rareModulesOf(part).flatMap((m) => {
          const exported = splitOf(path(m)).parts?.get(part)?.exported;
          return exported ? [`export { ${exported} } from ${JSON.stringify(`rare:${part}:${path(m)}`)};`] : [];
        }),
      ].join("\n"),
      resolveDir: path("."),
    }));
  },
};

/** Summaries of ops by themselves. */
const opSummaries = {
  name: "summaries",
  setup: (b) =>
    b.onLoad({ filter: new RegExp(`/${summaries.replaceAll(".", "\\.")}$`) }, async () => ({
      contents: await summariesModule(),
      loader: "js",
    })),
};

/**
 * The parser without what could have stood where a text goes wrong, a sixth of it: it is asked for that only of texts that do not parse
 * (`peg$silentFails` is 0 then, src/frontend/parse.ts), and leaves it to the whole parser, a part of its own.
 */
const silentParser = {
  name: "parser",
  setup(b) {
    b.onLoad({ filter: /\/generated\/languages\.js$/, namespace: "file" }, ({ path: file }) => {
      const text = readFileSync(file, "utf8");
      const silent = text
        .replaceAll(/^ *if \(peg\$silentFails === 0\) \{ peg\$fail\(peg\$e\d+\); \}\n/gm, "")
        .replaceAll(/^ *const peg\$e\d+ = .*;\n/gm, "")
        .replace(/^export \{[^}]*\};\n/m, "");
      if (/peg\$e\d/.test(silent) || silent.includes("export "))
        throw new Error("Peggy writes parsers in another way now");
      return {
        contents: `import { deferredPart } from ${JSON.stringify(path("src/support/deferred.ts"))};
const whole = /* @__PURE__ */ deferredPart(() => import(${JSON.stringify(`whole-parser:${file}`)}));
export const parse = (codes, options) => (options.peg$silentFails ? peg$parse : whole().parse)(codes, options);
${silent}`,
        loader: "js",
      };
    });
    b.onResolve({ filter: /^whole-parser:/ }, ({ path: asked }) => ({
      path: asked.slice("whole-parser:".length),
      namespace: "whole-parser",
    }));
    b.onLoad({ filter: /.*/, namespace: "whole-parser" }, ({ path: file }) => ({
      contents: readFileSync(file, "utf8"),
      loader: "js",
    }));
  },
};

const settings = {
  bundle: true,
  platform: "browser",
  format: "esm",
  target: "es2022",
  minify: true,
  metafile: true,
  logLevel: "warning",
  logOverride: { "ignored-bare-import": "silent", "import-is-undefined": "error" },
};

/**
 * A function that is called once stays one: in its place its variables would need names of their own when a page's own minifier reads the text
 * (esbuild gives inner functions no names that an outer one has), which costs more than it saves.
 */
const compress = { reduce_funcs: false, passes: 2, keep_fargs: false };

/** Outside of what is joined: loaded for TypeScript texts, and a bundle of its own. */
const apart = { prettier: ["prettier/*"], capabilities: "./capabilities.js" };

/** Joins the chunks in `folder` that usual pages load together (scripts/browser-pages.mjs), and writes them into `outdir`. */
async function joinChunks(folder, metafile, outdir) {
  const pages = pagesOfChunks(metafile);
  const bundle = await rollup({
    input: { index: join(folder, "index.js") },
    external: [/^prettier\//, /\/capabilities\.js$/],
    // What imports each other does so within a chunk: what one page loads with another chunk, it loads with what that imports.
    onwarn: ({ code, message }) => {
      if (code !== "CIRCULAR_DEPENDENCY") throw new Error(message);
    },
  });
  await bundle.write({
    dir: outdir,
    format: "es",
    chunkFileNames: "chunk-[hash].js",
    hoistTransitiveImports: false,
    onlyExplicitManualChunks: true,
    // What usual pages do not load stays apart: a page that needs one of it seldom needs the next.
    manualChunks: (file) => (basename(file) === "index.js" ? undefined : (pages.get(basename(file)) ?? basename(file))),
  });
  await bundle.close();
}

/**
 * Writes `index.js` and its chunks into `outdir`, and nothing else: chunks of an earlier build have other names. As small as it
 * can be takes seconds more.
 */
export async function bundleForBrowsers(outdir, { smallest = true } = {}) {
  rmSync(outdir, { recursive: true, force: true });
  // By itself, whole: it answers at once, and a page that translates does not ask it.
  await build({
    ...settings,
    entryPoints: { capabilities: path("src/api/capabilities.ts") },
    outdir,
  });
  const chunks = smallest ? mkdtempSync(join(tmpdir(), "crosslane-chunks-")) : outdir;
  const { metafile } = await build({
    ...settings,
    entryPoints: { index: path("src/browser.ts") },
    outdir: chunks,
    splitting: true,
    external: apart.prettier,
    plugins: [
      absentModules,
      {
        name: "capabilities",
        setup: (b) =>
          b.onResolve({ filter: /^\.\/api\/capabilities\.js$/ }, () => ({ path: apart.capabilities, external: true })),
      },
      silentParser,
      opSummaries,
      deferredModules,
      rareFunctions,
    ],
  });
  if (!smallest) return metafile;
  await joinChunks(chunks, metafile, outdir);
  rmSync(chunks, { recursive: true });
  // What esbuild leaves of names and expressions is felt: some 4 % of what a page loads.
  for (const name of readdirSync(outdir)) {
    const file = join(outdir, name);
    const { code } = await minify(readFileSync(file, "utf8"), { module: true, ecma: 2020, compress });
    writeFileSync(file, code);
  }
  return metafile;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundleForBrowsers(path("dist/browser"));
