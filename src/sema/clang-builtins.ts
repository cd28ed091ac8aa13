/** Functions of clang's own that kernels of OpenCL C and MSL call (Clang's and GCC's manuals, "Built-in Functions"). */
import { convert, opCall, returnStatement } from "../ast/builders.js";
import type { OpId } from "../ast/op-ids.js";
import { isPure } from "../ast/walk.js";
import type { Span } from "../support/span.js";
import { i32, scalar, type ScalarKind } from "../types/types.js";
import { zeroOf } from "./construct.js";
import { after, exprValue, held, type Sema, type Value } from "./context.js";
import { convertTo } from "./convert.js";

/** By the end of the name; `int` behind none. */
const kinds: Readonly<Record<string, ScalarKind>> = { "": "u32", s: "u16", l: "u64", ll: "u64" };
/** Of 0 the first two have no value. */
const bits: Readonly<Record<string, OpId>> = { clz: "bits.clz", ctz: "bits.ctz", popcount: "bits.popcount" };
const ofBits = /^__builtin_(?:(clz|ctz)(s|l|ll)?|(popcount)(l|ll)?)$/;

export const clangCall = (s: Sema, name: string, values: readonly Value[], span: Span): Value | undefined | "none" =>
  name.startsWith("__builtin_") ? builtinCall(s, name, values, span) : "none";

function builtinCall(s: Sema, name: string, values: readonly Value[], span: Span): Value | undefined | "none" {
  // Its argument is not evaluated.
  if (name === "__builtin_assume" && values.length === 1) return { type: { kind: "void" }, statements: [] };
  if (name === "__builtin_unreachable" && values.length === 0) return neverReached(s, span);
  const [only] = values;
  const is = ofBits.exec(name);
  if (is && only && values.length === 1) {
    const [, counted, size, population, populationSize] = is;
    const type = scalar(kinds[size ?? populationSize ?? ""]!);
    const x = convertTo(s, only, type, "argument", span, `the argument of '${name}'`);
    // int __builtin_ctz(unsigned int)
    return x && exprValue(convert(opCall(bits[(counted ?? population)!]!, [x], type, span), i32));
  }
  const expects = name === "__builtin_expect" ? 2 : name === "__builtin_expect_with_probability" ? 3 : undefined;
  if (values.length !== expects) return "none";
  // long __builtin_expect(long, long): advice, of which the values are all that is kept.
  const [value, likely] = values.slice(0, 2).map((v) => convertTo(s, v, scalar("i64"), "argument", span, "the value"));
  if (!value || !likely || isPure(likely)) return value && likely && exprValue(value);
  // It is an argument like any other.
  const { first, values: own } = held(s, [value], span);
  return exprValue(after([...first, likely], own[0]!, span));
}

/** A function with a value ends there with any. */
function neverReached(s: Sema, span: Span): Value {
  const result = s.fn && s.fn.info.returnType.kind !== "void" ? zeroOf(s, s.fn.info.returnType, span) : undefined;
  return { type: { kind: "void" }, statements: result ? [returnStatement(result, span)] : [] };
}
