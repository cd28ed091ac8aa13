/** Functions with an out place, by functions without or with another one. */
import { bitcast, convert, declare, load, opCall, store, swizzleValue, variablePlace } from "../../ast/builders.js";
import type { Expr, Statement } from "../../ast/nodes.js";
import { opId } from "../../ast/op-ids.js";
import {
  and,
  bin,
  boolShape,
  compare,
  div,
  k,
  mul,
  negate,
  or,
  same,
  select,
  sub,
  test,
  to,
  withScalar,
} from "../../ops/trees.js";
import { scalarOf, vector } from "../../types/types.js";
import { expression, held, isNative, statements, type Lowering } from "./lowering.js";

/** sincos: sine and cosine on their own. */
export const sinAndCos: Lowering = (call, context) => {
  const before: Statement[] = [];
  const x = held(context, before, "x", call.arguments[0]!);
  const open = call.op === "math.sincos" ? "" : "_open";
  const [sine, cosine] = [same(opId(`math.sin${open}`), x), same(opId(`math.cos${open}`), x)];
  if (call.places.length === 2) {
    before.push(store(call.places[0]!, sine), store(call.places[1]!, cosine));
    return statements(before);
  }
  // The out place may be x itself: the sine is taken before.
  const result = context.local("sine", x.type);
  before.push(declare(result.id, sine), store(call.places[0]!, cosine));
  return statements(before, load(variablePlace(result)));
};

/** HLSL's words of a double. */
export const splitDouble: Lowering = (call, context) => {
  const before: Statement[] = [];
  const words = held(context, before, "words", bitcast(call.arguments[0]!, vector("u32", 2)));
  call.places.forEach((place, i) => before.push(store(place, swizzleValue(words, [i]))));
  return statements(before);
};

/** x - floor(x); of a zero and an infinity a zero with the sign of x (OpenCL C 3.0 7.5.1), where the plain fract has +0 and a NaN. */
export const fractOut: Lowering = (call, context) => {
  const before: Statement[] = [];
  const x = held(context, before, "x", call.arguments[0]!);
  const result = context.local("fraction", x.type);
  before.push(
    declare(
      result.id,
      select(
        or(test("math.isinf", x), {
          kind: "binary",
          operator: "eq",
          left: x,
          right: k(x.type, 0),
          type: boolShape(x.type),
          span: x.span,
        }),
        same("math.copysign", k(x.type, 0), x),
        same("math.fract", x),
      ),
    ),
    store(call.places[0]!, same("math.floor", x)),
  );
  return statements(before, load(variablePlace(result)));
};

/** The fraction has the sign of x, and of an infinity is zero. */
export const modfParts: Lowering = (call, context) => {
  const before: Statement[] = [];
  const x = held(context, before, "x", call.arguments[0]!);
  const result = context.local("fraction", x.type);
  before.push(declare(result.id, same("math.modf_fraction", x)), store(call.places[0]!, same("math.trunc", x)));
  return statements(before, load(variablePlace(result)));
};

/**
 * remquo: modulo 128 |y|, which leaves the lower seven bits of the quotient as they are, a division tells them: what the
 * remainder leaves is a multiple of y, so that any division good to a few units rounds to the right one. Scaled, since Vulkan
 * grants nothing of divisors near the ends of the range.
 */
export const remainderAndQuotient: Lowering = (call, context) => {
  const kind = scalarOf(call.type)!;
  if (kind === "f16") {
    const wide = call.arguments.map((a) => to("f32", a));
    return expression(
      to("f16", opCall("math.remquo", wide, withScalar("f32", call.type), call.span, { places: call.places })),
    );
  }
  const before: Statement[] = [];
  const keep = (name: string, value: Expr): Expr => {
    const v = context.local(name, value.type);
    before.push(declare(v.id, value));
    return load(variablePlace(v));
  };
  const [x, y] = [keep("x", call.arguments[0]!), keep("y", call.arguments[1]!)];
  const t = x.type;
  const rest = keep("rest", same("math.remainder", x, y));
  const size = keep("size", same("math.abs", y));
  // Of a divisor whose multiple is beyond the range the quotient has no more bits than that.
  const few = same("math.fmod", same("math.abs", x), mul(size, k(t, 128)));
  // Scaled before: what the remainder leaves of a number near the end of the range may be beyond it. The products are exact.
  const scale = keep("scale", select(compare("lt", size, 1), k(t, 2 ** 64), k(t, 2 ** -64)));
  const left = select(test("math.signbit", x), negate(rest), rest);
  const part = keep("part", sub(mul(few, scale), mul(left, scale)));
  const quotient = same("math.round_even", div(part, mul(size, scale)));
  // None of zeros, infinities and NaN.
  const bits = keep(
    "bits",
    and(convert(select(compare("gt", part, 0), quotient, k(t, 0)), withScalar("i32", t)), k(withScalar("i32", t), 127)),
  );
  const negative = compare("ne", test("math.signbit", x), test("math.signbit", y));
  before.push(store(call.places[0]!, select(negative, negate(bits), bits)));
  return statements(before, rest);
};

/** The digits of floats and doubles, as frexp takes them apart. */
const layouts = {
  f32: { bits: "u32", digits: 23, field: 0xff, half: 0x3f000000, kept: 0x807fffff, scale: 32 },
  f64: {
    bits: "u64",
    digits: 52,
    field: 0x7ff,
    half: 0x3fen << 52n,
    kept: ~(0x7ffn << 52n) & ((1n << 64n) - 1n),
    scale: 64,
  },
} as const;

/** The target's own, which leaves infinities and NaN open. */
const frexpOfFinite: Lowering = (call, context) => {
  const before: Statement[] = [];
  const x = held(context, before, "x", call.arguments[0]!);
  const finite = context.local("finite", boolShape(x.type));
  const fraction = context.local("fraction", x.type);
  before.push(declare(finite.id, test("math.isfinite", x)));
  const isFinite = load(variablePlace(finite));
  const inner = opCall("math.frexp_open", [select(isFinite, x, k(x.type, 0))], x.type, call.span, {
    places: call.places,
  });
  before.push(declare(fraction.id, inner));
  return statements(before, select(isFinite, load(variablePlace(fraction)), x));
};

/** frexp with an integer exponent, on the bits of a float (HLSL's own loses the sign of x), and of a double without one. */
export const frexpOnBits: Lowering = (call, context) => {
  const kind = scalarOf(call.type);
  if (kind === "f16") {
    const wide = opCall("math.frexp", [to("f32", call.arguments[0]!)], withScalar("f32", call.type), call.span, {
      places: call.places,
    });
    return expression(to("f16", wide));
  }
  const own = opCall("math.frexp_open", call.arguments, call.type, call.span, { places: call.places });
  if (kind === "f64" && isNative(own, context)) return frexpOfFinite(call, context);
  const before: Statement[] = [];
  const x = held(context, before, "x", call.arguments[0]!);
  const layout = layouts[kind as "f32" | "f64"];
  const [u, i] = [withScalar(layout.bits, x.type), withScalar("i32", x.type)];
  const exponentOf = (bits: Expr): Expr => and(bin("shr", bits, k(u, layout.digits)), k(u, layout.field));
  // Subnormals are scaled up first.
  const subnormal = compare("eq", exponentOf(bitcast(x, u)), 0);
  const scaled = context.local("scaled", x.type);
  before.push(declare(scaled.id, select(subnormal, mul(x, k(x.type, 2 ** layout.scale)), x)));
  const bits = bitcast(load(variablePlace(scaled)), u);
  const plain = context.local("ordinary", boolShape(x.type));
  before.push(declare(plain.id, and(compare("ne", x, 0), compare("lt", exponentOf(bits), layout.field))));
  const ordinary = load(variablePlace(plain));
  const fraction = context.local("fraction", x.type);
  const halved = bitcast(or(and(bits, k(u, layout.kept)), k(u, layout.half)), x.type);
  before.push(declare(fraction.id, select(ordinary, halved, x)));
  const bias = (layout.field - 1) / 2;
  const exponent = sub(convert(exponentOf(bits), i), select(subnormal, k(i, bias - 1 + layout.scale), k(i, bias - 1)));
  before.push(store(call.places[0]!, select(ordinary, exponent, k(i, 0))));
  return statements(before, load(variablePlace(fraction)));
};

/** HLSL's frexp, whose exponent is a float, by the one with an integer. */
export const frexpByInteger: Lowering = (call, context) => {
  const x = call.arguments[0]!;
  const exponent = context.local("exponent", withScalar("i32", x.type));
  const fraction = context.local("fraction", x.type);
  const inner = opCall("math.frexp", [x], x.type, call.span, { places: [variablePlace(exponent)] });
  const before = [
    declare(exponent.id),
    declare(fraction.id, inner),
    store(call.places[0]!, convert(load(variablePlace(exponent)), x.type)),
  ];
  return statements(before, load(variablePlace(fraction)));
};
