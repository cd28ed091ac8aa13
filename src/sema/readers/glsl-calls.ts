/** Calls of GLSL's library that are no rows of the table: atomic counters, GL_EXT_integer_dot_product, GL_EXT_nonuniform_qualifier, GL_EXT_expect_assume. */
import { assign, binary, convert, expressionStatement, literal, load, opCall } from "../../ast/builders.js";
import type { Expr, Place } from "../../ast/nodes.js";
import { isPure } from "../../ast/walk.js";
import { implicitConversion } from "../../dialects/conversions.js";
import { componentCount, isCounter, isFloat, isInteger, scalar, scalarOf, shaped, u32 } from "../../types/types.js";
import { writablePlace } from "../assignments.js";
import { callBuiltin } from "../builtin-calls.js";
import { error, exprValue, type Sema, type Value, notYet, shown } from "../context.js";
import { after, emptyLocal, held, heldPlace, kept } from "../held-values.js";
import { convertTo } from "../convert.js";
import { addedTo, dotOfIntegers } from "../integer-dots.js";
import { convertStored, isStoredOnly } from "../stored-only.js";
import type { LibraryCall } from "./reader.js";

export function glslCall(s: Sema, call: LibraryCall): Value | undefined | "none" {
  const [only, ...more] = call.values;
  // The index is compared with the numbers of all buffers (block-arrays.ts), whether lanes agree on it or not.
  if (call.name === "nonuniformEXT" && only && more.length === 0) return only;
  if (call.name === "frexp" && more.length === 1 && scalarOf(more[0]!.type) === "i16") return narrowExponent(s, call);
  if (call.name === "assumeEXT" || call.name === "expectEXT") return advice(s, call);
  const stored = call.values.find((v) => isStoredOnly(s, v.type));
  if (stored && !isBitCast(call.name))
    return call.quiet ? "none" : notYet(s, `${call.name} of ${shown(s, stored.type)} is`, call.span, convertStored);
  const counted = counterCall(s, call);
  return counted === "none" ? integerDot(s, call) : counted;
}

/** GL_EXT_bfloat16 has those, and `dot`, whose precision it leaves open. */
const isBitCast = (name: string): boolean => name === "bfloat16BitsToIntEXT" || name === "bfloat16BitsToUintEXT";

/** GL_EXT_expect_assume: what compilers may take for granted, of which the values are all that is kept. */
function advice(s: Sema, { name, values, span, quiet }: LibraryCall): Value | undefined {
  const [value, likely] = values;
  if (name === "assumeEXT" && value && values.length === 1) {
    const holds = convertTo(s, value, scalar("bool"), "argument", span, "the assumption");
    return holds && { type: { kind: "void" }, statements: isPure(holds) ? [] : [expressionStatement(holds, span)] };
  }
  if (name === "expectEXT" && value && likely && values.length === 2) {
    const [a, b] = [scalarOf(value.type), scalarOf(likely.type)];
    const fits = a && b && !isFloat(a) && !isFloat(b);
    const type = [value.type, likely.type].find((t) =>
      values.every((v) => implicitConversion(s.form, v.type, t, "argument") !== undefined),
    );
    if (fits && type) {
      const [given, expected] = values.map((v) => convertTo(s, v, type, "argument", span, "the value"));
      if (!given || !expected || isPure(expected)) return given && expected && exprValue(given);
      const { first, values: own } = held(s, [given], span);
      return exprValue(after([...first, expected], own[0]!, span));
    }
  }
  const takes = name === "assumeEXT" ? "a bool" : "two integers or bools, or vectors of them, of one type";
  return quiet ? undefined : error(s, "XL2005", `${name} takes ${takes}`, span);
}

/** The other functions of counters are those of words that begin with `atomic` (GLSL 4.60 8.10; GL_ARB_shader_atomic_counter_ops). */
const ofWords: Readonly<Record<string, string>> = {
  Add: "atomicAdd",
  Min: "atomicMin",
  Max: "atomicMax",
  And: "atomicAnd",
  Or: "atomicOr",
  Xor: "atomicXor",
  Exchange: "atomicExchange",
  CompSwap: "atomicCompSwap",
};

/** Atomic counters of OpenGL: `atomicCounterIncrement` gives what was there, `atomicCounterDecrement` what is there then. */
function counterCall(s: Sema, call: LibraryCall): Value | undefined | "none" {
  const { name, values, span, nameSpan, quiet } = call;
  const is = /^atomicCounter(\w*?)(ARB)?$/.exec(name);
  const [counter, ...more] = values;
  if (!is || !(is[1]! in ofWords || ["", "Increment", "Decrement", "Subtract"].includes(is[1]!))) return "none";
  if (!counter?.place || !isCounter(counter.type))
    return quiet ? "none" : error(s, "XL2005", `the first argument of ${name} is an atomic counter`, span);
  const place: Place = { ...counter.place, type: u32 };
  const word = ofWords[is[1]!];
  if (word) return callBuiltin(s, word, [{ type: u32, place }, ...more], [], span, nameSpan, quiet);
  const subtracts = is[1] === "Subtract";
  if (more.length !== (subtracts ? 1 : 0))
    return quiet
      ? "none"
      : error(s, "XL2005", `${name} takes ${subtracts ? "a counter and a number" : "a counter"}`, span);
  const by = (op: "atomic.add" | "atomic.sub", n: Expr): Expr => opCall(op, [n], u32, span, { places: [place] });
  const one = literal("u32", 1, span);
  switch (is[1]) {
    case "Increment":
      return exprValue(by("atomic.add", one));
    case "Decrement":
      return exprValue(binary("sub", by("atomic.sub", one), one, span));
    case "Subtract": {
      const n = convertTo(s, more[0]!, u32, "argument", span, "the number");
      return n && exprValue(by("atomic.sub", n));
    }
    default:
      return exprValue(opCall("atomic.load", [], u32, span, { places: [place] }));
  }
}

/** `frexp` of halves, whose exponents have 16 bits (GL_EXT_shader_explicit_arithmetic_types_float16). */
function narrowExponent(s: Sema, { name, values, span, nameSpan, quiet }: LibraryCall): Value | undefined | "none" {
  const place = writablePlace(s, values[1]!, span, "passed to be written");
  if (!place || (place.type.kind !== "scalar" && place.type.kind !== "vector")) return undefined;
  const { first, place: exponent } = heldPlace(s, place, span);
  const type = shaped("i32", componentCount(place.type)!);
  const whole: Value = { type, place: emptyLocal(s, type, span) };
  const made = callBuiltin(s, name, [values[0]!, whole], [], span, nameSpan, quiet);
  if (made === "none" || !made?.expr) return made;
  const order = [...first];
  const fraction = kept(s, made.expr, order, span);
  order.push(assign(exponent, convert(load(whole.place!, span), place.type, false, span), span));
  return exprValue(after(order, fraction, span));
}

/** Of two vectors of integers of one width; what is added to comes third (`AccSat`). */
function integerDot(s: Sema, { name, values, span, nameSpan, quiet }: LibraryCall): Value | undefined | "none" {
  const is = /^dot(Packed4x8)?(AccSat)?EXT$/.exec(name);
  if (!is || (is[1] && !is[2])) return "none";
  if (is[1] && values.length === 3) {
    const made = callBuiltin(s, "dotPacked4x8EXT", values.slice(0, 2), [], span, nameSpan, quiet);
    return made === "none" || !made?.expr ? made : addedTo(s, made.expr, values[2]!, true, span);
  }
  const [x, y] = values.map((v) => v.type);
  const takes =
    values.length === (is[2] ? 3 : 2) &&
    x?.kind === "vector" &&
    y?.kind === "vector" &&
    x.size === y.size &&
    isInteger(x.scalar) &&
    x.scalar.slice(1) === y.scalar.slice(1);
  if (takes) return dotOfIntegers(s, values, is[2] !== undefined, span);
  if (quiet) return undefined;
  return error(
    s,
    "XL2005",
    `${name} takes two vectors of integers of one size and width${is[2] ? ", and a sum" : ""}`,
    span,
  );
}
