/**
 * Exponentials and logarithms of double, for languages that have them of float only: the arithmetic of fdlibm (Sun Microsystems
 * 1993, e_exp.c and e_log.c), which is double's own, written anew. OpenCL C grants 3 ulp (7.4); these are found to be within 2.
 */
import {
  bitcast,
  convert,
  declare,
  ifStatement,
  opCall,
  put,
  read,
  returnStatement,
  unary,
} from "../../ast/builders.js";
import type { Expr, OpId, Statement, Variable } from "../../ast/nodes.js";
import { add, and, bin, compare, div, infinity, k, mul, nan, select, sub, test } from "../../ops/trees.js";
import { i32, shaped } from "../../types/types.js";
import { onBits } from "./doubles.js";
import type { HelperMaker, Lowering } from "./lowering.js";

const u64 = shaped("u64", 1);
const f64 = shaped("f64", 1);
const number = (x: number): Expr => k(f64, x);

/** c[0] + t * (c[1] + t * ...) */
export function polynomial(t: Variable, coefficients: readonly number[]): Expr {
  const [first, ...rest] = [...coefficients].reverse().map(number);
  return rest.reduce((sum, c) => add(c, mul(read(t), sum)), first!);
}

/** ln 2 in two parts, of which multiples of the first by less than 2^11 are exact. */
const ln2 = [6.9314718036912381649e-1, 1.90821492927058770002e-10] as const;

interface Exponential {
  /** Beyond it the result is infinite, and below its negative zero. */
  readonly bound: number;
  /** log2 of the base. */
  readonly scale: number;
  /** What of x is left beside n powers of two, as a difference of two numbers. */
  readonly rest: (x: Expr, n: Expr) => readonly [Expr, Expr];
}

const exponentials: Partial<Record<OpId, Exponential>> = {
  "math.exp": {
    bound: 800,
    scale: Math.LOG2E,
    rest: (x, n) => [sub(x, mul(n, number(ln2[0]))), mul(n, number(ln2[1]))],
  },
  "math.exp2": { bound: 1100, scale: 1, rest: (x, n) => [mul(sub(x, n), number(Math.LN2)), number(0)] },
  "math.exp10": {
    bound: 400,
    scale: 3.321928094887362,
    // log10 2 in two parts likewise, and what ln 10 has beyond a double.
    rest: (x, n) => {
      const r = sub(sub(x, mul(n, number(0.3010299950838089))), mul(n, number(5.801722962879576e-10)));
      return [mul(r, number(Math.LN10)), mul(r, number(2.1707562233822494e-16))];
    },
  },
};

/** r + r * c / (2 - c) + 1 of e^r, c a polynomial of r * r (e_exp.c). */
const ofRest = [
  1.66666666666666019037e-1, -2.77777777770155933842e-3, 6.61375632143793436117e-5, -1.6533902205465251539e-6,
  4.13813679705723846039e-8,
];

const precise = { precise: true } as const;

export const doubleExponential: Lowering = (call, context) => {
  const { bound, scale, rest } = exponentials[call.op]!;
  return onBits((maker: HelperMaker, x: Variable): readonly Statement[] => {
    const local = (name: string): Variable => maker.local(name, f64, precise);
    const [n, high, low, r, t, c] = ["n", "high", "low", "r", "t", "c"].map(local) as [
      Variable,
      Variable,
      Variable,
      Variable,
      Variable,
      Variable,
    ];
    const value = local("value");
    const [left, taken] = rest(read(x), read(n));
    const quotient = div(mul(read(r), read(c)), sub(number(2), read(c)));
    return [
      ifStatement(test("math.isnan", read(x)), returnStatement(read(x))),
      ifStatement(compare("gt", read(x), bound), returnStatement(infinity(f64))),
      ifStatement(compare("lt", read(x), -bound), returnStatement(number(0))),
      declare(n.id, opCall("math.round_even", [scale === 1 ? read(x) : mul(read(x), number(scale))], f64)),
      declare(high.id, left),
      declare(low.id, taken),
      declare(r.id, sub(read(high), read(low))),
      declare(t.id, mul(read(r), read(r))),
      declare(c.id, sub(read(r), mul(read(t), polynomial(t, ofRest)))),
      declare(value.id, sub(number(1), sub(sub(read(low), quotient), read(high)))),
      returnStatement(opCall("math.ldexp", [read(value), convert(read(n), i32, true)], f64)),
    ];
  })(call, context);
};

/** log(1 + f) is f - (f * f / 2 - s * (f * f / 2 + R)), s = f / (2 + f), R a polynomial of s * s (e_log.c). */
const ofQuotient = [
  6.66666666666673513e-1, 3.999999999940941908e-1, 2.857142874366239149e-1, 2.222219843214978396e-1,
  1.818357216161805012e-1, 1.531383769920937332e-1, 1.479819860511658591e-1,
];
const digits = 52;
const fraction = (1n << BigInt(digits)) - 1n;
/** The bits of the root of 1/2: the significand is taken from there to twice as much. */
const root = 0x3fe6a09e667f3bcdn;

/** Of `f`, `half` and `term` of the significand, and the exponent `n`. */
const logarithms: Partial<Record<OpId, (n: Expr, f: Expr, half: Expr, term: Expr) => Expr>> = {
  "math.log": (n, f, half, term) => sub(mul(n, number(ln2[0])), sub(sub(half, add(term, mul(n, number(ln2[1])))), f)),
  "math.log2": (n, f, half, term) =>
    add(n, scaled(sub(f, sub(half, term)), 1.4426950408889634, 2.0355273740931033e-17)),
  "math.log10": (n, f, half, term) =>
    add(
      add(
        scaled(sub(f, sub(half, term)), 0.4342944819032518, 1.098319650216765e-17),
        mul(n, number(5.801722962879576e-10)),
      ),
      mul(n, number(0.3010299950838089)),
    ),
};
const scaled = (x: Expr, high: number, low: number): Expr => add(mul(x, number(high)), mul(x, number(low)));

export const doubleLogarithm: Lowering = (call, context) =>
  onBits((maker: HelperMaker, x: Variable): readonly Statement[] => {
    const [bits, small] = [maker.local("bits", u64), maker.local("small", shaped("bool", 1))];
    const local = (name: string): Variable => maker.local(name, f64, precise);
    const [n, f, s, z, half, term, value] = ["n", "f", "s", "z", "half", "term", "value"].map(local) as [
      Variable,
      Variable,
      Variable,
      Variable,
      Variable,
      Variable,
      Variable,
    ];
    const exponent = convert(bin("shr", read(bits), k(u64, digits)), i32, true);
    const significand = bitcast(add(and(read(bits), k(u64, fraction)), k(u64, root)), f64);
    const none = select(compare("eq", read(x), 0), unary("negate", infinity(f64)), nan(f64));
    const normal = select(read(small), mul(read(x), number(2 ** 54)), read(x));
    return [
      ifStatement(test("math.isnan", read(x)), returnStatement(read(x))),
      ifStatement(compare("le", read(x), 0), returnStatement(none)),
      ifStatement(test("math.isinf", read(x)), returnStatement(read(x))),
      declare(small.id, compare("lt", read(x), 2 ** -1022)),
      declare(bits.id, bitcast(normal, u64)),
      put(bits, add(read(bits), k(u64, (1023n << BigInt(digits)) - root))),
      declare(n.id, convert(sub(exponent, select(read(small), k(i32, 1023 + 54), k(i32, 1023))), f64, true)),
      declare(f.id, sub(significand, number(1))),
      declare(s.id, div(read(f), add(number(2), read(f)))),
      declare(z.id, mul(read(s), read(s))),
      declare(half.id, mul(mul(number(0.5), read(f)), read(f))),
      declare(term.id, mul(read(s), add(read(half), mul(read(z), polynomial(z, ofQuotient))))),
      declare(value.id, logarithms[call.op]!(read(n), read(f), read(half), read(term))),
      returnStatement(read(value)),
    ];
  })(call, context);
