/** Calls of GLSL's library that are no rows of the table: GL_EXT_integer_dot_product, GL_EXT_nonuniform_qualifier. */
import { isInteger } from "../../types/types.js";
import { callBuiltin } from "../calls.js";
import { error, type Sema, type Value } from "../context.js";
import { addedTo, dotOfIntegers } from "../integer-dots.js";
import type { LibraryCall } from "./reader.js";

export function glslCall(s: Sema, call: LibraryCall): Value | undefined | "none" {
  const [only, ...more] = call.values;
  // The index is compared with the numbers of all buffers (block-arrays.ts), whether lanes agree on it or not.
  if (call.name === "nonuniformEXT" && only && more.length === 0) return only;
  return integerDot(s, call);
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
