/**
 * MSL's matrices that the lanes of a SIMD-group hold together: `simdgroup_matrix<T, 8, 8>` and the functions of
 * metal_simdgroup_matrix (MSL 3.1 sections 2.4 and 6.7). A matrix is a struct, a function one of the module with the body that
 * src/ops/subgroup-matrices.ts gives it.
 */
import { block, literal, literalValue, member, swizzleValue, u32Literal } from "../ast/builders.js";
import { assumed as assumedTexts } from "../ast/assumed.js";
import { noTrivia, type Expr, type ParameterMode, type SubgroupMatrixFunction, type Variable } from "../ast/nodes.js";
import {
  heldBy,
  matrixFunction,
  matrixMember,
  matrixName,
  saysMatrixFunction,
  type MatrixOperands,
} from "../ops/subgroup-matrices.js";
import { noSpan, type Span } from "../support/span.js";
import {
  array,
  bitWidth,
  bool,
  isInteger,
  isSigned,
  sameType,
  u32,
  scalar,
  scalarOf,
  vector,
  voidType,
  type ScalarKind,
  type ScalarType,
  type StructType,
  type Type,
} from "../types/types.js";
import { callFunction } from "./calls.js";
import {
  error,
  exprValue,
  newVariable,
  notYet,
  shown,
  type FunctionInfo,
  type ParameterInfo,
  type Sema,
  type Value,
} from "./context.js";
import { kept, after } from "./held-values.js";
import { convertTo, read } from "./convert.js";
import { evaluate } from "./constants.js";
import type { LibraryCall } from "./readers/reader.js";

/** What is not known when a file is read: subgroups of any width. */
const anyLanes = { least: 1 } as const;

const kinds: Readonly<Record<string, ScalarKind>> = {
  simdgroup_half8x8: "f16",
  simdgroup_bfloat8x8: "bf16",
  simdgroup_float8x8: "f32",
};

/** The matrix that is named so. */
export function matrixNamed(s: Sema, name: string, span: Span): Type | undefined {
  const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  return kind && matrixOf(s, kind, span);
}

/** `simdgroup_matrix<T, 8, 8>`; the rows may be left out, as in Metal's header. */
export function matrixTemplate(s: Sema, args: readonly (Type | number)[], span: Span): StructType | undefined {
  const [element, columns, rows = columns, ...more] = args;
  const kind = typeof element === "object" && element.kind === "scalar" ? element.scalar : undefined;
  const fits = kind !== undefined && ["f16", "bf16", "f32"].includes(kind) && columns === 8 && rows === 8;
  if (fits && more.length === 0) return matrixOf(s, kind, span);
  return undefined;
}

function matrixOf(s: Sema, kind: ScalarKind, span: Span): StructType {
  const name = matrixName(kind);
  if (!s.structs.get(name)?.subgroupMatrix) {
    const type = array(scalar(kind), heldBy(anyLanes.least));
    const members = [{ name: matrixMember, type, trivia: noTrivia, span: noSpan }];
    s.structs.set(name, { name, members, subgroupMatrix: true, span, trivia: noTrivia, innerComments: [] });
    s.order.push({ kind: "struct", name });
  }
  return { kind: "struct", name };
}

/** The kind of the elements, where the type is such a matrix. */
export function matrixKind(s: Sema, type: Type): ScalarKind | undefined {
  const declared = type.kind === "struct" ? s.structs.get(type.name) : undefined;
  const of = declared?.subgroupMatrix ? declared.members[0]!.type : undefined;
  return of?.kind === "array" ? scalarOf(of.element) : undefined;
}

/** Whether such a matrix is in a value of the type. */
export const holdsMatrix = (s: Sema, type: Type): boolean =>
  type.kind === "array"
    ? holdsMatrix(s, type.element)
    : type.kind === "struct" &&
      (matrixKind(s, type) !== undefined ||
        (s.structs.get(type.name)?.members.some((m) => holdsMatrix(s, m.type)) ?? false));

/**
 * `m.thread_elements()`: what a lane of 32 has of the matrix, two elements, as a vector that can be written. The specification
 * leaves open which they are; those are meant that Apple's GPUs give it (docs/design/subgroup-matrices.md), and subgroups of 32.
 */
export function laneElements(s: Sema, base: Value, count: number, span: Span): Value | undefined {
  if (count > 0) return error(s, "XL2005", `thread_elements takes no arguments, not ${count}`, span);
  if (!s.fn) return notYet(s, "thread_elements() outside of a function is", span);
  if (!base.place) return notYet(s, "thread_elements() of what is no variable is", span, "store it in one");
  s.fn.info.takesElements = true;
  const noted = s.fixed.find((f) => f.kind === "matrix-elements");
  if (noted) s.fixed[s.fixed.indexOf(noted)] = { ...noted, spans: [...noted.spans, span] };
  else s.fixed.push({ kind: "matrix-elements", message: assumedTexts["matrix-elements"], spans: [span] });
  const kind = matrixKind(s, base.type)!;
  const elements = array(scalar(kind), heldBy(anyLanes.least));
  return {
    type: vector(kind, 2),
    firstOf: member(base.place, matrixMember, elements, span),
    ...(base.readOnly === undefined ? {} : { readOnly: base.readOnly }),
  };
}

/** Lanes of a subgroup that have two elements each. */
export const elementsWidth = 32;

// ------------------------------------------------------------------ calls

/** `simdgroup_float8x8(x)`: a diagonal. */
export function diagonalMatrix(s: Sema, type: StructType, args: readonly Value[], span: Span): Value | undefined {
  const kind = matrixKind(s, type)!;
  const [only] = args;
  if (args.length !== 1) return notYet(s, `a ${type.name} made of ${args.length} values is`, span);
  if (sameType(only!.type, type)) {
    const e = read(s, only!, span);
    return e && exprValue(e);
  }
  const f = declared(s, { operation: "diagonal" }, type.name, [value("value", scalar(kind))], [kind], type);
  return callFunction(s, f, [only!], span);
}

/** "none" where the name is none of these functions. */
export function matrixCall(s: Sema, call: LibraryCall): Value | undefined | "none" {
  switch (call.name) {
    case filledName:
      return filled(s, call);
    case "simdgroup_load":
    case "simdgroup_store":
      return moved(s, call, call.name === "simdgroup_load" ? "load" : "store");
    case "simdgroup_multiply":
      return multiplied(s, call, "multiply", 3);
    case "simdgroup_multiply_accumulate":
      return multiplied(s, call, "multiply-accumulate", 4);
    default:
      return "none";
  }
}

function filled(s: Sema, { name, values, templates, span, nameSpan }: LibraryCall): Value | undefined {
  const type = matrixTemplate(s, templates, nameSpan);
  if (!type)
    return error(s, "XL2013", "a simdgroup_matrix has 8 columns and 8 rows of half, bfloat or float", nameSpan);
  if (values.length !== 1) return error(s, "XL2005", `${name} takes one value, not ${values.length}`, span);
  return callFunction(s, filling(s, type), values, span);
}

const filledName = "make_filled_simdgroup_matrix";

function filling(s: Sema, type: StructType): FunctionInfo {
  const kind = matrixKind(s, type)!;
  return declared(s, { operation: "fill" }, filledName, [value("value", scalar(kind))], [kind], type);
}

/** Its constructor is defaulted in Metal's header, so that a list that has none for it makes it zero (C++14 8.5 (8)). */
export function zeroMatrix(s: Sema, type: StructType, span: Span): Expr | undefined {
  if (!s.fn) return undefined;
  const zero = exprValue(literal(matrixKind(s, type)!, 0, span));
  return callFunction(s, filling(s, type), [zero], span)?.expr;
}

function multiplied(
  s: Sema,
  { name, values, span }: LibraryCall,
  operation: "multiply" | "multiply-accumulate",
  count: number,
): Value | undefined {
  const elements = values.map((v) => matrixKind(s, v.type));
  if (values.length !== count || !elements.every((k) => k !== undefined))
    return error(s, "XL2005", `${name} takes ${count} simdgroup matrices`, span);
  const parameters = values.map((v, i) => (i === 0 ? result(v.type) : value("dabc"[i]!, v.type)));
  return callFunction(s, declared(s, { operation }, name, parameters, elements, voidType), values, span);
}

/**
 * `a * b`, of the type of `a`: an operator of metal_simdgroup_matrix that the specification leaves out, and the only one there. "none" where the
 * operands are no such matrices.
 */
export function matrixProduct(s: Sema, sign: string, [a, b]: readonly Value[], span: Span): Value | undefined | "none" {
  const [left, right] = [a && matrixKind(s, a.type), b && matrixKind(s, b.type)];
  if (sign !== "*" || !a || !b || !left || !right) return "none";
  const parameters = [value("a", a.type), value("b", b.type)];
  const f = declared(s, { operation: "product" }, productName, parameters, [left, right], a.type);
  return callFunction(s, f, [a, b], span);
}

/** Of the function, where the product is plain code. */
const productName = "simdgroup_product";

/** `(matrix, pointer, elements_per_row = 8, matrix_origin = 0, transpose_matrix = false)` */
function moved(s: Sema, call: LibraryCall, operation: "load" | "store"): Value | undefined {
  const { name, values, span } = call;
  const [matrix, pointer, stride, origin, transpose] = values;
  const kind = matrix && matrixKind(s, matrix.type);
  if (!matrix || !pointer || kind === undefined || values.length > 5)
    return error(
      s,
      "XL2005",
      `${name} takes a simdgroup matrix, a pointer, and perhaps the elements of a row, an origin and whether to transpose`,
      span,
    );
  const p = read(s, pointer, span);
  if (!p) return undefined;
  const { type } = p;
  if (type.kind !== "pointer" || !sameType(type.pointee, scalar(kind)) || !isShared(type))
    return error(
      s,
      "XL2005",
      `${name} of ${matrixName(kind)} takes a pointer to ${shown(s, scalar(kind))} in device or threadgroup memory, not ${shown(s, type)}`,
      span,
    );
  if (operation === "store" && type.readOnly)
    return error(s, "XL2006", `${name} writes through a pointer to const`, span);
  const first: Expr[] = [];
  const row = stride ? counted(s, stride, span, "elements_per_row") : u32Literal(8, span);
  const at = origin ? corner(s, origin, first, span) : [u32Literal(0, span), u32Literal(0, span)];
  const turn = transpose
    ? convertTo(s, transpose, bool, "argument", span, "argument 5 ('transpose_matrix')")
    : literal("bool", false, span);
  if (!row || !at || !turn) return undefined;
  const transposed = evaluate(s, turn);
  const hasOrigin = at.some((e) => literalValue(e) !== 0);
  const f: SubgroupMatrixFunction = {
    operation,
    origin: hasOrigin,
    transposed: typeof transposed === "boolean" ? transposed : "given",
  };
  const given = [
    exprValue(p),
    ...[row, ...(hasOrigin ? at : []), ...(f.transposed === "given" ? [turn] : [])].map(exprValue),
  ];
  const names = ["elements_per_row", ...(hasOrigin ? ["origin_column", "origin_row"] : []), "transpose"];
  const parameters = [
    operation === "load" ? result(matrix.type) : value("a", matrix.type),
    { ...value(operation === "load" ? "src" : "dst", type), space: type.space },
    ...given.slice(1).map((v, i) => value(names[i]!, v.type)),
  ];
  const made = callFunction(s, declared(s, f, name, parameters, [kind], voidType), [matrix, ...given], span);
  return made?.expr && first.length > 0 ? { ...made, expr: after(first, made.expr, span) } : made;
}

const isShared = ({ space }: { readonly space: string }): boolean => space === "global" || space === "workgroup";

/** A number of elements, in the type it was computed in: it becomes a ulong in MSL, which changes no value that is meant. */
function counted(s: Sema, v: Value, span: Span, what: string): Expr | undefined {
  const e = read(s, v, span);
  if (!e) return undefined;
  if (e.type.kind !== "scalar" || !isInteger(e.type.scalar)) {
    const converted = convertTo(s, v, scalar("u64"), "argument", span, what);
    return converted && narrow(s, converted, span);
  }
  return narrow(s, e, span);
}

function narrow(s: Sema, e: Expr, span: Span): Expr {
  if (sameType(e.type, u32)) return e;
  const known = evaluate(s, e);
  if (typeof known !== "boolean" && known !== undefined && known >= 0 && known < 2 ** 32)
    return u32Literal(Number(known), span);
  const { scalar: kind } = e.type as ScalarType;
  if (e.kind === "convert" && isCount(e.operand.type) && keepsPlaces(e.operand.type.scalar, kind))
    return narrow(s, e.operand, span);
  if (bitWidth(kind) >= 32) return e;
  return { kind: "convert", operand: e, type: scalar(isSigned(kind) ? "i32" : "u32"), explicit: false, span };
}

/** A conversion to 64 bits of what has fewer: places that are computed in the narrower type are the same. `uchar(n)` is another number. */
const keepsPlaces = (from: ScalarKind, to: ScalarKind): boolean => bitWidth(from) <= 32 && bitWidth(to) === 64;

const isCount = (type: Type): type is ScalarType => type.kind === "scalar" && isInteger(type.scalar);

/** Column and row of the origin. */
function corner(s: Sema, v: Value, first: Expr[], span: Span): readonly [Expr, Expr] | undefined {
  const e = convertTo(s, v, vector("u64", 2), "argument", span, "argument 4 ('matrix_origin')");
  if (!e) return undefined;
  if (e.kind === "splat") {
    const both = narrow(s, literalValue(e.operand) === undefined ? kept(s, e.operand, first, span) : e.operand, span);
    return [both, both];
  }
  if (e.kind === "construct" && e.arguments.length === 2) {
    const [x, y] = e.arguments.map((a) => narrow(s, a, span));
    return [x!, y!];
  }
  const whole = kept(s, e, first, span);
  return [swizzleValue(whole, [0], span), swizzleValue(whole, [1], span)];
}

// ------------------------------------------------------------------ declarations

const parameter = (name: string, type: Type, mode: ParameterMode): ParameterInfo => ({
  name,
  type,
  mode,
  space: "private",
  constant: false,
  volatile: false,
  restrict: false,
  span: noSpan,
});
const value = (name: string, type: Type): ParameterInfo => parameter(name, type, "value");
const result = (type: Type): ParameterInfo => parameter("d", type, "ref");

/** The function with these parameters, declared where it is called first. */
function declared(
  s: Sema,
  library: SubgroupMatrixFunction,
  name: string,
  parameters: readonly ParameterInfo[],
  elements: readonly ScalarKind[],
  returnType: Type,
): FunctionInfo {
  const key = JSON.stringify(library);
  const known = s.functions.find(
    (f) =>
      f.declaration?.library !== undefined &&
      JSON.stringify(f.declaration.library) === key &&
      sameType(f.returnType, returnType) &&
      f.parameters.length === parameters.length &&
      f.parameters.every((p, i) => sameType(p.type, parameters[i]!.type) && isSameAccess(p.type, parameters[i]!.type)),
  );
  if (known) return known;
  const variables = parameters.map((p): Variable =>
    newVariable(s, {
      name: p.name,
      type: p.type,
      space: "private",
      role: "parameter",
      constant: false,
      mode: p.mode,
      span: noSpan,
    }),
  );
  const local = (wanted: string, type: Type): Variable =>
    newVariable(s, { name: wanted, type, space: "private", role: "local", constant: false, span: noSpan });
  const id = s.functions.length;
  const info: FunctionInfo = {
    id,
    name,
    parameters,
    returnType,
    span: noSpan,
    defined: true,
    calls: new Map(),
    declaration: {
      id,
      name,
      parameters: variables.map((v) => v.id),
      returnType,
      body: block(matrixFunction(library, operandsOf(library, variables, elements, returnType), anyLanes, local)),
      isEntry: false,
      library,
      emulates: saysMatrixFunction(library),
      span: noSpan,
      nameSpan: noSpan,
      trivia: noTrivia,
    },
  };
  s.functions.push(info);
  s.order.push({ kind: "function", function: id });
  return info;
}

/** A matrix that is made is returned, or the first parameter. */
function operandsOf(
  { operation }: SubgroupMatrixFunction,
  parameters: readonly Variable[],
  kinds: readonly ScalarKind[],
  returnType: Type,
): MatrixOperands {
  if (operation === "store") return { operands: parameters, kinds };
  const [kind, ...more] = kinds;
  if (returnType.kind !== "void") return { operands: parameters, kinds, result: { type: returnType, kind: kind! } };
  const [into, ...operands] = parameters;
  return { operands, kinds: more, result: { type: into!.type, kind: kind!, into: into! } };
}

const isSameAccess = (a: Type, b: Type): boolean =>
  a.kind !== "pointer" || b.kind !== "pointer" || (a.readOnly ?? false) === (b.readOnly ?? false);
