/**
 * Sums and products whose terms cancel, where the source computes them as it writes them and a compiler of the target may take
 * floats for real numbers. GLSL and HLSL compute what leads to a `precise` variable as it is written, MSL from 3.2 on a text
 * without fast math. While expressions are as in the source: lowerings say themselves what is precise.
 */
import { isOwnText } from "../../ast/lookup.js";
import type { FunctionDeclaration, Module } from "../../ast/nodes.js";
import { walkStatement } from "../../ast/walk.js";
import { hasAtom } from "../../caps/profiles.js";
import type { FloatOrder } from "../../dialects/language.js";
import { languageFacts } from "../../dialects/languages.js";
import { satisfied } from "../../ops/features.js";
import { isFloat, scalarOf } from "../../types/types.js";
import { cancellingSums } from "../analysis/cancelling-sums.js";
import type { TextContext, TextPass } from "../pass.js";
import { withPrecise } from "./ordered-sums.js";

/** How a language is held to the order of floats that does not keep it by itself. */
type Reordered = Exclude<FloatOrder, "kept">;

export const reassociation: TextPass = {
  name: "reassociation",
  run(module, context): Module {
    const there = languageFacts[context.target].floatOrder;
    if (isOwnText(module, context.target) || there === "kept" || !module.functions.some(mayCancel)) return module;
    return keptAsWritten(module, context, there);
  },
};

/**
 * Helper functions count on the order of their sums whatever the source does: GLSL and HLSL have `precise` variables for them. When ops
 * are lowered.
 */
export const helperReassociation: TextPass = {
  name: "helper-reassociation",
  run(module, context) {
    const there = languageFacts[context.target].floatOrder;
    if (there === "kept" || there.keptBy === "precise" || module.specialNumbers) return module;
    const helpers = module.functions.filter((f) => f.emulates !== undefined && mayCancel(f));
    return helpers.length === 0 ? module : helpersAsWritten(module, context, there, helpers);
  },
};

function keptAsWritten(module: Module, context: TextContext, there: Reordered): Module {
  const keeps = keptFunctions(module);
  if (keeps.length === 0 || (there.keptBy === "precise" && keeps !== module.functions)) return module;
  const found = cancellingSums(module);
  if (found.size === 0) return module;
  if (there.keptBy === "precise") return withPrecise(module, found);
  // What widths there are `special-numbers` finds out.
  if (satisfied(there.needs, (atom) => hasAtom(context.profile, atom))) return { ...module, specialNumbers: ["f32"] };
  for (const f of keeps)
    walkStatement(f.body, {
      expr: (e) => void (found.has(e) && context.note("assumed", "reassociation", there.assumed, e.span)),
    });
  return module;
}

function helpersAsWritten(
  module: Module,
  context: TextContext,
  there: Exclude<Reordered, { keptBy: "precise" }>,
  helpers: readonly FunctionDeclaration[],
): Module {
  if (cancellingSums({ ...module, functions: helpers }).size === 0) return module;
  if (satisfied(there.needs, (atom) => hasAtom(context.profile, atom)))
    return { ...module, specialNumbers: ["f16", "f32"] };
  context.note("assumed", "reassociation", there.assumed);
  return module;
}

/** Whether anything is taken away, divided or scaled back: few kernels need the analysis, which pages load for those alone. */
function mayCancel(f: FunctionDeclaration): boolean {
  let found = false;
  walkStatement(f.body, {
    expr(e) {
      const kind = scalarOf(e.type);
      if (found || kind === undefined || !isFloat(kind)) return !found;
      if (e.kind === "literal") found = scalesOrSubtracts(Number(e.value));
      else if (e.kind === "unary") found = e.operator === "negate";
      else if (e.kind === "binary" || e.kind === "assign") found = e.operator === "sub" || e.operator === "div";
      return !found;
    },
  });
  return found;
}

/** A number that takes away where it is added, or takes back what a factor did. */
function scalesOrSubtracts(x: number): boolean {
  if (x < 1) return x < 0 || (x > 0 && (x <= 2 ** -32 || !Number.isInteger(Math.log2(x))));
  return x >= 2 ** 32;
}

/** Functions that compute as they are written: all of a language that says so, and those of others that ask for it. */
function keptFunctions(module: Module): readonly FunctionDeclaration[] {
  if (languageFacts[module.dialect].floatOrder === "kept" || module.specialNumbers) return module.functions;
  const precise = new Set([...module.variables.values()].filter((v) => v.precise).map((v) => v.id));
  if (precise.size === 0) return [];
  if (languageFacts[module.dialect].preciseReachesFunctions) return module.functions;
  return module.functions.filter((f) => {
    let found = false;
    walkStatement(f.body, { statement: (s) => void (found ||= s.kind === "declare" && precise.has(s.variable)) });
    return found;
  });
}
