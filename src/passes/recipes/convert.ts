/** Conversions with a rounding mode or saturation (data.md section 4). */
import { binary, bitcast, convert, opCall } from "../../ast/builders.js";
import type { Expr, OpId } from "../../ast/nodes.js";
import { add, and, complement, componentwise, k, negate, select, sub, to, withScalar } from "../../ops/trees.js";
import { integerRange } from "../../types/numeric.js";
import { bitWidth, isFloat, isSigned, scalarOf, type ScalarKind } from "../../types/types.js";
import { expression, inlineOrHelper, refuse, shortName, type Recipe } from "./recipe.js";
import { toHalf, type HalfRounding } from "./half.js";

const rounding: Readonly<Record<string, OpId>> = {
  rte: "math.round_even",
  rtp: "math.ceil",
  rtn: "math.floor",
};
const digits: Partial<Record<ScalarKind, number>> = { f16: 11, f32: 24, f64: 53 };

export const convertMode: Recipe = (call, context) => {
  const [given] = call.arguments;
  const from = scalarOf(given!.type)!;
  const into = scalarOf(call.type)!;
  const parts = shortName(call.op).split("_");
  const saturate = parts.includes("sat");
  const mode = parts.find((p) => p.startsWith("rt"));

  if (isFloat(into)) {
    if (isFloat(from)) {
      if (bitWidth(into) >= bitWidth(from)) return expression(convert(given!, call.type, true, call.span));
      if (from === "f32") return expression(toHalf(context, given!, (mode ?? "rte") as HalfRounding));
      if (into === "f32" && (mode === undefined || mode === "rte")) return expression(convert(given!, call.type, true, call.span));
      return refuse(`converting ${from} to ${into} with rounding ${mode ?? "rte"} has no form here`);
    }
    const exact = bitWidth(from) - (isSigned(from) ? 1 : 0) <= digits[into]!;
    if (exact || mode === "rte" || mode === undefined)
      return expression(convert(given!, call.type, true, call.span));
    if (into !== "f32") return refuse(`converting ${from} to ${into} with rounding ${mode} has no form here`);
    return inlineOrHelper(call, context, (x) => directed(x!, mode), { helper: true, name: `convert_float_${mode}` });
  }

  if (!isFloat(from)) {
    if (!saturate) return expression(convert(given!, call.type, true, call.span));
    return inlineOrHelper(call, context, (x) => saturatedInteger(x!, into));
  }

  const rounded = (x: Expr): Expr =>
    mode !== undefined && rounding[mode] ? opCall(rounding[mode]!, [x], x.type) : x;
  if (!saturate) return expression(convert(rounded(given!), call.type, true, call.span));
  const { min: low, max: high } = integerRange(into);
  return inlineOrHelper(
    call,
    context,
    (x) => {
      // In f32 (of a double, in double), where every bound is exact or the next value: 2147483647 is no float, 2147483648 is.
      const wide = to(from === "f64" ? "f64" : "f32", x!);
      return componentwise(call.type, [wide], (part) => {
        const y = rounded(part!);
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
        return select(
          opCall("math.isnan", [part!], { kind: "scalar", scalar: "bool" }),
          k(target, 0),
          inside,
        );
      });
    },
    { helper: true, name: `convert_${into}_${shortName(call.op)}` },
  );
};

/** A 32-bit integer as f32, rounded in a direction: the bits a float has no room for are cut, or make it one more. */
function directed(x: Expr, mode: string): Expr {
  const u = withScalar("u32", x.type);
  const negative = isSigned(scalarOf(x.type)!) ? binary("lt", x, k(x.type, 0)) : undefined;
  const bits = to("u32", x);
  const magnitude = negative ? select(negative, sub(k(u, 0), bits), bits) : bits;
  const zeros = opCall("bits.clz", [magnitude], u);
  const surplus = select(binary("lt", zeros, k(u, 8)), sub(k(u, 8), zeros), k(u, 0));
  const mask = sub(binary("shl", k(u, 1), surplus), k(u, 1));
  const cut = convert(and(magnitude, complement(mask)), withScalar("f32", x.type), true);
  const inexact = binary("ne", and(magnitude, mask), k(u, 0));
  const one = select(inexact, k(u, 1), k(u, 0));
  const more = bitcast(add(bitcast(cut, u), one), cut.type);
  const up = negative ? select(negative, mode === "rtn" ? more : cut, mode === "rtp" ? more : cut) : mode === "rtp" ? more : cut;
  return negative ? select(negative, negate(up), up) : up;
}

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
