/**
 * Functions whose edges the source's dialect defines (C99 F.9, OpenCL C 3.0 7.5.1) and the target leaves open: its own
 * function where it is defined, and what the source says elsewhere. Bodies of helper functions.
 */
import { bitcast, conditional, convert, opCall } from "../ast/builders.js";
import type { Expr, OpId } from "../ast/nodes.js";
import { componentsOf, f32, scalarOf, shaped } from "../types/types.js";
import {
  add,
  and,
  bin,
  compare,
  components,
  fold,
  infinity,
  k,
  mul,
  nan,
  or,
  select,
  sub,
  test,
  to,
  withScalar,
  math as f,
} from "./trees.js";

/** Gives a value a name in the helper's body; `precise`: computed as it is written. */
export type Hold = (name: string, value: Expr, options?: { readonly precise?: boolean }) => Expr;

/** A power of two near the inverse of m, whose square neither overflows nor vanishes, and its inverse. */
function scaleOf(hold: Hold, m: Expr): readonly [Expr, Expr] {
  const t = m.type;
  const double = scalarOf(t) === "f64";
  const [high, low, down, up] = double ? [1e150, 1e-120, 2 ** -516, 2 ** 700] : [1e18, 1e-12, 2 ** -66, 2 ** 86];
  const by = (large: number, small: number): Expr =>
    select(compare("gt", m, high), k(t, large), select(compare("lt", m, low), k(t, small), k(t, 1)));
  return [hold("scale", by(down, up)), by(1 / down, 1 / up)];
}

/** 2^n for n in the range of normal numbers: by functions it would be inexact. */
function powerOfTwo(n: Expr, type: Expr["type"]): Expr {
  if (scalarOf(type) === "f64") {
    const bits = to("u64", add(n, k(n.type, 1023)));
    return bitcast(bin("shl", bits, k(bits.type, 52)), type);
  }
  const u = withScalar("u32", type);
  return bitcast(bin("shl", to("u32", add(n, k(n.type, 127))), k(u, 23)), type);
}

/** -0 keeps its sign, and a NaN has none. */
function signOf(x: Expr): Expr {
  const signed = select(compare("gt", x, 0), k(x.type, 1), select(compare("lt", x, 0), k(x.type, -1), x));
  return select(test("math.isnan", x), k(x.type, 0), signed);
}

/** Three powers of two, each in range. The steps down leave 24 binary places, so that only the last product rounds. */
function ldexpOf(power: typeof powerOfTwo, hold: Hold, ...[x, n]: Expr[]): Expr {
  if (isHalf(x!)) return inF32("math.ldexp", x!.type, x!, n!);
  const double = scalarOf(x!.type) === "f64";
  const [greatest, least, down] = double ? [1023, -1022, -969] : [127, -126, -102];
  const step = (left: Expr): Expr =>
    select(
      compare("gt", left, greatest),
      k(left.type, greatest),
      select(compare("lt", left, least), k(left.type, down), k(left.type, 0)),
    );
  const first = hold("first", step(n!));
  const left = hold("left", sub(n!, first));
  const second = hold("second", step(left));
  const last = opCall("math.clamp", [sub(left, second), k(n!.type, least), k(n!.type, greatest)], n!.type);
  const t = x!.type;
  return mul(mul(mul(x!, power(first, t)), power(second, t)), power(last, t));
}

/** There may be no integers of 64 bits where there is a function for it. */
const powerByFunction = (n: Expr, type: Expr["type"]): Expr =>
  scalarOf(type) === "f64" ? opCall("math.ldexp_open", [k(type, 1), n], type) : powerOfTwo(n, type);

/** OpenCL C 3.0 7.5.1: no number of a negative number, nor of 0^0, infinity^0 and 1^infinity; a zero base has no sign. */
function powerByLogarithms(hold: Hold, ...[x, y]: Expr[]): Expr {
  const t = x!.type;
  const endless = or(compare("eq", x!, 0), test("math.isinf", x!));
  const none = hold(
    "none",
    or(or(compare("lt", x!, 0), and(endless, compare("eq", y!, 0))), and(compare("eq", x!, 1), test("math.isinf", y!))),
  );
  const unordered = or(test("math.isnan", x!), test("math.isnan", y!));
  const ofZero = select(compare("gt", y!, 0), k(t, 0), infinity(t));
  const inside = f("pow_open", select(compare("eq", x!, 0), k(t, 1), f("abs", x!)), y!);
  return select(or(none, unordered), nan(t), select(compare("eq", x!, 0), ofZero, inside));
}

const largest = (x: Expr): Expr => fold(components(f("abs", x)), (a, b) => f("fmax", a, b));
const inF32 = (op: OpId, result: Expr["type"], ...args: Expr[]): Expr =>
  to(
    "f16",
    opCall(
      op,
      args.map((a) => to("f32", a)),
      withScalar("f32", result),
    ),
  );
const isHalf = (x: Expr): boolean => scalarOf(x.type) === "f16";

export const edgeFormulas: Readonly<Record<string, (hold: Hold, ...args: Expr[]) => Expr>> = {
  // The axes, the origin and the infinities by C99 F.9.1.4; the half plane of a zero x is that of its sign.
  "math.atan2": (hold, y, x) => {
    const t = x.type;
    const [endlessX, endlessY] = [
      hold("x_is_infinite", test("math.isinf", x)),
      hold("y_is_infinite", test("math.isinf", y)),
    ];
    const edge = hold("edge", or(compare("eq", y, 0), or(endlessX, endlessY)));
    const ofEndlessY = select(endlessX, k(t, Math.PI / 4), k(t, Math.PI / 2));
    const near = hold("near", select(endlessY, ofEndlessY, k(t, 0)));
    const angle = select(test("math.signbit", x), sub(k(t, Math.PI), near), near);
    const unordered = or(test("math.isnan", x), test("math.isnan", y));
    // Where it is not asked for, the angle of (1, y).
    const inside = f("atan2_open", y, select(edge, k(t, 1), x));
    return select(unordered, add(x, y), select(edge, f("copysign", angle, y), inside));
  },
  "math.powr": powerByLogarithms,
  "math.powr_open": powerByLogarithms,
  // The HLSL reference: no number of a negative one; of 0 by the sign of the power, 0^0 left open.
  "math.pow_nan": (hold, x, y) => {
    const t = x.type;
    const power = hold("power", f("pow_open", select(compare("eq", x, 0), k(t, 1), f("abs", x)), y));
    const ofZero = select(compare("gt", y, 0), k(t, 0), select(compare("lt", y, 0), infinity(t), nan(t)));
    return select(
      or(or(compare("lt", x, 0), test("math.isnan", x)), test("math.isnan", y)),
      nan(t),
      select(compare("eq", x, 0), ofZero, power),
    );
  },
  "math.ldexp": (hold, ...args) => ldexpOf(powerByFunction, hold, ...args),
  // Where no function of the target leaves anything open.
  "math.ldexp_open": (hold, ...args) => ldexpOf(powerOfTwo, hold, ...args),
  // Of an infinity all is in the integral part.
  "math.modf_fraction": (_, x) => f("copysign", select(test("math.isinf", x), k(x.type, 0), sub(x, f("trunc", x))), x),
  "math.sign": (_, x) => signOf(x),
  "math.sign_open": (_, x) => signOf(x),
  // At most 2 ulp. Of an infinity it is one, whatever the other is.
  "math.hypot": (hold, x, y) => {
    if (isHalf(x)) return inF32("math.hypot", x.type, x, y);
    const [scale, back] = scaleOf(hold, hold("m", f("fmax", f("abs", x), f("abs", y))));
    const [a, b] = [hold("a", mul(x, scale)), hold("b", mul(y, scale))];
    const finite = mul(f("sqrt_open", add(mul(a, a), mul(b, b))), back);
    return select(or(test("math.isinf", x), test("math.isinf", y)), infinity(x.type), finite);
  },
  "geometry.scaled_length": (hold, x) => {
    const t = x.type;
    const s = shaped(scalarOf(t)!, 1);
    if (componentsOf(t) === 1) return f("abs", x);
    if (isHalf(x)) return convert(opCall("geometry.length", [to("f32", x)], f32), s);
    const [scale, back] = scaleOf(hold, hold("m", largest(x)));
    return mul(opCall("geometry.length", [bin("mul", x, scale)], s), back);
  },
  "geometry.scaled_distance": (_, x, y) => {
    const s = shaped(scalarOf(x.type)!, 1);
    if (isHalf(x)) return convert(opCall("geometry.length", [sub(to("f32", x), to("f32", y))], f32), s);
    return opCall("geometry.scaled_length", [sub(x, y)], s);
  },
  // The zero vector is itself, a vector with a NaN is all NaN, and infinite components count as 1 beside zeros.
  "geometry.scaled_normalize": (hold, x) => {
    const t = x.type;
    if (isHalf(x)) return inF32("geometry.scaled_normalize", t, x);
    if (componentsOf(t) === 1) {
      const unit = f("copysign", k(t, 1), x);
      return select(or(compare("eq", x, 0), test("math.isnan", x)), x, unit);
    }
    const m = hold("m", largest(x));
    const [scale] = scaleOf(hold, m);
    const unordered = hold(
      "unordered",
      fold(
        components(x).map((c) => test("math.isnan", c)),
        or,
      ),
    );
    const ends = f("copysign", select(test("math.isinf", x), k(t, 1), k(t, 0)), x);
    const direction = hold("direction", conditional(test("math.isinf", m), ends, bin("mul", x, scale)));
    return conditional(
      unordered,
      nan(t),
      conditional(compare("eq", m, 0), x, opCall("geometry.normalize", [direction], t)),
    );
  },
};

/** The same where operands may be written more than once. */
export const edgeTree =
  (op: OpId) =>
  (args: readonly Expr[]): Expr =>
    edgeFormulas[op]!((_, value) => value, ...args);
