/** What trees keep between passes: for tests and debugging (`LegalizeOptions.verifyTrees`), and in nothing that translates. */
import type { Module, Stage } from "../ast/nodes.js";
import { verifyTree } from "../ast/verify.js";
import { walkModule } from "../ast/walk.js";
import { rows } from "../ops/table.js";
import { properties, type Property, type TreeCheck } from "./pass.js";

/** What breaks a property: those that can be told by looking. */
const breaks: { readonly [P in Property]?: (module: Module<Stage>) => boolean } = {
  "no-pointers": (module) => {
    let found = false;
    walkModule(module, { expr: (e) => !(found ||= e.type.kind === "pointer") });
    return found;
  },
};

/** Throws where the tree is broken: a bug of what made it. */
export function mustHold(module: Module<Stage>, maker: string): void {
  const problems = verifyTree(module, { op: (e) => (rows.has(e.op) ? undefined : `${e.op} is no op`) });
  if (problems.length > 0) throw new Error(`${maker} left a broken tree: ${problems.join("; ")}`);
}

/** After a pass: the tree, and what the pass says that it ensures. */
export const treesHold: TreeCheck = (module, { name, ensures }, target) => {
  const maker = `${name} for ${target}`;
  mustHold(module, maker);
  const broken = ensures?.find((p) => breaks[p]?.(module));
  if (broken) throw new Error(`${maker} left a tree without "${broken}": ${properties[broken]}`);
};
