/**
 * The library as browsers load it: modules without drivers and compilers, in chunks that are loaded when they are called for.
 * Prettier stays a package of its own: only TypeScript text asks for it.
 */
import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { minify } from "terser";
import ts from "typescript";
import { parts } from "./browser-parts.mjs";

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
      contents: parts[part].map((m) => `export * as ${nameOf(m)} from ${JSON.stringify(path(m))};`).join("\n"),
      resolveDir: path("."),
    }));
    b.onLoad({ filter: /.*/, namespace: "stand-in" }, ({ path: module }) => ({
      contents: [
        `import { of } from "stand-ins:${partOf.get(module)}";`,
        ...callables(module).map(
          (name) => `export const ${name} = /* @__PURE__ */ of(${JSON.stringify(nameOf(module))}, "${name}");`,
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
const nameOf = (module) => module.replace(/\.ts$/, "").replace(/\W/g, "_");

const settings = {
  bundle: true,
  platform: "browser",
  format: "esm",
  target: "es2022",
  minify: true,
  metafile: true,
  logLevel: "warning",
  logOverride: { "import-is-undefined": "error" },
};

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
  const { metafile } = await build({
    ...settings,
    entryPoints: { index: path("src/browser.ts") },
    outdir,
    splitting: true,
    external: ["prettier/*"],
    plugins: [
      absentModules,
      {
        name: "capabilities",
        setup: (b) =>
          b.onResolve({ filter: /^\.\/api\/capabilities\.js$/ }, () => ({ path: "./capabilities.js", external: true })),
      },
      deferredModules,
    ],
  });
  if (!smallest) return metafile;
  // What esbuild leaves of names and expressions is felt: some 4 % of what a page loads.
  for (const name of readdirSync(outdir)) {
    const file = join(outdir, name);
    const { code } = await minify(readFileSync(file, "utf8"), { module: true, ecma: 2020 });
    writeFileSync(file, code);
  }
  return metafile;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundleForBrowsers(path("dist/browser"));
