/** Calls of OpenCL C's library that are no rows of the table: ids by functions, and functions that come down to others. */
import {
  assign,
  binary,
  conditional,
  bitcast,
  builtin,
  constantOf,
  construct,
  convert,
  deref,
  literal,
  opCall,
  swizzleValue,
} from "../../ast/builders.js";
import type { BuiltinId, Expr } from "../../ast/nodes.js";
import { sizeType } from "../../dialects/type-names.js";
import { idOfOpenclFunction, idRow, isVectorId } from "../../ops/ids.js";
import type { Span } from "../../support/span.js";
import {
  bitWidth,
  componentCount,
  isInteger,
  isSigned,
  scalar,
  scalarOf,
  shaped,
  type ScalarKind,
  type Type,
  u32,
} from "../../types/types.js";
import { callBuiltin } from "../builtin-calls.js";
import { clangCall } from "../clang-builtins.js";
import { evaluate } from "../constants.js";
import { type Sema, type Value, error, exprValue } from "../context.js";
import { after, held } from "../held-values.js";
import { convertTo, read } from "../convert.js";
import { addedTo, dotOfIntegers } from "../integer-dots.js";
import { intelSubgroupCall } from "./opencl-intel.js";
import type { LibraryCall } from "./reader.js";

const of24Bits = new Set(["mul24", "mad24"]);

/** Functions of OpenCL C that come down to others: extension atomics, `cross` of four components, `mul24` of sizes. */
export function openclCall(s: Sema, { name, values, span, nameSpan, quiet }: LibraryCall): Value | undefined | "none" {
  const flag = flagCall(s, name, values, { span, nameSpan, quiet });
  if (flag !== "none") return flag;
  if (name === "cross" && values.length === 2 && values.every((v) => componentCount(v.type) === 4)) {
    const parts = values.map((v) => read(s, v, span));
    if (!parts.every((p) => p !== undefined)) return undefined;
    const three = parts.map((p) => exprValue(swizzleValue(p, [0, 1, 2], span)));
    const made = callBuiltin(s, name, three, [], span, nameSpan, quiet);
    if (made === "none" || !made?.expr) return made;
    const kind = scalarOf(values[0]!.type)!;
    return exprValue(construct(shaped(kind, 4), [made.expr, literal(kind, 0, span)], span));
  }
  // OpenCL C 3.0 6.15.6: of a scalar, whether its top bit is set.
  if ((name === "any" || name === "all") && values.length === 1 && isSignedScalar(values[0]!.type)) {
    const e = read(s, values[0]!, span);
    return e && exprValue(convert(binary("lt", e, constantOf(e.type, 0, span), span), scalar("i32"), false, span));
  }
  // Where size_t is 64 bits wide neither overload is better; sizes are 32 bits wide here.
  if (of24Bits.has(name) && values.every((v) => v.type.kind === "scalar" && v.type.size)) {
    const narrow = values.map((v) => {
      const e = read(s, v, span);
      return e && exprValue({ kind: "convert", operand: e, type: scalar("u32"), explicit: false, span });
    });
    if (!narrow.every((v) => v !== undefined)) return undefined;
    return callBuiltin(s, name, narrow, [], span, nameSpan, quiet);
  }
  // OpenCL C 3.0 6.15.13: a vector of three has the size of four. What it is asked of is not evaluated.
  if (name === "vec_step" && values.length === 1) {
    const count = componentCount(values[0]!.type);
    if (count !== undefined) return exprValue(literal("i32", count === 3 ? 4 : count, span));
  }
  const product = integerDot(s, { name, values, span, nameSpan, quiet });
  if (product !== "none") return product;
  if (name.startsWith("intel_sub_group_")) {
    const ofSubgroup = intelSubgroupCall(s, { name, values, span });
    if (ofSubgroup !== "none") return ofSubgroup;
  }
  const field = bitField(s, name, values, span);
  if (field !== "none") return field;
  const own = clangCall(s, name, values, span);
  return own === "none" ? idCall(s, name, values, span) : own;
}

/** cl_khr_integer_dot_product, and cl_arm_integer_dot_product: what adds to a sum is a product and a sum. */
function integerDot(s: Sema, call: Omit<LibraryCall, "templates">): Value | undefined | "none" {
  const { name, values, span, nameSpan, quiet } = call;
  const packed = /^dot_acc_sat_(4x8packed_(?:uu|ss|us|su)_u?int)$/.exec(name);
  if (packed && values.length === 3) {
    const made = callBuiltin(s, `dot_${packed[1]!}`, values.slice(0, 2), [], span, nameSpan, quiet);
    return made === "none" || !made?.expr ? made : addedTo(s, made.expr, values[2]!, true, span);
  }
  const is = /^(dot|arm_dot)(_acc)?(_sat)?$/.exec(name);
  if (!is || (is[1] === "dot" && Boolean(is[2]) !== Boolean(is[3]))) return "none";
  const areBytes = values.slice(0, 2).every(({ type: t }) => t.kind === "vector" && t.size === 4 && isByte(t.scalar));
  if (!areBytes || values.length !== (is[2] ? 3 : 2)) return "none";
  return dotOfIntegers(s, values, Boolean(is[3]), span);
}
const isByte = (kind: ScalarKind): boolean => isInteger(kind) && bitWidth(kind) === 8;

/** cl_khr_extended_bit_ops: the result has the sign the name says, whatever the base has. */
function bitField(s: Sema, name: string, values: readonly Value[], span: Span): Value | undefined | "none" {
  const is = /^bitfield_extract_(signed|unsigned)$/.exec(name);
  const kind = values[0] && scalarOf(values[0].type);
  if (!is || values.length !== 3 || !kind || !isInteger(kind)) return "none";
  const [base, offset, count] = values.map((v, i) =>
    i === 0 ? read(s, v, span) : convertTo(s, v, scalar("u32"), "argument", span, `argument ${i + 1} of '${name}'`),
  );
  if (!base || !offset || !count) return undefined;
  const signed = `${is[1] === "signed" ? "i" : "u"}${bitWidth(kind)}` as ScalarKind;
  const type = shaped(signed, componentCount(base.type)!);
  return exprValue(opCall("bits.extract", [bitcast(base, type, span), offset, count], type, span));
}

/** OpenCL C 3.0 6.15.12.6: flags are objects that are exchanged, and an object is made by a plain store (`atomic_init`). */
function flagCall(
  s: Sema,
  name: string,
  values: readonly Value[],
  { span, nameSpan, quiet }: Pick<LibraryCall, "span" | "nameSpan" | "quiet">,
): Value | undefined | "none" {
  const is = /^atomic_(init|flag_test_and_set|flag_clear)(_explicit)?$/.exec(name);
  const [object, ...words] = values;
  if (!is || !object) return "none";
  if (is[1] === "init") {
    if (values.length !== 2 || object.type.kind !== "pointer") return "none";
    const p = read(s, object, span);
    const kind = scalarOf(object.type.pointee);
    if (!kind) return "none";
    const value = p && convertTo(s, values[1]!, scalar(kind), "argument", span, "argument 2 of 'atomic_init'");
    // No access of an atomic object: a plain store.
    return p && value && { type: { kind: "void" }, expr: assign({ ...deref(p, span), type: value.type }, value, span) };
  }
  const number = exprValue(literal("i32", is[1] === "flag_clear" ? 0 : 1, span));
  const as = is[1] === "flag_clear" ? "atomic_store" : "atomic_exchange";
  const made = callBuiltin(s, `${as}${is[2] ?? ""}`, [object, number, ...words], [], span, nameSpan, quiet);
  if (made === "none" || !made?.expr || as === "atomic_store") return made;
  return exprValue(binary("ne", made.expr, literal("i32", 0, span), span));
}

const isSignedScalar = (type: Type): boolean =>
  type.kind === "scalar" && isInteger(type.scalar) && isSigned(type.scalar);

/** Functions that give ids; "none" where the name is none. */
function idCall(s: Sema, name: string, args: readonly Value[], span: Span): Value | undefined | "none" {
  const id = idOfOpenclFunction(name);
  if (!id) return "none";
  const form = idRow(id).opencl!;
  if (!form.dimension) {
    if (args.length > 0) return error(s, "XL2005", `${name} takes no arguments`, span);
    return exprValue(form.size ? convert(builtin(id, span), sizeType, false, span) : builtin(id, span));
  }
  if (args.length !== 1) return error(s, "XL2005", `${name} takes one argument, the dimension`, span);
  const e = read(s, args[0]!, span);
  if (!e) return undefined;
  const dimension = evaluate(s, e);
  if (typeof dimension !== "bigint") {
    if (typeof dimension === "number") return error(s, "XL2003", `the dimension of ${name} must be an integer`, span);
    return inDimension(s, id, exprValue(e), form.dimension.outside, span);
  }
  if (dimension < 0n || dimension > 2n)
    return exprValue({ ...literal("u64", form.dimension.outside, span), type: sizeType });
  return exprValue(convert(component(id, Number(dimension), span), sizeType, false, span));
}

/** The component that is chosen at run time; what is beyond the third is what there is outside. */
function inDimension(s: Sema, id: BuiltinId, given: Value, outside: number, span: Span): Value | undefined {
  const dimension = convertTo(s, given, u32, "argument", span, "the dimension");
  if (!dimension) return undefined;
  const { first, values } = held(s, [dimension], span);
  const chosen = [0, 1, 2].reduceRight<Expr>(
    (rest, n) => {
      const value = convert(component(id, n, span), sizeType, false, span);
      return conditional(binary("eq", values[0]!, literal("u32", n, span), span), value, rest, span);
    },
    { ...literal("u64", outside, span), type: sizeType },
  );
  return exprValue(after(first, chosen, span));
}

/** Component `n` of an id (the id itself where it is a scalar). */
function component(id: BuiltinId, n: number, span: Span): Expr {
  const whole = builtin(id, span);
  return isVectorId(id) ? swizzleValue(whole, [n], span) : whole;
}
