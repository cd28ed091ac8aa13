/**
 * Objects of another type than the parameter that is written through (HLSL's `out` and `inout`): a local of the parameter's
 * type stands for them, is filled before the call where the parameter is read, and brought back after it, converted both ways.
 */
import { assign, element, literal, literalValue, load, swizzle } from "../ast/builders.js";
import { heldPlace } from "../ast/held-place.js";
import type { Argument, Expr, Place } from "../ast/nodes.js";
import { isPure, placeIsPure } from "../ast/walk.js";
import { meet } from "../ops/footprints.js";
import type { Span } from "../support/span.js";
import { componentCount, enumerationOf, isSameName, sameType, scalarOf, type Type } from "../types/types.js";
import { error, exprValue, notYet, type ParameterInfo, type Sema, shown, type Value } from "./context.js";
import { after, emptyLocal, intoLocal, kept } from "./held-values.js";
import { convertTo } from "./convert.js";
import { ofKind } from "./matrix-shapes.js";
import { byReference } from "./overloads.js";
import { fieldAssignment, writablePlace } from "./assignments.js";

/** Whether an argument goes through a local: a row of a matrix, or an object of numbers of another type than the parameter. */
export const isConverted = ({ row, field, type }: Value, wanted: Type): boolean =>
  row !== undefined || field !== undefined || isOtherType(type, wanted);

export const isOtherType = (given: Type, wanted: Type): boolean =>
  scalarOf(given) !== undefined &&
  scalarOf(wanted) !== undefined &&
  !(sameType(given, wanted) && isSameName(given, wanted));

const isSameShape = (a: Type, b: Type): boolean =>
  sameType(ofKind(a, "i32"), ofKind(b, "i32")) && (a.kind === "matrix") === (b.kind === "matrix");

/** The local for such an object: `first` comes before the call, `last` after it. */
export function convertedPlace(
  s: Sema,
  v: Value,
  type: Type,
  reads: boolean,
  span: Span,
  what: string,
): { readonly first: readonly Expr[]; readonly place: Place; readonly last: Expr } | undefined {
  // Its values would convert back, but DXC converts no place to one of an enumeration.
  if (enumerationOf(type))
    return error(s, "XL2003", `${what} is written as ${shown(s, type)}, this is ${shown(s, v.type)}`, span);
  if (v.field && sameType(v.type, type)) return fieldPlace(s, v, type, reads, span, what);
  if (v.row && sameType(v.type, type)) return rowPlace(s, v, type, reads, span, what);
  if (!isSameShape(v.type, type))
    return notYet(
      s,
      `passing ${shown(s, v.type)} to be written as ${shown(s, type)}, of which DXC makes no sound code, is`,
      span,
    );
  const found = writablePlace(s, v, span, "passed to be written");
  if (!found) return undefined;
  if (!placeIsPure(found))
    return notYet(s, "an argument that is converted in or out and whose place has effects is", span);
  const first: Expr[] = [];
  const place = heldPlace(found, (e) => (e.kind === "literal" ? e : kept(s, e, first, span)));
  const before = reads ? convertTo(s, exprValue(load(place, span)), type, "argument", span, what) : undefined;
  if (reads && !before) return undefined;
  const local = emptyLocal(s, type, span);
  if (before) first.push(assign(local, before, span));
  const back = convertTo(s, exprValue(load(local, span)), v.type, "assignment", span, `what is written to ${what}`);
  return back && { first, place: local, last: assign(place, back, span) };
}

/** Some bits of a word. */
function fieldPlace(
  s: Sema,
  v: Value,
  type: Type,
  reads: boolean,
  span: Span,
  what: string,
): { readonly first: readonly Expr[]; readonly place: Place; readonly last: Expr } | undefined {
  const { word, field } = v.field!;
  const found = writablePlace(s, word, span, "passed to be written");
  if (!found) return undefined;
  if (!placeIsPure(found))
    return notYet(s, "a bit-field that is passed to be written and whose place has effects is", span);
  const first: Expr[] = [];
  const held = heldPlace(found, (e) => (e.kind === "literal" ? e : kept(s, e, first, span)));
  const same: Value = { ...v, field: { field, word: { ...word, place: held } } };
  const before = reads ? convertTo(s, same, type, "argument", span, what) : undefined;
  const local = emptyLocal(s, type, span);
  if (before) first.push(assign(local, before, span));
  const back = fieldAssignment(s, "=", same, exprValue(load(local, span)), span);
  const last = back?.field?.effect;
  return last && { first, place: local, last };
}

/** A row of a matrix, whose elements lie apart. */
function rowPlace(
  s: Sema,
  v: Value,
  type: Type,
  reads: boolean,
  span: Span,
  what: string,
): { readonly first: readonly Expr[]; readonly place: Place; readonly last: Expr } | undefined {
  const { matrix, index, columns, rows } = v.row!;
  const found = writablePlace(s, matrix, span, "passed to be written");
  if (!found || type.kind !== "vector") return undefined;
  if (!placeIsPure(found) || !isPure(index))
    return notYet(s, "a row of a matrix that is passed to be written and whose place has effects is", span);
  if (columns && new Set(columns.map((c, i) => `${rows?.[i]},${c}`)).size !== columns.length)
    return error(s, "XL2006", "a swizzle that names a component twice cannot be written", span);
  const first: Expr[] = [];
  const hold = (e: Expr): Expr => (e.kind === "literal" ? e : kept(s, e, first, span));
  const place = heldPlace(found, hold);
  const row = rows ? index : hold(index);
  const before = reads ? convertTo(s, v, type, "argument", span, what) : undefined;
  if (reads && !before) return undefined;
  const local = emptyLocal(s, type, span);
  if (before) first.push(assign(local, before, span));
  const parts = Array.from({ length: type.size }, (_, c) => {
    const column = element(place, literal("i32", columns?.[c] ?? c, span), span);
    const at = element(column, rows ? literal("i32", rows[c]!, span) : row, span);
    return assign(at, load(swizzle(local, [c], span), span), span);
  });
  return { first, place: local, last: after(parts.slice(0, -1), parts.at(-1)!, span) };
}

/** Whether arguments that are converted meet no others, which DXC copies and evaluates in an order of its own. */
export function standApart(
  s: Sema,
  values: readonly Value[],
  args: readonly Argument[],
  converted: readonly boolean[],
  span: Span,
): boolean {
  const pure = args.every((a) => (a.mode === "value" ? isPure(a.value) : placeIsPure(a.place)));
  const written = values.map((v, i) =>
    args[i]!.mode !== "value" && wholeOf(v)
      ? s.footprints.of(assign(wholeOf(v)!, load(wholeOf(v)!, span), span))
      : undefined,
  );
  // Rows are brought back behind all others, one after the other (DXC); of the others it depends on what they are.
  const free = (i: number, j: number): boolean =>
    values[i]!.row !== undefined && (values[j]!.row !== undefined || !converted[j]);
  const meets = written.some(
    (a, i) => a && converted[i] && written.some((b, j) => b && j !== i && !free(i, j) && meet({ ...a, reads: [] }, b)),
  );
  if (pure && !meets) return true;
  notYet(s, "a call that converts what it writes, and whose other arguments have effects or meet that, is", span);
  return false;
}

/**
 * Whether components of a vector are written beside an argument further on that is the vector, or what it lies in: DXC brings them back
 * behind all others, and these one after the other.
 */
export function isBeforeWhole(s: Sema, values: readonly Value[], written: (i: number) => boolean, i: number): boolean {
  const { place } = values[i]!;
  if (place?.kind !== "swizzle") return false;
  const own = s.footprints.of(assign(place, load(place, place.span), place.span));
  return values.some((v, j) => {
    if (j <= i || !written(j) || !v.place || v.place.kind === "swizzle") return false;
    return meet({ ...own, reads: [] }, s.footprints.of(assign(v.place, load(v.place, v.place.span), v.place.span)));
  });
}

/**
 * Whether an argument is written, besides two others that it meets (`f(v.zx, v, v.x)`): DXC brings these back in an order that hangs on what
 * each of them is, and that of two alone is known.
 */
export function meetsTwo(s: Sema, parameters: readonly ParameterInfo[], values: readonly Value[], span: Span): boolean {
  const written = values.filter((v, i) => parameters[i] && byReference(parameters[i]) && wholeOf(v));
  const copied = written.filter((v) => parameters[values.indexOf(v)]!.mode !== "ref");
  if (written.length < 3 || !copied.some((v) => written.filter((w) => w !== v && partsMeet(s, v, w)).length > 1))
    return false;
  notYet(
    s,
    "a call that writes to an argument and to two others that meet it is",
    span,
    "hand over a variable, and assign it after the call",
  );
  return true;
}

function partsMeet(s: Sema, a: Value, b: Value): boolean {
  const [x, y] = [a, b].map((v) =>
    s.footprints.of(assign(wholeOf(v)!, load(wholeOf(v)!, v.place?.span), v.place?.span)),
  );
  if (!meet({ ...x!, reads: [] }, y!)) return false;
  const [of, and] = [cellsOf(a), cellsOf(b)];
  return !of || !and || of.some((cell) => and.includes(cell));
}

/** Row and column of each element, of parts of a matrix; undefined of other values, and where they are not known. */
function cellsOf({ row, type }: Value): readonly string[] | undefined {
  const size = componentCount(type);
  if (!row || size === undefined) return undefined;
  const index = literalValue(row.index);
  if (!row.rows && index === undefined) return undefined;
  return Array.from({ length: size }, (_, i) => `${row.rows?.[i] ?? Number(index)},${row.columns?.[i] ?? i}`);
}

const wholeOf = (v: Value): Place | undefined => v.place ?? v.row?.matrix.place ?? v.field?.word.place;

/** The value of a call, after what it leaves in locals is brought back. */
export function thenBack(
  s: Sema,
  call: Expr,
  last: readonly Expr[],
  span: Span,
  unused = call.type.kind === "void",
): Expr {
  if (unused) return after([call, ...last.slice(0, -1)], last.at(-1)!, span);
  const result = intoLocal(s, call, span);
  return after([result.first, ...last], result.value, span);
}
