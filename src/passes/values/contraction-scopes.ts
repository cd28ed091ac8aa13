/**
 * C forbids contraction from the start of a compound statement to its end: what stands in one beside a sum that must not be
 * contracted is not contracted either. What is in blocks inside it may be.
 */
import { contractionOf, settledContraction, withoutMark } from "../../ast/contraction.js";
import type { Block } from "../../ast/nodes.js";
import { rewriteStatements } from "../../ast/walk.js";
import type { TextPass } from "../pass.js";

function scoped(block: Block): Block {
  const off = contractionOf(block) === "off";
  const statements = rewriteStatements(block.statements, {
    keepsMeaning: true,
    enterStatement: (s) => (s.kind === "block" ? scoped(s) : undefined),
    expr: (e) => (off ? withoutMark(e) : e),
  });
  return statements === block.statements ? block : { ...block, statements };
}

export const contractionScopes: TextPass = {
  name: "contraction-scopes",
  run: (module) =>
    module.contraction === "marked"
      ? settledContraction(
          { ...module, functions: module.functions.map((f) => ({ ...f, body: scoped(f.body) })) },
          "off",
        )
      : module,
};
