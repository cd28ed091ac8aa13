/** Constant expressions as the checker needs them: of scalars, with the names in scope. */
import { bitWidth, isFloat, scalarOf } from "../types/types.js";
import {
  constantTree,
  ConstantScope,
  convertConstant,
  exactArithmetic,
  type Constant,
  type ConstantArithmetic,
} from "../ast/constant-values.js";
import { rootVariable } from "../ast/builders.js";
import { callConstant, constantWithTemporaries, overflowsAsConstant } from "../ast/constant-functions.js";
import type { Expr, FunctionDeclaration, FunctionId, Statement, VarId } from "../ast/nodes.js";
import { partsOf, rewriteExpr, walkExpr } from "../ast/walk.js";
import { glslangArithmetic, sourceDigits } from "../ops/glslang-constants.js";
import { onceEach } from "../support/once.js";
import { liesNowhere } from "../support/span.js";
import { notYet, type Sema } from "./context.js";

export { convertConstant, literalForm, wrap, type Constant } from "../ast/constant-values.js";

type Known = Pick<
  Sema,
  "fn" | "constants" | "functions" | "variables" | "localSize" | "settledNumbers" | "reading" | "structs" | "language"
>;

/** The value of a scalar constant expression, or undefined. `s` gives access to named constants. */
export function evaluate(s: Known, e: Expr): Constant | undefined {
  if (s.reading.foldsInDouble) {
    const folding = foldings(s);
    if (folding.touchesFloats(e)) return folding.valueOf(e);
  }
  return evaluateExactly(s, e);
}

/** With what floats make of it computed in double. Integers are not: what they are in a specialisation is known here alone. */
const foldings = onceEach((s: Known) => {
  const touchesFloats: (e: Expr) => boolean = onceEach((e: Expr): boolean => {
    if (isFloat(scalarOf(e.type) ?? "bool")) return true;
    const root = e.kind === "load" ? rootVariable(e.place) : undefined;
    const initializer = root === undefined ? undefined : s.constants.get(root);
    return (initializer !== undefined && touchesFloats(initializer)) || partsOf(e).some(touchesFloats);
  });
  return {
    touchesFloats,
    valueOf(e: Expr): Constant | undefined {
      const size = statedSize(s);
      const stated = size.every((n) => n !== undefined);
      const arithmetic = glslangArithmetic(sourceDigits, stated ? size.map(Number) : undefined);
      const value = new ConstantScope(s.constants, s.structs, arithmetic).valueOf(e);
      const kind = scalarOf(e.type);
      return Array.isArray(value) || value === undefined || !kind
        ? undefined
        : convertConstant(value as Constant, kind);
    },
  };
});

/** Notes what a constant is. */
export function setConstant(s: Sema, id: VarId, value: Expr): void {
  s.constants.set(id, value);
  refuseFoldedShift(s, value);
}

/** A scalar that would be a constant but for a shift by what is no count of its bits (`ArithmeticFacts.foldsShiftCount`). */
export function refuseFoldedShift(s: Sema, e: Expr): void {
  if (!s.language.arithmetic.foldsShiftCount || e.type.kind !== "scalar") return;
  const plain = new ConstantScope(s.constants, s.structs, exactArithmetic).valueOf(e);
  if (plain === undefined || evaluate(s, e) !== undefined) return;
  const help = `${s.language.name}'s compiler takes another number for it in a constant than where it computes it: write the number`;
  notYet(s, "a constant that shifts by what is no count of its bits is", e.span, help);
}

/** A shift by what is no count of the bits is none of a constant, where the compiler makes another number of it there. */
const withinCounts: ConstantArithmetic["binary"] = (operator, x, y, kind) => {
  const isShift = operator === "shl" || operator === "shr";
  const isBeyond = isShift && kind && typeof y === "bigint" && (y < 0n || y >= BigInt(bitWidth(kind)));
  return isBeyond ? undefined : exactArithmetic.binary(operator, x, y, kind);
};

function evaluateExactly(s: Known, e: Expr): Constant | undefined {
  const value = exactScope(s).valueOf(e);
  return Array.isArray(value) ? undefined : (value as Constant | undefined);
}

/** The numbers of a scalar or vector that is constant. */
export function constantNumbers(s: Known, e: Expr): readonly Constant[] | undefined {
  if (e.type.kind !== "scalar" && e.type.kind !== "vector") return undefined;
  const value = exactScope(s).valueOf(e);
  return Array.isArray(value) ? (value as readonly Constant[]) : value === undefined ? undefined : [value as Constant];
}

/**
 * An initialiser with the values of calls that are constants (C++14 5.20): no target calls functions there. Where objects without a name
 * are called on, the value of all of it.
 */
export function withoutCalls(s: Known, e: Expr): Expr {
  const scope = exactScope(s);
  const filled = temporariesIn(s, e);
  const whole =
    filled.size > 0 ? constantWithTemporaries(e, scope, constantFunctions(s), (id) => isTemporary(s, id)) : undefined;
  const literal = whole !== undefined && constantTree(whole, e.type, e, s.structs);
  if (literal) {
    // Nothing is left to be kept in them.
    const isFilled = (l: Statement): boolean => l.kind === "declare" && filled.has(l.variable);
    for (let at = s.fn?.locals.findIndex(isFilled) ?? -1; at >= 0; at = s.fn!.locals.findIndex(isFilled))
      s.fn!.locals.splice(at, 1);
    return literal;
  }
  return rewriteExpr(e, {
    expr(x) {
      const value = x.kind === "call" ? scope.valueOf(x) : undefined;
      return (value !== undefined && constantTree(value, x.type, x, s.structs)) || x;
    },
  });
}

/** A constant that is kept beyond the function it is declared in, with the values of that function's constants, which end there. */
export function withoutLocals(s: Known, e: Expr): Expr {
  const scope = exactScope(s);
  return rewriteExpr(e, {
    expr(x) {
      const root = x.kind === "load" ? rootVariable(x.place) : undefined;
      if (root === undefined || s.variables.get(root)?.role !== "local") return x;
      const value = scope.valueOf(x);
      return (value !== undefined && constantTree(value, x.type, x, s.structs)) || x;
    },
  });
}

function isTemporary(s: Known, id: VarId): boolean {
  const v = s.variables.get(id);
  return v !== undefined && v.role === "local" && liesNowhere(v.span);
}

/** Objects without a name that are filled in it. */
function temporariesIn(s: Known, e: Expr): ReadonlySet<VarId> {
  const found = new Set<VarId>();
  walkExpr(e, {
    expr(x) {
      const root = x.kind === "assign" ? rootVariable(x.target) : undefined;
      if (root !== undefined && isTemporary(s, root)) found.add(root);
    },
  });
  return found;
}

/** Whether what is evaluated has an order. */
export const fillsTemporaries = (s: Known, e: Expr): boolean => temporariesIn(s, e).size > 0;

const constantFunctions =
  (s: Known) =>
  (id: FunctionId): FunctionDeclaration | undefined =>
    s.functions[id]?.constexpr ? s.functions[id].declaration : undefined;

function exactScope(s: Known): ConstantScope {
  const functions = constantFunctions(s);
  return new ConstantScope(s.constants, s.structs, {
    ...exactArithmetic,
    ...(s.language.arithmetic.foldsShiftCount ? { binary: withinCounts } : {}),
    workgroupSize: statedSize(s),
    function: (call, scope) => callConstant(call, scope, functions),
  });
}

/** Whether signed integers overflow in a constant: two's complement is what it has elsewhere. */
export const overflowsIn = (s: Known, e: Expr): boolean => overflowsAsConstant(e, exactScope(s));

/** GLSL's gl_WorkGroupSize is a constant once the size is declared, but for what a specialisation gives. */
function statedSize(s: Known): readonly (Constant | undefined)[] {
  const { size, ids, span } = s.localSize;
  return [0, 1, 2].map((i) => {
    const id = ids[i];
    const n = id === undefined ? (size[i] ?? 1) : s.settledNumbers.get(id);
    return span === undefined || n === undefined ? undefined : BigInt(n);
  });
}
