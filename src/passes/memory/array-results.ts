/** Functions that return arrays, where the target has none (C; HLSL only by a typedef): the result is an array of the caller's, filled by the callee. */
import {
  assign,
  declare,
  element,
  expressionStatement,
  load,
  ModuleEditor,
  variablePlace,
} from "../../ast/builders.js";
import type { Expr, FunctionDeclaration, FunctionId, Statement, Variable } from "../../ast/nodes.js";
import { rewriteStatements } from "../../ast/walk.js";
import { noSpan } from "../../support/span.js";
import { voidType } from "../../types/types.js";
import { Linearizer } from "../../ast/linearize.js";
import type { TextPass } from "../pass.js";

export const arrayResults: TextPass = {
  name: "array-results",
  run(module) {
    const editor = new ModuleEditor(module);
    const results = new Map<FunctionId, Variable>();
    for (const f of module.functions) {
      if (f.returnType.kind !== "array") continue;
      const result = editor.addVariable({
        name: "result",
        type: f.returnType,
        space: "private",
        role: "parameter",
        mode: "out",
        constant: false,
        span: noSpan,
      });
      results.set(f.id, result);
    }
    if (results.size === 0) return module;

    const call = (
      e: Expr,
      discarded: boolean,
    ): { before: readonly Statement[]; value: Expr | undefined } | undefined => {
      // An element of what is a variable now.
      if (e.kind === "element-value" && e.operand.kind === "load" && e.operand.type.kind === "array")
        return { before: [], value: load(element(e.operand.place, e.index, e.span), e.span) };
      const result = e.kind === "call" ? results.get(e.function) : undefined;
      if (e.kind !== "call" || !result) return undefined;
      const v = editor.addLocal("list", result.type);
      const place = variablePlace(v, e.span);
      const filled: Expr = { ...e, arguments: [...e.arguments, { mode: "out", place }], type: voidType };
      return {
        before: [declare(v.id, undefined, e.span), expressionStatement(filled, e.span)],
        value: discarded ? undefined : load(place, e.span),
      };
    };
    const functions = module.functions.map((f): FunctionDeclaration => {
      const done = new Linearizer(editor, call).function(f);
      const result = results.get(f.id);
      if (!result) return done;
      const statements = rewriteStatements(done.body.statements, {
        statement(s) {
          if (s.kind !== "return" || !s.value) return s;
          const { value, ...bare } = s;
          const set = expressionStatement(assign(variablePlace(result), value, s.span), s.span, {
            ...s.trivia,
            trailing: [],
          });
          return [set, { ...bare, trivia: { leading: [], trailing: s.trivia.trailing, blankBefore: false } }];
        },
      });
      const last = statements.at(-1);
      const body = {
        ...done.body,
        statements: last?.kind === "return" && last.trivia.trailing.length === 0 ? statements.slice(0, -1) : statements,
      };
      return { ...done, parameters: [...f.parameters, result.id], returnType: voidType, body };
    });
    return editor.finish({ functions });
  },
};
