/**
 * A constant index outside its array is legal C where it is never reached, and no GLSL: glslang refuses the literal, DXC
 * whatever it can fold to one. Such an access takes the nearest element, which no run that is defined can tell.
 */
import { isOwnText } from "../../ast/lookup.js";
import { ConstantScope } from "../../ast/constant-values.js";
import { literal, opCall, convert } from "../../ast/builders.js";
import type { Expr, Module, Place, VarId } from "../../ast/nodes.js";
import { isPure, rewriteExpr, rewriteModule, walkModule } from "../../ast/walk.js";
import { u32, type Type } from "../../types/types.js";
import type { TextPass } from "../pass.js";
import { writingFacts } from "../../dialects/languages.js";

export const outsideIndices: TextPass = {
  name: "outside-indices",
  run(module, context): Module {
    if (isOwnText(module, context.target)) return module;
    const values =
      writingFacts(context.target).refusedIndices === "folded"
        ? constantsOf(module)
        : new Map<VarId, ReadonlySet<number>>();
    const inside = (index: Expr, of: Type): Expr => {
      if (of.kind !== "array" || of.length === undefined || of.length === 0) return index;
      const known = constant(index);
      const last = of.length - 1;
      if (known !== undefined) {
        const nearest = Math.min(Math.max(known, 0), last);
        return nearest === known ? index : literal("i32", nearest, index.span);
      }
      const may = possible(index, values);
      if (may.every((n) => n >= 0 && n <= last)) return index;
      return opCall("math.min", [convert(index, u32, true), literal("u32", last)], u32, index.span);
    };
    return rewriteModule(module, {
      place: (p) => {
        if (p.kind !== "element") return p;
        const index = inside(p.index, p.base.type);
        return index === p.index ? p : { ...p, index };
      },
      expr: (e) => {
        if (e.kind !== "element-value") return e;
        const index = inside(e.index, e.operand.type);
        return index === e.index ? e : { ...e, index };
      },
    });
  },
};

/** Of what is written as a number: names stand for nothing here. */
const numbers = new ConstantScope(new Map(), new Map());

function constant(e: Expr): number | undefined {
  // What the text says is asked, whatever the source's own types would hold.
  const value = numbers.valueOf(e) ?? (isPure(e) ? numbers.valueOf(rewriteExpr(e, { expr: asWritten })) : undefined);
  return typeof value === "bigint" ? Number(value) : undefined;
}

const asWritten = (e: Expr): Expr => (e.relies === undefined ? e : { ...e, relies: undefined });

/** Constants that a variable is given somewhere. */
function constantsOf(module: Module): Map<VarId, ReadonlySet<number>> {
  const values = new Map<VarId, Set<number>>();
  const gets = (v: VarId, e: Expr | undefined): void => {
    const n = e && constant(e);
    if (n !== undefined) values.set(v, (values.get(v) ?? new Set()).add(n));
  };
  const functions = new Map(module.functions.map((f) => [f.id, f]));
  walkModule(module, {
    statement: (s) => void (s.kind === "declare" && gets(s.variable, s.initializer)),
    expr: (e) => {
      if (e.kind === "assign" && !e.operator && e.target.kind === "variable") gets(e.target.variable, e.value);
      if (e.kind === "call")
        e.arguments.forEach(
          (a, i) => void (a.mode === "value" && gets(functions.get(e.function)!.parameters[i]!, a.value)),
        );
    },
  });
  return values;
}

/** Constants the index may fold to. */
function possible(e: Expr, values: ReadonlyMap<VarId, ReadonlySet<number>>): readonly number[] {
  const of = (p: Place): readonly number[] => (p.kind === "variable" ? [...(values.get(p.variable) ?? [])] : []);
  switch (e.kind) {
    case "load":
      return of(e.place);
    case "increment":
      return of(e.place).map((n) => (e.prefix ? n + e.delta : n));
    case "convert":
      return possible(e.operand, values);
    case "binary": {
      const [left, right] = [constant(e.left), constant(e.right)];
      const sign = e.operator === "sub" ? -1 : 1;
      if (e.operator !== "add" && e.operator !== "sub") return [];
      if (right !== undefined) return possible(e.left, values).map((n) => n + sign * right);
      return left === undefined ? [] : possible(e.right, values).map((n) => left + sign * n);
    }
    default:
      return [];
  }
}
