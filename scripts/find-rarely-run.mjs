/**
 * Writes scripts/rarely-run.json: functions that common kernels never run, by the part of the library for browsers that they go into; and
 * scripts/browser-pages.json after it.
 * Fixtures are translated, checked and verified by what is built in dist/src, and V8 says what ran: `npm run build` first; takes minutes.
 */
import { execFileSync } from "node:child_process";
import inspector from "node:inspector";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { movable } from "./rarely-run.mjs";

const root = new URL("../", import.meta.url);
const dist = new URL("dist/", root).href;
const extensions = { msl: "metal", glsl: "comp", opencl: "cl", hlsl: "hlsl" };
/** What a page does with the first two waits for no part but those of its languages, and with the others for few. */
const simplest = ["saxpy", "reduce"];
const common = [...simplest, "transpose", "histogram", "scan", "matmul", "mandelbrot", "reduce_tree", "nbody"];
/** What is shorter costs as much where it stays as what stands for it. */
const least = 92;
/** What no page has, and what is a bundle of its own. */
const apart =
  /\/(?:generated|judges|device|bindings|report)\/|\/api\/(?:barrier-)?capabilities|\/passes\/support\.js|\/support\/deferred\.js/;

const session = new inspector.Session();
session.connect();
const post = (method, params) =>
  new Promise((resolve, reject) => session.post(method, params, (e, result) => (e ? reject(e) : resolve(result))));
await post("Profiler.enable");
await post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
/** What throws on what it is given may be given that a part is not loaded: it is there itself. */
const throwsOn = ({ node }) => node.parameters.some(({ name }) => node.getText().includes(`throw ${name.getText()};`));

/** By URL: functions that can be moved, by where they end. */
const modules = new Map();
function functionsOf(url) {
  if (!modules.has(url)) {
    const module = url.slice(dist.length).replace(/\.js$/, ".ts");
    const source = ts.createSourceFile(module, readFileSync(fileURLToPath(url), "utf8"), ts.ScriptTarget.Latest, true);
    const all = movable(source)
      .filter((f) => !throwsOn(f))
      .map(({ name, node }) => ({
        module,
        name,
        // Of `export function f`, V8 counts from `function` on.
        starts: [node.getStart(), node.body.getStart()],
        length: node.end - node.getStart(),
        end: node.end,
        atLoad: false,
        jobs: [],
      }));
    modules.set(url, new Map(all.map((f) => [f.end, f])));
  }
  return modules.get(url);
}

/** The functions that ran since it was asked last. */
async function ran() {
  const { result } = await post("Profiler.takePreciseCoverage");
  return result.flatMap(({ url, functions }) => {
    if (!url.startsWith(dist) || apart.test(url)) return [];
    const all = functionsOf(url);
    return functions.flatMap(({ ranges: [{ startOffset, endOffset, count }] }) => {
      const f = count > 0 ? all.get(endOffset) : undefined;
      return f && startOffset >= f.starts[0] && startOffset < f.starts[1] ? [f] : [];
    });
  });
}

const { check, reflect, simulate, translate, verify } = await import(new URL("src/index.js", dist));
// Nothing begins again for what modules need while they are loaded.
for (const f of await ran()) f.atLoad = true;

/** Does something, and notes what ran. */
async function note(job, work) {
  await work();
  for (const f of await ran()) f.jobs.push(job);
}

const saxpy = readFileSync(new URL("fixtures/saxpy/kernel.cl", root), "utf8");
await note({ fixture: "saxpy", languages: Object.keys(extensions) }, () =>
  simulate(saxpy, {
    from: "opencl",
    gridSize: [3],
    workgroupSize: [4],
    threads: 1,
    args: { n: 3, a: 2, x: new Float32Array([1, 2, 3]), y: new Float32Array([10, 20, 30]) },
  }),
);
/** About what few kernels have, and much of the library: it stays with what no other fixture runs. */
const unusual = ["address_tables"];
const fixtures = readdirSync(new URL("fixtures", root)).filter(
  (name) => !unusual.includes(name) && existsSync(new URL(`fixtures/${name}/launch.json`, root)),
);
for (const name of fixtures) {
  for (const [from, extension] of Object.entries(extensions)) {
    const file = new URL(`fixtures/${name}/kernel.${extension}`, root);
    if (!existsSync(file)) continue;
    const source = readFileSync(file, "utf8");
    const states = /reqd_work_group_size|local_size_x|numthreads|max_total_threads/.test(source);
    const options = { from, ...(states ? {} : { workgroupSize: [64, 1, 1] }) };
    const isCommon = common.includes(name);
    for (const to of [...Object.keys(extensions), "ts"]) {
      const own = { ...options, to, ...(to === "ts" ? { types: false } : {}) };
      await note({ fixture: name, from, to, languages: [from, to] }, () => translate(source, own));
      // A page has no threads, and runs TypeScript that it verifies seldom.
      if (isCommon && to !== from && to !== "ts")
        await note({ fixture: name, verifies: true, languages: [from, to] }, () =>
          verify(source, { ...options, to, threads: 1 }),
        );
    }
    if (!isCommon) continue;
    // How far a kernel can be carried is asked of every target.
    await note({ fixture: name, languages: Object.keys(extensions) }, () => check(source, options));
    await note({ fixture: name, languages: [from] }, () => reflect(source, options));
  }
}

/** What all of these have in common, if it is one; the reading side goes by the source, passes by the target. */
function only(f, side) {
  const [first, ...others] = new Set(f.jobs.map((job) => job[side]));
  return first !== undefined && others.length === 0 ? `-${first}` : "";
}
const fixturesOf = (jobs) => new Set(jobs.map((job) => job.fixture));
/** What stays where it is, unless it is of one language: what one of the simplest runs, or several of the common, which only they verify. */
function isUsual({ jobs, module }) {
  const ofCommon = jobs.filter((job) => common.includes(job.fixture));
  const translating = fixturesOf(ofCommon.filter((job) => !job.verifies));
  const all = fixturesOf(ofCommon);
  // What runs kernels comes with a translation to TypeScript alone.
  const runs = /^src\/(?:regions|sim)\//.test(module);
  if (translating.size > 0 && !runs) return translating.size >= 7 || simplest.some((name) => translating.has(name));
  return all.size >= 9 || all.has("saxpy");
}
/** Of what is usual: the language that a page has where it is run. */
function languageOf({ jobs }) {
  const ofCommon = jobs.filter((job) => common.includes(job.fixture));
  const [language, ...others] = Object.keys(extensions).filter((l) => ofCommon.every((j) => j.languages.includes(l)));
  return others.length === 0 ? language : undefined;
}
const verifyFew = "verify-few";
/** Undefined where it stays. */
function partOf(f) {
  if (f.atLoad) return undefined;
  if (isUsual(f)) {
    const language = languageOf(f);
    // What pages of other languages want now and then is no reason to load the rest.
    const alone = f.jobs.every((job) => job.languages.includes(language));
    return language && `usual-${language}${alone ? "" : "-and-others"}`;
  }
  if (f.jobs.length > 0 && f.jobs.every((job) => job.verifies)) return verifyFew;
  const folder = f.module.slice(0, f.module.lastIndexOf("/"));
  if (f.jobs.length === 0) return `${folder}-never`;
  // What hardly any kernel needs is not loaded with what some do.
  const few = fixturesOf(f.jobs).size <= 2 ? "-few" : "";
  if (/^src\/(?:sema|frontend)/.test(folder)) return folder + only(f, "from") + few;
  return folder + (folder.startsWith("src/passes") ? only(f, "to") : "") + few;
}

/** Kernels that have one thing out of the common have seldom another: what one fixture alone runs is a part of its own where it is as much. */
const mostForOne = 5000;
const placed = [...modules.values()]
  .flatMap((m) => [...m.values()])
  .filter((f) => f.length >= least)
  .map((f) => ({ f, part: partOf(f), fixtures: fixturesOf(f.jobs) }))
  .filter(({ part }) => part !== undefined);
const alone = ({ part, fixtures }) =>
  part.endsWith("-few") && part !== verifyFew && fixtures.size === 1 ? `${part}-${[...fixtures][0]}` : undefined;
const lengths = {};
for (const p of placed) lengths[alone(p)] = (lengths[alone(p)] ?? 0) + p.f.length;

const parts = {};
for (const p of placed) {
  const own = alone(p);
  const part = own !== undefined && lengths[own] >= mostForOne ? own : p.part;
  ((parts[part] ??= {})[p.f.module] ??= []).push(p.f.name);
}
const sorted = (object, of) =>
  Object.fromEntries(
    Object.entries(object)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, value]) => [key, of(value)]),
  );
const list = sorted(parts, (of) => sorted(of, (names) => names.sort().join(" ")));
writeFileSync(new URL("scripts/rarely-run.json", root), `${JSON.stringify(list, null, 2)}\n`);
execFileSync(process.execPath, [fileURLToPath(new URL("find-browser-pages.mjs", import.meta.url))], {
  stdio: "inherit",
});
process.exit();
