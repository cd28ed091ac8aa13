/** GLSL switches on 32-bit integers only: a 64-bit value becomes the number of the label it equals. */
import { binary, conditional, declare, i32Literal, load, ModuleEditor, variablePlace } from "../../ast/builders.js";
import type { Expr, Module, Statement } from "../../ast/nodes.js";
import { rewriteModule } from "../../ast/walk.js";
import { bitWidth, scalarOf } from "../../types/types.js";
import type { TextPass } from "../pass.js";

export const wideSwitches: TextPass = {
  name: "wide-switches",
  run(module): Module {
    const editor = new ModuleEditor(module);
    const numbered = (s: Statement): Statement | readonly Statement[] => {
      const kind = s.kind === "switch" ? scalarOf(s.value.type) : undefined;
      if (s.kind !== "switch" || kind === undefined || bitWidth(kind) !== 64) return s;
      const v = editor.addVariable({
        name: "value",
        type: s.value.type,
        space: "private",
        role: "local",
        constant: true,
        span: s.value.span,
      });
      const labels = s.cases.flatMap((c) => c.labels.filter((l): l is Expr => l !== "default"));
      const which = labels.reduceRight<Expr>(
        (rest, l, i) => conditional(binary("eq", load(variablePlace(v)), l, l.span), i32Literal(i), rest, s.value.span),
        i32Literal(-1),
      );
      const cases = s.cases.map((c) => ({
        ...c,
        labels: c.labels.map((l) => (l === "default" ? l : i32Literal(labels.indexOf(l), l.span))),
      }));
      return [
        { ...declare(v.id, s.value), trivia: { ...s.trivia, trailing: [] } },
        { ...s, value: which, cases, trivia: { leading: [], trailing: s.trivia.trailing, blankBefore: false } },
      ];
    };
    const { functions } = rewriteModule(module, { statement: numbered });
    return functions === module.functions ? module : editor.finish({ functions });
  },
};
