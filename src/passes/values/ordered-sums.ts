/** Sums and products that are found to count on their order, computed into `precise` variables (GLSL, HLSL). */
import {
  assign,
  binary,
  convert,
  declare,
  expressionStatement,
  load,
  ModuleEditor,
  variablePlace,
} from "../../ast/builders.js";
import { repeatablePlace } from "../../ast/held-place.js";
import type { Assign, Expr, FunctionDeclaration, Module, Statement, VarId, Variable } from "../../ast/nodes.js";
import { isPure, walkStatement } from "../../ast/walk.js";
import { append } from "../../support/append.js";
import { noSpan } from "../../support/span.js";
import { isFloat, scalarOf } from "../../types/types.js";
import { Linearizer, type Linear } from "../../ast/linearize.js";

export function withPrecise(module: Module, found: ReadonlySet<Expr>): Module {
  const editor = new ModuleEditor(module);
  const functions = module.functions.map((f) => {
    const inLocals = preciseAlready(f, found, (id) => {
      const v = editor.variables.get(id)!;
      if (v.role !== "local" || v.space !== "private") return false;
      editor.setVariable({ ...v, precise: true });
      return true;
    });
    return new Linearizer(editor, (e, discarded, original): Linear | undefined => {
      if (!found.has(original) || inLocals.has(original)) return undefined;
      return e.kind === "assign" ? inPlace(editor, e, discarded) : inPrecise(editor, e);
    }).function(f);
  });
  return editor.finish({ functions });
}

const carriesOn: ReadonlySet<Expr["kind"]> = new Set(["unary", "splat", "swizzle-value", "convert"]);

/** Those found that lead by arithmetic to another, or to the value of a local that `precise` makes precise. */
function preciseAlready(
  f: FunctionDeclaration,
  found: ReadonlySet<Expr>,
  precise: (id: VarId) => boolean,
): ReadonlySet<Expr> {
  const inside = new Set<Expr>();
  const leading = (e: Expr): readonly Expr[] => {
    const own = found.has(e) ? [e] : [];
    if (e.kind === "binary" && isFloat(scalarOf(e.type) ?? "bool"))
      return [...own, ...leading(e.left), ...leading(e.right)];
    return carriesOn.has(e.kind) && "operand" in e ? [...own, ...leading(e.operand)] : own;
  };
  const given = (id: VarId | undefined, list: readonly Expr[]): void => {
    if (id === undefined || list.length === 0 || !precise(id)) return;
    for (const e of list) inside.add(e);
  };
  walkStatement(f.body, {
    statement: (s) => void (s.kind === "declare" && s.initializer && given(s.variable, leading(s.initializer))),
    expr(e) {
      if (found.has(e)) for (const x of leading(e)) if (x !== e) inside.add(x);
      if (e.kind !== "assign") return;
      const whole = e.target.kind === "swizzle" ? e.target.base : e.target;
      if (whole.kind === "variable") given(whole.variable, [...(found.has(e) ? [e] : []), ...leading(e.value)]);
    },
  });
  return inside;
}

function inPrecise(editor: ModuleEditor, e: Expr): Linear {
  const t: Variable = editor.addVariable({
    name: "sum",
    type: e.type,
    space: "private",
    role: "local",
    constant: false,
    precise: true,
    span: noSpan,
  });
  return { before: [declare(t.id, e)], value: load(variablePlace(t), e.span) };
}

/** `x -= y` of memory as a difference of its own that is assigned. */
function inPlace(editor: ModuleEditor, e: Assign & Expr, discarded: boolean): Linear {
  const before: Statement[] = [];
  const held = (name: string, x: Expr): Expr => {
    const t = editor.addLocal(name, x.type);
    before.push(declare(t.id, x));
    return load(variablePlace(t), x.span);
  };
  const place = repeatablePlace(e.target, (x) => held("at", x));
  // The old value is read last.
  const operand = isPure(e.value) ? e.value : held("t", e.value);
  const old = convert(load(place, e.span), e.compute ?? place.type);
  const result = inPrecise(editor, binary(e.operator!, old, operand, e.span));
  const value = assign(place, convert(result.value, place.type), e.span);
  append(before, result.before);
  if (discarded) return { before, value };
  return { before: [...before, expressionStatement(value)], value: load(place, e.span) };
}
