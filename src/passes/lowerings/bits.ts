/** Integer functions by other integer functions (data.md section 9). */
import {
  assign,
  bitcast,
  convert,
  declare,
  expressionStatement,
  load,
  opCall,
  returnStatement,
  swizzleValue,
  variablePlace,
} from "../../ast/builders.js";
import type { Expr, OpId, Statement } from "../../ast/nodes.js";
import {
  add,
  and,
  bin,
  boolShape,
  componentwise,
  fit,
  k,
  mul,
  negate,
  or,
  same,
  select,
  sub,
  to,
  withScalar,
} from "../../ops/trees.js";
import { row } from "../../ops/table.js";
import { integerRange } from "../../types/numeric.js";
import {
  bitWidth,
  componentCount,
  isSigned,
  scalarOf,
  shaped,
  u32,
  vector,
  type ScalarKind,
} from "../../types/types.js";
import { expression, held, helperCall, inlineOrHelper, statements, type Lowering, isNative } from "./lowering.js";

const kindOf = (e: Expr): ScalarKind => scalarOf(e.type)!;
const unsigned = (kind: ScalarKind): ScalarKind => `u${bitWidth(kind)}` as ScalarKind;
/** The bits as u32, zero-extended from narrower types. */
const asU32 = (x: Expr): Expr => to("u32", to(unsigned(kindOf(x)), x));
const compare = (operator: "lt" | "ge" | "gt" | "eq" | "ne", a: Expr, b: Expr): Expr => ({
  kind: "binary",
  operator,
  left: a,
  right: fit(b, a.type),
  type: boolShape(a.type),
  span: a.span,
});

/** The two words of a 64-bit scalar, low first. */
const words = (x: Expr): readonly [Expr, Expr] => {
  const both = bitcast(x, vector("u32", 2));
  return [swizzleValue(both, [0]), swizzleValue(both, [1])];
};

export const clz: Lowering = (call, context) =>
  inlineOrHelper(call, context, (x) => {
    const kind = kindOf(x);
    const width = bitWidth(kind);
    if (width === 64) {
      return componentwise(call.type, [x], (part) => {
        const [low, high] = words(part);
        const count = select(
          compare("ne", high, k(u32, 0)),
          same("bits.clz", high),
          add(k(u32, 32), same("bits.clz", low)),
        );
        return to(kind, count);
      });
    }
    // findMSB(0) is -1, which makes the width.
    const i = withScalar("i32", x.type);
    const bits = asU32(x);
    return to(kind, sub(k(i, width - 1), opCall("bits.find_msb", [bits], i)));
  });

export const ctz: Lowering = (call, context) =>
  inlineOrHelper(call, context, (x) => {
    const kind = kindOf(x);
    const width = bitWidth(kind);
    if (width === 64) {
      return componentwise(call.type, [x], (part) => {
        const [low, high] = words(part);
        return to(
          kind,
          select(compare("ne", low, k(u32, 0)), same("bits.ctz", low), add(k(u32, 32), same("bits.ctz", high))),
        );
      });
    }
    const lowest = opCall("bits.find_lsb", [asU32(x)], withScalar("i32", x.type));
    // The ones below the lowest one bit.
    if (!isNative(lowest, context)) return same("bits.popcount", sub(and(x, negate(x)), k(x.type, 1)));
    // findLSB(0) is -1, the greatest unsigned number.
    const u = withScalar("u32", x.type);
    return to(kind, opCall("math.min", [to("u32", lowest), k(u, width)], u));
  });

export const popcount: Lowering = (call, context) =>
  inlineOrHelper(call, context, (x) => {
    const kind = kindOf(x);
    if (bitWidth(kind) === 64) {
      return componentwise(call.type, [x], (part) => {
        const [low, high] = words(part);
        return to(kind, add(same("bits.popcount", low), same("bits.popcount", high)));
      });
    }
    // HLSL counts the bits of u32, GLSL those of any 32-bit integer.
    const unsigned = same("bits.popcount", asU32(x));
    if (isNative(unsigned, context)) return to(kind, unsigned);
    const operand = bitWidth(kind) === 32 ? x : asU32(x);
    return to(kind, opCall("bits.bit_count", [operand], withScalar("i32", x.type)));
  });

export const reverseBits: Lowering = (call, context) => {
  const [given] = call.arguments;
  const kind = kindOf(given!);
  const width = bitWidth(kind);
  if (width === 64) {
    return inlineOrHelper(
      call,
      context,
      (x) =>
        componentwise(call.type, [x], (part) => {
          const [low, high] = words(part);
          const type = vector("u32", 2);
          return bitcast(
            {
              kind: "construct",
              type,
              arguments: [same("bits.reverse", high), same("bits.reverse", low)],
              span: call.span,
            },
            shaped(kind, 1),
          );
        }),
      { helper: true },
    );
  }
  if (isNative(same("bits.reverse", asU32(given!)), context)) {
    return inlineOrHelper(call, context, (x) => {
      const reversed = same("bits.reverse", asU32(x));
      return to(kind, width === 32 ? reversed : bin("shr", reversed, k(reversed.type, 32 - width)));
    });
  }
  const expr = helperCall(
    call,
    context,
    (maker, [x]) => {
      const type = withScalar("u32", given!.type);
      const v = maker.local("v", type);
      const read = load(variablePlace(v));
      const body: Statement[] = [declare(v.id, asU32(load(variablePlace(x!))))];
      for (const [shift, mask] of [
        [1, 0x55555555],
        [2, 0x33333333],
        [4, 0x0f0f0f0f],
        [8, 0x00ff00ff],
      ] as const) {
        const swapped = or(
          and(bin("shr", read, k(type, shift)), k(type, mask)),
          bin("shl", and(read, k(type, mask)), k(type, shift)),
        );
        body.push(expressionStatement(assign(variablePlace(v), swapped)));
      }
      const whole = or(bin("shr", read, k(type, 16)), bin("shl", read, k(type, 16)));
      body.push(returnStatement(to(kind, width === 32 ? whole : bin("shr", whole, k(type, 32 - width)))));
      return body;
    },
    { name: "reverse_bits" },
  );
  return expression(expr);
};

export const rotate: Lowering = (call, context) =>
  inlineOrHelper(call, context, (x, n) => {
    const kind = kindOf(x);
    const width = bitWidth(kind);
    const u = unsigned(kind);
    const bits = to(u, x);
    const amount = n.kind === "literal" ? Number(BigInt.asUintN(64, BigInt(n.value)) % BigInt(width)) : undefined;
    if (amount === 0) return x;
    const type = bits.type;
    const [left, right] =
      amount === undefined
        ? [and(to(u, n), k(type, width - 1)), and(sub(k(type, width), to(u, n)), k(type, width - 1))]
        : [k(type, amount), k(type, width - amount)];
    return to(kind, or(bin("shl", bits, left), bin("shr", bits, right)));
  });

export const mulhi: Lowering = (call, context) => {
  const kind = scalarOf(call.type)!;
  const width = bitWidth(kind);
  if (width < 32) {
    const wide = isSigned(kind) ? "i32" : "u32";
    return inlineOrHelper(call, context, (x, y) => {
      const product = mul(to(wide, x), to(wide, y));
      return to(kind, bin("shr", product, k(product.type, width)));
    });
  }
  const op: OpId = kind === "i32" ? "bits.mul_extended_i" : "bits.mul_extended_u";
  if (width === 32 && row(op).cells[context.target].some((c) => c.kind === "native")) {
    const expr = helperCall(call, context, (maker, [x, y]) => {
      const high = maker.local("high", call.type);
      const low = maker.local("low", call.type);
      const product = opCall(op, [load(variablePlace(x!)), load(variablePlace(y!))], { kind: "void" }, call.span, {
        places: [variablePlace(high), variablePlace(low)],
      });
      return [
        declare(high.id),
        declare(low.id),
        expressionStatement(product),
        returnStatement(load(variablePlace(high))),
      ];
    });
    return expression(expr);
  }
  if (isSigned(kind)) {
    return inlineOrHelper(
      call,
      context,
      (x, y) => {
        const zero = k(x.type, 0);
        const high = to(kind, same("bits.mulhi", to(unsigned(kind), x), to(unsigned(kind), y)));
        return sub(sub(high, select(compare("lt", x, zero), y, zero)), select(compare("lt", y, zero), x, zero));
      },
      { helper: true },
    );
  }
  // Halves of the operands: the middle products carry into the high half.
  return inlineOrHelper(
    call,
    context,
    (x, y) => {
      const t = x.type;
      const half = k(t, width / 2);
      const mask = k(t, 2 ** (width / 2) - 1);
      const [xl, xh, yl, yh] = [and(x, mask), bin("shr", x, half), and(y, mask), bin("shr", y, half)];
      const low = mul(xl, yl);
      const middle = add(mul(xh, yl), bin("shr", low, half));
      const other = add(mul(xl, yh), and(middle, mask));
      return add(add(mul(xh, yh), bin("shr", middle, half)), bin("shr", other, half));
    },
    { helper: true },
  );
};

/** The op's tree, which counts on sums and products that wrap, on unsigned integers that C does not make an int. */
export const wrappingSum: Lowering = (call, context) => {
  const kind = kindOf(call.arguments[0]!);
  const { expand } = row(call.op);
  if (expand.kind !== "tree") throw new Error(`${call.op} has no tree to expand`);
  const word = bitWidth(kind) === 64 ? "u64" : "u32";
  return inlineOrHelper(call, context, (...args) => {
    const sum = expand.build(
      args.map((a) => to(word, a)),
      withScalar(word, call.type),
    );
    return to(kind, sum);
  });
};

export const saturating: Lowering = (call, context) => {
  const plus = call.op === "bits.add_sat";
  const kind = scalarOf(call.type)!;
  const { min: low, max: high } = integerRange(kind);
  const sum = (x: Expr, y: Expr): Expr => (plus ? add(x, y) : sub(x, y));
  return inlineOrHelper(
    call,
    context,
    (x, y) => {
      const t = x.type;
      if (bitWidth(kind) < 32) {
        const wide = sum(to("i32", x), to("i32", y));
        return to(kind, opCall("math.clamp", [wide, k(wide.type, low), k(wide.type, high)], wide.type));
      }
      const r = sum(x, y);
      if (!isSigned(kind))
        return plus ? select(compare("lt", r, x), k(t, high), r) : select(compare("lt", x, y), k(t, 0), r);
      // Overflow: the operands' signs agree (differ, for a difference) and the result's is another.
      const changed = bin("xor", x, r);
      const other = plus ? bin("xor", y, r) : bin("xor", x, y);
      return select(
        compare("lt", and(changed, other), k(t, 0)),
        select(compare("lt", x, k(t, 0)), k(t, low), k(t, high)),
        r,
      );
    },
    { helper: true },
  );
};

export const carry: Lowering = (call, context) => {
  const before: Statement[] = [];
  const [x, y] = [held(context, before, "x", call.arguments[0]!), held(context, before, "y", call.arguments[1]!)];
  const result = context.local("result", call.type);
  const plus = call.op === "bits.add_carry";
  before.push(declare(result.id, plus ? add(x, y) : sub(x, y)));
  const value = load(variablePlace(result));
  const flag = plus ? compare("lt", value, x) : compare("lt", x, y);
  before.push(expressionStatement(assign(call.places[0]!, select(flag, k(call.type, 1), k(call.type, 0)), call.span)));
  return statements(before, value);
};

export const mulExtended: Lowering = (call, context) => {
  const before: Statement[] = [];
  const [x, y] = [held(context, before, "x", call.arguments[0]!), held(context, before, "y", call.arguments[1]!)];
  const high = context.local("high", x.type);
  before.push(declare(high.id, same("bits.mulhi", x, y)));
  const low = context.local("low", x.type);
  // Signed products overflow in C.
  const unsigned = isSigned(scalarOf(x.type)!) ? shaped("u32", componentCount(x.type)!) : x.type;
  const wrapping = (e: Expr): Expr => convert(e, unsigned, true);
  before.push(declare(low.id, unsigned === x.type ? mul(x, y) : convert(mul(wrapping(x), wrapping(y)), x.type, true)));
  before.push(expressionStatement(assign(call.places[0]!, load(variablePlace(high)), call.span)));
  before.push(expressionStatement(assign(call.places[1]!, load(variablePlace(low)), call.span)));
  return statements(before);
};
