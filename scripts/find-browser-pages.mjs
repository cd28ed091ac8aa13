/** Writes scripts/browser-pages.json: the parts of the library for browsers that usual pages ask for. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { bundleForBrowsers } from "./browser-bundle.mjs";

const root = new URL("../", import.meta.url);

const extensions = { msl: "metal", glsl: "comp", opencl: "cl", hlsl: "hlsl" };
const sources = Object.keys(extensions);
/** Every language on both sides. */
const translations = sources.flatMap((from, i) =>
  [from, sources[(i + 1) % sources.length], "ts"].map((to) => ["reduce", from, to]),
);
/** What needs most of the passes: what usual pages share with these is apart from what they do not. */
const seldom = [
  ["quantised_rows", "hlsl", "glsl"],
  ["tensor_copy", "opencl", "hlsl"],
];

/** Pages by name: the function that each calls, and with what; the first only imports. */
function calls() {
  const kernel = (fixture, from) =>
    readFileSync(new URL(`fixtures/${fixture}/kernel.${extensions[from]}`, root), "utf8");
  const sized = (from) => (from === "msl" || from === "opencl" ? { workgroupSize: [64, 1, 1] } : {});
  const saxpy = kernel("saxpy", "opencl");
  const args = { a: 2, n: 3, x: new Float32Array([1, 2, 3]), y: new Float32Array([10, 20, 30]) };
  const translated = (name, all) =>
    all.map(([fixture, from, to]) => [
      `${name} ${fixture} ${from} ${to}`,
      ["translate", kernel(fixture, from), { from, to, ...sized(from), ...(to === "ts" ? { types: false } : {}) }],
    ]);
  return {
    import: [],
    ...Object.fromEntries([...translated("translate", translations), ...translated("seldom", seldom)]),
    "simulate saxpy opencl": ["simulate", saxpy, { from: "opencl", workgroups: [1], workgroupSize: [4], args }],
    "verify saxpy opencl hlsl": ["verify", saxpy, { from: "opencl", to: "hlsl", ...sized("opencl") }],
    "verify reduce msl glsl": ["verify", kernel("reduce", "msl"), { from: "msl", to: "glsl", ...sized("msl") }],
  };
}

/** Files that a new page loads for one call of the library in `folder`. */
async function filesOf(folder, [name, source, options]) {
  const workerData = { folder: `${pathToFileURL(folder).href}/`, entry: "index.js", name, source, options };
  const worker = new Worker(new URL("test/browser/loads.mjs", root), { workerData });
  try {
    return await new Promise((resolve, reject) => {
      worker.once("message", ({ files }) => resolve(files)).once("error", reject);
    });
  } finally {
    await worker.terminate();
  }
}

/** By page: the entry points of the bundle in `folder`, which `metafile` is of, that it loads, with blanks between. */
async function partsOfPages(folder, metafile) {
  const entryOf = new Map(
    Object.entries(metafile.outputs).map(([file, { entryPoint }]) => [basename(file), entryPoint]),
  );
  const pages = {};
  for (const [page, call] of Object.entries(calls())) {
    const files = await filesOf(folder, call);
    pages[page] = files
      .flatMap((file) => entryOf.get(file) ?? [])
      .sort()
      .join(" ");
  }
  return pages;
}

const folder = mkdtempSync(join(tmpdir(), "crosslane-pages-"));
const metafile = await bundleForBrowsers(folder, { smallest: false });
writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
const pages = await partsOfPages(folder, metafile);
writeFileSync(new URL("browser-pages.json", import.meta.url), `${JSON.stringify(pages, null, 2)}\n`);
rmSync(folder, { recursive: true });
