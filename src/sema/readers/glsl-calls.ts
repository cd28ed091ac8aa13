/** Calls of GLSL's library that are no rows of the table: GL_EXT_integer_dot_product, GL_EXT_nonuniform_qualifier. */
import { assign, convert, load } from "../../ast/builders.js";
import { componentCount, isInteger, scalarOf, shaped } from "../../types/types.js";
import { writablePlace } from "../assignments.js";
import { callBuiltin } from "../builtin-calls.js";
import { after, emptyLocal, error, exprValue, heldPlace, kept, type Sema, type Value } from "../context.js";
import { addedTo, dotOfIntegers } from "../integer-dots.js";
import type { LibraryCall } from "./reader.js";

export function glslCall(s: Sema, call: LibraryCall): Value | undefined | "none" {
  const [only, ...more] = call.values;
  // The index is compared with the numbers of all buffers (block-arrays.ts), whether lanes agree on it or not.
  if (call.name === "nonuniformEXT" && only && more.length === 0) return only;
  if (call.name === "frexp" && more.length === 1 && scalarOf(more[0]!.type) === "i16") return narrowExponent(s, call);
  return integerDot(s, call);
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
