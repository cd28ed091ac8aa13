/** No contraction: in GLSL and HLSL, sums of products are computed into `precise` variables; C has a pragma. */
import { declare, load, ModuleEditor, variablePlace } from "../../ast/builders.js";
import type { Expr, FunctionDeclaration, VarId, Variable } from "../../ast/nodes.js";
import { walkStatement } from "../../ast/walk.js";
import { noSpan } from "../../support/span.js";
import { isFloat, scalarOf, type Type } from "../../types/types.js";
import { Linearizer } from "../control-flow/linearize.js";
import type { TextPass } from "../pass.js";

const isFloating = (t: Type): boolean => isFloat(scalarOf(t) ?? "bool");

/** Where a compiler could fuse: a product that is added or subtracted. */
function mayFuse(e: Expr): boolean {
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
    if (module.contraction !== "off" || context.target === module.dialect) return module;
    const editor = new ModuleEditor(module);
    const precise = (v: Variable): void => {
      if (v.space === "private" && (isFloating(v.type) || v.type.kind === "struct"))
        editor.setVariable({ ...v, precise: true });
    };
    // A local computed by such a sum, directly or through other locals.
    const functions = module.functions.map((f) => {
      walkStatement(f.body, {
        statement: (s) => void (s.kind === "declare" && precise(editor.variables.get(s.variable)!)),
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
    return editor.finish({ functions });
  },
};

/** OpenCL C and MSL forbid contraction for a text, not for a variable. */
export const preciseTexts: TextPass = {
  name: "precise-texts",
  run(module) {
    if (module.contraction === "off") return module;
    return [...module.variables.values()].some((v) => v.precise) ? { ...module, contraction: "off" } : module;
  },
};

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
