/**
 * What dialects take as constants at file scope. Bit casts are none everywhere: `asfloat(0x7f800000)` becomes the number it
 * is; GLSL writes infinities and NaNs as bit casts only, so that what is made of them is no constant there. C and C++ have
 * no overflow among constants, and C takes no parts of vectors, no vector conversions and no functions: such an initialiser
 * is its value, or where that is not worked out here, is computed where the kernel begins.
 */
import { isOwnText } from "../../ast/lookup.js";
import { constantTree, ConstantScope } from "../../ast/constant-values.js";
import { binary, convert, f32Literal, ModuleEditor } from "../../ast/builders.js";
import type { Expr, Module, OpCall, Variable, VarId } from "../../ast/nodes.js";
import { rewriteExpr, walkExpr } from "../../ast/walk.js";
import { integerRange } from "../../types/numeric.js";
import { isInteger, isSigned } from "../../types/types.js";
import { spellingOf } from "../ops/is-spelled.js";
import type { Pass } from "../pass.js";
import { writingFacts } from "../../dialects/languages.js";

export const constantInitializers: Pass = {
  name: "constant-initializers",
  run(module, context) {
    const { target } = context;
    if (isOwnText(module, target)) return module;
    const writing = writingFacts(target);
    const constants = writing?.constants ?? "folded";
    const editor = new ModuleEditor(module);
    const early = new Set<VarId>();
    const values = new Map<VarId, Expr>();
    const scope = new ConstantScope(values, module.structs);
    const computed = (e: Expr): boolean =>
      reads(e, early) ||
      holdsOp(e, (op) => {
        const spelling = spellingOf(op, context);
        return !spelling || (spelling.kind === "call" && writing?.constantFunctions?.has(spelling.name) === false);
      });
    for (const o of module.order) {
      if (o.kind !== "variable") continue;
      const v = module.variables.get(o.variable)!;
      if (!v.compileTime || !v.initializer) continue;
      values.set(v.id, v.initializer);
      if (constants === "folded") {
        const value = writing === undefined ? scope.valueOf(v.initializer) : undefined;
        const initializer = rewriteExpr(v.initializer, { expr: (e) => partOfMade(e, scope) });
        if (value === undefined && computed(v.initializer)) computeAtStart({ ...v, initializer });
        else if (initializer !== v.initializer) editor.setVariable({ ...v, initializer });
        continue;
      }
      const bits = rewriteExpr(v.initializer, {
        expr: (e) => castBits(constants === "C++" ? divided(e, scope) : e, scope),
      });
      const known = constants === "no bits" ? bits : inC(bits, scope);
      const initializer = constants === "C" ? rewriteExpr(known, { expr: divisionForNaN }) : known;
      const constant =
        !computed(initializer) && (constants === "no bits" ? !writtenAsBits(initializer) : !beyondC(initializer));
      if (!constant) computeAtStart({ ...v, initializer });
      else if (initializer !== v.initializer) editor.setVariable({ ...v, initializer });
    }
    return editor.finish({});

    function computeAtStart(v: Variable): void {
      early.add(v.id);
      editor.setVariable(computedAtStart(v));
    }
  },
};

const computedAtStart = (v: Variable): Variable => ({ ...v, compileTime: false, constant: false, space: "private" });

/** After something made operands of constants into bits: those that are no constants of GLSL any more. */
export function withoutConstantBits(module: Module): Module {
  const editor = new ModuleEditor(module);
  const early = new Set<VarId>();
  for (const o of module.order) {
    const v = o.kind === "variable" ? module.variables.get(o.variable)! : undefined;
    if (!v?.compileTime || !v.initializer || !(writtenAsBits(v.initializer) || reads(v.initializer, early))) continue;
    early.add(v.id);
    editor.setVariable(computedAtStart(v));
  }
  return editor.finish({});
}

/** As C and C++ take it, where its value is known. */
function inC(e: Expr, scope: ConstantScope): Expr {
  const value = beyondC(e) ? scope.valueOf(e) : undefined;
  const tree = value === undefined ? undefined : constantTree(value, e.type, e, scope.structs);
  return tree ?? rewriteExpr(e, { expr: (x) => overflowing(x, scope) });
}

/** No constant expression of C. */
function beyondC(e: Expr): boolean {
  let found = false;
  walkExpr(e, {
    expr(x) {
      const whole = x.type.kind === "scalar" || x.kind === "construct" || x.kind === "splat";
      const part =
        x.kind === "swizzle-value" ||
        x.kind === "element-value" ||
        x.kind === "member-value" ||
        x.kind === "op" ||
        x.kind === "call" ||
        (x.kind === "bitcast" && x.type.kind !== "pointer");
      const read = x.kind === "load" && (x.place.kind !== "variable" || !whole);
      found ||= part || read || (x.kind === "convert" && !whole) || (x.type.kind === "matrix" && !whole);
      return !found;
    },
  });
  return found;
}

/** `S(a, b).m`, `float[](1., 2.)[1]`: where objects are made by declarations alone, it is its value. */
function partOfMade(e: Expr, scope: ConstantScope): Expr {
  if (e.kind !== "element-value" && e.kind !== "member-value") return e;
  const { kind } = e.operand.type;
  if (e.operand.kind !== "construct" || (kind !== "array" && kind !== "struct")) return e;
  const value = scope.valueOf(e);
  return (value === undefined ? undefined : constantTree(value, e.type, e, scope.structs)) ?? e;
}

/** Signed arithmetic that does not fit its type: the wrapped value. */
function overflowing(e: Expr, scope: ConstantScope): Expr {
  if (
    (e.kind !== "binary" && e.kind !== "unary") ||
    e.type.kind !== "scalar" ||
    !isInteger(e.type.scalar) ||
    !isSigned(e.type.scalar)
  )
    return e;
  const of = (x: Expr): bigint | undefined => {
    const value = scope.valueOf(x);
    return typeof value === "bigint" ? value : undefined;
  };
  const [a, b] =
    e.kind === "binary" ? [of(e.left), of(e.right)] : [0n, e.operator === "negate" ? of(e.operand) : undefined];
  if (a === undefined || b === undefined) return e;
  const exact =
    e.kind === "unary"
      ? -b
      : e.operator === "add"
        ? a + b
        : e.operator === "sub"
          ? a - b
          : e.operator === "mul"
            ? a * b
            : undefined;
  const { min, max } = integerRange(e.type.scalar);
  if (exact === undefined || (exact >= min && exact <= max)) return e;
  return constantTree(of(e)!, e.type, e, scope.structs) ?? e;
}

/** A cast of a known 32-bit pattern to float; the bits of a NaN are kept by the cast only. */
function castBits(e: Expr, scope: ConstantScope): Expr {
  if (e.kind !== "bitcast" || e.type.kind !== "scalar" || e.type.scalar !== "f32" || e.operand.kind !== "literal")
    return e;
  const value = scope.valueOf(e);
  return typeof value === "number" ? f32Literal(value, e.span) : e;
}

/** `NAN` of clang's OpenCL C is a cast of bits, which is no constant there. */
function divisionForNaN(e: Expr): Expr {
  if (e.kind !== "literal" || !Number.isNaN(e.value) || e.type.kind !== "scalar") return e;
  const zero = f32Literal(0, e.span);
  const nan = binary("div", zero, zero, e.span);
  return e.type.scalar === "f32" ? nan : convert(nan, e.type, true, e.span);
}

/** C++ has no division by zero among constants. */
function divided(e: Expr, scope: ConstantScope): Expr {
  if (e.kind !== "binary" || e.operator !== "div" || e.type.kind !== "scalar") return e;
  const value = e.type.scalar === "f32" || e.type.scalar === "f16" ? scope.valueOf(e) : undefined;
  if (typeof value !== "number" || Number.isFinite(value)) return e;
  return constantTree(value, e.type, e, scope.structs) ?? e;
}

const reads = (e: Expr, names: ReadonlySet<VarId>): boolean => {
  let found = false;
  walkExpr(e, { place: (p) => void (found ||= p.kind === "variable" && names.has(p.variable)) });
  return found;
};

function holdsOp(e: Expr, which: (op: OpCall) => boolean): boolean {
  let found = false;
  walkExpr(e, { expr: (x) => !(found ||= x.kind === "op" && which(x)) });
  return found;
}

function writtenAsBits(e: Expr): boolean {
  let found = false;
  walkExpr(e, {
    expr: (x) => {
      if (
        x.kind === "bitcast" ||
        x.kind === "call" ||
        (x.kind === "literal" && typeof x.value === "number" && !Number.isFinite(x.value))
      )
        found = true;
      return !found;
    },
  });
  return found;
}
