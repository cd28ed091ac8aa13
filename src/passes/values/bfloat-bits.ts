/** bfloats as the bits of 16-bit integers: see bfloats.ts. */
import {
  binary,
  bitcast,
  construct,
  convert,
  elementValue,
  i32Literal,
  literal,
  matrixColumns,
  ModuleEditor,
  unary,
} from "../../ast/builders.js";
import type { Expr, Module, Statement } from "../../ast/nodes.js";
import { placeIsPure, rewriteExpr, rewriteModule, type Rewriter } from "../../ast/walk.js";
import { constantTree, ConstantScope } from "../../ast/constant-values.js";
import { bf16Bits } from "../../types/numeric.js";
import { array, isNumeric, matrix, scalarOf, shaped, withLeaves, type Type } from "../../types/types.js";
import { Linearizer } from "../../ast/linearize.js";
import type { PassContext } from "../pass.js";
import { assignmentApart, hold } from "./assignments-apart.js";
import { BfloatConversions } from "./bfloat-conversions.js";
import { mentions, isBfloat } from "./mentions-bfloat.js";

// ------------------------------------------------------------------ constants

/** What is constant as its value: no target calls a function in the initialiser of a constant. */
export function folded(module: Module): Module {
  const constants = new ConstantScope(
    new Map([...module.variables].flatMap(([id, v]) => (v.compileTime && v.initializer ? [[id, v.initializer]] : []))),
    module.structs,
  );
  // In bodies names of constants stay.
  const written = new ConstantScope(new Map(), module.structs);
  const by = (scope: ConstantScope): Rewriter => ({
    enterExpr(e) {
      if (!mentions(e.type) || e.kind === "literal" || e.type.kind === "pointer") return undefined;
      const value = scope.valueOf(e);
      return value === undefined ? undefined : constantTree(value, e.type, e, module.structs);
    },
  });
  const bodies = rewriteModule(module, by(written));
  const variables = new Map(
    [...module.variables].map(([id, v]) => [
      id,
      v.initializer ? { ...v, initializer: rewriteExpr(v.initializer, by(constants)) } : v,
    ]),
  );
  return { ...bodies, variables };
}

// ------------------------------------------------------------------ assignments that compute, and copies of matrices

/** What names a place or a value more than once when it is written out, with that held before. */
export function apart(module: Module): Module {
  const editor = new ModuleEditor(module);
  const functions = module.functions.map((f) =>
    new Linearizer(editor, (e, discarded) => {
      if (e.kind === "assign" && e.operator && [e.type, e.compute ?? e.type, e.value.type].some(isBfloat))
        return assignmentApart(editor, e, discarded);
      if (e.kind === "increment" && isBfloat(e.type)) return assignmentApart(editor, e, discarded);
      if (e.kind !== "convert" || e.type.kind !== "matrix" || !(isBfloat(e.type) || isBfloat(e.operand.type)))
        return undefined;
      const before: Statement[] = [];
      const { operand } = e;
      const read =
        operand.kind === "load" && placeIsPure(operand.place) ? operand : hold(editor, "columns", operand, before);
      const column = shaped(e.type.scalar, e.type.rows);
      const columns = Array.from({ length: e.type.columns }, (_, c) =>
        convert(elementValue(read, i32Literal(c), e.span), column, true, e.span),
      );
      return { before, value: construct(e.type, columns, e.span) };
    }).function(f),
  );
  return editor.finish({ functions });
}

// ------------------------------------------------------------------ operators

const inFloat = (type: Type): Type =>
  type.kind === "matrix"
    ? matrix("f32", type.columns, type.rows)
    : shaped("f32", type.kind === "vector" ? type.size : 1);

/** bf16 as f32; of a number, or what was an f32 that holds one, the f32. */
function widened(e: Expr): Expr {
  if (!isBfloat(e.type)) return e;
  // Its digits were rounded to bf16, and say another float.
  if (e.kind === "literal") return literal("f32", e.value, e.span);
  if (e.kind === "splat") return { ...e, operand: widened(e.operand), type: inFloat(e.type) };
  return convert(e, inFloat(e.type), true, e.span);
}

export function throughFloats(module: Module, context: PassContext): Module {
  const refuse = (what: string, e: Expr): Expr => {
    context.problems.error("XL3003", `${what} of bfloat is not supported yet`, e.span, {
      help: "convert the operands to float before, and the result after it",
    });
    return e;
  };
  const conversion = (e: Expr & { kind: "convert" }): Expr => {
    const { operand } = e;
    if (!isBfloat(e.type)) {
      if (!isBfloat(operand.type) || scalarOf(e.type) === "f32") return e;
      return convert(widened(operand), e.type, e.explicit, e.span);
    }
    const from = scalarOf(operand.type);
    if (from === "f16" || from === "bool")
      return convert(convert(operand, inFloat(e.type), true, e.span), e.type, e.explicit, e.span);
    return e;
  };
  return rewriteModule(module, {
    expr(e) {
      switch (e.kind) {
        case "convert":
          return conversion(e);
        case "unary":
          if (!isBfloat(e.type)) return e;
          if (e.type.kind === "matrix") return refuse("such an operator on a matrix", e);
          if (e.operator === "plus") return e.operand;
          if (e.operand.kind === "literal") return literal("bf16", -Number(e.operand.value), e.span);
          return convert(unary(e.operator, widened(e.operand), e.span), e.type, true, e.span);
        case "binary": {
          if (!isBfloat(e.left.type) && !isBfloat(e.right.type)) return e;
          if ([e.left, e.right].some((x) => x.type.kind === "matrix")) return refuse("such an operator on a matrix", e);
          const made = binary(e.operator, widened(e.left), widened(e.right), e.span);
          return isBfloat(e.type) ? convert(made, e.type, true, e.span) : made;
        }
        case "op":
          // A choice by component moves bits.
          if (e.op === "select.componentwise") return e;
          if ([e.type, ...e.places.map((p) => p.type)].some(mentions)) return refuse(`'${e.op}'`, e);
          return e.arguments.some((a) => mentions(a.type)) ? { ...e, arguments: e.arguments.map(widened) } : e;
        default:
          return e;
      }
    },
  });
}

// ------------------------------------------------------------------ types

const bitsType = (type: Type): Type =>
  withLeaves(type, (t) => {
    if (!isNumeric(t) || !isBfloat(t)) return t;
    // No target has matrices of integers; its columns lie as those of a matrix (MSL 3.1 section 2.3).
    return t.kind === "matrix" ? array(shaped("u16", t.rows), t.columns) : { ...t, scalar: "u16" };
  });

export function asBits(module: Module): Module {
  const editor = new ModuleEditor(module);
  const conversions = new BfloatConversions(editor);
  const rewriter: Rewriter = {
    enterExpr(e) {
      if (e.kind !== "convert" || isBfloat(e.type) === isBfloat(e.operand.type)) return undefined;
      const operand = rewriteExpr(e.operand, rewriter);
      return isBfloat(e.type) ? conversions.narrowed(operand, e.span) : conversions.widened(operand, e.span);
    },
    expr(e) {
      const type = bitsType(e.type);
      if (type === e.type && e.kind !== "bitcast") return e;
      switch (e.kind) {
        case "literal": {
          const bits = bf16Bits(Number(e.value));
          return literal("u16", bits, e.span, `0x${bits.toString(16)}`);
        }
        case "convert":
          // Packed and plain vectors.
          return { ...e, type };
        case "bitcast":
          return type.kind === "pointer" ? { ...e, type } : bitcast(e.operand, type, e.span);
        case "construct":
          return type.kind === "array" && e.type.kind === "matrix"
            ? construct(type, matrixColumns(e), e.span)
            : { ...e, type };
        default:
          return { ...e, type };
      }
    },
    place(p) {
      const type = bitsType(p.type);
      return type === p.type ? p : { ...p, type };
    },
  };
  const done = rewriteModule(module, rewriter);
  for (const v of done.variables.values()) {
    const type = bitsType(v.type);
    editor.setVariable(type === v.type ? v : { ...v, type });
  }
  const structs = new Map(
    [...done.structs].map(([name, s]) => [
      name,
      s.members.some((m) => mentions(m.type))
        ? { ...s, members: s.members.map((m) => ({ ...m, type: bitsType(m.type) })) }
        : s,
    ]),
  );
  const functions = done.functions.map((f) =>
    mentions(f.returnType) ? { ...f, returnType: bitsType(f.returnType) } : f,
  );
  // A macro of a number is none of its bits.
  const order = done.order.filter((o) => o.kind !== "constant-macro" || !mentions(o.value.type));
  const { helpers } = conversions;
  return editor.finish({
    structs,
    resources: done.resources,
    functions: [...helpers, ...functions],
    order: [...helpers.map((h) => ({ kind: "function" as const, function: h.id })), ...order],
  });
}
