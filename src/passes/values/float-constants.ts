/**
 * glslang computes with constants in double, reads their digits as double, and rounds where one is stored: `0.29 * 100.0`
 * is 28.999..., and so is what is made of it. A constant expression that a float computes otherwise is its value here; of
 * calls, which are not computed here, an operand is written by its bits, which glslang does not look through.
 */
import { bitcast, ModuleEditor, u32Literal } from "../../ast/builders.js";
import {
  binaryConstant,
  constantTree,
  ConstantScope,
  convertConstant,
  unaryConstant,
  type Constant,
} from "../../ast/constant-values.js";
import type { Expr, Literal, OpCall, VarId } from "../../ast/nodes.js";
import { partsOf, rewriteExpr, rewriteModule, walkModule } from "../../ast/walk.js";
import { row } from "../../ops/table.js";
import { onceEach } from "../../support/once.js";
import { f32Bits, isBetweenFloats } from "../../types/numeric.js";
import { isFloat, scalarOf, type ScalarKind } from "../../types/types.js";
import type { TextPass } from "../pass.js";

export const floatConstants: TextPass = {
  name: "float-constants",
  run(module, context) {
    if (context.target === module.dialect) return module;
    const initializers = new Map<VarId, Expr>();
    for (const v of module.variables.values()) if (v.constant && v.initializer) initializers.set(v.id, v.initializer);
    walkModule(module, {
      statement: (s) =>
        void (
          s.kind === "declare" &&
          s.initializer &&
          module.variables.get(s.variable)?.constant &&
          initializers.set(s.variable, s.initializer)
        ),
    });
    const constants = new Constants(new ConstantScope(initializers, module.structs));
    const done = rewriteModule(module, { enterExpr: (e) => settled(e, constants), expr: (e) => hidden(e, constants) });
    return new ModuleEditor(done).finish({});
  },
};

const ofFloats = (e: Expr): boolean => isFloat(scalarOf(e.type) ?? "bool") && scalarOf(e.type) !== "f64";

/** What is asked of nodes at every level, answered once for each. */
class Constants {
  constructor(readonly scope: ConstantScope) {}

  readonly touchesFloats = onceEach((e: Expr): boolean => ofFloats(e) || partsOf(e).some((x) => this.touchesFloats(x)));

  /** What glslang has for a scalar: digits as doubles, nothing rounded to a float. */
  readonly inDoubles = onceEach((e: Expr): Constant | undefined =>
    e.type.kind === "scalar" ? inDoubles(e, e.type.scalar, this) : undefined,
  );

  /** All operands are constants for glslang, so that it computes the call. */
  readonly isComputed = onceEach(
    (e: Expr): boolean =>
      e.kind === "op" &&
      e.places.length === 0 &&
      row(e.op).effect === "pure" &&
      e.arguments.length > 0 &&
      e.arguments.every((a) => this.isConstant(a)),
  );

  /** Its digits say just the value. */
  readonly isExact = onceEach((e: Expr): boolean => {
    if (e.kind === "literal" && e.type.scalar === "f32" && !Object.is(digitsOf(e), e.value)) return false;
    const initializer =
      e.kind === "load" && e.place.kind === "variable" ? this.scope.initializer(e.place.variable) : undefined;
    return (!initializer || this.isExact(initializer)) && partsOf(e).every((x) => this.isExact(x));
  });

  isConstant(e: Expr): boolean {
    return this.scope.valueOf(e) !== undefined || this.isComputed(e);
  }
}

/** The whole of a constant expression: as it is where doubles lead to the same, else its value. */
function settled(e: Expr, constants: Constants): Expr | undefined {
  if (e.kind !== "binary" && e.kind !== "convert" && e.kind !== "conditional" && e.kind !== "unary") return undefined;
  if (!constants.touchesFloats(e)) return undefined;
  const { scope } = constants;
  const value = scope.valueOf(e);
  if (value === undefined) return undefined;
  if (e.type.kind === "scalar") {
    const other = constants.inDoubles(e);
    const rounded = other === undefined ? undefined : convertConstant(other, e.type.scalar);
    if (rounded !== undefined && Object.is(rounded, value)) return e;
  }
  const tree = constantTree(value, e.type, e, scope.structs);
  return tree && rewriteExpr(tree, { expr: endless });
}

/** Infinities and NaN have no digits. */
function endless(e: Expr): Expr {
  if (e.kind !== "literal" || e.type.scalar !== "f32" || typeof e.value !== "number" || Number.isFinite(e.value))
    return e;
  return bitcast(u32Literal(f32Bits(e.value)), e.type, e.span);
}

const wide = (kind: ScalarKind): ScalarKind => (isFloat(kind) ? "f64" : kind);

function inDoubles(e: Expr, scalar: ScalarKind, constants: Constants): Constant | undefined {
  const of = constants.inDoubles;
  switch (e.kind) {
    case "literal":
      return typeof e.value === "number" && isFloat(scalar)
        ? digitsOf(e)
        : typeof e.value === "boolean"
          ? e.value
          : BigInt(e.value);
    case "load": {
      const initializer = e.place.kind === "variable" ? constants.scope.initializer(e.place.variable) : undefined;
      return initializer && of(initializer);
    }
    case "unary": {
      const x = of(e.operand);
      return x === undefined ? undefined : unaryConstant(e.operator, x, wide(scalar));
    }
    case "binary": {
      const [x, y] = [of(e.left), of(e.right)];
      return x === undefined || y === undefined || e.left.type.kind !== "scalar"
        ? undefined
        : binaryConstant(e.operator, x, y, wide(e.left.type.scalar));
    }
    case "convert": {
      const x = of(e.operand);
      return x === undefined ? undefined : convertConstant(x, wide(scalar));
    }
    default:
      return undefined;
  }
}

/** The number that a literal's text is: the source's digits, where they are kept, or the fewest that read back as the same value. */
function digitsOf(e: Literal): number {
  const value = Number(e.value);
  const written = e.text === undefined || /^0[xX]/.test(e.text) ? NaN : Math.abs(Number.parseFloat(e.text));
  if (!Number.isNaN(written) && !(e.type.scalar === "f32" && isBetweenFloats(written)))
    return Math.sign(value) * written;
  if (!Number.isFinite(value) || e.type.scalar !== "f32") return value;
  for (let digits = 1; digits < 9; digits++) {
    const text = Number(value.toPrecision(digits));
    if (Math.fround(text) === value) return text;
  }
  return Number(value.toPrecision(9));
}

function hidden(e: Expr, constants: Constants): Expr {
  if (e.kind === "op") {
    if (!constants.isComputed(e)) return e;
    return e.arguments.every((a) => a.kind === "op" || constants.isExact(a)) &&
      !e.arguments.some((a) => constants.isComputed(a))
      ? e
      : byBits(e);
  }
  const bare = (x: Expr): Expr => (x.kind === "op" && constants.isComputed(x) ? byBits(x) : x);
  // A call's result is rounded where it is stored, and not where something is made of it.
  if (e.kind === "binary" && constants.isConstant(e.left) && constants.isConstant(e.right)) {
    const [left, right] = [bare(e.left), bare(e.right)];
    return left === e.left && right === e.right ? e : { ...e, left, right };
  }
  if (e.kind === "convert") {
    const operand = bare(e.operand);
    return operand === e.operand ? e : { ...e, operand };
  }
  return e;
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
