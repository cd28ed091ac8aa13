/**
 * Marks the integer arithmetic whose edges the source's dialect leaves to the program, and that nothing in the text shows
 * to stay within them: a run that looks for it has a finding there. Done only for such runs.
 */
import type { Expr, Module } from "../../ast/nodes.js";
import { rewriteFunction } from "../../ast/walk.js";
import { binary, constantOf, convert, load } from "../../ast/builders.js";
import { languageFacts } from "../../dialects/languages.js";
import { bitWidth, isInteger, sameType, scalarOf, type Type } from "../../types/types.js";
import type { Pass } from "../pass.js";
import { intervalOfKind, within } from "../../ast/interval.js";
import { Ranges } from "../analysis/ranges.js";

export const overflowChecks: Pass = {
  name: "overflow-checks",
  run(module, context) {
    return context.options.checked
      ? { ...module, functions: module.functions.map((f) => rewriteFunction(f, marks(module, new Ranges(module, f)))) }
      : module;
  },
};

function marks(module: Module, ranges: Ranges): { expr: (e: Expr) => Expr } {
  const facts = languageFacts[module.dialect].arithmetic;
  const sums = facts.signedOverflow === "undefined";
  const shifts = facts.shiftCount === "undefined";
  const left = facts.signedShiftLeft === "undefined";
  const leaves = (e: Expr, type: Type): boolean => {
    const kind = scalarOf(type);
    if (!kind || !isInteger(kind) || type.kind === "matrix" || e.type.kind === "pointer") return false;
    const signed = kind[0] === "i";
    const shown = ranges.shown(e);
    const fits = shown !== undefined && within(shown, intervalOfKind(kind));
    if (e.kind === "unary")
      return signed && sums && e.operator === "negate" && bitWidth(kind) >= 32 && e.operand.kind !== "literal" && !fits;
    if (e.kind !== "binary" || e.left.type.kind === "pointer" || e.left.type.kind === "matrix") return false;
    switch (e.operator) {
      case "add":
      case "sub":
      case "mul":
        return signed && sums && bitWidth(kind) >= 32 && !fits;
      case "shl":
      case "shr": {
        const count = ranges.of(e.right);
        const small = count.low >= 0 && count.high < bitWidth(kind);
        return (shifts && !small) || (e.operator === "shl" && signed && left && !(fits && shown.low >= 0));
      }
      default:
        return false;
    }
  };
  const isShift = (e: Expr): boolean =>
    (e.kind === "binary" || e.kind === "assign") && (e.operator === "shl" || e.operator === "shr");
  // Where the bits that a shift pushes out are no matter, its count still is.
  const marked = <E extends Expr>(e: E): E => ({ ...e, relies: !left && isShift(e) ? "shift" : "edges" });
  return {
    expr(e) {
      if (e.relies) return e;
      switch (e.kind) {
        case "binary":
        case "unary":
          return leaves(e, e.type) ? marked(e) : e;
        case "assign": {
          if (!e.operator || e.target.type.kind === "pointer") return e;
          const compute = e.compute ?? e.target.type;
          const old = load(e.target, e.span);
          const value: Expr = {
            kind: "binary",
            operator: e.operator,
            left: sameType(compute, old.type) ? old : convert(old, compute, true),
            right: e.value,
            type: compute,
            span: e.span,
          };
          return leaves(value, compute) ? marked(e) : e;
        }
        case "increment":
          if (e.type.kind !== "scalar" && e.type.kind !== "vector") return e;
          return leaves(
            binary(e.delta === 1 ? "add" : "sub", load(e.place, e.span), constantOf(e.type, 1), e.span),
            e.type,
          )
            ? marked(e)
            : e;
        default:
          return e;
      }
    },
  };
}
