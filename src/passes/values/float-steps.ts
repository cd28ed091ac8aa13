/** `++` and `--` of float vectors and matrices, which C-like dialects have for scalars and integer vectors only: sums with 1. */
import {
  assign,
  constantOf,
  declare,
  expressionStatement,
  load,
  ModuleEditor,
  variablePlace,
} from "../../ast/builders.js";
import type { Expr, FunctionDeclaration } from "../../ast/nodes.js";
import { placeIsPure } from "../../ast/walk.js";
import { noSpan } from "../../support/span.js";
import { isFloat } from "../../types/types.js";
import { Linearizer } from "../control-flow/linearize.js";
import type { TextPass } from "../pass.js";

export const floatVectorSteps: TextPass = {
  name: "float-vector-steps",
  run(module, context) {
    const editor = new ModuleEditor(module);
    const functions = module.functions.map((f): FunctionDeclaration =>
      new Linearizer(editor, (e, discarded) => {
        if (e.kind !== "increment" || (e.type.kind !== "vector" && e.type.kind !== "matrix") || !isFloat(e.type.scalar))
          return undefined;
        if (!placeIsPure(e.place)) {
          context.problems.error(
            "XL1900",
            "a step of a float vector or matrix at a place with side effects is not supported yet",
            e.span,
          );
          return undefined;
        }
        const step: Expr = assign(e.place, constantOf(e.type, 1, e.span), e.span, e.delta === 1 ? "add" : "sub");
        if (discarded || e.prefix) return { before: [], value: step };
        const old = editor.addVariable({
          name: "old",
          type: e.type,
          space: "private",
          role: "local",
          constant: false,
          span: noSpan,
        });
        return {
          before: [declare(old.id, load(e.place)), expressionStatement(step)],
          value: load(variablePlace(old), e.span),
        };
      }).function(f),
    );
    return editor.finish({ functions });
  },
};
