/**
 * What becomes of float constants where glslang computes with them: on the way to GLSL, and from it.
 *
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
import type { Expr, Literal, Module, OpCall, VarId } from "../../ast/nodes.js";
import { partsOf, rewriteExpr, rewriteModule, walkModule } from "../../ast/walk.js";
import { readingFacts } from "../../dialects/languages.js";
import { row } from "../../ops/table.js";
import { onceEach } from "../../support/once.js";
import { cutToHalf, f32Bits, isBetweenFloats } from "../../types/numeric.js";
import { isFloat, scalarOf, type ScalarKind } from "../../types/types.js";
import type { Pass, TextPass } from "../pass.js";

export const floatConstants: TextPass = {
  name: "float-constants",
  run(module, context) {
    if (context.target === module.dialect) return module;
    const constants = constantsOf(module, digitsOf);
    const done = rewriteModule(module, {
      enterExpr: (e) => settled(e, constants),
      expr: (e) => (e.kind === "literal" ? exactHalf(e) : hidden(e, constants)),
    });
    return new ModuleEditor(done).finish({});
  },
};

/**
 * What a text of GLSL computes of constants is what glslang does: the other way round. Before anything else, while digits are
 * those of the source.
 */
export const doubleConstants: Pass = {
  name: "double-constants",
  run(module, context) {
    if (context.target === module.dialect || !readingFacts(module.dialect).foldsInDouble) return module;
    const constants = constantsOf(module, (e) => Number(e.text === undefined ? e.value : Number.parseFloat(e.text)));
    const folded = (e: Expr): Expr | undefined => {
      if (!isOperation(e) || e.type.kind !== "scalar" || !constants.touchesFloats(e)) return undefined;
      const exact = constants.inDoubles(e);
      const value = exact === undefined ? undefined : stored(exact, e.type.scalar);
      if (value === undefined) return undefined;
      // As it is, with all that it is made of, where floats lead to the same.
      if (Object.is(value, constants.scope.valueOf(e))) return e;
      return constantTree(value, e.type, e, constants.scope.structs);
    };
    return new ModuleEditor(rewriteModule(module, { enterExpr: folded })).finish({});
  },
};

function constantsOf(module: Module, digits: (e: Literal) => number): Constants {
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
  return new Constants(new ConstantScope(initializers, module.structs), digits);
}

const isOperation = (e: Expr): boolean =>
  e.kind === "binary" || e.kind === "convert" || e.kind === "conditional" || e.kind === "unary";

const ofFloats = (e: Expr): boolean => isFloat(scalarOf(e.type) ?? "bool") && scalarOf(e.type) !== "f64";

/** What is asked of nodes at every level, answered once for each. */
class Constants {
  constructor(
    readonly scope: ConstantScope,
    readonly digits: (e: Literal) => number,
  ) {}

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
  if (!isOperation(e)) return undefined;
  if (!constants.touchesFloats(e)) return undefined;
  const { scope } = constants;
  const value = scope.valueOf(e);
  if (value === undefined) return undefined;
  if (e.type.kind === "scalar") {
    const other = constants.inDoubles(e);
    const rounded = other === undefined ? undefined : stored(other, e.type.scalar);
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

/** glslang computes with the digits of halves: they are written to say just the value. */
function exactHalf(e: Literal): Expr {
  if (e.type.scalar !== "f16" || e.text === undefined || Number(e.text) === e.value) return e;
  const { text: _text, ...exact } = e;
  return exact;
}

/** What glslang makes of it in the end. */
const stored = (value: Constant, kind: ScalarKind): Constant | undefined =>
  kind === "f16" ? cutToHalf(Number(value)) : convertConstant(value, kind);

const wide = (kind: ScalarKind): ScalarKind => (isFloat(kind) ? "f64" : kind);

function inDoubles(e: Expr, scalar: ScalarKind, constants: Constants): Constant | undefined {
  const of = constants.inDoubles;
  switch (e.kind) {
    case "literal":
      return typeof e.value === "number" && isFloat(scalar)
        ? constants.digits(e)
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
    case "conditional": {
      const c = of(e.condition);
      return typeof c === "boolean" ? of(c ? e.whenTrue : e.whenFalse) : undefined;
    }
    default:
      return undefined;
  }
}

/** The number that a literal's text is: the source's digits, where they are kept, or the fewest that read back as the same value. */
function digitsOf(e: Literal): number {
  const value = Number(e.value);
  const written = e.text === undefined || /^0[xX]/.test(e.text) ? NaN : Math.abs(Number.parseFloat(e.text));
  const kept =
    e.type.scalar === "f32"
      ? !isBetweenFloats(written)
      : e.type.scalar !== "f16" || cutToHalf(written) === Math.abs(value);
  if (!Number.isNaN(written) && kept) return Math.sign(value) * written;
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
