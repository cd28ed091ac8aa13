/**
 * What may differ between a legal tree and the tree read back from its text, each with its reason. Everything else has to
 * agree letter for letter.
 */
import { assign, builtin, convert, elementValue, literal, swizzleValue } from "../../src/ast/builders.js";
import { canonicalForm } from "../../src/ast/dump.js";
import type { Expr, Module, Place, VarId } from "../../src/ast/nodes.js";
import type { BuiltinId } from "../../src/ast/nodes.js";
import { rewriteModule } from "../../src/ast/walk.js";
import type { Dialect } from "../../src/dialects/ids.js";
import { decide } from "../../src/caps/decide.js";
import { rows } from "../../src/ops/table.js";
import { useOf } from "../../src/passes/legalize-ops.js";
import { bitWidth, isFloat, isInteger, sameType, scalarOf } from "../../src/types/types.js";
import type { ScalarKind } from "../../src/types/types.js";

export function legalForm(module: Module<"legal">, target: Dialect): string {
  return withoutSize(canonicalForm(foldLiterals(readsAs(readsBuiltins(module), target))), target);
}

export function readForm(module: Module, target: Dialect): string {
  return withoutSize(canonicalForm(foldLiterals(module)), target);
}

/**
 * Literal types: a dialect's rules may give a literal another type and convert it; the value is the same. Integers of one
 * width converted there and back are themselves.
 */
function foldLiterals(module: Module): Module {
  const fold = (e: Expr): Expr => {
    if (e.kind === "unary" && e.operator === "negate" && e.operand.kind === "literal" && typeof e.operand.value !== "boolean") {
      const { type, value, span } = e.operand;
      return literal(type.scalar, isFloat(type.scalar) ? -Number(value) : wrap(-BigInt(value), type.scalar), span);
    }
    // Metal takes lane numbers as ushort. Those beyond 2^16 are no lanes, in any dialect.
    if (e.kind === "op" && e.op.startsWith("subgroup.")) return { ...e, arguments: e.arguments.map((a, i) => (i > 0 ? withoutShort(a) : a)) };
    if (e.kind !== "convert") return e;
    const { operand, type } = e;
    if (type.kind !== "scalar" || !isInteger(type.scalar)) return e;
    if (operand.kind === "literal" && isInteger(operand.type.scalar) && typeof operand.value !== "boolean") {
      return literal(type.scalar, wrap(BigInt(operand.value), type.scalar), e.span);
    }
    if (operand.kind === "convert" && sameType(operand.operand.type, type)) {
      const between = scalarOf(operand.type);
      if (between && isInteger(between) && bitWidth(between) === bitWidth(type.scalar)) return operand.operand;
    }
    return e;
  };
  const index = (e: Expr): Expr => (e.kind === "literal" && e.type.scalar === "i32" ? literal("u32", Number(e.value) >>> 0, e.span) : e);
  return rewriteModule(module, {
    expr: (e) => (e.kind === "element-value" ? { ...e, index: index(e.index) } : fold(e)),
    place: (p) => (p.kind === "element" ? { ...p, index: index(p.index) } : p),
  });
}

function withoutShort(e: Expr): Expr {
  const short = e.kind === "convert" && scalarOf(e.type) === "u32" && e.operand.kind === "convert" && scalarOf(e.operand.type) === "u16";
  if (!short || e.operand.kind !== "convert") return e;
  const inner = e.operand.operand;
  return scalarOf(inner.type) === "u32" ? withoutShort(inner) : convert(inner, e.type);
}

function wrap(value: bigint, kind: ScalarKind): number | bigint {
  const wrapped = kind[0] === "i" ? BigInt.asIntN(bitWidth(kind), value) : BigInt.asUintN(bitWidth(kind), value);
  return bitWidth(kind) > 32 ? wrapped : Number(wrapped);
}

/** A spelling that promises more than the op it is written for is read as the op it promises. */
function readsAs(module: Module, target: Dialect): Module {
  return rewriteModule(module, {
    expr: (e) => {
      if (e.kind !== "op") return e;
      if (!rows.has(e.op)) return e;
      const decision = decide(useOf(e, false, false), target);
      const stronger = decision.kind === "native" ? decision.cell.readsAs : undefined;
      return stronger ? { ...e, op: stronger } : e;
    },
    // HLSL's Interlocked functions give the old value through an out parameter: read as an assignment.
    statement: (s) => {
      if (s.kind !== "expression" || s.expression.kind !== "op" || !s.expression.op.startsWith("atomic.")) return s;
      const [object, result, ...rest] = s.expression.places;
      if (!object || !result || rest.length > 0 || /_(weak|strong)$/.test(s.expression.op)) return s;
      const op = { ...s.expression, places: [object], type: object.type };
      return { ...s, expression: assign(result, op, s.span) };
    },
  });
}

/** Metal's text has no workgroup size: the launch decides, and reflection states it. */
function withoutSize(form: string, target: Dialect): string {
  return target === "msl" ? form.replace(/^entry size \S+/m, "entry") : form;
}

/**
 * Metal and HLSL hand builtin values to entries as parameters. The legal tree names those parameters; reading turns them
 * into reads of the builtin value itself.
 */
function readsBuiltins(module: Module<"legal">): Module {
  const builtins = new Map<VarId, BuiltinId>();
  for (const list of module.legal?.builtinParameters.values() ?? []) for (const b of list) builtins.set(b.variable, b.builtin);
  if (builtins.size === 0) return module;
  const value = (place: Place): Expr | undefined => {
    switch (place.kind) {
      case "variable": {
        const id = builtins.get(place.variable);
        if (id === undefined) return undefined;
        const whole = builtin(id, place.span);
        if (sameType(whole.type, place.type)) return whole;
        const count = place.type.kind === "vector" ? place.type.size : 1;
        const part = whole.type.kind === "vector" && count < 3 ? swizzleValue(whole, [0, 1].slice(0, count)) : whole;
        return sameType(part.type, place.type) ? part : convert(part, place.type);
      }
      case "swizzle": {
        const base = value(place.base);
        return base && swizzleValue(base, place.components);
      }
      case "element": {
        const base = value(place.base);
        return base && elementValue(base, place.index);
      }
      default:
        return undefined;
    }
  };
  return rewriteModule(module, { expr: (e) => (e.kind === "load" ? (value(e.place) ?? e) : e) });
}
