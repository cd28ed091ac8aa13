/** Calls of HLSL's library: those that come before functions of the source, and those that are no rows of the table. */
import { byColumns } from "../matrix-operators.js";
import { ofKind, reshaped } from "../matrix-shapes.js";
import { laterArities, refusalOf } from "../../ops/later.js";
import {
  assign,
  binary,
  builtin,
  construct,
  elementValue,
  literal,
  load,
  logical,
  opCall,
  swizzleValue,
} from "../../ast/builders.js";
import type { Expr, Place } from "../../ast/nodes.js";
import { isPure } from "../../ast/walk.js";
import { refusedBuiltin } from "../undeclared.js";
import type * as syntax from "../../ast/syntax.js";
import { combinedKind } from "../../dialects/conversions.js";
import { idOfHlslFunction } from "../../ops/ids.js";
import { isBuiltinName } from "../../ops/index.js";
import { kindOf } from "../../support/problem-kinds.js";
import { append } from "../../support/append.js";
import type { Span } from "../../support/span.js";
import {
  vector,
  type Type,
  bool,
  componentCount,
  enumerationOf,
  isAtLeast,
  isFloat,
  isInteger,
  sameType,
  scalar,
  scalarOf,
  shaped,
  shapedLike,
  asSingle,
  isSingle,
  withoutSingle,
} from "../../types/types.js";
import { writablePlace } from "../assignments.js";
import { builtinCall, callBuiltin, combinedInOrder } from "../builtin-calls.js";
import { type Sema, type Value, error, exprValue, notYet } from "../context.js";
import { after, emptyLocal, held, heldPlace, intoLocal, kept } from "../held-values.js";
import { convertTo, read } from "../convert.js";
import { conversion } from "../conversion.js";
import { product } from "../matrix-rows.js";
import { isOpen, showGiven } from "../open-literals.js";
import { isThin } from "../thin-matrices.js";
import { maskOf } from "../operators.js";
import { withoutHalf } from "../conditional-operator.js";
import { valuesInOrder } from "../order-matters.js";
import { asNamed } from "../minimum-precision.js";
import { checkMapped } from "./hlsl-status.js";
import type { LibraryCall } from "./reader.js";

/** `mul`, `all` and `any` of matrices and scalars, functions of each component of matrices, ids. */
export function hlslCall(s: Sema, call: LibraryCall): Value | undefined | "none" {
  const { name, values, span } = call;
  if (name === "mul") {
    const ordered = valuesInOrder(s, values, span);
    const made = matrixProduct(s, ordered.values, span);
    return made?.expr && ordered.first.length > 0 ? { ...made, expr: after(ordered.first, made.expr, span) } : made;
  }
  const [only] = values;
  // The index is compared with the numbers of all buffers (block-arrays.ts), whether lanes agree on it or not.
  if (name === "NonUniformResourceIndex" && only && values.length === 1) return only;
  if ((name === "all" || name === "any") && only && values.length === 1) {
    if (only.type.kind === "matrix") return matrixVote(s, name, only, span);
    if (componentCount(only.type) === 1) {
      const truth = convertTo(s, only, bool, "condition", span, `argument 1 of '${name}'`);
      return truth && exprValue(truth);
    }
  }
  if (name === "CheckAccessFullyMapped") return checkMapped(s, values, span);
  if ((name === "and" || name === "or") && values.length === 2) return joinedBools(s, name, values, span);
  const wide = ofBits.has(name) && only && values.length === 1 ? withoutMinimum(s, only, span) : only;
  if (wide !== only) return wide && ofOwnLibrary(s, { ...call, values: [wide] });
  if (writesParts(call)) return partsWritten(s, call);
  if (isShapedAsDouble(call)) return doublesOfWords(s, call);
  if (ofEachComponent.has(name) && values.some((v) => v.type.kind === "matrix")) return matrixColumns(s, call);
  const id = idOfHlslFunction(name);
  if (!id) return "none";
  return values.length > 0 ? error(s, "XL2005", `${name} takes no arguments`, span) : exprValue(builtin(id, span));
}

/** DXC has these of ints of 16 bits, but not of types of minimum precision, whatever their width: those become ints. */
const ofBits: ReadonlySet<string> = new Set(["countbits", "firstbithigh", "firstbitlow", "reversebits"]);

function withoutMinimum(s: Sema, v: Value, span: Span): Value | undefined {
  const kind = scalarOf(v.type);
  if (kind === undefined || !isInteger(kind) || !isAtLeast(v.type)) return v;
  const given = read(s, v, span);
  return given && exprValue(conversion(s, given, ofKind(given.type, "i32"), false, span));
}

const ofOwnLibrary = (s: Sema, call: LibraryCall): Value | undefined | "none" =>
  call.values.some((v) => v.type.kind === "matrix")
    ? matrixColumns(s, call)
    : callBuiltin(s, call.name, call.values, [], call.span, call.nameSpan, call.quiet);

/** Functions of vectors as a whole, which DXC takes no matrices for. */
const ofWholeVectors: ReadonlySet<string> = new Set(
  "length distance dot cross normalize reflect refract faceforward".split(" "),
);

/**
 * A function of HLSL comes before those of the source that have its name, where its parameters take the arguments at all:
 * DXC then looks no further.
 */
export function hlslCallBeforeSource(
  s: Sema,
  callee: syntax.Identifier,
  values: readonly Value[],
  e: syntax.Call,
): Value | undefined | "none" {
  if (!isBuiltinName(s.dialect, callee.name)) return "none";
  const refusal = refusalOf(s.dialect, callee.name);
  if (refusal && laterArities.get(callee.name) === values.length)
    return refusedBuiltin(s, callee.name, refusal, e.span);
  // Of older compilers, as `noise` is: DXC has none, and takes that of the source.
  if (refusal && !laterArities.has(callee.name)) return "none";
  if (!values.every((v) => v.type.kind === "scalar" || v.type.kind === "vector" || v.type.kind === "matrix"))
    return "none";
  const before = s.problems.list.length;
  const asBuiltin = builtinCall(s, callee, values, e, false);
  // What it takes and crosslane has not is still what the call means.
  const problems = s.problems.list.slice(before);
  if (asBuiltin !== "none" && (asBuiltin !== undefined || problems.some((p) => kindOf(p.code) === "not-yet")))
    return asBuiltin;
  s.problems.truncate(before);
  const matrices = values.filter((v) => v.type.kind === "matrix").length;
  if (matrices === 0 || matrices < values.length || ofWholeVectors.has(callee.name)) return "none";
  return notYet(s, `the function '${callee.name}' of matrices, which HLSL takes before one of the source, is`, e.span);
}

/** `and` and `or`, with which HLSL 2021 takes vectors and matrices: both operands are evaluated, and a scalar is every component. */
function joinedBools(s: Sema, operator: "and" | "or", values: readonly Value[], span: Span): Value | undefined {
  const { first, values: ordered } = valuesInOrder(s, values, span);
  const given = ordered.map((v) => read(s, v, span));
  const [a, b] = given;
  if (!a || !b) return undefined;
  const shape = [a, b].map((e) => e.type).find((t) => t.kind === "matrix");
  const isShape = (e: Expr): boolean =>
    e.type.kind === "matrix" && e.type.columns === shape?.columns && e.type.rows === shape.rows;
  const sizes = [a, b].map((e) => (isVector(e.type) ? componentCount(e.type) : undefined));
  const size = shape?.rows ?? sizes[0] ?? sizes[1];
  const fit = shape
    ? [a, b].every((e) => isShape(e) || e.type.kind === "scalar")
    : [a, b].every((e) => !isVector(e.type) || componentCount(e.type) === size);
  if (!fit && [a, b].every((e) => e.type.kind === "matrix"))
    return notYet(s, `${operator} of ${showGiven(s, a)} and ${showGiven(s, b)} is`, span, "make them of one shape");
  if (!fit) return error(s, "XL2005", `${operator} does not take ${showGiven(s, a)} and ${showGiven(s, b)}`, span);
  const type: Type = size === undefined ? bool : asSingle(shaped("bool", size));
  const spread = (x: Expr): Expr =>
    sameType(x.type, type) ? x : { kind: "splat", operand: x, type, explicit: false, span: x.span };
  const masked = (e: Expr): Expr => spread(maskOf(s, e));
  const join = ([l, r]: readonly Expr[]): Expr => binary(operator, masked(l!), masked(r!), span);
  const asked = size === undefined && isPure(b);
  const made = asked ? logical(operator, masked(a), masked(b), span) : byColumns(s, [a, b], "bool", span, join);
  return exprValue(after(first, asNamed(made, size === undefined ? made.type : type), span));
}

/** Functions that DXC takes of matrices, component by component. */
const ofEachComponent: ReadonlySet<string> = new Set(
  `abs acos asdouble asfloat asfloat16 asin asint asint16 asuint asuint16 atan atan2 ceil clamp cos cosh countbits degrees exp exp2 f16tof32 f32tof16
  firstbithigh firstbitlow floor fma fmod frac isfinite isinf isnan isnormal ldexp lerp log log10 log2 mad max min pow radians rcp
  reversebits round rsqrt saturate select sign sin sinh smoothstep sqrt step tan tanh trunc
  QuadReadAcrossDiagonal QuadReadAcrossX QuadReadAcrossY QuadReadLaneAt WaveActiveAllEqual WaveActiveBitAnd WaveActiveBitOr
  WaveActiveBitXor WaveActiveMax WaveActiveMin WaveActiveProduct WaveActiveSum WaveMatch WaveMultiPrefixBitAnd WaveMultiPrefixBitOr
  WaveMultiPrefixBitXor WaveMultiPrefixProduct WaveMultiPrefixSum WavePrefixProduct WavePrefixSum WaveReadLaneAt WaveReadLaneFirst`.split(
    /\s+/,
  ),
);

const isShapedAsDouble = ({ name, values }: LibraryCall): boolean =>
  name === "asdouble" &&
  values.some((v) => isVector(v.type)) &&
  values.every((v) => componentCount(v.type) === componentCount(values[0]!.type));

/** `asdouble` of vectors of words: of each component. */
function doublesOfWords(s: Sema, { name, values, span, nameSpan, quiet }: LibraryCall): Value | undefined | "none" {
  const ordered = valuesInOrder(s, values, span);
  const given = ordered.values.map((v) => read(s, v, span));
  if (!given.every((e) => e !== undefined)) return undefined;
  const whole = held(s, given, span);
  const parts: Expr[] = [];
  for (let i = 0; i < componentCount(given[0]!.type)!; i++) {
    const words = whole.values.map((e) => exprValue(componentAt(e, i, span)));
    const made = callBuiltin(s, name, words, [], span, nameSpan, quiet);
    if (made === "none" || !made?.expr) return made;
    parts.push(made.expr);
  }
  const type = asSingle(shaped("f64", parts.length));
  const made = isSingle(type) ? ({ ...parts[0]!, type } as Expr) : construct(type, parts, span);
  return exprValue(after([...ordered.first, ...whole.first], made, span));
}

const componentAt = (e: Expr, i: number, span: Span): Expr =>
  e.type.kind === "vector" ? swizzleValue(e, [i], span) : ({ ...e, type: withoutSingle(e.type) } as Expr);

/** Those of them whose second operand is a mask of lanes, the same for all columns. */
const ofLanes = /^WaveMultiPrefix/;

const sameSize = (a: Type, b: Type): boolean => a.kind === "vector" && b.kind === "vector" && a.size === b.size;

/** Functions that write to arguments, part by part: which ones, and whether the table has the function of scalars only. */
const written: Readonly<Record<string, { readonly arguments: readonly number[]; readonly scalars?: true }>> = {
  modf: { arguments: [1] },
  frexp: { arguments: [1] },
  asuint: { arguments: [1, 2], scalars: true },
};

/** Whether a call is of a matrix, or of a vector, that has to be taken apart, with places of its shape. */
function writesParts({ name, values }: LibraryCall): boolean {
  const how = Object.hasOwn(written, name) ? written[name]! : undefined;
  const shape = values[0]?.type;
  if (!how || values.length !== how.arguments.length + 1 || !shape) return false;
  const taken = shape.kind === "matrix" || (how.scalars === true && shape.kind === "vector");
  const alike = (t: Type): boolean =>
    (shape.kind === "matrix" && t.kind === "matrix" && t.columns === shape.columns && t.rows === shape.rows) ||
    sameSize(shape, t);
  return taken && values.every((v) => alike(v.type));
}

/** Such a call as one of each column or component: what it writes goes into locals, and from there into its places. */
function partsWritten(s: Sema, call: LibraryCall): Value | undefined | "none" {
  const { name, values, span, nameSpan, quiet } = call;
  const given = read(s, values[0]!, span);
  const shape = given?.type;
  if (!given || (shape?.kind !== "matrix" && shape?.kind !== "vector")) return undefined;
  const whole = held(s, [given], span);
  const first: Expr[] = [...whole.first];
  const places: Place[] = [];
  for (const v of values.slice(1)) {
    const place = writablePlace(s, v, span, "passed to be written");
    if (!place) return undefined;
    const repeatable = heldPlace(s, place, span);
    append(first, repeatable.first);
    places.push(repeatable.place);
  }
  const count = shape.kind === "matrix" ? shape.columns : componentCount(shape)!;
  const results: Expr[] = [];
  const outs = places.map((): Expr[] => []);
  for (let i = 0; i < count; i++) {
    const part = exprValue(elementValue(whole.values[0]!, literal("i32", i, span), span));
    const locals = places.map((p): Value => {
      const shape = p.type as typeof given.type & { readonly kind: "matrix" | "vector" };
      const type = shapedLike(shape, shape.kind === "matrix" ? shape.rows : 1);
      return { type, place: emptyLocal(s, type, span) };
    });
    const again = { ...call, values: [part, ...locals] };
    const made = writesParts(again)
      ? partsWritten(s, again)
      : callBuiltin(s, name, again.values, [], span, nameSpan, quiet);
    if (made === "none" || !made?.expr) return made;
    if (made.type.kind === "void") first.push(made.expr);
    else results.push(kept(s, made.expr, first, span));
    locals.forEach((l, k) => outs[k]!.push(load(l.place!, span)));
  }
  places.forEach((place, k) => first.push(assign(place, construct(place.type, outs[k]!, span), span)));
  if (results.length > 0) {
    const type = ofKind(shape, scalarOf(results[0]!.type)!, results[0]!.type);
    return exprValue(after(first, construct(type, results, span), span));
  }
  return { type: { kind: "void" }, expr: after(first.slice(0, -1), first.at(-1)!, span) };
}

/** Such a function of matrices of one shape, and of scalars beside them: of their columns, which choose as vectors do. */
function matrixColumns(s: Sema, call: LibraryCall): Value | undefined | "none" {
  const { name, values, span } = call;
  const shape = values.map((v) => v.type).find((t) => t.kind === "matrix")!;
  const own: Type = { kind: "scalar", scalar: shape.scalar };
  const asOwn = ({ type: t, expr }: Value): boolean =>
    sameType(t, own) || (expr?.open !== undefined && isFloat(shape.scalar));
  const fit = values.every(({ type: t, expr }) =>
    t.kind === "matrix"
      ? t.columns === shape.columns && t.rows === shape.rows
      : (t.kind === "vector" && ofLanes.test(name)) ||
        (t.kind === "scalar" && !isSingle(t) && (asOwn({ type: t, expr }) || !expr?.open || isPure(expr))),
  );
  if (!fit) return "none";
  const ordered = valuesInOrder(s, values, span);
  const given = ordered.values.map((v) =>
    v.type.kind === "scalar" && asOwn(v)
      ? convertTo(s, v, own, "argument", span, `an argument of '${name}'`)
      : read(s, v, span),
  );
  if (!given.every((e) => e !== undefined)) return undefined;
  const kept = held(s, given, span);
  const first = [...ordered.first, ...kept.first];
  // Each is written once, however deep calls stand in calls.
  const parted = kept.values.map((e): readonly Expr[] => {
    if (e.kind === "construct" && e.type.kind === "matrix" && e.arguments.length === shape.columns) return e.arguments;
    const local = e.kind === "load" || e.kind === "literal" || isOpen(e) || !s.fn ? undefined : intoLocal(s, e, span);
    if (local) first.push(local.first);
    const whole = local?.value ?? e;
    return Array.from({ length: shape.columns }, (_, c) =>
      whole.type.kind === "matrix" ? elementValue(whole, literal("i32", c, span), span) : whole,
    );
  });
  const columns: Expr[] = [];
  for (let c = 0; c < shape.columns; c++) {
    const parts = parted.map((list) => exprValue(list[c]!));
    const column = { ...call, values: parts };
    const made = isShapedAsDouble(column)
      ? doublesOfWords(s, column)
      : callBuiltin(s, name, parts, [], span, call.nameSpan, call.quiet);
    if (made === "none" || !made?.expr) return made;
    columns.push(made.expr);
  }
  // The lanes whose values are equal in all columns.
  if (name === "WaveMatch")
    return exprValue(
      after(
        first,
        columns.reduce((a, b) => binary("and", a, b, span)),
        span,
      ),
    );
  const [column] = columns;
  const type = ofKind(shape, scalarOf(column!.type)!, column!.type);
  return exprValue(after(first, construct(type, columns, span), span));
}

/** HLSL's all and any of a matrix: of its columns. */
function matrixVote(s: Sema, name: "all" | "any", v: Value, span: Span): Value | undefined {
  const e = read(s, v, span);
  if (!e || e.type.kind !== "matrix") return undefined;
  const { columns } = e.type;
  const before: Expr[] = [];
  let whole: Expr = e;
  for (; whole.kind === "comma"; whole = whole.right) before.push(whole.left);
  const made = whole.kind === "construct" && whole.arguments.length === columns ? whole.arguments : undefined;
  const kept = held(s, made ?? [whole], span);
  const { values } = kept;
  const first = [...before, ...kept.first];
  const masks = Array.from({ length: columns }, (_, c) =>
    maskOf(s, made ? values[c]! : elementValue(values[0]!, literal("i32", c, span), span)),
  );
  const votes = masks.map((m): Expr => (m.type.kind === "scalar" ? m : opCall(`logic.${name}`, [m], bool, span)));
  return exprValue(
    after(
      first,
      votes.reduce((a, b) => logical(name === "all" ? "and" : "or", a, b, span)),
      span,
    ),
  );
}

/** HLSL's mul: every product of scalars, vectors and matrices. A vector is a row on the left and a column on the right. */
function matrixProduct(s: Sema, values: readonly Value[], span: Span): Value | undefined {
  if (values.length !== 2) return error(s, "XL2005", `mul takes two arguments, not ${values.length}`, span);
  const given = values.map((v) => read(s, v, span));
  if (!given[0] || !given[1]) return undefined;
  const [a, b] = inCommonKind(s, given[0], given[1]);
  const bad = (): undefined => error(s, "XL2005", `mul does not take ${showGiven(s, a)} and ${showGiven(s, b)}`, span);
  const [ak, bk] = [scalarOf(a.type), scalarOf(b.type)];
  // Beside a number of no type yet the enumerator would take another one.
  const scoped = given.some((e) => enumerationOf(e!.type)?.scoped);
  if (ak === undefined || bk === undefined || scoped) return bad();
  if (a.type.kind !== "matrix" && b.type.kind !== "matrix") {
    if (isVector(a.type) && isVector(b.type)) {
      const resolved = callBuiltin(s, "dot", values, [], span, span, false);
      return resolved === "none" ? bad() : resolved;
    }
    if (ak !== bk) return notYet(s, `mul of ${showGiven(s, a)} and ${showGiven(s, b)} is`, span);
    const type = isVector(a.type) ? a.type : b.type;
    const spread = (x: Expr): Expr =>
      sameType(x.type, type) ? x : { kind: "splat", operand: x, type, explicit: false, span: x.span };
    return exprValue({ ...binary("mul", spread(a), spread(b), span), type } as Expr);
  }
  if (ak !== bk) return notYet(s, `mul of ${showGiven(s, a)} and ${showGiven(s, b)} is`, span);
  if ([a, b].some((e) => isSingle(e.type))) return exprValue(ofFirst(s, a, b, span));
  if (a.type.kind === "scalar" || b.type.kind === "scalar") return exprValue(product(a, b, span));
  // DXC takes of the larger one as much as meets the other.
  const inner = Math.min(innerSize(a, "columns"), innerSize(b, "rows"));
  const [l, r] = [cutTo(s, a, "columns", inner), cutTo(s, b, "rows", inner)];
  return exprValue(isThin(l.type) || isThin(r.type) ? sums(s, l, r, span) : product(l, r, span));
}

/** A matrix beside a vector of one component, which meets its first row or column. */
function ofFirst(s: Sema, a: Expr, b: Expr, span: Span): Expr {
  const { first, values } = held(s, [a, b], span);
  const [l, r] = values as [Expr, Expr];
  const at = (e: Expr, i: number): Expr =>
    e.type.kind === "scalar" ? e : elementValue(e, literal("i32", i, span), span);
  const list = (n: number, of: (i: number) => Expr): Expr[] => Array.from({ length: n }, (_, i) => of(i));
  const parts =
    l.type.kind === "matrix"
      ? list(l.type.rows, (row) => binary("mul", at(at(l, 0), row), r, span))
      : list(innerSize(r, "columns"), (column) => binary("mul", l, at(at(r, column), 0), span));
  const [only, ...more] = parts as [Expr, ...Expr[]];
  const type = scalar(scalarOf(only.type)!);
  const made =
    more.length === 0
      ? ({ ...only, type: asSingle(type) } as Expr)
      : construct(vector(type.scalar, parts.length as 2 | 3 | 4), parts, span);
  return after(first, made, span);
}

const isVector = (type: Type): boolean => type.kind === "vector" || isSingle(type);

/** A product of which one side has one row or column: its elements are sums. */
function sums(s: Sema, a: Expr, b: Expr, span: Span): Expr {
  const { first, values } = held(s, [a, b], span);
  const [l, r] = values as [Expr, Expr];
  const at = (e: Expr, i: number): Expr =>
    e.type.kind === "scalar" ? e : elementValue(e, literal("i32", i, span), span);
  const { type } = binary("mul", l, r, span);
  const one = (row: number, column: number): Expr =>
    Array.from({ length: innerSize(l, "columns") }, (_, k) => {
      const left = l.type.kind === "matrix" ? at(at(l, k), row) : at(l, k);
      const right = r.type.kind === "matrix" ? at(at(r, column), k) : at(r, k);
      return binary("mul", left, right, span);
    }).reduce((x, y) => binary("add", x, y, span));
  const list = (n: number, of: (i: number) => Expr): Expr[] => Array.from({ length: n }, (_, i) => of(i));
  const made = (shape: Type, parts: readonly Expr[]): Expr =>
    parts.length === 1 && shape.kind === "scalar" ? parts[0]! : construct(shape, parts, span);
  if (type.kind === "matrix") {
    const columns = list(type.columns, (c) =>
      made(
        shapedLike(type, type.rows),
        list(type.rows, (row) => one(row, c)),
      ),
    );
    return after(first, construct(type, columns, span), span);
  }
  const elements = list(componentCount(type)!, (i) => (l.type.kind === "matrix" ? one(i, 0) : one(0, i)));
  return after(first, made(type, elements), span);
}

const innerSize = ({ type }: Expr, along: "columns" | "rows"): number =>
  type.kind === "matrix" ? type[along] : type.kind === "vector" ? type.size : 1;

/** The first components of a vector, or columns or rows of a matrix. */
function cutTo(s: Sema, e: Expr, along: "columns" | "rows", size: number): Expr {
  if (innerSize(e, along) === size) return e;
  if (e.type.kind !== "matrix")
    return swizzleValue(
      e,
      Array.from({ length: size }, (_, i) => i),
      e.span,
    );
  return reshaped(s, e, { ...e.type, [along]: size }, e.span);
}

/** The operands of `mul`, whose components have one type: that of other functions, but of bools alone float. */
function inCommonKind(s: Sema, a: Expr, b: Expr): readonly [Expr, Expr] {
  const [ak, bk] = [scalarOf(a.type), scalarOf(b.type)];
  if (ak === undefined || bk === undefined) return [a, b];
  const open = isOpen(a) && isOpen(b) ? scalar(isFloat(ak) || isFloat(bk) ? "f32" : "i32") : undefined;
  const bools = ak === "bool" && bk === "bool" ? scalar("f32") : undefined;
  const whole = open ?? bools ?? combinedInOrder(s, [exprValue(a), exprValue(b)]);
  const kind = whole?.scalar ?? combinedKind(ak, bk, isOpen(a), isOpen(b));
  const [x, y] = [a, b].map((e) => conversion(s, e, ofKind(e.type, kind, whole), false, e.span)) as [Expr, Expr];
  return x.type.kind === "scalar" && y.type.kind === "scalar" ? [x, y] : [withoutHalf(s, x), withoutHalf(s, y)];
}
