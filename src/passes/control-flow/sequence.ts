/**
 * Order of evaluation. The tree goes from left to right. A target that does not, or leaves the order open, may give something
 * else where one operand changes what another uses: such expressions are taken apart, and effects run as statements, in order.
 */
import { isOwnText } from "../../ast/lookup.js";
import { declare, expressionStatement, load, ModuleEditor, variablePlace } from "../../ast/builders.js";
import type { EvaluationOrder } from "../../dialects/language.js";
import { languageFacts } from "../../dialects/languages.js";
import { Effects, lazyOperands } from "../../ops/effects.js";
import { anyMeet, fullExpressions, meetingOf, operandsOf } from "../../ops/evaluation-order.js";
import { footprintsOf, type Footprints } from "../../ops/footprints.js";
import type { Expr, FunctionDeclaration, Module, Statement } from "../../ast/nodes.js";
import { walkExpr, walkStatement } from "../../ast/walk.js";
import { Linearizer } from "../../ast/linearize.js";
import type { PassContext, TextPass } from "../pass.js";

/** Operators that a target may have to write as calls of helpers. */
const mayBecomeCall: ReadonlySet<string> = new Set(["div", "rem", "shl", "shr"]);

export const sequenceEffects: TextPass = {
  name: "sequence-effects",
  run(module, context) {
    const { order } = languageFacts[context.target];
    const own = isOwnText(module, context.target);
    // What a source leaves open its own text may, and what its compilers make of it they make of the same text.
    if (own && order.operands === "open") return module;
    const footprints = footprintsOf(module);
    const asWritten: EvaluationOrder = own ? { ...order, argumentsRead: "in turn" } : order;
    return sequenced(
      module,
      context,
      footprints,
      (e) => meetingOf(footprints, e, asWritten, mayBecomeCall) !== undefined,
    );
  },
};

/** GLSL's `mix` has the condition last, which the tree evaluates first. */
export const sequenceChoices: TextPass = {
  name: "sequence-choices",
  run(module, context) {
    const footprints = footprintsOf(module);
    const choices = (e: Expr): boolean =>
      footprints.effects(e).length > 0 &&
      anyWithin(
        e,
        (x) => x.kind === "op" && x.op === "select.componentwise" && anyMeet(operandsOf(footprints, x)) !== undefined,
      );
    return sequenced(module, context, footprints, choices);
  },
};

/** Full expressions whose operands are in conflict, with their effects in statements before them. */
function sequenced(
  module: Module,
  context: PassContext,
  footprints: Footprints,
  inConflict: (e: Expr) => boolean,
): Module {
  const editor = new ModuleEditor(module);
  const functions = module.functions.map((f): FunctionDeclaration => {
    const hoist = new Set<Expr>();
    walkStatement(f.body, {
      statement: (s) => {
        for (const e of fullExpressions(s))
          if (inConflict(e)) for (const x of footprints.effects(e)) if (x !== e) hoist.add(x);
      },
    });
    if (hoist.size === 0) return f;
    for (const e of hoist)
      context.note(
        "emulated",
        "evaluation-order",
        "effects inside an expression run as statements of their own",
        e.span,
      );
    const linearizer: Linearizer = new Linearizer(editor, (e, _discarded, original) => {
      if (!hoist.has(original)) return undefined;
      const keep = (value: Expr): { before: readonly Statement[]; value: Expr } => {
        const t = editor.addLocal("t", value.type);
        linearizer.settled.add(t.id);
        return { before: [declare(t.id, value)], value: load(variablePlace(t), e.span) };
      };
      if (e.kind === "increment" && !e.prefix) {
        const old = keep(load(e.place, e.span));
        return { before: [...old.before, expressionStatement(e)], value: old.value };
      }
      if (e.kind === "call" && e.type.kind === "void") return { before: [expressionStatement(e)], value: undefined };
      return keep(e);
    });
    return linearizer.function(f);
  });
  return editor.finish({ functions });
}

/**
 * HLSL evaluates all operands of `&&`, `||` and `?:` before version 2021 of the language, and compilers for other drivers
 * still do. Operands that do something besides giving a value stand in branches.
 */
export const lazyEffects: TextPass = {
  name: "lazy-effects",
  run(module, context) {
    if (isOwnText(module, context.target)) return module;
    const editor = new ModuleEditor(module);
    const effects = new Effects(module);
    const functions = module.functions.map((f): FunctionDeclaration => {
      const apart = new Set<Expr>();
      walkStatement(f.body, {
        expr: (e) => {
          for (const operand of lazyOperands(e)) {
            if (!effects.of(operand)) continue;
            apart.add(operand);
            context.note(
              "emulated",
              "lazy-operand",
              "operands with effects that &&, || and ?: may skip stand in branches",
              operand.span,
            );
          }
        },
      });
      if (apart.size === 0) return f;
      return new Linearizer(
        editor,
        () => undefined,
        (operand) => apart.has(operand),
      ).function(f);
    });
    return editor.finish({ functions });
  },
};

function anyWithin(e: Expr, wanted: (x: Expr) => boolean): boolean {
  let found = false;
  walkExpr(e, { expr: (x) => !found && !(found = wanted(x)) });
  return found;
}
