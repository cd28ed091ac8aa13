/**
 * Helpers that compute a function of doubles: values named in the order in which they are computed, each as it is written
 * (`precise`), since what one operation loses is taken back in another.
 */
import { bitcast, block, convert, declare, ifStatement, opCall, read, returnStatement } from "../../ast/builders.js";
import type { Expr, Statement, Variable } from "../../ast/nodes.js";
import { add, and, bin, compare, div, k, mul, select, sub } from "../../ops/trees.js";
import { i32, scalarOf, shaped } from "../../types/types.js";
import { polynomial } from "./formula-bodies.js";
import { byComponents, helperCall, rounds, type HelperMaker, type Lowering, type LoweringContext } from "./lowering.js";

export const f64 = shaped("f64", 1);
export const u64 = shaped("u64", 1);
export const number = (x: number): Expr => k(f64, x);

export class DoubleBody {
  readonly statements: Statement[] = [];

  constructor(
    private readonly maker: HelperMaker,
    readonly context: LoweringContext,
  ) {}

  /** A local that may be set again. */
  variable(name: string, value: Expr): Variable {
    const v = this.maker.local(name, value.type, { precise: scalarOf(value.type) === "f64" });
    this.statements.push(declare(v.id, value));
    return v;
  }

  hold(name: string, value: Expr): Expr {
    return read(this.variable(name, value));
  }

  then(statement: Statement): void {
    this.statements.push(statement);
  }

  returnWhere(condition: Expr, value: Expr): void {
    this.statements.push(ifStatement(condition, this.returned(value)));
  }

  /** Statements of their own, as of a loop: what is held in them is not known after them. */
  apart(build: (inner: DoubleBody) => void): readonly Statement[] {
    const inner = new DoubleBody(this.maker, this.context);
    build(inner);
    return inner.statements;
  }

  end(value: Expr): readonly Statement[] {
    const last = this.returned(value);
    return last.kind === "block" ? [...this.statements, ...last.statements] : [...this.statements, last];
  }

  private returned(value: Expr): Statement {
    if (!rounds(value)) return returnStatement(value);
    const v = this.maker.local("value", value.type, { precise: true });
    return block([declare(v.id, value), returnStatement(read(v))]);
  }
}

type Build = (body: DoubleBody, ...operands: Expr[]) => Expr;

/** Of each component a call of the helper that `build` makes; `names` are those of its parameters. */
export const ofDoubles =
  (names: readonly string[], build: Build): Lowering =>
  (call, context) =>
    byComponents(call, context, names, (...parts) =>
      helperCall(
        { ...call, arguments: parts, type: f64 },
        context,
        (maker, parameters) => {
          const body = new DoubleBody(maker, context);
          return body.end(build(body, ...parameters.map(read)));
        },
        { names },
      ),
    );

/** The first 26 digits of a significand: products of two such are exact. */
export const topDigits = (x: Expr): Expr => bitcast(and(bitcast(x, u64), k(u64, 0xfffffffff8000000n)), f64);

/** x * 2^n for a whole number n that is a double. */
export const scaled = (x: Expr, n: Expr): Expr => opCall("math.ldexp", [x, convert(n, i32, true)], f64);

/** The bits of the root of 1/2. */
const root = 0x3fe6a09e667f3bcdn;
const digits = 52;

/** A positive number as m * 2^n, m from the root of 1/2 to twice as much, both doubles. */
export function significandOf(body: DoubleBody, x: Expr): { readonly m: Expr; readonly n: Expr } {
  const small = body.hold("small", compare("lt", x, 2 ** -1022));
  const normal = select(small, mul(x, number(2 ** 54)), x);
  const bits = body.hold("bits", add(bitcast(normal, u64), k(u64, (1023n << BigInt(digits)) - root)));
  const exponent = convert(bin("shr", bits, k(u64, digits)), i32, true);
  const n = body.hold("n", convert(sub(exponent, select(small, k(i32, 1023 + 54), k(i32, 1023))), f64, true));
  const fraction = k(u64, (1n << BigInt(digits)) - 1n);
  return { m: body.hold("m", bitcast(add(and(bits, fraction), k(u64, root)), f64)), n };
}

/** r + r * c / (2 - c) + 1 of e^r, c a polynomial of r * r (fdlibm, e_exp.c). */
const ofRest = [
  1.66666666666666019037e-1, -2.77777777770155933842e-3, 6.61375632143793436117e-5, -1.6533902205465251539e-6,
  4.13813679705723846039e-8,
];

/** e^(high - low) for a difference of at most ln(2) / 2, with `one` for the 1 that it begins with. */
export function exponentialOf(body: DoubleBody, high: Expr, low: Expr, one = number(1)): Expr {
  const r = body.hold("r", sub(high, low));
  const t = body.hold("t", mul(r, r));
  const c = body.hold("c", sub(r, mul(t, polynomial(t, ofRest))));
  return sub(one, sub(sub(low, div(mul(r, c), sub(number(2), c))), high));
}
