/** HLSL: DXC takes no loop that nothing leaves ("Loop must have break"). */
import { isOwnText } from "../../ast/lookup.js";
import type { Expr, Statement } from "../../ast/nodes.js";
import { walkStatement } from "../../ast/walk.js";
import type { Pass } from "../pass.js";

export const endlessLoops: Pass = {
  name: "endless-loops",
  run(module, context) {
    if (isOwnText(module, context.target)) return module;
    for (const f of module.functions) {
      walkStatement(f.body, {
        statement: (s) => {
          if (
            (s.kind !== "for" && s.kind !== "while" && s.kind !== "do-while") ||
            !isTrue(s.condition) ||
            leaves(s.body, true)
          )
            return;
          context.problems.error("XL4008", "this loop is left by nothing, which DXC does not take", s.span);
        },
      });
    }
    return module;
  },
};

const isTrue = (e: Expr | undefined): boolean => e === undefined || (e.kind === "literal" && e.value === true);

/** Whether a return leaves the loop around `s`, or a break that is its own. */
function leaves(s: Statement, own: boolean): boolean {
  switch (s.kind) {
    case "return":
      return true;
    case "break":
      return own;
    case "block":
      return s.statements.some((x) => leaves(x, own));
    case "if":
      return leaves(s.then, own) || (s.else !== undefined && leaves(s.else, own));
    case "switch":
      return s.cases.some((c) => c.body.some((x) => leaves(x, false)));
    case "for":
    case "while":
    case "do-while":
      return leaves(s.body, false);
    default:
      return false;
  }
}
