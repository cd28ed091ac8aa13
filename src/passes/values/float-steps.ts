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
import { repeatablePlace } from "../../ast/held-place.js";
import type { Expr, FunctionDeclaration, Statement } from "../../ast/nodes.js";
import { isFloat } from "../../types/types.js";
import { Linearizer } from "../../ast/linearize.js";
import type { TextPass } from "../pass.js";

export const floatVectorSteps: TextPass = {
  name: "float-vector-steps",
  run(module) {
    const editor = new ModuleEditor(module);
    const functions = module.functions.map((f): FunctionDeclaration =>
      new Linearizer(editor, (e, discarded) => {
        if (e.kind !== "increment" || (e.type.kind !== "vector" && e.type.kind !== "matrix") || !isFloat(e.type.scalar))
          return undefined;
        const before: Statement[] = [];
        const place = repeatablePlace(e.place, (x) => {
          const at = editor.addLocal("at", x.type);
          before.push(declare(at.id, x));
          return load(variablePlace(at), x.span);
        });
        const step: Expr = assign(place, constantOf(e.type, 1, e.span), e.span, e.delta === 1 ? "add" : "sub");
        if (discarded || e.prefix) return { before, value: step };
        const old = editor.addLocal("old", e.type);
        return {
          before: [...before, declare(old.id, load(place)), expressionStatement(step)],
          value: load(variablePlace(old), e.span),
        };
      }).function(f),
    );
    return editor.finish({ functions });
  },
};
