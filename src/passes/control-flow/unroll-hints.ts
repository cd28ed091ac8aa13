/** HLSL's `[unroll]` is a demand: where no count is plain to see the compiler refuses, and a number bounds the loop itself. */
import { isOwnText } from "../../ast/lookup.js";
import type { Expr, For, Module, Statement, VarId } from "../../ast/nodes.js";
import { rewriteFunction } from "../../ast/walk.js";
import type { TextPass } from "../pass.js";

export const unrollHints: TextPass = {
  name: "unroll-hints",
  run(module, context): Module {
    if (isOwnText(module, context.target)) return module;
    const functions = module.functions.map((f) =>
      rewriteFunction(f, {
        statement: (s): Statement => {
          if (
            (s.kind !== "for" && s.kind !== "while" && s.kind !== "do-while") ||
            s.unroll === undefined ||
            s.unroll === false
          )
            return s;
          if (s.kind === "for" && isCounted(s)) return { ...s, unroll: true };
          context.note(
            "emulated",
            "unroll",
            "HLSL's [unroll] is a demand, and the number of rounds is not plain to see: the hint is left out",
            s.span,
          );
          const { unroll: _left, ...rest } = s;
          return rest;
        },
      }),
    );
    return { ...module, functions };
  },
};

/** From a literal to a literal, by a step that is one. */
function isCounted(s: For): boolean {
  const [first, ...others] = s.initializer;
  if (first?.kind !== "declare" || others.length > 0 || !first.initializer || !isLiteral(first.initializer))
    return false;
  const { condition, step } = s;
  if (condition?.kind !== "binary" || !["<", "<=", ">", ">=", "!="].includes(condition.operator)) return false;
  if (!reads(condition.left, first.variable) || !isLiteral(condition.right)) return false;
  if (step?.kind === "increment") return step.place.kind === "variable" && step.place.variable === first.variable;
  return (
    step?.kind === "assign" &&
    step.operator !== undefined &&
    step.target.kind === "variable" &&
    step.target.variable === first.variable &&
    isLiteral(step.value)
  );
}

const isLiteral = (e: Expr): boolean => e.kind === "literal" || (e.kind === "convert" && isLiteral(e.operand));

const reads = (e: Expr, id: VarId): boolean =>
  (e.kind === "load" && e.place.kind === "variable" && e.place.variable === id) ||
  (e.kind === "convert" && reads(e.operand, id));
