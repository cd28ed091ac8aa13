/**
 * Functions of double on the bits, for HLSL, which has its arithmetic and none of its functions. Both are exact: what is cut are
 * digits, and a root is found digit by digit as by hand, and rounded to the nearest, ties to even (IEEE 754 5.4.1, 5.9).
 */
import {
  bitcast,
  block,
  convert,
  declare,
  ifStatement,
  logical,
  opCall,
  read,
  put,
  returnStatement,
  whileStatement,
} from "../../ast/builders.js";
import type { Expr, Statement, Variable } from "../../ast/nodes.js";
import { add, and, bin, compare, complement, k, nan, or, sub } from "../../ops/trees.js";
import { i32, shaped } from "../../types/types.js";
import { expression, helperCall, type HelperMaker, type Lowering, byComponents } from "./lowering.js";

const u64 = shaped("u64", 1);
const f64 = shaped("f64", 1);
const digits = 52;
const bias = 1023;
const sign = 1n << 63n;
const leading = 1n << BigInt(digits);
const infinite = 0x7ffn << BigInt(digits);

const whole = (value: bigint): Expr => k(u64, value);
/** The field of the exponent, of bits without a sign or masked. */
const fieldOf = (bits: Expr): Expr => convert(and(bin("shr", bits, k(u64, digits)), k(u64, 0x7ff)), i32);

/** One component at a time. */
export const onBits =
  (body: (maker: HelperMaker, x: Variable) => readonly Statement[]): Lowering =>
  (call, context) => {
    if (call.type.kind === "scalar")
      return expression(helperCall(call, context, (maker, [x]) => body(maker, x!), { names: ["x"] }));
    return byComponents(call, context, ["x"], (part) => opCall(call.op, [part], part.type, call.span));
  };

/** Digits after the point are cleared. */
export const truncOnBits: Lowering = onBits((maker, x) => {
  const [bits, exponent] = [maker.local("bits", u64), maker.local("exponent", i32)];
  const fraction = bin("shr", whole(leading - 1n), convert(read(exponent), u64));
  return [
    declare(bits.id, bitcast(read(x), u64)),
    declare(exponent.id, sub(fieldOf(read(bits)), k(i32, bias))),
    ifStatement(compare("lt", read(exponent), 0), returnStatement(bitcast(and(read(bits), whole(sign)), f64))),
    // Infinities and NaN, too.
    ifStatement(compare("ge", read(exponent), digits), returnStatement(read(x))),
    returnStatement(bitcast(and(read(bits), complement(fraction)), f64)),
  ];
});

/**
 * Of the significand as a whole number, one binary digit of the root at a time and one more than a double has, which rounds: `taken`
 * is twice the root so far. A root that ends there is not between two doubles, since its square would have 107 digits.
 */
export const sqrtOnBits: Lowering = onBits((maker, x) => {
  const [bits, magnitude] = [maker.local("bits", u64), maker.local("magnitude", u64)];
  const [exponent, rest] = [maker.local("exponent", i32), maker.local("rest", u64)];
  const [root, taken, digit] = [maker.local("root", u64), maker.local("taken", u64), maker.local("digit", u64)];
  const twice = (e: Expr): Expr => bin("shl", e, k(u64, 1));
  const next = add(read(taken), read(digit));
  return [
    declare(bits.id, bitcast(read(x), u64)),
    declare(magnitude.id, and(read(bits), whole(sign - 1n))),
    ifStatement(
      logical(
        "or",
        logical("or", compare("eq", read(magnitude), 0), compare("gt", read(magnitude), whole(infinite))),
        compare("eq", read(bits), whole(infinite)),
      ),
      returnStatement(read(x)),
    ),
    ifStatement(compare("gt", read(bits), whole(infinite)), returnStatement(nan(f64))),
    // A subnormal number has the exponent of the least normal one, and no leading one.
    declare(exponent.id, opCall("math.max", [fieldOf(read(bits)), k(i32, 1)], i32)),
    declare(rest.id, and(read(bits), whole(leading - 1n))),
    ifStatement(compare("ge", read(bits), whole(leading)), put(rest, or(read(rest), whole(leading)))),
    whileStatement(compare("lt", read(rest), whole(leading)), [
      put(rest, twice(read(rest))),
      put(exponent, sub(read(exponent), k(i32, 1))),
    ]),
    // Of an even power of two.
    ifStatement(
      compare("eq", and(read(exponent), k(i32, 1)), 0),
      block([put(rest, twice(read(rest))), put(exponent, sub(read(exponent), k(i32, 1)))]),
    ),
    put(rest, twice(read(rest))),
    declare(root.id, whole(0n)),
    declare(taken.id, whole(0n)),
    declare(digit.id, whole(2n * leading)),
    whileStatement(compare("ne", read(digit), 0), [
      ifStatement(
        compare("le", next, read(rest)),
        block([
          put(rest, sub(read(rest), next)),
          put(taken, add(next, read(digit))),
          put(root, add(read(root), read(digit))),
        ]),
      ),
      put(rest, twice(read(rest))),
      put(digit, bin("shr", read(digit), k(u64, 1))),
    ]),
    put(root, bin("shr", add(read(root), and(read(root), k(u64, 1))), k(u64, 1))),
    // The leading one of the root adds one to the exponent.
    put(exponent, add(bin("div", sub(read(exponent), k(i32, bias)), k(i32, 2)), k(i32, bias - 1))),
    returnStatement(bitcast(add(read(root), bin("shl", convert(read(exponent), u64), k(u64, digits))), f64)),
  ];
});
