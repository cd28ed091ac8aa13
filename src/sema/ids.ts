/** Work-item ids: GLSL variables, OpenCL and HLSL functions. MSL attributes and HLSL semantics belong to the entries. */
import { builtin, convert, literal, swizzleValue } from "../ast/builders.js";
import type { BuiltinId, Expr } from "../ast/nodes.js";
import { idOfHlslFunction, idOfOpenclFunction, idRow, isVectorId } from "../ops/ids.js";
import { predeclaredVariable } from "../ops/variables.js";
import type { Span } from "../support/span.js";
import { evaluate } from "./constants.js";
import { error, exprValue, notYet, type Sema, type Value } from "./context.js";
import { read } from "./convert.js";
import { sizeType } from "./type-names.js";

/** Names the dialect gives a value without a call. */
export function idValue(s: Sema, name: string, span: Span): Value | undefined {
  const found = predeclaredVariable(s.dialect, name);
  return found && { ...exprValue(found.build(span)), readOnly: `'${name}' is an input` };
}

/** Functions that give ids; "none" where the name is none. */
export function idCall(s: Sema, name: string, args: readonly Value[], span: Span): Value | undefined | "none" {
  const id =
    s.dialect === "opencl" ? idOfOpenclFunction(name) : s.dialect === "hlsl" ? idOfHlslFunction(name) : undefined;
  if (!id) return "none";
  const opencl = s.dialect === "opencl" ? idRow(id).opencl : undefined;
  if (!opencl?.dimension) {
    if (args.length > 0) return error(s, "XL2005", `${name} takes no arguments`, span);
    return exprValue(opencl?.size ? convert(builtin(id, span), sizeType, false, span) : builtin(id, span));
  }
  if (args.length !== 1) return error(s, "XL2005", `${name} takes one argument, the dimension`, span);
  const e = read(s, args[0]!, span);
  if (!e) return undefined;
  const dimension = evaluate(s, e);
  if (typeof dimension !== "bigint") {
    if (typeof dimension === "number") return error(s, "XL2003", `the dimension of ${name} must be an integer`, span);
    return notYet(s, `${name} with a dimension that is not constant is`, span);
  }
  if (dimension < 0n || dimension > 2n)
    return exprValue({ ...literal("u64", opencl.dimension.outside, span), type: sizeType });
  return exprValue(convert(component(id, Number(dimension), span), sizeType, false, span));
}

/** Component `n` of an id (the id itself where it is a scalar). */
export function component(id: BuiltinId, n: number, span: Span): Expr {
  const whole = builtin(id, span);
  return isVectorId(id) ? swizzleValue(whole, [n], span) : whole;
}
