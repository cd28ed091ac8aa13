import { printKernel } from "../../emitters/typescript/printer.js";
import { compile } from "../../src/api/compile.js";
import { reflectCompilation } from "../../src/api/reflect-compilation.js";
import { translateTo, type Translation } from "../../src/api/translate.js";
import { twoWayDialects } from "../../src/dialects/ids.js";
import { legalize } from "../../src/passes/index.js";
import { compile as compileKernel } from "../../src/sim/index.js";
import type { ScalingShape } from "./scaling-shapes.js";

/** Measures one part of the work, and gives what it makes. */
export type Measure = <T>(name: string, run: () => T | Promise<T>) => Promise<T>;

/** Blocks in blocks are printed with as many blanks as they are deep, and an else-if chain of the simulator is such a nest. */
export const printedDeep = (shape: ScalingShape, part: string): boolean =>
  shape.name.startsWith("else-if chain") && part === "the simulator";

/** Reading, each target, what is said of the interface, and the simulator's code: the work of each alone, since a sum hides one that grows faster. */
export async function scalingParts(shape: ScalingShape, n: number, part: Measure): Promise<void> {
  const text = shape.text(n);
  const include = shape.include?.(n);
  const compilation = await part("reading", () => compile(text, { from: shape.from, ...(include ? { include } : {}) }));
  const { module } = compilation;
  if (!module) return;
  const entry = module.entries[0]!.name;
  const made: Translation[] = [];
  for (const to of twoWayDialects)
    made.push(
      await part(to, () =>
        translateTo(compilation, to, { workgroupSize: [64, 1, 1], ...(to === "glsl" ? { entry } : {}) }),
      ),
    );
  await part("the interface", () => reflectCompilation(compilation, made));
  await part("the simulator", () => {
    const legal = legalize(module, "ts", { checked: true });
    if (!legal.module) return;
    const { kernel } = compileKernel(legal.module, legal.module.entries[0]!);
    if (kernel)
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
  });
}
