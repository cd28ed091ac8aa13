/**
 * What a kernel may compute, too: its dialect leaves the last digits of many functions open, and whether a product and a sum
 * are rounded once or twice. Each variant of a module takes one such freedom, and the results of all of them together show
 * how far those of another implementation may lie from the kernel's own.
 */
import { assign, binary, comma, load, opCall, rootVariable } from "../../ast/builders.js";
import type { Expr, Module, OpCall, OpId } from "../../ast/nodes.js";
import { mayContract } from "../../ast/contraction.js";
import { isPure, placeIsPure, rewriteModule, walkExpr } from "../../ast/walk.js";
import type { Dialect } from "../../dialects/ids.js";
import { opId } from "../../ast/op-ids.js";
import { accuracyOf, accuracyOfFunction, type Accuracy, type Algebra } from "../../ops/accuracy.js";
import { allRows } from "../../ops/table.js";
import { add as sum, and, boolShape, div, k, mul, same, select, sub, test } from "../../ops/trees.js";
import { isFloat, scalarOf, type ScalarKind, type Type } from "../../types/types.js";

export interface Freedom {
  /** The ops whose accuracy counts; all of them where absent. */
  readonly ops?: ReadonlySet<string>;
  /** Whose bounds they keep. */
  readonly dialects: readonly Dialect[];
  /** Sums of products may be rounded once. */
  readonly contraction: boolean;
}

const epsilon: Partial<Record<ScalarKind, number>> = { f32: 2 ** -23, f16: 2 ** -10, f64: 2 ** -52 };
const isFloatType = (t: Type): boolean => {
  const kind = scalarOf(t);
  return kind !== undefined && isFloat(kind) && t.kind !== "matrix";
};

/** Which way each place of the text goes: all up, all down, or as a hash of place and number says. */
type Lean = (e: Expr) => 1 | -1;
const leans: readonly Lean[] = [
  () => 1,
  () => -1,
  ...[1, 2, 3].map(
    (n): Lean =>
      (e) =>
        ((Math.imul(e.span.start + 1, 0x9e3779b1) ^ Math.imul(n, 0x85ebca6b)) >>> (n + 7)) & 1 ? 1 : -1,
  ),
];

/** The variants, none where nothing is open. `uses` are the ops that were found open. */
export function openVariants(
  module: Module<"canonical">,
  freedom: Freedom,
): { readonly variants: readonly Module<"canonical">[]; readonly uses: ReadonlySet<string> } {
  const uses = new Set<string>();
  const variants: Module<"canonical">[] = [];
  const add = (expr: (e: Expr) => Expr): void => {
    const made = rewriteModule(module, { expr });
    if (made !== module) variants.push(made);
  };
  const bound = (op: OpId, dialect: Dialect, e: Expr): Accuracy | undefined =>
    freedom.ops && !freedom.ops.has(op) ? undefined : accuracyOf(op, dialect, scalarOf(e.type)!);
  const open = (e: Expr, dialect: Dialect): Accuracy | undefined => {
    if (!isFloatType(e.type)) return undefined;
    if (e.kind === "binary" && e.operator === "div") return bound("math.divide", dialect, e);
    // A place that gets a part of the result gets it as often as the op stands there.
    return e.kind === "op" && e.places.every(placeIsPure) ? bound(e.op, dialect, e) : undefined;
  };
  for (const dialect of new Set(freedom.dialects))
    for (const lean of leans) {
      add((given) => {
        const e = sineAndCosine(
          given,
          (op) => !freedom.ops || freedom.ops.has(op),
          (x) => leaningOf(x, lean, dialect),
        );
        if (e !== given) {
          uses.add((given as OpCall).op);
          return e;
        }
        const accuracy = open(e, dialect);
        if (accuracy === undefined) return e;
        uses.add(e.kind === "op" ? e.op : "math.divide");
        const args = e.kind === "op" ? e.arguments : e.kind === "binary" ? [e.left, e.right] : [];
        return leaning(e, accuracy, args, lean(e), dialect);
      });
    }
  // What a target has instead may be exact where the formula overflows, underflows or divides by a length of 0: functions of its own,
  // which are not among `freedom.ops`.
  for (const dialect of new Set(freedom.dialects))
    add((e) => {
      const grants = e.kind === "op" && isFloatType(e.type) && accuracyOf(e.op, dialect, scalarOf(e.type)!);
      const instead = grants ? exacter.get(e.op) : undefined;
      return instead === undefined ? e : ({ ...e, op: instead } as Expr);
    });
  add((e) => {
    if (e.kind !== "op" || (e.op !== "geometry.determinant" && e.op !== "geometry.inverse")) return e;
    uses.add(e.op);
    return byOtherAxis(e);
  });
  add((e) => {
    if (e.kind !== "op" || !fusing.has(e.op) || (freedom.ops && !freedom.ops.has(e.op))) return e;
    uses.add("math.fma");
    return binary("add", mul(e.arguments[0]!, e.arguments[1]!), e.arguments[2]!, e.span);
  });
  if (freedom.contraction && module.contraction !== "off") {
    const may = (e: Expr): boolean => mayContract(module, e);
    for (const rightFirst of [false, true]) add((e) => fused(e, may, rightFirst, uses));
  }
  return { variants, uses };
}

/** A product and a sum that are rounded once, and may be rounded twice elsewhere. */
const fusing: ReadonlySet<string> = new Set(["math.fma", "math.fma_open"]);

/** An op as far off as is granted. */
function leaningOf(e: OpCall, lean: Lean, dialect: Dialect): Expr {
  const accuracy = accuracyOf(e.op, dialect, scalarOf(e.type)!);
  return accuracy ? leaning(e, accuracy, e.arguments, lean(e), dialect) : e;
}

/** What gives a sine and a cosine, by places, as the two functions, which it is as good as; anything else as it is. */
function sineAndCosine(e: Expr, counts: (op: OpId) => boolean, off: (e: OpCall) => Expr): Expr {
  if (e.kind !== "op" || (e.op !== "math.sincos" && e.op !== "math.sincos_open") || !counts(e.op)) return e;
  const [x] = e.arguments;
  const written = e.places.map(rootVariable);
  let reads = false;
  walkExpr(x!, {
    place: (p) => void (reads ||= p.kind === "deref" || (p.kind === "variable" && written.includes(p.variable))),
  });
  if (reads || !isShort(x!) || !e.places.every(placeIsPure)) return e;
  const by = (name: "sin" | "cos"): Expr =>
    off(opCall(opId(`math.${name}${e.op === "math.sincos" ? "" : "_open"}`), [x!], x!.type, e.span) as OpCall);
  const [first, second] = e.places.map((p, i) => assign(p, by(i === e.places.length - 1 ? "cos" : "sin"), e.span));
  return comma(first!, second ?? by("sin"), e.span);
}

/** For an op the one that gives as good a result or a better one, where there is one. */
const exacter: ReadonlyMap<OpId, OpId> = new Map(
  allRows.flatMap((row) => (row.variant?.in === "accuracy" ? [[row.variant.of, row.id] as const] : [])),
);

/** No dialect says along which axis a determinant is expanded, and matrices of HLSL are transposed ones of the others. */
function byOtherAxis(e: OpCall): Expr {
  const [m] = e.arguments;
  const transposed = (x: Expr): Expr => opCall("geometry.transpose", [x], x.type, e.span);
  const made: Expr = { ...e, arguments: [transposed(m!)] };
  return e.op === "geometry.inverse" ? transposed(made) : made;
}

/** Operands that may be written several times. */
const longest = 24;
function isShort(e: Expr): boolean {
  let nodes = 0;
  walkExpr(e, { expr: () => ++nodes <= longest });
  return nodes <= longest && isPure(e);
}

/** A value as far off as is granted, to one side. */
function leaning(e: Expr, accuracy: Accuracy, args: readonly Expr[], lean: 1 | -1, dialect: Dialect): Expr {
  const unit = lean * epsilon[scalarOf(e.type)!]!;
  const repeatable = args.every((x) => isShort(x) && scalarOf(x.type) === scalarOf(e.type));
  switch (accuracy.kind) {
    case "anything":
      return e;
    case "absolute":
      return sum(e, k(e.type, lean * accuracy.error));
    case "ulp": {
      if (accuracy.growing === 0) return mul(e, k(e.type, 1 + unit * accuracy.ulp));
      // Beyond it there is nothing left of an exponential.
      if (!repeatable) return mul(e, k(e.type, 1 + unit * (accuracy.ulp + accuracy.growing * 16)));
      const growing = mul(same("math.abs", args[0]!), k(e.type, unit * accuracy.growing));
      return mul(e, sum(growing, k(e.type, 1 + unit * accuracy.ulp)));
    }
    case "within": {
      const inner = leaning(e, accuracy.inside, args, lean, dialect);
      if (!repeatable) return inner;
      const size = same("math.abs", args[accuracy.operand]!);
      const is = (operator: "ge" | "le", bound: number): Expr => ({
        kind: "binary",
        operator,
        left: size,
        right: k(size.type, bound),
        type: boolShape(size.type),
        span: e.span,
      });
      const inside = and(is("ge", accuracy.low), is("le", accuracy.high));
      return select(inside, inner, leaning(e, accuracy.outside, args, lean, dialect));
    }
    case "inherited": {
      if (!repeatable) return mul(e, k(e.type, 1 + unit * 64));
      const type = e.type;
      const by = (off: boolean): Expr => accuracy.formula(treesOf(type, off ? lean : undefined, dialect), ...args);
      const apart = sub(by(true), by(false));
      return select(test("math.isfinite", apart), sum(e, apart), e);
    }
  }
}

/** Formulas as expressions, their functions off by what is granted. */
function treesOf(type: Type, lean: 1 | -1 | undefined, dialect: Dialect): Algebra<Expr> {
  return {
    number: (x) => k(type, x),
    add: sum,
    sub,
    mul,
    f(name, ...args) {
      const plain = name === "divide" ? div(args[0]!, args[1]!) : same(opId(`math.${name}`), ...args);
      const accuracy = accuracyOfFunction(name, dialect, scalarOf(type)!);
      return accuracy && lean ? leaning(plain, accuracy, args, lean, dialect) : plain;
    },
  };
}

/** `a * b + c` rounded once. */
function fused(e: Expr, may: (e: Expr) => boolean, rightFirst: boolean, uses: Set<string>): Expr {
  if (!isFloatType(e.type)) return e;
  const product = (x: Expr): (Expr & { kind: "binary" }) | undefined =>
    x.kind === "binary" &&
    x.operator === "mul" &&
    may(x) &&
    x.left.type.kind !== "matrix" &&
    x.right.type.kind !== "matrix" &&
    isFloatType(x.type)
      ? x
      : undefined;
  const negated = (x: Expr): Expr => ({ kind: "unary", operator: "negate", operand: x, type: x.type, span: x.span });
  const fma = (a: Expr, b: Expr, c: Expr): Expr => {
    uses.add("contraction");
    return opCall("math.fma", [a, b, c], e.type, e.span);
  };
  // That is left to it, whatever holds for operators.
  if (e.kind === "op" && e.op === "math.mad") return fma(e.arguments[0]!, e.arguments[1]!, e.arguments[2]!);
  if (!may(e)) return e;
  if (
    e.kind === "assign" &&
    (e.operator === "add" || e.operator === "sub") &&
    placeIsPure(e.target) &&
    (!e.compute || e.compute === e.target.type)
  ) {
    const p = product(e.value);
    return p
      ? assign(e.target, fma(e.operator === "sub" ? negated(p.left) : p.left, p.right, load(e.target, e.span)), e.span)
      : e;
  }
  if (e.kind !== "binary" || (e.operator !== "add" && e.operator !== "sub")) return e;
  const [left, right] = [product(e.left), product(e.right)];
  if (left && !(rightFirst && right))
    return fma(left.left, left.right, e.operator === "sub" ? negated(e.right) : e.right);
  return right ? fma(e.operator === "sub" ? negated(right.left) : right.left, right.right, e.left) : e;
}
