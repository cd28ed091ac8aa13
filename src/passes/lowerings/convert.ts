/** Conversions with a rounding mode or saturation (data.md section 4). */
import { typeWord } from "../../dialects/show-type.js";
import { shortName } from "../../ast/op-ids.js";
import { row } from "../../ops/table.js";
import {
  binary,
  bitcast,
  convert,
  declare,
  ifStatement,
  opCall,
  read,
  put,
  returnStatement,
} from "../../ast/builders.js";
import type { Expr, OpId, Statement } from "../../ast/nodes.js";
import { add, and, complement, componentwise, k, negate, or, select, sub, to, withScalar } from "../../ops/trees.js";
import { integerRange } from "../../types/numeric.js";
import { bitWidth, isFloat, isSigned, scalarOf, shaped, type ScalarKind } from "../../types/types.js";
import {
  byComponents,
  expression,
  held,
  helperOf,
  inlineOrHelper,
  statements,
  type Lowering,
  type LoweringContext,
} from "./lowering.js";
import { halfBits, toHalf } from "./half.js";

const rounding: Readonly<Record<string, OpId>> = {
  rte: "math.round_even",
  rtp: "math.ceil",
  rtn: "math.floor",
};
const digits: Partial<Record<ScalarKind, number>> = { f16: 11, f32: 24, f64: 53 };

export const convertMode: Lowering = (call, context) => {
  const [given] = call.arguments;
  const from = scalarOf(given!.type)!;
  const into = scalarOf(call.type)!;
  const { saturates: saturate = false, rounding: mode } = row(call.op);

  if (isFloat(into)) {
    const plain = mode === undefined || mode === "rte";
    const fits = isFloat(from)
      ? bitWidth(into) >= bitWidth(from)
      : bitWidth(from) - (isSigned(from) ? 1 : 0) <= digits[into]!;
    if (fits || (plain && (into !== "f16" || !isFloat(from))))
      return expression(convert(given!, call.type, true, call.span));
    if (into === "f16") {
      const rounding = mode ?? "rte";
      if (from === "f32") return expression(toHalf(context, given!, rounding));
      if (from !== "f64") return expression(toHalf(context, bounded(given!), rounding));
      const before: Statement[] = [];
      const whole = call.type.kind === "vector" ? held(context, before, "x", given!) : given!;
      return statements(before, toHalf(context, towardOdd(whole, context), rounding));
    }
    const name = `convert_${typeWord(context.target, call.type)}_${mode}`;
    return inlineOrHelper(call, context, (x) => (isFloat(from) ? narrowed(x, into, mode!) : directed(x, into, mode!)), {
      helper: true,
      name,
    });
  }

  if (!isFloat(from)) {
    if (!saturate) return expression(convert(given!, call.type, true, call.span));
    return inlineOrHelper(call, context, (x) => saturatedInteger(x, into));
  }

  const rounded = (x: Expr): Expr => (mode !== undefined && rounding[mode] ? opCall(rounding[mode], [x], x.type) : x);
  if (!saturate) return expression(convert(rounded(given!), call.type, true, call.span));
  const { min: low, max: high } = integerRange(into);
  return inlineOrHelper(
    call,
    context,
    (x) => {
      // In f32 (of a double, in double), where every bound is exact or the next value: 2147483647 is no float, 2147483648 is.
      const wide = to(from === "f64" ? "f64" : "f32", x);
      return componentwise(call.type, [wide], (part) => {
        const y = rounded(part);
        const t = y.type;
        const top = high > 2n ** 24n ? high + 1n : high;
        const at = (operator: "ge" | "le", value: bigint): Expr => ({
          kind: "binary",
          operator,
          left: y,
          right: k(t, value),
          type: { kind: "scalar", scalar: "bool" },
          span: y.span,
        });
        const target = withScalar(into, t);
        const inside = select(
          at("ge", top),
          k(target, high),
          select(at("le", low), k(target, low), convert(y, target, true)),
        );
        return select(opCall("math.isnan", [part], { kind: "scalar", scalar: "bool" }), k(target, 0), inside);
      });
    },
    { helper: true, name: `convert_${typeWord(context.target, call.type)}_${shortName(call.op)}` },
  );
};

/** An integer as a float, rounded in a direction: the bits a float has no room for are cut, or make it one more. */
function directed(x: Expr, into: ScalarKind, mode: string): Expr {
  const kind = scalarOf(x.type)!;
  const u = withScalar(bitWidth(kind) === 64 ? "u64" : "u32", x.type);
  const own = scalarOf(u)!;
  const spare = k(u, bitWidth(own) - digits[into]!);
  const negative = isSigned(kind) ? binary("lt", x, k(x.type, 0)) : undefined;
  const bits = to(own, x);
  const magnitude = negative ? select(negative, sub(k(u, 0), bits), bits) : bits;
  const zeros = opCall("bits.clz", [magnitude], u);
  const surplus = select(binary("lt", zeros, spare), sub(spare, zeros), k(u, 0));
  const mask = sub(binary("shl", k(u, 1), surplus), k(u, 1));
  const cut = convert(and(magnitude, complement(mask)), withScalar(into, x.type), true);
  const inexact = binary("ne", and(magnitude, mask), k(u, 0));
  // Exact: both are multiples of the same power of two.
  const more = select(inexact, add(cut, to(into, add(mask, k(u, 1)))), cut);
  const up = negative
    ? select(negative, mode === "rtn" ? more : cut, mode === "rtp" ? more : cut)
    : mode === "rtp"
      ? more
      : cut;
  return negative ? select(negative, negate(up), up) : up;
}

/** A double as a narrower float: the nearest one, or its neighbour where that lies on the wrong side. */
function narrowed(x: Expr, into: ScalarKind, mode: string): Expr {
  const nearest = to(into, x);
  const back = to(scalarOf(x.type)!, nearest);
  const negative = binary("lt", x, k(x.type, 0));
  const [above, below] = [binary("gt", back, x), binary("lt", back, x)];
  const bits = bitcast(nearest, withScalar(`u${bitWidth(into)}` as ScalarKind, x.type));
  const one = k(bits.type, 1);
  const [away, toward] = [add(bits, one), sub(bits, one)].map((b) => bitcast(b, nearest.type)) as [Expr, Expr];
  const lower = select(above, select(negative, away, toward), nearest);
  const higher = select(below, select(negative, toward, away), nearest);
  return mode === "rtn" ? lower : mode === "rtp" ? higher : select(negative, higher, lower);
}

/** An integer as f32, exact in all that f16 tells apart: its greatest value is below 2^16. */
function bounded(x: Expr): Expr {
  const { min, max } = integerRange(scalarOf(x.type)!);
  const limit = 2n ** 17n;
  const low = min < -limit ? opCall("math.max", [x, k(x.type, -limit)], x.type) : x;
  return to("f32", max > limit ? opCall("math.min", [low, k(x.type, limit)], x.type) : low);
}

/** A double as f32 whose last bit is set where digits are cut: rounded again to fewer digits, it gives what the double would. */
function towardOdd(x: Expr, context: LoweringContext): Expr {
  const u32 = shaped("u32", 1);
  const f32 = shaped("f32", 1);
  const says = "conversion to float, toward zero, the last bit set where digits are cut";
  const one = (part: Expr): Expr =>
    helperOf(
      { arguments: [part], type: f32, span: x.span },
      context,
      (maker, [given]) => {
        const number = read(given!);
        const bits = maker.local("bits", u32);
        const back = (): Expr => to("f64", bitcast(read(bits), f32));
        const beyond = select(
          binary("lt", number, k(number.type, 0)),
          binary("lt", back(), number),
          binary("gt", back(), number),
        );
        return [
          declare(bits.id, bitcast(to("f32", number), u32)),
          ifStatement(beyond, put(bits, sub(read(bits), k(u32, 1)))),
          ifStatement(binary("ne", back(), number), put(bits, or(read(bits), k(u32, 1)))),
          returnStatement(bitcast(read(bits), f32)),
        ];
      },
      { name: "convert_float_to_odd", names: ["x"], says },
    );
  return componentwise(withScalar("f32", x.type), [x], one);
}

/** The bits of a half in the low ones of a word. */
export const roundedHalfBits: Lowering = (call, context) => {
  const mode = row(call.op).rounding!;
  return byComponents(call, context, ["x"], (x) =>
    halfBits(context, scalarOf(x.type) === "f64" ? towardOdd(x, context) : x, mode),
  );
};

/** Clamped in the source's type where both bounds fit into it; bounds the source cannot pass are left out. */
function saturatedInteger(x: Expr, into: ScalarKind): Expr {
  const from = scalarOf(x.type)!;
  const { min: fromLow, max: fromHigh } = integerRange(from);
  const { min: low, max: high } = integerRange(into);
  let value = x;
  if (fromLow < low) value = opCall("math.max", [value, k(x.type, low)], x.type);
  if (fromHigh > high) value = opCall("math.min", [value, k(x.type, high)], x.type);
  return convert(value, withScalar(into, x.type), true);
}
