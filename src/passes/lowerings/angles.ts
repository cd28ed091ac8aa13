/**
 * Sine, cosine and tangent of any angle by those of small ones (`nativeAngles`). Small angles go to the target's function as
 * they are; of a larger one the turns are its digits times 1 / (2 pi), of which only 64 binary places count, by whole
 * numbers (Payne and Hanek, 1983).
 */
import {
  bitcast,
  block,
  conditional,
  construct,
  convert,
  declare,
  element,
  ifStatement,
  load,
  opCall,
  read,
  put,
  returnStatement,
  u32Literal,
  variablePlace,
} from "../../ast/builders.js";
import type { Expr, Statement, Variable } from "../../ast/nodes.js";
import { nativeAngles } from "../../ops/angles.js";
import { openVariant } from "../../ops/table.js";
import { add, and, bin, complement, componentwise, div, k, mul, nan, negate, or, same, sub } from "../../ops/trees.js";
import { noSpan } from "../../support/span.js";
import { array, bool, componentsOf, f32, scalarOf, u32 } from "../../types/types.js";
import {
  expression,
  held,
  helperCall,
  helperOf,
  statements,
  type HelperMaker,
  type Lowering,
  type LoweringContext,
} from "./lowering.js";

const is = (operator: "lt" | "le" | "ge" | "eq", left: Expr, right: Expr): Expr => ({
  kind: "binary",
  operator,
  left,
  right,
  type: bool,
  span: noSpan,
});

export const anyAngle: Lowering = (call, context) => {
  const x = call.arguments[0]!;
  const open = (e: Expr): Expr => same(openVariant(call.op), e);
  const limit = nativeAngles[context.target];
  if (componentsOf(call.type) > 1) {
    const before: Statement[] = [];
    const angles = held(context, before, "angles", x);
    const value = componentwise(call.type, [angles], (part) => opCall(call.op, [part], part.type, call.span));
    return before.length === 0 ? expression(value) : statements(before, value);
  }
  // A half has angles up to 65504.
  if (scalarOf(call.type) === "f16")
    return expression(convert(opCall(call.op, [convert(x, f32)], f32, call.span), call.type));
  return expression(
    helperCall(call, context, (maker, [p]) => {
      const angle = read(p!);
      const small = is("le", same("math.abs", angle), k(f32, limit));
      const sine = (quarters: 0 | 1): Expr => same("math.sin_open", angleWithin(context, angle, quarters));
      const large = call.op === "math.sin" ? sine(0) : call.op === "math.cos" ? sine(1) : div(sine(0), sine(1));
      return [ifStatement(small, returnStatement(open(angle))), returnStatement(large)];
    }),
  );
};

/** 1 / (2 pi) in binary after a word of zeros: enough for 2^127 times 24 digits. */
const inverse = [0, 0x28be60db, 0x9391054a, 0x7f09d5f4, 0x7d4d3770, 0x36d8a566, 0x4f10e410, 0x7f9458ea];

/** Of the angles in -pi/2..pi/2 the one that has the sine of x, more quarters of a turn on; |x| is at least 2. */
function angleWithin(context: LoweringContext, x: Expr, quarters: 0 | 1): Expr {
  return helperOf(
    { arguments: [x, u32Literal(quarters)], type: f32, span: noSpan },
    context,
    (maker, [p, q]) => angleBody(maker, p!, q!),
    {
      name: "angle_within",
      names: ["x", "quarters"],
      says: "the angle in -pi/2..pi/2 that has the sine of x and some quarters of a turn, by 64 binary digits of its turns",
    },
  );
}

function angleBody(maker: HelperMaker, p: Variable, q: Variable): Statement[] {
  const words = maker.local("inverse", array(u32, inverse.length));
  const word = (name: string): Variable => maker.local(name, u32);
  const [bits, place, digits] = [word("bits"), word("place"), word("digits")];
  const [high, low, lower] = [word("high"), word("low"), word("lower")];
  const [turn, rest] = [word("turn"), word("rest")];
  const negative = maker.local("negative", bool);
  const first = word("first");
  const at = (n: number): Expr =>
    load(element(variablePlace(words), n === 0 ? read(first) : add(read(first), k(u32, n))));
  const shift = and(read(place), k(u32, 31));
  // 32 is no count of a shift.
  const window = (n: number): Expr =>
    or(bin("shl", at(n), shift), bin("shr", bin("shr", at(n + 1), k(u32, 1)), sub(k(u32, 31), shift)));
  const upper = (v: Variable): Expr => same("bits.mulhi", read(digits), read(v));
  const lowProduct = mul(read(digits), read(low));
  const carry = conditional(is("lt", read(rest), lowProduct), k(u32, 1), k(u32, 0));
  // -1 less is what is lost in 64 digits anyway.
  const negated = (turns: Expr): Statement => block([put(turn, turns), put(rest, complement(read(rest)))]);
  const beyondQuarter = is("ge", bin("xor", read(turn), bin("shl", read(turn), k(u32, 1))), k(u32, 0x80000000));
  const angle = mul(
    add(convert(read(turn), f32), mul(convert(read(rest), f32), k(f32, 2 ** -32))),
    k(f32, Math.PI * 2 ** -31),
  );
  const result = maker.local("angle", f32);
  return [
    declare(bits.id, and(bitcast(read(p), u32), k(u32, 0x7fffffff))),
    ifStatement(is("ge", read(bits), k(u32, 0x7f800000)), returnStatement(nan(f32))),
    declare(
      words.id,
      construct(
        words.type,
        inverse.map((w) => u32Literal(w)),
      ),
    ),
    declare(place.id, sub(bin("shr", read(bits), k(u32, 23)), k(u32, 118))),
    declare(first.id, bin("shr", read(place), k(u32, 5))),
    declare(digits.id, or(and(read(bits), k(u32, 0x7fffff)), k(u32, 0x800000))),
    declare(high.id, window(0)),
    declare(low.id, window(1)),
    declare(lower.id, window(2)),
    declare(rest.id, add(lowProduct, upper(lower))),
    declare(turn.id, add(add(mul(read(digits), read(high)), upper(low)), carry)),
    ifStatement(is("lt", read(p), k(f32, 0)), negated(complement(read(turn)))),
    put(turn, add(read(turn), bin("shl", read(q), k(u32, 30)))),
    // The sine of half a turn less the angle.
    ifStatement(beyondQuarter, negated(bin("xor", read(turn), k(u32, 0x7fffffff)))),
    declare(negative.id, is("ge", read(turn), k(u32, 0x80000000))),
    ifStatement(read(negative), negated(complement(read(turn)))),
    declare(result.id, angle),
    returnStatement(conditional(read(negative), negate(read(result)), read(result))),
  ];
}
