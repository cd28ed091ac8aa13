/** Functions of clang's own that kernels of OpenCL C and MSL call (Clang's and GCC's manuals, "Built-in Functions"). */
import { binary, conditional, constantOf, convert, literal, opCall, returnStatement, unary } from "../ast/builders.js";
import type { BinaryOperator, Expr } from "../ast/nodes.js";
import type { OpId } from "../ast/op-ids.js";
import { isPure } from "../ast/walk.js";
import type { Span } from "../support/span.js";
import { bitWidth, i32, scalar, u32, type ScalarKind } from "../types/types.js";
import { callBuiltin } from "./builtin-calls.js";
import { memoryCall } from "./clang-memory.js";
import { vectorCall } from "./clang-vectors.js";
import { evaluate, type Constant } from "./constants.js";
import { zeroOf } from "./construct.js";
import { exprValue, notYet, type Sema, type Value } from "./context.js";
import { after, held, kept } from "./held-values.js";
import { convertTo } from "./convert.js";
import { predeclaredType } from "./type-names.js";

/** By the end of the name; `int` behind none. */
const kinds: Readonly<Record<string, ScalarKind>> = { "": "u32", s: "u16", l: "u64", ll: "u64" };
/** Of 0 the first two have no value. */
const bits: Readonly<Record<string, OpId>> = { clz: "bits.clz", ctz: "bits.ctz", popcount: "bits.popcount" };
const ofBits = /^__builtin_(?:(clz|ctz)(s|l|ll)?|(popcount)(l|ll)?)$/;

/** Of a constant: clang takes it for one. */
function countedBits(name: string, x: Constant | undefined, width: number): number | undefined {
  if (typeof x !== "bigint" || (x === 0n && name !== "popcount")) return undefined;
  const digits = x.toString(2);
  if (name === "popcount") return digits.replaceAll("0", "").length;
  return name === "clz" ? width - digits.length : digits.length - 1 - digits.lastIndexOf("1");
}

export const clangCall = (s: Sema, name: string, values: readonly Value[], span: Span): Value | undefined | "none" =>
  name.startsWith("__builtin_") ? builtinCall(s, name, values, span) : "none";

function builtinCall(s: Sema, name: string, values: readonly Value[], span: Span): Value | undefined | "none" {
  // Its argument is not evaluated.
  if (name === "__builtin_assume" && values.length === 1) return { type: { kind: "void" }, statements: [] };
  if (name === "__builtin_assert" && values.length === 1 && s.reading.expressions.assertions)
    return asserted(s, values[0]!, span);
  if (name === "__builtin_unreachable" && values.length === 0) return neverReached(s, span);
  const [only] = values;
  const is = ofBits.exec(name);
  if (is && only && values.length === 1) {
    const [, counted, size, population, populationSize] = is;
    const type = scalar(kinds[size ?? populationSize ?? ""]!);
    const x = convertTo(s, only, type, "argument", span, `the argument of '${name}'`);
    // int __builtin_ctz(unsigned int)
    const known = x && countedBits((counted ?? population)!, evaluate(s, x), bitWidth(type.scalar));
    if (known !== undefined) return exprValue(literal("i32", known, span));
    return x && exprValue(convert(opCall(bits[(counted ?? population)!]!, [x], type, span), i32));
  }
  const other = ofIntegers(s, name, values, span);
  if (other !== "none") return other;
  const float = ofFloats(s, name.slice("__builtin_".length), values, span);
  if (float !== "none") return float;
  const vector = vectorCall(s, name, values, span);
  if (vector !== "none") return vector;
  const memory = memoryCall(s, name, values, span);
  if (memory !== "none") return memory;
  const expects = name === "__builtin_expect" ? 2 : name === "__builtin_expect_with_probability" ? 3 : undefined;
  if (values.length !== expects) return "none";
  // long __builtin_expect(long, long): advice, of which the values are all that is kept.
  const [value, likely] = values.slice(0, 2).map((v) => convertTo(s, v, scalar("i64"), "argument", span, "the value"));
  if (!value || !likely || isPure(likely)) return value && likely && exprValue(value);
  // It is an argument like any other.
  const { first, values: own } = held(s, [value], span);
  return exprValue(after([...first, likely], own[0]!, span));
}

/**
 * `assert(c)` of the Metal standard library, which says nothing of its own where `c` is true: no text checks it. What `c` does besides is
 * done or not as the library is compiled, and so is refused.
 */
function asserted(s: Sema, condition: Value, span: Span): Value | undefined {
  const held = convertTo(s, condition, scalar("bool"), "condition", span, "the condition");
  if (!held) return undefined;
  if (!isPure(held))
    return notYet(
      s,
      "an assertion that does something besides, which is done or not as Metal's library is compiled, is",
      span,
      "do it in a statement before",
    );
  s.problems.warning("XL2010", "assert is left out: nothing checks it in the text", span, { once: true });
  return { type: { kind: "void" }, statements: [] };
}

/** A function with a value ends there with any. */
function neverReached(s: Sema, span: Span): Value {
  const result = s.fn && s.fn.info.returnType.kind !== "void" ? zeroOf(s, s.fn.info.returnType, span) : undefined;
  return { type: { kind: "void" }, statements: result ? [returnStatement(result, span)] : [] };
}

// ------------------------------------------------------------------ functions of floats

/** Those of C's library that the languages here have by the same names: `__builtin_sqrtf` of floats, `__builtin_sqrt` of doubles. */
const ofLibrary: ReadonlySet<string> = new Set(
  (
    "acos acosh asin asinh atan atan2 atanh ceil copysign cos cosh exp exp10 exp2 fabs floor fma fmax fmin fmod ldexp log log10 log2 " +
    "pow rint round sin sinh sqrt tan tanh trunc"
  ).split(" "),
);
/** Of either type, with an int that says whether it is so. */
const relations: ReadonlySet<string> = new Set(
  "isfinite isgreater isgreaterequal isinf isless islessequal islessgreater isnan isnormal isunordered signbit".split(
    " ",
  ),
);

function ofFloats(s: Sema, named: string, values: readonly Value[], span: Span): Value | undefined | "none" {
  if ((named === "inff" || named === "huge_valf") && values.length === 0)
    return exprValue(literal("f32", Infinity, span));
  if (relations.has(named)) {
    const made = callBuiltin(s, named, values, [], span, span, false);
    return made === "none" || !made?.expr ? made : exprValue(convert(made.expr, i32));
  }
  // The mode of rounding is to the nearest.
  const name = named.replace(/^nearbyint(?=f?$)/, "rint");
  const [called, kind]: [string, ScalarKind] = ofLibrary.has(name) ? [name, "f64"] : [name.replace(/f$/, ""), "f32"];
  const known = kind === "f32" || "type" in (predeclaredType(s, "double") ?? {});
  if (!ofLibrary.has(called) || !known) return "none";
  const converted = values.map((v, i) =>
    convertTo(s, v, called === "ldexp" && i === 1 ? i32 : scalar(kind), "argument", span, `argument ${i + 1}`),
  );
  if (!converted.every((e) => e !== undefined)) return undefined;
  // The library's function has overloads: the conversion stays where the argument is of another type.
  const args = converted.map((e) => exprValue(e.kind === "convert" ? { ...e, explicit: true } : e));
  return callBuiltin(s, called, args, [], span, span, false);
}

// ------------------------------------------------------------------ functions of integers

const ofWidth = /^__builtin_(bswap|bitreverse|rotateleft|rotateright)(8|16|32|64)$/;
/** By the end of the name. */
const signedKinds: Readonly<Record<string, ScalarKind>> = { "": "i32", l: "i64", ll: "i64" };
const ofSigned = /^__builtin_(?:(ffs|clrsb)(l|ll)?|(abs|labs|llabs)|(parity)(l|ll)?)$/;

function ofIntegers(s: Sema, name: string, values: readonly Value[], span: Span): Value | undefined | "none" {
  const shaped = ofWidth.exec(name);
  const signed = ofSigned.exec(name);
  const count = shaped?.[1]!.startsWith("rotate") ? 2 : 1;
  if ((!shaped && !signed) || values.length !== count) return "none";
  const [called, kind] = shaped ? ([shaped[1]!, `u${shaped[2]!}`] as const) : signedCall(signed!);
  const type = scalar(kind as ScalarKind);
  const args = values.map((v) => convertTo(s, v, type, "argument", span, `the argument of '${name}'`));
  if (!args.every((a) => a !== undefined)) return undefined;
  const [x, by] = args;
  const first: Expr[] = [];
  const once = (e: Expr): Expr => (s.fn && !isSimple(e) ? kept(s, e, first, span) : e);
  const made = (e: Expr): Value => exprValue(after(first, e, span));
  const zero = constantOf(type, 0, span);
  switch (called) {
    case "bswap":
      return made(swapped(once(x!), bitWidth(kind as ScalarKind), span));
    case "bitreverse":
      return made(opCall("bits.reverse", [x!], type, span));
    case "rotateleft":
      return made(opCall("bits.rotate", [x!, by!], type, span));
    case "rotateright":
      return made(opCall("bits.rotate", [x!, binary("sub", zero, by!, span)], type, span));
    case "parity":
      return made(
        binary("and", convert(opCall("bits.bit_count", [x!], type, span), i32), literal("i32", 1, span), span),
      );
    case "abs": {
      const v = once(x!);
      return made(conditional(binary("lt", v, zero, span), unary("negate", v, span), v, span));
    }
    case "ffs": {
      // One more than the place of the lowest bit; 0 of 0.
      const v = once(x!);
      const place = convert(opCall("bits.ctz", [v], type, span), i32);
      return made(
        conditional(
          binary("eq", v, zero, span),
          literal("i32", 0, span),
          binary("add", place, literal("i32", 1, span), span),
          span,
        ),
      );
    }
    default: {
      // Bits below the sign that are like it.
      const v = once(x!);
      const sign = binary("shr", v, literal("i32", bitWidth(kind as ScalarKind) - 1, span), span);
      const same = convert(opCall("bits.clz", [binary("xor", v, sign, span)], type, span), i32);
      return made(binary("sub", same, literal("i32", 1, span), span));
    }
  }
}

function signedCall([, counted, size, absolute, parity, paritySize]: RegExpExecArray): readonly [string, ScalarKind] {
  if (parity) return [parity, kinds[paritySize ?? ""]!];
  return absolute ? ["abs", absolute === "abs" ? "i32" : "i64"] : [counted!, signedKinds[size ?? ""]!];
}

const isSimple = (e: Expr): boolean => e.kind === "literal" || (e.kind === "load" && e.place.kind === "variable");

/** The bytes in the other order. */
function swapped(x: Expr, width: number, span: Span): Expr {
  const n = (value: number): Expr => literal("u32", value, span);
  const bin = (operator: BinaryOperator, a: Expr, b: Expr): Expr => binary(operator, a, b, span);
  if (width === 16) {
    const wide = convert(x, u32);
    return convert(bin("or", bin("shl", wide, n(8)), bin("shr", wide, n(8))), scalar("u16"));
  }
  if (width === 64) {
    const [low, high] = [convert(x, u32), convert(bin("shr", x, n(32)), u32)];
    const [first, last] = [swapped(low, 32, span), swapped(high, 32, span)].map((e) => convert(e, scalar("u64")));
    return bin("or", bin("shl", first!, n(32)), last!);
  }
  const middle = bin("or", bin("and", bin("shl", x, n(8)), n(0xff0000)), bin("and", bin("shr", x, n(8)), n(0xff00)));
  return bin("or", bin("or", bin("shl", x, n(24)), bin("shr", x, n(24))), middle);
}
