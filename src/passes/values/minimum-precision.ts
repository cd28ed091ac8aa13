/**
 * HLSL's types of minimum precision are 32 bits wide in other languages: what could come out otherwise in 16 bits, and nothing in
 * the text shows that it does not, is an assumption of the translation, and is looked at by runs that look for such things. In
 * HLSL the types stay, and what they mean is left to its compiler as before.
 */
import { isOwnText } from "../../ast/lookup.js";
import type { BinaryOperator, Expr, FunctionDeclaration, Module } from "../../ast/nodes.js";
import { rewriteFunction } from "../../ast/walk.js";
import { isFloat, isNumeric, sameType, scalarOf, type Type } from "../../types/types.js";
import { intervalOfKind, within } from "../../ast/interval.js";
import { Ranges } from "../analysis/ranges.js";
import type { Pass } from "../pass.js";

export const minimumPrecision: Pass = {
  name: "minimum-precision",
  run(module, context): Module {
    if (isOwnText(module, context.target)) return { ...module, functions: module.functions.map(asWritten) };
    const functions = module.functions.map((f) => {
      const ranges = new Ranges(module, f);
      const isShown = (e: Expr): boolean => {
        const kind = scalarOf(e.type)!;
        const range = isFloat(kind) ? undefined : ranges.shown(e.kind === "convert" && isSame(e) ? e.operand : e);
        return range !== undefined && within(range, intervalOfKind(kind === "u32" ? "u16" : "i16"));
      };
      return rewriteFunction(f, {
        expr(e) {
          if (e.relies !== "minimum") return e.kind === "convert" && !e.explicit && isSame(e) ? e.operand : e;
          const shown = isShown(e);
          if (context.options.checked && !shown) return e;
          if (context.target !== "ts" && !shown)
            context.note(
              "assumed",
              "minimum-precision",
              isFloat(scalarOf(e.type)!)
                ? "floats of at least 16 bits are computed with 32, and fit 16"
                : "integers of at least 16 bits fit 16",
              e.span,
            );
          if (e.kind === "convert" && isSame(e)) return e.operand;
          const { relies: _relies, ...plain } = e;
          return plain;
        },
      });
    });
    return { ...module, functions };
  },
};

/** Without what reading has made explicit: conversions, and that counts of shifts are taken modulo 16. */
const asWritten = (f: FunctionDeclaration): FunctionDeclaration =>
  rewriteFunction(f, {
    expr(e) {
      if (e.kind === "convert" && !e.explicit && isSame(e)) return e.operand;
      const { relies, ...bare } = e;
      const plain = relies === "minimum" ? bare : e;
      if (plain.kind === "binary" && isShift(plain.operator, plain.left.type))
        return { ...plain, right: countOf(plain.right) };
      if (plain.kind === "assign" && isShift(plain.operator, plain.target.type))
        return { ...plain, value: countOf(plain.value) };
      return plain;
    },
  });

const isShift = (operator: BinaryOperator | undefined, type: Type): boolean =>
  (operator === "shl" || operator === "shr") && isNumeric(type) && type.minimum === true;

/** An operator of the source says how it was grouped. */
const countOf = (e: Expr): Expr =>
  e.kind === "binary" && e.operator === "and" && e.grouped === undefined ? e.left : e;

const isSame = (e: Expr & { kind: "convert" }): boolean => sameType(e.operand.type, e.type);
