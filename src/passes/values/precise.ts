/** No contraction: in GLSL and HLSL, sums of products are computed into `precise` variables; C has a pragma. */
import { declare, load, ModuleEditor, rootVariable, variablePlace } from "../../ast/builders.js";
import { isContractible, withoutMarks } from "../../ast/contraction.js";
import type { Expr, FunctionDeclaration, Module, VarId, Variable } from "../../ast/nodes.js";
import { walkExpr, walkStatement } from "../../ast/walk.js";
import { noSpan } from "../../support/span.js";
import { isFloat, scalarOf, type Type } from "../../types/types.js";
import { Linearizer } from "../control-flow/linearize.js";
import type { TextPass } from "../pass.js";

const isFloating = (t: Type): boolean => isFloat(scalarOf(t) ?? "bool");

/** Where a compiler could fuse: a product that is added or subtracted. */
function mayFuse(e: Expr): boolean {
  if (isContractible(e) && e.contracts) return false;
  const product = (x: Expr): boolean =>
    (x.kind === "binary" && x.operator === "mul") ||
    (x.kind === "unary" && product(x.operand)) ||
    (x.kind === "splat" && product(x.operand));
  if (e.kind === "binary" && (e.operator === "add" || e.operator === "sub") && isFloating(e.type))
    return product(e.left) || product(e.right);
  return (
    e.kind === "assign" && (e.operator === "add" || e.operator === "sub") && isFloating(e.type) && product(e.value)
  );
}

export const preciseSums: TextPass = {
  name: "precise-sums",
  run(module, context) {
    if (module.contraction === "allowed" || context.target === module.dialect) return module;
    const editor = new ModuleEditor(module);
    const precise = (v: Variable): void => {
      if (v.space === "private" && (isFloating(v.type) || v.type.kind === "struct"))
        editor.setVariable({ ...v, precise: true });
    };
    // A local computed by such a sum, directly or through other locals.
    const functions = module.functions.map((f) => {
      if (module.contraction === "marked" && !forbids(f)) return f;
      // Where more is known than of the text as a whole, what is only read needs no word.
      const computed = module.contraction === "marked" ? computedLocals(f) : undefined;
      walkStatement(f.body, {
        statement: (s) =>
          void (
            s.kind === "declare" &&
            (computed?.has(s.variable) ?? true) &&
            precise(editor.variables.get(s.variable)!)
          ),
      });
      const goesToPrecise = sumsOfLocals(f, (id) => editor.variables.get(id)?.precise === true);
      return new Linearizer(editor, (e, _discarded, original) => {
        if (!mayFuse(e) || e.kind !== "binary" || goesToPrecise.has(original)) return undefined;
        const t = editor.addVariable({
          name: "sum",
          type: e.type,
          space: "private",
          role: "local",
          constant: false,
          precise: true,
          span: noSpan,
        });
        return { before: [declare(t.id, e)], value: load(variablePlace(t), e.span) };
      }).function(f);
    });
    return { ...withoutMarks(editor.finish({ functions })), contraction: "off" };
  },
};

/** Locals that are given the result of an operation. */
function computedLocals(f: FunctionDeclaration): ReadonlySet<VarId> {
  const found = new Set<VarId>();
  const given = (id: VarId | undefined, value: Expr): void => {
    if (id !== undefined) walkExpr(value, { expr: (e) => void (isContractible(e) && found.add(id)) });
  };
  walkStatement(f.body, {
    statement: (s) => void (s.kind === "declare" && s.initializer && given(s.variable, s.initializer)),
    expr: (e) => void (e.kind === "assign" && given(rootVariable(e.target), e)),
  });
  return found;
}

/** Something in it must not be contracted. */
function forbids(f: FunctionDeclaration): boolean {
  let found = false;
  walkStatement(f.body, { expr: (e) => void (found ||= isContractible(e) && !e.contracts) });
  return found;
}

/** OpenCL C and MSL forbid contraction for a text or a compound statement, not for a variable. */
export const preciseTexts: TextPass = {
  name: "precise-texts",
  run(module) {
    if (module.contraction === "off" || ![...module.variables.values()].some((v) => v.precise)) return module;
    if (module.contraction === "allowed") return { ...module, contraction: "off" };
    return withoutMarks(module, (f) => declaresPrecise(module, f));
  },
};

function declaresPrecise(module: Module, f: FunctionDeclaration): boolean {
  let found = false;
  walkStatement(f.body, {
    statement: (s) => void (found ||= s.kind === "declare" && module.variables.get(s.variable)?.precise === true),
  });
  return found;
}

/** Sums that are the whole value of a local, which is precise itself. */
function sumsOfLocals(f: FunctionDeclaration, locals: (id: VarId) => boolean): ReadonlySet<Expr> {
  const goesToPrecise = new Set<Expr>();
  const value = (e: Expr | undefined): void => {
    if (!e) return;
    goesToPrecise.add(e);
    if (e.kind === "binary" || e.kind === "unary")
      for (const x of e.kind === "binary" ? [e.left, e.right] : [e.operand]) value(x);
  };
  walkStatement(f.body, {
    statement: (s) => void (s.kind === "declare" && value(s.initializer)),
    expr: (e) =>
      void (e.kind === "assign" && e.target.kind === "variable" && locals(e.target.variable) && value(e.value)),
  });
  return goesToPrecise;
}
