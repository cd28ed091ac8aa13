/** One shape of scaling.mjs in a process of its own: a line of JSON for each stage, so that what ended before a limit is known. */
import { compile } from "../dist/src/api/compile.js";
import { translateTo } from "../dist/src/api/translate.js";
import { twoWayDialects } from "../dist/src/dialects/ids.js";
import { printKernel } from "../dist/emitters/typescript/printer.js";
import { legalize } from "../dist/src/passes/index.js";
import { compile as compileKernel } from "../dist/src/sim/index.js";

/** As the simulator prints code, which is what the `ts` target lays out: Prettier's own time is its own. */
function simulatorCode(module) {
  const legal = legalize(module, "ts", { checked: true });
  if (!legal.module) return legal.problems;
  const { kernel, problems } = compileKernel(legal.module, legal.module.entries[0]);
  if (kernel) {
    printKernel(kernel.program, {
      types: false,
      checks: true,
      open: true,
      steps: true,
      writers: false,
      localFills: false,
      scrambled: false,
      races: true,
      workgroupSize: [64, 1, 1],
      subgroupSize: 32,
    });
  }
  return problems;
}

const [module, at, scale] = process.argv.slice(2);
const { scalingShapes } = await import(module);
const shape = scalingShapes[Number(at)];
const clock = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

async function once(n, report) {
  const text = shape.text(n);
  const include = shape.include?.(n);
  let compilation;
  const stage = async (name, run) => {
    const start = clock();
    const diagnostics = await run();
    const errors = diagnostics.filter((d) => d.severity === "error");
    report({
      n,
      stage: name,
      ms: clock() - start,
      mb: process.memoryUsage().heapUsed / 2 ** 20,
      error: errors[0] && `${errors[0].code} ${errors[0].message}`,
      unplaced: errors[0] && !errors[0].location,
    });
  };
  await stage("read", async () => {
    compilation = await compile(text, { from: shape.from, ...(include ? { include } : {}) });
    return compilation.diagnostics;
  });
  if (!compilation.module) return;
  const entry = compilation.module.entries[0].name;
  await stage("sim", async () => simulatorCode(compilation.module).map((p) => ({ ...p, location: p.span })));
  for (const to of twoWayDialects) {
    const options = { workgroupSize: [64, 1, 1], ...(to === "glsl" ? { entry } : {}) };
    await stage(to, async () => (await translateTo(compilation, to, options)).diagnostics);
  }
}

const n = Math.round(shape.large * Number(scale));
await once(Math.max(2, n >> 3), () => {});
for (const factor of [1, 2, 4]) await once(factor * n, (line) => console.log(JSON.stringify(line)));
console.log(JSON.stringify({ rss: process.resourceUsage().maxRSS / 1024 }));
