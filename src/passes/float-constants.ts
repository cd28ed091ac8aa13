/**
 * glslang computes with constants in double, reads their digits as double, and rounds where one is stored: `0.29 * 100.0`
 * is 28.999..., and so is what is made of it. A constant expression that a float computes otherwise is its value here; of
 * calls, which are not computed here, an operand is written by its bits, which glslang does not look through.
 */
import { bitcast, ModuleEditor, u32Literal } from "../ast/builders.js";
import { binaryConstant, constantTree, constantValue, convertConstant, unaryConstant, type Constant, type ConstantScope } from "../ast/constant-values.js";
import type { Expr, Literal, OpCall, VarId } from "../ast/nodes.js";
import { rewriteExpr, rewriteModule, walkExpr, walkModule } from "../ast/walk.js";
import { row } from "../ops/table.js";
import { f32Bits } from "../types/numeric.js";
import { isFloat, scalarOf, type ScalarKind } from "../types/types.js";
import type { TextPass } from "./pass.js";

export const floatConstants: TextPass = {
  name: "float-constants",
  run(module, context) {
    if (context.target === module.dialect) return module;
    const initializers = new Map<VarId, Expr>();
    for (const v of module.variables.values()) if (v.constant && v.initializer) initializers.set(v.id, v.initializer);
    walkModule(module, { statement: (s) => void (s.kind === "declare" && s.initializer && module.variables.get(s.variable)?.constant && initializers.set(s.variable, s.initializer)) });
    const scope: ConstantScope = { initializer: (v) => initializers.get(v), structs: module.structs };
    const done = rewriteModule(module, { enterExpr: (e) => settled(e, scope), expr: (e) => hidden(e, scope) });
    return new ModuleEditor(done).finish({});
  },
};

const ofFloats = (e: Expr): boolean => isFloat(scalarOf(e.type) ?? "bool") && scalarOf(e.type) !== "f64";

/** The whole of a constant expression: as it is where doubles lead to the same, else its value. */
function settled(e: Expr, scope: ConstantScope): Expr | undefined {
  if (e.kind !== "binary" && e.kind !== "convert" && e.kind !== "conditional" && e.kind !== "unary") return undefined;
  if (!touchesFloats(e)) return undefined;
  const value = constantValue(e, scope);
  if (value === undefined) return undefined;
  if (e.type.kind === "scalar") {
    const other = inDoubles(e, scope);
    const rounded = other === undefined ? undefined : convertConstant(other, e.type.scalar);
    if (rounded !== undefined && Object.is(rounded, value)) return e;
  }
  const tree = constantTree(value, e.type, e, scope.structs);
  return tree && rewriteExpr(tree, { expr: endless });
}

/** Infinities and NaN have no digits. */
function endless(e: Expr): Expr {
  if (e.kind !== "literal" || e.type.scalar !== "f32" || typeof e.value !== "number" || Number.isFinite(e.value)) return e;
  return bitcast(u32Literal(f32Bits(e.value)), e.type, e.span);
}

function touchesFloats(e: Expr): boolean {
  let found = false;
  walkExpr(e, { expr: (x) => !(found ||= ofFloats(x)) });
  return found;
}

/** What glslang has for a scalar: digits as doubles, nothing rounded to a float. */
function inDoubles(e: Expr, scope: ConstantScope): Constant | undefined {
  const of = (x: Expr): Constant | undefined => (x.type.kind === "scalar" ? inDoubles(x, scope) : undefined);
  const wide = (kind: ScalarKind): ScalarKind => (isFloat(kind) ? "f64" : kind);
  if (e.type.kind !== "scalar") return undefined;
  switch (e.kind) {
    case "literal":
      return typeof e.value === "number" && isFloat(e.type.scalar) ? digitsOf(e) : typeof e.value === "boolean" ? e.value : BigInt(e.value);
    case "load": {
      const initializer = e.place.kind === "variable" ? scope.initializer(e.place.variable) : undefined;
      return initializer && of(initializer);
    }
    case "unary": {
      const x = of(e.operand);
      return x === undefined ? undefined : unaryConstant(e.operator, x, wide(e.type.scalar));
    }
    case "binary": {
      const [x, y] = [of(e.left), of(e.right)];
      return x === undefined || y === undefined || e.left.type.kind !== "scalar" ? undefined : binaryConstant(e.operator, x, y, wide(e.left.type.scalar));
    }
    case "convert": {
      const x = of(e.operand);
      return x === undefined ? undefined : convertConstant(x, wide(e.type.scalar));
    }
    default:
      return undefined;
  }
}

/** The number that a literal's text is: the source's digits, or the fewest that read back as the same value. */
function digitsOf(e: Literal): number {
  const value = Number(e.value);
  if (e.text !== undefined && !/^0[xX]/.test(e.text)) return Math.sign(value) * Math.abs(Number.parseFloat(e.text));
  if (!Number.isFinite(value) || e.type.scalar !== "f32") return value;
  for (let digits = 1; digits < 9; digits++) {
    const text = Number(value.toPrecision(digits));
    if (Math.fround(text) === value) return text;
  }
  return Number(value.toPrecision(9));
}

/** All operands are constants for glslang, so that it computes the call. */
const isConstant = (e: Expr, scope: ConstantScope): boolean => constantValue(e, scope) !== undefined || isComputed(e, scope);
const isComputed = (e: Expr, scope: ConstantScope): e is OpCall => e.kind === "op" && e.places.length === 0 && row(e.op).effect === "pure" && e.arguments.length > 0 && e.arguments.every((a) => isConstant(a, scope));

function hidden(e: Expr, scope: ConstantScope): Expr {
  if (e.kind === "op") {
    if (!isComputed(e, scope)) return e;
    return e.arguments.every((a) => a.kind === "op" || isExact(a, scope)) && !e.arguments.some((a) => isComputed(a, scope)) ? e : byBits(e);
  }
  // A call's result is rounded where it is stored, and not where something is made of it.
  if (e.kind === "binary" && isConstant(e.left, scope) && isConstant(e.right, scope)) {
    const [left, right] = [e.left, e.right].map((x) => (isComputed(x, scope) ? byBits(x) : x));
    return left === e.left && right === e.right ? e : { ...e, left: left!, right: right! };
  }
  if (e.kind === "convert" && isComputed(e.operand, scope)) return { ...e, operand: byBits(e.operand) };
  return e;
}

/** Its digits say just the value. */
function isExact(e: Expr, scope: ConstantScope): boolean {
  let exact = true;
  const look = (x: Expr): void =>
    walkExpr(x, {
      expr(l) {
        if (l.kind === "literal" && l.type.scalar === "f32" && !Object.is(digitsOf(l), l.value)) exact = false;
        if (l.kind === "load" && l.place.kind === "variable") {
          const initializer = scope.initializer(l.place.variable);
          if (initializer) look(initializer);
        }
        return exact;
      },
    });
  look(e);
  return exact;
}

/** The first float literal by its bits. */
function byBits(e: OpCall): OpCall {
  let changed = false;
  const args = e.arguments.map((a) =>
    changed
      ? a
      : rewriteExpr(a, {
          expr(l) {
            if (changed || l.kind !== "literal" || l.type.scalar !== "f32" || typeof l.value !== "number") return l;
            changed = true;
            return bitcast(u32Literal(f32Bits(l.value)), l.type, l.span);
          },
        }),
  );
  return changed ? { ...e, arguments: args } : e;
}
