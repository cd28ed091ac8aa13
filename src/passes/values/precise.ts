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
const holdsFloats = (t: Type): boolean =>
  t.kind === "array" ? holdsFloats(t.element) : t.kind === "struct" || isFloating(t);

/** Where a compiler could fuse: a product that is added or subtracted. */
function mayFuse(e: Expr, fromElsewhere: (x: Expr) => boolean): boolean {
  if (isContractible(e) && e.contracts) return false;
  const product = (x: Expr): boolean =>
    (x.kind === "binary" && x.operator === "mul") ||
    (x.kind === "unary" && product(x.operand)) ||
    (x.kind === "splat" && product(x.operand)) ||
    fromElsewhere(x);
  return (
    e.kind === "binary" &&
    (e.operator === "add" || e.operator === "sub") &&
    isFloating(e.type) &&
    (product(e.left) || product(e.right))
  );
}

/**
 * Products that a sum elsewhere may take up: added by an assignment, given to a function or from one, chosen or taken apart
 * before they are added.
 */
function leavingProducts(
  f: FunctionDeclaration,
  goesToPrecise: ReadonlySet<Expr>,
  variable: (id: VarId) => Variable,
): ReadonlySet<Expr> {
  const found = new Set<Expr>();
  const leaves = (e: Expr): void => {
    if (e.kind === "binary" && e.operator === "mul" && isFloating(e.type) && !e.contracts) found.add(e);
    else if (e.kind === "unary" || e.kind === "splat" || e.kind === "swizzle-value" || e.kind === "element-value")
      leaves(e.operand);
    else if (e.kind === "construct" || (e.kind === "op" && e.op === "select.componentwise"))
      e.arguments.forEach(leaves);
    else if (e.kind === "conditional") [e.whenTrue, e.whenFalse].forEach(leaves);
  };
  const added = (e: Expr): void => {
    const direct = (e.kind === "unary" || e.kind === "splat" ? e.operand : e).kind === "binary";
    if (!direct) leaves(e);
  };
  walkStatement(f.body, {
    statement: (s) => void (s.kind === "return" && s.value && leaves(s.value)),
    expr(e) {
      const sum = (e.kind === "binary" || e.kind === "assign") && (e.operator === "add" || e.operator === "sub");
      if (e.kind === "assign") {
        const id = rootVariable(e.target);
        const to = id === undefined ? undefined : variable(id);
        if (!to?.precise && (sum || to?.space === "private")) leaves(e.value);
      } else if (e.kind === "binary" && sum && !goesToPrecise.has(e)) [e.left, e.right].forEach(added);
      else if (e.kind === "call") for (const a of e.arguments) if (a.mode === "value") leaves(a.value);
    },
  });
  return found;
}

export const preciseSums: TextPass = {
  name: "precise-sums",
  run(module, context) {
    if (module.contraction === "allowed" || context.target === module.dialect) return module;
    const editor = new ModuleEditor(module);
    // A product of a function that allows contraction may come in.
    const fromElsewhere = (x: Expr): boolean =>
      module.contraction === "marked" &&
      (x.kind === "call" ||
        (x.kind === "load" && module.variables.get(rootVariable(x.place) ?? -1)?.role === "parameter"));
    const precise = (v: Variable): void => {
      if (v.space === "private" && holdsFloats(v.type)) editor.setVariable({ ...v, precise: true });
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
      const isPrecise = (id: VarId): boolean => editor.variables.get(id)?.precise === true;
      const goesToPrecise = sumsOfLocals(f, isPrecise);
      const leaving = leavingProducts(f, goesToPrecise, (id) => editor.variables.get(id)!);
      return new Linearizer(editor, (e, _discarded, original) => {
        const product = leaving.has(original);
        if ((!mayFuse(e, fromElsewhere) && !product) || e.kind !== "binary" || goesToPrecise.has(original))
          return undefined;
        const t = editor.addVariable({
          name: product ? "product" : "sum",
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
    statement: (s) => void (s.kind === "declare" && locals(s.variable) && value(s.initializer)),
    expr: (e) =>
      void (e.kind === "assign" && e.target.kind === "variable" && locals(e.target.variable) && value(e.value)),
  });
  return goesToPrecise;
}
